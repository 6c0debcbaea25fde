"""Owns how much may come from one side that is of no use: a bucket that fills with time.

What is of use is never counted. Must not know what is counted.
"""

from typing import Final

__all__ = ["Allowance"]

_PER_ONE: Final = 1_000
"""In what a bucket counts: thousandths, of which `per_second` come in a millisecond."""


class Allowance:
    """A bucket, full at first."""

    def __init__(self, *, most: int, per_second: int, now: int) -> None:
        """Makes a full bucket.

        Args:
            most: How many it holds.
            per_second: How many come with time.
            now: The time in milliseconds.
        """
        self._most = most * _PER_ONE
        self._per_second = per_second
        self._level = self._most
        self._filled_at = now

    def earn(self, count: int) -> None:
        """Adds some at once, as far as they have room."""
        self._level = min(self._most, self._level + count * _PER_ONE)

    def spend(self, now: int) -> bool:
        """Takes one out; returns whether there was one."""
        self._level = min(self._most, self._level + (now - self._filled_at) * self._per_second)
        self._filled_at = now
        if self._level < _PER_ONE:
            return False
        self._level -= _PER_ONE
        return True

    def wait_ms(self) -> int:
        """Returns how long it takes from the last look until there is one."""
        return max(0, -(-(_PER_ONE - self._level) // self._per_second))
