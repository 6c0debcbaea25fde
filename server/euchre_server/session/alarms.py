"""Owns when the driver must look at a table again: one heap for all tables, and the arena's lag.

A table asks for one moment at a time and mostly for a later one, so an entry is left in the heap
until it comes up and is then put off: the heap holds one entry a table, however many decisions.
With long clocks that may be hours after the table has ended, so the heap is swept when it has
doubled.

Lag: a beat comes every `BEAT_MS`. One that is late by more than `LAG_MS` means that the loop stood
still; the whole time since the beat before is then reported, since anything of it may have been
lost. The bound is so low because a decision meets several passes of the loop, and the smallest
rated budget is short. Lag is reported before any alarm goes off, and by `notice` before anything is
ruled that was read before the late beat could come. A due alarm waits for two passes of the loop,
so that answers which can be read already are read first.
Must not know tables: it calls back with what was given to it.
"""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Final, Generic, Protocol, TypeVar

from euchre_server.session.counts import Histogram
from euchre_server.session.timing import Clock, Timer

__all__ = ["BEAT_MS", "LAG_MS", "Alarms", "Sleeper"]

BEAT_MS: Final = 10
LAG_MS: Final = 5
HIGH_LAG_MS: Final = 20
"""What the mean lag must be for no more tables to be opened."""
_PASSES: Final = 2
_MEMORY: Final = 40
"""Over about how many beats the mean lag is taken; one late beat alone does not raise it much."""
_FEW: Final = 1_000
"""Entries that are not worth a sweep."""


class Sleeper(Protocol):
    """What can be woken: it remembers its own two moments, so that it costs no look-up."""

    wake_at: int | None
    """When it wants to be woken; None for not at all."""
    heap_at: int | None
    """When its entry in the heap comes up."""


_S = TypeVar("_S", bound=Sleeper)


class Alarms(Generic[_S]):
    """Wakes sleepers at their time, and reports the loop's lag."""

    def __init__(
        self,
        clock: Clock,
        *,
        on_due: Callable[[list[_S]], None],
        on_beat: Callable[[int], None],
        lag: Histogram | None = None,
    ) -> None:
        """Makes alarms that are not running.

        Args:
            clock: The time.
            on_due: Called with all whose time has come.
            on_beat: Called at every beat with the lag in milliseconds, 0 where there is none.
            lag: Counts how late the loop was at each beat.
        """
        self._clock = clock
        self._on_due = on_due
        self._on_beat = on_beat
        self._lag = lag
        self._heap: list[tuple[int, int, _S]] = []
        self._tie = count()
        self._sweep_at = _FEW
        self._timer: Timer | None = None
        self._timer_at: int | None = None
        self._beat: Timer | None = None
        self._beat_before = 0
        self._mean_lag_ms = 0.0

    @property
    def is_lagging(self) -> bool:
        """Returns whether the loop has been late of late, not just once."""
        return self._mean_lag_ms > HIGH_LAG_MS

    def start(self) -> None:
        """Begins to beat."""
        if self._beat is None:
            self._beat_before = self._clock.now()
            self._beat = self._clock.call_at(self._beat_before + BEAT_MS, self._beats)

    def stop(self) -> None:
        """Wakes nobody any more."""
        for timer in (self._beat, self._timer):
            if timer is not None:
                timer.cancel()
        self._beat = self._timer = self._timer_at = None
        self._heap.clear()

    def wake(self, sleeper: _S, at: int) -> None:
        """Wakes a sleeper at this time and not at any other asked for before."""
        sleeper.wake_at = at
        if sleeper.heap_at is None or at < sleeper.heap_at:
            self._push(sleeper, at)

    def _push(self, sleeper: _S, at: int) -> None:
        sleeper.heap_at = at
        heappush(self._heap, (at, next(self._tie), sleeper))
        if len(self._heap) > self._sweep_at:
            self._sweep()
        self._arm()

    def _sweep(self) -> None:
        """Lets go of who waits no more."""
        kept = []
        for entry in self._heap:
            at, _, sleeper = entry
            if sleeper.heap_at == at and sleeper.wake_at is None:
                sleeper.heap_at = None
            elif sleeper.heap_at == at:
                kept.append(entry)
        heapify(kept)
        self._heap = kept
        self._sweep_at = max(_FEW, 2 * len(kept))

    def _arm(self) -> None:
        due = self._heap[0][0]
        if self._timer_at is not None and self._timer_at <= due:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = due
        self._timer = self._clock.call_at(due, self._comes_up)

    def _comes_up(self, passes: int = _PASSES) -> None:
        if passes:
            self._clock.call_soon(lambda: self._comes_up(passes - 1))
            return
        self._timer = self._timer_at = None
        now = self._clock.now()
        due: list[_S] = []
        later: list[_S] = []
        while self._heap and self._heap[0][0] <= now:
            at, _, sleeper = heappop(self._heap)
            if sleeper.heap_at != at:
                continue  # an earlier moment was asked for after this one
            sleeper.heap_at = None
            if sleeper.wake_at is None:
                continue
            (due if sleeper.wake_at <= now else later).append(sleeper)
        for sleeper in later:
            if sleeper.wake_at is not None:
                self._push(sleeper, sleeper.wake_at)
        for sleeper in due:
            sleeper.wake_at = None
        if due:
            self._on_due(due)
        if self._heap:
            self._arm()

    def notice(self, now: int) -> None:
        """Reports at once that the loop has stood still, if the beat that would say so is late."""
        if self._beat is not None and now - self._beat_before > BEAT_MS + LAG_MS:
            self._report(now)

    def _beats(self) -> None:
        now = self._clock.now()
        self._beat = self._clock.call_at(now + BEAT_MS, self._beats)
        self._report(now)

    def _report(self, now: int) -> None:
        gap = now - self._beat_before
        self._beat_before = now
        if self._lag is not None:
            self._lag.add(max(0, gap - BEAT_MS))
        late = min(max(0, gap - BEAT_MS), _MEMORY * HIGH_LAG_MS)
        self._mean_lag_ms += (late - self._mean_lag_ms) / _MEMORY
        self._on_beat(gap if gap - BEAT_MS > LAG_MS else 0)
