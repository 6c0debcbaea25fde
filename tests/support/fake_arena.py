"""Serves the arena's protocol on loopback as a test wants it: a script instead of a referee."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc
import grpc.aio

from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.v1 import rules_pb2, table_pb2, view_pb2
from euchre_arena.v1.arena_service_pb2_grpc import (
    ArenaServiceServicer,
    add_ArenaServiceServicer_to_server,
)

__all__ = ["TOKEN", "Peer", "Script", "decision", "fake_arena", "opening", "table_closed"]

TOKEN = "let-me-in"  # noqa: S105 - known to nobody but these tests
_Context = grpc.aio.ServicerContext[pb.ConnectRequest, pb.ConnectResponse]


class Peer:
    """One bot at the other end of a stream, as the script sees it.

    Attributes:
        frames: Every frame received, in order.
        context: The call.
    """

    def __init__(self, context: _Context) -> None:
        self.frames: list[pb.ConnectRequest] = []
        self.context = context
        self._inbox: asyncio.Queue[pb.ConnectRequest | None] = asyncio.Queue()

    async def pump(self, frames: AsyncIterator[pb.ConnectRequest]) -> None:
        """Moves frames into the inbox; None marks the end."""
        async for frame in frames:
            self.frames.append(frame)
            await self._inbox.put(frame)
        await self._inbox.put(None)

    async def receive(self) -> list[pb.BotMessage] | None:
        """Returns the messages of the next frame; None when the bot has closed its side."""
        frame = await self._inbox.get()
        return None if frame is None else list(frame.messages)

    async def send(self, *messages: pb.ArenaMessage) -> None:
        """Sends one frame."""
        await self.context.write(pb.ConnectResponse(messages=messages))

    async def say_goodbye(
        self, reason: "pb.GoodbyeReason.ValueType" = pb.GOODBYE_REASON_DONE, text: str = ""
    ) -> None:
        """Sends Goodbye."""
        await self.send(pb.ArenaMessage(goodbye=pb.Goodbye(reason=reason, text=text)))

    async def welcome(self) -> pb.Hello:
        """Waits for Hello, answers it, and returns it.

        Raises:
            AssertionError: Something else came first.
        """
        messages = await self.receive()
        if not messages or messages[0].WhichOneof("message") != "hello":
            raise AssertionError(f"expected Hello, got {messages}")
        limits = pb.Limits(max_frame_bytes=65_536, max_annotation_bytes=256)
        welcome = pb.Welcome(
            protocol_version=1,
            resume_token="again",  # noqa: S106 - known to nobody but these tests
            limits=limits,
        )
        await self.send(pb.ArenaMessage(welcome=welcome))
        return messages[0].hello


Script = Callable[[Peer], Awaitable[None]]


class _Servicer(ArenaServiceServicer):
    def __init__(self, script: Script) -> None:
        self._script = script

    async def Connect(  # type: ignore[override]  # an async servicer  # noqa: N802
        self, request_iterator: AsyncIterator[pb.ConnectRequest], context: _Context
    ) -> None:
        metadata = dict(context.invocation_metadata() or ())
        if metadata.get("authorization") != f"Bearer {TOKEN}":
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the token is not known")
        peer = Peer(context)
        pump = asyncio.create_task(peer.pump(request_iterator))
        try:
            await self._script(peer)
        finally:
            pump.cancel()


@asynccontextmanager
async def fake_arena(
    script: Script, credentials: grpc.ServerCredentials | None = None, *, port: int = 0
) -> AsyncIterator[str]:
    """Serves the script, with TLS if there are credentials; yields the address.

    Args:
        script: What the arena does on each stream.
        credentials: What it listens with.
        port: Where; on a free one unless given.
    """
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    add_ArenaServiceServicer_to_server(_Servicer(script), server)
    port = (
        server.add_insecure_port(f"127.0.0.1:{port}")
        if credentials is None
        else server.add_secure_port(f"127.0.0.1:{port}", credentials)
    )
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)


def opening(table_id: str = "t") -> pb.ArenaMessage:
    """Returns the opening of a three-handed table."""
    rules = rules_pb2.Ruleset(preset="three-handed", game=rules_pb2.GAME_THREE_HANDED, seat_count=3)
    rules.options.add(name="deck", text="24")
    rules.options.add(name="target", number=10)
    return pb.ArenaMessage(
        table_opened=table_pb2.TableOpened(table_id=table_id, seat=0, ruleset=rules, bot_seed=5)
    )


def decision(number: int = 1, table_id: str = "t") -> pb.ArenaMessage:
    """Returns a decision between pass and order."""
    view = view_pb2.View(
        seat=0, phase=view_pb2.PHASE_BID1, to_act=0, dealer=2, card_counts=[5, 5, 5]
    )
    message = table_pb2.Decision(table_id=table_id, decision_id=number, view=view)
    message.legal.add(kind=1)
    message.legal.add(kind=2)
    return pb.ArenaMessage(decision=message)


def table_closed(table_id: str = "t") -> pb.ArenaMessage:
    """Returns the closing of a table."""
    return pb.ArenaMessage(table_closed=table_pb2.TableClosed(table_id=table_id))
