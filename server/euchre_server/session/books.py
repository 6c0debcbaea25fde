"""Owns what is recorded in a turn, and what becomes of tables of which nothing can be recorded.

What the turns' facts say reaches the recorders before any writer is told that there is something to
send. A recorder that fails ends the tables that it keeps: nothing may be told that is not recorded,
so all that their bots are told is that the arena failed.
Must not know inputs, nor what follows from them (`driver`).
"""

import time
from collections.abc import Callable
from contextlib import suppress

from structlog.typing import FilteringBoundLogger

from euchre_server.record.entries import RecordEnds, RecordFact
from euchre_server.referee import TableState, step
from euchre_server.referee.facts import Fact
from euchre_server.referee.inputs import ArenaFault
from euchre_server.referee.outputs import Booked, Send
from euchre_server.session import wire
from euchre_server.session.counts import Counts
from euchre_server.session.recorder import Journal, RecorderFailed
from euchre_server.session.roster import Line
from euchre_server.session.tables import Table

__all__ = ["Books"]


class Books:
    """Keeps the facts of any number of tables, in the journals that are theirs."""

    def __init__(
        self,
        tables: dict[str, Table],
        *,
        counts: Counts,
        log: FilteringBoundLogger,
        now: Callable[[Table], int],
        let_go: Callable[[Table], None],
        say: Callable[[Line, bytes], None],
        stir: Callable[[Line], None],
    ) -> None:
        """Opens the books.

        Args:
            tables: Those that are played, by the id that bots know.
            counts: How long flushes take goes there.
            log: Where it is told that a journal keeps nothing any more.
            now: Gives a table's own time.
            let_go: Frees an ended table and hands out its result.
            say: Sends a message, under no table's id: it waits for no disk.
            stir: Has what waits for a line looked at when the turn ends.
        """
        self._tables = tables
        self._counts = counts
        self._log = log
        self._now = now
        self._let_go = let_go
        self._say = say
        self._stir = stir
        self._unflushed: dict[Journal, None] = {}  # a set that keeps its order
        self._before: dict[Table, TableState] = {}
        """How tables stood when this turn began: what is recorded of them for certain."""
        self._ended: list[Table] = []  # in this turn

    def step_begins(self, table: Table) -> None:
        """Takes note of how a table stood when the turn began."""
        self._before.setdefault(table, table.state)

    def table_ends(self, table: Table) -> None:
        """Takes note that a table has ended in this turn."""
        self._ended.append(table)

    def record(self, table: Table, at: int, fact: RecordFact) -> None:
        """Hands a fact of a table to its recorder."""
        journal = table.journal
        if journal.failure is None:
            try:
                journal.recorder.append(table.spec.number, at, fact)
            except Exception as error:  # noqa: BLE001  # whatever it is, no more is kept
                self.fail(journal, error)
            else:
                self._unflushed[journal] = None

    def close_turn(self) -> None:
        """Flushes what was recorded in the turn."""
        unflushed, self._unflushed = self._unflushed, {}
        began = time.perf_counter_ns() if unflushed else 0
        for journal in unflushed:
            if journal.failure is None:
                try:
                    journal.recorder.flush()
                except RecordEnds as error:
                    self._end_record(journal, error)
                except Exception as error:  # noqa: BLE001  # whatever it is, no more is kept
                    self.fail(journal, error)
        if began:
            self._counts.flush.add((time.perf_counter_ns() - began) // 1_000)
        self._ended.clear()
        self._before.clear()

    def fail(self, journal: Journal, error: Exception) -> None:
        """Gives up a journal's tables: what cannot be recorded must not be played, nor told.

        That the arena failed is all that is told of them.
        """
        if journal.failure is not None:
            return
        self._gives_up(journal, error)
        # Those that have just ended, too: of their end nothing is recorded yet.
        for table in [*self._tables.values(), *self._ended]:
            if table.journal is journal:
                lines = table.lines
                self.forget(table)
                self._close(table, self._before.get(table, table.state), lines, error)

    def forget(self, table: Table) -> None:
        """Takes a table away, with all that was about to be told of it."""
        table_id = table.told.table_id
        table.wake_at = None
        self._tables.pop(table_id, None)
        for line in table.lines:
            if line is not None:
                line.let_go(table_id)
                line.outbox.drop(table_id)
                self._stir(line)
        table.lines = [None for _ in table.lines]

    def _end_record(self, journal: Journal, error: RecordEnds) -> None:
        """Ends a journal's tables while that can still be recorded."""
        for table in [*self._tables.values()]:
            if table.journal is journal:
                for number, at, fact in self._close(table, table.state, table.lines, error):
                    with suppress(Exception):  # told all the same
                        journal.recorder.append(number, at, fact)
                self._let_go(table)
        with suppress(Exception):
            journal.recorder.flush()
        self._gives_up(journal, error)

    def _gives_up(self, journal: Journal, error: Exception) -> None:
        journal.failure = error
        # No louder: whoever opened the tables is told by their futures, and tells it on.
        self._log.info("record cannot be written", match=journal.match_id or None, error=str(error))

    def _close(
        self, table: Table, state: TableState, lines: list[Line | None], error: Exception
    ) -> list[tuple[int, int, Fact]]:
        """Tells a table's bots that the arena failed; returns what is to be recorded of that.

        Args:
            table: The table.
            state: How it stands, as far as that is recorded.
            lines: Its bots.
            error: Why nothing is kept any more.
        """
        if not table.result.done():
            table.result.set_exception(RecorderFailed(str(error)))
        table.state, outputs = step(state, ArenaFault(self._now(table), "not recorded"))
        facts: list[tuple[int, int, Fact]] = []
        for output in outputs:
            match output:
                case Booked(_, at, fact):
                    facts.append((table.spec.number, at, fact))
                case Send(seat, _, message):
                    line = lines[seat]
                    if line is not None:
                        self._say(line, (line.lean or wire).seat_message(table.told, seat, message))
                case _:
                    pass
        return facts
