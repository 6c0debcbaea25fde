"""Owns the check that the tables of a record are those that its specification calls for.

Must not know what happened at a table beyond its result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_server.match.schedule import Schedule
from euchre_server.match.tally import Tally
from euchre_server.record.entries import TableOpened
from euchre_server.record.verdict import Disagreement
from euchre_server.referee.spec import TableSpec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from euchre_server.match.spec import MatchSpec

__all__ = ["ScheduleCheck"]

_FIELDS = tuple(name for name in TableOpened.__slots__ if name not in {"rules", "options"})


class ScheduleCheck:
    """Lays the match out again and compares each table that opens."""

    def __init__(self, spec: MatchSpec, commitment: bytes, *, knows_secret: bool) -> None:
        self.spec = spec
        self.knows_secret = knows_secret
        self.tally = Tally(spec)
        self._commitment = commitment
        self._last = 0
        self._due = self._tables()

    def table(self, number: int, opened: TableOpened) -> TableSpec:
        """Returns the table that opened under this number, with its deal key if that is known.

        Raises:
            Disagreement: The specification has no such table there, or it is not as it must be.
        """
        if number <= self._last:
            raise Disagreement(f"table {number} opened after table {self._last}")
        self._last = number
        if opened.rules != self.spec.rules:
            raise Disagreement("rules are not those of the specification")
        if not self.knows_secret:
            return self._as_recorded(number, opened)
        due = self._next_due(number)
        if due is None:
            raise Disagreement(f"the schedule has no table {number}")
        if due.number != number:
            raise Disagreement(f"table {number} opened where table {due.number} was due")
        must_be = TableOpened.of(due)
        for name in _FIELDS:
            if getattr(opened, name) != getattr(must_be, name):
                raise Disagreement(f"{name} of table {number} is not what the schedule has")
        return due

    def check_end(self, *, complete: bool) -> None:
        """Checks that a match said to be complete left no table out.

        Raises:
            Disagreement: It did.
        """
        if complete and self.knows_secret:
            left = self._next_due()
            if left is not None:
                raise Disagreement(f"the match is sealed as complete without table {left.number}")

    def _next_due(self, number: int | None = None) -> TableSpec | None:
        """Returns the next table that may not be left out: that of the number, or not void."""
        return next(
            (
                spec
                for spec in self._due
                if spec.number == number or spec.board not in self.tally.void
            ),
            None,
        )

    def _tables(self) -> Iterator[TableSpec]:
        """Yields all tables in order, with those that may be left out: their board is void."""
        schedule, void = Schedule(self.spec), self.tally.void
        played = schedule.first_round()
        while True:
            for leg in schedule.legs(played):
                yield from schedule.tables(leg)
            count = sum(board in void for board in played.boards)
            reserve = schedule.reserve_round(played, count)
            if reserve is None:
                return
            played = reserve

    def _as_recorded(self, number: int, opened: TableOpened) -> TableSpec:
        try:
            return TableSpec(
                table_id=opened.table_id,
                number=number,
                rules=opened.rules,
                bots=opened.bots,
                mode=opened.mode,
                board=opened.board,
                seating=opened.seating,
                first_dealer=opened.first_dealer,
                deal_key=b"",
                relabelling=opened.relabelling,
                clock=opened.clock,
                policy=opened.policy,
                commitment=self._commitment,
                bot_seeds=opened.bot_seeds,
                join_within_ms=opened.join_within_ms,
                rated=self.spec.rated,
            )
        except ValueError as error:
            raise Disagreement(str(error)) from None
