"""The naive second engine, the wider family: what each seat may know, and where a hand stands.

Owns docs/family.md section 6 and the keys that `hand --json` adds. Written from the rules alone; it
must not know ``euchre_engine``.
"""

from typing import Any

import naive_standing
from naive_family_cards import in_print_order
from naive_family_hand import legal_in_family
from naive_family_railroad import legal_in_railroad
from naive_family_score import carry, game_worth
from naive_table import Table

__all__ = ["family_outline", "family_view"]


def family_view(table: Table, seat: int | None) -> dict[str, Any]:
    """Returns what a seat may know of the cards, or an onlooker (None) (section 6)."""
    known = [known_text(actor, text, seat) for actor, text in table["history"]]
    history = [
        {"seat": actor, "text": text}
        for (actor, _), text in zip(table["history"], known, strict=True)
    ]
    if table["rules"]["preset"] == "railroad":
        best = None if seat is None else table["best_cards"][seat]
        seen = naive_standing.view({**table, "history": []}, seat)
        return {**seen, "history": history, "contract": None, "widow": [], "best_card": best}
    is_maker = seat is not None and seat == table["maker"]
    return {
        "seat": seat,
        "hand": [] if seat is None else in_print_order(table["hands"][seat]),
        "card_counts": [len(cards) for cards in table["hands"]],
        "upcard": None,
        "upcard_status": "none",
        "dummy": [],
        "discarded": [] if seat is None else list(table["discarded"][seat]),
        "history": history,
        "contract": table["contract"],
        "widow": [table["widow_card"]] if is_maker and table["widow_seen"] else [],
        "best_card": None,
    }


def known_text(actor: int, text: str, seat: int | None) -> str:
    """Returns an action as a seat knows it: buried and best cards stay with those who saw them."""
    words = text.split(" ")
    if words[0] == "swap":
        words[1:] = in_print_order(words[1:])
    hidden_from_all_others = words[0] in {"discard", "swap", "bury"} and seat != actor
    hidden_from_opponents = words[0] == "best" and seat not in {actor, (actor + 2) % 4}
    if hidden_from_all_others or hidden_from_opponents:
        return words[0]
    return " ".join(words)


def family_outline(table: Table) -> dict[str, Any]:
    """Returns where the hand stands, the views left out (DESIGN.md section 8, section 6)."""
    if table["rules"]["preset"] == "railroad":
        return {
            **naive_standing.outline({**table, "phase": "DONE"}),
            "phase": table["phase"],
            "legal": legal_in_railroad(table),
            "contract": None,
            "carry": carry(table),
            "game_worth": game_worth(table),
        }
    tricks = table["tricks"] + ([table["trick"]] if table["trick"] is not None else [])
    return {
        "phase": table["phase"],
        "to_act": table["to_act"],
        "legal": legal_in_family(table),
        "contract": table["contract"],
        "trump": table["trump"],
        "maker": table["maker"],
        "alone": [],
        "sitting_out": [],
        "tricks": [{**trick, "cards": list(trick["cards"])} for trick in tricks],
        "points": table["points"],
        "scores": list(table["scores"]),
        "game_over": table["game_over"],
        "winners": list(table["winners"]),
        "next_dealer": table["next_dealer"],
    }
