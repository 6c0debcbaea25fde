"""Records of matches whose arena was killed: gone on with, or refused, and never made worse."""

import fcntl
import os
from dataclasses import replace
from pathlib import Path

import pytest
from record_matches import match_spec, write_match
from resumed_matches import VERSION, play_hashes, play_match, resume_match
from resumed_tables import Habits

from euchre_server.match.spec import MatchSpec
from euchre_server.record.chain import HEADER_BYTES, OVERHEAD_BYTES
from euchre_server.record.checking import verify_file
from euchre_server.record.entries import (
    MatchOpened,
    MatchResumed,
    MatchSealed,
    RecordDamaged,
    RecordError,
)
from euchre_server.record.reader import read_last, read_record
from euchre_server.record.resume import check_resumable, resume_record
from euchre_server.record.store import StoreError
from euchre_server.referee.facts import Stalled
from euchre_server.referee.spec import TableMode

SPEC = match_spec("two-handed", boards=2, tables=2)


def _ends(path: Path) -> list[int]:
    """Returns where each entry of a record ends."""
    ends, at = [], HEADER_BYTES
    for entry in read_record(path):
        at += OVERHEAD_BYTES + len(entry.payload)
        ends.append(at)
    return ends


def _cut(whole: Path, folder: Path, length: int, spec: MatchSpec = SPEC) -> Path:
    """Returns a copy of a record as a killed arena would have left it, with its secret."""
    folder.mkdir(exist_ok=True)
    path = folder / "m1.euchre"
    path.write_bytes(whole.read_bytes()[:length])
    path.with_suffix(".secret").write_text(spec.secret.hex())
    return path


GAME = match_spec("two-handed", boards=1, mode=TableMode.GAME, options={"target": 5})
FOUR = match_spec("four-handed", boards=1, tables=3)


@pytest.mark.parametrize(
    ("spec", "habits", "every"),
    [
        pytest.param(SPEC, Habits(), 1, id="plain"),
        pytest.param(
            replace(SPEC, boards=1, tables=3), Habits(sleeps=5, leaves=12, dies=12), 1, id="faulty"
        ),
        pytest.param(
            match_spec("three-handed", boards=1, tables=3), Habits(sleeps=6), 1, id="three-handed"
        ),
        pytest.param(FOUR, Habits(), 7, id="four-handed"),
        pytest.param(FOUR, Habits(), 1, id="four-handed everywhere", marks=pytest.mark.long),
        pytest.param(GAME, Habits(seed=3), 11, id="games"),
        pytest.param(GAME, Habits(seed=3), 1, id="games everywhere", marks=pytest.mark.long),
    ],
)
async def test_a_match_cut_off_after_any_entry_is_finished_alike(
    tmp_path: Path, spec: MatchSpec, habits: Habits, every: int
) -> None:
    """Same schedule, same play hashes, same result as without a break; and it verifies."""
    whole = await play_match(tmp_path / "whole", spec, habits)
    sealed, hashes = read_last(whole), play_hashes(whole)
    assert sealed is not None
    assert isinstance(sealed.fact, MatchSealed)

    for length in _ends(whole)[:-1:every]:
        path = await resume_match(_cut(whole, tmp_path / "cut", length, spec), habits)
        verdict, last = verify_file(path), read_last(path)
        assert verdict.is_good, f"cut off at {length}: {verdict}"
        assert hashes == play_hashes(path)
        assert last is not None
        assert isinstance(last.fact, MatchSealed)
        assert sealed.fact.result == last.fact.result
        assert not path.with_suffix(".secret").exists()


async def test_a_match_cut_off_inside_an_entry_is_finished_alike(tmp_path: Path) -> None:
    """What is left of the entry is cut off, and how much that was is recorded."""
    whole = await play_match(tmp_path / "whole", SPEC)
    hashes, ends = play_hashes(whole), _ends(whole)
    before = len(ends) // 2

    for rest in range(1, ends[before] - ends[before - 1], 3):
        cut = _cut(whole, tmp_path / "cut", ends[before - 1] + rest)
        path = await resume_match(cut)
        (resumed,) = [e.fact for e in read_record(path) if isinstance(e.fact, MatchResumed)]
        assert (VERSION, rest) == (resumed.arena_version, resumed.cut_bytes)
        assert verify_file(path).is_good
        assert hashes == play_hashes(path)


async def test_a_match_may_be_killed_again_and_again(tmp_path: Path) -> None:
    """A record that goes on in short pieces is as good as one written at once."""
    whole = await play_match(tmp_path / "whole", SPEC)
    hashes = play_hashes(whole)
    path = _cut(whole, tmp_path / "cut", _ends(whole)[0])

    kills = 0
    while (ends := _ends(await resume_match(path)))[-1] and kills < 20:
        kills += 1
        _cut(path, tmp_path / "cut", ends[min(len(ends) - 2, 7 * kills)])

    assert verify_file(path).is_good
    assert hashes == play_hashes(path)
    assert 4 < sum(isinstance(entry.fact, MatchResumed) for entry in read_record(path))


async def test_times_go_on_where_they_ended(tmp_path: Path) -> None:
    """No table's time starts again, and the match's own never goes back."""
    whole = await play_match(tmp_path / "whole", SPEC)
    path = await resume_match(_cut(whole, tmp_path / "cut", _ends(whole)[20]))

    times: dict[int, list[int]] = {}
    for entry in read_record(path):
        times.setdefault(entry.table_number, []).append(entry.at_ms)

    assert all(sorted(seen) == seen for seen in times.values())


async def test_a_match_interrupted_while_it_is_taken_up_leaves_no_table_open(
    tmp_path: Path,
) -> None:
    """Tables that were open when the arena was killed end as stopped; the record verifies."""
    whole = await play_match(tmp_path / "whole", SPEC)

    for length in _ends(whole)[:-1:5]:
        path = await resume_match(_cut(whole, tmp_path / "cut", length), interrupted=True)
        last = read_last(path)
        assert verify_file(path).is_good
        assert last is not None
        assert isinstance(last.fact, MatchSealed)
        assert not last.fact.complete


async def test_a_table_whose_time_begins_anew_is_found(tmp_path: Path) -> None:
    """After a resumption no fact may be older than the last before it."""
    whole = await play_match(tmp_path / "whole", SPEC)
    path = _cut(whole, tmp_path / "cut", _ends(whole)[20])
    writer, begun, _ = resume_record(path, arena_version=VERSION)
    number, table = next(iter(begun.open.items()))

    writer.append(number, table.at_ms, Stalled(stalled_ms=1))
    writer.append(number, table.at_ms - 1, Stalled(stalled_ms=1))
    writer.close()

    verdict = verify_file(path)
    assert verdict.finding is not None
    assert writer.entry_count == verdict.finding.entry
    assert f"the match was resumed at {table.at_ms}" in str(verdict)


def test_a_finished_match_is_refused(tmp_path: Path) -> None:
    """A sealed record is never opened for writing."""
    path = write_match(tmp_path, SPEC)

    with pytest.raises(StoreError, match="that match is over"):
        check_resumable(path)

    path.with_suffix(".secret").write_text(SPEC.secret.hex())
    before = path.read_bytes()
    with pytest.raises(RecordError, match="sealed"):
        resume_record(path, arena_version=VERSION)
    assert before == path.read_bytes()


def test_a_match_still_being_played_is_refused(tmp_path: Path) -> None:
    """No two arenas write one record."""
    path = write_match(tmp_path, SPEC, sealed=False)
    descriptor = os.open(path, os.O_WRONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)

    try:
        for refused in (check_resumable, lambda path: resume_record(path, arena_version="")):
            with pytest.raises(StoreError, match="still being written"):
                refused(path)
    finally:
        os.close(descriptor)


def test_without_its_secret_a_match_cannot_go_on(tmp_path: Path) -> None:
    """A secret that is missing, or another match's, is told; the record stays as it is."""
    path = write_match(tmp_path, SPEC, sealed=False)
    before = path.read_bytes()
    secret = path.with_suffix(".secret")

    secret.write_text("ab" * 32)
    with pytest.raises(RecordError, match="is not the one that the match was committed to"):
        check_resumable(path)
    secret.unlink()
    for refused in (check_resumable, lambda path: resume_record(path, arena_version="")):
        with pytest.raises(StoreError, match="cannot read the secret"):
            refused(path)

    assert before == path.read_bytes()


def test_a_damaged_record_is_refused_unchanged(tmp_path: Path) -> None:
    """Damage is no torn tail: nothing is cut off."""
    path = write_match(tmp_path, SPEC, sealed=False)
    ends = _ends(path)
    data = bytearray(path.read_bytes())
    data[ends[5] + 10] ^= 1
    path.write_bytes(data)

    with pytest.raises(RecordDamaged):
        resume_record(path, arena_version=VERSION)

    assert bytes(data) == path.read_bytes()


async def test_a_match_that_only_began_starts(tmp_path: Path) -> None:
    """A record with nothing but its opening has everything that the match needs."""
    whole = await play_match(tmp_path / "whole", SPEC)
    path = _cut(whole, tmp_path / "cut", _ends(whole)[0])

    opened, spec = check_resumable(path)

    assert isinstance(opened, MatchOpened)
    assert SPEC == spec
    assert play_hashes(whole) == play_hashes(await resume_match(path))
