"""The operating system's file calls as a record's writer makes them, with a disk that can fail.

Files are real, in a folder of their own; what is simulated is when a write comes short, fails,
takes long or is the last thing that a process does, and when what was written reaches the disk.
Owns the truth of what is on the disk, entry by entry. Must not know tables or sessions.
"""

from __future__ import annotations

import errno
import fcntl
import os
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim_world import MS

from euchre_server.record.chain import CHECKSUM_BYTES, HEADER_BYTES, LENGTH_BYTES, OVERHEAD_BYTES
from euchre_server.record.codec import decode
from euchre_server.record.reserve import RESERVE_BYTES, RESERVE_SUFFIX
from euchre_server.record.store import RECORD_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from sim_world import Process, World

    from euchre_server.record.entries import Entry

__all__ = ["Disk", "DiskFaults", "KilledError", "SimFcntl", "SimOs"]


class KilledError(BaseException):
    """The process was killed: what comes after an fsync must not happen."""


@dataclass(slots=True)
class DiskFaults:
    """What the disk does wrong; all of it now and then by chance, or once at a place."""

    short: float = 0.0
    """How often a write takes only part of what it is given."""
    slow: float = 0.0
    """How often a write blocks the process for a while."""
    slow_ms: tuple[int, int] = (80, 400)
    sync_ms: tuple[int, int] = (0, 3)
    room: int | None = None
    """How many more bytes fit."""
    reserve_is_taken: bool = False
    """Whether somebody else takes the room that a writer frees."""
    fails: bool = False
    """Whether every write fails."""
    sync_fails: bool = False
    kill_in: int | None = None
    """In how many writes of the record the process is killed."""


@dataclass(slots=True, eq=False)
class _File:
    real: int
    path: str
    process: Process | None
    written: int = 0
    buffer: bytes = b""
    requests: list[Future[None]] = field(default_factory=list)


class Disk:
    """One machine's disk."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.faults = DiskFaults()
        self.process: Process | None = None
        """Who makes the calls now."""
        self.on_kill: Callable[[], None] = lambda: None
        self.on_entry: Callable[[Entry], None] = lambda _: None
        """Is told of every entry that the record's file holds."""
        self.on_cut: Callable[[int], None] = lambda _: None
        self.synced = 0
        """How many bytes of the record would survive a power cut."""
        self.size = 0
        """How many bytes of the record are whole entries."""
        self.random: Random = world.random("disk")
        self._files: dict[int, _File] = {}
        self._reserve_is_gone = False
        self._next = 1_000_000

    def take_over(self, process: Process) -> None:
        """Lets another process make the calls; what the one before has open is closed."""
        self.process = process
        for number in list(self._files):
            self.close(number)
        self.faults = DiskFaults()
        self._reserve_is_gone = False

    def cut_power(self, record: Path) -> int:
        """Loses what had not reached the disk yet, or part of it; returns how much."""
        size = record.stat().st_size
        kept = self.random.randint(min(self.synced, size), size)
        zeros = self.random.random() < 0.3
        with record.open("r+b") as file:
            file.truncate(kept)
            if zeros and kept < size:
                file.truncate(size)
        self.world.fault("power cut")
        return size - kept

    # Calls

    def open(self, path: str | Path, flags: int, mode: int = 0o777) -> int:
        """Opens a file."""
        if self.process is None or self.process.is_dead:
            raise KilledError
        real = os.open(path, flags, mode)
        self._next += 1
        self._files[self._next] = _File(real, str(path), self.process, os.fstat(real).st_size)
        if str(path).endswith(RECORD_SUFFIX) and self._files[self._next].written:
            self.size = self.synced = self._files[self._next].written
        return self._next

    def real(self, number: int) -> int:
        """Returns the number that the machine itself knows a file by."""
        return self._files[number].real

    def is_record(self, file: _File) -> bool:
        """Returns whether a file is a record."""
        return file.path.endswith(RECORD_SUFFIX)

    def write(self, number: int, data: bytes) -> int:
        """Writes, perhaps not all."""
        file = self._files.get(number)
        if file is None or file.process is None or file.process.is_dead:
            return len(data)  # nobody is there any more: it has no effect
        if not self.is_record(file):
            return os.write(file.real, data)
        faults, random = self.faults, self.random
        if faults.slow and random.random() < faults.slow:
            self.world.fault("slow write")
            file.process.stall(random.randint(*faults.slow_ms) * MS)
        if faults.fails:
            self.world.fault("failed write")
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        if self._gave_up_reserve(file):
            faults.room = (faults.room or 0) + RESERVE_BYTES
        if faults.room is not None and len(data) > faults.room:
            self.world.fault("full disk")
            data, faults.room = data[: faults.room], 0
            if not data:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        elif faults.room is not None:
            faults.room -= len(data)
        if faults.short and len(data) > 1 and random.random() < faults.short:
            self.world.fault("short write")
            data = data[: random.randint(1, len(data) - 1)]
        last = faults.kill_in is not None and faults.kill_in <= 1
        if faults.kill_in is not None:
            faults.kill_in -= 1
        if last and random.random() < 0.6:  # else all of it is written, but nobody is told
            data = data[: random.randint(0, len(data))]
            self.world.fault("torn tail")
        written = os.write(file.real, data)
        self._take_in(file, data[:written])
        if last:
            faults.kill_in = None
            self.world.fault("killed at a write")
            self.on_kill()
        return written

    def _gave_up_reserve(self, file: _File) -> bool:
        """Returns whether the room kept beside the record has been freed since it was full."""
        faults = self.faults
        if faults.room != 0 or faults.reserve_is_taken or self._reserve_is_gone:
            return False
        self._reserve_is_gone = not Path(file.path).with_suffix(RESERVE_SUFFIX).exists()
        return self._reserve_is_gone

    def _take_in(self, file: _File, data: bytes) -> None:
        file.buffer += data
        while True:
            if file.written < HEADER_BYTES:
                need = HEADER_BYTES
            elif len(file.buffer) < LENGTH_BYTES:
                return
            else:
                need = OVERHEAD_BYTES + int.from_bytes(file.buffer[:4], "big")
            if len(file.buffer) < need:
                return
            entry, file.buffer = file.buffer[:need], file.buffer[need:]
            is_header = file.written < HEADER_BYTES
            file.written += need
            self.size = file.written
            if not is_header:
                self.on_entry(decode(entry[LENGTH_BYTES:-CHECKSUM_BYTES]))

    def truncate(self, number: int, length: int) -> None:
        """Cuts a file."""
        file = self._files.get(number)
        if file is not None and file.process is not None and not file.process.is_dead:
            os.ftruncate(file.real, length)
            file.buffer = b""
            file.written = self.size = min(file.written, length)
            self.on_cut(length)

    def sync(self, number: int) -> None:
        """Forces a file to the disk."""
        file = self._files.get(number)
        if file is None or file.process is None or file.process.is_dead:
            raise KilledError
        if self.is_record(file):
            if self.faults.sync_fails:
                self.world.fault("failed sync")
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            self.synced = max(self.synced, file.written)

    def close(self, number: int) -> None:
        """Closes a file."""
        file = self._files.pop(number, None)
        if file is not None:
            os.close(file.real)

    def syncer(self, number: int) -> Any:  # noqa: ANN401  # stands for `record.sync.Syncer`
        """Returns what syncs a file on request, a little later."""
        return _Syncer(self, number)


class _Syncer:
    """Syncs without a thread: the world calls back."""

    def __init__(self, disk: Disk, number: int) -> None:
        self._disk = disk
        self._number = number
        self._process = disk.process
        self._waiting: list[Future[None]] = []
        self._is_busy = False
        self.error: OSError | None = None

    def request(self) -> Future[None]:
        """Returns what is done when all that is written by now is on the disk."""
        future: Future[None] = Future()
        self._waiting.append(future)
        self._begin()
        return future

    def request_soon(self) -> None:
        """Has all that is written by now on the disk before long."""
        self.request()

    def _begin(self) -> None:
        disk = self._disk
        if self._is_busy or not self._waiting or self._process is None or self._process.is_dead:
            return
        self._is_busy = True
        file = disk._files.get(self._number)
        waiting, self._waiting = self._waiting, []
        reached = 0 if file is None else file.written
        takes = disk.random.randint(*disk.faults.sync_ms) * MS
        # A thread of its own: it goes on while the loop stands still.
        disk.world.schedule(self._process.now + takes, self._done, waiting, reached)

    def _done(self, waiting: list[Future[None]], reached: int) -> None:
        self._is_busy = False
        process = self._process
        if process is None or process.is_dead:
            return
        if self._disk.faults.sync_fails and self.error is None:
            self._disk.world.fault("failed sync")
            self.error = OSError(errno.EIO, os.strerror(errno.EIO))
        if self.error is None:
            self._disk.synced = max(self._disk.synced, reached)
        for future in waiting:
            if not future.set_running_or_notify_cancel():
                continue
            if self.error is None:
                future.set_result(None)
            else:
                future.set_exception(self.error)
        self._begin()

    def close(self) -> None:
        """Ends, with all that was asked for done."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            future.set_result(None)


class SimOs:
    """Stands for the module `os` where a record is written."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self.open = disk.open
        self.write = disk.write
        self.fsync = disk.sync
        self.ftruncate = disk.truncate
        self.close = disk.close

    def fstat(self, number: int) -> os.stat_result:
        """Returns what is known of a file."""
        return os.fstat(self._disk.real(number))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the module has
        return getattr(os, name)


class SimFcntl:
    """Stands for the module `fcntl` there."""

    LOCK_EX, LOCK_NB = fcntl.LOCK_EX, fcntl.LOCK_NB

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def flock(self, number: int, operation: int) -> None:
        """Locks a file."""
        fcntl.flock(self._disk.real(number), operation)
