"""Tests that no damage of any byte crashes the check or passes it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from record_forge import positions
from record_matches import Behaviour, match_spec, write_match

from euchre_server.record.chain import HEADER, frame
from euchre_server.record.checking import verify_file
from euchre_server.record.codec import UnreadableEntry, decode
from euchre_server.record.entries import RecordError
from euchre_server.record.export import export_lines
from euchre_server.record.reader import read_record
from euchre_server.record.summary import summarise
from euchre_server.record.tables import tables_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a small sealed record with faults in it."""
    behaviour = Behaviour(illegal=0.1, timeout=0.05, note="n")
    spec = match_spec("two-handed", boards=1)
    return write_match(tmp_path_factory.mktemp("good"), spec, behaviour=behaviour)


def _damaged(data: bytes, place: int, random: Random) -> bytes:
    """Returns a record with something wrong at a place; never what it was."""
    size = random.choice((1, 1, 1, 2, 4, 30))
    match random.randrange(5):
        case 0:
            changed = data[place] ^ random.randrange(1, 256)
            return data[:place] + bytes([changed]) + data[place + 1 :]
        case 1:
            return data[:place] + data[place + size :]
        case 2:
            return data[:place] + random.randbytes(size) + data[place:]
        case 3:
            return data[:place] + data[place : place + size] + data[place:]
        case _:
            other = random.randbytes(size)
            new = data[:place] + other + data[place + size :]
            return new if new != data else data[:place]


def _try_everything(path: Path) -> bool:
    """Returns whether a record is called good; whatever it is, nothing may crash."""
    for use in (summarise, lambda p: list(export_lines(tables_of(read_record(p))))):
        try:
            use(path)
        except RecordError:
            continue
    return verify_file(path).is_good


def _check_damage(good: Path, tmp_path: Path, count: int, seed: int) -> None:
    data, random = good.read_bytes(), Random(seed)
    path = tmp_path / "damaged.euchre"
    for number in range(count):
        place = number * len(data) // count  # every region gets its share
        path.write_bytes(_damaged(data, place, random))
        assert not _try_everything(path), f"seed {seed}, number {number}, place {place}"


def _check_payloads(good: Path, tmp_path: Path, count: int, seed: int) -> None:
    """Changes entries and makes their checksums fit, but not the hashes over them."""
    data, places, random = good.read_bytes(), positions(good), Random(seed)
    path = tmp_path / "changed.euchre"
    for number in range(count):
        begin, end = places[number % len(places)]
        payload = data[begin + 8 : end - 4]
        changed = _damaged(payload, random.randrange(len(payload)), random)
        path.write_bytes(data[:begin] + frame(changed) + data[end:])
        found = _try_everything(path)
        if found:  # only the time of the seal, and what no reader knows, may change unnoticed
            assert end == len(data), f"seed {seed}, number {number}"
            assert decode(payload).fact == decode(changed).fact, f"seed {seed}, number {number}"


def test_damage_anywhere_is_found_and_nothing_crashes(good: Path, tmp_path: Path) -> None:
    """Bytes changed, dropped, doubled or put in, all over the file, never pass."""
    _check_damage(good, tmp_path, count=200, seed=1)


def test_changed_entries_with_good_checksums_are_found(good: Path, tmp_path: Path) -> None:
    """Entries changed beneath their checksums never pass, and nothing crashes."""
    _check_payloads(good, tmp_path, count=200, seed=2)


@pytest.mark.long
def test_damage_to_every_byte_is_found(good: Path, tmp_path: Path) -> None:
    """The same for every byte of the file, in several ways each."""
    _check_damage(good, tmp_path, count=5 * good.stat().st_size, seed=3)


@pytest.mark.long
def test_many_changed_entries_are_found(good: Path, tmp_path: Path) -> None:
    """The same for very many changed entries."""
    _check_payloads(good, tmp_path, count=20_000, seed=4)


def test_files_of_noise_are_no_records(tmp_path: Path) -> None:
    """Noise with and without a header is refused in words."""
    random = Random(5)
    path = tmp_path / "noise.euchre"
    for size in range(0, 400, 7):
        for start in (b"", HEADER):
            path.write_bytes(start + random.randbytes(size))
            assert not _try_everything(path)


def test_bit_flips_in_payloads_never_crash_the_decoder(good: Path) -> None:
    """Every bit of an opened table flipped is read or refused by name."""
    payload = next(e.payload for e in read_record(good) if e.table_number)
    for place in range(len(payload)):
        for bit in range(8):
            changed = bytearray(payload)
            changed[place] ^= 1 << bit
            try:
                decode(bytes(changed))
            except UnreadableEntry:
                continue
