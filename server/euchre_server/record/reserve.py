"""Owns a little room kept free on the disk beside a record, for the day that the disk is full.

It is a file of zeros. Given up, it makes room for a record's last entries: what has just happened,
and the ends of its tables. Must not know what is recorded.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FULL", "RESERVE_BYTES", "RESERVE_SUFFIX", "Reserve"]

RESERVE_SUFFIX: Final = ".reserve"
RESERVE_BYTES: Final = 256 * 1024
"""More than the ends of a thousand tables take, and a turn of the arena before them."""
FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""How a write fails that would not if there were room."""

_FILE_MODE: Final = 0o600


class Reserve:
    """The room beside one record."""

    def __init__(self, record: Path) -> None:
        """Takes the room; one that an interrupted arena left is taken over.

        On a file system that cannot set room aside there is none, and nothing is held.

        Raises:
            OSError: The disk is full already.
        """
        self._path = record.with_suffix(RESERVE_SUFFIX)
        self.is_held = False
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE_MODE)
            try:
                os.posix_fallocate(descriptor, 0, RESERVE_BYTES)
                self.is_held = True
            finally:
                os.close(descriptor)
        except OSError as error:
            self.release()
            if error.errno in FULL:
                raise

    def release(self) -> bool:
        """Gives the room up; returns whether there was any."""
        held, self.is_held = self.is_held, False
        try:
            self._path.unlink(missing_ok=True)
        except OSError:
            return False
        return held
