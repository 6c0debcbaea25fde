"""Owns the connection: dials the arena, carries frames, and plays until the arena says goodbye.

Must not know actions or rules. Everything happens on one event loop, without threads: a plain
`decide` runs between two reads, an `async` one as a task of its own.
"""

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import grpc
import grpc.aio

from euchre_arena.errors import LostError, RefusedError, SetupError
from euchre_arena.events import Goodbye, GoodbyeReason
from euchre_arena.player import Player, failed
from euchre_arena.session import Introduction, Session
from euchre_arena.v1.arena_service_pb2_grpc import ArenaServiceStub

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from euchre_arena.actions import Action
    from euchre_arena.bot import Bot
    from euchre_arena.decision import Decision
    from euchre_arena.v1 import arena_service_pb2 as pb

    _Call = grpc.aio.StreamStreamCall[pb.ConnectRequest, pb.ConnectResponse]

__all__ = ["CHANNEL_OPTIONS", "Address", "play"]

# A silent connection is probed, so that a bot may think for as long as its clock allows and still
# notice a dead arena. The arena permits a probe every five seconds (docs/protocol.md, keepalive).
CHANNEL_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.enable_http_proxy", 0),
    ("grpc.enable_retries", 0),
    ("grpc.max_receive_message_length", 4 << 20),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where the arena is and how to get in.

    Attributes:
        server: `HOST:PORT`, or `unix:PATH`.
        token: The bot's token; never shown.
        dial_timeout_s: How long to wait for the connection, and then for the arena's Welcome.
    """

    server: str
    token: str
    dial_timeout_s: float = 30.0

    def __repr__(self) -> str:
        return f"Address(server={self.server!r})"


async def play(bot: "Bot", address: Address, introduction: Introduction) -> Goodbye:
    """Plays until the arena says goodbye, and returns what it said.

    Raises:
        SetupError: The arena could not be reached, or does not speak this protocol.
        RefusedError: The arena did not let the bot in.
        LostError: The connection broke off, or the arena ended the session for a fault.
        BotError: The bot's own code failed.
        ProtocolError: The arena sent what makes no sense.
    """
    async with grpc.aio.insecure_channel(address.server, options=CHANNEL_OPTIONS) as channel:
        try:
            async with asyncio.timeout(address.dial_timeout_s):
                await channel.channel_ready()
        except TimeoutError:
            raise SetupError(
                f"no arena answered at {address.server} within {address.dial_timeout_s:g} s"
            ) from None
        call = ArenaServiceStub(channel).Connect(
            metadata=(("authorization", f"Bearer {address.token}"),)
        )
        return await _Connection(call, bot, Session(introduction)).run(address)


class _Connection:
    """Carries one session over one stream."""

    def __init__(self, call: "_Call", bot: "Bot", session: Session) -> None:
        self._call = call
        self._session = session
        self._player = Player(bot, session, self._later)
        self._tasks = asyncio.TaskGroup()
        self._thinking: dict[asyncio.Task[None], Decision] = {}
        self._writing = asyncio.Lock()

    async def run(self, address: Address) -> Goodbye:
        loop = asyncio.get_running_loop()
        # A time-out around a read would end the stream (grpc.aio), so a timer cancels the call.
        deadline = loop.call_later(address.dial_timeout_s, self._cancel_unless_welcome)
        try:
            async with self._tasks:
                reader = self._tasks.create_task(self._read())
                await self._wait_for(reader)
        except BaseExceptionGroup as group:
            error = _explained(group.exceptions[0], address)
            raise error from error.__cause__
        finally:
            deadline.cancel()
            self._call.cancel()
        if self._session.welcome is None and self._session.goodbye is None:
            raise SetupError(
                f"{address.server} took the connection but sent no Welcome within "
                f"{address.dial_timeout_s:g} s"
            )
        return _ending(self._session.goodbye)

    def _cancel_unless_welcome(self) -> None:
        if self._session.welcome is None:
            self._call.cancel()

    async def _wait_for(self, reader: asyncio.Task[None]) -> None:
        try:
            # Not a plain await: cancelling that would cancel the read, and with it the stream.
            await asyncio.wait((reader,))
        except asyncio.CancelledError:
            if not reader.cancelling():  # it is, when it was not we who were interrupted
                self._session.leave("interrupted")
                await self._flush()
                await self._finish()
                reader.cancel()
            raise
        for task in self._thinking:
            task.cancel()

    async def _read(self) -> None:
        await self._flush()
        async for frame in self._call:
            self._player.receive(frame)
            for task, decision in self._thinking.items():
                if not self._session.is_open(decision):
                    task.cancel()
            if self._session.goodbye:
                await self._finish()
                return
            await self._flush()

    async def _flush(self) -> None:
        # A stream that the arena has ended takes nothing more, but may still hold its goodbye:
        # so a failed write says nothing, and the reader finds out how the stream ended.
        async with self._writing:
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                for frame in self._session.take():
                    await self._call.write(frame)

    async def _finish(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self._call.done_writing()

    def _later(self, decision: "Decision", action: "Awaitable[Action]", asked_at: float) -> None:
        task = self._tasks.create_task(self._think(decision, action, asked_at))
        self._thinking[task] = decision
        task.add_done_callback(self._thinking.pop)

    async def _think(
        self, decision: "Decision", action: "Awaitable[Action]", asked_at: float
    ) -> None:
        try:
            answer = await action
        except Exception as error:
            raise failed("decide", decision) from error
        self._player.settle(decision, answer, asked_at)
        await asyncio.sleep(0)  # whoever is ready in this turn of the loop goes into the same frame
        await self._flush()


def _ending(goodbye: Goodbye | None) -> Goodbye:
    if goodbye is None:
        raise LostError("the arena ended the connection without a goodbye")
    text = goodbye.text or goodbye.reason.name.lower()
    match goodbye.reason:
        case GoodbyeReason.REFUSED:
            raise RefusedError(f"the arena refused the bot: {text}")
        case GoodbyeReason.FENCED | GoodbyeReason.FAULTY | GoodbyeReason.SLOW_READER:
            raise LostError(f"the arena ended the session: {text}")
        case _:
            return goodbye


def _explained(error: BaseException, address: Address) -> BaseException:
    """Returns what is to be raised for the first failure of a connection's tasks."""
    if not isinstance(error, grpc.aio.AioRpcError):
        return error
    details = error.details() or error.code().name
    match error.code():
        case grpc.StatusCode.UNAUTHENTICATED | grpc.StatusCode.PERMISSION_DENIED:
            return RefusedError(f"the arena at {address.server} refused the token: {details}")
        case grpc.StatusCode.RESOURCE_EXHAUSTED:
            return RefusedError(f"the arena at {address.server} is full: {details}")
        case grpc.StatusCode.UNIMPLEMENTED:
            return SetupError(f"{address.server} is no Euchre arena: {details}")
        case code:
            return LostError(f"lost the connection to {address.server}: {code.name}, {details}")
