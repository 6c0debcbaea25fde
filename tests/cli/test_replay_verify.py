"""Tests of ``euchre-arena replay verify``, and of what else is said of damaged records."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from record_forge import positions
from replay_runs import run, write_three

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a data folder with three matches, an unsealed one among them."""
    return write_three(tmp_path_factory.mktemp("data"))


def test_verify_of_good_records(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    """Good records give a line each and status 0."""
    status, out, err = run(capsys, "verify", "m-1", "m-2", "--data", data)

    assert (0, "") == (status, err)
    assert [": good: sealed, ", ": good: sealed, "] == [
        line[line.index(": good") :][:16] for line in out.splitlines()
    ]


def test_verify_of_several_gives_the_worst_status(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    """All are checked, whatever is wrong with one; a missing file weighs most."""
    unsealed = run(capsys, "verify", "m-1", "other", "--data", data)
    missing = run(capsys, "verify", "none", "other", "m-1", "--data", data)

    assert (1, 2) == (unsealed[0], missing[0])
    assert 2 == len(unsealed[1].splitlines())
    assert 2 == len(missing[1].splitlines())
    assert missing[2].startswith("none: there is no record none")


def test_a_verdict_that_nobody_reads_is_the_status(data: Path) -> None:
    """`replay verify ... | head -0` still tells a script what it found."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as broken:
        arguments = ("replay", "verify", "m-1", "other", "--data", str(data))
        ended = subprocess.run(
            [sys.executable, "-m", "euchre_server.cli.main", *arguments],
            stdout=broken,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert (1, b"") == (ended.returncode, ended.stderr)


def test_verify_as_json(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    """A program gets one object a record, a line each."""
    status, out, _ = run(capsys, "verify", "m-1", "other", "--data", data, "--json")

    good, unsealed = (json.loads(line) for line in out.splitlines())
    assert 1 == status
    assert (True, None) == (good["good"], good["finding"])
    assert (False, "unsealed") == (unsealed["good"], unsealed["finding"]["kind"])


def test_verify_of_a_damaged_record_names_the_entry(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    """A damaged record is a bad finding; export and show give what is good and say so."""
    good = data / "m-1.euchre"
    damaged = tmp_path / "damaged.euchre"
    content = bytearray(good.read_bytes())
    begin, _ = positions(good)[-10]
    content[begin + 12] ^= 1
    damaged.write_bytes(content)

    verified = run(capsys, "verify", damaged)
    exported = run(capsys, "export", damaged)

    number = len(positions(good)) - 9
    assert (1, 1) == (verified[0], exported[0])
    assert f"sealed but damaged at entry {number}" in verified[1]
    assert f"entry {number}: its checksum is wrong" in exported[2]
    assert 6 == len(exported[1].splitlines())


@pytest.mark.parametrize("more", [b"abc", bytes(4096)])
def test_what_follows_the_seal_is_found(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path, more: bytes
) -> None:
    """The seal is still known for one: sealed but damaged, and every hand is there."""
    good = data / "m-1.euchre"
    damaged = tmp_path / "damaged.euchre"
    damaged.write_bytes(good.read_bytes() + more)

    verified, exported, shown = (run(capsys, how, damaged) for how in ("verify", "export", "show"))

    number = len(positions(good)) + 1
    what = "something follows the seal, which must come last"
    assert (1, 1, 1) == (verified[0], exported[0], shown[0])
    assert f"sealed but damaged at entry {number}: {what} ({number - 1} good" in verified[1]
    assert f"m-1 is sealed but damaged: entry {number}: {what}\n" == exported[2] == shown[2]
    assert 6 == len(exported[1].splitlines())
    assert "Board 1, seating 1" in shown[1]


def test_damage_in_the_seal_is_no_missing_seal(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    """A record whose last entry has changed was not cut off."""
    good = data / "m-1.euchre"
    damaged = tmp_path / "damaged.euchre"
    content = bytearray(good.read_bytes())
    begin, _ = positions(good)[-1]
    content[begin + 20] ^= 1
    damaged.write_bytes(content)

    verified, shown = (run(capsys, how, damaged) for how in ("verify", "show"))

    said = f"entry {len(positions(good))}: its checksum is wrong: the file was damaged"
    assert (1, 1) == (verified[0], shown[0])
    assert f"damaged at {said}" in verified[1]
    assert f"m-1 is damaged: {said}\n" == shown[2]


def test_file_that_is_no_record_is_a_bad_finding(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Whatever is asked of another file, it is told that it is no record, with status 1."""
    other = tmp_path / "notes.txt"
    other.write_text("hello")

    for command in ("show", "verify", "export"):
        status, out, err = run(capsys, command, other)
        assert 1 == status
        assert f"{other}: no record: the file does not begin as a record does" in out + err
