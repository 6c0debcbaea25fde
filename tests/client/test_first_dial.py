"""Promises about an arena that is not there yet when a bot dials for the first time."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest
from fake_arena import TOKEN, Peer, fake_arena

from euchre_arena import GoodbyeReason, RefusedError, SetupError
from euchre_arena.bot import FunctionBot
from euchre_arena.dial import CHANNEL_OPTIONS, Address, play
from euchre_arena.events import Goodbye
from euchre_arena.reach import connected
from euchre_arena.redial import Patience, Redial
from euchre_arena.session import Introduction
from euchre_arena.v1 import arena_service_pb2 as pb

FAST = Redial(within_s=0, first_s=0.002, most_s=0.02)
"""Never comes back after a loss: what is tried here is tried before the first Welcome."""
LONG_S = 60.0
"""More than any of these tests may take: who gives up at once does not wait for it."""


async def dial(server: str, *, within_s: float = LONG_S, token: str = TOKEN) -> Goodbye:
    """Plays with a bot that has never been welcome."""
    bot = FunctionBot(lambda decision: decision.legal[0])
    address = Address(server=server, token=token, dial_timeout_s=within_s)
    return await play(bot, address, Introduction(), redial=FAST)


class Dials:
    """Ends the first so many streams before Welcome in some way, and welcomes the next."""

    def __init__(self, *, failing: int, code: grpc.StatusCode | None = None) -> None:
        self.count = 0
        self._failing, self._code = failing, code

    async def __call__(self, peer: Peer) -> None:
        """Plays the arena's part on one stream."""
        self.count += 1
        if self.count > self._failing:
            await peer.welcome()
            await peer.say_goodbye()
        elif self._code is not None:
            await peer.context.abort(self._code, "because")


@asynccontextmanager
async def closing(port: int = 0) -> AsyncIterator[tuple[int, asyncio.Event]]:
    """Takes every connection and closes it; yields the port, and what is set at the third."""
    count, thrice = 0, asyncio.Event()

    def close(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        count += 1
        writer.close()
        if count == 3:
            thrice.set()

    async with await asyncio.start_server(close, "127.0.0.1", port) as server:
        yield server.sockets[0].getsockname()[1], thrice


@pytest.mark.parametrize(
    "code",
    [
        None,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    ],
)
async def test_a_stream_that_ends_before_welcome_is_dialled_again(
    code: grpc.StatusCode | None,
) -> None:
    """An arena that starts, stops or is full may end a call, with a status or without."""
    dials = Dials(failing=3, code=code)
    async with fake_arena(dials) as server:
        goodbye = await dial(server)

    assert (GoodbyeReason.DONE, 4) == (goodbye.reason, dials.count)


async def test_an_arena_that_comes_later_is_found() -> None:
    """Connections that are cut, then refused, then taken: the bot plays."""
    async with closing() as (port, thrice):
        playing = asyncio.create_task(dial(f"127.0.0.1:{port}"))
        await thrice.wait()
    async with fake_arena(Dials(failing=0), port=port):
        goodbye = await playing

    assert GoodbyeReason.DONE is goodbye.reason


async def test_an_arena_that_drains_at_once_is_dialled_again() -> None:
    """DRAINING with a time, before Welcome, is a stop like any other."""
    count = 0

    async def script(peer: Peer) -> None:
        nonlocal count
        count += 1
        if count > 1:
            await peer.welcome()
            await peer.say_goodbye()
            return
        goodbye = pb.Goodbye(reason=pb.GOODBYE_REASON_DRAINING, redial_after_ms=1)
        await peer.send(pb.ArenaMessage(goodbye=goodbye))

    async with fake_arena(script) as server:
        goodbye = await dial(server)

    assert (GoodbyeReason.DONE, 2) == (goodbye.reason, count)


async def test_a_silent_arena_is_dialled_until_the_time_is_out() -> None:
    """The error says what was tried, for how long, and how it ended."""
    dials = Dials(failing=10**6, code=grpc.StatusCode.UNAVAILABLE)
    async with fake_arena(dials) as server:
        with pytest.raises(SetupError) as given_up:
            await dial(server, within_s=0.4)

    assert dials.count > 2
    first, last = str(given_up.value).split("; ")
    # grpc.aio may lose the status of a stream that ends before our first frame is out.
    assert first.removesuffix(": UNAVAILABLE, because") == (
        f"{server} ended the connection before its Welcome"
    )
    assert f"dialled {dials.count} times within 0.4 s" == last


async def test_who_waits_for_a_first_connection_can_be_interrupted() -> None:
    """An interrupt ends the wait at once."""
    async with closing() as (port, thrice):
        playing = asyncio.create_task(dial(f"127.0.0.1:{port}", within_s=1_000))
        await thrice.wait()
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing


async def test_a_wrong_token_is_not_dialled_with_again() -> None:
    """A refusal is final, whatever time there is."""
    async with fake_arena(Dials(failing=0)) as server:
        with pytest.raises(RefusedError, match=r"refused the token: the token is not known$"):
            await dial(server, token="wrong-one")  # noqa: S106 - that it is none is the point


async def test_a_refused_hello_is_not_said_again() -> None:
    """Goodbye before Welcome is final, too."""

    async def script(peer: Peer) -> None:
        await peer.say_goodbye(pb.GOODBYE_REASON_REFUSED, "no such game")

    async with fake_arena(script) as server:
        with pytest.raises(RefusedError, match=r"no such game$"):
            await dial(server)


async def test_a_web_server_is_told_at_once() -> None:
    """Who speaks HTTP/1 will not turn into an arena."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as web:
        server = f"127.0.0.1:{web.sockets[0].getsockname()[1]}"
        with pytest.raises(SetupError, match=rf"^{re.escape(server)} is no Euchre arena: it speak"):
            await dial(server)


async def test_what_cannot_be_a_host_is_told_at_once() -> None:
    """A name that nobody can have is not looked up for ever."""
    with pytest.raises(SetupError, match=r"^'a\.\.b' cannot be the name of a host"):
        await dial("a..b:50051")


async def test_a_refused_connection_is_told_with_its_reason() -> None:
    """The reason that the system gives is in the error, for bots and for operators alike."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        server = f"127.0.0.1:{taken.getsockname()[1]}"
        sentence = (
            rf"^no arena answered at {server} \(.*refused\); dialled \d+ times within 0\.4 s$"
        )
        with pytest.raises(SetupError, match=sentence):
            await dial(server, within_s=0.4)
        patience = Patience(Redial(within_s=0.4, first_s=0.02, most_s=0.02))
        with pytest.raises(SetupError, match=sentence):
            await connected(server, None, CHANNEL_OPTIONS, patience=patience)


async def test_an_operator_finds_an_arena_that_comes_later() -> None:
    """Whoever manages matches waits for the arena as a bot does."""
    async with closing() as (port, thrice):
        patience = Patience(Redial(within_s=LONG_S, first_s=0.002, most_s=0.02))
        connecting = asyncio.create_task(
            connected(f"127.0.0.1:{port}", None, CHANNEL_OPTIONS, patience=patience)
        )
        await thrice.wait()
    async with fake_arena(Dials(failing=0), port=port):
        channel = await connecting

        assert grpc.ChannelConnectivity.READY is channel.get_state()
        await channel.close()
