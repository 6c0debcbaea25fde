"""Reading JSON strictly, and where a hand stands as JSON (DESIGN.md section 8)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruleset_strategies import states

from euchre_engine.hand import legal_actions
from euchre_engine.legal import legal_texts
from euchre_engine.notation import hand_from_json, replay
from euchre_engine.scoring import outcome
from euchre_engine.state import Phase, State
from euchre_engine.state_json import state_to_json
from euchre_engine.strict_json import read_json

DECK = "AC KC QH TH AD JH KS QC AS JS TD KH JC KD 9S 9H TC JD 9D QS 9C TS QD AH"
ACTIONS = (
    "order,take,discard 9D,with_dummy,together,together,keep AC KC QC TC KH,"
    "play AC,play JC,play 9C,play AD"
)
G2: dict[str, Any] = {
    "rules": "three-handed",
    "dealer": 2,
    "deck": DECK.split(),
    "actions": ACTIONS.split(","),
}
KEYS = (
    "phase to_act legal trump maker contract alone sitting_out tricks points scores game_over "
    "winners next_dealer views public"
)
VIEW_KEYS = "seat hand upcard upcard_status dummy discarded history trick trump maker alone scores"


def _stands(actions: int) -> dict[str, Any]:
    """Returns where G2 stands after so many actions."""
    return state_to_json(replay(hand_from_json({**G2, "actions": G2["actions"][:actions]})))


def test_keys_of_a_standing() -> None:
    """The object has exactly the keys of DESIGN.md, and a view for each seat."""
    stands = _stands(0)

    assert list(stands) == KEYS.split()
    assert [view["seat"] for view in stands["views"]] == [0, 1, 2]
    assert all(set(view) >= set(VIEW_KEYS.split()) for view in [*stands["views"], stands["public"]])


def test_trick_in_progress() -> None:
    """The trick in progress is listed last, and its winner is null."""
    stands = _stands(11)

    assert stands["tricks"] == [
        {"leader": 0, "cards": ["AC", "JC", "9C"], "winner": 1},
        {"leader": 1, "cards": ["AD"], "winner": None},
    ]
    assert stands["public"]["trick"] == {"leader": 1, "cards": ["AD"], "winner": None}
    assert stands["points"] is None


def test_exchange_is_one_text() -> None:
    """The choice of five cards is one text, with the ten in canonical order."""
    assert _stands(6)["legal"] == ["keep 5 of AC KC QC TC TD KH QH JH 9H KS"]


def test_bidding_facts() -> None:
    """Trump, maker and seats are written as in DESIGN.md."""
    stands = _stands(7)

    facts = {key: stands[key] for key in ("phase", "to_act", "trump", "maker", "alone", "winners")}
    assert facts == {
        "phase": "PLAY",
        "to_act": 0,
        "trump": "C",
        "maker": 0,
        "alone": [],
        "winners": [],
    }


def test_views_tell_own_secrets_only() -> None:
    """The dealer's discard and the maker's exchange are known to them, to others as acts only."""
    stands = _stands(7)
    maker, other, dealer = stands["views"]

    assert (maker["dummy"], other["dummy"], dealer["dummy"]) == (
        ["QC", "TC", "JH", "9H", "KS"],
        [],
        [],
    )
    assert (dealer["discarded"], maker["discarded"]) == (["9D"], ["TD", "QH", "JH", "9H", "KS"])
    assert [item["text"] for item in dealer["history"]][2:] == [
        "discard 9D",
        "with_dummy",
        "together",
        "together",
        "keep",
    ]
    assert {item["text"] for item in other["history"]} == {
        "order",
        "take",
        "discard",
        "with_dummy",
        "together",
        "keep",
    }
    assert (other["upcard"], other["upcard_status"]) == ("9C", "taken")
    assert stands["public"]["seat"] is None
    assert stands["public"]["hand"] == []


@given(states())
def test_standing_agrees_with_the_state(state: State) -> None:
    """The object says what the state says, and is plain JSON."""
    stands = state_to_json(state)
    result = outcome(state)

    assert json.loads(json.dumps(stands)) == stands
    assert stands["legal"] == legal_texts(legal_actions(state))
    assert (stands["points"] is None) is (state.phase is not Phase.DONE)
    assert [trick["winner"] for trick in stands["tricks"]] == [t.winner for t in state.tricks]
    if result is not None:
        assert stands["points"] == list(result.points)
        assert stands["scores"] == list(result.scores)
        assert (stands["next_dealer"] is None) is stands["game_over"] is bool(stands["winners"])


def test_passed_out_hand_has_zeros() -> None:
    """A hand that everybody passed has zero points for all, and the next seat deals."""
    passed = {**G2, "actions": ["pass"] * 6}
    stands = state_to_json(replay(hand_from_json(passed)))

    assert (stands["points"], stands["next_dealer"], stands["trump"]) == ([0, 0, 0], 0, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not readable as JSON"),
        ("{", "not readable as JSON"),
        ("nul", "not readable as JSON"),
        ("{} {}", "Extra data at line 1, column 4"),
        ("NaN", "NaN is no number of JSON"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ('{"a": 1, "b": 2, "a": 3}', "the key 'a' stands twice"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("1" * 5_000, "a number of 5000 digits is too long"),
        ("\x00", "not readable as JSON"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_is_not_plain_json_is_refused(text: str, message: str) -> None:
    """Each way of not being JSON is one clear error."""
    with pytest.raises(ValueError, match=message):
        read_json(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_plain_json_is_read(value: object) -> None:
    """Whatever can be written as JSON is read as it was."""
    assert read_json(json.dumps(value)) == value
