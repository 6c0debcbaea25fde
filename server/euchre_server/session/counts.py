"""Owns what is counted while tables are played: plain numbers, cheap to raise, read when asked for.

Nothing here is about one table, bot or seat. The reasons of refused answers are told apart only as
far as they do not depend on cards: that a seat had to follow suit tells what it holds.
Must not know who reads the numbers.
"""

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from euchre_server.referee.facts import FaultKind, RejectReason

__all__ = ["Counts", "Histogram", "reject_class"]

_MS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000)
_US: Final = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 1_000_000)
_TOLD_APART: Final = {
    RejectReason.UNREADABLE: "unreadable",
    RejectReason.STALE_DECISION: "stale_decision",
    RejectReason.UNKNOWN_DECISION: "unknown_decision",
    RejectReason.UNKNOWN_TABLE: "unknown_table",
}


def reject_class(reason: RejectReason) -> str:
    """Returns what is told of a refused answer: all that depends on cards is one class."""
    return _TOLD_APART.get(reason, "illegal")


class Histogram:
    """Counts values by size."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[int, ...]) -> None:
        """Makes an empty histogram.

        Args:
            bounds: The largest value of each class but the last, ascending.
        """
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0
        """The sum of all values."""

    def add(self, value: int) -> None:
        """Counts a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


def _ms() -> Histogram:
    return Histogram(_MS)


def _us() -> Histogram:
    return Histogram(_US)


@dataclass(slots=True)
class Counts:
    """What the driver and its sessions have done so far."""

    steps: int = 0
    decisions: int = 0
    played_by_clock: int = 0
    """Those of them that a bot was too late for."""
    tables: int = 0
    stalls: int = 0
    crashes: int = 0
    faults: Counter[FaultKind] = field(default_factory=Counter)
    rejects: Counter[str] = field(default_factory=Counter)
    session_faults: Counter[str] = field(default_factory=Counter)
    goodbyes: Counter[str] = field(default_factory=Counter)
    charged: Histogram = field(default_factory=_ms)
    """The time of each decision that was charged to its seat, in milliseconds."""
    turnaround: Histogram = field(default_factory=_ms)
    """From a bot's answer to the table's next question being handed to the transport, likewise."""
    lag: Histogram = field(default_factory=_ms)
    """How late the loop was at each beat, likewise."""
    flush: Histogram = field(default_factory=_us)
    """How long it took to hand what a turn recorded to the system, in microseconds."""
