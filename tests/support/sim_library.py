"""Bots of the client library in the simulation: the real `dial.play`, on a channel of ours.

Owns what stands for grpc.aio on the client's side. Session, player and redial are the real ones.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self
from unittest import mock

import grpc
from sim_bots import Manners, chosen
from sim_stream import StreamCheck
from sim_world import MS, Process

from euchre_arena import dial as dial_module
from euchre_arena import player as player_module
from euchre_arena.actions import Action
from euchre_arena.bot import Bot
from euchre_arena.cards import Card
from euchre_arena.dial import Address, play
from euchre_arena.errors import ArenaError
from euchre_arena.legal import Choose
from euchre_arena.redial import Patience, Redial
from euchre_arena.session import Introduction
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.v1 import view_pb2
from euchre_engine import Seat, view_for
from euchre_server.session.wire.views import view_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sim_network import Network, Stream
    from sim_scene import Scene
    from sim_world import World

    from euchre_arena.decision import Decision

__all__ = ["LibraryBot", "patched"]


class _Process(Process):
    """A bot's process, which knows its network and its dice."""

    network: Network
    bot: LibraryBot


def _here() -> _Process:
    process = Process.here()
    assert isinstance(process, _Process)
    return process


class _Channel:
    """Stands for a channel."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def get_state(self, **_: bool) -> grpc.ChannelConnectivity:
        """Returns whether anybody is there."""
        if _here().network.arena is None:
            return grpc.ChannelConnectivity.TRANSIENT_FAILURE
        return grpc.ChannelConnectivity.READY

    def unary_unary(self, *_: object, **__: object) -> Any:  # noqa: ANN401  # a call
        """Returns a call that says no more than that nobody is there."""

        async def call(*_: object, **__: object) -> None:
            none: Any = None
            raise grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, none, none, details="")

        return call

    async def wait_for_state_change(self, _: grpc.ChannelConnectivity) -> None:
        """Waits a little."""
        await asyncio.sleep(0.05)


class _Stub:
    """Stands for the service's stub."""

    def __init__(self, _: _Channel) -> None:
        pass

    def Connect(self, metadata: tuple[tuple[str, str], ...]) -> _Call:  # noqa: N802  # the rpc's
        """Begins a call."""
        token = dict(metadata)["authorization"].removeprefix("Bearer ")
        return _Call(_here(), token)


class _Call:
    """Stands for a call in both directions."""

    def __init__(self, process: _Process, token: str) -> None:
        self.process: Process = process
        self._check = StreamCheck()
        self._frames: deque[bytes] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._end: tuple[grpc.StatusCode, str] | None = None
        self._stream: Stream = process.network.dial(self, token)

    def on_frame(self, _: Stream, frame: bytes) -> None:
        """Takes a frame."""
        for message in pb.ConnectResponse.FromString(frame).messages:
            wrong = self._check.take(message)
            if wrong is not None:
                self.process.world.violate(f"{self.process.name} was told {wrong}")
        self._frames.append(frame)
        self._wake()

    def on_end(self, _: Stream, code: grpc.StatusCode, text: str) -> None:
        """Takes note of the end."""
        self._end = code, text
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def __aiter__(self) -> _Call:
        return self

    async def __anext__(self) -> pb.ConnectResponse:
        while not self._frames:
            if self._end is not None:
                self._raise_end()
                raise StopAsyncIteration
            self._waiting = self.process.create_future()
            await self._waiting
        return pb.ConnectResponse.FromString(self._frames.popleft())

    def _raise_end(self) -> None:
        if self._end is not None and self._end[0] is not grpc.StatusCode.OK:
            none: Any = None
            raise grpc.aio.AioRpcError(self._end[0], none, none, details=self._end[1])

    async def write(self, frame: pb.ConnectRequest) -> None:
        """Sends a frame."""
        await asyncio.sleep(0)
        self._raise_end()
        if self._end is not None:
            raise asyncio.InvalidStateError
        self._stream.send(frame.SerializeToString())

    async def done_writing(self) -> None:
        """Ends our side."""
        self._stream.finish()

    def cancel(self) -> None:
        """Gives the call up."""
        if self._end is None:
            self._end = grpc.StatusCode.CANCELLED, "cancelled"
            self._stream.cancel()
            self._wake()


class _Decider(Bot):
    """Decides like every bot of the simulation, after thinking for a while."""

    def __init__(self, bot: LibraryBot) -> None:
        self._bot = bot

    async def decide(self, decision: Decision) -> Action:
        """Returns the choice."""
        bot, manners = self._bot, self._bot.manners
        bot.check_view(decision)
        span = manners.think_ms
        if bot.chance(manners.slow):
            bot.world.fault("slow answer")
            span = manners.slow_ms
        await asyncio.sleep(bot.random.uniform(*span) / 1000)
        legal, seat = decision.legal, decision.table.seat
        if not decision.rejections and bot.chance(manners.illegal):
            wrong = Action.play(bot.random.choice(list(Card)))
            if wrong not in legal:
                bot.world.fault("illegal answer")
                return wrong
        if not isinstance(legal, Choose):
            return legal[chosen(decision.table.id, seat, decision.id, len(legal))]
        pool = sorted(legal.pool)
        first = chosen(decision.table.id, seat, decision.id, len(pool))
        cards = [pool[(first + n) % len(pool)] for n in range(legal.size)]
        return Action(legal.kind, cards=tuple(sorted(cards)))

    def on_welcome(self, _: object) -> None:
        """Takes note that it was let in once."""
        self._bot.was_in = True

    def _hear(self, _: Any) -> None:  # noqa: ANN401  # whatever it is
        pass

    on_rejected = _hear  # type: ignore[assignment]  # parameters may have other names
    on_timed_out = _hear  # type: ignore[assignment]
    on_session_fault = _hear  # type: ignore[assignment]
    on_disconnected = _hear  # type: ignore[assignment]
    on_reconnected = _hear  # type: ignore[assignment]


@dataclass(slots=True, eq=False)
class LibraryBot:
    """One bot of the client library."""

    world: World
    network: Network
    name: str
    token: str
    manners: Manners

    def __post_init__(self) -> None:
        self.random = self.world.random(f"bot {self.name}")
        self.process = _Process(self.world, self.name)
        self.process.network, self.process.bot = self.network, self

    random: Any = None
    process: _Process = None  # type: ignore[assignment]  # made above
    scene: Scene | None = None
    is_done: bool = False
    was_in: bool = False
    """Whether it has ever been welcome: the client gives up for good on who never was."""

    def chance(self, of_one: float) -> bool:
        """Returns whether something that happens so often happens now."""
        return bool(of_one) and self.random.random() < of_one

    def check_view(self, decision: Decision) -> None:
        """Checks that the view, perhaps made from LEAN messages, is what the seat may know."""
        table = None if self.scene is None else self.scene.tables[decision.table.id]
        if table is None or table.judge.open is None or table.judge.hand is None:
            return
        opened, seat = table.judge.open, decision.table.seat
        if (opened.seat, opened.number) != (seat, decision.id):
            return
        if self.scene is not None:
            self.scene.seen["lean view" if self.manners.lean else "full view"] += 1
        due = view_pb2.View.FromString(view_bytes(view_for(table.judge.hand, Seat(seat))))
        if due != decision.view._message:
            self.world.violate(f"{self.name} sees another view than it is to see")

    def begin(self) -> None:
        """Dials when it is ready."""
        after = round(self.random.uniform(*self.manners.dials_ms) * MS)
        self.world.schedule(self.process.now + after, self._start, process=self.process)

    def again(self) -> None:
        """Is started anew, if it ended since all was over: it was not, for a new arena goes on."""
        if self.is_done:
            self.is_done = False
            self.begin()

    def _start(self) -> None:
        introduction = Introduction(
            max_open_decisions=self.manners.at_once, is_lean=self.manners.lean
        )
        address = Address(server="arena:1", token=self.token)
        playing = play(_Decider(self), address, introduction, redial=Redial())
        self.process.create_task(playing).add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        if task.cancelled() or self.process.is_dead:
            return
        error = task.exception()
        if error is None:
            self.process.trace("was told goodbye")
            self.is_done = True
        elif isinstance(error, ArenaError) and "FENCED" in str(error):
            self.process.trace(f"ended: {error}")
        elif isinstance(error, ArenaError) and not self.was_in:
            self.process.trace(f"starts again: {error}")
            self.world.schedule(self.process.now + 100 * MS, self._start, process=self.process)
        else:
            self.world.violate(f"{self.name} gave up: {error!r}")


class _Time:
    """Stands for the module `time`."""

    @staticmethod
    def monotonic() -> float:
        """Returns the process's time."""
        return asyncio.get_running_loop().time()


@contextmanager
def patched() -> Iterator[None]:
    """Puts the simulation in the place of the client's network, dice and clock."""

    def open_channel(*_: object) -> _Channel:
        return _Channel()

    def patience(redial: Redial) -> Patience:
        return Patience(redial, _here().bot.random.random)

    with ExitStack() as stack:
        for module, name, value in (
            (dial_module, "open_channel", open_channel),
            (dial_module, "ArenaServiceStub", _Stub),
            (dial_module, "Patience", patience),
            (player_module, "time", _Time),
        ):
            stack.enter_context(mock.patch.object(module, name, value))
        yield
