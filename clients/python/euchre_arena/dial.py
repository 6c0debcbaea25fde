"""Owns the connection: dials the arena, carries frames, and plays until the arena says goodbye.

An arena that is not there, or says no Welcome, is dialled again, and so is one whose stream ends
without a goodbye: session, tables and whatever is being thought about outlive it. A goodbye is
final, unless the arena says when to come back.

Must not know actions or rules. Everything happens on one event loop, without threads: a plain
`decide` runs between two reads, an `async` one as a task of its own.
"""

import asyncio
import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import grpc
import grpc.aio

from euchre_arena.errors import (
    BotExitError,
    BotInterruptedError,
    LostError,
    RefusedError,
    SetupError,
)
from euchre_arena.events import Goodbye, GoodbyeReason
from euchre_arena.player import Player, failed
from euchre_arena.reach import CutError, reach
from euchre_arena.redial import Patience, Redial
from euchre_arena.session import Introduction, Session
from euchre_arena.tls import Tls, open_channel
from euchre_arena.v1.arena_service_pb2_grpc import ArenaServiceStub
from euchre_arena.wakeups import drain_wakeups

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
    # Else a new channel would inherit the waiting time of the one that failed.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", 4 << 20),
)

_LONGEST_TOKEN: Final = 1024
_HEARD_WITHIN_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where the arena is and how to get in.

    Attributes:
        server: `HOST:PORT`, or `unix:PATH`.
        token: The bot's token; never shown.
        dial_timeout_s: For how long to dial until the arena's Welcome, the first time; and at
            most how long to wait for it on one connection.
        tls: What protects the connection; nothing, unless it is given.
    """

    server: str
    token: str
    dial_timeout_s: float = 30.0
    tls: Tls | None = None

    def __post_init__(self) -> None:
        """Makes sure that the token can be sent, which gRPC would only fail at.

        Raises:
            SetupError: It has other characters than a header may have, or too many.
        """
        token = self.token
        if not (token.isascii() and token.isprintable() and len(token) <= _LONGEST_TOKEN):
            raise SetupError(
                "the token cannot be one: it is longer than any, or holds a line break or other "
                "characters than plain letters, digits and signs; set EUCHRE_ARENA_TOKEN to the "
                "one line that was printed when it was made"
            )

    def __repr__(self) -> str:
        return f"Address(server={self.server!r})"


async def play(
    bot: "Bot", address: Address, introduction: Introduction, *, redial: Redial | None = None
) -> Goodbye:
    """Plays until the arena says goodbye, and returns what it said.

    Args:
        bot: The bot.
        address: Where to dial.
        introduction: What the bot says of itself.
        redial: How to dial again after a loss; as usual unless given.

    Raises:
        SetupError: The arena could not be reached, or does not speak this protocol.
        RefusedError: The arena did not let the bot in.
        LostError: The connection broke off and did not come back, or the arena ended the session
            for a fault.
        BotError: The bot's own code failed.
        ProtocolError: The arena sent what makes no sense.
    """
    return await _Play(bot, address, introduction, redial or Redial()).run()


class _Play:
    """Carries one bot's play over as many connections as it takes."""

    def __init__(
        self, bot: "Bot", address: Address, introduction: Introduction, redial: Redial
    ) -> None:
        self._address = address
        self._redial = redial
        self._first_patience = Patience(replace(redial, within_s=address.dial_timeout_s))
        self._next_patience = Patience(redial)
        self._session = Session(introduction)
        self._player = Player(bot, self._session, self._later)
        self._tasks = asyncio.TaskGroup()
        self._thinking: dict[asyncio.Task[None], Decision] = {}
        self._writing = asyncio.Lock()
        self._call: _Call | None = None
        self._leaving = False

    async def run(self) -> Goodbye:
        try:
            async with self._tasks:
                playing = self._tasks.create_task(self._play_on())
                await self._wait_for(playing)
        except BaseExceptionGroup as group:
            error = group.exceptions[0]
            raise error from error.__cause__
        return playing.result()

    async def _wait_for(self, playing: asyncio.Task[Goodbye]) -> None:
        try:
            # Not a plain await: cancelling that would cancel the read, and with it the stream.
            await asyncio.wait((playing,))
        except asyncio.CancelledError:
            if not playing.cancelling():  # it is, when it was not we who were interrupted
                self._leaving = True
                await self._leave()
                playing.cancel()
            raise
        for task in self._thinking:
            task.cancel()

    # One connection after the other

    async def _play_on(self) -> Goodbye:
        """Holds a connection, and after a loss the next, until a goodbye is final."""
        loss: str | None = None  # of the session, as long as it has not been won back
        session, loop = self._session, asyncio.get_running_loop()
        while True:
            pause_s, began = 0.0, loop.time()
            try:
                goodbye = await self._hold()
            except (CutError, SetupError) as error:
                if self._leaving:
                    raise asyncio.CancelledError from None
                # Who has been welcome is set up well; the arena is another one, or is being mended.
                if session.welcome is None and isinstance(error, SetupError):
                    raise
                text = str(error)
            else:
                if not self._is_to_come_back(goodbye):
                    return goodbye
                pause_s = (goodbye.redial_after_ms or 0) / 1000
                text = f"the arena stops for a while: {goodbye.text or 'it did not say why'}"
            patience = self._patience
            if session.is_welcome:
                loss = text
                patience.held(loop.time() - began, was_asked=session.was_asked)
            else:
                patience.spend(loop.time() - began)
            delay_s = patience.next_delay_s()
            if delay_s is None:
                raise self._given_up(loss, text)
            if session.is_welcome:
                self._player.disconnected(text)
            await asyncio.sleep(pause_s + delay_s)
            session.restart()

    @property
    def _patience(self) -> Patience:
        return self._first_patience if self._session.welcome is None else self._next_patience

    def _given_up(self, loss: str | None, text: str) -> Exception:
        """Returns what ends a bot that has dialled for long enough."""
        if loss is None:
            return SetupError(f"{text}; {self._first_patience.told()}")
        if not self._redial.within_s:
            return LostError(loss)
        why = "" if text == loss else f": {text}"
        return LostError(f"{loss}; not back within {self._redial.within_s:g} s{why}")

    def _is_to_come_back(self, goodbye: Goodbye) -> bool:
        return (
            goodbye.reason is GoodbyeReason.DRAINING
            and goodbye.redial_after_ms is not None
            and (self._redial.within_s > 0 or self._session.welcome is None)
        )

    async def _hold(self) -> Goodbye:
        """Dials, and returns the goodbye with which the stream ended."""
        address, session = self._address, self._session
        within_s = min(address.dial_timeout_s, self._patience.for_one_try_s)
        began = asyncio.get_running_loop().time()
        async with open_channel(address.server, address.tls, CHANNEL_OPTIONS) as channel:
            drain_wakeups(asyncio.get_running_loop())
            await reach(channel, address.server, address.tls, within_s=within_s)
            call = self._call = ArenaServiceStub(channel).Connect(
                metadata=(("authorization", f"Bearer {address.token}"),)
            )
            await self._carry(call, began, within_s)
        if session.goodbye is not None:
            return _ending(session.goodbye)
        if session.is_welcome:
            raise CutError("the arena ended the connection without a goodbye")
        raise CutError(f"{address.server} ended the connection before its Welcome")

    async def _carry(self, call: "_Call", began: float, within_s: float) -> None:
        """Carries frames until the stream ends, or no Welcome has come so soon after a moment."""
        late = asyncio.Event()

        def cancel_unless_welcome() -> None:
            if not self._session.is_welcome:
                late.set()
                call.cancel()

        # A time-out around a read would end the stream (grpc.aio), so a timer cancels the call.
        deadline = asyncio.get_running_loop().call_at(began + within_s, cancel_unless_welcome)
        try:
            await self._read(call)
        except grpc.aio.AioRpcError as error:
            raise self._explained(error) from error
        except BotInterruptedError:
            await self._leave()
            raise
        except asyncio.CancelledError:
            if (task := asyncio.current_task()) and task.cancelling():
                raise
            server = self._address.server  # grpc.aio raises this also when the other end cancels
            raise CutError(
                f"{server} took the connection but sent no Welcome within {round(within_s, 1):g} s"
                if late.is_set()
                else f"lost the connection to {server}: CANCELLED"
            ) from None
        finally:
            deadline.cancel()
            call.cancel()
            self._call = None

    def _explained(self, error: grpc.aio.AioRpcError) -> Exception:
        """Returns what is to be raised for the status with which a stream broke."""
        server, code = self._address.server, error.code()
        details = error.details() or code.name
        match code:
            case grpc.StatusCode.UNAUTHENTICATED | grpc.StatusCode.PERMISSION_DENIED:
                return RefusedError(f"the arena at {server} refused the token: {details}")
            case grpc.StatusCode.UNIMPLEMENTED:
                return SetupError(f"{server} is no Euchre arena: {details}")
            case _ if self._session.is_welcome:
                return CutError(f"lost the connection to {server}: {code.name}, {details}")
            case grpc.StatusCode.RESOURCE_EXHAUSTED:
                return CutError(f"the arena at {server} did not let the bot in: {details}")
            case grpc.StatusCode.INTERNAL:
                # A write that fails overwrites the status with which the arena ended the stream,
                # such as a refused token. Whether it does is a race: another try tells the reason.
                return CutError(f"{server} ended the connection before its Welcome")
            case _:
                return CutError(
                    f"{server} ended the connection before its Welcome: {code.name}, {details}"
                )

    # Frames

    async def _read(self, call: "_Call") -> None:
        await self._flush()
        async for frame in call:
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
        # so a failed write says nothing, and the reader finds out how the stream ended. An answer
        # that is lost with it is sent again if the arena puts its question again.
        async with self._writing:
            if self._call is None:
                return
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                for frame in self._session.take():
                    await self._call.write(frame)

    async def _finish(self) -> None:
        if self._call is not None:
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await self._call.done_writing()

    async def _leave(self) -> None:
        """Says goodbye, since somebody has interrupted the bot."""
        self._session.leave("interrupted")
        await self._flush()
        await self._finish()
        await self._heard()

    async def _heard(self) -> None:
        """Waits a little for the arena to end the stream, having read that the bot leaves.

        A call that is cancelled at once may take with it what was written last.
        """
        if self._call is not None:
            ended = asyncio.ensure_future(self._call.code())
            await asyncio.wait((ended,), timeout=_HEARD_WITHIN_S)
            ended.cancel()

    # Thinking

    def _later(self, decision: "Decision", action: "Awaitable[Action]", asked_at: float) -> None:
        task = self._tasks.create_task(self._think(decision, action, asked_at))
        self._thinking[task] = decision
        task.add_done_callback(lambda task: self._thinking.pop(task, None))
        if asyncio.iscoroutine(action):
            # Called off before it began, it would be reported to the bot's author as never awaited.
            task.add_done_callback(lambda _: action.close())

    async def _think(
        self, decision: "Decision", action: "Awaitable[Action]", asked_at: float
    ) -> None:
        try:
            answer = await action
        except SystemExit as exit_:
            raise BotExitError(exit_.code) from exit_
        except KeyboardInterrupt:
            raise BotInterruptedError from None
        except Exception as error:
            raise failed("decide", decision) from error
        if (task := asyncio.current_task()) is not None:
            # Called off while it writes, it would take the whole stream with it (grpc.aio).
            self._thinking.pop(task, None)
        self._player.settle(decision, answer, asked_at)
        await asyncio.sleep(0)  # whoever is ready in this turn of the loop goes into the same frame
        await self._flush()


def _ending(goodbye: Goodbye) -> Goodbye:
    text = goodbye.text or goodbye.reason.name.lower()
    match goodbye.reason:
        case GoodbyeReason.REFUSED:
            raise RefusedError(f"the arena refused the bot: {text}")
        case GoodbyeReason.FENCED | GoodbyeReason.FAULTY | GoodbyeReason.SLOW_READER:
            raise LostError(f"the arena ended the session: {text}")
        case _:
            return goodbye
