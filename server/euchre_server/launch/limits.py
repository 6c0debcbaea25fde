"""Owns how much of the machine one bot may use, and what is said of one that used more.

Must not know processes; `watch` measures them, `prlimit` and the sandbox hold them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["UNLIMITED", "ProcessLimits", "Usage", "excess", "in_bytes"]

_MIB: Final = 1 << 20
_GIB: Final = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessLimits:
    """States what one bot may use, all of its processes together unless it says otherwise.

    None is no limit. The usual values stop what runs away and leave alone what plays: docs/
    isolation.md says why each is as it is.

    Attributes:
        memory: Bytes held in memory.
        processes: Processes and threads.
        cpu_s: Seconds of computing, in one leg.
        files: Files open at once, in each process.
        filesize: Bytes of the largest file that may be written.
        disk: Bytes in the sandbox's own /tmp, and as many in its /dev/shm.
    """

    memory: int | None = 2 * _GIB
    processes: int | None = 512
    cpu_s: int | None = None
    files: int | None = 1024
    filesize: int | None = 4 * _GIB
    disk: int | None = 256 * _MIB


UNLIMITED: Final = ProcessLimits(
    memory=None, processes=None, cpu_s=None, files=None, filesize=None, disk=None
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """States what the processes of one bot use together."""

    memory: int = 0
    processes: int = 0
    cpu_s: float = 0.0

    def most(self, other: Usage) -> Usage:
        """Returns the larger of each."""
        return Usage(
            memory=max(self.memory, other.memory),
            processes=max(self.processes, other.processes),
            cpu_s=max(self.cpu_s, other.cpu_s),
        )


def excess(usage: Usage, limits: ProcessLimits) -> str | None:
    """Returns which limit was passed and by what, as the end of a sentence; None when none was."""
    if limits.memory is not None and usage.memory > limits.memory:
        return (
            f"it held {in_bytes(usage.memory)} in memory; the limit is memory="
            f"{in_bytes(limits.memory)}"
        )
    if limits.processes is not None and usage.processes > limits.processes:
        return (
            f"it had {usage.processes} processes and threads; the limit is processes="
            f"{limits.processes}"
        )
    if limits.cpu_s is not None and usage.cpu_s > limits.cpu_s:
        return f"it computed for {usage.cpu_s:.0f} s; the limit is cpu={limits.cpu_s}s"
    return None


def in_bytes(number: int) -> str:
    """Returns a number of bytes for people."""
    for unit, size in (("g", _GIB), ("m", _MIB), ("k", 1024)):
        if number >= size:
            return f"{number / size:.4g}{unit}"
    return str(number)
