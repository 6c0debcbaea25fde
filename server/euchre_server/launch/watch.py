"""Owns the watch over what running bots use: several times a second, in a thread of its own.

Of memory no limit of the kernel will do: on address space, programs that compile as they run die
of it. Must not know what the limits are for.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Final

import psutil

from euchre_server.launch.limits import ProcessLimits, Usage, excess

if TYPE_CHECKING:
    from collections.abc import Iterable

    from euchre_server.launch.process import BotProcess

__all__ = ["Watch", "usage_of"]

_EVERY_S: Final = 0.25


class Watch:
    """Ends bots that use more than they may."""

    def __init__(self, limits: ProcessLimits) -> None:
        """Prepares to watch; the thread starts with the first bot."""
        self._limits = limits
        self._watched: list[BotProcess] = []
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, process: BotProcess) -> None:
        """Watches a process and all that it starts, until it ends."""
        with self._lock:
            self._watched.append(process)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="watch of limits", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Watches no longer."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(_EVERY_S):
            with self._lock:
                self._watched = [process for process in self._watched if process.running]
                watched = tuple(self._watched)
            for process in watched:
                self._look(process)

    def _look(self, process: BotProcess) -> None:
        found = process.tree()
        usage = usage_of(found)
        process.used = process.used.most(usage)
        if excess(usage, self._limits) is None:
            return
        # Memory that processes share was counted once for each: exactly now, since that is dear.
        why = excess(usage_of(found, exactly=True), self._limits)
        if why is not None:
            process.condemn(why, found)


def usage_of(processes: Iterable[psutil.Process], *, exactly: bool = False) -> Usage:
    """Returns what processes use together; what has ended meanwhile uses nothing.

    Args:
        processes: The processes.
        exactly: Whether to divide memory that several share among them.
    """
    memory = threads = 0
    cpu_s = 0.0
    for process in processes:
        with contextlib.suppress(psutil.Error, OSError), process.oneshot():
            times = process.cpu_times()
            cpu_s += times.user + times.system + times.children_user + times.children_system
            threads += process.num_threads()
            memory += _share_of(process) if exactly else process.memory_info().rss
    return Usage(memory=memory, processes=threads, cpu_s=cpu_s)


def _share_of(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except (psutil.AccessDenied, AttributeError):  # hidden by the program; or no Linux
        return int(process.memory_info().rss)
