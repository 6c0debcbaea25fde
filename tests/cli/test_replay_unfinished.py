"""Tests that `replay` shows nothing of a deal that tables of its match have yet to play."""

from __future__ import annotations

import json
import shlex
import shutil
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from record_forge import positions
from record_matches import Behaviour, match_spec, write_match
from replay_runs import run

from euchre_server.record.chain import frame
from euchre_server.record.entries import TableOpened
from euchre_server.record.reader import read_record
from euchre_server.record.resume import resume_record
from euchre_server.record.store import Fsync
from euchre_server.referee.facts import Blame, TableEnded

if TYPE_CHECKING:
    from pathlib import Path

BOARDS = 4


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the record of a match whose every table has ended, without a seal."""
    folder = tmp_path_factory.mktemp("data")
    return write_match(folder, match_spec(boards=BOARDS, tables=3), match_id="m", sealed=False)


def cut(whole: Path, folder: Path, end: int) -> Path:
    """Returns a copy of the record that ends there, its secret beside it."""
    record = folder / "m.euchre"
    record.write_bytes(whole.read_bytes()[:end])
    shutil.copy(whole.with_suffix(".secret"), folder)
    return record


def over(record: Path) -> set[int]:
    """Returns the boards that were played in all three seatings."""
    boards: dict[int, int] = {}
    ended: Counter[int] = Counter()
    for entry in read_record(record):
        if isinstance(entry.fact, TableOpened):
            boards[entry.table_number] = entry.fact.board
        elif isinstance(entry.fact, TableEnded):
            ended[boards[entry.table_number]] += 1
    return {board for board, count in ended.items() if count == 3}


def exported(capsys: pytest.CaptureFixture[str], record: Path, *options: str) -> set[int]:
    """Returns the boards of which a hand is exported."""
    status, out, _ = run(capsys, "export", record, *options)
    assert 0 == status
    return {json.loads(line)["board"] for line in out.splitlines()}


def test_a_deal_is_exported_when_its_last_table_has_ended(
    capsys: pytest.CaptureFixture[str], whole: Path, tmp_path: Path
) -> None:
    """Wherever a match was cut off, no board is told of before all of its seatings are over."""
    ends = [end for _, end in positions(whole)]
    met: set[int] = set()
    for end in [*ends[1::23], *ends[-60::2], ends[-1]]:
        record = cut(whole, tmp_path, end)
        assert over(record) == exported(capsys, record)
        met |= {len(over(record))}

    assert {0, BOARDS} < met  # and some between


def test_show_names_no_card_of_a_deal_that_is_not_over(
    capsys: pytest.CaptureFixture[str], whole: Path, tmp_path: Path
) -> None:
    """What is asked for is refused with the reason, in whatever way it is asked for."""
    record = cut(whole, tmp_path, positions(whole)[40][1])

    for choice in ([], ["--board", "1"], ["--table", "1"], ["--public"], ["--seat", "0"]):
        status, out, err = run(capsys, "show", record, *choice)
        as_json = run(capsys, "show", record, *choice, "--json")

        assert "Tricks" not in out + err
        assert "Points over" not in out
        assert [] == json.loads(as_json[1])["hands"]
        assert "deals that are not over are left out" in err
        if "1" in choice:
            assert 2 == status
            assert "when every table that plays the same deal has ended" in err
            assert "add --unfinished" in err


def test_a_match_that_was_cut_off_is_shown_to_who_insists(
    capsys: pytest.CaptureFixture[str], whole: Path, tmp_path: Path
) -> None:
    """For a match that will never go on there is a way."""
    record = cut(whole, tmp_path, positions(whole)[40][1])

    status, out, err = run(capsys, "show", record, "--board", "1", "--unfinished")

    assert 0 == status
    assert "Board 1, seating 1" in out
    assert "left out" not in err
    assert {1} <= exported(capsys, record, "--unfinished")


def test_the_command_that_show_suggests_works(
    capsys: pytest.CaptureFixture[str], whole: Path, tmp_path: Path
) -> None:
    """It names a table that may be shown; where there is none it is left out."""
    for end in [positions(whole)[40], positions(whole)[-60], positions(whole)[-1]]:
        record = cut(whole, tmp_path, end[1])
        for options in ([], ["--unfinished"]):
            _, out, _ = run(capsys, "show", record, *options)
            suggested = [line for line in out.splitlines() if line.startswith("One of them: ")]

            assert bool(options or over(record)) == bool(suggested)
            for line in suggested:
                status, shown, _ = run(capsys, *shlex.split(line.partition(" replay ")[2]))
                assert 0 == status
                assert "Bidding" in shown


def test_a_match_that_is_played_is_shown_to_nobody(
    capsys: pytest.CaptureFixture[str], whole: Path, tmp_path: Path
) -> None:
    """While an arena writes the record there is no way but to wait."""
    record = cut(whole, tmp_path, positions(whole)[40][1])
    writer, _, _ = resume_record(record, arena_version="1", fsync=Fsync.NONE)
    try:
        insisted = [run(capsys, how, record, "--unfinished") for how in ("show", "export")]
        boards = exported(capsys, record)
    finally:
        writer.close()

    assert [2, 2] == [status for status, _, _ in insisted]
    assert all("is still being played" in err for _, _, err in insisted)
    assert [""] == list({out for _, out, _ in insisted})
    assert set() == boards


def test_of_a_damaged_record_no_more_is_shown(
    capsys: pytest.CaptureFixture[str], whole: Path, tmp_path: Path
) -> None:
    """Restored from a copy the match goes on, with the deals that it had not yet played."""
    end = positions(whole)[-60][1]
    record = cut(whole, tmp_path, end)
    boards = over(record)
    with record.open("ab") as file:
        file.write(frame(b"no entry"))

    status, out, err = run(capsys, "export", record)

    assert 1 == status
    assert boards == {json.loads(line)["board"] for line in out.splitlines()}
    assert "m is damaged: entry" in err
    assert "deals that are not over are left out" in err


def test_a_record_without_its_secret_is_shown(
    capsys: pytest.CaptureFixture[str], whole: Path, tmp_path: Path
) -> None:
    """Such a match cannot go on: no table will play its deals any more."""
    record = cut(whole, tmp_path, positions(whole)[40][1])
    record.with_suffix(".secret").unlink()

    assert {1} <= exported(capsys, record)


def test_void_boards_are_over_when_their_open_tables_are(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Their other tables are left out, so that nobody will play the deal."""
    behaviour = Behaviour(arena_fault=0.05)
    spec = match_spec(boards=BOARDS, tables=1)
    record = write_match(tmp_path, spec, behaviour=behaviour, sealed=False)
    boards: dict[int, int] = {}
    void: set[int] = set()
    for entry in read_record(record):
        if isinstance(entry.fact, TableOpened):
            boards[entry.table_number] = entry.fact.board
        elif isinstance(entry.fact, TableEnded) and entry.fact.blame is Blame.ARENA:
            void.add(boards[entry.table_number])

    assert void
    assert void <= set(boards.values()) == exported(capsys, record)
