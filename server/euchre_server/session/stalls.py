"""Owns when the loop stood still, for tables to be told when something next happens at them.

To tell thousands of tables at once would be the next stall. A table that was not told of several
is told of the first, during which its question may have been put, and of the others together:
they came after, so each of them takes its whole length off.
Must not know tables or time.
"""

from typing import Final

__all__ = ["Stalls"]

_KEPT: Final = 10_000


class Stalls:
    """Remembers stalls until every table has been told."""

    def __init__(self) -> None:
        self.count = 0
        """How many there have been."""
        self._ends: list[int] = []
        self._totals: list[int] = [0]

    @property
    def is_long(self) -> bool:
        """Returns whether so many are remembered that all tables should be told."""
        return len(self._ends) > _KEPT

    def add(self, end: int, length: int) -> None:
        """Takes note of a stall by its end."""
        self.count += 1
        self._ends.append(end)
        self._totals.append(self._totals[-1] + length)

    def since(self, seen: int) -> list[tuple[int, int]]:
        """Returns end and length of what came after the first so many, as at most two stalls."""
        first = len(self._ends) - (self.count - seen)
        ends, totals = self._ends, self._totals
        if first == len(ends):
            return []
        told = [(ends[first], totals[first + 1] - totals[first])]
        if first + 1 < len(ends):
            told.append((ends[-1], totals[-1] - totals[first + 1]))
        return told

    def forget(self) -> None:
        """Remembers none: every table has been told."""
        self._ends = []
        self._totals = [0]
