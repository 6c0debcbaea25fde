"""Whether what the referee is fed has happened, and whether it leads to what it must.

Owns the checks at the referee's door: an input is something that happened, at the time at which it
happened; it leads to what `sim_judge` says; nobody is charged more than the time between frames.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim_brief import brief
from sim_judge import Judge
from sim_world import MS, Process

from euchre_engine import UnreadableAction, unflatten
from euchre_server.referee import facts, inputs
from euchre_server.referee.outputs import Booked, Reject
from euchre_server.session.alarms import BEAT_MS, LAG_MS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim_scene import Scene, SessionTruth, TableTruth

    from euchre_arena.v1 import arena_service_pb2 as pb
    from euchre_engine import Action
    from euchre_server.referee import TableState

    Timed = tuple[int, facts.Fact]
    Step = Callable[[TableState, inputs.Input], tuple[TableState, list[Any]]]

__all__ = ["CrashError", "InputCheck"]

LONG_MS = BEAT_MS + LAG_MS + 1
"""A stall longer than a beat and its tolerance together cannot be missed."""
_TOLD_LATE_MS = 70


class CrashError(Exception):
    """A bug of the arena, as it were."""


class InputCheck:
    """Watches the referee of all arenas of a match."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._random = scene.world.random("crashes")

    def watch(self, real: Step) -> Step:
        """Returns the referee's `step`, watched."""

        def step(state: TableState, event: inputs.Input) -> tuple[TableState, list[Any]]:
            process = Process.here()
            if process is None or process.is_dead:
                return real(state, event)
            table = self._table(state, event, process)
            if state.ending is None:
                self._check_input(table, event, process)
            if self._crashes(event):
                self.scene.crashed.add(state.spec.table_id)
                self.scene.world.fault("crash")
                raise CrashError
            after, outputs = real(state, event)
            booked = [(o.at, o.fact) for o in outputs if isinstance(o, Booked)]
            for output in outputs:
                if isinstance(output, Reject):
                    holder = self.scene.live.get(table.spec.bots[output.seat])
                    if holder is not None:
                        holder.refusals_due += 1
            self._check_consequences(table, event, booked, process)
            return after, outputs

        return step

    def _crashes(self, event: inputs.Input) -> bool:
        often = 0.0 if isinstance(event, inputs.ArenaFault) else self.scene.crashes
        return bool(often) and self._random.random() < often

    def _table(self, state: TableState, event: inputs.Input, process: Process) -> TableTruth:
        spec = state.spec
        table = self.scene.table(spec)
        if isinstance(event, inputs.Opened):
            table.judge = Judge(spec)
        if isinstance(event, (inputs.Opened, inputs.Resumed)):
            table.started = self.scene.started_at(spec.table_id)
            table.process, table.is_open = process, True
            table.stalls_seen = table.stalls_told = len(process.stalls)
        return table

    def _check_input(self, table: TableTruth, event: inputs.Input, process: Process) -> None:
        kind = type(event).__name__
        where = f"table {table.spec.number}: {kind}"
        moment = table.started + event.at
        earliest = 0 if isinstance(event, inputs.Stalled) else process.began // MS
        if not earliest <= moment <= process.now // MS:
            self.scene.violate(
                f"{where} at {event.at} is not now ({process.began // MS - table.started})"
            )
        if table.judge.open is not None and table.judge.hand is not None:
            self.scene.seen[f"{kind} in {table.judge.hand.phase.name}"] += 1
        if isinstance(event, inputs.Stalled):
            self._check_stall(table, event, process, moment)
        elif not isinstance(event, (inputs.Opened, inputs.Resumed, inputs.ArenaFault)):
            self._check_stalls_known(table, process, moment, where)
        session = self.scene.acting
        match event:
            case inputs.Answered() | inputs.Garbled():
                self._check_answer(table, event, session, where)
            case inputs.Written():
                if session is None or session.written is None:
                    self.scene.violate(f"{where}: nothing is being written")
                else:
                    session.written.append((table.spec.table_id, event.decision_id))
                    self._check_holder(table, event.seat, session, where)
            case inputs.SeatJoined():
                bot = table.spec.bots[event.seat]
                if bot not in self.scene.live:
                    self.scene.violate(f"{where}: {bot} is not connected")
            case inputs.SeatLost() | inputs.SeatLeft():
                self._check_loss(table, event, where)
            case inputs.SeatDied():
                if table.spec.bots[event.seat] not in self.scene.dead_bots:
                    self.scene.violate(f"{where}: {table.spec.bots[event.seat]} is alive")
            case inputs.ArenaFault():
                if table.spec.table_id not in self.scene.crashed and not self.scene.disk_failed:
                    self.scene.violate(
                        f"{where}: {event.why}, but no fault of the arena was injected"
                    )
            case inputs.Stopped() | inputs.Drain():
                if not self.scene.stopped:
                    self.scene.violate(f"{where}: nobody stopped it")
            case _:
                pass

    def _check_stall(
        self, table: TableTruth, event: inputs.Stalled, process: Process, moment: int
    ) -> None:
        untold = [s for s in process.stalls[table.stalls_told :] if s[0] // MS <= moment]
        real = sum(end - start for start, end in untold)
        self.scene.seen["stall told"] += 1
        if (
            event.stalled_ms * MS > real + len(untold) * (BEAT_MS + 1) * MS
            or real < (LAG_MS - 1) * MS
        ):
            self.scene.violate(
                f"table {table.spec.number}: stalled {event.stalled_ms} ms by its word, "
                f"{real / MS} in truth"
            )
        ended = sum(end // MS <= moment for _, end in process.stalls)
        table.stalls_seen = table.stalls_told = ended

    def _check_stalls_known(
        self, table: TableTruth, process: Process, moment: int, where: str
    ) -> None:
        judge = table.judge
        for start, end in process.stalls[table.stalls_seen :]:
            if end // MS > moment:
                break
            since = judge.open.since if judge.open is not None else None
            ran = since is not None and since + table.started <= start // MS
            if end - start >= LONG_MS * MS and (ran or judge.join_by is not None):
                self.scene.violate(
                    f"{where} ruled before a stall of {(end - start) / MS} was taken off"
                )
            table.stalls_seen += 1

    def _check_holder(
        self, table: TableTruth, seat: int, session: SessionTruth, where: str
    ) -> None:
        bot = table.spec.bots[seat]
        if session.bot != bot:
            self.scene.violate(f"{where}: seat {seat} is {bot}'s, not {session.bot}'s")
        elif self.scene.live.get(bot) is not session:
            self.scene.violate(f"{where}: by a session of {bot} that holds no seat any more")

    def _check_answer(
        self,
        table: TableTruth,
        event: inputs.Answered | inputs.Garbled,
        session: SessionTruth | None,
        where: str,
    ) -> None:
        if session is None or not session.is_receiving:
            self.scene.violate(f"{where}: nothing was received")
            return
        self._check_holder(table, event.seat, session, where)
        while session.answers:
            answer = session.answers.pop(0)
            if (answer.table_id, answer.decision_id) != (table.spec.table_id, event.decision_id):
                self.not_ruled(session, answer)
                continue
            said = _read(answer)
            found = event.action if isinstance(event, inputs.Answered) else None
            if said != found:
                self.scene.violate(f"{where}: {found} was never said, but {said}")
            return
        self.scene.violate(f"{where}: decision {event.decision_id} was not answered")

    def not_ruled(self, session: SessionTruth, answer: pb.Answer) -> None:
        """Checks that an answer needed no ruling: its table is not one where the bot sits."""
        table = self.scene.tables.get(answer.table_id)
        if table is None or session.bot not in table.spec.bots or table.judge.stage == "over":
            self.scene.seen["answer for no table"] += 1
            return
        seat = table.spec.bots.index(session.bot)
        holds = table.judge.seats[seat].presence == "joined" and self.scene.live.get(session.bot)
        if holds is session and table.process is session.process and table.is_open:
            self.scene.violate(
                f"table {table.spec.number}: answer {answer.decision_id} of {session.bot} was lost"
            )

    def _check_loss(
        self, table: TableTruth, event: inputs.SeatLost | inputs.SeatLeft, where: str
    ) -> None:
        bot = table.spec.bots[event.seat]
        if isinstance(event, inputs.SeatLeft):
            if not any(s.bot == bot and s.said_goodbye for s in self.scene.sessions):
                self.scene.violate(f"{where}: {bot} did not say goodbye")
            return
        session = self.scene.live.get(bot)
        if session is None:
            if table.judge.seats[event.seat].presence == "joined":
                self.scene.violate(f"{where}: {bot} has no session to be lost")
            return
        if session.stream.is_cut or session.stream.is_finished or session.ended_by is not None:
            return
        self.scene.violate(f"{where}: the stream of {bot} is as it was")

    def _check_consequences(
        self, table: TableTruth, event: inputs.Input, booked: list[Timed], process: Process
    ) -> None:
        number = table.spec.number
        judge = table.judge
        open_before = judge.open
        before = None if open_before is None else (open_before.seat, open_before.number)
        was_lost = open_before is not None and open_before.lost
        table.booked += booked
        if isinstance(event, inputs.Resumed):
            judge.resume(event.at, [fact for _, fact in table.booked])
            for _, fact in booked:
                self.scene.seen[f"resumed into {type(fact).__name__}"] += 1
            return
        if isinstance(event, inputs.ArenaFault) and judge.stage == "over":
            return  # its end could not be recorded: that the arena failed is told instead
        due = judge.take(event)
        found = [brief(at, fact) for at, fact in booked]
        if due != found:
            self.scene.violate(
                f"table {number}: {type(event).__name__} at {event.at} led to {found}, not {due}"
            )
        for at, fact in booked:
            self.scene.world.trace(
                process.name, f"table {number} {' '.join(map(str, brief(at, fact)))}"
            )
            match fact:
                case facts.Acted(actor=facts.Actor.BOT):
                    lost = was_lost and before == (fact.seat, fact.decision_id)
                    self._check_charge(table, fact, lost=lost)
                case facts.Acted():
                    table.by_clock.add((fact.seat, fact.decision_id))
                case facts.Faulted():
                    self.scene.seen[f"fault {fact.kind.name}"] += 1
                    if fact.kind is facts.FaultKind.TIMEOUT and not isinstance(
                        event, (inputs.Stalled, inputs.SeatLeft, inputs.SeatDied)
                    ):
                        self._check_prompt(table, at, process)
                case facts.TableEnded():
                    self.scene.seen[f"ended {fact.cause.name}"] += 1
                case _:
                    pass

    def _check_prompt(self, table: TableTruth, deadline: int, process: Process) -> None:
        """Checks that a time-out was ruled soon after the deadline."""
        late = process.now // MS - table.started - deadline
        stalls = [(start, end) for start, end in process.stalls[-5:] if end // MS >= table.started]
        slack = sum(end - start for start, end in stalls) // MS + _TOLD_LATE_MS
        if late > slack:
            self.scene.violate(f"table {table.spec.number}: a time-out was ruled {late} ms late")

    def _check_charge(self, table: TableTruth, fact: facts.Acted, *, lost: bool) -> None:
        """Checks a charge against the time from frame out to frame in, and nothing else."""
        session = self.scene.acting
        sent = table.sent.get((fact.seat, fact.decision_id))
        if session is None or sent is None or lost:
            return
        stalls = session.process.stalls
        blocked = sum(
            max(0, min(end, session.arrived) - max(start, sent))
            for start, end in stalls
            if end - start >= LONG_MS * MS
        )
        lay = session.process.now - session.arrived
        for start, end in stalls[-5:]:
            if end - start >= LONG_MS * MS and end > session.arrived:
                lay -= end - max(start, session.arrived)
        most = max(0, session.arrived - sent - blocked + lay) / MS + 2
        if fact.charged_ms > most:
            self.scene.violate(
                f"table {table.spec.number}: seat {fact.seat} was charged {fact.charged_ms} ms for "
                f"{fact.decision_id}, but had the question for {most:.1f} at most"
            )


def _read(answer: pb.Answer) -> Action | None:
    row = answer.action
    try:
        return unflatten(row.kind, row.suit, row.bid, row.cards)
    except UnreadableAction:
        return None
