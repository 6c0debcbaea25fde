"""One queue of events, one clock, and processes that are event loops of their own.

Owns simulated time, in whole microseconds. A `Process` is an asyncio event loop without a selector:
the real coroutines of server and client run on it unchanged. It can be stalled (its callbacks wait,
time goes on), and killed (nothing that it still does has an effect).
Must not know what the processes do.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from contextvars import Context

__all__ = ["MS", "Call", "Process", "ProcessClock", "World"]

MS = 1_000
"""Microseconds in a millisecond."""
_SOON, _INPUT, _TIMER = range(3)
"""The order in which a loop that stood still takes up what has become ready meanwhile."""
_LAST_WORDS = 10_000
_T = TypeVar("_T")


class Call:
    """Something that a process will do, unless it is cancelled."""

    def __init__(
        self,
        process: Process | None,
        rank: int,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        context: Context | None,
    ) -> None:
        self.process = process
        self.rank = rank
        self.callback = callback
        self.args = args
        self.context = context
        self.is_off = False

    def cancel(self) -> None:
        """Calls it off."""
        self.is_off = True

    def cancelled(self) -> bool:
        """Returns whether it was called off."""
        return self.is_off

    def run(self) -> None:
        """Does it."""
        if self.context is None:
            self.callback(*self.args)
        else:
            self.context.run(self.callback, *self.args)


class World:
    """Everything that happens in one simulated match, in one order."""

    def __init__(self, seed: str, *, tracing: bool = False) -> None:
        """Makes a world at time zero.

        Args:
            seed: All chance follows from it.
            tracing: Whether to keep lines that say what happens.
        """
        self.now = 0
        self.seed = seed
        self.violations: list[str] = []
        self.injected: Counter[str] = Counter()
        """The faults so far."""
        self.on_fault: Callable[[str], None] = lambda _: None
        self.lines: list[str] | None = [] if tracing else None
        self.processes: list[Process] = []
        self._queue: list[tuple[int, int, Call]] = []
        self._tie = count()

    def random(self, purpose: str) -> Random:
        """Returns a generator of its own for some purpose."""
        return Random(f"{self.seed} {purpose}")

    def trace(self, who: str, what: str, now: int | None = None) -> None:
        """Keeps a line of the trace."""
        if self.lines is not None:
            at = self.now if now is None else now
            self.lines.append(f"{at / MS:12.3f} {who:<10} {what}")

    def fault(self, what: str) -> None:
        """Counts a fault that is injected now."""
        self.injected[what] += 1
        self.on_fault(what)
        self.trace("fault", what)

    def violate(self, what: str) -> None:
        """Notes that something is wrong; it is told at the end, for the server catches errors."""
        self.violations.append(f"at {self.now / MS:.3f} ms: {what}")
        self.trace("ORACLE", what)

    def schedule(
        self,
        when: int,
        callback: Callable[..., object],
        *args: Any,  # noqa: ANN401  # those of the callback
        process: Process | None = None,
        rank: int = _INPUT,
        context: Context | None = None,
    ) -> Call:
        """Calls back at a time, in a process or, without one, in the world itself."""
        call = Call(process, rank, callback, args, context)
        heappush(self._queue, (max(when, self.now), next(self._tie), call))
        return call

    def run(self, until: int, over: Callable[[], bool]) -> bool:
        """Lets things happen until it is over; returns whether that came before the time."""
        while self._queue and not over():
            when, tie, call = heappop(self._queue)
            if when > until:
                return False
            self.now = when
            process = call.process
            if call.is_off:
                continue
            if process is not None and process.is_dead:
                process.keep_for_last(call)
                continue
            if process is None:
                asyncio._set_running_loop(None)
                call.run()
            elif process.busy_until > when:
                process.put_off(when, tie, call)
            else:
                process.enter()
                process.began = when
                call.run()
        asyncio._set_running_loop(None)
        return over()

    def close(self) -> None:
        """Ends every process, so that nothing of it is left to the garbage collector."""
        for process in self.processes:
            process.die()
            process.reap()
        self._queue.clear()
        asyncio._set_running_loop(None)


class Process:
    """A program that runs on a loop of its own."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.is_dead = False
        self.busy_until = 0
        self.began = 0
        """When it began with what it does now, in microseconds."""
        self.stalls: list[tuple[int, int]] = []
        """From when to when it stood still, in microseconds."""
        self._tasks: list[asyncio.Task[Any]] = []
        self._put_off: list[tuple[int, int, int, Call]] = []
        self._last_words: list[Call] = []
        world.processes.append(self)

    @property
    def now(self) -> int:
        """Returns the time as this process sees it, in microseconds."""
        return max(self.world.now, self.busy_until)

    def trace(self, what: str) -> None:
        """Keeps a line of the trace."""
        if not self.is_dead:
            self.world.trace(self.name, what, self.now)

    def enter(self) -> None:
        """Is the loop that runs from now on."""
        asyncio._set_running_loop(cast("Any", self))

    @classmethod
    def here(cls) -> Process | None:
        """Returns the process that runs now."""
        process = cast("object", asyncio._get_running_loop())
        return process if isinstance(process, Process) else None

    # Faults

    def stall(self, microseconds: int) -> None:
        """Stands still from now on; also in the middle of a callback, which then ends later."""
        self.stalls.append((self.now, self.now + microseconds))
        self.busy_until = self.now + microseconds

    def put_off(self, when: int, tie: int, call: Call) -> None:
        """Keeps what became ready while the process stood still."""
        if not self._put_off:
            self.world.schedule(self.busy_until, self._take_up)
        self._put_off.append((call.rank, when, tie, call))

    def _take_up(self) -> None:
        if self.busy_until > self.world.now:
            self.world.schedule(self.busy_until, self._take_up)
            return
        waiting, self._put_off = self._put_off, []
        for _, _, _, call in sorted(waiting, key=lambda entry: entry[:3]):
            heappush(self.world._queue, (self.world.now, next(self.world._tie), call))

    def die(self) -> None:
        """Is killed: whatever it still does has no effect."""
        self.is_dead = True

    def keep_for_last(self, call: Call) -> None:
        """Keeps what a dead process would have done at once: the first step of a task, perhaps."""
        if call.rank == _SOON:
            self._last_words.append(call)

    def reap(self) -> None:
        """Lets the coroutines of a dead process come to their end, unheard."""
        before = asyncio._get_running_loop()
        self.enter()
        dropped = [entry for entry in self.world._queue if entry[2].process is self]
        put_off = [(when, tie, call) for _, when, tie, call in self._put_off]
        self._put_off.clear()
        for _, _, call in sorted(dropped + put_off, key=lambda entry: entry[:2]):
            self.keep_for_last(call)
        for task in self._tasks:
            task.cancel()
        for _ in range(_LAST_WORDS):
            if not self._last_words:
                break
            call = self._last_words.pop(0)
            if not call.is_off:
                call.is_off = True
                call.run()
        asyncio._set_running_loop(before)
        self._tasks = [task for task in self._tasks if not task.done()]
        self._last_words.clear()

    @property
    def tasks(self) -> list[asyncio.Task[Any]]:
        """Returns the tasks that have not ended."""
        self._tasks = [task for task in self._tasks if not task.done()]
        return self._tasks

    # What asyncio asks of a loop

    def time(self) -> float:
        """Returns the time in seconds."""
        return self.now / 1_000_000

    def call_soon(
        self,
        callback: Callable[..., object],
        *args: Any,  # noqa: ANN401  # the callback's
        context: Context | None = None,
    ) -> Call:
        """Calls back after what is ready now."""
        if self.is_dead:
            call = Call(self, _SOON, callback, args, context)
            self._last_words.append(call)
            return call
        return self.world.schedule(
            self.now, callback, *args, process=self, rank=_SOON, context=context
        )

    call_soon_threadsafe = call_soon  # there are no threads

    def call_later(
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,  # noqa: ANN401  # the callback's
        context: Context | None = None,
    ) -> Call:
        """Calls back in so many seconds."""
        return self.call_at_us(
            self.now + round(delay * 1_000_000), callback, *args, context=context
        )

    def call_at(
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,  # noqa: ANN401  # the callback's
        context: Context | None = None,
    ) -> Call:
        """Calls back at a time in seconds."""
        return self.call_at_us(round(when * 1_000_000), callback, *args, context=context)

    def call_at_us(
        self,
        when: int,
        callback: Callable[..., object],
        *args: Any,  # noqa: ANN401  # the callback's
        context: Context | None = None,
    ) -> Call:
        """Calls back at a time in microseconds."""
        return self.world.schedule(
            when, callback, *args, process=self, rank=_TIMER, context=context
        )

    def create_future(self) -> asyncio.Future[Any]:
        """Returns a future of this process."""
        return asyncio.Future(loop=cast("Any", self))

    def create_task(
        self,
        coro: Coroutine[Any, Any, _T],
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> asyncio.Task[_T]:
        """Begins to run a coroutine."""
        task: asyncio.Task[_T] = asyncio.Task(
            coro, loop=cast("Any", self), name=name, context=context
        )
        self._tasks.append(task)
        if len(self._tasks) > 200:
            _ = self.tasks
        return task

    def is_closed(self) -> bool:
        """Returns whether nothing can be asked of it any more."""
        return False

    def get_debug(self) -> bool:
        """Returns that nothing is to be watched more closely."""
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Notes an error that nobody took."""
        if not self.is_dead:
            self.world.violate(
                f"{self.name}: {context.get('message')}: {context.get('exception')!r}"
            )


class ProcessClock:
    """A process's time as the session layer asks for it."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def now(self) -> int:
        """Returns milliseconds."""
        return self._process.now // MS

    def call_at(self, when: int, callback: Callable[[], None]) -> Call:
        """Calls back at that time."""
        return self._process.call_at_us(when * MS, callback)

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Calls back after what is ready now."""
        self._process.call_soon(callback)
