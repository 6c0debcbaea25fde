"""Sends an arena what nobody should: bytes, mutated messages, real messages at the wrong time.

    python tests/support/wire_fuzz.py SECONDS [SEED]    fuzzes an arena while a match is played

Whatever is sent follows from the seed; what the arena makes of it depends on its timing too.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc
from arena_process import ArenaProcess
from instant_bots import InstantBot, Latencies, choice
from resumed_matches import play_hashes

from euchre_arena.v1.action_pb2 import Action
from euchre_arena.v1.arena_service_pb2 import (
    Answer,
    BotMessage,
    ConnectRequest,
    ConnectResponse,
    Goodbye,
    Hello,
    Pong,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from euchre_arena.v1.table_pb2 import Decision

__all__ = ["Fuzz", "Hashes", "fuzzed", "undisturbed"]

CONNECT = "/euchre_arena.v1.ArenaService/Connect"
CALLS = (CONNECT, "/euchre_arena.v1.ArenaService/Nothing", "/x", "/grpc.health.v1.Health/Check")
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
FUZZERS = 4
CLOCK = {"budget_ms": 60_000, "first_ms": 60_000}
LIMITS = {
    "max_dials": 1_000_000,
    "dials_per_second": 10_000,
    "shut_out_ms": 1,
    "max_session_faults": 40,
}
Hashes = dict[tuple[int, int], bytes]
ENDS = (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError)


def mutated(data: bytes, random: Random) -> bytes:
    """Returns bytes with a few of them changed, taken out, doubled or put in."""
    out = bytearray(data)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(out) + 1)
        match random.randrange(4):
            case 0 if at < len(out):
                out[at] ^= 1 << random.randrange(8)
            case 1:
                del out[at : at + random.randint(1, 8)]
            case 2:
                out[at:at] = out[at : at + random.randint(1, 64)]
            case _:
                out[at:at] = random.randbytes(random.randint(1, 8))
    return bytes(out)


def any_message(random: Random, asked: Decision | None) -> BotMessage:
    """Returns a message that can be read, whatever it says."""
    number = random.choice((0, 1, 2, 7, -1, 2**31 - 1, -(2**31)))
    text = random.choice(("", "x", "\0", "é" * 40, "A" * 2_000))
    match random.randrange(6):
        case 0:
            return BotMessage(
                hello=Hello(
                    protocol_version=random.choice((1, number)),
                    bot_name=random.choice(("", text)),
                    bot_version=text,
                    max_tables=number,
                    max_open_decisions=number,
                    resume_token=text,
                )
            )
        case 1:
            return BotMessage(pong=Pong(nonce=number))
        case 2 if random.random() < 0.2:
            return BotMessage(goodbye=Goodbye(text=text))
        case 3 if asked is not None:
            return BotMessage(answer=_answer(random, asked, text))
        case 4:
            action = Action(kind=random.randrange(16), bid=number, cards=[random.randrange(60)])  # type: ignore[arg-type,list-item]  # any may come
            return BotMessage(
                answer=Answer(table_id=text, decision_id=number, action=action, think_ms=number)
            )
        case _:
            return BotMessage()


def _answer(random: Random, asked: Decision, text: str) -> Answer:
    """Returns an answer to a question: right, or wrong in some part."""
    answer = Answer(table_id=asked.table_id, decision_id=asked.decision_id, action=choice(asked))
    match random.randrange(5):
        case 0:
            answer.action.cards.append(random.randrange(60))  # type: ignore[arg-type]  # as above
        case 1:
            answer.action.kind = random.randrange(20)  # type: ignore[assignment]  # as above
        case 2:
            answer.decision_id += random.randint(-2, 2)
        case 3:
            answer.annotation = text
            answer.think_ms = random.choice((-5, 0, 2**60))
        case _:
            pass
    return answer


@dataclass
class Fuzz:
    """A vandal with a token and a seed.

    Attributes:
        done: What was done, by kind.
    """

    address: str
    token: str
    seed: int
    done: Counter[str] = field(default_factory=Counter)

    async def run(self) -> None:
        """Goes on until it is cancelled."""
        random = Random(self.seed)
        while True:
            kind = random.choices((self._stream, self._socket, self._call), weights=(10, 2, 1))[0]
            await kind(random)

    async def _socket(self, random: Random) -> None:
        """Speaks to the port without gRPC."""
        host, _, port = self.address.rpartition(":")
        data = random.choice(
            (
                random.randbytes(random.randint(1, 4_000)),
                b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                PREFACE,
                PREFACE + random.randbytes(random.randint(1, 400)),
                PREFACE + b"\0\0\0\4\0\0\0\0\0" + random.randbytes(random.randint(9, 90)),
                PREFACE + b"\0\0\0\4\0\0\0\0\0" * 50,
                b"\x16\x03\x01" + random.randbytes(200),
            )
        )
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(data)
            await writer.drain()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(random.choice((0.0, 0.05))):
                    await reader.read(1_000)
            writer.transport.abort()
        self.done["socket"] += 1

    async def _call(self, random: Random) -> None:
        """Calls what there is and what there is not, with metadata of all kinds."""
        metadata = random.choice(
            (
                (),
                (("authorization", "Bearer"),),
                (("authorization", f"Bearer {self.token}"),) * 2,
                (("authorization", "x" * 4_000),),
                (("x-bin", random.randbytes(100)), ("authorization", f"Bearer {self.token}")),
            )
        )
        async with grpc.aio.insecure_channel(self.address) as channel:
            call: Any = channel.stream_stream(random.choice(CALLS))(metadata=metadata)
            await _say(call, [random.randbytes(random.randint(0, 100)) for _ in range(2)])
            call.cancel()
        self.done["call"] += 1

    async def _stream(self, random: Random) -> None:
        """Holds a session, with or without a proper beginning."""
        async with grpc.aio.insecure_channel(self.address) as channel:
            call: Any = channel.stream_stream(CONNECT)(
                metadata=(("authorization", f"Bearer {self.token}"),)
            )
            asked: list[Decision] = []
            reader = asyncio.create_task(_listen(call, asked))
            if random.random() < 0.8:
                hello = Hello(protocol_version=1, max_open_decisions=random.choice((0, 1, 9)))
                await _say(call, [_frame(BotMessage(hello=hello))])
                await asyncio.sleep(random.choice((0, 0.01, 0.05)))  # to be asked something
            for _ in range(random.randint(0, 30)):
                if not await _say(call, [self._frame(random, asked[-1] if asked else None)]):
                    break
                if random.random() < 0.3:
                    await asyncio.sleep(0.001)
            match random.randrange(3):
                case 0:
                    call.cancel()
                case 1:
                    with contextlib.suppress(*ENDS):
                        await call.done_writing()
                case _:
                    pass
            await asyncio.wait((reader,), timeout=random.choice((0.0, 0.02)))
            call.cancel()
            await asyncio.wait((reader,))
        self.done["stream"] += 1

    def _frame(self, random: Random, asked: Decision | None) -> bytes:
        """Returns the next thing to send."""
        match random.randrange(8):
            case 0:
                self.done["random bytes"] += 1
                return random.randbytes(random.choice((0, 1, 10, 1_000, 70_000)))
            case 1 | 2 | 3:
                self.done["mutated"] += 1
                return mutated(_frame(any_message(random, asked)), random)
            case 4 if asked is not None:
                self.done["answer"] += 1
                answer = Answer(
                    table_id=asked.table_id, decision_id=asked.decision_id, action=choice(asked)
                )
                return _frame(BotMessage(answer=answer))
            case _:
                self.done["valid"] += 1
                return _frame(*(any_message(random, asked) for _ in range(random.randint(0, 5))))


def _frame(*messages: BotMessage) -> bytes:
    return ConnectRequest(messages=messages).SerializeToString()


async def _say(call: Any, frames: list[bytes]) -> bool:  # noqa: ANN401  # as grpc has it
    """Writes frames; returns whether they could be written."""
    try:
        async with asyncio.timeout(2):
            for frame in frames:
                await call.write(frame)
    except (*ENDS, TimeoutError):
        return False
    return True


async def _listen(call: Any, asked: list[Decision]) -> None:  # noqa: ANN401  # as grpc has it
    """Keeps the questions that come, until the stream ends."""
    with contextlib.suppress(*ENDS, asyncio.CancelledError):
        while (data := await call.read()) is not grpc.aio.EOF:
            messages = ConnectResponse.FromString(data).messages
            asked += [message.decision for message in messages if message.HasField("decision")]


@dataclass
class Outcome:
    """How a match went, and what was left of the vandals.

    Attributes:
        hashes: What was played at each table, of every time the match was played.
        errors: What the arena's process wrote beside its log.
    """

    hashes: list[Hashes]
    done: Counter[str]
    log: str
    errors: str
    before: dict[str, Any]
    after: dict[str, Any]
    left: dict[str, Any]


async def fuzzed(
    seconds: float, seed: int, *, boards: int = 20, vandals: Callable[..., Fuzz] = Fuzz
) -> Outcome:
    """Plays a match again and again while vandals do their worst, for so long at least."""
    names = [f"vandal{number}" for number in range(FUZZERS)]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as errors:
        log = Path(folder) / "log"
        course: dict[str, Any] = {"folder": folder, "boards": boards, "clock": CLOCK}
        async with ArenaProcess(
            errors, limits=LIMITS, others=names, log=str(log), **course
        ) as arena:
            before = await arena.ask("stats")
            for pair in (names[:2], names[2:]):
                await arena.ask(f"sit {' '.join(pair)}")
            fuzzes = [
                vandals(arena.address, arena.tokens[name], seed * 100 + number)
                for number, name in enumerate(names)
            ]
            fuzzing = [asyncio.create_task(fuzz.run()) for fuzz in fuzzes]
            hashes: list[Hashes] = []
            end = asyncio.get_running_loop().time() + seconds
            while asyncio.get_running_loop().time() < end or not hashes:
                hashes.append(await _match(arena))
                for task in fuzzing:
                    if task.done():
                        task.result()  # a vandal that failed is a fault of the test
            for task in fuzzing:
                task.cancel()
            await asyncio.gather(*fuzzing, return_exceptions=True)
            await arena.ask("rise")
            after = await arena.ask("stats")
            left = await arena.stop()
        errors.seek(0)
        return Outcome(
            hashes,
            sum((fuzz.done for fuzz in fuzzes), Counter()),
            log.read_text(encoding="utf-8"),
            errors.read().decode(),
            before,
            after,
            left,
        )


async def undisturbed(*, boards: int = 20) -> Hashes:
    """Returns what is played at each table when nobody disturbs."""
    with tempfile.TemporaryDirectory() as folder:
        async with ArenaProcess(folder=folder, boards=boards, clock=CLOCK) as arena:
            return await _match(arena)


async def _match(arena: ArenaProcess) -> Hashes:
    bots = [
        InstantBot(arena.address, arena.tokens[name], max_open=4, seen=Latencies())
        for name in ("bot0", "bot1")
    ]
    playing = asyncio.gather(*(bot.play() for bot in bots))
    played = await arena.ask("play")
    await playing
    assert 2 == sum(bot.dials for bot in bots)
    return play_hashes(Path(played["record"]))


def main() -> None:
    """Fuzzes, and prints what was done."""
    seconds = float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    outcome = asyncio.run(fuzzed(seconds, seed))
    alike = all(hashes == outcome.hashes[0] for hashes in outcome.hashes)
    print(  # noqa: T201  # printing is its job
        f"{len(outcome.hashes)} matches, alike: {alike}; {dict(outcome.done)}\n"
        f"before {outcome.before}\nafter {outcome.after}\nleft {outcome.left}\n"
        f"{'Traceback' in outcome.log} {outcome.errors}"
    )


if __name__ == "__main__":
    main()
