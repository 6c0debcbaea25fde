"""Bots of the Python client and a real arena, over a wire that is cut, or with a frozen process."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from cut_wire import Wire, wired
from session_fakes import MemoryRecorder, capturing_logger
from tables import table_spec

from euchre_arena import Action, Bot, Decision, Disconnected, LostError, Reconnected, Table
from euchre_arena.dial import CHANNEL_OPTIONS, Address, play
from euchre_arena.events import Goodbye, GoodbyeReason, TableClosed, TableOpened, Welcome
from euchre_arena.redial import Redial
from euchre_arena.session import Introduction
from euchre_server.record.entries import RecordFact
from euchre_server.referee.facts import Acted, Actor, EndCause, Faulted, FaultKind
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableSpec
from euchre_server.session import ArenaServer, Limits, Secret
from euchre_server.session import GoodbyeReason as Reason
from euchre_server.session.rpc import _options

PATIENCE_S = 30
FAST = Redial(within_s=20, first_s=0.005, most_s=0.05)
FROZEN = "from euchre_arena import run\nrun(lambda decision: decision.legal[0])\n"


class Recorder(MemoryRecorder):
    """Tells when a bot was lost."""

    def __init__(self) -> None:
        super().__init__()
        self.lost = asyncio.Event()

    def append(self, table_number: int, at_ms: int, fact: RecordFact) -> None:
        """Takes a fact."""
        super().append(table_number, at_ms, fact)
        if isinstance(fact, Faulted) and fact.kind is FaultKind.CRASH:
            self.lost.set()


class Steady(Bot):
    """Plays the last legal action, and cuts its own wire at every so many questions."""

    max_open_decisions = 8

    def __init__(self, wire: Wire | None = None, *, every: int = 0) -> None:
        self.tables: dict[str, set[int]] = {}
        self.closed: list[Table] = []
        self.asked: list[tuple[str, int]] = []
        self.opened = 0
        self.losses = 0
        self.returns = 0
        self.welcomed = asyncio.Event()
        self._wire = wire
        self._every = every

    def decide(self, decision: Decision) -> Action:
        """Returns the last legal action."""
        self.tables.setdefault(decision.table.id, set()).add(id(decision.table))
        self.asked.append((decision.table.id, decision.id))
        if self._wire is not None and len(self.asked) % self._every == 0:
            self._wire.cut()
        return decision.legal[-1]

    def on_welcome(self, welcome: Welcome) -> None:  # noqa: ARG002 - says that it came
        """Notes it."""
        self.welcomed.set()

    def on_table_opened(self, opened: TableOpened) -> None:  # noqa: ARG002 - counts only
        """Counts."""
        self.opened += 1

    def on_table_closed(self, closed: TableClosed) -> None:
        """Notes it."""
        self.closed.append(closed.table)

    def on_disconnected(self, _: Disconnected) -> None:
        """Counts."""
        self.losses += 1

    def on_reconnected(self, _: Reconnected) -> None:
        """Counts."""
        self.returns += 1


class Arena:
    """A listening arena and its record."""

    def __init__(self, limits: Limits) -> None:
        self.recorder = Recorder()
        logger, self.logs = capturing_logger()
        self.server = ArenaServer(
            recorder=self.recorder, instance_id="arena-1", logger=logger, limits=limits
        )
        self.address = ""

    def token(self, name: str) -> str:
        """Returns a token that lets a bot in."""
        token = Secret.fresh()
        self.server.expect(name, token)
        return token.reveal()

    def play(self, bot: Bot, token: str, address: str = "") -> "asyncio.Task[Goodbye]":
        """Lets a bot play."""
        where = Address(server=address or self.address, token=token)
        return asyncio.create_task(
            play(bot, where, Introduction(max_open_decisions=8), redial=FAST)
        )

    async def dismiss(self, spec: TableSpec) -> None:
        """Says goodbye to all bots of a table."""
        for name in spec.bots:
            await self.server.dismiss(name, Reason.DONE, "done")


@asynccontextmanager
async def serving(limits: Limits | None = None) -> AsyncIterator[Arena]:
    """Serves for the length of a test, which must not take longer than patience lasts."""
    arena = Arena(limits or Limits())
    arena.address = await arena.server.start()
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield arena
    finally:
        await arena.server.stop(0.2)


def specs(count: int) -> list[TableSpec]:
    """Returns tables of the same three bots, patient ones."""
    return [
        table_spec(
            table_id=f"t{number}",
            number=number,
            board=number,
            clock=ClockSpec(budget_ms=20_000, first_ms=20_000),
            policy=FaultPolicy(fault_limit=1_000),
        )
        for number in range(1, count + 1)
    ]


async def test_a_wire_cut_in_mid_hand_costs_no_decision_and_no_table() -> None:
    """C-2, C-4: the bot plays on with the same table objects, and the clock plays nothing."""
    async with serving() as arena, wired(arena.address) as wire:
        tables = specs(6)
        bots = [Steady(wire, every=7), Steady(), Steady()]
        playing = [
            arena.play(bot, arena.token(name), wire.address if bot is bots[0] else "")
            for bot, name in zip(bots, tables[0].bots, strict=True)
        ]
        for name in tables[0].bots:
            await arena.server.wait_joined(name, PATIENCE_S)
        results = await asyncio.gather(*map(arena.server.open_table, tables))
        await arena.server.wait_joined(tables[0].bots[0], PATIENCE_S)
        await arena.dismiss(tables[0])
        goodbyes = await asyncio.gather(*playing)

    facts = [fact for _, _, fact in arena.recorder.facts]
    assert {EndCause.PLAYED} == {result.cause for result in results}
    assert {Actor.BOT} == {fact.actor for fact in facts if isinstance(fact, Acted)}
    assert {FaultKind.CRASH} >= {fact.kind for fact in facts if isinstance(fact, Faulted)}
    assert {GoodbyeReason.DONE} == {goodbye.reason for goodbye in goodbyes}
    cutter = bots[0]
    assert len(cutter.asked) == len(set(cutter.asked))  # nothing is asked twice
    assert [1] * 6 == [len(objects) for objects in cutter.tables.values()]
    assert (6, 6) == (cutter.opened, len({table.id for table in cutter.closed}))
    assert 3 <= cutter.losses == cutter.returns == wire.connections - 1


async def test_two_instances_of_a_bot_do_not_fence_each_other_in_a_loop() -> None:
    """C-6: the newer one plays; the older ends with FENCED and stays away."""
    async with serving() as arena:
        (spec,) = specs(1)
        tokens = [arena.token(name) for name in spec.bots]
        older = arena.play(Steady(), tokens[0])
        await arena.server.wait_joined(spec.bots[0], PATIENCE_S)
        playing = [arena.play(Steady(), token) for token in tokens]
        (error,) = await asyncio.gather(older, return_exceptions=True)
        for name in spec.bots:
            await arena.server.wait_joined(name, PATIENCE_S)
        result = await arena.server.open_table(spec)
        await arena.dismiss(spec)
        goodbyes = await asyncio.gather(*playing)

    assert isinstance(error, LostError)
    assert "another session of this bot took over" in str(error)
    assert EndCause.PLAYED is result.cause
    assert {GoodbyeReason.DONE} == {goodbye.reason for goodbye in goodbyes}
    began = [e for e in arena.logs.entries if e["event"] == "session opened"]
    assert 4 == len(began)


async def test_a_frozen_bot_is_lost_within_seconds_and_comes_back_when_it_thaws() -> None:
    """A stopped process answers no keepalive: its seat is lost. Thawed, it dials again."""
    async with serving(Limits(idle_ms=900)) as arena:
        (spec,) = specs(1)
        tokens = [arena.token(name) for name in spec.bots]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-c", FROZEN),
            env={
                **os.environ,
                "EUCHRE_ARENA_SERVER": arena.address,
                "EUCHRE_ARENA_TOKEN": tokens[0],
                "EUCHRE_ARENA_BOT": spec.bots[0],
            },
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            playing = [arena.play(Steady(), token) for token in tokens[1:]]
            for name in spec.bots:
                await arena.server.wait_joined(name, PATIENCE_S)
            process.send_signal(signal.SIGSTOP)
            table = arena.server.open_table(spec)
            async with asyncio.timeout(8):
                await arena.recorder.lost.wait()
            is_gone = not arena.server.connected(spec.bots[0])
            process.send_signal(signal.SIGCONT)
            result = await table
            await arena.dismiss(spec)
            _, errors = await process.communicate()
            await asyncio.gather(*playing)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    assert is_gone
    assert EndCause.PLAYED is result.cause
    assert 0 == process.returncode
    assert ["dialling again", "connected again"] == [
        words for words in ("dialling again", "connected again") if words in errors.decode()
    ]
    assert {"session resumed"} <= {entry["event"] for entry in arena.logs.entries}


async def test_an_arena_that_answers_no_probe_is_dialled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A connection that has gone dead without being closed is noticed by the bot's own probes."""
    times = {"grpc.keepalive_time_ms": 300, "grpc.http2.ping_timeout_ms": 200}
    options = {**dict(CHANNEL_OPTIONS), **times}
    monkeypatch.setattr("euchre_arena.dial.CHANNEL_OPTIONS", tuple(options.items()))
    async with serving() as arena, wired(arena.address) as wire:
        (spec,) = specs(1)
        bots = [Steady(), Steady(), Steady()]
        tokens = [arena.token(name) for name in spec.bots]
        playing = [arena.play(bots[0], tokens[0], wire.address)]
        await bots[0].welcomed.wait()
        wire.go_dead()
        table = arena.server.open_table(spec)
        playing += [arena.play(bot, token) for bot, token in zip(bots[1:], tokens[1:], strict=True)]
        result = await table
        await arena.dismiss(spec)
        await asyncio.gather(*playing)

    assert EndCause.PLAYED is result.cause
    assert [] == [f for _, _, f in arena.recorder.facts if isinstance(f, Faulted)]
    assert (1, 1, 2) == (bots[0].losses, bots[0].returns, wire.connections)


def test_both_sides_probe_silent_connections() -> None:
    """The arena finds a frozen bot within its idle time; bots probe less often than it allows."""
    arena, bot = dict(_options(Limits())), dict(CHANNEL_OPTIONS)

    assert Limits().idle_ms == (
        arena["grpc.keepalive_time_ms"] + arena["grpc.http2.ping_timeout_ms"]
    )
    assert Limits().idle_ms <= 15_000
    assert bot["grpc.keepalive_time_ms"] + bot["grpc.http2.ping_timeout_ms"] <= 30_000
    assert 0 == bot["grpc.http2.max_pings_without_data"]
    assert (
        arena["grpc.http2.min_recv_ping_interval_without_data_ms"]
        <= bot["grpc.keepalive_time_ms"] // 2
    )
