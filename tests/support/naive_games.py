"""The naive second engine's door: sends each game to the functions that know it.

Owns the choice by game, nothing else. Two-, three- and four-handed Euchre are in the ``naive_*``
modules, Railroad, Hasenpfeffer, Pepper and Napoleon in ``naive_family_*``. It must not know
``euchre_engine``.
"""

from typing import Any

import naive_default
import naive_hand
import naive_legal
import naive_rules
import naive_standing
from naive_family_default import family_default
from naive_family_hand import act_in_family, legal_in_family, start_family
from naive_family_railroad import (
    act_in_railroad,
    is_legal_in_railroad,
    legal_in_railroad,
    start_railroad,
)
from naive_family_rules import FAMILY, family_rules, rules_with_players
from naive_family_standing import family_outline, family_view
from naive_rules import Rules
from naive_table import Table

__all__ = [
    "act",
    "default_text",
    "effective_rules",
    "is_legal",
    "legal_texts",
    "outline",
    "play",
    "standing",
    "start",
    "view",
]


def preset_of(given: str | dict[str, Any]) -> object:
    """Returns the preset that a ruleset names."""
    return given if isinstance(given, str) else given.get("preset")


def game_of(table: Table) -> str:
    """Returns the game of the family that is played, or `euchre`."""
    preset = table["rules"]["preset"]
    return preset if preset in FAMILY else "euchre"


def effective_rules(given: str | dict[str, Any]) -> Rules:
    """Returns every effective option of a ruleset, with `preset` and `seats`.

    Raises:
        BadRules: the preset or an option is unknown, does not apply, or has a value that is none.
    """
    in_family = preset_of(given) in FAMILY
    return family_rules(given) if in_family else naive_rules.effective_rules(given)


def start(given: str | dict[str, Any], **deal: Any) -> Table:  # noqa: ANN401 - as dealt_table
    """Returns the table after the deal, its first phase open."""
    preset = preset_of(given)
    if preset == "railroad":
        return start_railroad(given, **deal)
    if preset in FAMILY:
        return start_family(given, **deal)
    return naive_hand.start(given, **deal)


def act(table: Table, text: str) -> None:
    """Carries out one action of the seat to act.

    Raises:
        Refused: the action is not legal; the table is unchanged.
    """
    game = game_of(table)
    if game == "euchre":
        naive_hand.act(table, text)
    elif game == "railroad":
        act_in_railroad(table, text)
    else:
        act_in_family(table, text)


def legal_texts(table: Table) -> list[str]:
    """Returns the legal actions; the exchange is the one text `keep 5 of ...`."""
    game = game_of(table)
    if game == "euchre":
        return naive_legal.legal_texts(table)
    return legal_in_railroad(table) if game == "railroad" else legal_in_family(table)


def is_legal(table: Table, text: str) -> bool:
    """Returns whether an action text is legal now; cards of `keep` and `swap` in any order."""
    game = game_of(table)
    if game == "euchre":
        return naive_legal.is_legal(table, text)
    if game == "railroad":
        return is_legal_in_railroad(table, text)
    return text in legal_in_family(table)


def default_text(table: Table) -> str:
    """Returns the default action of the seat to act, as a text."""
    return (
        naive_default.default_text(table) if game_of(table) == "euchre" else family_default(table)
    )


def outline(table: Table) -> dict[str, Any]:
    """Returns where the hand stands, the views left out (DESIGN.md section 8)."""
    euchre = game_of(table) == "euchre"
    return naive_standing.outline(table) if euchre else family_outline(table)


def view(table: Table, seat: int | None) -> dict[str, Any]:
    """Returns what a seat may know of the cards, or an onlooker (None)."""
    euchre = game_of(table) == "euchre"
    return naive_standing.view(table, seat) if euchre else family_view(table, seat)


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
        rules_with_players(hand["rules"], hand.get("players")),
        dealer=hand["dealer"],
        deck=hand["deck"],
        scores=hand.get("scores"),
        redeals=hand.get("redeals", 0),
        number=hand.get("hand", 1),
    )
    for index, text in enumerate(hand["actions"]):
        if not is_legal(table, text):
            refused = {"index": index, "seat": table["to_act"], "text": text}
            return {**standing(table), "error": {**refused, "legal": legal_texts(table)}}
        act(table, text)
    return standing(table)
