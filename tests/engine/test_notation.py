"""The written forms of a hand (DESIGN.md section 8)."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruleset_strategies import states

from euchre_engine import EngineError, PositionError, RulesetError, Seat
from euchre_engine.notation import (
    HandRecord,
    PlayedBy,
    RefusedAction,
    WrittenAction,
    format_position,
    hand_from_json,
    hand_of,
    hand_to_json,
    parse_position,
    replay,
)
from euchre_engine.state import Phase, State
from euchre_engine.variants import make_ruleset

DECK = "TS KS JC TC 9H KD TD 9S AS KC JS 9D QH 9C JH QC JD AH AC QS AD QD TH KH"
G1: dict[str, Any] = {
    "rules": "two-handed",
    "dealer": 1,
    "deck": DECK.split(),
    "actions": ["order", "decline", "play JC"],
}
G1_LINE = f"two-handed; dealer 1; deck {DECK}; actions order, decline, play JC"


@given(states())
def test_positions_round_trip(state: State) -> None:
    """Any position comes back from its line of text, the same in every part."""
    line = format_position(state)

    assert "\n" not in line
    assert parse_position(line) == state


@given(states())
def test_hands_round_trip(state: State) -> None:
    """Any hand comes back from its JSON text, and playing it gives the state that it was."""
    hand = hand_of(state)
    read = hand_from_json(json.loads(json.dumps(hand_to_json(hand))))

    assert read == hand
    assert replay(read) == state


@given(
    st.builds(
        WrittenAction,
        st.text(),
        seat=st.none() | st.integers(0, 1).map(Seat),
        by=st.none() | st.sampled_from(PlayedBy),
        ms=st.none() | st.integers(0, 10**6),
    )
)
def test_written_actions_round_trip(action: WrittenAction) -> None:
    """An action keeps its text, whatever it is, and who played it and in what time."""
    hand = replace(hand_from_json(G1), actions=(action,))

    assert hand_from_json(json.loads(json.dumps(hand_to_json(hand)))) == hand


def test_position_is_written_for_people() -> None:
    """A position names its parts, those at their usual values left out."""
    assert format_position(replay(hand_from_json(G1))) == G1_LINE


def test_position_writes_what_is_unusual() -> None:
    """Changed options, scores, redeals and the number of the hand are written."""
    hand = hand_from_json(
        {
            **G1,
            "rules": {"preset": "two-handed", "target": 5},
            "scores": [3, 0],
            "redeals": 2,
            "hand": 4,
            "actions": [],
        }
    )

    line = format_position(replay(hand))

    assert line.startswith("two-handed,target=5; dealer 1; deck TS KS")
    assert line.endswith("TH KH; scores 3 0; redeals 2; hand 4")


def test_what_may_be_left_out() -> None:
    """Without scores, redeals and hand a hand is the first of its game."""
    hand = hand_from_json(G1)

    assert (hand.scores, hand.redeals, hand.hand_number) == ((0, 0), 0, 1)


def test_export_writes_every_option() -> None:
    """A written hand has all effective options, so that a changed default changes nothing."""
    assert hand_to_json(hand_from_json(G1))["rules"] == make_ruleset("two-handed").to_json()


def test_exported_lines_are_hands() -> None:
    """The keys that an export adds do not keep a line from being read."""
    names = (
        "match board seating table game relabel bots rated cause blame tricks points scores_after"
    )
    added: dict[str, Any] = dict.fromkeys(names.split())

    assert hand_from_json({**G1, **added, "hand": 1, "players": 2}) == hand_from_json(G1)


@pytest.mark.parametrize("key", ["rules", "dealer", "deck", "actions"])
def test_missing_keys_are_named(key: str) -> None:
    """A hand without one of its four parts is refused with the name of the part."""
    with pytest.raises(PositionError, match=f"{key} is missing") as caught:
        hand_from_json({name: value for name, value in G1.items() if name != key})

    assert caught.value.key == key


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("score", "scores"),
        ("redeal", "redeals"),
        ("action", "actions"),
        ("ruleset", "rules"),
        ("Dealer", "dealer"),
        ("player", "players"),
    ],
)
def test_slips_are_named(slip: str, meant: str) -> None:
    """A key that looks like a misspelt one is refused, not passed over."""
    with pytest.raises(PositionError, match=f"did you mean '{meant}'") as caught:
        hand_from_json({**G1, slip: 1})

    assert caught.value.key == slip


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("dealer", 2, "dealer"),
        ("dealer", -1, "dealer"),
        ("dealer", True, "dealer"),
        ("dealer", "1", "dealer"),
        ("dealer", 1.0, "dealer"),
        ("dealer", None, "dealer"),
        ("deck", "TS KS", "deck"),
        ("deck", [], "deck"),
        ("deck", ["XX"], "deck[0]"),
        ("deck", [*G1["deck"][:-1], 7], "deck[23]"),
        ("deck", [*G1["deck"][:-1], ["TS"]], "deck[23]"),
        ("deck", G1["deck"][:-1], "deck"),
        ("deck", [*G1["deck"][:-1], "TS"], "deck"),
        ("deck", [*G1["deck"][:-1], "JK"], "deck"),
        ("deck", G1["deck"] * 10_000, "deck"),
        ("actions", "order", "actions"),
        ("actions", None, "actions"),
        ("actions", ["order", 7], "actions[1]"),
        ("actions", ["order", None], "actions[1]"),
        ("actions", [{"seat": 0}], "actions[0]"),
        ("actions", [{"text": 3}], "actions[0]"),
        ("actions", [{"text": "order", "seat": 2}], "actions[0].seat"),
        ("actions", [{"text": "order", "seat": "0"}], "actions[0].seat"),
        ("actions", [{"text": "order", "by": "human"}], "actions[0].by"),
        ("actions", [{"text": "order", "by": []}], "actions[0].by"),
        ("actions", [{"text": "order", "ms": -1}], "actions[0].ms"),
        ("actions", [{"text": "order", "ms": 1.5}], "actions[0].ms"),
        ("scores", [1], "scores"),
        ("scores", [1, 2, 3], "scores"),
        ("scores", [1, -2], "scores[1]"),
        ("scores", [1, None], "scores[1]"),
        ("scores", 3, "scores"),
        ("scores", None, "scores"),
        ("redeals", -1, "redeals"),
        ("redeals", "0", "redeals"),
        ("redeals", 10**30, "redeals"),
        ("hand", 0, "hand"),
        ("players", 3, "players"),
    ],
)
def test_wrong_parts_are_named(key: str, value: object, named: str) -> None:
    """A part that cannot be is refused with its key, and the message says what would be right."""
    with pytest.raises(PositionError) as caught:
        replay(hand_from_json({**G1, key: value}))

    assert caught.value.key == named
    assert len(caught.value.message) < 400


@pytest.mark.parametrize("value", [None, 7, "x", [], [G1], True, float("nan")])
def test_what_is_no_object_is_refused(value: object) -> None:
    """A hand is an object."""
    with pytest.raises(PositionError, match="a hand is an object"):
        hand_from_json(value)


@pytest.mark.parametrize(
    ("rules", "key"),
    [
        (7, "rules"),
        ("no-handed", "preset"),
        ({"preset": "two-handed", "trget": 1}, "trget"),
        ({"preset": "two-handed", "maker_alone": True}, "maker_alone"),
    ],
)
def test_wrong_rules_are_named(rules: object, key: str) -> None:
    """Rules that cannot be are refused with the key of the option."""
    with pytest.raises(RulesetError) as caught:
        hand_from_json({**G1, "rules": rules})

    assert caught.value.key == key


def _refusal(actions: list[object]) -> RefusedAction:
    with pytest.raises(RefusedAction) as caught:
        replay(hand_from_json({**G1, "actions": actions}))
    return caught.value


@pytest.mark.parametrize(
    ("actions", "index", "seat", "reason", "legal"),
    [
        (["pas"], 0, 0, "unreadable", ["pass", "order"]),
        (["pass", "call H"], 1, 1, "wrong_phase", ["pass", "order"]),
        (["order", "decline", "play JC", "play TC"], 3, 1, "must_follow", ["play AS", "play 9S"]),
        ([{"text": "pass", "seat": 1}], 0, 0, "wrong_seat", ["pass", "order"]),
        (["pass"] * 5, 4, None, "hand_over", []),
        (["pass"] * 4 + [{"text": "pass", "seat": 0}], 4, None, "wrong_seat", []),
    ],
)
def test_refused_actions(
    actions: list[object], index: int, seat: int | None, reason: str, legal: list[str]
) -> None:
    """A refused action tells its place, the seat to act, the reason and what is legal."""
    error = _refusal(actions)

    assert (error.index, error.seat, error.reason) == (index, seat, reason)
    assert [str(action) for action in error.legal] == legal
    assert error.text == (actions[-1]["text"] if isinstance(actions[-1], dict) else actions[-1])


def test_seat_of_an_action_may_be_told() -> None:
    """An action that names the seat to act is played like one that names nobody."""
    told = [{"text": "order", "seat": 0, "by": "clock", "ms": 12}, {"text": "decline", "seat": 1}]

    assert replay(hand_from_json({**G1, "actions": told})).phase is Phase.PLAY


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("", "dealer"),
        ("two-handed; dealer 1", "deck"),
        (G1_LINE.replace("two-handed", "no-handed"), "preset"),
        (G1_LINE.replace("dealer 1", "dealer x"), "dealer"),
        (G1_LINE.replace("dealer 1", "dealer 2"), "dealer"),
        (G1_LINE.replace("dealer 1", "dealer ²"), "dealer"),
        (G1_LINE.replace("TS KS", "TS XX"), "deck[1]"),
        (G1_LINE + "; actions pass", "actions"),
        (G1_LINE + "; score 1 2", "score"),
        (G1_LINE + "; scores 1", "scores"),
        (G1_LINE + "; scores 1 -2", "scores"),
        (G1_LINE + ";", ""),
    ],
)
def test_wrong_positions_are_named(line: str, key: str) -> None:
    """A line of text that is no position is refused with the part that is wrong."""
    with pytest.raises(EngineError) as caught:
        parse_position(line)

    assert getattr(caught.value, "key", None) == key


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(st.sampled_from([*G1, "scores", "redeals", "hand", "players"]), _JSON)
def test_any_value_of_a_part_gives_a_state_or_an_error(key: str, value: object) -> None:
    """Whatever stands in a part of a hand, nothing but an error of the engine comes of it."""
    with suppress(EngineError):
        assert isinstance(replay(hand_from_json({**G1, key: value})), State)


@given(st.lists(st.text(alphabet="playdiscr 9TJQKACDHS", max_size=9) | _JSON, max_size=4))
def test_any_actions_give_a_state_or_an_error(actions: list[object]) -> None:
    """Whatever stands among the actions, nothing but an error of the engine comes of it."""
    with suppress(EngineError):
        assert isinstance(replay(hand_from_json({**G1, "actions": actions})), State)


def test_record_may_hold_what_is_not_allowed() -> None:
    """A written hand keeps the texts of refused actions as they were."""
    hand: HandRecord = hand_from_json({**G1, "actions": ["rubbish"]})

    assert hand_to_json(hand)["actions"] == ["rubbish"]
