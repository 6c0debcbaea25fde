"""Streams that are not let in, over gRPC: refused with a reason, never left waiting in silence."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest
from session_fakes import MemoryRecorder, RawBot, bot_frame, capturing_logger

from euchre_arena.v1.arena_service_pb2 import GOODBYE_REASON_FAULTY, Hello
from euchre_server.session import ArenaServer, Limits, Secret
from euchre_server.session.refusal import REASON_KEY, RETRY_KEY

PATIENCE_S = 20
CONNECT = "/euchre_arena.v1.ArenaService/Connect"
HELLO = bot_frame(Hello(protocol_version=1))


class Caller:
    """Makes calls over connections of its own choice."""

    def __init__(self, server: ArenaServer, address: str) -> None:
        self.server = server
        self.address = address
        self._tokens: dict[str, str] = {}
        self._channels: list[grpc.aio.Channel] = []

    def channel(self) -> grpc.aio.Channel:
        """Returns a new connection."""
        options = (("grpc.use_local_subchannel_pool", 1),)
        self._channels.append(grpc.aio.insecure_channel(self.address, options=options))
        return self._channels[-1]

    def call(
        self, channel: grpc.aio.Channel, bot: str
    ) -> "grpc.aio.StreamStreamCall[bytes, bytes]":
        """Returns a new stream of a bot on a connection."""
        if bot not in self._tokens:
            token = Secret.fresh()
            self.server.expect(bot, token)
            self._tokens[bot] = token.reveal()
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(CONNECT)(
            metadata=(("authorization", f"Bearer {self._tokens[bot]}"),)
        )
        return call

    async def close(self) -> None:
        """Ends all connections."""
        for channel in self._channels:
            await channel.close()


@asynccontextmanager
async def calling(limits: Limits) -> AsyncIterator[Caller]:
    """Serves for the length of a test, which must not take longer than patience lasts."""
    logger, _ = capturing_logger()
    server = ArenaServer(recorder=MemoryRecorder(), instance_id="a", logger=logger, limits=limits)
    caller = Caller(server, await server.start())
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield caller
    finally:
        await caller.close()
        await server.stop(0.2)


async def reason(call: "grpc.aio.StreamStreamCall[bytes, bytes]") -> tuple[str, str]:
    """Returns status and reason of a call that ends at once."""
    status = await call.code()
    trailing = dict(await call.trailing_metadata())
    return status.name, str(trailing.get(REASON_KEY, ""))


async def test_no_stream_waits_in_silence() -> None:
    """C-27: beyond the streams that a connection may carry, each is told so, at once."""
    async with calling(Limits(max_streams_per_connection=3)) as caller:
        channel = caller.channel()
        first = [caller.call(channel, f"bot{n}") for n in range(3)]
        for call in first:
            await call.write(HELLO)
            await call.read()

        more = [await reason(caller.call(channel, f"bot{n}")) for n in range(3, 12)]
        elsewhere = caller.call(caller.channel(), "bot99")
        await elsewhere.write(HELLO)

        assert [("RESOURCE_EXHAUSTED", "CONNECTION_STREAMS")] * 9 == more
        assert isinstance(await elsewhere.read(), bytes)


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (Limits(max_sessions=1), "ARENA_FULL"),
        (Limits(max_streams_per_bot=1), "BOT_STREAMS"),
        (Limits(max_dials=1), "DIALS"),
    ],
    ids=["full", "streams", "dials"],
)
async def test_each_bound_has_its_reason(limits: Limits, expected: str) -> None:
    """The status is the same, the trailing metadata says which bound it was."""
    async with calling(limits) as caller:
        channel = caller.channel()
        first = caller.call(channel, "bot0")
        await first.write(HELLO)
        await first.read()

        told = await reason(caller.call(channel, "bot0"))

        assert ("RESOURCE_EXHAUSTED", expected) == told


async def test_a_flood_ends_as_faulty_and_is_shut_out() -> None:
    """Real frames, a real end, and the next stream is told when it may come again."""
    limits = Limits(max_useless_messages=20, max_session_faults=3, shut_out_ms=60_000)
    async with calling(limits) as caller:
        token = Secret.fresh()
        caller.server.expect("vandal", token)
        bot = RawBot(caller.address, token.reveal())
        await bot.hello()
        for _ in range(40):
            await bot.send()

        goodbye = await bot.read_until("goodbye")
        await bot.close()
        again: grpc.aio.StreamStreamCall[bytes, bytes] = caller.channel().stream_stream(CONNECT)(
            metadata=(("authorization", f"Bearer {token.reveal()}"),)
        )
        told = await reason(again)
        retry_ms = int(dict(await again.trailing_metadata())[RETRY_KEY])

        assert GOODBYE_REASON_FAULTY == goodbye.goodbye.reason
        assert ("RESOURCE_EXHAUSTED", "SHUT_OUT") == told
        assert 50_000 < retry_ms <= 60_000


@pytest.mark.parametrize("call", ["/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"])
async def test_a_request_that_cannot_be_read_is_refused(call: str) -> None:
    """Garbage in any call is the caller's fault, and told so; gRPC would log its own error."""
    async with calling(Limits()) as caller:
        watch: grpc.aio.UnaryStreamMultiCallable[bytes, bytes]
        watch = caller.channel().unary_stream(call)

        told = await reason(watch(b"\xff\xff"))  # type: ignore[arg-type]  # has the same methods

        assert ("INVALID_ARGUMENT", "UNREADABLE") == told


async def test_a_call_that_does_not_exist_is_refused() -> None:
    """Whoever gets the name wrong is told by the arena itself."""
    async with calling(Limits()) as caller:
        call: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
        call = caller.channel().stream_stream("/euchre_arena.v1.ArenaService/Nothing")

        assert ("UNIMPLEMENTED", "NO_CALL") == await reason(call())


async def test_many_refusals_are_told_slowly_and_all_are_told() -> None:
    """A storm of calls without a token costs the arena little: after some, each waits a second."""
    async with calling(Limits()) as caller:
        connect: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
        connect = caller.channel().stream_stream(CONNECT)
        loop = asyncio.get_running_loop()
        began = loop.time()

        told = await asyncio.gather(*(reason(connect()) for _ in range(30)))

        assert [("UNAUTHENTICATED", "NO_TOKEN")] * 30 == told
        assert loop.time() - began > 0.9
