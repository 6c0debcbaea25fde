"""Tests of the check of whole records."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from record_forge import first, forge, positions
from record_matches import Behaviour, match_spec, write_match

from euchre_engine import PRESETS
from euchre_server.match.spec import canonical_json
from euchre_server.record.chain import frame
from euchre_server.record.checking import verify_file
from euchre_server.record.codec import encode
from euchre_server.record.entries import MatchSealed
from euchre_server.record.reader import read_record
from euchre_server.record.verdict import FindingKind
from euchre_server.referee.facts import (
    Acted,
    SeatChanged,
)
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableMode

BEHAVIOURS = {
    "clean": Behaviour(),
    "careless": Behaviour(
        timeout=0.03,
        illegal=0.05,
        garbled=0.02,
        stale=0.05,
        lost=0.02,
        stalled=0.05,
        note="a note",
    ),
    "leaving": Behaviour(left=0.02, died=0.02, timeout=0.01),
    "arena at fault": Behaviour(arena_fault=0.02),
    "stopped": Behaviour(stopped=0.02),
    "one never joins": Behaviour(absent=frozenset({1})),
    "two never join": Behaviour(absent=frozenset({0, 1})),
}


@pytest.mark.parametrize("name", BEHAVIOURS)
@pytest.mark.parametrize("policy", ["lenient", "strict"])
@pytest.mark.parametrize("mode", TableMode)
def test_whatever_happens_at_the_tables_the_record_is_good(
    tmp_path: Path, mode: TableMode, policy: str, name: str
) -> None:
    """What the referee decides, the check works out the same."""
    spec = match_spec(boards=2, mode=mode, policy=FaultPolicy.named(policy))

    verdict = verify_file(write_match(tmp_path, spec, behaviour=BEHAVIOURS[name]))

    assert verdict.finding is None
    assert verdict.is_good


@pytest.mark.parametrize("preset", PRESETS)
def test_records_of_every_game_are_good(tmp_path: Path, preset: str) -> None:
    """Every preset's games are dealt, ruled and scored again alike."""
    spec = match_spec(preset, boards=1, mode=TableMode.GAME)

    verdict = verify_file(write_match(tmp_path, spec, behaviour=BEHAVIOURS["careless"]))

    assert verdict.finding is None


def test_bank_and_increment_are_followed(tmp_path: Path) -> None:
    """Banks are worked out again with increments and a budget that is often overrun."""
    clock = ClockSpec(budget_ms=3, bank_ms=20, increment_ms=1, grace_ms=1, first_ms=4)
    spec = match_spec(boards=2, mode=TableMode.GAME, clock=clock)

    verdict = verify_file(write_match(tmp_path, spec))

    assert verdict.finding is None


def test_verdict_counts_what_is_there(tmp_path: Path) -> None:
    """The verdict of a good record says how much was checked."""
    path = write_match(tmp_path, match_spec(boards=2))
    entries = list(read_record(path))

    verdict = verify_file(path)

    acts = sum(isinstance(entry.fact, Acted) for entry in entries)
    assert (len(entries), 6, 6, acts) == (
        verdict.entries,
        verdict.tables,
        verdict.hands,
        verdict.decisions,
    )
    assert (
        f"good: sealed, {len(entries)} entries, 6 tables, 6 hands played out, {acts} decisions"
        == str(verdict)
    )


def test_unsealed_record_is_told_with_its_good_entries(tmp_path: Path) -> None:
    """An unfinished record is not good, but all that it holds is checked and counted."""
    path = write_match(tmp_path, match_spec(boards=1), sealed=False)
    count = sum(1 for _ in read_record(path))

    verdict = verify_file(path)

    assert not verdict.is_good
    assert f"unsealed, {count} entries good" == str(verdict)


def test_torn_record_is_told_as_unsealed(tmp_path: Path) -> None:
    """A record that was cut off is unsealed, and the rest of the entry is mentioned."""
    path = write_match(tmp_path, match_spec(boards=1))
    (*_, (begin, _)) = places = positions(path)
    path.write_bytes(path.read_bytes()[: begin + 9])

    verdict = verify_file(path)

    assert (
        f"unsealed, {len(places) - 1} entries good; then 9 bytes of an entry that was cut off"
        == str(verdict)
    )


def test_file_that_is_no_record_is_told_as_such(tmp_path: Path) -> None:
    """Any other file is no record."""
    path = tmp_path / "x.euchre"
    path.write_text("something else")

    verdict = verify_file(path)

    assert verdict.finding is not None
    assert FindingKind.NO_RECORD is verdict.finding.kind


def test_sealed_record_with_damage_is_told_as_both(tmp_path: Path) -> None:
    """A changed byte in a sealed record names the entry, not the seal."""
    path = write_match(tmp_path, match_spec(boards=1))
    data = bytearray(path.read_bytes())
    begin, end = positions(path)[9]
    data[(begin + end) // 2] ^= 1
    path.write_bytes(data)

    verdict = verify_file(path)

    assert (
        "sealed but damaged at entry 10: its checksum is wrong: the file was damaged "
        "(9 good before it)" == str(verdict)
    )


def test_entries_changed_with_their_checksums_break_the_running_hash(tmp_path: Path) -> None:
    """A time that somebody changed, checksum and all, is noticed at the end of the hand."""
    path = write_match(tmp_path, match_spec(boards=1))
    entry = next(e for e in read_record(path) if isinstance(e.fact, SeatChanged))
    begin, end = positions(path)[entry.number - 1]
    later = frame(encode(entry.number, entry.table_number, entry.at_ms + 1, entry.fact))
    data = path.read_bytes()
    path.write_bytes(data[:begin] + later + data[end:])

    verdict = verify_file(path)

    assert verdict.finding is not None
    assert "the running hash does not fit" in verdict.finding.what


OLD = Path(__file__).parent / "data" / "format-1.euchre"


def test_old_record_stays_good() -> None:
    """A file of format 1 as it was first written is read and verifies for ever."""
    verdict = verify_file(OLD)

    assert verdict.finding is None
    assert ("format-1", 4, 4) == (verdict.match_id, verdict.tables, verdict.hands)


def test_old_record_may_lack_what_results_tell_since(tmp_path: Path) -> None:
    """A result of another version is compared only in what it has; numbers in it still count."""
    path = write_match(tmp_path, match_spec(boards=1), arena_version="0.0.9")

    def change(fact: Any, **new: object) -> Any:  # noqa: ANN401
        result = {**json.loads(fact.result), **new}
        del result["boards_void"]
        result["standings"][0]["ci95"] = [-9, 9]
        return replace(fact, result=canonical_json(result))

    lacking = verify_file(forge(path, first(MatchSealed, change)))
    wrong = verify_file(forge(path, first(MatchSealed, lambda fact: change(fact, hands=99))))

    assert lacking.finding is None
    assert wrong.finding is not None
    assert "result.hands in the seal is 99" in wrong.finding.what
