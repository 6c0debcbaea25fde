"""Drives tables: stamps an input, steps the referee, carries out the outputs in order.

That is all it decides. Nothing here waits: readers and timers call in, messages gather in outboxes.
What happens between `turn`'s beginning and end is one turn of the loop: its facts are recorded
(`books`) before any writer is told that there is something to send. Time stands still within a
turn: all answers of one frame have arrived at the same moment, however long they take.
One table's crash ends that table only. Must not know gRPC, tasks or how bots are let in.
"""

import asyncio
from collections.abc import Iterable

from structlog.typing import FilteringBoundLogger

from euchre_engine import Seat
from euchre_server.record.entries import TableOpened
from euchre_server.referee import TableState, opening, result_of, step
from euchre_server.referee.facts import Acted, Actor, EndCause, Faulted, FaultKind
from euchre_server.referee.inputs import (
    ArenaFault,
    Drain,
    Input,
    Opened,
    Resumed,
    SeatDied,
    Stalled,
    Stopped,
    TimeCame,
)
from euchre_server.referee.outputs import (
    Adjourned,
    Ask,
    Booked,
    Ended,
    Message,
    Output,
    Reject,
    Send,
    Wake,
)
from euchre_server.referee.spec import TableSpec
from euchre_server.session import wire
from euchre_server.session.alarms import Alarms
from euchre_server.session.books import Books
from euchre_server.session.counts import Counts, reject_class
from euchre_server.session.recorder import Journal, RecorderFailed
from euchre_server.session.roster import Line
from euchre_server.session.stalls import Stalls
from euchre_server.session.tables import Table
from euchre_server.session.timing import Clock
from euchre_server.session.turns import Turn

__all__ = ["Driver"]

_NOTED_STALL_MS, _LONG_STALL_MS = 100, 1_000
"""Shorter ones are usual on a shared machine; they are recorded and charged to nobody."""


class Driver:
    """Referees any number of tables."""

    def __init__(self, *, clock: Clock, log: FilteringBoundLogger) -> None:
        self.tables: dict[str, Table] = {}
        self.counts = Counts()
        self.clock = clock
        self._log = log
        self._alarms: Alarms[Table] = Alarms(
            clock, on_due=self._due, on_beat=self._beat, lag=self.counts.lag
        )
        self._turn = Turn(self._begin_turn, self._end_turn)
        self._moment = 0  # when this turn began
        self._stalls = Stalls()
        self._dirty: dict[Line, None] = {}  # a set that keeps its order
        self._books = Books(
            self.tables,
            counts=self.counts,
            log=log,
            now=self.now,
            let_go=self._let_go,
            say=self.say,
            stir=self._stir,
        )

    def start(self) -> None:
        """Begins to keep time."""
        self._alarms.start()

    def stop(self) -> None:
        """Stops keeping time."""
        self._alarms.stop()

    def turn(self) -> Turn:
        """Makes all that happens within it one turn: recorded, flushed, then told."""
        return self._turn

    def _begin_turn(self) -> None:
        self._moment = self.clock.now()
        # Before anything is ruled: what was late for the arena was not late for a bot.
        self._alarms.notice(self._moment)

    def _end_turn(self) -> None:
        self._books.close_turn()
        dirty, self._dirty = self._dirty, {}
        for line in dirty:
            line.outbox.notify()

    def say(self, line: Line, message: bytes) -> None:
        """Sends a message that is no table's at the end of the turn."""
        line.outbox.put(message)
        self._stir(line)

    def _stir(self, line: Line) -> None:
        self._dirty[line] = None

    def fail(self, journal: Journal, error: Exception) -> None:
        """Gives up a journal's tables: what cannot be recorded must not be played, nor told."""
        self._books.fail(journal, error)

    # Tables

    def open_table(self, spec: TableSpec, journal: Journal, keys: tuple[str, ...]) -> Table:
        """Begins to referee a table; its seats are still to join.

        Args:
            spec: The table.
            journal: Keeps its facts.
            keys: Under what the arena knows its bots, by seat.
        """
        table = self._table(opening(spec), journal, keys, started=self._time())
        if self._admit(table):
            self.counts.tables += 1
            table.log.info("table opened", number=spec.number, bots=spec.bots)
            with self.turn():
                self._books.record(table, 0, TableOpened.of(spec))
                self.feed(table, Opened(0))
        return table

    def resume_table(
        self, state: TableState, at_ms: int, journal: Journal, keys: tuple[str, ...]
    ) -> Table:
        """Goes on with a table of an arena that was killed; its seats are to join again.

        Args:
            state: The table, rebuilt from its facts.
            at_ms: Where its time goes on.
            journal: Keeps its facts.
            keys: Under what the arena knows its bots, by seat.
        """
        table = self._table(state, journal, keys, started=self._time() - at_ms)
        if self._admit(table):
            table.log.info("table resumed", number=state.spec.number, at_ms=at_ms)
            with self.turn():
                self.feed(table, Resumed(at_ms))
        return table

    def _table(
        self, state: TableState, journal: Journal, keys: tuple[str, ...], started: int
    ) -> Table:
        log = self._log.bind(match=journal.match_id) if journal.match_id else self._log
        return Table(
            spec=state.spec,
            told=journal.told(state.spec),
            state=state,
            started=started,
            journal=journal,
            keys=keys,
            result=asyncio.get_running_loop().create_future(),
            log=log.bind(table=state.spec.table_id),
            lines=[None for _ in state.seats],
            epochs=[seat.session for seat in state.seats],
            stalls_seen=self._stalls.count,
        )

    def _admit(self, table: Table) -> bool:
        """Returns whether a table can be played; else it has failed already."""
        if table.journal.failure is not None:
            table.result.set_exception(RecorderFailed(str(table.journal.failure)))
            return False
        self.tables[table.told.table_id] = table
        return True

    def stop_tables(self, tables: Iterable[Table], cause: EndCause) -> None:
        """Ends tables at once, without a result."""
        with self.turn():
            for table in list(tables):
                at = self.now(table)
                event: Input = (
                    Stopped(at) if cause is EndCause.STOPPED else ArenaFault(at, "stopped")
                )
                self.feed(table, event)

    def drain(self, tables: Iterable[Table]) -> None:
        """Lets tables finish the hand in play and then rest, for another arena to go on with."""
        with self.turn():
            for table in list(tables):
                self.feed(table, Drain(self.now(table)))

    def abandon(self, tables: Iterable[Table]) -> None:
        """Lets tables rest as they stand; nothing is told or recorded of that."""
        with self.turn():
            for table in list(tables):
                self._books.forget(table)
                table.result.cancel()

    def died(self, table: Table, seat: Seat, kind: FaultKind, text: str) -> None:
        """Takes note that nobody will come back to a seat."""
        with self.turn():
            self.feed(table, SeatDied(self.now(table), seat, kind, text))

    # Time

    @property
    def is_lagging(self) -> bool:
        """Returns whether the loop has been late of late: no new tables should be opened."""
        return self._alarms.is_lagging

    def _time(self) -> int:
        return self._moment if self._turn.depth else self.clock.now()

    def now(self, table: Table) -> int:
        """Returns the table's own time: that of this turn, if there is one."""
        return self._time() - table.started

    def _due(self, tables: list[Table]) -> None:
        with self.turn():
            for table in tables:
                self.feed(table, TimeCame(self.now(table)))

    def _beat(self, lag_ms: int) -> None:
        if not lag_ms or not self.tables:
            return
        self.counts.stalls += 1
        log = self._log.debug
        if lag_ms >= _NOTED_STALL_MS:
            log = self._log.warning if lag_ms >= _LONG_STALL_MS else self._log.info
        log("arena stalled", ms=lag_ms, tables=len(self.tables))
        self._stalls.add(self._time(), lag_ms)
        if self._stalls.is_long:
            with self.turn():
                for table in list(self.tables.values()):
                    self._catch_up(table)
            self._stalls.forget()

    def _catch_up(self, table: Table) -> None:
        """Tells a table how the arena stood still since something last happened there."""
        missed = self._stalls.since(table.stalls_seen)
        table.stalls_seen = self._stalls.count
        for end, stalled_ms in missed:
            self.feed(table, Stalled(end - table.started, stalled_ms))

    # Steps

    def feed(self, table: Table, event: Input) -> None:
        """Steps the referee of a table, and carries out what follows."""
        if table.result.done():
            return
        if table.stalls_seen != self._stalls.count:
            self._catch_up(table)
        self.counts.steps += 1
        self._books.step_begins(table)
        try:
            table.state, outputs = step(table.state, event)
            self._carry_out(table, outputs)
        except Exception:
            self.counts.crashes += 1
            table.log.exception("table crashed", input=type(event).__name__)
            self._give_up(table)

    def _carry_out(self, table: Table, outputs: list[Output]) -> None:
        for output in outputs:
            match output:
                case Send():
                    self._send(table, output.seat, output.message)
                case Booked():
                    fact = output.fact
                    self._books.record(table, output.at, fact)
                    if isinstance(fact, Acted):
                        self._count_decision(table, output.at, fact)
                        self._settled(table, fact.seat)
                    elif isinstance(fact, Faulted):
                        self._count_fault(table, fact)
                case Wake():
                    self._alarms.wake(table, table.started + output.at)
                case Reject():
                    self.counts.rejects[reject_class(output.reason)] += 1
                    line = table.lines[output.seat]
                    if line is not None:
                        rejected = wire.rejected(table.told.table_id, output)
                        line.outbox.put(rejected, table.told.table_id)
                        self.told(line, table)
                case Ended() | Adjourned():
                    self._let_go(table)

    def _send(self, table: Table, seat: Seat, message: Message) -> None:
        line = table.lines[seat]
        if line is None:
            return
        data = (line.lean or wire).seat_message(table.told, seat, message)
        table_id = table.told.table_id
        if not isinstance(message, Ask):
            line.outbox.put(data, table_id)
        elif not line.outbox.ask(data, table_id, message.decision_id):
            table.answered_at = None  # it waits for its bot, not for the arena
        self.told(line, table)

    def told(self, line: Line, table: Table) -> None:
        """Takes note that something about a table waits for a line."""
        tables = line.journals.get(table.journal)
        if tables is None:
            tables = line.journals[table.journal] = set()
        tables.add(table.told.table_id)
        self._dirty[line] = None

    def _settled(self, table: Table, seat: Seat) -> None:
        line = table.lines[seat]
        if line is not None:
            line.outbox.settled(table.told.table_id)
            self._dirty[line] = None

    def _count_decision(self, table: Table, at: int, fact: Acted) -> None:
        counts = self.counts
        counts.decisions += 1
        counts.charged.add(fact.charged_ms)
        if fact.actor is Actor.BOT:
            table.answered_at = at
        else:
            counts.played_by_clock += 1

    def _count_fault(self, table: Table, fact: Faulted) -> None:
        self.counts.faults[fact.kind] += 1
        # Not the reason: that a seat must follow tells what it holds. It is in the record.
        table.log.info(
            "fault",
            seat=fact.seat,
            bot=table.spec.bots[fact.seat],
            kind=fact.kind.name.lower(),
            counted=fact.fault_count,
        )

    def _let_go(self, table: Table) -> None:
        """Frees all that an ended table holds, and hands out its result."""
        table.wake_at = None
        self.tables.pop(table.told.table_id, None)
        self._books.table_ends(table)
        for seat in table.spec.rules.seats:
            self._settled(table, seat)
            line = table.lines[seat]
            if line is not None:
                line.let_go(table.told.table_id)
        if table.result.done():
            return
        result = result_of(table.state)
        if result is None:
            table.result.cancel()
            table.log.info("table rests")
        else:
            table.result.set_result(result)
            table.log.info(
                "table ended",
                cause=result.cause.name.lower(),
                blame=result.blame.name.lower(),
                blamed_seat=result.blamed_seat,
                scores=result.scores,
            )

    def _give_up(self, table: Table) -> None:
        """Ends a table that crashed: the arena failed, nobody else."""
        try:
            if table.state.ending is None:
                fault = ArenaFault(self.now(table), "crashed")
                table.state, outputs = step(table.state, fault)
                self._carry_out(table, outputs)
            else:
                self._let_go(table)
        except Exception as error:
            table.log.exception("table could not be ended")
            self.tables.pop(table.told.table_id, None)
            if not table.result.done():
                table.result.set_exception(error)
