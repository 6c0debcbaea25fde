"""A clock that moves when told, a recorder in memory, and a bot of raw stubs, for session tests."""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import Future as ThreadFuture
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any

import grpc
import structlog
from structlog.testing import LogCapture
from structlog.typing import FilteringBoundLogger

from euchre_arena.v1.action_pb2 import Action
from euchre_arena.v1.arena_service_pb2 import (
    Answer,
    ArenaMessage,
    BotMessage,
    ConnectRequest,
    ConnectResponse,
    Hello,
    Pong,
)
from euchre_arena.v1.table_pb2 import Decision
from euchre_server.record.entries import RecordFact


@dataclass
class _Call:
    callback: Callable[[], None] | None

    def cancel(self) -> None:
        self.callback = None


class FakeClock:
    """Time that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = 1_000_000
        self._calls: list[tuple[int, int, _Call]] = []
        self._tie = count()

    def now(self) -> int:
        """Returns the time."""
        return self.time

    def call_at(self, when: int, callback: Callable[[], None]) -> _Call:
        """Calls back when time is moved there."""
        call = _Call(callback)
        heappush(self._calls, (when, next(self._tie), call))
        return call

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Calls back before time moves on."""
        self.call_at(self.time, callback)

    def advance(self, milliseconds: int) -> None:
        """Moves time, calling back on the way at the right moments."""
        end = self.time + milliseconds
        while self._calls and self._calls[0][0] <= end:
            when, _, call = heappop(self._calls)
            self.time = max(self.time, when)
            if call.callback is not None:
                call.callback()
        self.time = end

    def stall(self, milliseconds: int) -> None:
        """Moves time as a loop sees it that stood still: calls come all at once, late."""
        self.time += milliseconds
        self.advance(0)


@dataclass
class MemoryRecorder:
    """Keeps facts, and knows which of them have been flushed."""

    facts: list[tuple[int, int, RecordFact]] = field(default_factory=list)
    flushed: int = 0
    fails_at: int | None = None
    """The number of the fact at which the disk is full."""

    def append(self, table_number: int, at_ms: int, fact: RecordFact) -> None:
        """Takes a fact."""
        if self.fails_at is not None and len(self.facts) + 1 >= self.fails_at:
            raise OSError(28, "No space left on device")
        self.facts.append((table_number, at_ms, fact))

    def flush(self) -> None:
        """Counts all as flushed."""
        self.flushed = len(self.facts)

    def durable(self) -> ThreadFuture[None]:
        """Returns what is done."""
        done: ThreadFuture[None] = ThreadFuture()
        done.set_result(None)
        return done

    def of_table(self, number: int) -> list[RecordFact]:
        """Returns a table's facts."""
        return [fact for table, _, fact in self.facts if table == number]


def capturing_logger() -> tuple[FilteringBoundLogger, LogCapture]:
    """Returns a logger, and what it has logged."""
    capture = LogCapture()
    logger: FilteringBoundLogger = structlog.wrap_logger(
        None,
        processors=[structlog.contextvars.merge_contextvars, capture],
        # Not the class in force: a command that ran in this process may have set a level.
        wrapper_class=structlog.make_filtering_bound_logger(0),
    )
    return logger, capture


def arena_messages(frames: Iterable[bytes]) -> list[ArenaMessage]:
    """Returns the messages in frames, as a bot would read them."""
    return [m for frame in frames for m in ConnectResponse.FromString(frame).messages]


def bot_frame(*messages: BotMessage | Hello | Answer | Pong) -> bytes:
    """Returns a frame of these messages."""
    wrapped = []
    for message in messages:
        match message:
            case Hello():
                wrapped.append(BotMessage(hello=message))
            case Answer():
                wrapped.append(BotMessage(answer=message))
            case Pong():
                wrapped.append(BotMessage(pong=message))
            case _:
                wrapped.append(message)
    return ConnectRequest(messages=wrapped).SerializeToString()


def answer_to(decision: Decision, action: Action | None = None, *, note: str = "") -> Answer:
    """Returns the answer with an action, the last legal one unless another is given."""
    if action is None:
        if decision.legal:
            action = decision.legal[-1]
        else:
            choose = decision.choose
            action = Action(kind=choose.kind, cards=choose.pool[: choose.count])
    return Answer(
        table_id=decision.table_id,
        decision_id=decision.decision_id,
        action=action,
        annotation=note,
    )


class RawBot:
    """A bot made of the bare protocol: it says what the test says, and keeps what it is told."""

    def __init__(self, address: str, token: str) -> None:
        self._channel = grpc.aio.insecure_channel(address)
        connect: Any = self._channel.stream_stream("/euchre_arena.v1.ArenaService/Connect")
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self.call = connect(metadata=metadata)
        self.messages: list[ArenaMessage] = []
        self._looked_at = 0
        self.frame_sizes: list[int] = []
        """How many messages each frame held."""

    async def send(self, *messages: BotMessage | Hello | Answer | Pong) -> None:
        """Sends one frame of messages."""
        await self.call.write(bot_frame(*messages))

    async def send_bytes(self, data: bytes) -> None:
        """Sends bytes as a frame."""
        await self.call.write(data)

    async def hello(self, *, max_open_decisions: int = 0) -> None:
        """Says Hello."""
        await self.send(Hello(protocol_version=1, max_open_decisions=max_open_decisions))

    async def read_until(self, kind: str) -> ArenaMessage:
        """Returns the next message of a kind, also one that came with another in its frame.

        Fails when the stream ends before.
        """
        while True:
            while self._looked_at < len(self.messages):
                message = self.messages[self._looked_at]
                self._looked_at += 1
                if message.WhichOneof("message") == kind:
                    return message
            if not await self._read_frame():
                raise AssertionError(f"the stream ended without {kind}: {self.kinds}")

    async def play(self, *, closing: int) -> None:
        """Plays last legal actions, which plays hands out, until so many tables have closed."""
        closed = 0
        while closed < closing:
            answers: list[BotMessage | Hello | Answer | Pong] = []
            for message in self.messages[self._looked_at :]:
                match message.WhichOneof("message"):
                    case "decision":
                        answers.append(answer_to(message.decision))
                    case "ping":
                        answers.append(Pong(nonce=message.ping.nonce))
                    case "table_closed":
                        closed += 1
                    case _:
                        pass
            self._looked_at = len(self.messages)
            if answers:
                await self.send(*answers)
            if closed < closing and not await self._read_frame():
                raise AssertionError(f"the stream ended after {closed} tables")

    async def _read_frame(self) -> bool:
        """Reads one frame; returns whether there was one."""
        data = await self.call.read()
        if data is grpc.aio.EOF:
            return False
        messages = ConnectResponse.FromString(data).messages
        self.messages += messages
        self.frame_sizes.append(len(messages))
        return True

    @property
    def kinds(self) -> list[str | None]:
        """Returns the kinds of all messages so far."""
        return [message.WhichOneof("message") for message in self.messages]

    async def status(self) -> grpc.StatusCode:
        """Reads the stream to its end and returns its status."""
        try:
            while await self._read_frame():
                if "goodbye" in self.kinds:
                    await self.call.done_writing()
        except grpc.aio.AioRpcError as error:
            return error.code()
        code: grpc.StatusCode = await self.call.code()
        return code

    async def close(self) -> None:
        """Breaks the connection."""
        self.call.cancel()
        await self._channel.close()
        await asyncio.sleep(0)
