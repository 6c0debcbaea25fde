"""Tests of hands as JSON objects."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from record_forge import first, forge
from record_matches import Behaviour, match_spec, write_match

from euchre_engine import PRESETS, Card, Discard, outcome
from euchre_engine.notation import hand_from_json, replay
from euchre_server.record.entries import RecordDamaged, RecordError
from euchre_server.record.export import export_lines
from euchre_server.record.reader import read_record
from euchre_server.record.tables import tables_of
from euchre_server.referee.facts import Acted
from euchre_server.referee.spec import FaultPolicy, TableMode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from euchre_server.record.entries import Entry

KEYS = {
    "rules",
    "dealer",
    "deck",
    "actions",
    "scores",
    "redeals",
    "match",
    "board",
    "seating",
    "table",
    "game",
    "hand",
    "relabel",
    "bots",
    "rated",
    "cause",
    "blame",
    "blamed_seat",
    "tricks",
    "points",
    "scores_after",
}


def exported(path: Path) -> list[dict[str, Any]]:
    """Returns the lines of an export, as another program reads them."""
    lines = [json.dumps(line) for line in export_lines(tables_of(read_record(path)))]
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("mode", TableMode)
def test_exported_hands_play_again_to_the_same_end(
    tmp_path: Path, preset: str, mode: TableMode
) -> None:
    """What an export says of tricks, points and scores follows from its deal and actions."""
    short = {"max_hands": 30}  # at random Pepper is played for hundreds of hands
    path = write_match(tmp_path, match_spec(preset, boards=1, mode=mode, options=short))

    for line in exported(path):
        state = replay(hand_from_json(line))
        result = outcome(state)
        assert result is not None
        tricks = [
            {"leader": t.leader, "cards": [card.text for card in t.cards], "winner": t.winner}
            for t in state.tricks
        ]
        assert (tricks, list(result.points), list(result.scores)) == (
            line["tricks"],
            line["points"],
            line["scores_after"],
        )


def test_exported_line_has_the_documented_keys(tmp_path: Path) -> None:
    """Every line has every key of DESIGN.md section 8."""
    lines = exported(write_match(tmp_path, match_spec(boards=1)))

    assert [KEYS] * 3 == [set(line) for line in lines]


def test_exported_line_says_where_it_belongs(tmp_path: Path) -> None:
    """Match, board, seating, table, bots and relabelling are those of the record."""
    path = write_match(tmp_path, match_spec(boards=1), match_id="m7")
    tables = list(tables_of(read_record(path)))

    for line, table in zip(exported(path), tables, strict=True):
        relabel = "".join(suit.name for suit in table.opened.relabelling)
        assert ("m7", 1, None, table.number, 1) == (
            line["match"],
            line["board"],
            line["game"],
            line["table"],
            line["hand"],
        )
        assert (table.opened.seating, relabel, list(table.opened.bots)) == (
            line["seating"],
            line["relabel"],
            line["bots"],
        )
        assert ("played", "none", None, True) == (
            line["cause"],
            line["blame"],
            line["blamed_seat"],
            line["rated"],
        )


def test_exported_action_says_who_chose_it_and_how_long_it_took(tmp_path: Path) -> None:
    """Actions are objects with seat, text, by and the time charged, and how it was counted."""
    behaviour = Behaviour(timeout=0.2)
    lines = exported(write_match(tmp_path, match_spec(boards=2), behaviour=behaviour))

    actions = [action for line in lines for action in line["actions"]]
    assert {("seat", "text", "by", "ms", "time")} == {tuple(action) for action in actions}
    assert {"bot", "clock"} == {action["by"] for action in actions}
    assert all(action["ms"] >= 500 for action in actions if action["by"] == "clock")
    for action in actions:
        time = action["time"]
        passed = time["charged"] + time["grace_used"] + time["stalled"]
        assert action["ms"] == time["charged"]
        assert time["asked"] <= time["written"] == time["started"]
        assert time["received"] == time["started"] + passed
        assert (2, 1 if action["by"] == "bot" else None) == (time["round_trip"], time["think"])


def test_times_that_an_old_record_does_not_hold_are_null() -> None:
    """C-16: what was not recorded is null in the export, never zero."""
    old = Path(__file__).parent / "data" / "format-1.euchre"

    for line in exported(old):
        for action in line["actions"]:
            unknown = [action["time"][key] for key in ("asked", "started", "stalled", "round_trip")]
            assert [None] * 4 == unknown


def test_games_are_exported_hand_by_hand(tmp_path: Path) -> None:
    """In a game each hand begins with the scores that the one before left."""
    lines = exported(write_match(tmp_path, match_spec(boards=1, mode=TableMode.GAME)))

    for before, after in pairwise(lines):
        if before["table"] == after["table"]:
            assert before["scores_after"] == after["scores"]
            assert before["hand"] + 1 == after["hand"]
    assert {(None, 1)} == {(line["board"], line["game"]) for line in lines}


def test_unfinished_hand_has_no_points(tmp_path: Path) -> None:
    """A hand cut short by a forfeit has null points and the scores of before."""
    spec = match_spec(boards=4, policy=FaultPolicy.named("strict"))
    lines = exported(write_match(tmp_path, spec, behaviour=Behaviour(illegal=0.2)))

    cut = [line for line in lines if line["cause"] == "faults"]
    assert cut
    assert {(None, "seat")} == {(line["points"], line["blame"]) for line in cut}
    assert all(line["scores"] == line["scores_after"] for line in cut)
    assert all(line["blamed_seat"] in {0, 1, 2} for line in cut)


def test_tables_come_in_schedule_order(tmp_path: Path) -> None:
    """However the tables ended among each other, they are exported by their numbers."""
    path = write_match(tmp_path, match_spec(boards=3, tables=3, mode=TableMode.GAME))

    numbers = [table.number for table in tables_of(read_record(path))]

    assert list(range(1, 10)) == numbers


def test_unsealed_record_is_exported_as_far_as_it_goes(tmp_path: Path) -> None:
    """A table that never ended is exported as well, with null for how it ended."""
    path = write_match(tmp_path, match_spec(boards=2), sealed=False)
    entries = list(read_record(path))[:-1]

    lines = list(export_lines(tables_of(entries)))

    assert 6 == len(lines)
    unended = [line for line in lines if line["cause"] is None]
    assert [(None, None)] == [(line["blame"], line["rated"]) for line in unended]


def test_damage_comes_after_the_good_tables(tmp_path: Path) -> None:
    """What was read before the damage is given first, then the damage is told."""
    path = write_match(tmp_path, match_spec(boards=2))
    entries = list(read_record(path))
    given: list[int] = []

    def damaged() -> Iterator[Entry]:
        yield from entries[:-5]
        raise RecordDamaged(len(entries) - 4, "a test")

    with pytest.raises(RecordDamaged):
        given.extend(table.number for table in tables_of(damaged()))

    assert [1, 2, 3, 4, 5, 6] == given


def test_hand_that_cannot_be_played_is_refused_by_name(tmp_path: Path) -> None:
    """An export never passes on what the rules do not allow."""
    path = write_match(tmp_path, match_spec(boards=1))

    def change(fact: Any) -> Any:  # noqa: ANN401
        return fact._replace(action=Discard(Card["9C"]))

    forged = forge(path, first(Acted, change))

    with pytest.raises(RecordError, match="table 1, hand 1 cannot be played again"):
        exported(forged)
