"""gRPC's wake-ups are read as they come, so that none of its events is held up by them."""

import asyncio
import socket

import grpc

from euchre_arena.wakeups import drain_wakeups


class PollerCompletionQueue:
    """What gRPC has under this name: one byte is read for any number of events."""

    def __init__(self) -> None:
        self.wakeups, self.writer = socket.socketpair()
        self.calls = 0
        self.events: list[int] = []
        self.taken: list[int] = []

    def handle_events(self) -> None:
        """Takes all events; one of a loop that is closed, as 0 is here, keeps it from the rest."""
        self.wakeups.recv(1)
        self.calls += 1
        while self.events:
            event = self.events.pop(0)
            if not event:
                raise RuntimeError("Event loop is closed")
            self.taken.append(event)

    def wake(self, count: int) -> None:
        """Writes so many bytes, as many events would."""
        for _ in range(count):
            self.writer.send(b"1")

    def close(self) -> None:
        """Gives both ends back."""
        self.wakeups.close()
        self.writer.close()


async def test_grpc_is_found_in_the_loop() -> None:
    """Should another version of gRPC do otherwise, it is noticed here."""
    async with grpc.aio.insecure_channel("127.0.0.1:9"):
        loop = asyncio.get_running_loop()

        assert [True, True] == [drain_wakeups(loop), drain_wakeups(loop)]


async def test_all_wake_ups_are_read_in_one_pass() -> None:
    """However many there are, the next pass of the loop finds none left."""
    loop = asyncio.get_running_loop()
    queue = PollerCompletionQueue()
    loop.add_reader(queue.wakeups, queue.handle_events)
    drain_wakeups(loop)
    queue.wake(200)

    for _ in range(3):
        await asyncio.sleep(0)
    calls = queue.calls
    loop.remove_reader(queue.wakeups)
    queue.wakeups.setblocking(False)  # noqa: FBT003  # as the standard library has it
    try:
        left = len(queue.wakeups.recv(1))
    except BlockingIOError:
        left = 0
    queue.close()

    assert (1, 0) == (calls, left)


async def test_no_event_is_lost_behind_one_of_a_closed_loop() -> None:
    """A program may have several loops, one after the other: gRPC stumbles, and is called again."""
    loop = asyncio.get_running_loop()
    told: list[object] = []
    loop.set_exception_handler(lambda _, context: told.append(str(context["exception"])))
    queue = PollerCompletionQueue()
    loop.add_reader(queue.wakeups, queue.handle_events)
    drain_wakeups(loop)
    queue.events = [1, 0, 2, 0, 0, 3, 4]
    queue.wake(len(queue.events))

    for _ in range(len(queue.events) + 1):
        await asyncio.sleep(0)
    loop.remove_reader(queue.wakeups)
    queue.close()

    assert ([1, 2, 3, 4], ["Event loop is closed"] * 3) == (queue.taken, told)


async def test_a_loop_without_grpc_is_left_alone() -> None:
    """Whatever else is read in a loop goes on being read as it was, every byte of it."""
    loop = asyncio.get_running_loop()
    reader, writer = socket.socketpair()
    read: list[bytes] = []
    with reader, writer:
        loop.add_reader(reader, lambda: read.append(reader.recv(1)))
        writer.send(b"123")

        assert not drain_wakeups(loop)
        for _ in range(5):
            await asyncio.sleep(0)
        loop.remove_reader(reader)

    assert [b"1", b"2", b"3"] == read
