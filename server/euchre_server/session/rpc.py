"""Owns the gRPC side of a session: the server's settings, the stream, its reader and its writer.

One task reads a stream and hands every frame to the conversation; one writes whatever frames the
conversation has. A read is never waited for with a time-out: in grpc.aio that silently ends the
stream. Requests and responses are raw bytes here; `wire` reads and writes them.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import grpc
from structlog.typing import FilteringBoundLogger

from euchre_arena.v1 import arena_service_pb2
from euchre_server.session.auth import Secret, bearer_token
from euchre_server.session.conversation import Conversation
from euchre_server.session.messages import Limits
from euchre_server.session.recorder import Recorder

__all__ = ["AddressInUse", "Listener", "Reception"]

_GATHER_S = 0.001
_LINGER_S = 1.0
_Context = grpc.aio.ServicerContext[bytes, bytes]


class AddressInUse(OSError):  # noqa: N818  # says what is wrong
    """The address cannot be listened on."""


class Reception(Protocol):
    """Lets callers in."""

    def bot_of(self, token: Secret) -> str | None:
        """Returns the bot that a token was made for."""
        ...

    def turn_away(self, token: Secret | None) -> None:
        """Takes note of a caller who was not let in: the token is missing or not good."""

    def converse(self, bot_name: str, notify: Callable[[], None]) -> Conversation:
        """Returns a new conversation with a bot."""
        ...

    def hung_up(self, conversation: Conversation) -> None:
        """Takes note that a conversation's stream has ended."""


def _options(limits: Limits) -> list[tuple[str, int]]:
    return [
        # A second server on one port must fail, not take half of the bots.
        ("grpc.so_reuseport", 0),
        # Somewhat larger frames are still read, so that the bot can be told what was wrong.
        ("grpc.max_receive_message_length", limits.max_frame_bytes * 4),
        # A frozen bot is noticed after these two together; without the second it takes a minute.
        ("grpc.keepalive_time_ms", limits.idle_ms * 2 // 3),
        ("grpc.http2.ping_timeout_ms", limits.idle_ms // 3),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
        ("grpc.max_concurrent_streams", 16),
    ]


def _bind_socket(server: grpc.aio.Server, path: Path) -> None:
    """Listens on a Unix socket: the way in for a bot that has no network.

    Raises:
        AddressInUse: It cannot be made there.
    """
    with suppress(RuntimeError):
        if server.add_insecure_port(f"unix:{path}"):
            return
    raise AddressInUse(
        f"cannot listen on the Unix socket {path}: its folder must exist, and the "
        "whole path must be shorter than 108 bytes"
    )


class Listener:
    """Listens for bots and carries their streams."""

    def __init__(
        self,
        *,
        reception: Reception,
        recorder: Recorder,
        limits: Limits,
        log: FilteringBoundLogger,
    ) -> None:
        self._reception = reception
        self._recorder = recorder
        self._limits = limits
        self._log = log
        self._server: grpc.aio.Server | None = None
        self._streams = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def start(self, host: str, port: int, sockets: Sequence[Path] = ()) -> str:
        """Listens, on Unix sockets at these paths too; returns the address as HOST:PORT.

        Raises:
            AddressInUse: Something else listens there, it is no address of this machine, or a
                socket cannot be made.
        """
        # gRPC's core writes to standard error past every logger, unless this is set before it runs.
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")
        server = grpc.aio.server(options=_options(self._limits))
        service = arena_service_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name
        handler: Any = grpc.stream_stream_rpc_method_handler(self._connect)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(service, {"Connect": handler}),)
        )
        try:
            bound = server.add_insecure_port(f"{host}:{port}")
        except RuntimeError:
            bound = 0
        if not bound:
            raise AddressInUse(
                f"cannot listen on {host}:{port}: the port is taken or the address is not this "
                "machine's; choose another port, or 0 for a free one"
            )
        for path in sockets:
            _bind_socket(server, path)
        await server.start()
        self._server = server
        return f"{host}:{bound}"

    async def stop(self, grace_s: float) -> None:
        """Waits for the streams to end by themselves, then ends them."""
        try:
            async with asyncio.timeout(grace_s):
                await self._quiet.wait()
        except TimeoutError:
            self._log.warning("streams cut at stop", streams=self._streams)
        if self._server is not None:
            await self._server.stop(0)
            self._server = None

    async def _connect(self, frames: AsyncIterator[bytes], context: _Context) -> None:
        metadata = dict(context.invocation_metadata() or ())
        authorization = metadata.get("authorization")
        token = bearer_token(authorization if isinstance(authorization, str) else None)
        bot_name = None if token is None else self._reception.bot_of(token)
        if bot_name is None:
            self._reception.turn_away(token)
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED,
                "the metadata must hold `authorization: Bearer TOKEN` with a token good now",
            )
        if self._streams >= self._limits.max_sessions:
            await context.abort(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                f"the arena holds {self._limits.max_sessions} sessions already",
            )
        ready = asyncio.Event()
        conversation = self._reception.converse(bot_name, ready.set)
        reader = asyncio.create_task(self._read(frames, conversation))
        self._streams += 1
        self._quiet.clear()
        try:
            await self._write(conversation, context, ready)
            # The bot ends its side when it has read the goodbye. Ending the stream before, while
            # it writes, would show as an error there.
            await asyncio.wait((reader,), timeout=_LINGER_S)
        except BaseException:
            reader.cancel()
            raise
        finally:
            self._streams -= 1
            if not self._streams:
                self._quiet.set()
            conversation.lost()
            self._reception.hung_up(conversation)

    async def _write(
        self, conversation: Conversation, context: _Context, ready: asyncio.Event
    ) -> None:
        """Writes frames until the conversation is over and all has been said."""
        while not conversation.is_drained:
            await ready.wait()
            # A bot that has questions before it loses nothing when more of them come together;
            # one that waits is told at once, with what other streams bring just now.
            if conversation.is_busy:
                await asyncio.sleep(_GATHER_S)
            elif conversation.has_several_tables:
                await asyncio.sleep(0)
            ready.clear()
            recorded = self._recorder.durable()
            if not recorded.done():
                await asyncio.wrap_future(recorded)
            while (frame := conversation.take()) is not None:
                try:
                    async with asyncio.timeout(self._limits.write_within_ms / 1000):
                        await context.write(frame)
                except TimeoutError:
                    conversation.not_reading()
                    await context.abort(
                        grpc.StatusCode.RESOURCE_EXHAUSTED, "too much waited unread"
                    )

    async def _read(self, frames: AsyncIterator[bytes], conversation: Conversation) -> None:
        """Hands on frames until the stream ends, in whatever way."""
        try:
            async for frame in frames:
                conversation.receive(frame)  # after the end it takes no notice
        except grpc.aio.BaseError:
            pass  # the stream is finished: this is how gRPC says so to who still reads
        except Exception:  # noqa: BLE001  # one bot's reader must not take others with it
            self._log.exception("reader failed")
        finally:
            conversation.lost()
