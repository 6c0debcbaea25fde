"""Streams between simulated processes: delayed, cut, half open, read slowly.

A stream carries frames in order in both directions; different streams overtake each other. Owns
what grpc.aio would do on either side of one call, as far as server and client notice it.
Must not know what frames mean.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import grpc
from sim_world import MS

if TYPE_CHECKING:
    from random import Random

    from sim_world import Process, World

__all__ = ["Caller", "Line", "Network", "Stream", "Weather"]


@dataclass(slots=True)
class Weather:
    """How the network behaves; times in milliseconds, chances of one."""

    delay_ms: tuple[float, float] = (0.05, 2.0)
    late: float = 0.0
    """How often a frame takes much longer; those behind it wait."""
    late_ms: tuple[float, float] = (20.0, 300.0)
    cut: float = 0.0
    """How often a stream breaks when a frame is sent, in either direction."""
    notice_ms: tuple[float, float] = (0.0, 60.0)
    """How long after a break an end notices it."""
    half_open: float = 0.0
    """How often the arena notices a break only by its keepalive probe."""
    half_open_ms: tuple[float, float] = (2_000.0, 15_000.0)
    jam: float = 0.0
    """How often the arena stands still between the arrival of a frame and its reading."""
    jam_ms: tuple[float, float] = (25.0, 600.0)
    window_bytes: int = 65_536
    """How much may be on its way to a bot that it has not read."""


class Caller(Protocol):
    """The bot's end of a stream."""

    process: Process

    def on_frame(self, stream: Stream, frame: bytes) -> None:
        """Takes a frame."""

    def on_end(self, stream: Stream, code: grpc.StatusCode, text: str) -> None:
        """Takes note that the stream has ended."""


class Line(Protocol):
    """The arena's end, as the network finds it."""

    process: Process

    def accept(self, stream: Stream) -> None:
        """Begins to serve a stream."""


class Network:
    """Carries streams between bots and whatever arena is up."""

    def __init__(self, world: World, weather: Weather) -> None:
        self.world = world
        self.weather = weather
        self.arena: Line | None = None
        """None: nobody listens."""
        self.streams: list[Stream] = []
        self.random: Random = world.random("network")

    def delay(self) -> int:
        """Returns how long a frame travels, in microseconds."""
        weather, random = self.weather, self.random
        span = weather.delay_ms
        if weather.late and random.random() < weather.late:
            self.world.fault("late frame")
            span = weather.late_ms
        return round(random.uniform(*span) * MS)

    def dial(self, caller: Caller, token: str) -> Stream:
        """Begins a call; whether anybody answers shows later."""
        stream = Stream(self, caller, token)
        self.streams.append(stream)
        self.world.schedule(caller.process.now + self.delay(), stream.arrive)
        return stream

    def cut_all(self) -> None:
        """Breaks every stream: the arena's process has gone, or the way to it."""
        for stream in list(self.streams):
            stream.cut("the arena has gone", arena_notices=False)


class Stream:
    """One call."""

    def __init__(self, network: Network, caller: Caller, token: str) -> None:
        self.network = network
        self.caller = caller
        self.token = token
        self.line: Line | None = None
        self.is_cut = False
        self.is_over = False
        """Whether the bot knows that it has ended."""
        self.is_finished = False
        """Whether the bot has ended its side."""
        self.is_reading = True
        self.has_been_slow = False
        """Whether the bot has ever not read what was there."""
        self.arrived = 0
        """When the frame that the arena reads now had reached it, in microseconds."""
        self._early: list[tuple[int, bytes | None]] = []
        self._up_at = 0
        self._down_at = 0
        self._unread: deque[bytes] = deque()
        self._unread_bytes = 0
        self._end: tuple[grpc.StatusCode, str] | None = None
        self.frames = _Frames(self)
        self.context: Context | None = None

    # The bot's side

    def arrive(self) -> None:
        """Reaches the arena, if there is one."""
        line = self.network.arena
        if self.is_cut:
            return
        if line is None:
            self._tell_end(grpc.StatusCode.UNAVAILABLE, "no arena answers")
            return
        self.line = line
        self.context = Context(self)
        self.network.world.schedule(0, self._accepted, process=line.process)

    def _accepted(self) -> None:
        if self.line is not None and not self.is_cut:
            self.line.accept(self)
        early, self._early = self._early, []
        for at, frame in early:
            self._deliver_up(at, frame)

    def send(self, frame: bytes) -> None:
        """Sends a frame to the arena."""
        self._up(frame)
        self.network_may_cut()

    def finish(self) -> None:
        """Ends the bot's side."""
        self.is_finished = True
        self._up(None)

    def _up(self, frame: bytes | None) -> None:
        process = self.caller.process
        if self.is_cut or process.is_dead:
            return
        self._up_at = max(self._up_at, process.now + self.network.delay())
        self.network.world.schedule(self._up_at, self._arrived_up, frame)

    def _arrived_up(self, frame: bytes | None) -> None:
        if self.is_cut:
            return
        if self.line is None or self._early or self.context is None:
            self._early.append((self.network.world.now, frame))
            return
        now = self.network.world.now
        self.network.world.schedule(0, self._deliver_up, now, frame, process=self.line.process)

    def _deliver_up(self, at: int, frame: bytes | None) -> None:
        if not self.is_cut:
            self.frames.put(at, frame)
            network = self.network
            if self.line and network.weather.jam and network.random.random() < network.weather.jam:
                network.world.fault("stall")
                self.line.process.stall(round(network.random.uniform(*network.weather.jam_ms) * MS))

    def cancel(self) -> None:
        """Gives the call up, or has ended as a process: the arena notices soon."""
        self.is_over = True
        self.cut("the bot has gone", bot_notices=False)

    def pause(self) -> None:
        """Reads nothing for now."""
        self.is_reading = False
        self.has_been_slow = True

    def resume(self) -> None:
        """Reads again."""
        if not self.is_reading:
            self.is_reading = True
            self._read()

    def _read(self) -> None:
        while self._unread and self.is_reading and not self.is_cut:
            frame = self._unread.popleft()
            self._unread_bytes -= len(frame)
            self.network.world.schedule(0, self._frame_read, frame, process=self.caller.process)
        if self.context is not None:
            self.context.room()
        if self._end is not None and not self._unread and not self.is_cut:
            self._tell_end(*self._end)

    def _frame_read(self, frame: bytes) -> None:
        if not self.is_over:
            self.caller.on_frame(self, frame)

    # The arena's side

    @property
    def has_room(self) -> bool:
        """Returns whether the arena may send another frame."""
        return self._unread_bytes < self.network.weather.window_bytes

    def down(self, frame: bytes, now: int) -> None:
        """Sends a frame to the bot."""
        self._unread_bytes += len(frame)
        if self.is_cut:
            return
        self._down_at = max(self._down_at, now + self.network.delay())
        self.network.world.schedule(self._down_at, self._arrived_down, frame)
        self.network_may_cut()

    def _arrived_down(self, frame: bytes) -> None:
        if not self.is_cut:
            self._unread.append(frame)
            self._read()

    def ended(self, code: grpc.StatusCode, text: str, now: int) -> None:
        """Takes note that the arena has ended the call: whoever still reads it there is let go."""
        self.frames.put(now, None)
        if self in self.network.streams:
            self.network.streams.remove(self)
        if not self.is_cut:
            self._down_at = max(self._down_at, now + self.network.delay())
            self.network.world.schedule(self._down_at, self._end_arrived, code, text)

    def _end_arrived(self, code: grpc.StatusCode, text: str) -> None:
        if not self.is_cut:
            self._end = code, text
            self._read()

    # Breaking

    def network_may_cut(self) -> None:
        """Breaks now and then."""
        network = self.network
        if network.weather.cut and network.random.random() < network.weather.cut:
            network.world.fault("cut")
            self.cut("the connection broke")

    def cut(self, why: str, *, arena_notices: bool = True, bot_notices: bool = True) -> None:
        """Breaks: what is on its way is lost, and the ends notice in their own time."""
        if self.is_cut:
            return
        self.is_cut = True
        network = self.network
        weather, random, world = network.weather, network.random, network.world
        if self in network.streams:
            network.streams.remove(self)
        if bot_notices:
            after = round(random.uniform(*weather.notice_ms) * MS)
            world.schedule(world.now + after, self._tell_end, grpc.StatusCode.UNAVAILABLE, why)
        if arena_notices and self.line is not None:
            span = weather.notice_ms
            if weather.half_open and random.random() < weather.half_open:
                network.world.fault("half open")
                span = weather.half_open_ms
            world.schedule(
                world.now + round(random.uniform(*span) * MS),
                self._arena_notices,
                process=self.line.process,
            )

    def _arena_notices(self) -> None:
        if self.context is not None and self.context.task is not None:
            self.frames.put(self.network.world.now, None)
            self.context.task.cancel()

    def _tell_end(self, code: grpc.StatusCode, text: str) -> None:
        process = self.caller.process
        if not self.is_over and not process.is_dead:
            self.network.world.schedule(0, self._hear_end, code, text, process=process)

    def _hear_end(self, code: grpc.StatusCode, text: str) -> None:
        if not self.is_over:
            self.is_over = True
            self.caller.on_end(self, code, text)


class _Frames:
    """The arena's iterator over a call's frames."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._frames: deque[tuple[int, bytes | None]] = deque()
        self._waiting: asyncio.Future[None] | None = None

    def put(self, at: int, frame: bytes | None) -> None:
        """Adds a frame that has arrived at a time; None is the end."""
        self._frames.append((at, frame))
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def __aiter__(self) -> _Frames:
        return self

    async def __anext__(self) -> bytes:
        while not self._frames:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        self._stream.arrived, frame = self._frames.popleft()
        if frame is None:
            self._frames.append((self._stream.arrived, None))
            raise StopAsyncIteration
        return frame


class Context:
    """The arena's side of one call: what grpc.aio hands to a handler, as far as it is used."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.task: asyncio.Task[Any] | None = None
        self._waiting: asyncio.Future[None] | None = None

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """Returns the call's metadata."""
        return (("authorization", f"Bearer {self.stream.token}"),)

    def peer(self) -> str:
        """Returns where the call comes from."""
        return "ipv4:127.0.0.1:1"

    async def write(self, frame: bytes) -> None:
        """Writes a frame as soon as the bot has read enough of those before."""
        while not self.stream.has_room:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        assert self.stream.line is not None
        process = self.stream.line.process
        if not process.is_dead:
            self.stream.down(frame, process.now)

    def room(self) -> None:
        """Lets a write that waits go on."""
        waiting, line = self._waiting, self.stream.line
        if waiting is not None and not waiting.done() and line is not None and self.stream.has_room:
            self.stream.network.world.schedule(0, _release, waiting, process=line.process)

    async def abort(self, code: grpc.StatusCode, details: str = "", **_: object) -> None:
        """Ends the call with a status."""
        raise Aborted(code, details)


class Aborted(Exception):  # noqa: N818  # says what happened
    """A call that the arena ended with a status."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__(details)
        self.code = code


def _release(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)
