"""Owns the reading of records from files: entry by entry, the last one alone, and a folder's list.

Tells a torn tail (the writer was cut off) from damage (what was written has changed), and names the
first entry that is not good. Must not know the rules of any game: `verify` does.
"""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING, BinaryIO, Final

from euchre_server.record.chain import (
    CHECKSUM_BYTES,
    FORMAT_VERSION,
    HEADER_BYTES,
    LENGTH_BYTES,
    OVERHEAD_BYTES,
    checksum_holds,
    frame,
    read_header,
    read_length,
)
from euchre_server.record.codec import UnreadableEntry, decode
from euchre_server.record.entries import (
    MATCH,
    BotSeated,
    Entry,
    MatchOpened,
    MatchResumed,
    MatchSealed,
    NotARecord,
    RecordDamaged,
    RecordError,
    RecordTorn,
)
from euchre_server.record.store import RECORD_SUFFIX, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = [
    "is_being_written",
    "read_last",
    "read_record",
    "read_seal",
    "read_span",
    "records_in",
]

_SEARCHED_BYTES: Final = (1 << 16, 1 << 20, 1 << 24)
"""How much of a file's end is searched for its last entry: more where less is not enough."""
_FIRST_OF_LENGTH: Final = b"\0"
"""How the length of an entry begins that is no longer than what is searched."""


def read_record(path: Path) -> Iterator[Entry]:
    """Yields the entries of a record in order.

    Raises:
        StoreError: The file cannot be opened or read.
        NotARecord: It does not begin as a record does.
        RecordTorn: It ends inside an entry; all entries before were yielded.
        RecordDamaged: An entry has changed, or stands where it cannot stand.
    """
    try:
        with path.open("rb") as file:
            yield from _entries(file)
    except OSError as error:
        raise _unreadable(path, error) from None


def read_span(path: Path, start: int) -> Iterator[tuple[int, int, Entry]]:
    """Yields entries from a place on, each with where it begins and ends, as far as they are whole.

    For the writer's own process, while the record grows: an entry that is not whole yet ends the
    reading.

    Args:
        path: The record.
        start: Where an entry begins; 0 for the first.

    Raises:
        StoreError: The file cannot be opened or read.
        RecordDamaged: What stands there is no entry.
    """
    try:
        with path.open("rb") as file:
            position = file.seek(start or HEADER_BYTES)
            while len(before := file.read(LENGTH_BYTES)) == LENGTH_BYTES:
                length = read_length(before)
                if length is None:
                    raise RecordDamaged(0, f"no entry begins at byte {position}")
                payload, checksum = file.read(length), file.read(CHECKSUM_BYTES)
                if len(checksum) < CHECKSUM_BYTES:
                    return
                if not checksum_holds(payload, checksum):
                    raise RecordDamaged(0, f"the entry at byte {position} was damaged")
                begin, position = position, position + OVERHEAD_BYTES + length
                yield begin, position, decode(payload)
    except OSError as error:
        raise _unreadable(path, error) from None
    except UnreadableEntry as error:
        raise RecordDamaged(0, str(error)) from None


def read_last(path: Path) -> Entry | None:
    """Returns the last entry without reading all; None where the file does not end in one.

    Nor is one found that is longer than any is searched for: the seal of half a million tables.

    Raises:
        StoreError: The file cannot be opened or read.
    """
    for most in _SEARCHED_BYTES:
        try:
            with path.open("rb") as file:
                size = file.seek(0, os.SEEK_END) - HEADER_BYTES
                file.seek(HEADER_BYTES + max(0, size - most))
                last = _last_of(file.read())
        except OSError as error:
            raise _unreadable(path, error) from None
        if last is not None or size <= most:
            return last
    return None


def _last_of(tail: bytes) -> Entry | None:
    """Returns the entry with which the end of a file ends, if it does with one."""
    # Where an entry would begin is not known, but how long it would be is: up to the end.
    begin = len(tail) - OVERHEAD_BYTES + 1
    while (begin := tail.rfind(_FIRST_OF_LENGTH, 0, max(0, begin))) >= 0:
        length = len(tail) - begin - OVERHEAD_BYTES
        if tail[begin : begin + 4] == length.to_bytes(4, "big"):
            after = tail[begin + LENGTH_BYTES :]
            payload, checksum = after[:-CHECKSUM_BYTES], after[-CHECKSUM_BYTES:]
            if read_length(tail[begin : begin + LENGTH_BYTES]) is not None and checksum_holds(
                payload, checksum
            ):
                try:
                    return decode(payload)
                except UnreadableEntry:
                    return None
    return None


def read_seal(path: Path) -> MatchSealed | None:
    """Returns the seal of a record, also where something follows it; None where there is none.

    Raises:
        StoreError: The file cannot be opened or read.
    """
    last = read_last(path)
    if last is not None and isinstance(last.fact, MatchSealed):
        return last.fact
    try:
        for entry in read_record(path):
            if isinstance(entry.fact, MatchSealed):
                return entry.fact
    except StoreError:
        raise
    except RecordError:
        pass  # it may be anything, but no seal was found before
    return None


def is_being_written(path: Path) -> bool:
    """Returns whether a writer has the record open."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def records_in(folder: Path) -> list[Path]:
    """Returns the records of a data folder, the newest first.

    What cannot be read is among them, last: whoever reads it says so.

    Raises:
        StoreError: The folder cannot be read.
    """
    try:
        found = [(_modified_ns(path), path) for path in folder.glob(f"*{RECORD_SUFFIX}")]
    except OSError as error:
        raise _unreadable(folder, error) from None
    return [path for _, path in sorted(found, reverse=True)]


def _modified_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # a link to nothing, or taken away meanwhile
        return 0


def _entries(file: BinaryIO) -> Iterator[Entry]:
    found = file.read(HEADER_BYTES)
    version = read_header(found)
    if version is None:
        raise NotARecord("no record: the file does not begin as a record does")
    if version != FORMAT_VERSION:
        raise NotARecord(f"a record of format {version}; this arena reads format {FORMAT_VERSION}")
    size = os.fstat(file.fileno()).st_size
    number, position, sealed = 0, HEADER_BYTES, False
    while position < size:
        number += 1
        before = file.read(LENGTH_BYTES)
        length = read_length(before) if len(before) == LENGTH_BYTES else None
        if sealed:
            raise RecordDamaged(number, "something follows the seal, which must come last")
        if length is None or position + OVERHEAD_BYTES + length > size:
            raise _bad(file, number, position, length)
        payload = file.read(length)
        if not checksum_holds(payload, file.read(CHECKSUM_BYTES)):
            raise _bad(file, number, position, length)
        entry = _decoded(number, payload)
        sealed = isinstance(entry.fact, MatchSealed)
        yield entry
        position += OVERHEAD_BYTES + length


def _decoded(number: int, payload: bytes) -> Entry:
    try:
        entry = decode(payload)
    except UnreadableEntry as error:
        raise RecordDamaged(number, str(error)) from None
    if entry.number != number:
        raise RecordDamaged(number, f"it calls itself entry {entry.number}")
    if isinstance(entry.fact, MatchOpened) != (number == 1):
        raise RecordDamaged(number, "the opening of the match must come first, and once")
    about_match = isinstance(entry.fact, (MatchOpened, MatchResumed, BotSeated, MatchSealed))
    if entry.table_number < 0 or about_match != (entry.table_number == MATCH):
        raise RecordDamaged(number, f"table {entry.table_number} cannot have such an entry")
    return entry


def _bad(
    file: BinaryIO, number: int, position: int, length: int | None
) -> RecordTorn | RecordDamaged:
    """Returns what is wrong with the entry at a position: the file's end, or its bytes."""
    file.seek(position)
    rest = file.read()
    zeros = len(rest) - len(rest.rstrip(b"\0"))
    whole = OVERHEAD_BYTES + (length or 0)
    # A power cut can leave a file that is longer than what was written, and zeros in between.
    written = rest[: len(rest) - zeros]
    ends_in_zeros = len(written) < whole and (
        zeros >= CHECKSUM_BYTES
        # Fewer can only stand for the end of a checksum: the rest of the entry must be as it was.
        or (zeros and len(rest) == whole and _as_framed(rest).startswith(written))
    )
    cut_off = len(rest) < (LENGTH_BYTES if length is None else whole)
    if cut_off or ends_in_zeros:
        return RecordTorn(good_entries=number - 1, good_bytes=position, torn_bytes=len(rest))
    return RecordDamaged(number, "its checksum is wrong: the file was damaged")


def _as_framed(entry: bytes) -> bytes:
    """Returns a whole entry as it would be with the right checksums."""
    return frame(entry[LENGTH_BYTES:-CHECKSUM_BYTES])


def _unreadable(path: Path, error: OSError) -> StoreError:
    return StoreError(f"cannot read {path}: {_why(error)}")


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
