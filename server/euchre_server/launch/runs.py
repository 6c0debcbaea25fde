"""Owns the folder of one running arena: its bots' sockets, and the label on all that it starts.

A lock that dies with the arena tells a running one's folder from what an interrupted one left
behind, which the next start takes away, with its processes (C-31). Must not know bots or matches.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import psutil

from euchre_server.launch.sandbox import USERS

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["LABEL_VARIABLE", "RunFolder", "clean_leftovers"]

LABEL_VARIABLE: Final = "EUCHRE_ARENA_RUN"
_PREFIX: Final = "euchre-arena-"
_KILL_S: Final = 5.0


class RunFolder:
    """The folder of this arena; a context, at whose end it is gone."""

    def __init__(self, base: Path | None = None, *, one_socket: bool = False) -> None:
        """Makes the folder, after taking away what interrupted arenas left.

        Args:
            one_socket: Whether all bots dial one socket, told apart by their tokens alone: for an
                arena that does not know all of its bots when it begins to listen.
            base: Where; the folder for temporary files unless another is given. Its path must be
                short, since that of a socket is limited to 107 bytes.

        Raises:
            OSError: It cannot be made.
        """
        chosen = base or Path(tempfile.gettempdir())
        self.removed = clean_leftovers(chosen)
        self.path, self._lock = _made(chosen)
        self.users = self.path / "passwd"
        self.users.write_text(USERS)
        self._sockets: dict[str, Path] = {}
        self._one_socket = one_socket

    @property
    def label(self) -> str:
        """Returns what marks this arena's processes, as a variable of their environment."""
        return self.path.name

    def socket_of(self, bot_name: str) -> Path:
        """Returns where the arena listens for one bot alone, or for all."""
        name = "" if self._one_socket else bot_name
        return self._sockets.setdefault(name, self.path / f"{len(self._sockets)}.sock")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def clean_leftovers(base: Path) -> list[str]:
    """Ends what arenas that were killed left running, and removes their folders.

    Returns the labels of those arenas.
    """
    removed = []
    for path in sorted(base.glob(f"{_PREFIX}*")):
        lock = _lock_of_dead(path)
        if lock is None:
            continue
        try:
            _end_processes(path.name)
            shutil.rmtree(path, ignore_errors=True)
            removed.append(path.name)
        finally:
            os.close(lock)
    return removed


def _made(base: Path) -> tuple[Path, int]:
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        # An arena that starts at the same moment may take it for left behind.
        try:
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.is_dir():
            return path, lock
        os.close(lock)


def _lock_of_dead(path: Path) -> int | None:
    """Returns the lock of an interrupted arena's folder; None where it is none, or alive."""
    try:
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    with contextlib.suppress(OSError):
        found = os.fstat(lock)
        if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) == stat.S_IRWXU:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
    os.close(lock)
    return None


def _end_processes(label: str) -> None:
    """Kills what carries a label: of bots that were not isolated, some may have stayed."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(LABEL_VARIABLE) == label and process.pid != os.getpid():
                process.kill()
                found.append(process)
    psutil.wait_procs(found, timeout=_KILL_S)
