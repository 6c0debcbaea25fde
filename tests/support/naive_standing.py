"""The naive second engine, part 7: the hand object of DESIGN.md section 8, in and out.

Owns what each seat may see (RULES.md section 6) and the shape that `hand --json` prints. Written
from RULES.md and DESIGN.md alone; it must not know ``euchre_engine``.
"""

from typing import Any

from naive_cards import canonical
from naive_hand import act, start
from naive_legal import is_legal, legal_texts
from naive_table import Table

__all__ = ["play", "standing", "view"]


def view(table: Table, seat: int) -> dict[str, Any]:
    """Returns what a seat may know of the cards (section 6)."""
    blind = table["phase"] == "NAME_BLIND" and seat == table["dealer"]
    sees_dummy = table["sees_dummy"] and seat == table["maker"]
    return {
        "seat": seat,
        "hand": [] if blind else canonical(table["hands"][seat]),
        "upcard": table["up"],
        "upcard_status": table["up_status"],
        "dummy": canonical(table["dummy"]) if sees_dummy else [],
        "discarded": canonical(table["discarded"][seat]),
    }


def standing(table: Table) -> dict[str, Any]:
    """Returns where the hand stands, as `hand --json` prints it (DESIGN.md section 8)."""
    tricks = table["tricks"] + ([table["trick"]] if table["trick"] is not None else [])
    return {
        "phase": table["phase"],
        "to_act": table["to_act"],
        "legal": legal_texts(table),
        "trump": table["trump"],
        "maker": table["maker"],
        "alone": list(table["alone"]),
        "sitting_out": list(table["sitting"]),
        "tricks": [{**trick, "cards": list(trick["cards"])} for trick in tricks],
        "points": table["points"],
        "scores": list(table["scores"]),
        "game_over": table["game_over"],
        "winners": list(table["winners"]),
        "next_dealer": table["next_dealer"],
        "views": [view(table, seat) for seat in range(table["rules"]["seats"])],
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
