"""A bot that sends what it should not, as fast as it can, and dials again whenever it is cut off.

    python tests/support/flooder.py KIND ADDRESS TOKEN    until its standard input ends

KIND is one of `KINDS`.
"""

from __future__ import annotations

import asyncio
import os
import sys
from itertools import count
from random import Random
from typing import TYPE_CHECKING

os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc

from euchre_arena.v1.action_pb2 import ACTION_KIND_PASS, Action
from euchre_arena.v1.arena_service_pb2 import Answer, BotMessage, ConnectRequest, Hello, Pong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["KINDS"]

CONNECT = "/euchre_arena.v1.ArenaService/Connect"
HELLO = ConnectRequest(messages=[BotMessage(hello=Hello(protocol_version=1))]).SerializeToString()


def _stale() -> Iterator[bytes]:
    """Yields full frames of answers to questions that are not open."""
    answer = Answer(table_id="0" * 16, decision_id=1, action=Action(kind=ACTION_KIND_PASS))
    frame = ConnectRequest(messages=[BotMessage(answer=answer)] * 1_400).SerializeToString()
    while True:
        yield frame


def _garbage() -> Iterator[bytes]:
    random = Random(1)
    while True:
        yield random.randbytes(random.randint(1, 60_000))


def _pongs() -> Iterator[bytes]:
    """Yields one small message a frame."""
    for nonce in count(1_000_000):
        pong = BotMessage(pong=Pong(nonce=nonce))
        yield ConnectRequest(messages=[pong]).SerializeToString()


def _empty() -> Iterator[bytes]:
    while True:
        yield b""


def _huge() -> Iterator[bytes]:
    """Yields frames larger than a frame may be, and now and then larger than is read at all."""
    for number in count(1):
        yield b"x" * (1_000_000 if number % 20 == 0 else 250_000)


def _nothing() -> Iterator[bytes]:
    """Yields nothing: the stream ends at once, to be dialled again."""
    yield from ()


KINDS: dict[str, Callable[[], Iterator[bytes]]] = {
    "stale": _stale,
    "garbage": _garbage,
    "pongs": _pongs,
    "empty": _empty,
    "huge": _huge,
    "storm": _nothing,
    "strangers": _nothing,
}


async def flood(kind: str, address: str, token: str) -> None:
    """Floods an arena in eight streams at once, for as long as whoever started it is there."""
    asyncio.get_running_loop().add_reader(sys.stdin, os._exit, 0)
    if kind == "strangers":
        token = "nobody knows this"  # noqa: S105  # that is the point of it
    await asyncio.gather(*(_flood(kind, address, token) for _ in range(8)))


async def _flood(kind: str, address: str, token: str) -> None:
    options = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0))
    while True:
        async with grpc.aio.insecure_channel(address, options=options) as channel:
            for _ in range(20):  # then over another connection
                call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(CONNECT)(
                    metadata=(("authorization", f"Bearer {token}"),), wait_for_ready=True
                )
                reader = asyncio.create_task(_read(call))
                try:
                    await call.write(HELLO)
                    for frame in KINDS[kind]():
                        await call.write(frame)
                except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    pass
                if kind in {"storm", "strangers"}:
                    call.cancel()
                await asyncio.wait((reader,), timeout=2)
                call.cancel()
                await asyncio.wait((reader,))


async def _read(call: grpc.aio.StreamStreamCall[bytes, bytes]) -> None:
    try:
        while await call.read() is not grpc.aio.EOF:
            pass
    except (grpc.aio.AioRpcError, asyncio.CancelledError):
        pass


if __name__ == "__main__":
    asyncio.run(flood(*sys.argv[1:4]))
