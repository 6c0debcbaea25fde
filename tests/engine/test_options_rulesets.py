"""Making rulesets: from typed values, from text and from JSON (RULES.md section 4)."""

from __future__ import annotations

import dataclasses
import json
import pickle

import pytest
from hypothesis import given
from ruleset_strategies import rulesets

from euchre_engine import RulesetError, Seat
from euchre_engine.option_kinds import INTEGER_CEILING
from euchre_engine.variants import (
    Ruleset,
    make_ruleset,
    parse_ruleset,
    ruleset_from_json,
)


def _key_of(text: str) -> tuple[str, str]:
    """Returns key and message of the error that a ruleset text gives."""
    with pytest.raises(RulesetError) as caught:
        parse_ruleset(text)
    return caught.value.key, caught.value.message


@pytest.mark.parametrize("written", ["deck=32", "deck = 32"])
def test_deck_as_text_or_number(written: str) -> None:
    """A deck may be written as a text or a number, and is a text afterwards."""
    rules = parse_ruleset(f"two-handed,{written}")

    assert rules == make_ruleset("two-handed", {"deck": 32})
    assert rules.to_json()["deck"] == "32"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", True),
        ("yes", True),
        ("on", True),
        ("True", True),
        ("false", False),
        ("no", False),
        ("OFF", False),
    ],
)
def test_flags_as_text(text: str, *, expected: bool) -> None:
    """A flag on the command line may be true or false, yes or no, on or off."""
    assert parse_ruleset(f"two-handed,stick_the_dealer={text}").stick_the_dealer is expected


@pytest.mark.parametrize("text", ["1", "0", "", "y", "truth", "null"])
def test_other_flag_texts_are_refused(text: str) -> None:
    """Anything else for a flag is an error that says what would be right."""
    key, message = _key_of(f"two-handed,stick_the_dealer={text}")

    assert key == "stick_the_dealer"
    assert "must be true or false" in message


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "ten", "1e3", "1_0", "٣", "9" * 400, ""])
def test_integers_out_of_range_are_refused(text: str) -> None:
    """An integer is written in plain digits and has to be in its range."""
    key, message = _key_of(f"two-handed,target={text}")

    assert key == "target"
    assert f"an integer from 1 to {INTEGER_CEILING}" in message


@pytest.mark.parametrize("value", [True, None, 10.0, "10", [10], {"a": 1}, float("nan"), -1])
def test_typed_integers_are_strict(value: object) -> None:
    """From JSON an integer is an integer: no text, no fraction, no truth value."""
    with pytest.raises(RulesetError) as caught:
        make_ruleset("two-handed", {"target": value})

    assert caught.value.key == "target"
    assert "must be an integer from 1" in caught.value.message


def test_a_number_too_long_to_print_is_refused() -> None:
    """Not even an integer of thousands of digits breaks the error message."""
    with pytest.raises(RulesetError, match="an integer of 19932 bits"):
        make_ruleset("two-handed", {"target": 10**6000})


@pytest.mark.parametrize("value", [1, 0, "true", None])
def test_typed_flags_are_strict(value: object) -> None:
    """From JSON a flag is true or false."""
    with pytest.raises(RulesetError, match="must be true or false"):
        make_ruleset("two-handed", {"stick_the_dealer": value})


@pytest.mark.parametrize(
    ("preset", "value", "expected"),
    [("two-handed", "seeded", None), ("two-handed", 1, 1), ("four-handed", 3, 3)],
)
def test_first_dealer(preset: str, value: object, expected: Seat | None) -> None:
    """The first dealer is drawn, or a seat of the game."""
    rules = make_ruleset(preset, {"first_dealer": value})

    assert rules.first_dealer == expected
    assert rules.options["first_dealer"] == value


@pytest.mark.parametrize(
    ("preset", "seat"), [("two-handed", 2), ("three-handed", 3), ("four-handed", 4)]
)
def test_first_dealer_has_a_chair(preset: str, seat: int) -> None:
    """A first dealer who does not sit at the table is refused."""
    key, message = _key_of(f"{preset},first_dealer={seat}")

    assert key == "first_dealer"
    assert f"a seat number from 0 to {seat - 1}" in message


@pytest.mark.parametrize(
    ("text", "key", "hint"),
    [
        ("thre-handed", "preset", "did you mean 'three-handed'"),
        ("", "preset", "presets: two-handed, three-handed"),
        ("Two-Handed", "preset", "two-handed"),
        ("two-handed,trget=3", "trget", "did you mean 'target'"),
        (
            "two-handed,tie_rule=highest_else_shared",
            "tie_rule",
            "applies to three-handed, hasenpfeffer",
        ),
        ("three-handed,canadian_loner=true", "canadian_loner", "applies to four-handed, railroad"),
        ("napoleon,deck=24", "deck", "at least the 25 cards"),
        ("napoleon,players=7,deck=32", "deck", "at least the 35 cards"),
        ("napoleon,players=8", "players", "from 2 to 7"),
        ("napoleon,first_dealer=5", "first_dealer", "from 0 to 4"),
        ("napoleon,blucher=true", "blucher", "needs wellington"),
        ("pepper,deck=25", "deck", "one of 24"),
        ("hasenpfeffer,tie_rule=highest_else_shared", "tie_rule", "makers_first"),
        ("four-handed,alone_decision=after_dummy", "alone_decision", "three-handed play"),
        ("three-handed,deck=28", "deck", "one of 24, 25, 32, 33 in three-handed play"),
        ("four-handed,deck=52", "deck", "one of 24, 25, 28, 32, 33"),
        ("three-handed,tie_rule=highest_else_play", "tie_rule", "did you mean 'highest_else_play"),
        ("two-handed,joker_upcard=fixed:X", "joker_upcard", "fixed:C, fixed:D, fixed:H, fixed:S"),
        ("two-handed,min_trump_to_call=3", "min_trump_to_call", "an integer from 0 to 2"),
        ("two-handed,max_hands=0", "max_hands", "an integer from 1"),
        ("two-handed,target", "target", "write target=VALUE"),
        ("two-handed,target=10,target=10", "target", "given twice"),
        ("two-handed,", "", "options of two-handed play: deck"),
        ("two-handed,=3", "", "there is no option ''"),
    ],
)
def test_wrong_rulesets_are_named(text: str, key: str, hint: str) -> None:
    """What is wrong is an error when the ruleset is made, with its key and what would be right."""
    found, message = _key_of(text)

    assert found == key
    assert hint in message


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (None, "rules"),
        (3, "rules"),
        (["two-handed"], "rules"),
        ({}, "preset"),
        ({"target": 3}, "preset"),
        ({"preset": None}, "preset"),
        ({"preset": ["two-handed"]}, "preset"),
        ({"preset": "two-handed", "": 1}, ""),
        ({"preset": "two-handed", "target": {}}, "target"),
        ("two-handed,target=3", "preset"),
    ],
)
def test_wrong_json_rulesets_are_named(value: object, key: str) -> None:
    """A JSON value that is no ruleset is an error with the key that is wrong."""
    with pytest.raises(RulesetError) as caught:
        ruleset_from_json(value)

    assert caught.value.key == key


@given(rulesets())
def test_rulesets_round_trip(rules: Ruleset) -> None:
    """A ruleset comes back from its JSON, its text and its pickle."""
    assert ruleset_from_json(json.loads(json.dumps(rules.to_json()))) == rules
    assert parse_ruleset(str(rules)) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301  # just made
    assert hash(parse_ruleset(str(rules))) == hash(rules)


def test_text_names_only_what_differs() -> None:
    """The short text of a ruleset is its preset and what differs from it."""
    assert str(make_ruleset("three-handed-bonus")) == "three-handed-bonus"
    assert str(parse_ruleset("british,target=10,deck=33,end_hand_early=yes")) == (
        "british,deck=33,end_hand_early=true"
    )


def test_rulesets_of_different_presets_differ() -> None:
    """Equal rulesets have the same preset and the same options."""
    bonus = make_ruleset("three-handed", {"alone_march_points": 6})

    assert make_ruleset("three-handed-bonus") != bonus
    assert make_ruleset("three-handed") != bonus
    assert make_ruleset("three-handed") != "three-handed"


def test_rulesets_cannot_be_changed() -> None:
    """Neither an attribute nor the mapping of options can be written to."""
    rules = make_ruleset("two-handed")

    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.target = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        rules.options["target"] = 3  # type: ignore[index]


def test_players_from_outside() -> None:
    """The number of players comes from outside only where an option says it and the text not."""
    seats = [
        parse_ruleset(text, players=3).seat_count
        for text in ("napoleon", "napoleon,players=4", "pepper", "two-handed")
    ]

    assert seats == [3, 4, 4, 2]
    with pytest.raises(RulesetError, match="option players must be an integer from 2 to 7"):
        parse_ruleset("napoleon", players=8)
