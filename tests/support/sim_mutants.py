"""Bugs planted in the arena, one at a time, for the simulation to find.

Owns the list, and how a bug is planted: a place in one function's text, which must occur there
exactly once, and what stands there instead. The function is made anew in its own module.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MUTANTS", "SimMutant", "planted", "source_of"]

_SERVER, _CLIENT = "euchre_server.", "euchre_arena."


class SimMutant(NamedTuple):
    """One planted bug."""

    bug: str
    place: str
    """Module, colon, function; a module of the server without `euchre_server.`."""
    old: str
    new: str
    families: tuple[str, ...]
    """Who should find it, the likeliest first."""


MUTANTS = (
    SimMutant(
        "the clock starts when a question is asked, not when it is written",
        "referee.turn:Turn._ask",
        "self.tell_decision(at)",
        "(self.tell_decision(at), self.start_clock(at))",
        ("calm", "thinkers"),
    ),
    SimMutant(
        "no stall is taken off",
        "session.driver:Driver._catch_up",
        "self.feed(table, Stalled(end - table.started, stalled_ms))",
        "pass",
        ("stalls",),
    ),
    SimMutant(
        "a stall that the beat has not told yet is not noticed before something is ruled",
        "session.driver:Driver._begin_turn",
        "self._alarms.notice(self._moment)",
        "pass",
        ("stalls", "thinkers"),
    ),
    SimMutant(
        "a stall moves the clock's beginning beyond now",
        "referee.clock:OpenDecision.stalled",
        "min(at, self.since_ms + stalled_ms)",
        "self.since_ms + stalled_ms",
        ("stalls", "thinkers"),
    ),
    SimMutant(
        "a stale answer is taken for the open question",
        "referee.table:_answered",
        "or number != opened.decision_id",
        "",
        ("hostile", "fencing"),
    ),
    SimMutant(
        "an answer to a question that waits unwritten is taken",
        "referee.table:_answered",
        "written -= 1",
        "pass",
        ("hostile", "storm"),
    ),
    SimMutant(
        "an answer acts twice",
        "session.desk:Desk.answered",
        "at = self._driver.now(table)\n",
        "at = self._driver.now(table)\n"
        "    if answer.action is not None:\n"
        "        self._driver.feed(table, Answered(at, place.seat, place.epoch,\n"
        "            answer.decision_id, answer.action, answer.think_ms, answer.annotation))\n",
        ("calm",),
    ),
    SimMutant(
        "the record is flushed every other time",
        "session.books:Books.close_turn",
        "journal.recorder.flush()",
        "journal.recorder.entry_count % 2 and journal.recorder.flush()",
        ("calm",),
    ),
    SimMutant(
        "frames do not wait for the disk under the policy `action`",
        "session.rpc:Listener._kept",
        "await asyncio.wrap_future(recorded)",
        "pass",
        ("power", "calm"),
    ),
    SimMutant(
        "what waits of a table that has just ended is told although the disk is full",
        "session.books:Books.fail",
        "[*self._tables.values(), *self._ended]",
        "[*self._tables.values()]",
        ("full-disk",),
    ),
    SimMutant(
        "another arena gives everybody his bank back",
        "referee.rebuild:_after",
        "bank_ms=fact.bank_left_ms",
        "bank_ms=state.spec.clock.bank_ms",
        ("storm", "library"),
    ),
    SimMutant(
        "another arena forgets the faults counted",
        "referee.rebuild:_after",
        "fault_count=fact.fault_count",
        "fault_count=seat.fault_count",
        ("storm", "library"),
    ),
    SimMutant(
        "another arena lets a table's time begin again",
        "session.driver:Driver.resume_table",
        "started=self._time() - at_ms",
        "started=self._time()",
        ("restarts",),
    ),
    SimMutant(
        "another arena does not cut a torn tail off",
        "record.resume:resume_record",
        "os.ftruncate(descriptor, reading.torn.good_bytes)",
        "pass",
        ("restarts",),
    ),
    SimMutant(
        "another arena does not go on with the running hashes",
        "record.ledger:Ledger.recall",
        "table.chain = link(table.chain, entry.payload)",
        "pass",
        ("restarts",),
    ),
    SimMutant(
        "another arena forgets when a table's last fact was",
        "record.unfinished:_Reading._table_fact",
        "table.at_ms = max(table.at_ms, entry.at_ms)",
        "pass",
        ("restarts",),
    ),
    SimMutant(
        "a write that comes short loses the rest",
        "record.store:_write_all",
        "data = data[os.write(descriptor, data) :]",
        "data = data[os.write(descriptor, data) :] and b''",
        ("restarts", "full-disk"),
    ),
    SimMutant(
        "the open question is not put again to a seat that is back",
        "referee.seats:joined",
        "turn.tell_decision(event.at)",
        "pass",
        ("restarts", "power"),
    ),
    SimMutant(
        "a bot that is back is seated again at all its tables but one",
        "session.server:ArenaServer.admitted",
        "list(self._driver.tables.values())",
        "list(self._driver.tables.values())[1:]",
        ("restarts",),
    ),
    SimMutant(
        "a second instance does not fence the first",
        "session.server:ArenaServer.admitted",
        'before.end(GoodbyeReason.FENCED, "another session of this bot took over")',
        "pass",
        ("fencing",),
    ),
    SimMutant(
        "who is fenced is booked as lost",
        "session.desk:Desk.fence",
        "self.line.places.clear()",
        "pass",
        ("fencing",),
    ),
    SimMutant(
        "a lost session's seats are not told",
        "session.desk:Desk.unseat",
        "for place in list(self.line.places.values()):",
        "for place in list(self.line.places.values()) if left else ():",
        ("lossy",),
    ),
    SimMutant(
        "no clock runs for a seat whose session is lost",
        "referee.turn:Turn._ask",
        "self.start_clock(at)",
        "pass",
        ("lossy",),
    ),
    SimMutant(
        "nobody plays for a bot that has died",
        "referee.seats:go_on_without",
        "turn.time_out(at)",
        "pass",
        ("goers",),
    ),
    SimMutant(
        "the default action earns the increment",
        "referee.turn:Turn.play",
        "if actor is Actor.BOT:",
        "if True:",
        ("thinkers", "storm"),
    ),
    SimMutant(
        "a time-out is stamped with the moment at which it is noticed",
        "referee.table:_rule_what_is_due",
        "turn.time_out(due)",
        "turn.time_out(at)",
        ("thinkers", "stalls"),
    ),
    SimMutant(
        "an answer at the deadline is in time",
        "referee.table:_rule_what_is_due",
        "due <= at",
        "due < at",
        ("thinkers", "lossy"),
    ),
    SimMutant(
        "grace is the whole round trip, however long",
        "referee.table:_written",
        "min(event.rtt_ms or 0, turn.spec.clock.grace_ms)",
        "event.rtt_ms or 0",
        ("calm", "lossy"),
    ),
    SimMutant(
        "a stale answer counts as a fault",
        "referee.turn:Turn.fault",
        "(kind in COUNTED)",
        "1",
        ("hostile",),
    ),
    SimMutant(
        "an alarm that was put off is forgotten",
        "session.alarms:Alarms._comes_up",
        "self._push(sleeper, sleeper.wake_at)",
        "pass",
        ("thinkers", "lossy"),
    ),
    SimMutant(
        "a question that waits is never let out",
        "session.outbox:Outbox.settled",
        "self._add(self._waiting.pop(first))",
        "self._waiting.pop(first)",
        ("calm",),
    ),
    SimMutant(
        "a bot is asked more at once than it wants",
        "session.outbox:Outbox.ask",
        "len(self._open) < self.max_open_decisions",
        "len(self._open) <= self.max_open_decisions",
        ("calm",),
    ),
    SimMutant(
        "a bot is not told that the clock has played for it",
        "referee.turn:Turn.play_default",
        "self.tell(",
        "(lambda *_: None)(",
        ("thinkers",),
    ),
    SimMutant(
        "a bot is not told that its answer was refused",
        "session.driver:Driver._carry_out",
        "line.outbox.put(rejected, table.told.table_id)",
        "pass",
        ("hostile",),
    ),
    SimMutant(
        "a bot is not told that its table is over",
        "referee.turn:Turn.end",
        "self.tell(seat, Closed(ending))",
        "pass",
        ("calm",),
    ),
    SimMutant(
        "an arena that is drained deals another hand",
        "referee.turn:Turn._finish_hand",
        "elif self.draining:",
        "elif False:",
        ("drains",),
    ),
    SimMutant(
        "a table whose step has crashed is left as it is",
        "session.driver:Driver._give_up",
        "self._carry_out(table, outputs)",
        "pass",
        ("crashes",),
    ),
    SimMutant(
        "the client does not send an answer again that was lost with the connection",
        "euchre_arena.session:Session._decision",
        "self._write(asked, sent[-1], None)",
        "pass",
        ("restarts",),
    ),
    SimMutant(
        "a seat is shown its neighbour's view",
        "referee.turn:Turn.tell_decision",
        "view_for(hand, opened.seat)",
        "view_for(hand, Seat((opened.seat + 1) % hand.rules.seat_count))",
        ("calm",),
    ),
)


def _owner(place: str) -> tuple[Any, str, Any]:
    """Returns what holds a function, its name there, and the function."""
    module_name, _, path = place.partition(":")
    is_whole = module_name.startswith(_CLIENT)
    owner: Any = import_module(module_name if is_whole else _SERVER + module_name)
    *parents, name = path.split(".")
    for parent in parents:
        owner = getattr(owner, parent)
    function = vars(owner)[name]
    return owner, name, inspect.unwrap(function)


def source_of(place: str) -> str:
    """Returns a function's text, as it stands at the left margin."""
    return textwrap.dedent(inspect.getsource(_owner(place)[2]))


@contextmanager
def planted(mutant: SimMutant) -> Iterator[None]:
    """Puts a bug in its place for a while, wherever its function is known by name."""
    owner, name, function = _owner(mutant.place)
    real = vars(owner)[name]
    text = source_of(mutant.place).replace(mutant.old, mutant.new)
    made: dict[str, Any] = {}
    exec(compile(text, f"<{mutant.bug}>", "exec", flags=0), function.__globals__, made)  # noqa: S102
    holders = [owner]
    if inspect.ismodule(owner):
        holders = [
            module
            for key, module in list(sys.modules.items())
            if key.startswith((_SERVER, _CLIENT, "sim_")) and getattr(module, name, None) is real
        ]
    for holder in holders:
        setattr(holder, name, made[name])
    try:
        yield
    finally:
        for holder in holders:
            setattr(holder, name, real)
