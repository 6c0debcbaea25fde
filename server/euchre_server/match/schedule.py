"""Owns the order in which a match's tables are played: rounds of legs, made only when needed.

A match runs as one leg per seating, so that no bot process meets a deal twice (DESIGN.md section
7, memory). Boards that the arena itself spoiled are replaced in a further round of legs.
Must not know results beyond how many boards were void, nor who plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from euchre_engine.deal import deal_key, stream_key
from euchre_server.match.boards import lay_out
from euchre_server.referee.spec import TableSpec

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from euchre_server.match.spec import MatchSpec

__all__ = ["RESERVE_ROUNDS", "Leg", "Round", "Schedule"]

RESERVE_ROUNDS: Final = 3
"""How often void boards are replaced before the match ends with fewer."""


@dataclass(frozen=True, slots=True)
class Round:
    """Some boards, to be played in every seating: the match's own, or reserves for void ones."""

    number: int  # from 1
    boards: range
    first_leg: int
    first_table: int


@dataclass(frozen=True, slots=True)
class Leg:
    """One seating of every board of a round."""

    number: int  # from 1, over all rounds
    seating: int  # from 1
    boards: range
    first_table: int


class Schedule:
    """The tables of one match, the same whenever they are asked for."""

    def __init__(self, spec: MatchSpec) -> None:
        self._spec = spec
        self._field = spec.field
        self._players = spec.players
        self._commitment = spec.commitment()
        self._deal_key = deal_key(spec.secret)
        self.seating_count = self._field.seating_count

    @property
    def table_count(self) -> int:
        """Returns how many tables the first round has."""
        return self._spec.boards * self.seating_count

    def first_round(self) -> Round:
        """Returns the round of the match's own boards."""
        return Round(1, range(1, self._spec.boards + 1), first_leg=1, first_table=1)

    def reserve_round(self, previous: Round, void_count: int) -> Round | None:
        """Returns the round that replaces the void boards of the previous one; None at its end."""
        if void_count == 0 or previous.number > RESERVE_ROUNDS:
            return None
        boards = range(previous.boards.stop, previous.boards.stop + void_count)
        return Round(
            number=previous.number + 1,
            boards=boards,
            first_leg=previous.first_leg + self.seating_count,
            first_table=previous.first_table + len(previous.boards) * self.seating_count,
        )

    def legs(self, played: Round) -> Iterator[Leg]:
        """Yields the legs of a round."""
        for place in range(self.seating_count):
            yield Leg(
                number=played.first_leg + place,
                seating=place + 1,
                boards=played.boards,
                first_table=played.first_table + place * len(played.boards),
            )

    def tables(self, leg: Leg, void: Collection[int] = ()) -> Iterator[TableSpec]:
        """Yields the tables of a leg, each made when it is asked for.

        Args:
            leg: The leg.
            void: Boards known to be void, looked at anew for every table: there is no use in
                playing their other seatings. The numbers of other tables stay the same.
        """
        for place, board in enumerate(leg.boards):
            if board not in void:
                yield self._table(leg.first_table + place, board, leg.seating)

    def _table(self, number: int, board: int, seating: int) -> TableSpec:
        spec = self._spec
        layout = lay_out(self._field, spec.secret, board)
        sitting = layout.seatings[seating - 1]
        return TableSpec(
            table_id=stream_key(spec.secret, "table-id", number)[:8].hex(),
            number=number,
            rules=spec.rules,
            bots=tuple(self._players[player] for player in sitting.arrangement),
            mode=spec.mode,
            board=board,
            seating=seating,
            first_dealer=layout.first_dealer,
            deal_key=self._deal_key,
            relabelling=sitting.relabelling.images,
            clock=spec.clock,
            policy=spec.policy,
            commitment=self._commitment,
            bot_seeds=tuple(self._bot_seed(number, seat) for seat in spec.rules.seats),
            join_within_ms=spec.join_within_ms,
            rated=spec.rated,
        )

    def _bot_seed(self, number: int, seat: int) -> int:
        """Returns a seat's seed, 0 to 2^63 - 1."""
        return int.from_bytes(stream_key(self._spec.secret, "bot-seed", number, seat)[:8]) >> 1
