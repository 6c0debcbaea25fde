"""Owns how one board is laid out: who sits where in each seating, relabellings, the first dealer.

A board is one deal played in a balanced set of seatings (DESIGN.md section 7). Everything here is
a function of the match secret and the board's number (docs/boards.md).
Must not know tables, clocks, results or how a board is played.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import permutations
from math import factorial
from typing import TYPE_CHECKING, Final, assert_never

from euchre_engine.cards import Seat
from euchre_engine.deal import derived_stream
from euchre_engine.relabel import relabellings

if TYPE_CHECKING:
    from euchre_engine.deal import Stream
    from euchre_engine.relabel import Relabelling
    from euchre_engine.variants import Ruleset

__all__ = ["Board", "Field", "Seating", "SeatingScheme", "lay_out"]

Arrangement = tuple[int, ...]
"""The player, counted from 0, that sits in each seat."""

_MOST_SEATINGS: Final = 24


class SeatingScheme(StrEnum):
    """Which seatings a board is played in."""

    ROTATIONS = "rotations"
    SWAP = "swap"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The players of a match: each of its bots once, or, where two are partners, twice.

    Player *p* is bot *p* modulo the number of bots, so that partners are half the table apart.
    """

    bots: int
    rules: Ruleset
    scheme: SeatingScheme

    def __post_init__(self) -> None:
        seats = self.rules.seat_count
        if self.rules.has_partners and self.bots not in {2, seats}:
            raise ValueError(
                f"{self.rules.game} play takes 2 bots (each plays both partners) or {seats}, "
                f"not {self.bots}"
            )
        if not self.rules.has_partners and self.bots != seats:
            raise ValueError(f"{self.rules.game} play takes {seats} bots, not {self.bots}")
        if self.scheme is SeatingScheme.ALL and factorial(seats) > _MOST_SEATINGS:
            raise ValueError(
                f"a board of {seats} players has {factorial(seats)} seatings, too many to play "
                "them all; choose rotations or swap"
            )

    @property
    def players(self) -> int:
        """Returns the number of players, one a seat."""
        return self.rules.seat_count

    @property
    def seating_count(self) -> int:
        """Returns the number of seatings of each board."""
        match self.scheme:
            case SeatingScheme.ROTATIONS:
                return self.bots
            case SeatingScheme.SWAP:
                return 2
            case SeatingScheme.ALL:
                return len(_distinct(_arrangements(self.players, self._partners), self.bots))
            case _:
                assert_never(self.scheme)

    def draw_seatings(self, stream: Stream) -> tuple[Arrangement, ...]:
        """Returns one board's seatings, drawn from its stream."""
        possible = _arrangements(self.players, self._partners)
        match self.scheme:
            case SeatingScheme.ROTATIONS:
                # The first player's chair and the order around the table are both drawn, so that
                # neighbours balance and a leg does not tie a bot to a chair.
                order = stream.choice(possible)
                turns = (order[turn:] + order[:turn] for turn in range(self.players))
                return _distinct(tuple(turns), self.bots)
            case SeatingScheme.SWAP:
                first = stream.choice(possible)
                return first, tuple(self._swapped(player) for player in first)
            case SeatingScheme.ALL:
                return _distinct(stream.shuffled(possible), self.bots)
            case _:
                assert_never(self.scheme)

    @property
    def _partners(self) -> bool:
        return self.rules.has_partners

    def _swapped(self, player: int) -> int:
        """Returns who sits in a player's chair when the first two bots change theirs."""
        bot = player % self.bots
        return player - bot + {0: 1, 1: 0}.get(bot, bot)


@dataclass(frozen=True, slots=True)
class Seating:
    """One way in which a board is played."""

    number: int  # from 1
    arrangement: Arrangement
    relabelling: Relabelling


@dataclass(frozen=True, slots=True)
class Board:
    """One board, laid out."""

    number: int
    first_dealer: Seat
    seatings: tuple[Seating, ...]


def lay_out(field: Field, secret: bytes, board: int) -> Board:
    """Returns a board with all of its seatings.

    The relabellings of its seatings differ as long as the rules permit enough of them.
    """
    seatings = field.draw_seatings(derived_stream(secret, "seating", board))
    labels = derived_stream(secret, "relabelling", board).shuffled(relabellings(field.rules))
    return Board(
        number=board,
        first_dealer=_first_dealer(field.rules, secret, board),
        seatings=tuple(
            Seating(place + 1, arrangement, labels[place % len(labels)])
            for place, arrangement in enumerate(seatings)
        ),
    )


def _first_dealer(rules: Ruleset, secret: bytes, board: int) -> Seat:
    if rules.first_dealer is not None:
        return rules.first_dealer
    return Seat(derived_stream(secret, "first-dealer", board).below(rules.seat_count))


@lru_cache(maxsize=16)
def _arrangements(players: int, partners: bool) -> tuple[Arrangement, ...]:  # noqa: FBT001  # cached
    """Returns every order of the players that keeps partners opposite each other."""
    half = players // 2
    return tuple(
        order
        for order in permutations(range(players))
        if not partners
        or all((order[seat] - order[seat + half]) % players == half for seat in range(half))
    )


def _distinct(arrangements: tuple[Arrangement, ...], bots: int) -> tuple[Arrangement, ...]:
    """Returns those that differ in where the bots sit: two players of a bot are the same."""
    kept: dict[tuple[int, ...], Arrangement] = {}
    for order in arrangements:
        kept.setdefault(tuple(player % bots for player in order), order)
    return tuple(kept.values())
