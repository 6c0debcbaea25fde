"""An arena as one simulated process after another: started, killed, gone on with from its record.

Owns the course of a match: who is let in, which tables are open, what happens when the process or
the disk fails. The server, its listener's streams, its driver and its record are the real ones.
"""

from __future__ import annotations

import asyncio
import contextlib
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import grpc
from sim_disk import KilledError
from sim_machine import STARTED_UNIX_MS
from sim_network import Aborted
from sim_server import SimLog, SimServer
from sim_truth import CURRENT_STREAM
from sim_world import MS, Process, ProcessClock

from euchre_server.match.result import BotIdentity, match_result, sealed_result
from euchre_server.match.schedule import Schedule
from euchre_server.match.spec import canonical_json
from euchre_server.match.tally import Tally
from euchre_server.record.entries import MATCH, BotSeated, MatchOpened
from euchre_server.record.reader import read_record, read_seal
from euchre_server.record.resume import resume_record
from euchre_server.record.store import Fsync, RecordWriter
from euchre_server.session import GoodbyeReason, Limits, RecorderFailed, Secret
from euchre_server.session.access import Denied, enter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sim_disk import Disk
    from sim_network import Network, Stream
    from sim_truth import Truth
    from sim_world import World

    from euchre_server.match.spec import MatchSpec
    from euchre_server.record.unfinished import Unfinished
    from euchre_server.referee import TableResult
    from euchre_server.referee.spec import TableSpec

__all__ = ["VERSION", "Arena", "Course"]

VERSION = "simulated"
_CONNECT = "/euchre_arena.v1.ArenaService/Connect"
_DRAIN_WITHIN_S = 2.0
_REDIAL_AFTER_MS = 200
_LINGER_S = 1.0


@dataclass(slots=True, kw_only=True)
class Course:
    """How a match is run.

    Attributes:
        spec: The match.
        fsync: When its record reaches the disk.
        limits: Of a session.
        waits: Whether tables open only when every bot is there or given up.
        join_late: How long the first table waits, in milliseconds, if nobody is waited for.
    """

    spec: MatchSpec
    fsync: Fsync = Fsync.NONE
    limits: Limits = field(default_factory=Limits)
    waits: bool = False
    join_late: int = 0


class Arena:
    """All arenas of one match, one after the other."""

    def __init__(
        self,
        world: World,
        *,
        network: Network,
        disk: Disk,
        truth: Truth,
        course: Course,
        folder: Path,
        tokens: dict[str, str],
    ) -> None:
        self.world = world
        self.network = network
        self.disk = disk
        self.truth = truth
        self.course = course
        self.folder = folder
        self.tokens = tokens
        self.incarnations = 0
        self.tally = Tally(course.spec)
        self.path: Path | None = None
        self.is_over = False
        self.is_draining = False
        self.failure: str | None = None
        self.on_begin: Callable[[], None] = lambda: None
        self.on_up: Callable[[], None] = lambda: None
        self.on_failure: Callable[[], None] = lambda: None
        self.server: SimServer | None = None
        self.process = Process(world, "nobody")
        self.writer: RecordWriter | None = None
        self.ended: set[int] = set()
        disk.on_kill = self.kill

    # Life and death

    def start(self) -> None:
        """Begins as a new process."""
        self.incarnations += 1
        self.is_draining = False
        self.process = Process(self.world, f"arena{self.incarnations}")
        self.world.schedule(0, self._begin, process=self.process)

    def _begin(self) -> None:
        process, course = self.process, self.course
        process.trace("starts")
        self.disk.take_over(process)
        self.on_begin()
        begun: Unfinished | None = None
        if self.path is not None and read_seal(self.path) is not None:
            self.is_over = True  # killed after its last entry
            return
        try:
            if self.path is None:
                writer = self._create()
            else:
                writer, begun, _ = resume_record(
                    self.path, arena_version=VERSION, fsync=course.fsync
                )
                if not process.is_dead:
                    self.truth.kept.reload(read_record(self.path))
        except KilledError:
            return
        except Exception as error:  # noqa: BLE001  # told as a violation, whatever it is
            self.world.violate(f"the match cannot be gone on with: {error!r}")
            self.is_over = True
            return
        if process.is_dead:
            return
        self.writer = writer
        log: Any = SimLog(self.world)
        server = SimServer(
            recorder=writer,
            instance_id=f"arena-{self.incarnations}",
            logger=log,
            limits=course.limits,
            clock=ProcessClock(process),
        )
        server.truth, server.process = self.truth, process
        self.server = server
        server._driver.start()
        for bot, token in self.tokens.items():
            server.expect(bot, Secret(token))
        self.network.arena = self
        task = process.create_task(self._run(server, writer, begun))
        task.add_done_callback(self._done)
        self.on_up()

    def _create(self) -> RecordWriter:
        spec = self.course.spec
        opened = MatchOpened(
            match_id="m1",
            arena_version=VERSION,
            started_unix_ms=STARTED_UNIX_MS,
            commitment=spec.commitment(),
            specification=spec.specification(),
            public_seed=spec.public_seed,
            bot_names=spec.bots,
        )
        writer = RecordWriter.create(self.folder, opened, spec.secret, fsync=self.course.fsync)
        self.path = writer.path
        self.disk.synced = self.disk.size
        return writer

    def kill(self) -> None:
        """Kills the process, at once and wherever it is."""
        process = self.process
        if process.is_dead:
            return
        process.trace("is killed")
        process.die()
        self.network.arena = None
        self.network.cut_all()
        self.truth.arena_gone()
        self.world.schedule(0, process.reap)

    def drain(self) -> None:
        """Stops it politely: hands in play are finished, then another process goes on."""
        if self.server is not None and not self.process.is_dead and not self.is_draining:
            self.is_draining = self.truth.scene.stopped = True
            self.process.trace("is drained")
            self.world.schedule(0, self._drain, self.server, process=self.process)

    def _drain(self, server: SimServer) -> None:
        journal = server._journal
        assert journal is not None
        server.drain_tables(journal)
        self.process.call_later(_DRAIN_WITHIN_S, server.abandon_tables, journal)

    async def _rest(self, server: SimServer, writer: RecordWriter) -> None:
        """Says goodbye, and ends as a process."""
        for conversation in list(server._streams):
            conversation.end(
                GoodbyeReason.DRAINING, "the arena is stopping", redial_after_ms=_REDIAL_AFTER_MS
            )
        await asyncio.sleep(_LINGER_S)
        writer.close()

    def bot_died(self, bot: str, text: str) -> None:
        """Takes note that a bot's process has ended."""
        if self.server is not None and not self.process.is_dead:
            self.world.schedule(0, self.server.bot_died, bot, text, process=self.process)

    # Streams

    def accept(self, stream: Stream) -> None:
        """Serves a stream as the listener's server would."""
        server, context = self.server, stream.context
        if server is None or context is None:
            return
        inside = copy_context()
        try:
            caller = server.door.authoriser.authorise(_CONNECT, context.invocation_metadata())
        except Denied as denied:
            server.door.turned_away(_CONNECT, denied)
            stream.ended(grpc.StatusCode.UNAUTHENTICATED, str(denied), self.process.now)
            return
        assert caller is not None
        inside.run(CURRENT_STREAM.set, stream)
        inside.run(enter, caller)
        handling: Any = server._listener._connect(stream.frames, context)  # type: ignore[arg-type]
        task = self.process.create_task(handling, context=inside)
        context.task = task
        task.add_done_callback(lambda done: self._served(stream, done))

    def _served(self, stream: Stream, task: asyncio.Task[Any]) -> None:
        process = cast("Process", task.get_loop())
        if process.is_dead:
            with contextlib.suppress(BaseException):
                task.exception()
            return
        code, text = grpc.StatusCode.OK, ""
        if task.cancelled():
            code, text = grpc.StatusCode.CANCELLED, "cancelled"
        elif (error := task.exception()) is not None:
            if not isinstance(error, Aborted):
                self.world.violate(f"a stream's handler failed: {error!r}")
                code, text = grpc.StatusCode.UNKNOWN, "failed"
            else:
                code, text = error.code, str(error)
        stream.ended(code, text, process.now)

    # The match

    async def _run(self, server: SimServer, writer: RecordWriter, begun: Unfinished | None) -> None:
        spec = self.course.spec
        self.tally = Tally(spec) if begun is None else begun.tally
        self.ended = set() if begun is None else set(begun.ended)
        at_ms = 0 if begun is None else begun.at_ms
        if self.course.waits:
            for bot in self.tokens:
                await self._wait_for(server, bot)
        elif self.course.join_late:
            await asyncio.sleep(self.course.join_late / 1000)
        for bot in spec.bots:
            seated = BotSeated(
                bot_name=bot,
                leg=1,
                bot_version="1",
                client_library="simulated",
                source="simulated",
                isolation="none",
            )
            writer.append(MATCH, at_ms + self.process.now // MS, seated)
        writer.flush()
        schedule = Schedule(spec)
        current = schedule.first_round()
        while True:
            for leg in schedule.legs(current):
                await self._play(server, schedule.tables(leg, self.tally.void), begun)
            void = sum(board in self.tally.void for board in current.boards)
            reserve = schedule.reserve_round(current, void)
            if reserve is None:
                break
            current = reserve
        if self.is_draining and len(self.ended) < schedule.table_count:
            await self._rest(server, writer)
        else:
            self.is_draining = False
            await self._finish(server, writer)

    async def _wait_for(self, server: SimServer, bot: str) -> None:
        try:
            await server.wait_joined(bot, self.course.spec.join_within_ms / 1000)
        except TimeoutError:
            self.truth.scene.dead_bots.add(bot)
            server.bot_died(bot, "it did not dial in")

    async def _play(
        self, server: SimServer, tables: Iterator[TableSpec], begun: Unfinished | None
    ) -> None:
        """Plays the tables of a leg, so many at once."""
        playing: dict[asyncio.Future[TableResult], int] = {}
        left = True
        while left or playing:
            left = left and not self.is_draining
            while left and len(playing) < self.course.spec.tables:
                spec = next(tables, None)
                if spec is None:
                    left = False
                elif spec.number not in self.ended:
                    playing[self._open(server, spec, begun)] = spec.number
            if not playing:
                return
            await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
            for future in sorted((f for f in playing if f.done()), key=playing.__getitem__):
                number = playing.pop(future)
                if not (self.is_draining and future.cancelled()):  # else the table rests
                    self.ended.add(number)
                    self.tally.add(future.result())

    def _open(
        self, server: SimServer, spec: TableSpec, begun: Unfinished | None
    ) -> asyncio.Future[TableResult]:
        self.truth.scene.specs[spec.table_id] = spec
        left = None if begun is None else begun.open.get(spec.number)
        if left is not None:
            return server.resume_table(left.state, left.at_ms)
        return server.open_table(spec)

    async def _finish(self, server: SimServer, writer: RecordWriter) -> None:
        spec = self.course.spec
        await server.announce_match_end("m1", [])
        await asyncio.gather(
            *(server.dismiss(bot, GoodbyeReason.DONE, "the match is over") for bot in self.tokens)
        )
        identities = tuple(
            BotIdentity(bot=bot, source="simulated", isolation="none", memory_excluded=False)
            for bot in spec.bots
        )
        result = match_result(
            spec,
            self.tally,
            match_id="m1",
            record=str(writer.path),
            seconds=0.0,
            complete=True,
            bots=identities,
        )
        writer.seal(canonical_json(sealed_result(result)), complete=True, at_ms=self.process.now)

    def _done(self, task: asyncio.Task[None]) -> None:
        if self.process.is_dead or cast("Any", task.get_loop()) is not self.process:
            if not task.cancelled():
                task.exception()
            return
        error = None if task.cancelled() else task.exception()
        if error is None and self.is_draining:
            self.kill()
            self.on_failure()
        elif error is None:
            self.process.trace("has sealed the record")
            self.is_over = True
        elif isinstance(error, (RecorderFailed, OSError)) or type(error).__name__ == "StoreError":
            self.process.trace(f"gives up: {error}")
            self.failure = str(error)
            if not self.truth.scene.disk_failed:
                self.world.violate(f"the record failed without a fault of the disk: {error!r}")
            self.kill()
            self.on_failure()
        else:
            self.world.violate(f"the match failed: {error!r}")
            self.is_over = True
