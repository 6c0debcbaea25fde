"""Tests of ``euchre-arena replay`` as a person and as a program call it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from record_forge import positions
from record_matches import Behaviour, match_spec, write_match
from replay_runs import run, run_json, write_three

from euchre_server.cli.main import main
from euchre_server.record.reader import read_record
from euchre_server.referee.facts import TableEnded

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a data folder with three matches, an unsealed one among them."""
    return write_three(tmp_path_factory.mktemp("data"))


# list


def test_list_shows_every_match(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    """Each match has its line: id, state, rules, how much, and points."""
    status, out, _ = run(capsys, "list", "--data", data)

    lines = {line.split()[0]: line for line in out.splitlines()}
    assert 0 == status
    assert {"match", "m-1", "m-2", "other"} == set(lines)
    assert "sealed    three-handed" in lines["m-1"]
    assert "2 boards, 6 hands" in lines["m-1"]
    assert "unsealed" in lines["other"]


def test_list_as_json(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    """A program gets one array with an object a match."""
    rows = {row["match_id"]: row for row in run_json(capsys, "list", "--data", data)}

    assert {"m-1": "sealed", "m-2": "sealed", "other": "unsealed"} == {
        match_id: row["state"] for match_id, row in rows.items()
    }
    assert ["ann", "bob", "cleo"] == rows["m-1"]["bots"]
    assert (2, 6, "board") == tuple(rows["m-1"][key] for key in ("boards", "hands", "mode"))


def test_list_names_the_file_where_it_is_not_the_match_id(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    """Copies of one record can be told apart."""
    for name in ("m-1.euchre", "copy.euchre"):
        (tmp_path / name).write_bytes((data / "m-1.euchre").read_bytes())

    _, out, _ = run(capsys, "list", "--data", tmp_path)

    assert ["m-1", "m-1 (copy.euchre)"] == sorted(
        line.split("  ")[1] for line in out.splitlines()[1:]
    )


def test_list_names_files_that_are_no_records(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """One bad file does not hide the others."""
    (tmp_path / "bad.euchre").write_text("text")

    status, out, _ = run(capsys, "list", "--data", tmp_path)

    assert 0 == status
    assert "no record: the file does not begin as a record does" in out


def test_list_of_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """An empty folder is no error, a missing one is."""
    empty = run(capsys, "list", "--data", tmp_path)
    missing = run(capsys, "list", "--data", tmp_path / "no")

    assert (0, f"no records in {tmp_path} yet\n", "") == empty
    assert 2 == missing[0]
    assert "there is no data folder" in missing[2]


def test_only_boards_played_in_every_seating_are_counted(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    """As `match` counts them; those that were begun are told apart."""
    good = data / "m-1.euchre"
    torn = tmp_path / "torn.euchre"
    last_tables = [
        end
        for entry, (_, end) in zip(read_record(good), positions(good), strict=True)
        if isinstance(entry.fact, TableEnded)
    ]
    torn.write_bytes(good.read_bytes()[: last_tables[-2]])

    _, out, _ = run(capsys, "list", "--data", tmp_path)
    (row,) = run_json(capsys, "list", "--data", tmp_path)

    assert "1 board and 1 incomplete, 5 hands" in out
    assert (1, 1) == (row["boards"], row["boards_incomplete"])


# show


def test_show_begins_with_the_match_and_its_first_hand(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    """Without a choice one reads what the match is about, and its first hand."""
    status, out, err = run(capsys, "show", "m-1", "--data", data)

    assert (0, "") == (status, err)
    assert "match   m-1" in out
    assert "Points over all seatings" in out
    assert "Board 1, seating 1, table 1" in out
    assert "Bidding" in out
    assert 1 == out.count("\nDeal\n")


def test_show_of_a_board_shows_all_its_seatings(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    """A board is shown in every seating, each hand under the last."""
    status, out, _ = run(capsys, "show", "m-1", "--data", data, "--board", 2)

    assert 0 == status
    assert ["seating 1", "seating 2", "seating 3"] == [
        line.split(", ")[1] for line in out.splitlines() if line.startswith("Board 2,")
    ]
    assert "match   m-1" not in out


def test_show_of_one_hand_of_a_game(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    """Game, seating and hand choose one hand; scores are shown with it."""
    status, out, _ = run(
        capsys, "show", "m-2", "--data", data, "--game", 1, "--seating", 2, "--hand", 3
    )

    assert 0 == status
    assert out.startswith("Game 1, seating 2, table 2, hand 3\n")
    assert 1 == out.count("\nDeal\n")
    assert "scores" in out


def test_show_to_a_seat_hides_the_others(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    """With --seat only that seat's cards are there."""
    shown = run_json(capsys, "show", "m-1", "--data", data, "--table", 1, "--seat", 1)

    (hand,) = shown["hands"]
    assert 1 == hand["seen_by"]
    assert [True, False, True] == [cards is None for cards in hand["dealt"]]
    assert hand["buried"] is None


def test_show_to_the_public_hides_all_hands(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    """With --public no hand is there, and bids and tricks are."""
    shown = run_json(capsys, "show", "m-1", "--data", data, "--table", 1, "--public")

    (hand,) = shown["hands"]
    assert ("public", [None] * 3) == (hand["seen_by"], hand["dealt"])
    assert hand["actions"]


def test_show_of_the_whole_as_json(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    """A program gets the match and the hands chosen."""
    shown = run_json(capsys, "show", "m-1", "--data", data, "--board", 1)

    assert "m-1" == shown["match"]["match_id"]
    assert [1, 2, 3] == [hand["seating"] for hand in shown["hands"]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--board", 9), "m-1 has no hand at board 9"),
        (("--game", 1), "m-1 has no hand at game 1"),
        (("--seat", 3), "there is no seat 3; seats are 0 to 2"),
        (("--seat", 1, "--public"), "choose --seat or --public, not both"),
        (("--board", 0), "0 is not in the range x>=1"),
    ],
)
def test_show_of_what_is_not_there_says_so(
    capsys: pytest.CaptureFixture[str], data: Path, arguments: tuple[object, ...], words: str
) -> None:
    """A wrong choice is wrong use, told in one sentence."""
    status, out, err = run(capsys, "show", "m-1", "--data", data, *arguments)

    assert (2, "") == (status, out)
    assert words in err
    assert 1 == len(err.splitlines())


def test_show_says_that_a_match_is_unfinished(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    """An unsealed record is shown to whoever can read it, and called unsealed."""
    status, out, err = run(capsys, "show", "other", "--data", data)

    assert 0 == status
    assert "Board 1, seating 1" in out
    assert "other is unsealed: the match was cut off before its end\n" == err


def test_notes_cannot_steer_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What a bot wrote is shown without control characters."""
    behaviour = Behaviour(note="\x1b[2J\u202e!")
    write_match(tmp_path, match_spec(boards=1), behaviour=behaviour)

    status, out, _ = run(capsys, "show", "--data", tmp_path)

    assert 0 == status
    assert '"?[2J?!"' in out
    assert "\x1b" not in out


# Which record


def test_newest_record_is_meant_where_none_is_named(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    """Of matches begun at the same time the last by name is taken."""
    shown = run_json(capsys, "show", "--data", data)

    assert "other" == shown["match"]["match_id"]


def test_record_can_be_named_by_path_id_or_beginning(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    """All three ways lead to the same record."""
    names = (data / "m-1.euchre", "m-1", "m-1.euchre", "oth")
    found = [run_json(capsys, "show", name, "--data", data)["match"]["match_id"] for name in names]

    assert ["m-1", "m-1", "m-1", "other"] == found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("m", "m begins the names of several matches: "),
        ("x", "there is no record x: no such file, and no match in "),
        ("", "RECORD is empty; name a file or a match id"),
    ],
)
def test_record_that_is_not_clear_is_wrong_use(
    capsys: pytest.CaptureFixture[str], data: Path, name: str, words: str
) -> None:
    """A name that fits none or several is refused, in every command."""
    for command in ("show", "verify", "export"):
        status, out, err = run(capsys, command, name, "--data", data)
        assert (2, "") == (status, out)
        assert words in err


def test_folder_is_no_record(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    """A folder in place of a file is wrong use."""
    for command in ("show", "verify", "export"):
        status, _, err = run(capsys, command, data)
        assert 2 == status
        assert "is a directory" in err


# export


def test_export_writes_a_line_for_every_hand(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    """Standard output and a file get the same lines."""
    to_screen = run(capsys, "export", "m-1", "--data", data, "--format", "jsonl")
    to_file = run(capsys, "export", "m-1", "--data", data, "--output", tmp_path / "out.jsonl")

    assert (0, 0, "") == (to_screen[0], to_file[0], to_file[1])
    assert 6 == len(to_screen[1].splitlines())
    assert to_screen[1] == (tmp_path / "out.jsonl").read_text()
    assert to_screen == run(capsys, "export", "m-1", "--data", data, "--json")


def test_exported_lines_are_read_by_the_hand_command(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    """`hand` plays exported hands to the points that the export states."""
    for match_id in ("m-1", "m-2", "other"):
        path = tmp_path / f"{match_id}.jsonl"
        run(capsys, "export", match_id, "--data", data, "--output", path)
        lines = [json.loads(line) for line in path.read_text().splitlines()]

        with pytest.raises(SystemExit) as caught:
            main(["hand", "--json", str(path)])
        played = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

        assert 0 == (caught.value.code or 0)
        assert [line["points"] for line in lines] == [hand["points"] for hand in played]
        assert [line["tricks"] for line in lines] == [hand["tricks"] for hand in played]
        assert [line["scores_after"] for line in lines] == [hand["scores"] for hand in played]


def test_export_to_a_place_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    """A file that cannot be written is wrong set-up."""
    status, _, err = run(
        capsys, "export", "m-1", "--data", data, "--output", tmp_path / "no" / "out.jsonl"
    )

    assert 2 == status
    assert "cannot write" in err
    assert "no such file or directory" in err
