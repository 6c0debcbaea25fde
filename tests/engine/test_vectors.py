"""tests/vectors against the engine, the naive second engine, and what the vectors must show.

Owns the promise to people who write engines in other languages: what is written there is what
`euchre-arena hand --json` says, and it touches everything that the rules offer.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import naive_games
import pytest
from naive_family_rules import rules_with_players
from vector_cover import must_cover, shown_by
from vector_lines import standings

from euchre_engine.actions import ActionKind
from euchre_engine.errors import Reason
from euchre_engine.games import Game
from euchre_engine.notation import WRONG_SEAT, hand_from_json
from euchre_engine.state import Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VECTORS = Path(__file__).parents[1] / "vectors"
LARGEST = 5_000_000
ROUND = 120
"""So many of the random hands that make.py looks at are looked at here as well."""

Object = dict[str, Any]


@cache
def _lines(game: Game) -> list[Object]:
    text = (VECTORS / f"{game}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _printed_program() -> Callable[[list[Object]], Iterator[Object]]:
    """Returns the function that the README of the vectors prints."""
    readme = (VECTORS / "README.md").read_text(encoding="utf-8")
    [program] = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    names: Object = {}
    exec(compile(program, "tests/vectors/README.md", "exec"), names)  # noqa: S102  # our own text
    return names["in_full"]  # type: ignore[no-any-return]


def _hand(line: Object) -> Object:
    return {key: value for key, value in line.items() if key not in ("name", "steps")}


def test_every_game_has_vectors() -> None:
    """Each game has a file of its own, with names that occur once, and all together are small."""
    files = sorted(VECTORS.glob("*.jsonl"))
    names = [[line["name"] for line in _lines(game)] for game in Game]

    assert sorted(f"{game}.jsonl" for game in Game) == [path.name for path in files]
    assert [sorted(set(of_game)) for of_game in names] == [sorted(of_game) for of_game in names]
    assert sum(path.stat().st_size for path in files) <= LARGEST


@pytest.mark.parametrize("game", Game)
def test_engine(game: Game) -> None:
    """Every step, written out by the program in the README, is what `hand --json` prints."""
    in_full = _printed_program()
    for line in _lines(game):
        assert standings(_hand(line)) == list(in_full(line["steps"])), line["name"]


UNORDERED = {"legal", "alone", "sitting_out", "winners"}


def _agrees(known: Object, whole: Object) -> bool:
    """Returns whether all that the naive engine says stands in an object."""
    return all(
        sorted(value) == sorted(whole[key]) if key in UNORDERED else value == whole[key]
        for key, value in known.items()
        if key not in ("views", "public")
    )


@pytest.mark.parametrize("game", Game)
def test_naive_engine(game: Game) -> None:
    """The naive second engine, which shares no code, comes to the same steps."""
    in_full = _printed_program()
    for line in _lines(game):
        hand = _hand(line)
        table = naive_games.start(
            rules_with_players(hand["rules"], hand.get("players"))
            if "players" in hand
            else hand["rules"],
            **{key: hand[key] for key in ("dealer", "deck", "scores", "redeals")},
            number=hand["hand"],
        )
        for count, whole in enumerate(in_full(line["steps"])):
            where = f"{line['name']}, step {count}"
            if "error" in whole:
                _expect_refused(table, hand["actions"][-1], whole["error"], where)
                break
            if count:
                naive_games.act(table, hand["actions"][count - 1])
            stands = naive_games.standing(table)
            assert _agrees(stands, whole), where
            for known, view in zip(stands["views"], whole["views"], strict=True):
                assert _agrees(known, view), where
            assert _agrees(stands["public"], whole["public"]), where


def _expect_refused(table: Object, action: str | Object, error: Object, where: str) -> None:
    seat, text = (None, action) if isinstance(action, str) else (action["seat"], action["text"])
    if seat in (None, table["to_act"]):
        assert not naive_games.is_legal(table, text), where
    assert table["to_act"] == error["seat"], where
    assert sorted(naive_games.legal_texts(table)) == sorted(error["legal"]), where


@pytest.mark.parametrize("game", Game)
def test_coverage(game: Game) -> None:
    """The vectors of a game show all that its tables offer and random hands meet."""
    missing = must_cover(game, range(ROUND))
    for line in _lines(game):
        missing -= shown_by(hand_from_json(_hand(line)), missing)

    assert [] == sorted(missing)


def test_coverage_of_all_games_together() -> None:
    """Every phase, action and reason that the engine knows is somewhere in the vectors."""
    steps = [step for game in Game for line in _lines(game) for step in line["steps"]]
    reasons = {step["error"]["reason"] for step in steps if "error" in step}
    phases = {step["phase"] for step in steps if "phase" in step}
    said = [item for step in steps for item in step.get("public", {}).get("history", [])]
    words = {item["text"].split(" ")[0] for item in said}

    assert {*Reason, WRONG_SEAT} == reasons
    assert set(Phase) == phases
    assert {kind.word for kind in ActionKind} == words


def test_readme_tells_of_all_that_is_there() -> None:
    """Every key of a line, a step, a view and a refusal, and every reason, is explained."""
    told = set(re.findall(r"`([^`\n]+)`", (VECTORS / "README.md").read_text(encoding="utf-8")))
    in_full = _printed_program()
    written: set[str] = set()
    for game in Game:
        for line in _lines(game):
            written |= line.keys()
            for step in in_full(line["steps"]):
                refused = step.get("error", {})
                written |= step.keys() | refused.keys() | {refused.get("reason", "steps")}
                written |= step.get("public", {}).keys()

    assert set() == written - told - {"error"}


@pytest.mark.long
def test_made_by_one_command() -> None:
    """The command makes the very files that are checked in."""
    command = [sys.executable, str(VECTORS / "make.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert "" == result.stdout + result.stderr
    assert 0 == result.returncode
