"""Tests of where ``euchre-arena replay export`` writes: nothing is lost by it."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest
from record_forge import positions
from record_matches import match_spec, write_match
from replay_runs import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Returns the record of a finished match."""
    return write_match(tmp_path / "data", match_spec(boards=2))


def damage(record: Path, number: int) -> None:
    """Changes an entry; the seal still holds, so that it is found when it is read."""
    content = bytearray(record.read_bytes())
    content[positions(record)[number][0] + 12] ^= 1
    record.write_bytes(content)


@pytest.mark.parametrize("how", ["same", "hard", "symbolic", "other"])
def test_no_record_is_overwritten(
    capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path, how: str
) -> None:
    """By whatever name it is called, and whichever match it is of."""
    output = record if how == "same" else tmp_path / "out"
    match how:
        case "hard":
            output.hardlink_to(record)
        case "symbolic":
            output.symlink_to(record)
        case "other":
            output.write_bytes(record.read_bytes())
    before = record.read_bytes()

    status, out, err = run(capsys, "export", record, "-o", output)

    assert (2, "") == (status, out)
    assert "export to another file" in err
    assert before == record.read_bytes() == output.read_bytes()


def test_the_secret_is_not_overwritten(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A match that was cut off could not go on without it."""
    record = write_match(tmp_path, match_spec(boards=1), sealed=False)
    secret = record.with_suffix(".secret")
    secret.write_bytes(b"s" * 32)

    assert 2 == run(capsys, "export", record, "-o", secret)[0]
    assert b"s" * 32 == secret.read_bytes()


@pytest.mark.parametrize("sealed", [True, False])
def test_an_earlier_export_survives_a_failed_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, *, sealed: bool
) -> None:
    """What is good of a damaged record is written where there is no file, and replaces none."""
    record = write_match(tmp_path / "data", match_spec(boards=2), sealed=sealed)
    damage(record, -10)
    output = tmp_path / "out.jsonl"

    fresh = run(capsys, "export", record, "--unfinished", "-o", output)
    lines = output.read_text()
    output.write_text("precious")
    again = run(capsys, "export", record, "--unfinished", "-o", output)

    assert (1, 1) == (fresh[0], again[0])
    assert lines == run(capsys, "export", record, "--unfinished")[1] != ""
    assert f"{output} stays as it was" in again[2]
    assert "precious" == output.read_text()
    assert {"data", "out.jsonl"} == {path.name for path in tmp_path.iterdir()}


def test_a_link_and_the_mode_of_the_file_stay(
    capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path
) -> None:
    """The file is replaced with what it was to others left alone."""
    kept, output = tmp_path / "kept", tmp_path / "out"
    kept.write_text("earlier")
    kept.chmod(0o640)
    output.symlink_to(kept)

    assert 0 == run(capsys, "export", record, "-o", output)[0]
    assert output.is_symlink()
    assert run(capsys, "export", record)[1] == kept.read_text()
    assert 0o640 == kept.stat().st_mode & 0o777


def test_special_files_are_written_to(
    capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path
) -> None:
    """They stay what they are."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()

    to_pipe = run(capsys, "export", record, "-o", pipe)
    reader.join(timeout=30)

    assert 0 == to_pipe[0] == run(capsys, "export", record, "-o", "/dev/null")[0]
    assert [run(capsys, "export", record)[1]] == read
    assert pipe.is_fifo()


def test_an_empty_name_is_refused(capsys: pytest.CaptureFixture[str], record: Path) -> None:
    """An empty shell variable names no file."""
    status, out, err = run(capsys, "export", record, "-o", "")

    assert (2, "") == (status, out)
    assert "it is empty; name a file" in err
