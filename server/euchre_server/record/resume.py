"""Owns the taking up of a record whose arena was killed: nothing else ever changes what is written.

The record is locked first, so that no two arenas go on with one match; what an interrupted write
left at its end is cut off, and that is recorded. Must not know how a match is run.
"""

from __future__ import annotations

import fcntl
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from euchre_server.record.entries import MATCH, MatchResumed, MatchSealed, RecordTorn
from euchre_server.record.ledger import Ledger
from euchre_server.record.reader import is_being_written, read_last, read_record
from euchre_server.record.store import Fsync, RecordWriter, StoreError, read_secret
from euchre_server.record.summary import first_entry
from euchre_server.record.unfinished import match_of, unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from euchre_server.match.spec import MatchSpec
    from euchre_server.record.entries import Entry, MatchOpened
    from euchre_server.record.unfinished import Unfinished

__all__ = ["check_resumable", "resume_record"]


def check_resumable(path: Path) -> tuple[MatchOpened, MatchSpec]:
    """Returns what a match that can be gone on with is about; changes nothing.

    Raises:
        StoreError: It is finished, it is still being played, its secret is gone, or a file cannot
            be read.
        RecordError: It is no record, or describes no match.
    """
    last = read_last(path)
    if last is not None and isinstance(last.fact, MatchSealed):
        raise StoreError(f"{path} is sealed: that match is over, there is nothing to go on with")
    if is_being_written(path):
        raise _busy(path)
    opened = first_entry(path)
    return opened, match_of(opened, read_secret(path))


def resume_record(
    path: Path, *, arena_version: str, fsync: Fsync = Fsync.HAND
) -> tuple[RecordWriter, Unfinished, int]:
    """Returns a writer that goes on with a record, how its match stands, and how much was cut off.

    The resumption itself is recorded, so that `Unfinished.at_ms` is when that was.

    Args:
        path: The record.
        arena_version: Of the arena that goes on.
        fsync: The policy.

    Raises:
        StoreError: Another arena writes the record, or a file cannot be read or written.
        RecordError: The record is damaged, sealed or not of its secret; nothing was changed.
    """
    secret = read_secret(path)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    except OSError as error:
        raise _failed(path, error) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise _busy(path) from None
        reading = _Reading(path)
        found = unfinished(reading.entries(), secret)
        try:
            if reading.torn is not None:
                os.ftruncate(descriptor, reading.torn.good_bytes)
            size = os.fstat(descriptor).st_size
        except OSError as error:
            raise _failed(path, error) from None
        cut = 0 if reading.torn is None else reading.torn.torn_bytes
        writer = RecordWriter(
            path, descriptor, found.opened, secret, fsync, ledger=reading.ledger, written=size
        )
    except BaseException:
        os.close(descriptor)
        raise
    now = time.time_ns() // 1_000_000
    at_ms = max(found.at_ms, now - found.opened.started_unix_ms)
    resumed = MatchResumed(arena_version=arena_version, resumed_unix_ms=now, cut_bytes=cut)
    try:
        writer.keep_reserve()
        writer.append(MATCH, at_ms, resumed)
        writer.flush()
    except StoreError:
        writer.close()
        raise
    return writer, replace(found, at_ms=at_ms, resumptions=found.resumptions + 1), cut


class _Reading:
    """One reading of a record to its end, whole or torn."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.ledger = Ledger()
        self.torn: RecordTorn | None = None

    def entries(self) -> Iterator[Entry]:
        """Yields the good entries."""
        try:
            for entry in read_record(self._path):
                yield entry
                self.ledger.recall(entry)
        except RecordTorn as torn:
            self.torn = torn


def _busy(path: Path) -> StoreError:
    return StoreError(f"{path} is still being written: an arena plays that match now")


def _failed(path: Path, error: OSError) -> StoreError:
    why = (error.strerror or str(error)).lower()
    return StoreError(f"cannot go on with {path}: {why}")
