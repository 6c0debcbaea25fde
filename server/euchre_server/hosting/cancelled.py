"""Owns the mark beside a record that its match was cancelled, until the record's seal says so.

A match that cannot be sealed at once, because the disk is full or the arena is killed, is not to be
played on by the next start. Must not know what is in the record.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from euchre_server.record.store import StoreError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["is_marked", "mark", "unmark"]

_SUFFIX: Final = ".cancelled"
_FILE_MODE: Final = 0o600


def mark(record: Path) -> None:
    """Marks the match of a record as cancelled.

    Raises:
        StoreError: It cannot be done.
    """
    path = _mark_of(record)
    try:
        for opened, flags in ((path, os.O_WRONLY | os.O_CREAT), (path.parent, os.O_RDONLY)):
            descriptor = os.open(opened, flags, _FILE_MODE)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise StoreError(f"cannot make {path}: {why}") from None


def is_marked(record: Path) -> bool:
    """Returns whether the match of a record is marked."""
    return _mark_of(record).exists()


def unmark(record: Path) -> None:
    """Takes the mark away; beside a sealed record one that stays does no harm."""
    with suppress(OSError):
        _mark_of(record).unlink(missing_ok=True)


def _mark_of(record: Path) -> Path:
    return record.with_suffix(_SUFFIX)
