"""Owns where the session layer gets its time from: one monotonic clock, in whole milliseconds.

The driver takes a `Clock`; tests give it one that moves when told. Must not know what is timed.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

__all__ = ["Clock", "MonotonicClock", "Timer"]


class Timer(Protocol):
    """Something that will be called and need not be."""

    def cancel(self) -> None:
        """Calls it off."""


class Clock(Protocol):
    """Tells the time and calls back."""

    def now(self) -> int:
        """Returns milliseconds since some moment; never goes back."""
        ...

    def call_at(self, when: int, callback: Callable[[], None]) -> Timer:
        """Calls back at that time, or as soon after as can be."""
        ...

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Calls back after what is ready now has run."""
        ...


class MonotonicClock:
    """The clock of the machine and the running event loop."""

    def now(self) -> int:
        """Returns the machine's monotonic time in milliseconds."""
        return time.monotonic_ns() // 1_000_000

    def call_at(self, when: int, callback: Callable[[], None]) -> Timer:
        """Calls back by the running loop, whose time is the same clock."""
        return asyncio.get_running_loop().call_at(when / 1000, callback)

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Calls back in the loop's next pass."""
        asyncio.get_running_loop().call_soon(callback)
