"""Owns the bytes around an entry and over the entries: header, frames, running hash, play hash.

docs/record.md states each of them, with a test vector. All functions go from bytes or values to
bytes. Must not know what an entry means (`codec`) nor where it is kept (`store`).
"""

from __future__ import annotations

import hashlib
import struct
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from crc32c import crc32c

if TYPE_CHECKING:
    from collections.abc import Iterable

    from euchre_engine import Action, Card, Seat
    from euchre_engine.option_kinds import OptionValue

__all__ = [
    "CHAIN_START",
    "FORMAT_VERSION",
    "HEADER",
    "HEADER_BYTES",
    "LENGTH_BYTES",
    "MAGIC",
    "OVERHEAD_BYTES",
    "checksum_holds",
    "frame",
    "header",
    "link",
    "play_hash",
    "play_preamble",
    "read_header",
    "read_length",
]

MAGIC: Final = b"\x89EUCHRE\n"
"""No text, and damaged by whatever takes it for text."""
FORMAT_VERSION: Final = 1
HEADER_BYTES: Final = 16

LENGTH_BYTES: Final = 8
"""What stands before an entry: its length, and the checksum of those four bytes."""
CHECKSUM_BYTES: Final = 4
"""What stands after an entry: its checksum."""
OVERHEAD_BYTES: Final = LENGTH_BYTES + CHECKSUM_BYTES

CHAIN_START: Final = bytes(32)

_NUMBER: Final = struct.Struct(">I")
_PAIR: Final = struct.Struct(">II")


def header(version: int = FORMAT_VERSION) -> bytes:
    """Returns the bytes that a record of a format version begins with."""
    start = MAGIC + _NUMBER.pack(version)
    return start + _NUMBER.pack(crc32c(start))


HEADER: Final = header()


def read_header(found: bytes) -> int | None:
    """Returns the format version that a header states; None if it is no header."""
    if len(found) != HEADER_BYTES or not found.startswith(MAGIC):
        return None
    version: int
    version, checksum = _PAIR.unpack_from(found, len(MAGIC))
    return version if checksum == crc32c(found[:-CHECKSUM_BYTES]) else None


def _length(length: int) -> bytes:
    packed = _NUMBER.pack(length)
    return packed + _NUMBER.pack(crc32c(packed))


_SHORT: Final = 512
_SHORT_LENGTHS: Final = tuple(map(_length, range(_SHORT)))


def frame(payload: bytes) -> bytes:
    """Returns an entry as the file holds it: length, its checksum, the entry, its checksum."""
    size = len(payload)
    before = _SHORT_LENGTHS[size] if size < _SHORT else _length(size)
    return before + payload + _NUMBER.pack(crc32c(payload))


def read_length(found: bytes) -> int | None:
    """Returns the length that the bytes before an entry state; None if they are damaged."""
    length: int
    length, checksum = _PAIR.unpack(found)
    return length if checksum == crc32c(found[:4]) else None


def checksum_holds(payload: bytes, checksum: bytes) -> bool:
    """Returns whether an entry is what its checksum was made of."""
    return _NUMBER.pack(crc32c(payload)) == checksum


def link(before: bytes, payload: bytes) -> bytes:
    """Returns the running hash of a table's entries after one more of them."""
    return hashlib.sha256(before + payload).digest()


def play_preamble(game: str, options: Iterable[tuple[str, OptionValue]]) -> str:
    """Returns the lines of a played hand's text that are the same for all hands of a table."""
    lines = [f"option {name} {_text(value)}\n" for name, value in sorted(options)]
    return f"euchre-arena play v1\ngame {game}\n{''.join(lines)}"


def play_hash(
    preamble: str,
    *,
    dealer: Seat,
    deck: Iterable[Card],
    scores: Iterable[int],
    redeals: int,
    steps: Iterable[tuple[Seat, Action]],
    points: Iterable[int],
) -> bytes:
    """Returns SHA-256 over the text of a played hand: the play alone, without times and names.

    Args:
        preamble: What `play_preamble` gave for the table.
        dealer: The dealer.
        deck: The deck as dealt.
        scores: The scores before the hand, by seat.
        redeals: How many hands were passed out directly before.
        steps: The actions with their seats.
        points: The points of the hand, by seat.
    """
    lines = "".join([_step(seat, action) for seat, action in steps])
    text = (
        f"{preamble}dealer {dealer}\ndeck {' '.join([card.text for card in deck])}\n"
        f"scores {' '.join(map(str, scores))}\nredeals {redeals}\n"
        f"{lines}points {' '.join(map(str, points))}\n"
    )
    return hashlib.sha256(text.encode()).digest()


@lru_cache(maxsize=4096)  # a match repeats its few hundred actions all the time
def _step(seat: Seat, action: Action) -> str:
    return f"{seat} {action}\n"


def _text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
