"""Bots that answer at once by a rule of their own, on the bare protocol: cheap, and always alike.

    python tests/support/instant_bots.py CONFIG    CONFIG is JSON: address, tokens, open

They choose by what the view holds, so that the same deal is played the same however often a wire
is cut. In a process of their own they play until goodbye, and print how long the arena took from
an answer to the next question of the table.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from zlib import crc32

os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc

from euchre_arena.v1.action_pb2 import Action
from euchre_arena.v1.arena_service_pb2 import (
    GOODBYE_REASON_DONE,
    ConnectRequest,
    ConnectResponse,
)
from euchre_arena.wakeups import drain_wakeups

if TYPE_CHECKING:
    from collections.abc import Callable

    from euchre_arena.v1.table_pb2 import Decision

__all__ = ["InstantBot", "Latencies", "ThinkingBot", "choice"]

CONNECT = "/euchre_arena.v1.ArenaService/Connect"


def choice(decision: Decision) -> Action:
    """Returns the action for a decision, always the same for the same view."""
    number = crc32(decision.view.SerializeToString(deterministic=True))
    if decision.legal:
        return decision.legal[number % len(decision.legal)]
    choose = decision.choose
    return Action(kind=choose.kind, cards=choose.pool[: choose.count])


@dataclass
class Latencies:
    """From an answer to the next question of the same table, for bots that share a table."""

    answered: dict[str, float] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    def asked(self, table_id: str, now: float) -> None:
        """Takes note of a question."""
        since = self.answered.pop(table_id, None)
        if since is not None:
            self.seconds.append(now - since)

    def percentile(self, part: float) -> float:
        """Returns a percentile in milliseconds."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1000


class InstantBot:
    """One bot; it dials again as long as nobody has said goodbye."""

    def __init__(
        self,
        address: str,
        token: str,
        *,
        max_open: int,
        seen: Latencies,
        cut_after: int = 0,
        cut: Callable[[], None] | None = None,
    ) -> None:
        """Makes a bot that has not dialled.

        Args:
            address: The arena.
            token: The bot's.
            max_open: How many decisions it wants open.
            seen: Where it notes how long the arena takes.
            cut_after: At which of its decisions its stream is cut, once; 0 for never.
            cut: What cuts it; the call is cancelled unless it is given.
        """
        self.to_be_cut = cut_after > 0
        self._cut_after = cut_after
        self._cut = cut
        self.dials = 0
        self.decisions = 0
        self.timed_out = 0
        self.goodbye: int | None = None
        self.faults = 0
        self._address = address
        self._token = token
        self._max_open = max_open
        self._seen = seen
        self._resume = ""

    async def play(self) -> None:
        """Plays until the arena says goodbye."""
        while self.goodbye is None:
            try:
                await self._hold()
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.UNAUTHENTICATED:
                    return
            if self.goodbye is None:
                await asyncio.sleep(random.uniform(0.02, 0.1))

    async def _hold(self) -> None:
        self.dials += 1
        options = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0))
        async with grpc.aio.insecure_channel(self._address, options=options) as channel:
            drain_wakeups(asyncio.get_running_loop())
            connect: Any = channel.stream_stream(CONNECT)
            call = connect(
                metadata=(("authorization", f"Bearer {self._token}"),), wait_for_ready=True
            )
            request = ConnectRequest()
            hello = request.messages.add().hello
            hello.protocol_version = 1
            hello.max_open_decisions = self._max_open
            hello.resume_token = self._resume
            try:
                await call.write(request.SerializeToString())
                while (data := await call.read()) is not grpc.aio.EOF:
                    if self._cut_after and self.decisions >= self._cut_after:
                        self._cut_after = 0
                        (self._cut or call.cancel)()
                        return
                    answers = self._answers(ConnectResponse.FromString(data))
                    if answers.messages:
                        await call.write(answers.SerializeToString())
                    if self.goodbye is not None:
                        await call.done_writing()
            except asyncio.InvalidStateError:
                pass  # the stream ended while it was written to
            finally:
                call.cancel()

    def _answers(self, frame: ConnectResponse) -> ConnectRequest:
        request = ConnectRequest()
        now = time.monotonic()
        for message in frame.messages:
            match message.WhichOneof("message"):
                case "decision":
                    decision = message.decision
                    self.decisions += 1
                    self._seen.asked(decision.table_id, now)
                    answer = request.messages.add().answer
                    answer.table_id = decision.table_id
                    answer.decision_id = decision.decision_id
                    answer.action.CopyFrom(choice(decision))
                    self._seen.answered[decision.table_id] = time.monotonic()
                case "ping":
                    request.messages.add().pong.nonce = message.ping.nonce
                case "welcome":
                    self._resume = message.welcome.resume_token
                case "timed_out":
                    self.timed_out += 1
                case "table_closed":
                    self._seen.answered.pop(message.table_closed.table_id, None)
                case "session_fault":
                    self.faults += 1
                case "goodbye":
                    self.goodbye = message.goodbye.reason
                case _:
                    pass
        return request


class ThinkingBot(InstantBot):
    """Answers the first question of each table, and thinks about the next for ever.

    Attributes:
        opened: How many tables it was told of before the first ping, by connection.
    """

    def __init__(self, address: str, token: str, *, max_open: int, cut_after: int = 0) -> None:
        """Makes a bot that has not dialled."""
        super().__init__(address, token, max_open=max_open, seen=Latencies(), cut_after=cut_after)
        self.opened: list[int] = []
        self.caught_up = asyncio.Event()
        self._pinged = False

    def _answers(self, frame: ConnectResponse) -> ConnectRequest:
        for message in frame.messages:
            match message.WhichOneof("message"):
                case "welcome":
                    self.opened.append(0)
                    self._pinged = False
                    self.caught_up.clear()
                case "ping":
                    self._pinged = True
                    self.caught_up.set()
                case "table_opened" if not self._pinged:
                    self.opened[-1] += 1
                case "decision" if message.decision.decision_id > 1:
                    message.ClearField("decision")
                case _:
                    pass
        return super()._answers(frame)


async def _main(config: dict[str, Any]) -> None:
    seen = Latencies()
    bots = [
        InstantBot(config["address"], token, max_open=config["open"], seen=seen)
        for token in config["tokens"]
    ]
    await asyncio.gather(*(bot.play() for bot in bots))
    told = {
        "decisions": sum(bot.decisions for bot in bots),
        "timed_out": sum(bot.timed_out for bot in bots),
        "dials": sum(bot.dials for bot in bots),
        "done": all(bot.goodbye == GOODBYE_REASON_DONE for bot in bots),
        "p50_ms": seen.percentile(0.5) if seen.seconds else None,
        "p99_ms": seen.percentile(0.99) if seen.seconds else None,
        "max_ms": max(seen.seconds) * 1000 if seen.seconds else None,
    }
    print(json.dumps(told), flush=True)  # noqa: T201  # the parent reads it


if __name__ == "__main__":
    asyncio.run(_main(json.loads(sys.argv[1])))
