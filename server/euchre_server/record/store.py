"""Owns the files of records that are being written: the record itself and the secret beside it.

What is appended is buffered; `flush` hands it to the operating system, before anybody is told of
what it holds. When it reaches the disk is the policy's (docs/record.md). Reading is `reader`'s.
Must not know what is recorded (`ledger` and `codec` do).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import time
from concurrent.futures import Future
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Literal

from euchre_engine.deal import SECRET_BYTES
from euchre_server.record.chain import HEADER, HEADER_BYTES, frame
from euchre_server.record.entries import (
    MATCH,
    MatchOpened,
    MatchSealed,
    RecordEnds,
    RecordError,
)
from euchre_server.record.ledger import Ledger
from euchre_server.record.place import is_in_place
from euchre_server.record.reserve import FULL, RESERVE_SUFFIX, Reserve
from euchre_server.record.sync import Syncer
from euchre_server.referee.facts import HandEnded, TableEnded

if TYPE_CHECKING:
    from pathlib import Path

    from euchre_server.record.entries import RecordFact

__all__ = [
    "RECORD_SUFFIX",
    "SECRET_SUFFIX",
    "Fsync",
    "RecordWriter",
    "ReserveSpent",
    "StoreError",
    "has_secret",
    "read_secret",
    "tidy_sealed",
]

RECORD_SUFFIX: Final = ".euchre"
SECRET_SUFFIX: Final = ".secret"  # noqa: S105  # of a file name

_FOLDER_MODE: Final = 0o700
_FILE_MODE: Final = 0o600
_AT_ONCE: Final = Future[None]()
_AT_ONCE.set_result(None)
_MATCH_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)


class StoreError(RecordError):
    """A file that cannot be made, written or read; the message is one sentence for a person."""


class ReserveSpent(StoreError, RecordEnds):  # noqa: N818  # says what happened
    """The disk is full; what was handed over took the room that is kept for that."""


class Fsync(StrEnum):
    """When written entries are forced to the disk."""

    ACTION = "action"
    HAND = "hand"
    NONE = "none"


class RecordWriter:
    """Writes one record; the only thing that does."""

    def __init__(
        self,
        path: Path,
        descriptor: int,
        opened: MatchOpened,
        secret: bytes,
        fsync: Fsync,
        *,
        ledger: Ledger | None = None,
        written: int = HEADER_BYTES,
    ) -> None:
        """Makes a writer; `create` and `resume.resume_record` are how one is come by.

        Args:
            path: The record.
            descriptor: It, open for appending and locked.
            opened: Its first entry.
            secret: The match's.
            fsync: The policy.
            ledger: Knows the entries that it holds; none unless given.
            written: How many bytes it has.
        """
        self.path: Final = path
        self.fsync: Final = fsync
        self._started_unix_ms = opened.started_unix_ms
        self._descriptor = descriptor
        self._secret = secret
        self._ledger = ledger or Ledger()
        self._buffer: list[bytes] = []
        self._written = written
        self._sync_due = False
        self._syncer = None if fsync is Fsync.NONE else Syncer(descriptor)
        self._reserve: Reserve | None = None
        self._failure: StoreError | None = None
        self._closed = False

    @classmethod
    def create(
        cls,
        folder: Path,
        opened: MatchOpened,
        secret: bytes,
        *,
        fsync: Fsync | Literal["action", "hand", "none"] = Fsync.HAND,
    ) -> RecordWriter:
        """Returns the writer of a new record, its first entry written.

        Args:
            folder: The data folder; made, for its owner alone, where it does not exist.
            opened: The first entry.
            secret: Kept in a file beside the record until the match is sealed.
            fsync: The policy.

        Raises:
            StoreError: The match id is no file name, the record exists, or a file cannot be
                written.
        """
        if not _MATCH_ID.fullmatch(opened.match_id):
            raise StoreError(
                f"match id {opened.match_id!r} cannot be a file name: use 1 to 100 letters, "
                "digits, dots, dashes and underscores, and begin with a letter or digit"
            )
        path = folder / (opened.match_id + RECORD_SUFFIX)
        secret_path = _secret_path(path)
        try:
            folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        except OSError as error:
            raise _refused("make the data folder", folder, error) from None
        os.close(_create(secret_path, secret.hex().encode() + b"\n"))
        try:
            descriptor = _create(path, HEADER)
        except StoreError:
            secret_path.unlink()
            raise
        writer = cls(path, descriptor, opened, secret, Fsync(fsync))
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            writer.keep_reserve()
            writer.append(MATCH, 0, opened)
            writer.flush()
            if writer.fsync is not Fsync.NONE:
                os.fsync(descriptor)
                _sync_folder(folder)
        except (OSError, StoreError) as error:
            writer.close()
            path.unlink()
            secret_path.unlink()
            if isinstance(error, StoreError):
                raise
            raise _refused("write the record", path, error) from None
        return writer

    def keep_reserve(self) -> None:
        """Sets room aside for the last entries on a full disk.

        Raises:
            StoreError: The disk is full already.
        """
        try:
            self._reserve = Reserve(self.path)
        except OSError as error:
            raise _refused("keep room on the disk beside", self.path, error) from None

    @property
    def entry_count(self) -> int:
        """Returns how many entries were appended."""
        return self._ledger.entry_count

    def append(self, table_number: int, at_ms: int, fact: RecordFact) -> None:
        """Adds an entry to what the next `flush` writes.

        Hashes at the end of a hand or table are added here. Facts of one table begin with
        `TableOpened` and end with `TableEnded`.

        Raises:
            ValueError: The table has ended, or a hand ends that was not started.
        """
        self._buffer.append(frame(self._ledger.enter(table_number, at_ms, fact)))
        if isinstance(fact, (HandEnded, TableEnded)):
            self._sync_due = True

    def flush(self) -> None:
        """Hands all that was appended to the operating system.

        Raises:
            ReserveSpent: The disk is full. All was written nevertheless, in the room that was kept
                for that; so may be what ends the tables, and nothing beyond.
            StoreError: The disk is full or fails. Nothing of this flush stays in the file, and
                the writer writes no more.
        """
        if self._failure is None and self._syncer is not None and self._syncer.error is not None:
            self._failure = _refused("sync the record", self.path, self._syncer.error)
        if self._failure is not None:
            raise self._failure
        if not self._buffer:
            return
        data = b"".join(self._buffer)
        self._buffer.clear()
        spent = self._write(data)
        self._written += len(data)
        if self._sync_due and self.fsync is Fsync.HAND and self._syncer is not None:
            self._syncer.request_soon()
        self._sync_due = False
        if spent is not None:
            raise spent

    def _write(self, data: bytes) -> ReserveSpent | None:
        """Writes data, if need be in the room that is kept; returns why that was needed."""
        try:
            _write_all(self._descriptor, data)
        except OSError as error:
            failed = error
        else:
            return None
        # What was written of it is taken back first: what comes next must not follow a torn entry.
        if self._take_back() and failed.errno in FULL and self._release_reserve():
            try:
                _write_all(self._descriptor, data)
            except OSError as error:
                self._take_back()
                failed = error
            else:
                return ReserveSpent(str(_refused("write the record", self.path, failed)))
        self._failure = _refused("write the record", self.path, failed)
        raise self._failure from None

    def _release_reserve(self) -> bool:
        return self._reserve is not None and self._reserve.release()

    def durable(self) -> Future[None]:
        """Returns what is done when nobody need wait any longer with what was flushed.

        Under the policy `action` that is when it is on the disk, one fsync serving all who wait;
        under the others it is at once.
        """
        if self.fsync is Fsync.ACTION and self._syncer is not None:
            return self._syncer.request()
        return _AT_ONCE

    def seal(self, result: bytes, *, complete: bool, at_ms: int | None = None) -> None:
        """Finishes the record; the secret's own file goes once the seal is on the disk.

        Args:
            result: The result, canonical JSON.
            complete: Whether the match was played to its end.
            at_ms: Milliseconds since the match began; by the wall clock where not given.

        Raises:
            StoreError: The disk is full or fails, or the record is gone; it stays unsealed.
        """
        if not is_in_place(self.path, self._descriptor):
            raise StoreError(f"cannot finish the record {self.path}: it was removed or replaced")
        sealed = MatchSealed(
            secret=self._secret,
            table_hashes=self._ledger.table_hashes(),
            result=result,
            complete=complete,
        )
        if at_ms is None:
            at_ms = max(0, time.time_ns() // 1_000_000 - self._started_unix_ms)
        self.append(MATCH, at_ms, sealed)
        with contextlib.suppress(ReserveSpent):  # nothing is to follow
            self.flush()
        secret_path = _secret_path(self.path)
        try:
            os.fsync(self._descriptor)
            secret_path.unlink(missing_ok=True)
            _sync_folder(self.path.parent)
        except OSError as error:
            raise _refused("finish the record", self.path, error) from None
        self.close()

    def close(self) -> None:
        """Flushes and closes the record; without a seal it stays unfinished, with its secret."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._failure is None:
                self.flush()
        finally:
            if self._syncer is not None:
                self._syncer.request()
                self._syncer.close()
            self._release_reserve()
            os.close(self._descriptor)

    def _take_back(self) -> bool:
        """Cuts off what a failed write left behind, so that the file ends with a whole entry."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, self._written)
            return True
        return False


def tidy_sealed(record: Path) -> None:
    """Takes away what an arena has left beside a record when it was killed right after the seal.

    Raises:
        StoreError: It cannot be done.
    """
    left = [record.with_suffix(suffix) for suffix in (SECRET_SUFFIX, RESERVE_SUFFIX)]
    if not any(path.exists() for path in left):
        return
    try:
        descriptor = os.open(record, os.O_RDONLY)
        try:
            os.fsync(descriptor)  # the seal holds the secret, once it is on the disk
        finally:
            os.close(descriptor)
        for path in left:
            path.unlink(missing_ok=True)
        _sync_folder(record.parent)
    except OSError as error:
        raise _refused("finish the record", record, error) from None


def read_secret(record: Path) -> bytes:
    """Returns the secret kept beside an unfinished record.

    Raises:
        StoreError: There is none, or it is not 32 bytes in hexadecimal.
    """
    path = _secret_path(record)
    try:
        secret = bytes.fromhex(path.read_text("ascii"))
    except OSError as error:
        raise _refused("read the secret", path, error) from None
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise StoreError(f"{path} does not hold a secret: {SECRET_BYTES} bytes in hexadecimal")
    return secret


def has_secret(record: Path) -> bool:
    """Returns whether a record's secret is beside it: whether its match may be gone on with."""
    return _secret_path(record).exists()


def _secret_path(record: Path) -> Path:
    return record.with_suffix(SECRET_SUFFIX)


def _create(path: Path, first: bytes) -> int:
    """Returns the descriptor of a new file, open for appending, that holds its first bytes."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, _FILE_MODE)
    except OSError as error:
        raise _refused("make", path, error) from None
    try:
        _write_all(descriptor, first)
        os.fsync(descriptor)
    except OSError as error:
        os.close(descriptor)
        path.unlink()
        raise _refused("write", path, error) from None
    return descriptor


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _sync_folder(folder: Path) -> None:
    """Makes sure that the folder's own entries are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refused(doing: str, path: Path, error: OSError) -> StoreError:
    why = (error.strerror or str(error)).lower()
    return StoreError(f"cannot {doing} {path}: {why}")
