"""Owns a remedy for a weakness of grpc.aio: wake-ups that pile up until its events are held up.

A thread of gRPC's writes one byte into a socket for every event, and the event loop reads one byte
in every pass, though it takes all events that there are. Where a pass brings several events, bytes
pile up, and after some 280 of them the thread waits in its write until most have been read: no
event arrives for 200 passes, which is a tenth of a second on a busy loop. Enough to lose on time.

Here the loop counts the bytes before gRPC takes the events, of which it has then taken all that
they were written for, and reads them afterwards. What is not found, as with another kind of loop,
is left alone. Must not know what is carried.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any, Final

__all__ = ["drain_wakeups"]

_QUEUE: Final = "PollerCompletionQueue"
_AT_ONCE: Final = 4_096


def drain_wakeups(loop: asyncio.AbstractEventLoop) -> bool:
    """Makes a loop read all of gRPC's wake-ups that there are, at once; may be called again.

    Args:
        loop: A loop in which something of grpc.aio has been made.

    Returns:
        Whether the loop does so now.
    """
    selector = getattr(loop, "_selector", None)
    done = False
    for key in list(selector.get_map().values()) if selector is not None else ():
        reader = key.data[0] if isinstance(key.data, tuple) else None
        callback = getattr(reader, "_callback", None)
        if callback is _drained:
            done = True
        elif callback and isinstance(key.fileobj, socket.socket) and _is_of_grpc(callback):
            arguments = getattr(reader, "_args", ())
            loop.add_reader(key.fileobj, _drained, key.fileobj, callback, *arguments)
            done = True
    return done


def _is_of_grpc(callback: object) -> bool:
    """Returns whether it is the method of gRPC's that takes events."""
    method = getattr(callback, "func", callback)
    return type(getattr(method, "__self__", None)).__name__ == _QUEUE


def _drained(wakeups: socket.socket, callback: Callable[..., Any], /, *arguments: Any) -> None:  # noqa: ANN401  # gRPC's
    count = 0
    with contextlib.suppress(BlockingIOError):
        count = len(wakeups.recv(_AT_ONCE, socket.MSG_PEEK | socket.MSG_DONTWAIT))
    callback(*arguments)  # takes one byte; where it fails, the others lead to what it has not taken
    if count > 1:
        with contextlib.suppress(BlockingIOError):
            wakeups.recv(count - 1, socket.MSG_DONTWAIT)
