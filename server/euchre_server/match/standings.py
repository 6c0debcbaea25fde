"""Owns the two tables that a match ends with: what each bot made, and each pair compared.

Must not know how either is printed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from euchre_server.match.statistics import Estimate, estimate_mean, estimate_ratio
from euchre_server.referee.spec import TableMode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from euchre_server.match.spec import MatchSpec
    from euchre_server.match.tally import BoardCount, Tally
    from euchre_server.referee.facts import FaultKind

__all__ = ["Comparison", "Standing", "comparisons", "standings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What one bot made of every table that counts."""

    bot: str
    hands: int
    points: int
    per_hand: Estimate | None  # None without a hand; the interval is this bot's alone
    wins: int
    tables: int
    faults: Mapping[FaultKind, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Bot a less bot b, in points over all seatings of a board."""

    a: str
    b: str
    per_board: Estimate | None  # None without a complete board
    boards: int


def standings(spec: MatchSpec, tally: Tally) -> list[Standing]:
    """Returns the bots, the best first; those level stand in the order in which they were named.

    At boards the best has most points a hand, in games most games won.
    """
    boards = list(tally.boards())
    rows = [_standing(spec, boards, bot) for bot in range(len(spec.bots))]
    by_wins = spec.mode is TableMode.GAME
    return sorted(
        rows,
        key=lambda row: (row.wins if by_wins else 0, row.per_hand.value if row.per_hand else 0),
        reverse=True,
    )


def comparisons(spec: MatchSpec, tally: Tally) -> list[Comparison]:
    """Returns every pair of bots, compared over the complete boards.

    The intervals hold for all pairs together.
    """
    points = [board.points for board in tally.complete_boards()]
    pairs = list(combinations(range(len(spec.bots)), 2))
    least, most = _score_bounds(spec)
    reach = (most - least) * spec.field.seating_count
    return [
        Comparison(
            a=spec.bots[a],
            b=spec.bots[b],
            per_board=estimate_mean(
                [board[a] - board[b] for board in points],
                bounds=(-reach, reach),
                simultaneous=len(pairs),
            ),
            boards=len(points),
        )
        for a, b in pairs
    ]


def _standing(spec: MatchSpec, boards: Sequence[BoardCount], bot: int) -> Standing:
    tables = [table for board in boards for table in board.tables]
    points = [board.points[bot] for board in boards]
    hands = [board.hands for board in boards]
    return Standing(
        bot=spec.bots[bot],
        hands=sum(hands),
        points=sum(points),
        per_hand=estimate_ratio(points, hands, bounds=_hand_bounds(spec)) if any(hands) else None,
        wins=sum(table.won[bot] for table in tables),
        tables=len(tables),
        faults=sum((Counter(table.faults[bot]) for table in tables), Counter()),
    )


def _hand_bounds(spec: MatchSpec) -> tuple[int, int]:
    """Returns the fewest and most points that one hand can give a seat."""
    rules = spec.rules
    return rules.smallest_hand_result, rules.largest_hand_result


def _score_bounds(spec: MatchSpec) -> tuple[int, int]:
    """Returns the least and greatest score of a table.

    A game can go beyond this one only in a series of ties at the top; `estimate_mean` widens its
    bounds to whatever was seen.
    """
    least, most = _hand_bounds(spec)
    match spec.mode:
        case TableMode.BOARD:
            return least, most
        case TableMode.GAME:
            return least * spec.rules.max_hands, spec.rules.target - 1 + most
