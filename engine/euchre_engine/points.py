"""Owns the points table: the ways a played hand can end, and what each is worth.

The scorer classifies a finished hand as a `HandResult` and looks its points up in
`Ruleset.points`; the `rules` command and the rules page print the same rows. A number that an
option sets is named by that option, any other stands here (RULES.md sections 2, 3, 4 and 8).
It does not know how a hand came to its result.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from euchre_engine.games import Game
from euchre_engine.option_values import DefendAlone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from euchre_engine.option_kinds import OptionValue

__all__ = ["POINTS", "HandResult", "PointsRow", "points_of"]


class HandResult(StrEnum):
    """How a hand ended that was played out."""

    MAKE = "make"
    FOUR_TRICKS = "four_tricks"
    MARCH = "march"
    ALONE_MAKE = "alone_make"
    ALONE_MARCH = "alone_march"
    EUCHRE = "euchre"
    ALONE_EUCHRE = "alone_euchre"
    DEFENDER_MARCH = "defender_march"
    LONE_DEFENDER_EUCHRE = "lone_defender_euchre"
    LONE_DEFENDER_MARCH = "lone_defender_march"


@dataclass(frozen=True, slots=True)
class PointsRow:
    """One line of the points table."""

    result: HandResult
    worth: Mapping[Game, int | str]
    """Points by game: a number, or the name of the option that holds it."""
    sentence: str
    """What happened, for people."""
    to_maker: bool
    """The maker (and his partner) get the points; else each defender does."""


_2, _3, _4 = Game.TWO_HANDED, Game.THREE_HANDED, Game.FOUR_HANDED

POINTS: tuple[PointsRow, ...] = (
    PointsRow(
        HandResult.MAKE,
        {_2: 1, _3: 1, _4: 1},
        "the maker takes three or four tricks",
        to_maker=True,
    ),
    PointsRow(
        HandResult.FOUR_TRICKS,
        {_2: "two_handed_four_tricks"},
        "the maker takes exactly four tricks",
        to_maker=True,
    ),
    PointsRow(
        HandResult.MARCH,
        {_2: 2, _3: 3, _4: 2},
        "the maker takes all five tricks",
        to_maker=True,
    ),
    PointsRow(
        HandResult.ALONE_MAKE,
        {_3: "alone_make_points", _4: "alone_make_points"},
        "the maker, alone, takes three or four tricks",
        to_maker=True,
    ),
    PointsRow(
        HandResult.ALONE_MARCH,
        {_3: "alone_march_points", _4: "alone_march_points"},
        "the maker, alone, takes all five tricks",
        to_maker=True,
    ),
    PointsRow(
        HandResult.EUCHRE,
        {_2: 2, _3: 2, _4: 2},
        "the maker takes fewer than three tricks",
        to_maker=False,
    ),
    PointsRow(
        HandResult.ALONE_EUCHRE,
        {_3: "alone_euchred_points", _4: "alone_euchred_points"},
        "the maker, alone, takes fewer than three tricks",
        to_maker=False,
    ),
    PointsRow(
        HandResult.DEFENDER_MARCH,
        {_3: "defender_march_points", _4: "defender_march_points"},
        "the defenders together take all five tricks from a maker who is not alone",
        to_maker=False,
    ),
    PointsRow(
        HandResult.LONE_DEFENDER_EUCHRE,
        {_3: "lone_defender_euchre_points", _4: "lone_defender_euchre_points"},
        "a defender, alone, takes three or four tricks",
        to_maker=False,
    ),
    PointsRow(
        HandResult.LONE_DEFENDER_MARCH,
        {_3: "lone_defender_march_points", _4: "lone_defender_march_points"},
        "a defender, alone, takes all five tricks",
        to_maker=False,
    ),
)

_OF_LONE_MAKER = {HandResult.ALONE_MAKE, HandResult.ALONE_MARCH, HandResult.ALONE_EUCHRE}
_OF_LONE_DEFENDER = {HandResult.LONE_DEFENDER_EUCHRE, HandResult.LONE_DEFENDER_MARCH}


def points_of(game: Game, options: Mapping[str, OptionValue]) -> dict[HandResult, int]:
    """Returns the points of every result that can come about, in the order of the table.

    Args:
        game: The game.
        options: The value of every option that applies to it.
    """
    impossible: set[HandResult] = set()
    defend_alone = options.get("defend_alone", DefendAlone.NEVER)
    if not (options.get("maker_alone", False) or options.get("canadian_loner", False)):
        impossible |= _OF_LONE_MAKER
        if defend_alone == DefendAlone.VS_LONE_MAKER_ONLY:
            defend_alone = DefendAlone.NEVER
    if defend_alone == DefendAlone.NEVER:
        impossible |= _OF_LONE_DEFENDER
    return {
        row.result: int(options[worth] if isinstance(worth, str) else worth)
        for row in POINTS
        if (worth := row.worth.get(game)) is not None and row.result not in impossible
    }
