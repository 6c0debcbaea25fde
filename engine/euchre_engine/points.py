"""Owns the points table: the ways a played hand can end, and what each is worth.

The scorer classifies a finished hand as a `HandResult` and looks its points up in
`Ruleset.points`; the `rules` command and the rules page print the same rows. A number that an
option sets is named by that option, any other stands here (RULES.md sections 2, 3, 4 and 8).
Where tricks are bid for, the numbers stand in `bids`, and only their printed rows are made here.
It does not know how a hand came to its result.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from euchre_engine.games import Game
from euchre_engine.option_values import DefendAlone, LoneDefenderScores

if TYPE_CHECKING:
    from collections.abc import Mapping

    from euchre_engine.bids import BidTable
    from euchre_engine.option_kinds import OptionValue
    from euchre_engine.variants import Ruleset

__all__ = ["POINTS", "HandResult", "PointsRow", "points_of", "points_table"]


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


_2, _3, _4, _R = Game.TWO_HANDED, Game.THREE_HANDED, Game.FOUR_HANDED, Game.RAILROAD


def _all(option: str) -> dict[Game, str]:
    return {_3: option, _4: option, _R: option}


# Where two rows of a game fit a hand, the later one counts.
POINTS: tuple[PointsRow, ...] = (
    PointsRow(HandResult.MAKE, {_2: 1}, "the maker takes three tricks", to_maker=True),
    PointsRow(
        HandResult.FOUR_TRICKS,
        {_2: "two_handed_four_tricks"},
        "the maker takes four tricks",
        to_maker=True,
    ),
    PointsRow(HandResult.MARCH, {_2: 2}, "the maker takes all five tricks", to_maker=True),
    PointsRow(
        HandResult.EUCHRE, {_2: 2}, "the maker takes fewer than three tricks", to_maker=False
    ),
    PointsRow(
        HandResult.MAKE,
        {_3: 1, _4: 1, _R: 1},
        "the maker, not alone, takes three or four tricks",
        to_maker=True,
    ),
    PointsRow(
        HandResult.MARCH,
        {_3: 3, _4: 2, _R: 2},
        "the maker, not alone, takes all five tricks",
        to_maker=True,
    ),
    PointsRow(
        HandResult.ALONE_MAKE,
        _all("alone_make_points"),
        "the maker, alone, takes three or four tricks",
        to_maker=True,
    ),
    PointsRow(
        HandResult.ALONE_MARCH,
        _all("alone_march_points"),
        "the maker, alone, takes all five tricks",
        to_maker=True,
    ),
    PointsRow(
        HandResult.EUCHRE,
        {_3: 2, _4: 2, _R: 2},
        "the maker, not alone, takes fewer than three tricks",
        to_maker=False,
    ),
    PointsRow(
        HandResult.DEFENDER_MARCH,
        _all("defender_march_points"),
        "the maker, not alone, takes no trick",
        to_maker=False,
    ),
    PointsRow(
        HandResult.ALONE_EUCHRE,
        _all("alone_euchred_points"),
        "the maker, alone, takes fewer than three tricks",
        to_maker=False,
    ),
    PointsRow(
        HandResult.LONE_DEFENDER_EUCHRE,
        _all("lone_defender_euchre_points"),
        "a defender, alone, takes three or four tricks",
        to_maker=False,
    ),
    PointsRow(
        HandResult.LONE_DEFENDER_MARCH,
        _all("lone_defender_march_points"),
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


def points_table(rules: Ruleset) -> list[tuple[int, str, str]]:
    """Returns the points table of a ruleset for people: points, to whom, and for what."""
    if rules.bids is not None:
        return _team_rows(rules.bids) if rules.has_partners else _napoleon_rows(rules.bids)
    return [
        (rules.points[row.result], _payee(rules, row), row.sentence)
        for row in POINTS
        if rules.game in row.worth and row.result in rules.points
    ]


def _team_rows(bids: BidTable) -> list[tuple[int, str, str]]:
    """Returns what teams get for a hand in which tricks were bid for."""
    plain = [bid for bid in bids.by_number.values() if bid.won is None]
    double = [bid for bid in bids.by_number.values() if bid.won is not None]
    rows = [(1, "each maker", "for each trick, when they take as many as they bid")]
    if len({bid.lost for bid in plain}) == 1:
        rows.append((-plain[0].lost, "each maker", "they take fewer tricks than they bid"))
    else:
        rows += [(-bid.lost, "each maker", f"they bid {bid.name} and take fewer") for bid in plain]
    for bid in double:
        taken = f"bid {bid.number}, {bid.name}: they take all {bid.tricks} tricks"
        rows.append((bid.won or 0, "each maker", taken))
        rows.append((-bid.lost, "each maker", f"{bid.name}: they take fewer"))
    return [*rows, (1, "each opponent", "for each trick that they take")]


def _napoleon_rows(bids: BidTable) -> list[tuple[int, str, str]]:
    """Returns what one opponent pays or is paid for each bid, in ascending rank."""
    rows = []
    free = {number for offered in bids.above.values() for number in offered}
    for bid in bids.by_number.values():
        undertaken = f"takes {bid.tricks} or more" if bid.tricks else "takes no trick"
        forced = "" if bid.number in free else " by a stuck dealer"
        bidden = f"bid {bid.number}, {bid.name}{forced}"
        won = f"{bidden}: he {undertaken}"
        rows.append((bid.won or 0, "the maker from each opponent", won))
        rows.append((bid.lost, "each opponent from the maker", f"{bidden}: he fails"))
    return rows


def _payee(rules: Ruleset, row: PointsRow) -> str:
    if row.to_maker:
        return "each maker" if rules.has_partners else "the maker"
    if (
        row.result in _OF_LONE_DEFENDER
        and rules.lone_defender_scores is LoneDefenderScores.LONE_ONLY
    ):
        return "the lone defender"
    return "the defender" if rules.game is Game.TWO_HANDED else "each defender"
