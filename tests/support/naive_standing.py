"""The naive second engine, part 7: the hand object of DESIGN.md section 8, in and out.

Owns what each seat may see (RULES.md section 6) and the shape that `hand --json` prints. Written
from RULES.md and DESIGN.md alone; it must not know ``euchre_engine``.
"""

from typing import Any

from naive_cards import canonical
from naive_hand import act, start
from naive_legal import is_legal, legal_texts
from naive_table import Table

__all__ = ["outline", "play", "standing", "view"]


def view(table: Table, seat: int | None) -> dict[str, Any]:
    """Returns what a seat may know of the cards, or an onlooker (None) (section 6)."""
    hand: list[str] = []
    dummy: list[str] = []
    discarded: list[str] = []
    if seat is not None:
        blind = table["phase"] == "NAME_BLIND" and seat == table["dealer"]
        hand = [] if blind else table["hands"][seat]
        dummy = table["dummy"] if table["sees_dummy"] and seat == table["maker"] else []
        discarded = table["discarded"][seat]
    return {
        "seat": seat,
        "hand": canonical(hand),
        "card_counts": [len(cards) for cards in table["hands"]],
        "upcard": table["up"],
        "upcard_status": table["up_status"],
        "dummy": canonical(dummy),
        "discarded": canonical(discarded),
        "history": [known_action(actor, text, seat) for actor, text in table["history"]],
    }


def known_action(actor: int, text: str, seat: int | None) -> dict[str, Any]:
    """Returns an action as a seat knows it: others' discards and keeps name no card (section 6)."""
    words = text.split(" ")
    if words[0] in {"keep", "swap"}:
        words[1:] = canonical(words[1:])
    if words[0] in {"discard", "keep", "swap"} and actor != seat:
        words = words[:1]
    return {"seat": actor, "text": " ".join(words)}


def outline(table: Table) -> dict[str, Any]:
    """Returns where the hand stands, the views left out (DESIGN.md section 8)."""
    tricks = table["tricks"] + ([table["trick"]] if table["trick"] is not None else [])
    return {
        "phase": table["phase"],
        "to_act": table["to_act"],
        "legal": legal_texts(table),
        "trump": table["trump"],
        "maker": table["maker"],
        "alone": sorted(table["alone"]),
        "sitting_out": sorted(table["sitting"]),
        "tricks": [{**trick, "cards": list(trick["cards"])} for trick in tricks],
        "points": table["points"],
        "scores": list(table["scores"]),
        "game_over": table["game_over"],
        "winners": list(table["winners"]),
        "next_dealer": table["next_dealer"],
    }


def standing(table: Table) -> dict[str, Any]:
    """Returns where the hand stands, as `hand --json` prints it (DESIGN.md section 8)."""
    return {
        **outline(table),
        "views": [view(table, seat) for seat in range(table["rules"]["seats"])],
        "public": view(table, None),
    }


def play(hand: dict[str, Any]) -> dict[str, Any]:
    """Returns where a hand object stands after its actions; `error` tells of a refused one."""
    table = start(
        hand["rules"],
        dealer=hand["dealer"],
        deck=hand["deck"],
        scores=hand.get("scores"),
        redeals=hand.get("redeals", 0),
        number=hand.get("hand", 1),
    )
    for index, given in enumerate(hand["actions"]):
        action = {"text": given} if isinstance(given, str) else given
        wrong_seat = action.get("seat", table["to_act"]) != table["to_act"]
        if wrong_seat or not is_legal(table, action["text"]):
            refused = {"index": index, "seat": table["to_act"], "text": action["text"]}
            return {**standing(table), "error": {**refused, "legal": legal_texts(table)}}
        act(table, action["text"])
    return standing(table)
