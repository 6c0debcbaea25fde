"""Measures FULL against LEAN views: bytes of a question, and processor time of arena and client.

    python tests/bench/bench_views.py [HANDS]

The arena's share is everything of ours but gRPC: reading answers, referee, views, wire, frames; the
recorder is one in memory. The wire's share, and the client's until its bot has hand, history and
legal actions, are taken from questions that were put before.
"""

import asyncio
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from arenas import FakeArena
from session_fakes import answer_to, arena_messages, bot_frame
from tables import Referee, table_spec

from euchre_arena.decision import Decision
from euchre_arena.session import Introduction, Session
from euchre_arena.v1.arena_service_pb2 import (
    VIEW_MODE_FULL,
    VIEW_MODE_LEAN,
    ConnectResponse,
    Hello,
)
from euchre_engine import Seat
from euchre_server.referee.outputs import Ask, Message, Seated, Send
from euchre_server.referee.spec import TableSpec
from euchre_server.session import Secret, wire

RULES = ("two-handed", "three-handed", "four-handed", "hasenpfeffer", "napoleon")
SECONDS = 0.4
TABLES = 32


class Stream(NamedTuple):
    """The questions to one seat of one table."""

    spec: TableSpec
    seat: Seat
    asks: list[Ask]


class Measured(NamedTuple):
    """What a question costs in one mode: bytes on the wire, and microseconds."""

    size: float
    wire: float
    arena: float
    client: float


def streams(rules: str, hands: int) -> list[Stream]:
    """Returns what all seats of some tables are asked."""
    chooser = random.Random(1)
    found = []
    for board in range(1, hands + 1):
        table = Referee(table_spec(rules, board=board, table_id=f"{board:016x}"))
        table.open()
        table.play_on(0, lambda ask: ask.legal[chooser.randrange(len(ask.legal))])
        for seat in table.spec.rules.seats:
            sent = [o.message for o in table.outputs if isinstance(o, Send) and o.seat == seat]
            found.append(Stream(table.spec, seat, [one for one in sent if isinstance(one, Ask)]))
    return found


def measured(rules: str, hands: int, *, lean: bool) -> Measured:
    """Returns what a mode costs."""
    asked = streams(rules, hands)
    questions = sum(len(stream.asks) for stream in asked)
    said = [_said(stream, stream.asks, lean=lean) for stream in asked]
    heard = [
        [
            wire.frame([data])
            for data in (
                *_said(stream, [Seated()], lean=lean),
                *_said(stream, stream.asks, lean=lean),
            )
        ]
        for stream in asked
    ]
    return Measured(
        size=sum(len(wire.frame([data])) for row in said for data in row) / questions,
        wire=_least(lambda: [_said(one, one.asks, lean=lean) for one in asked]) / questions * 1e6,
        arena=min(asyncio.run(_arena_seconds(rules, lean=lean)) for _ in range(3)) * 1e6,
        client=_least(lambda: [_heard(frames, lean=lean) for frames in heard]) / questions * 1e6,
    )


def _said(stream: Stream, messages: Sequence[Message], *, lean: bool) -> list[bytes]:
    say = wire.Lean().seat_message if lean else wire.seat_message
    return [say(stream.spec, stream.seat, message) for message in messages]


def _heard(frames: list[bytes], *, lean: bool) -> int:
    """Lets a client read frames; returns how many questions it was asked."""
    asked = 0
    session = Session(Introduction(is_lean=lean))
    for frame in frames:
        for event in session.receive(ConnectResponse.FromString(frame)):
            if isinstance(event, Decision):
                _ = event.view.hand, event.view.history, event.legal[0]
                asked += 1
    return asked


def _least(run: Callable[[], object]) -> float:
    """Returns the least processor time of several runs, in seconds."""
    times: list[float] = []
    until = time.process_time() + SECONDS
    while time.process_time() < until or len(times) < 3:
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


async def _arena_seconds(rules: str, *, lean: bool) -> float:
    """Returns the seconds that an arena takes for a decision, many tables at once."""
    arena = FakeArena()
    specs = [
        table_spec(rules, table_id=f"{number:016x}", number=number, board=number)
        for number in range(1, TABLES + 1)
    ]
    mode = VIEW_MODE_LEAN if lean else VIEW_MODE_FULL
    bots = []
    for name in specs[0].bots:
        arena.server.expect(name, Secret.fresh())
        bots.append(arena.dial(name))
        bots[-1].say(Hello(protocol_version=1, max_open_decisions=TABLES, view_mode=mode))
    chooser = random.Random(1)
    spent = -time.process_time()
    for spec in specs:
        arena.server.open_table(spec)
    spent += time.process_time()
    while arena.driver.tables:
        for bot in bots:
            start = time.process_time()
            frames = list(iter(bot.conversation.take, None))
            spent += time.process_time() - start
            asked = [m.decision for m in arena_messages(frames) if m.HasField("decision")]
            answers = [
                answer_to(one, chooser.choice(one.legal) if one.legal else None) for one in asked
            ]
            frame = bot_frame(*answers)
            start = time.process_time()
            bot.conversation.receive(frame)
            spent += time.process_time() - start
    return spent / arena.driver.counts.decisions


def main() -> None:
    """Prints, for each game, what a question costs in both modes."""
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    print(f"{'FULL > LEAN':14} {'bytes':>15} {'wire us':>15} {'arena us':>15} {'client us':>15}")  # noqa: T201  # printing is its job
    for rules in RULES:
        full, less = (measured(rules, hands, lean=lean) for lean in (False, True))
        columns = (f"{f'{a:.1f} > {b:.1f}':>15}" for a, b in zip(full, less, strict=True))
        print(f"{rules:14}", *columns)  # noqa: T201  # printing is its job


if __name__ == "__main__":
    main()
