"""Owns the limits that the kernel holds, and the two ways to set them.

Never `preexec_fn`: it is not safe beside gRPC's threads (FACTS). In a sandbox a program sets them
before it becomes the bot, so that there is no moment without; a bot that runs as we do is limited
from outside, so that a program which cannot run is still told as such. Must not know bots.
"""

from __future__ import annotations

import contextlib
import platform
import resource
import shutil
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from euchre_server.launch.limits import ProcessLimits

__all__ = ["SETTER", "limit_process", "limited"]

SETTER: Final = "prlimit"
"""The program of util-linux that sets limits."""

# Since this kernel, processes are counted for each user namespace by itself: before it, a limit
# would count those of the whole user, and stop a bot that did nothing.
_COUNTED_APART: Final = (5, 14)


def limited(argv: Sequence[str], limits: ProcessLimits) -> tuple[str, ...]:
    """Returns an argument list, for a user namespace of its own, that first sets the limits."""
    wanted = _wanted(limits)
    if limits.processes is not None and _kernel() >= _COUNTED_APART:
        wanted["nproc"] = (resource.RLIMIT_NPROC, limits.processes)
    if not wanted:
        return tuple(argv)
    options = []
    for name, (number, value) in wanted.items():
        soft, hard = _within_hard(number, value)
        options.append(f"--{name}={soft}:{hard}")
    return (shutil.which(SETTER) or SETTER, *options, "--", *argv)


def limit_process(pid: int, limits: ProcessLimits) -> None:
    """Limits a process that runs already; what it has started before is not limited."""
    if sys.platform != "linux":  # no other system can
        return
    for number, value in _wanted(limits).values():
        with contextlib.suppress(OSError):  # it has ended
            resource.prlimit(pid, number, _within_hard(number, value))


def _wanted(limits: ProcessLimits) -> dict[str, tuple[int, int]]:
    wanted = {
        "cpu": (resource.RLIMIT_CPU, limits.cpu_s),
        "nofile": (resource.RLIMIT_NOFILE, limits.files),
        "fsize": (resource.RLIMIT_FSIZE, limits.filesize),
    }
    set_ones = {
        name: (number, value) for name, (number, value) in wanted.items() if value is not None
    }
    return set_ones | {"core": (resource.RLIMIT_CORE, 0)} if set_ones else {}


def _within_hard(number: int, value: int) -> tuple[int, int]:
    """Returns soft and hard limit; what may not be raised is left as it is.

    Of computing time the hard limit is later, so that the program gets a signal that says why.
    """
    _, hard = resource.getrlimit(number)
    later = value + 1 if number == resource.RLIMIT_CPU else value
    if hard == resource.RLIM_INFINITY:
        return value, later
    return min(value, hard), min(later, hard)


def _kernel() -> tuple[int, ...]:
    numbers = platform.release().split("-")[0].split(".")[:2]
    return tuple(int(number) for number in numbers if number.isdigit())
