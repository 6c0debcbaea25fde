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
from euchre_arena.wakeups import drain_wakeups
from euchre_server.session.access import current_caller
from euchre_server.session.conversation import Conversation
from euchre_server.session.doorkeeper import Doorkeeper
from euchre_server.session.gate import Gate
from euchre_server.session.messages import Limits
from euchre_server.session.names import name_of
from euchre_server.session.refusal import Reason, Refusal, refuse
from euchre_server.session.services import Health, add_reflection
from euchre_server.session.tls import ServerTls, is_loopback
from euchre_server.session.turnstile import Turnstile

__all__ = ["AddressInUse", "Listener", "Reception", "Unprotected", "check_protected"]

_GATHER_S = 0.001
_LINGER_S = 1.0
_LAST_WORD_S = 0.2
"""For calls that are about to end by themselves."""
_MOST_UNHEARD = 32
_Context = grpc.aio.ServicerContext[bytes, bytes]


class AddressInUse(OSError):  # noqa: N818  # says what is wrong
    """The address cannot be listened on."""


class Unprotected(AddressInUse):
    """The address must not be listened on like this."""


class Reception(Protocol):
    """Lets callers in."""

    door: Doorkeeper

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
        # Beyond this number a stream waits and is told nothing, so the turnstile refuses before.
        ("grpc.max_concurrent_streams", limits.max_streams_per_connection * 2),
    ]


def check_protected(host: str, *, tls: bool, insecure: bool) -> None:
    """Makes sure that tokens and cards do not travel readable beyond this machine.

    Args:
        host: Where the arena is to listen.
        tls: Whether it would speak TLS.
        insecure: Whether it was said that it need not.

    Raises:
        Unprotected: They would.
    """
    if not (tls or insecure or is_loopback(host)):
        raise Unprotected(
            f"will not listen on {host} without TLS: tokens and cards could be read on the way; "
            "give --tls-cert and --tls-key (docs/operations.md has a recipe), or say --insecure "
            "if something else protects the way"
        )


def _at(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host and not host.startswith("[") else f"{host}:{port}"


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
        turnstile: Turnstile,
        limits: Limits,
        log: FilteringBoundLogger,
    ) -> None:
        self._reception = reception
        self._limits = limits
        self._log = log
        self._server: grpc.aio.Server | None = None
        self._health: Health | None = None
        self._turnstile = turnstile
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def start(
        self,
        host: str,
        port: int,
        sockets: Sequence[Path] = (),
        *,
        services: Sequence[grpc.ServiceRpcHandler] = (),
        tls: ServerTls | None = None,
        insecure: bool = False,
        reflection: bool = False,
    ) -> str:
        """Listens, on Unix sockets at these paths too; returns the address as HOST:PORT.

        Args:
            host: The address to listen at.
            port: The port; 0 for any free one.
            sockets: Unix sockets, which never speak TLS: no network can see them.
            services: What else is served beside bots.
            tls: What it proves itself with.
            insecure: Whether it may listen beyond loopback without that.
            reflection: Whether callers may ask what the services look like.

        Raises:
            Unprotected: It would listen beyond loopback without TLS.
            AddressInUse: Something else listens there, it is no address of this machine, or a
                socket cannot be made.
        """
        check_protected(host, tls=tls is not None, insecure=insecure)
        # gRPC's core writes to standard error past every logger, unless this is set before it runs.
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")
        door = self._reception.door
        gate = Gate(door.authoriser, door.turned_away, self._turnstile.hold)
        server = grpc.aio.server(interceptors=(gate,), options=_options(self._limits))
        service = arena_service_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name
        handler: Any = grpc.stream_stream_rpc_method_handler(self._connect)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(service, {"Connect": handler}), *services)
        )
        names = (service, *(other.service_name() or "" for other in services))
        if reflection:
            add_reflection(server, names)
        self._health = Health(names)
        await self._health.serve(server)
        try:
            bound = (
                server.add_insecure_port(_at(host, port))
                if tls is None
                else server.add_secure_port(_at(host, port), tls.credentials(self._log))
            )
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
        drain_wakeups(asyncio.get_running_loop())
        self._server = server
        return _at(host, bound)

    async def not_serving(self) -> None:
        """Tells whoever asks after the arena's health that nobody should come any more."""
        if self._health is not None:
            await self._health.not_serving()

    async def stop(self, grace_s: float) -> None:
        """Waits for the streams to end by themselves, then ends them."""
        try:
            async with asyncio.timeout(grace_s):
                await self._quiet.wait()
        except TimeoutError:
            self._log.warning("streams cut at stop", streams=self._turnstile.stream_count)
        if self._server is not None:
            await self._server.stop(_LAST_WORD_S)
            self._server = None

    async def _connect(self, frames: AsyncIterator[bytes], context: _Context) -> None:
        bot_name = current_caller().name
        peer = context.peer()
        try:
            self._turnstile.enter(bot_name, peer)
        except Refusal as refusal:
            if await self._turnstile.hold(refusal.reason):
                self._log.info(
                    "stream refused", bot=name_of(bot_name), reason=refusal.reason.lower()
                )
            await refuse(
                context,
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                refusal.reason,
                str(refusal),
                retry_ms=refusal.retry_ms,
            )
        ready = asyncio.Event()
        conversation = self._reception.converse(bot_name, ready.set)
        reader = asyncio.create_task(self._read(frames, conversation))
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
            self._turnstile.leave(bot_name, peer)
            if not self._turnstile.stream_count:
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
            while conversation.has_more:
                await self._kept(conversation)
                frame = conversation.take()
                if frame is None:
                    break
                try:
                    async with asyncio.timeout(self._limits.write_within_ms / 1000):
                        await context.write(frame)
                except TimeoutError:
                    conversation.not_reading()
                    await refuse(
                        context,
                        grpc.StatusCode.RESOURCE_EXHAUSTED,
                        Reason.SLOW_READER,
                        "too much waited unread",
                    )

    async def _kept(self, conversation: Conversation) -> None:
        """Waits until all that the next frame tells of is kept as safely as was agreed."""
        while journals := conversation.take_journals():
            for journal, table_ids in journals.items():
                recorded = journal.recorder.durable()
                try:
                    if recorded.done():
                        recorded.result()  # it may have failed already
                    else:
                        await asyncio.wrap_future(recorded)
                except OSError as error:
                    conversation.not_kept(journal, table_ids, error)

    async def _read(self, frames: AsyncIterator[bytes], conversation: Conversation) -> None:
        """Hands on frames until the stream ends, in whatever way."""
        unheard = 0
        try:
            async for frame in frames:
                conversation.receive(frame)  # after the end it takes no notice
                unheard += conversation.is_over
                if unheard > _MOST_UNHEARD:
                    break  # who goes on talking is not waiting for the end
        except grpc.aio.BaseError:
            pass  # the stream is finished: this is how gRPC says so to who still reads
        except Exception:  # noqa: BLE001  # one bot's reader must not take others with it
            self._log.exception("reader failed", bot=name_of(conversation.line.bot_name))
        finally:
            conversation.lost()
