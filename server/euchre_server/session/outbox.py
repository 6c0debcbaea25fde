"""Owns what waits to be written to one session, and in which frames it goes out.

Messages gather until the writer comes for them; what has gathered leaves as one frame, cut at the
frame limit. That is all the batching there is: alone, a message leaves at once. No more decisions
are handed out than the bot wants open at once; the others wait here, unsent and uncharged.
Must not know what a message says, sockets or tasks: the writer asks for frames.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

__all__ = ["FRAME_OVERHEAD", "Frame", "Outbox"]

FRAME_OVERHEAD = 8
"""More than what wraps one message in a frame."""


class _Entry(NamedTuple):
    message: bytes
    table_id: str
    """Empty for what is no table's."""
    decision_id: int
    """0 for what is no question."""


class Frame(NamedTuple):
    """What goes out at once."""

    messages: list[bytes]
    decisions: list[tuple[str, int]]
    """Table and decision id of every question in it."""


class Outbox:
    """Gathers the messages to one session."""

    def __init__(
        self, *, max_frame_bytes: int, max_queue_bytes: int, notify: Callable[[], None]
    ) -> None:
        """Makes an empty outbox.

        Args:
            max_frame_bytes: How large a frame may become.
            max_queue_bytes: How much may wait before the outbox counts as full.
            notify: Called when the writer should come.
        """
        self.max_open_decisions = 1
        self._max_frame_bytes = max_frame_bytes
        self._max_queue_bytes = max_queue_bytes
        self._notify = notify
        self._queue: deque[_Entry] = deque()
        self._queued_bytes = 0
        self._open: set[str] = set()
        self._put: set[str] = set()
        self._waiting: dict[str, _Entry] = {}
        self.is_closed = False

    @property
    def is_full(self) -> bool:
        """Returns whether more waits than may."""
        return self._queued_bytes > self._max_queue_bytes

    @property
    def has_room(self) -> bool:
        """Returns whether more may be heaped up: less than a frame waits, and far from too much."""
        return self._queued_bytes < min(self._max_frame_bytes, self._max_queue_bytes // 2)

    @property
    def is_empty(self) -> bool:
        """Returns whether nothing is ready to go out."""
        return not self._queue

    @property
    def is_busy(self) -> bool:
        """Returns whether the bot has a question before it that it has not answered yet."""
        return bool(self._put)

    @property
    def queued_bytes(self) -> int:
        """Returns how much waits to go out."""
        return self._queued_bytes

    def put(self, message: bytes, table_id: str = "") -> None:
        """Adds a message, which may be about a table."""
        self._add(_Entry(message, table_id, 0))

    def ask(self, message: bytes, table_id: str, decision_id: int) -> bool:
        """Adds a question, or lets it wait until the bot has answered another.

        Returns whether it goes out now.
        """
        entry = _Entry(message, table_id, decision_id)
        if table_id in self._open or len(self._open) < self.max_open_decisions:
            self._open.add(table_id)
            self._add(entry)
            return True
        if not self.is_closed:
            self._waiting[table_id] = entry
        return False

    def settled(self, table_id: str) -> None:
        """Takes note that the table's question is open no more."""
        self._waiting.pop(table_id, None)
        self._open.discard(table_id)
        self._put.discard(table_id)
        while self._waiting and len(self._open) < self.max_open_decisions:
            first = next(iter(self._waiting))
            self._open.add(first)
            self._add(self._waiting.pop(first))

    def drop(self, table_id: str) -> bool:
        """Forgets all that has gathered about a table; returns whether there was anything."""
        kept = [entry for entry in self._queue if entry.table_id != table_id]
        dropped = len(kept) < len(self._queue)
        self._queue = deque(kept)
        self._queued_bytes = sum(len(entry.message) for entry in kept)
        self.settled(table_id)
        return dropped

    def clear(self) -> None:
        """Forgets all that has gathered."""
        self._queue.clear()
        self._waiting.clear()
        self._queued_bytes = 0

    def close(self) -> None:
        """Takes no more messages; what has gathered still goes out."""
        self.is_closed = True
        self._waiting.clear()
        self._notify()

    def notify(self) -> None:
        """Calls the writer if there is something for it."""
        if self._queue or self.is_closed:
            self._notify()

    def next_frame(self) -> Frame:
        """Returns what goes out next, empty when nothing has gathered."""
        frame = Frame([], [])
        size = 0
        while self._queue:
            entry = self._queue[0]
            size += len(entry.message) + FRAME_OVERHEAD
            if frame.messages and size > self._max_frame_bytes:
                break
            self._queue.popleft()
            self._queued_bytes -= len(entry.message)
            frame.messages.append(entry.message)
            if entry.decision_id:
                frame.decisions.append((entry.table_id, entry.decision_id))
                self._put.add(entry.table_id)
        return frame

    def _add(self, entry: _Entry) -> None:
        if not self.is_closed:
            self._queue.append(entry)
            self._queued_bytes += len(entry.message)
