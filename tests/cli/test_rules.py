"""``euchre-arena rules``: the presets, and one ruleset in full."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from euchre_engine.options import OPTION_BY_NAME
from euchre_engine.points import points_table
from euchre_engine.variants import PRESETS, parse_ruleset
from euchre_server.cli.rules import rules_command

RULESETS = [*PRESETS, "three-handed,target=15,deck=32", "four-handed,canadian_loner=yes"]


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(rules_command, arguments, catch_exceptions=False)


def _object(*arguments: str) -> Any:  # noqa: ANN401  # JSON is any value
    return json.loads(_run(*arguments).stdout)


def test_presets_are_listed() -> None:
    """Without a name every preset is listed with its sentence."""
    shown = " ".join(_run().stdout.split())

    assert all(f"{preset.name} {preset.sentence}" in shown for preset in PRESETS.values())


def test_presets_are_listed_as_json() -> None:
    """The list in JSON has each preset with its game and what it changes."""
    rows = {row["preset"]: row for row in _object("--json")}

    assert list(rows) == list(PRESETS)
    assert rows["three-handed-bonus"] == {
        "preset": "three-handed-bonus",
        "game": "three-handed",
        "players": 3,
        "sentence": PRESETS["three-handed-bonus"].sentence,
        "changes": {"alone_march_points": 6},
    }


@pytest.mark.parametrize("name", RULESETS)
def test_ruleset_in_full(name: str) -> None:
    """A ruleset is printed with every option, its value and sentence, and the points table."""
    rules = parse_ruleset(name)
    shown = " ".join(_run(name).stdout.split())

    for option, value in rules.options.items():
        written = str(value).lower() if isinstance(value, bool) else str(value)
        assert f" {option} = {written}" in shown
        assert OPTION_BY_NAME[option].sentences[rules.game] in shown
    for points, to, when in points_table(rules):
        assert f" {points} to {to}: {when}" in shown


def test_changes_are_told_beside_the_presets_sentence() -> None:
    """The sentence is the preset's: what is not so any more stands below it."""
    assert (
        "So is british itself; here with deck=24, target=21."
        in _run("british,deck=24,target=21").stdout.splitlines()
    )
    assert "itself" not in _run("british").stdout


@pytest.mark.parametrize("name", RULESETS)
def test_ruleset_as_json(name: str) -> None:
    """In JSON a ruleset has all effective options, each explained, and the points table."""
    rules = parse_ruleset(name)
    shown = _object(name, "--json")

    assert shown["rules"] == rules.to_json()
    assert {row["name"]: row["value"] for row in shown["options"]} == {
        option: value for option, value in rules.to_json().items() if option != "preset"
    }
    assert all(row["sentence"] and row["allowed"] for row in shown["options"])
    assert [tuple(row.values()) for row in shown["points"]] == points_table(rules)


def test_changes_are_marked() -> None:
    """An option that is not at the game's default says so."""
    shown = _run("british,target=21").stdout

    assert "target = 21, in four-handed play usually 10" in shown
    assert "deck = 25, in four-handed play usually 24" in shown
    assert "max_hands = 500  [" in shown


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("thre-handed", "did you mean 'three-handed'"),
        ("two-handed,alone_march_points=3", "applies to three-handed, four-handed, railroad play"),
        ("two-handed,target=x", "an integer from 1"),
        ("", "presets: two-handed"),
        ("\udc80", "presets: two-handed"),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_wrong_names(name: str, said: str, form: tuple[str, ...]) -> None:
    """A ruleset that cannot be exits 2 and says what would be right."""
    result = _run(name, *form)

    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
