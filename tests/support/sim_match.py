"""One simulated match from its setting to its verdict.

Owns the putting together of world, network, disk, arena and bots, the faults that come by time, and
the checks of the end: the record verifies, was played as by an unbroken match, and nothing is left.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim_arena import VERSION, Arena, Course
from sim_bots import Manners, SimBot
from sim_disk import Disk
from sim_machine import simulated
from sim_network import Network, Weather
from sim_truth import Truth
from sim_unbroken import unbroken
from sim_world import MS, World

from euchre_server.record import store
from euchre_server.record.reader import read_record, read_seal
from euchre_server.record.verify import verify
from euchre_server.referee import facts

if TYPE_CHECKING:
    from collections import Counter

__all__ = ["Plan", "Result", "Setting", "run_match"]

_SHM = Path("/dev/shm")  # noqa: S108  # files that never reach a disk, where there is such a folder
_LONGEST = 4 * 3_600_000 * MS
_IDLE_MINUTES = 6
_PAUSE_MS = 1_500
_REST_MS = 20_000  # more than it takes to notice a connection that is half open


@dataclass(slots=True, kw_only=True)
class Plan:
    """What goes wrong with the arena, and how often; mean times in milliseconds."""

    stalls_every_ms: float = 0
    stalls_ms: tuple[float, float] = (25, 1_500)
    kills: int = 0
    """How often it is killed at most."""
    kill_every_ms: float = 600
    kill_at_write: float = 0.5
    """How often a kill comes inside a write, and not at some moment."""
    restart_ms: tuple[float, float] = (0, 3_000)
    power_cuts: float = 0.0
    """How often a kill is a power cut."""
    drains: int = 0
    """How often it is stopped politely at most."""
    drain_every_ms: float = 400
    crashes: float = 0.0
    """How often a step of a table fails by the arena's own fault."""
    full_disks: int = 0
    """How many of the first arenas find the disk full after a while."""
    room_bytes: tuple[int, int] = (3_000, 40_000)
    disk_errors: float = 0.0
    """How often it fails instead of being full."""
    short_writes: float = 0.0
    slow_writes: float = 0.0
    sync_ms: tuple[int, int] = (0, 3)


@dataclass(slots=True, kw_only=True)
class Setting:
    """Everything that a simulated match is made of."""

    course: Course
    manners: tuple[Manners, ...]
    weather: Weather = field(default_factory=Weather)
    plan: Plan = field(default_factory=Plan)
    library: bool = False
    """Whether the bots are those of the client library."""
    faultless: bool = False
    """Whether no seat can have made a fault."""


@dataclass(slots=True)
class Result:
    """What came of it."""

    seed: str
    violations: list[str]
    injected: Counter[str]
    seen: Counter[str]
    tables: int
    compared: int
    """Hands that were compared with an unbroken match."""
    simulated_ms: float
    digest: str
    """Of the record, to the byte."""
    lines: list[str]


def run_match(setting: Setting, seed: str, *, tracing: bool = False) -> Result:
    """Returns what comes of a match in which things go wrong."""
    folder = _SHM if _SHM.is_dir() else None
    with tempfile.TemporaryDirectory(dir=folder, prefix="euchre-sim-") as name:
        match = _Match(setting, seed, Path(name), tracing=tracing)
        return match.run()


class _Match:
    def __init__(self, setting: Setting, seed: str, folder: Path, *, tracing: bool) -> None:
        self.setting = setting
        self.seed = seed
        self.world = World(seed, tracing=tracing)
        course = setting.course
        spec = course.spec
        self.network = Network(self.world, setting.weather)
        self.disk = Disk(self.world)
        self.truth = Truth(
            self.world,
            durable=course.fsync is store.Fsync.ACTION,
            synced=lambda: self.disk.synced,
            size=lambda: self.disk.size,
        )
        self.scene = self.truth.scene
        self.scene.started_at = self._started_at
        self.world.on_fault = self.scene.injected
        self.disk.on_entry, self.disk.on_cut = self.truth.kept.on_entry, self.truth.kept.on_cut
        self.random = self.world.random("plan")
        tokens = {player: f"token of {player}" for player in spec.players}
        self.arena = Arena(
            self.world,
            network=self.network,
            disk=self.disk,
            truth=self.truth,
            course=course,
            folder=folder,
            tokens=tokens,
        )
        self.arena.on_up = self._arena_is_up
        self.arena.on_failure = self._restart_later
        self.disk.on_kill = self._kill
        self.scene.crashes = setting.plan.crashes
        self.arena.on_begin = self._arena_begins
        self.kills = self.drains = 0
        self.failures = 0
        self.compared = 0
        self.bots: list[Any] = []
        for player, manners in zip(spec.players, setting.manners, strict=True):
            self.bots.append(self._bot(player, tokens[player], manners))

    def _bot(self, player: str, token: str, manners: Manners) -> Any:  # noqa: ANN401  # of any kind
        if self.setting.library:
            from sim_library import LibraryBot  # noqa: PLC0415  # imports the client

            return LibraryBot(self.world, self.network, player, token, manners, scene=self.scene)
        return SimBot(self.world, self.network, player, token, manners, on_death=self._bot_died)

    def run(self) -> Result:
        """Returns what came of it."""
        world = self.world
        try:
            with ExitStack() as stack:
                stack.enter_context(simulated(world, self.disk, self.truth))
                if self.setting.library:
                    from sim_library import patched  # noqa: PLC0415  # imports the client

                    stack.enter_context(patched())
                self.arena.start()
                for bot in self.bots:
                    bot.begin()
                self.world.schedule(0, self._look, -1, 0)
                if self.setting.plan.stalls_every_ms:
                    self._stall_later()
                # The first thing that is wrong ends it: what follows from it says nothing.
                is_over = world.run(_LONGEST, lambda: self.arena.is_over or bool(world.violations))
                if not is_over:
                    open_tables = [
                        n for n, t in self.scene.numbers.items() if t.judge.stage != "over"
                    ]
                    world.violate(f"the match did not end; tables {open_tables} are open")
                self.network.weather.cut = self.network.weather.jam = 0.0
                world.run(world.now + _PAUSE_MS * MS, lambda: bool(world.violations))
                if self._unnoticed():
                    world.run(world.now + _REST_MS * MS, lambda: bool(world.violations))
                if not world.violations:
                    self._check_leaks()
                world.close()
        finally:
            asyncio._set_running_loop(None)
        if not world.violations:
            self._check_record()
        return self._result()

    def _started_at(self, table_id: str) -> int:
        assert self.arena.server is not None
        return self.arena.server._driver.tables[table_id].started

    # Faults that come by time

    def _arena_begins(self) -> None:
        """Kills an arena that is only about to go on with the record, now and then."""
        plan = self.setting.plan
        if self.arena.path is not None and self.kills < plan.kills and self.random.random() < 0.15:
            self.kills += 1
            self.disk.faults.kill_in = 1

    def _arena_is_up(self) -> None:
        plan, random = self.setting.plan, self.random
        for bot in self.bots:
            bot.again()
        faults = self.disk.faults
        faults.short, faults.slow, faults.sync_ms = (
            plan.short_writes,
            plan.slow_writes,
            plan.sync_ms,
        )
        if self.drains < plan.drains:
            self.drains += 1
            after = round(random.expovariate(1 / plan.drain_every_ms) * MS)
            self.world.schedule(self.world.now + after, self._drain_this, self.arena.incarnations)
        if self.failures < plan.full_disks:
            self.failures += 1
            if random.random() < plan.disk_errors:
                self.world.schedule(
                    self.world.now + round(random.expovariate(1 / 400) * MS), self._break_disk
                )
            else:
                faults.room = random.randint(*plan.room_bytes)
                faults.reserve_is_taken = random.random() < 0.5
            self.scene.disk_failed = True
        elif self.kills < plan.kills:
            self.kills += 1
            if random.random() < plan.kill_at_write:
                faults.kill_in = 1 + int(random.expovariate(1 / 30))
            else:
                after = round(random.expovariate(1 / plan.kill_every_ms) * MS)
                self.world.schedule(
                    self.world.now + after, self._kill_this, self.arena.incarnations
                )

    def _break_disk(self) -> None:
        if self.random.random() < 0.5:
            self.disk.faults.fails = True
        else:
            self.disk.faults.sync_fails = True

    def _drain_this(self, incarnation: int) -> None:
        if incarnation == self.arena.incarnations and not self.arena.is_over:
            self.world.fault("drain")
            self.arena.drain()

    def _kill_this(self, incarnation: int) -> None:
        if incarnation == self.arena.incarnations and not self.arena.is_over:
            self.world.fault("kill")
            self._kill()

    def _kill(self) -> None:
        process = self.arena.process
        if process.is_dead or self.arena.is_over:
            return
        self.arena.kill()
        path = self.arena.path
        if path is not None and self.random.random() < self.setting.plan.power_cuts:
            self.disk.cut_power(path)
            self.truth.kept.power_was_cut()
        self._restart_later()

    def _restart_later(self) -> None:
        after = round(self.random.uniform(*self.setting.plan.restart_ms) * MS)
        self.world.schedule(self.world.now + after, self.arena.start)

    def _stall_later(self) -> None:
        plan = self.setting.plan
        after = round(self.random.expovariate(1 / plan.stalls_every_ms) * MS)
        self.world.schedule(self.world.now + after, self._stall)

    def _stall(self) -> None:
        process = self.arena.process
        if self.arena.is_over:
            return
        if not process.is_dead and process.busy_until <= self.world.now:
            self.world.fault("stall")
            milliseconds = self.random.uniform(*self.setting.plan.stalls_ms)
            process.trace(f"stands still for {milliseconds:.0f} ms")
            process.stall(round(milliseconds * MS))
        self._stall_later()

    def _bot_died(self, bot: SimBot) -> None:
        self.scene.dead_bots.add(bot.name)
        self.world.schedule(
            self.world.now + round(self.random.uniform(0, 50) * MS),
            self.arena.bot_died,
            bot.name,
            "exit status 1",
        )

    def _look(self, facts_before: int, idle: int) -> None:
        """Looks whether anything happens at any table: no wait is longer than some minutes."""
        found = sum(len(table.booked) for table in self.scene.tables.values())
        idle = idle + 1 if found == facts_before else 0
        if idle >= _IDLE_MINUTES and not self.arena.is_over:
            left = [n for n, t in self.scene.numbers.items() if t.judge.stage != "over"]
            self.world.violate(f"nothing happens any more; tables {left} are open")
        if not self.arena.is_over:
            self.world.schedule(self.world.now + 60_000 * MS, self._look, found, idle)

    # The end

    def _unnoticed(self) -> bool:
        """Returns whether the arena may not know yet that a connection has broken."""
        server = self.arena.server
        return server is not None and len(server._streams) > len(self._streams())

    def _streams(self) -> list[Any]:
        return [s for s in self.network.streams if not s.is_over and s.context is not None]

    def _check_leaks(self) -> None:
        server = self.arena.server
        if server is None or self.arena.process.is_dead:
            return
        world, core = self.world, server._driver
        if core.tables:
            world.violate(f"tables {list(core.tables)} are left in the driver")
        for session in self.scene.sessions:
            line = session.conversation.line
            if session.ended_by == "DONE" and session.refusals_due != session.refusals_told:
                world.violate(
                    f"{session.bot} was told of {session.refusals_told} refused answers, "
                    f"not of {session.refusals_due}"
                )
            if session.process is not self.arena.process:
                continue
            if line.places or line.awaited:
                world.violate(f"a session of {session.bot} still holds {list(line.places)}")
            if session.conversation.is_live and (line.outbox._waiting or line.outbox._open):
                world.violate(f"questions for {session.bot} are left in an outbox")
        asleep = [sleeper for _, _, sleeper in core._alarms._heap if sleeper.wake_at is not None]
        if asleep:
            world.violate(f"{len(asleep)} alarms are left")
        left = [bot for bot, one in server._live.items() if not one.is_live]
        if left:
            world.violate(f"sessions of {left} are over and still listed")
        streams = self._streams()
        for process in world.processes:
            if process is self.arena.process and len(process.tasks) > 2 * len(streams):
                world.violate(f"{len(process.tasks)} tasks are left, {len(streams)} streams")
        if len(server._streams) > len(streams):
            names = [one.line.bot_name for one in server._streams]
            world.violate(f"conversations with {names} are left, {len(streams)} streams")

    def _check_record(self) -> None:
        path, world = self.arena.path, self.world
        if path is None:
            world.violate("there is no record")
            return
        verdict = verify(read_record(path), read_seal(path), arena_version=VERSION)
        if verdict.finding is not None:
            world.violate(f"the record: {verdict.finding}")
        for number, table in self.scene.numbers.items():
            if table.judge.stage != "over":
                world.violate(f"table {number} was never ended")
            if self.setting.faultless:
                wrong = [fact for _, fact in table.booked if isinstance(fact, facts.Faulted)]
                if wrong:
                    world.violate(f"table {number}: {wrong[0]} by a bot that did nothing wrong")
        for entry in read_record(path):
            if isinstance(entry.fact, facts.HandEnded):
                table = self.scene.numbers[entry.table_number]
                if not any(_by_clock(fact) for _, fact in table.booked):
                    self.compared += 1
                    due = unbroken(table.spec, entry.fact.hand_number)
                    if due != entry.play_hash:
                        world.violate(
                            f"table {entry.table_number}: hand {entry.fact.hand_number} was played "
                            "otherwise than in an unbroken match"
                        )

    def _result(self) -> Result:
        injected = self.world.injected
        injected["restart"] += self.arena.incarnations - 1
        path = self.arena.path
        data = path.read_bytes() if path is not None and path.exists() else b""
        return Result(
            seed=self.seed,
            violations=self.world.violations,
            injected=injected,
            seen=self.scene.seen,
            tables=len(self.scene.numbers),
            compared=self.compared,
            simulated_ms=self.world.now / MS,
            digest=sha256(data).hexdigest(),
            lines=self.world.lines or [],
        )


def _by_clock(fact: facts.Fact) -> bool:
    return isinstance(fact, facts.Acted) and fact.actor is facts.Actor.CLOCK
