"""Tests of reading records: whole, torn and damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from record_forge import positions
from record_matches import Behaviour, match_spec, write_match

from euchre_server.record.chain import HEADER, frame, header
from euchre_server.record.codec import encode
from euchre_server.record.entries import MatchSealed, NotARecord, RecordDamaged, RecordTorn
from euchre_server.record.reader import read_last, read_record, records_in
from euchre_server.record.store import StoreError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a small sealed record."""
    spec = match_spec("two-handed", boards=1)
    return write_match(tmp_path_factory.mktemp("good"), spec, behaviour=Behaviour(illegal=0.1))


def test_record_cut_anywhere_gives_all_whole_entries(good: Path, tmp_path: Path) -> None:
    """Wherever the file ends, the entries before are read, and the torn one is told as such."""
    data, places = good.read_bytes(), positions(good)
    cut = tmp_path / "cut.euchre"
    seal = places[-1][0]
    for size in (*range(places[-4][0], seal + 20), len(data) - 1):
        cut.write_bytes(data[:size])
        whole = sum(end <= size for _, end in places)
        entries = []
        if size in {end for _, end in places}:
            entries = list(read_record(cut))
        else:
            with pytest.raises(RecordTorn) as caught:
                entries.extend(read_record(cut))
            torn = caught.value
            begin = places[whole][0]
            assert (whole, begin, size - begin) == (
                torn.good_entries,
                torn.good_bytes,
                torn.torn_bytes,
            )
        assert len(entries) in {0, whole}


def test_file_cut_inside_its_header_is_no_record(good: Path, tmp_path: Path) -> None:
    """Less than a header is no record at all."""
    cut = tmp_path / "cut.euchre"
    for size in range(len(HEADER)):
        cut.write_bytes(good.read_bytes()[:size])
        with pytest.raises(NotARecord):
            next(read_record(cut))


@pytest.mark.parametrize("zeros", [4, 12, 5000])
def test_zeros_at_the_end_are_a_torn_tail(good: Path, tmp_path: Path, zeros: int) -> None:
    """A power cut may leave a file longer than what was written; that is no damage."""
    data, places = good.read_bytes(), positions(good)
    begin, end = places[-2]
    padded = tmp_path / "padded.euchre"
    padded.write_bytes(data[: (begin + end) // 2] + bytes((end - begin) // 2 + 4 + zeros))

    with pytest.raises(RecordTorn) as caught:
        list(read_record(padded))

    assert (len(places) - 2, begin) == (caught.value.good_entries, caught.value.good_bytes)


@pytest.mark.parametrize("zeros", [1, 2, 3])
def test_zeros_for_the_end_of_a_checksum_are_a_torn_tail(
    good: Path, tmp_path: Path, zeros: int
) -> None:
    """As few as these are no damage, if all the rest of the entry is as it was written."""
    data, places = good.read_bytes(), positions(good)
    begin, end = next((begin, end) for begin, end in places[3:-1] if all(data[end - 4 : end]))
    padded = tmp_path / "padded.euchre"
    padded.write_bytes(data[: end - zeros] + bytes(zeros))
    changed = tmp_path / "changed.euchre"
    changed.write_bytes(data[: end - 5] + b"\x55" + data[end - 4 : end - zeros] + bytes(zeros))

    with pytest.raises(RecordTorn) as caught:
        list(read_record(padded))
    with pytest.raises(RecordDamaged):
        list(read_record(changed))

    assert (begin, end - begin) == (caught.value.good_bytes, caught.value.torn_bytes)


def test_changed_byte_is_damage_of_the_entry_that_holds_it(good: Path, tmp_path: Path) -> None:
    """Each changed byte is found, and the entry is named by its number."""
    data, places = good.read_bytes(), positions(good)
    damaged = tmp_path / "damaged.euchre"
    for number, (begin, end) in enumerate(places, 1):
        for place in {begin, begin + 5, begin + 8, (begin + end) // 2, end - 1}:
            changed = bytearray(data)
            changed[place] ^= 0x40
            damaged.write_bytes(changed)
            with pytest.raises(RecordDamaged) as caught:
                list(read_record(damaged))
            assert number == caught.value.entry_number


def test_length_that_was_changed_cannot_make_a_tail_look_torn(good: Path, tmp_path: Path) -> None:
    """A large length in the middle of a file is damage: nothing after it may be cut off."""
    data = bytearray(good.read_bytes())
    begin = positions(good)[3][0]
    data[begin] = 0x7F
    damaged = tmp_path / "damaged.euchre"
    damaged.write_bytes(data)

    with pytest.raises(RecordDamaged):
        list(read_record(damaged))


def test_nothing_may_follow_the_seal(good: Path, tmp_path: Path) -> None:
    """Anything after the seal is damage, a second seal too."""
    data, (begin, _) = good.read_bytes(), positions(good)[-1]
    longer = tmp_path / "longer.euchre"
    for more in (b"\0", data[begin:]):
        longer.write_bytes(data + more)
        with pytest.raises(RecordDamaged, match="follows the seal"):
            list(read_record(longer))


def test_entries_are_numbered_without_gaps(good: Path, tmp_path: Path) -> None:
    """An entry taken out, doubled or moved is found by its number alone."""
    data, places = good.read_bytes(), positions(good)
    (a, b), (c, d) = places[4], places[5]
    moved = tmp_path / "moved.euchre"
    for changed in (data[:a] + data[b:], data[:b] + data[a:], data[:a] + data[c:d] + data[a:]):
        moved.write_bytes(changed)
        with pytest.raises(RecordDamaged, match="it calls itself entry"):
            list(read_record(moved))


def test_newer_format_is_named_as_such(tmp_path: Path) -> None:
    """A record of a later version is not called damaged."""
    newer = tmp_path / "newer.euchre"
    newer.write_bytes(header(2))

    with pytest.raises(NotARecord, match="of format 2; this arena reads format 1"):
        list(read_record(newer))


def test_last_entry_is_found_from_the_end(good: Path) -> None:
    """The seal is found without reading the record through."""
    assert list(read_record(good))[-1] == read_last(good)


def test_a_long_last_entry_is_searched_for_further_from_the_end(tmp_path: Path) -> None:
    """The seal of a match of thousands of tables is longer than what is looked at first."""
    seal = MatchSealed(
        secret=bytes(32), table_hashes=(b"\7" * 32,) * 40_000, result=b"{}", complete=True
    )
    path = tmp_path / "long.euchre"
    path.write_bytes(HEADER + bytes(range(256)) * 10_000 + frame(encode(1, 0, 0, seal)))

    last = read_last(path)

    assert last is not None
    assert seal == last.fact


def test_no_last_entry_in_what_does_not_end_in_one(good: Path, tmp_path: Path) -> None:
    """A torn or foreign file has no last entry."""
    other = tmp_path / "other"
    for data in (b"", HEADER, b"text" * 100, good.read_bytes()[:-1], frame(b"")):
        other.write_bytes(data)
        assert read_last(other) is None


def test_missing_file_gets_one_sentence(tmp_path: Path) -> None:
    """A file that is not there is named, with the reason."""
    with pytest.raises(StoreError, match=r"^cannot read .*/no\.euchre: no such file or directory$"):
        list(read_record(tmp_path / "no.euchre"))


def test_records_of_a_folder_are_those_of_its_name(good: Path, tmp_path: Path) -> None:
    """Secrets and other files are no records."""
    (tmp_path / "a.euchre").write_bytes(good.read_bytes())
    (tmp_path / "a.secret").write_text("")
    (tmp_path / "notes.txt").write_text("")

    assert [tmp_path / "a.euchre"] == records_in(tmp_path)


def test_a_link_to_nothing_hides_no_record(good: Path, tmp_path: Path) -> None:
    """It is listed last, and said to be unreadable by whoever reads it."""
    (tmp_path / "z.euchre").symlink_to(tmp_path / "nothing")
    (tmp_path / "a.euchre").write_bytes(good.read_bytes())

    assert [tmp_path / "a.euchre", tmp_path / "z.euchre"] == records_in(tmp_path)
    with pytest.raises(StoreError, match=r"^cannot read .*/z\.euchre: no such file or directory$"):
        list(read_record(tmp_path / "z.euchre"))
