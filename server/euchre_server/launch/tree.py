"""Owns the ending of process trees: nothing that a bot started outlives its match.

A process can leave its parent's group, its session and, by forking twice, its ancestry. So the
arena makes itself the *subreaper* of all that its bots start: what loses its parent becomes the
arena's child, and can be found (FACTS: no other unprivileged way caught a daemon).
Must not know bots, tokens or matches.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterable, Iterator

__all__ = [
    "adopted_by_us",
    "descendants_of",
    "exit_status",
    "kill_all",
    "reap_adopted",
    "started",
    "subreaper",
    "tree_of",
]

_PR_SET_CHILD_SUBREAPER: Final = 36
_PR_GET_CHILD_SUBREAPER: Final = 37
_POLL_S: Final = 0.01

# Of the whole process, as its children are: whose exit status somebody waits for.
_awaited: Final = Counter[int]()
_awaiting: Final = threading.Lock()


def started(start: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    """Returns what `start` started; nobody but `exit_status` takes its exit status."""
    with _awaiting:  # nobody may look for adopted children before this one is known
        popen = start()
        _awaited[popen.pid] += 1
    return popen


def exit_status(popen: subprocess.Popen[bytes]) -> int:
    """Waits for the exit of what was `started`; returns its status, negative for a signal."""
    status = popen.wait()
    with _awaiting:  # counted, since the number may by now be that of another
        _awaited[popen.pid] -= 1
        if not _awaited[popen.pid]:
            del _awaited[popen.pid]
    return status


@contextlib.contextmanager
def subreaper() -> Iterator[bool]:
    """Makes this process the parent of orphaned descendants, as long as the context lasts.

    Yields whether it could be done: only Linux can.
    """
    if sys.platform != "linux":
        yield False
        return
    libc = ctypes.CDLL(None, use_errno=True)
    before = ctypes.c_int(0)
    libc.prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(before), 0, 0, 0)
    done = libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield done
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, before.value, 0, 0, 0)


def tree_of(leader: int, before: Iterable[psutil.Process] = ()) -> list[psutil.Process]:
    """Returns a session leader that we started, who else is in its session, and all below them.

    Only our own descendants are looked at, so that a pid that is in use again harms nobody.

    Args:
        leader: The leader's pid.
        before: What was found earlier: once its parents are gone, it would not be found again.
    """
    known = set(before)
    found: dict[int, psutil.Process] = {}
    for process in _children_of(os.getpid()):  # parents come before their children
        pid = process.pid
        if (
            pid == leader
            or process in known
            or _session_of(pid) == leader
            or _parent_of(process) in found
        ):
            found[pid] = process
    return list(found.values())


def descendants_of(leader: int) -> list[psutil.Process]:
    """Returns a process and all below it, whatever their sessions.

    Where the kernel lists children, no other process of the machine is looked at: this is asked
    several times a second while bots play.
    """
    found = []
    waiting = [leader]
    while waiting:
        pid = waiting.pop()
        with contextlib.suppress(psutil.NoSuchProcess):
            found.append(psutil.Process(pid))
        children = _listed_children(pid)
        if children is None:
            return found + _children_of(leader)
        waiting += children
    return found


def adopted_by_us(known: Iterable[int] = ()) -> list[psutil.Process]:
    """Returns every descendant of this process that has left its session.

    All that bots start has: a bot begins a session of its own, and nothing below it can come back.

    Args:
        known: Descendants that are somebody else's, left out with all that is below them.
    """
    ours = _session_of(os.getpid())
    spared = set(known)
    for pid in tuple(spared):
        spared.update(process.pid for process in _children_of(pid))
    return [
        process
        for process in _children_of(os.getpid())
        if process.pid not in spared and _session_of(process.pid) not in {ours, None}
    ]


def kill_all(find: Callable[[], list[psutil.Process]], *, within_s: float) -> list[int]:
    """Kills what is found until nothing is found any more; returns the pids that are left.

    Args:
        find: Looks again each time, since what is being killed may still fork.
        within_s: When to give up.
    """
    deadline = time.monotonic() + within_s
    nothing = 0
    # Looked for twice: a process that loses its parent during a look may be in neither's place.
    while nothing < 2:
        alive = [process for process in find() if not _gone(process)]
        nothing = 0 if alive else nothing + 1
        if alive and time.monotonic() > deadline:
            return [process.pid for process in alive]
        for process in alive:
            with contextlib.suppress(psutil.Error, OSError):
                process.send_signal(signal.SIGKILL)
        time.sleep(_POLL_S)
    return []


def reap_adopted() -> None:
    """Takes the exit status of the dead that lost their parents, of whichever bot they were.

    Whoever is found living is left to the bot that it belongs to.
    """
    for process in adopted_by_us():
        _gone(process)


def _gone(process: psutil.Process) -> bool:
    """Returns whether a process is dead, and takes its exit status if nobody else does."""
    try:
        if process.status() != psutil.STATUS_ZOMBIE:
            return False
        with _awaiting:
            if process.ppid() == os.getpid() and process.pid not in _awaited:
                os.waitpid(process.pid, os.WNOHANG)
    except (psutil.NoSuchProcess, ChildProcessError):
        pass
    return True


def _children_of(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _listed_children(pid: int) -> list[int] | None:
    """Returns the children that the kernel lists; None where it keeps no lists."""
    tasks = Path(f"/proc/{pid}/task")
    try:
        listed = [(task / "children").read_text() for task in tasks.iterdir()]
    except OSError:
        return None if psutil.pid_exists(pid) else []
    return [int(child) for line in listed for child in line.split()]


def _parent_of(process: psutil.Process) -> int | None:
    try:
        return process.ppid()
    except psutil.NoSuchProcess:
        return None


def _session_of(pid: int) -> int | None:
    """Returns the session of a process; None once it is gone."""
    try:
        return os.getsid(pid)
    except OSError:
        return None
