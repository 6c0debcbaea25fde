"""The arena over gRPC on loopback, with bots made of the bare stubs."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager

import grpc
import pytest
from session_fakes import MemoryRecorder, RawBot, answer_to, capturing_logger
from tables import table_spec

from euchre_arena.v1.arena_service_pb2 import (
    GOODBYE_REASON_DONE,
    GOODBYE_REASON_FENCED,
    GOODBYE_REASON_SLOW_READER,
    SESSION_FAULT_REASON_OUT_OF_PLACE,
    SESSION_FAULT_REASON_OVERSIZED,
    SESSION_FAULT_REASON_UNDECODABLE,
    BotMessage,
    Goodbye,
    Hello,
)
from euchre_arena.v1.table_pb2 import END_CAUSE_ARENA_FAULT
from euchre_server.referee.facts import EndCause, Faulted, FaultKind
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableSpec
from euchre_server.session import (
    AddressInUse,
    ArenaServer,
    GoodbyeReason,
    Limits,
    RecorderFailed,
    Secret,
    Standing,
)

PATIENCE_S = 20
"""How long any of these may take before it counts as hanging."""


class Arena:
    """A listening arena, its record, and a way to dial it."""

    def __init__(self, limits: Limits) -> None:
        self.recorder = MemoryRecorder()
        logger, self.logs = capturing_logger()
        self.server = ArenaServer(
            recorder=self.recorder, instance_id="arena-1", logger=logger, limits=limits
        )
        self.address = ""
        self.dialled: list[RawBot] = []
        self.tokens: dict[str, str] = {}

    def dial(self, token: str) -> RawBot:
        """Returns a bot that has dialled with a token."""
        bot = RawBot(self.address, token)
        self.dialled.append(bot)
        return bot

    async def bot(self, name: str, *, max_open_decisions: int = 0) -> RawBot:
        """Returns a bot that has been let in."""
        if name not in self.tokens:
            token = Secret.fresh()
            self.server.expect(name, token)
            self.tokens[name] = token.reveal()
        bot = self.dial(self.tokens[name])
        await bot.hello(max_open_decisions=max_open_decisions)
        await bot.read_until("welcome")
        return bot

    async def bots(self, spec: TableSpec, *, max_open_decisions: int = 0) -> list[RawBot]:
        """Returns the bots of a table, in seat order."""
        return [await self.bot(n, max_open_decisions=max_open_decisions) for n in spec.bots]

    def faults(self, table: int) -> list[FaultKind]:
        """Returns the kinds of fault recorded of a table."""
        return [f.kind for f in self.recorder.of_table(table) if isinstance(f, Faulted)]


Serve = Callable[..., "asyncio.Future[Arena]"]


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
        for bot in arena.dialled:
            await bot.close()


def specs(count: int, **changes: object) -> list[TableSpec]:
    """Returns tables of the same three bots."""
    return [table_spec(table_id=f"t{n}", number=n, board=n, **changes) for n in range(1, count + 1)]  # type: ignore[arg-type]  # as table_spec takes them


async def test_many_tables_on_one_stream() -> None:
    """Three bots play 30 tables at once on one stream each; frames hold many messages."""
    async with serving() as arena:
        tables = specs(30)
        bots = await arena.bots(tables[0], max_open_decisions=30)
        playing = [asyncio.create_task(bot.play(closing=30)) for bot in bots]
        futures = [arena.server.open_table(spec) for spec in tables]

        results = await asyncio.gather(*futures)
        await asyncio.gather(*playing)

        assert {EndCause.PLAYED} == {result.cause for result in results}
        assert [] == [kind for n in range(1, 31) for kind in arena.faults(n)]
        assert max(bots[0].frame_sizes) > 10


async def test_nothing_is_told_whose_sync_has_failed_already() -> None:
    """A sync that fails before anybody waits for it is a failure as any other."""
    failed: Future[None] = Future()
    failed.set_exception(OSError(5, "Input/output error"))
    async with serving() as arena:
        arena.recorder.durable = lambda: failed  # type: ignore[method-assign]
        (spec,) = specs(1)
        bots = await arena.bots(spec)

        result = arena.server.open_table(spec)
        closed = await bots[0].read_until("table_closed")

        assert END_CAUSE_ARENA_FAULT == closed.table_closed.cause
        assert [] == [kind for kind in bots[0].kinds if kind in {"table_opened", "decision"}]
        with pytest.raises(RecorderFailed):
            await result


async def test_wait_joined_tells_what_the_bot_said() -> None:
    """Whoever waits for a bot gets its Hello within the arena's limits."""
    async with serving(Limits(max_tables=9)) as arena:
        waiting = asyncio.create_task(arena.server.wait_joined("a", 10))
        token = Secret.fresh()
        arena.server.expect("a", token)
        bot = arena.dial(token.reveal())
        await bot.send(
            Hello(protocol_version=1, bot_version="7", client_library="raw", max_tables=50)
        )

        info = await waiting

        assert ("a", "7", "raw", 9, 1) == (
            info.bot_name,
            info.bot_version,
            info.client_library,
            info.max_tables,
            info.max_open_decisions,
        )
        assert arena.server.connected("a")


async def test_nobody_joins_nobody_waits_for_ever() -> None:
    """Waiting for a bot ends at its time-out."""
    async with serving() as arena:
        with pytest.raises(TimeoutError):
            await arena.server.wait_joined("a", 0.01)


@pytest.mark.parametrize("token", ["", "wrong", "x" * 5000])
async def test_a_wrong_token_is_unauthenticated(token: str) -> None:
    """Without a good token the stream ends at once with UNAUTHENTICATED and no session."""
    async with serving() as arena:
        arena.server.expect("a", Secret("right"))

        status = await arena.dial(token).status()

        assert grpc.StatusCode.UNAUTHENTICATED == status
        assert token not in repr(arena.logs.entries) or not token


async def test_a_forgotten_token_is_no_longer_good() -> None:
    """After `forget` a token lets nobody in."""
    async with serving() as arena:
        await arena.bot("a")
        arena.server.forget("a")

        assert grpc.StatusCode.UNAUTHENTICATED == await arena.dial(arena.tokens["a"]).status()


async def test_a_full_arena_says_so() -> None:
    """C-27: beyond the highest number of sessions a stream is refused, not queued in silence."""
    async with serving(Limits(max_sessions=1)) as arena:
        await arena.bot("a")
        arena.server.expect("b", Secret("b-token"))

        assert grpc.StatusCode.RESOURCE_EXHAUSTED == await arena.dial("b-token").status()


async def test_a_port_in_use_is_said_in_words() -> None:
    """C-30: a second arena on the port fails loudly, names it, and the first goes on."""
    async with serving() as arena:
        port = int(arena.address.rpartition(":")[2])
        logger, _ = capturing_logger()
        second = ArenaServer(recorder=MemoryRecorder(), instance_id="2", logger=logger)

        with pytest.raises(AddressInUse, match=f"127.0.0.1:{port}: the port is taken"):
            await second.start(port=port)

        await arena.bot("a")


async def test_garbage_hurts_only_its_sender() -> None:
    """B67: undecodable and oversized frames are told; another bot's table is unchanged."""
    async with serving() as arena:
        (spec,) = specs(1)
        bots = await arena.bots(spec)
        vandal = await arena.bot("vandal")
        playing = [asyncio.create_task(bot.play(closing=1)) for bot in bots]
        future = arena.server.open_table(spec)

        told = []
        for frame in (b"null", b"[]", b"\xff\xfe", b"{" * 1000, b"\0" * 100_000):
            await vandal.send_bytes(frame)
            told.append((await vandal.read_until("session_fault")).session_fault)
        result = await future
        await asyncio.gather(*playing)

        assert [SESSION_FAULT_REASON_UNDECODABLE] * 4 == [f.reason for f in told[:4]]
        assert SESSION_FAULT_REASON_OVERSIZED == told[4].reason
        assert EndCause.PLAYED is result.cause
        assert [] == arena.faults(1)


async def test_a_giant_frame_ends_its_stream_only() -> None:
    """B67: ten megabytes end the sender's stream; the arena and other bots go on."""
    async with serving() as arena:
        vandal = await arena.bot("vandal")
        await vandal.send_bytes(b"x" * 10_000_000)

        status = await vandal.status()

        assert grpc.StatusCode.RESOURCE_EXHAUSTED == status
        await arena.bot("a")


async def test_two_hellos_are_a_told_fault() -> None:
    """A second Hello changes nothing and is told as out of place."""
    async with serving() as arena:
        bot = await arena.bot("a")
        await bot.hello()

        fault = await bot.read_until("session_fault")

        assert SESSION_FAULT_REASON_OUT_OF_PLACE == fault.session_fault.reason
        assert arena.server.connected("a")


async def test_a_second_stream_fences_the_first() -> None:
    """C-6: the newer stream of a bot has the seats; the older is told FENCED and ends cleanly."""
    async with serving() as arena:
        (spec,) = specs(1)
        bots = await arena.bots(spec)
        future = arena.server.open_table(spec)
        decision = (await bots[0].read_until("decision")).decision

        second = await arena.bot("bot0")
        goodbye = await bots[0].read_until("goodbye")
        again = (await second.read_until("decision")).decision
        await second.send(answer_to(again))
        await asyncio.gather(
            *(bot.play(closing=1) for bot in (second, bots[1], bots[2])),
        )

        assert GOODBYE_REASON_FENCED == goodbye.goodbye.reason
        assert grpc.StatusCode.OK == await bots[0].status()
        assert decision.decision_id == again.decision_id
        assert [] == arena.faults(1)
        assert EndCause.PLAYED is (await future).cause


async def test_a_bot_that_vanishes_does_not_stop_the_others() -> None:
    """A connection breaks in mid-hand: the clock plays its seat, all tables end."""
    async with serving() as arena:
        spec = table_spec(
            clock=ClockSpec(budget_ms=5, first_ms=5, bank_ms=0),
            policy=FaultPolicy(fault_limit=100),
        )
        bots = await arena.bots(spec)
        calm = table_spec(table_id="t2", number=2, bots=("x", "y", "z"))
        others = await arena.bots(calm)
        playing = [asyncio.create_task(b.play(closing=1)) for b in (*bots[1:], *others)]
        futures = [arena.server.open_table(spec), arena.server.open_table(calm)]
        await bots[0].read_until("decision")

        await bots[0].close()
        results = await asyncio.gather(*futures)
        await asyncio.gather(*playing)

        assert [EndCause.PLAYED] * 2 == [result.cause for result in results]
        assert FaultKind.CRASH in arena.faults(1)
        assert FaultKind.TIMEOUT in arena.faults(1)
        assert [] == arena.faults(2)


async def test_a_slow_reader_is_cut() -> None:
    """A bot that reads nothing is cut at the bound of its queue; nobody else notices."""
    async with serving(Limits(max_queue_bytes=1 << 20)) as arena:
        sloth = await arena.bot("bot0")
        news = [Standing("somebody", 1_000_000, number) for number in range(2_000)]

        for _ in range(1_000):  # gRPC takes some megabytes before it makes anybody wait
            if not arena.server.connected("bot0"):
                break
            await arena.server.announce_match_end("m1", news)
            await asyncio.sleep(0)
        gone = not arena.server.connected("bot0")
        status = await sloth.status()

        assert gone
        assert GOODBYE_REASON_SLOW_READER in [m.goodbye.reason for m in sloth.messages] or (
            grpc.StatusCode.RESOURCE_EXHAUSTED == status
        )
        await arena.bot("somebody")


async def test_goodbye_is_a_clean_leave() -> None:
    """A bot that says goodbye has its stream ended without an error, and has left its tables."""
    async with serving() as arena:
        (spec,) = specs(1)
        bots = await arena.bots(spec)
        arena.server.open_table(spec)
        await bots[2].send(BotMessage(goodbye=Goodbye(text="enough")))
        await bots[2].call.done_writing()

        assert grpc.StatusCode.OK == await bots[2].status()
        assert [FaultKind.LEFT] == arena.faults(1)


async def test_a_dismissed_bot_hears_why_and_the_stream_ends_cleanly() -> None:
    """After its last table a bot is told the standings, then DONE, then OK: no error anywhere."""
    async with serving() as arena:
        bot = await arena.bot("a")
        await arena.server.announce_match_end("m1", [Standing("a", 40, 9)])

        await arena.server.dismiss("a", GoodbyeReason.DONE, "all tables are played")

        assert grpc.StatusCode.OK == await bot.status()
        ended, goodbye = bot.messages[-2:]
        assert ("m1", "a", 40, 9) == (
            ended.match_ended.match_id,
            ended.match_ended.standings[0].bot_name,
            ended.match_ended.standings[0].hand_count,
            ended.match_ended.standings[0].points,
        )
        assert (GOODBYE_REASON_DONE, "all tables are played") == (
            goodbye.goodbye.reason,
            goodbye.goodbye.text,
        )
        assert not arena.server.connected("a")


async def test_a_bot_that_keeps_talking_is_dismissed_all_the_same() -> None:
    """A bot in the middle of a write when it is dismissed still hears the goodbye."""
    async with serving() as arena:
        bot = await arena.bot("a")
        talk = asyncio.create_task(_talk(bot))

        dismissing = asyncio.create_task(arena.server.dismiss("a", GoodbyeReason.DONE, "done"))
        status = await bot.status()
        await talk
        await dismissing

        assert "goodbye" in bot.kinds
        assert grpc.StatusCode.OK == status


async def test_a_bot_that_does_not_hang_up_is_hung_up_on() -> None:
    """A bot that neither reads nor ends its side after the goodbye is waited for a little only."""
    async with serving() as arena:
        bot = await arena.bot("a")

        await arena.server.dismiss("a", GoodbyeReason.DONE, "done")
        await bot.read_until("goodbye")

        assert not await bot._read_frame()
        assert grpc.StatusCode.OK == await bot.call.code()
        assert "reader failed" not in [entry["event"] for entry in arena.logs.entries]


async def _talk(bot: RawBot) -> None:
    while "goodbye" not in bot.kinds:
        await bot.send()
    await bot.call.done_writing()
