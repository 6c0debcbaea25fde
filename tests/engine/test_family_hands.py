"""Hands of Railroad, Hasenpfeffer, Pepper and Napoleon, worked out from docs/family.md.

Owns the vectors of tests/golden/family_hands.jsonl and the short cases of docs/family.md section 7
on the engine. The comparison with the naive second engine is in test_second_family.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from euchre_engine import PUBLIC, Phase, legal_texts, make_ruleset, parse_ruleset, view_for
from euchre_engine.actions import parse_action
from euchre_engine.errors import EngineError, NotAllowed, PositionError, RulesetError, WrongPhase
from euchre_engine.hand import apply, legal_actions
from euchre_engine.notation import (
    format_position,
    hand_from_json,
    hand_of,
    hand_to_json,
    parse_position,
    replay,
)
from euchre_engine.opening import start_hand
from euchre_engine.scoring import outcome
from euchre_engine.state_json import state_to_json

if TYPE_CHECKING:
    from euchre_engine.state import State

GOLDEN = Path(__file__).parents[1] / "golden" / "family_hands.jsonl"
HANDS = {
    hand["name"]: hand for hand in map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines())
}


def _dealt(text: str, *actions: str) -> State:
    """Returns a hand of an unshuffled deck after some actions; the last seat deals."""
    rules = parse_ruleset(text)
    state = start_hand(rules, dealer=rules.seats[-1], deck=rules.deck_cards)
    for action in actions:
        state = apply(state, parse_action(action))
    return state


def _record(name: str) -> dict[str, Any]:
    """Returns a worked hand as a hand object."""
    return {key: value for key, value in HANDS[name].items() if key not in {"name", "expect"}}


def _legal(state: State) -> list[str]:
    return legal_texts(legal_actions(state))


@pytest.mark.parametrize("name", HANDS)
def test_worked_hand(name: str) -> None:
    """A worked hand of docs/family.md section 7 ends as written there."""
    state = replay(hand_from_json(_record(name)))
    expect = dict(HANDS[name]["expect"])
    expect["alone"], expect["sitting_out"] = sorted(expect["alone"]), sorted(expect["sitting_out"])
    stands: dict[str, Any] = state_to_json(state)
    result = outcome(state)
    assert result is not None
    known = {
        **stands["public"],
        **stands,
        "tricks_won": list(state.tricks_won),
        "winners_of_tricks": [trick.winner for trick in state.tricks],
        "passed_out": result.passed_out,
    }

    assert expect == {key: known[key] for key in expect}


@pytest.mark.parametrize("name", HANDS)
def test_round_trips(name: str) -> None:
    """A hand comes back from its object and its line of text as it was."""
    state = replay(hand_from_json(_record(name)))

    assert state == parse_position(format_position(state))
    assert state == replay(hand_from_json(hand_to_json(hand_of(state))))


def test_joker_holder_must_bid_three() -> None:
    """After four passes the joker's holder is asked for `bid 3`, whatever the lowest bid is."""
    state = _dealt("hasenpfeffer,minimum_bid=5", *["pass"] * 4)

    assert (state.phase, _legal(state)) == (Phase.DONE, [])  # the joker, last card, is the widow
    deck = list(state.deal.deck)
    deck[0], deck[24] = deck[24], deck[0]
    state = start_hand(state.rules, dealer=state.dealer, deck=deck)
    for _ in range(4):
        state = apply(state, parse_action("pass"))
    assert (state.phase, state.to_act, _legal(state)) == (Phase.BID, 0, ["bid 3"])
    assert (state.bid, state.maker) == (None, None)
    state = apply(state, parse_action("bid 3"))
    assert (state.phase, state.bid, state.maker) == (Phase.NAME, 3, 0)


def test_joker_in_the_widow_is_a_redeal() -> None:
    """Four passes with the joker as the widow are a passed-out hand."""
    result = outcome(_dealt("hasenpfeffer", *["pass"] * 4))

    assert result is not None
    assert (result.passed_out, result.points, result.next_redeals) == (True, (0, 0, 0, 0), 1)


@pytest.mark.parametrize(
    ("text", "said", "legal"),
    [
        ("hasenpfeffer", "bid 6", "pass"),
        (
            "hasenpfeffer,stick_the_dealer=true",
            "pass,pass,pass",
            "bid 1,bid 2,bid 3,bid 4,bid 5,bid 6",
        ),
        ("hasenpfeffer,minimum_bid=3", "bid 4", "pass,bid 5,bid 6"),
        ("pepper", "bid 6", "pass,bid 7"),
        ("pepper", "bid 7", "pass"),
        ("pepper,big_pepper=false", "bid 6", "pass"),
        ("napoleon", "bid 3", "pass,bid 8,bid 4,bid 5"),
        ("napoleon", "bid 8", "pass,bid 4,bid 5"),
        ("napoleon", "bid 5", "pass"),
        ("napoleon,wellington=true", "bid 4", "pass,bid 5"),
        ("napoleon,wellington=true", "bid 5", "pass,bid 6"),
        ("napoleon,wellington=true,blucher=true", "bid 5,bid 6", "pass,bid 7"),
        ("napoleon,players=2,stick_the_dealer=true", "pass", "bid 1,bid 2,bid 3,bid 8,bid 4,bid 5"),
        (
            "napoleon,players=2,stick_the_dealer=true,minimum_bid=3",
            "pass",
            "bid 1,bid 3,bid 8,bid 4,bid 5",
        ),
    ],
)
def test_bids_that_are_open(text: str, said: str, legal: str) -> None:
    """What may be bid follows from rank, the lowest bid, and the two overcalls of Napoleon."""
    assert legal.split(",") == _legal(_dealt(text, *said.split(",")))


def test_bidding_in_rounds() -> None:
    """Who passed may bid again; three passes in a row after a bid end the bidding."""
    back = _dealt("hasenpfeffer", "pass", "pass", "bid 2", "pass", "pass", "bid 3")
    done = _dealt("hasenpfeffer", "pass", "pass", "pass", "bid 1", "pass", "pass", "pass")

    assert (back.phase, back.to_act) == (Phase.BID, 2)
    assert (done.phase, done.maker, done.bid) == (Phase.NAME, 3, 1)


def test_bidding_once() -> None:
    """With one turn each the dealer's turn ends the bidding."""
    state = _dealt("hasenpfeffer,bidding=once", "pass", "bid 2", "pass", "bid 4")

    assert (state.phase, state.maker, state.bid) == (Phase.NAME, 3, 4)


@pytest.mark.parametrize(
    ("text", "said", "tried", "reason"),
    [
        ("pepper", "bid 3", "bid 2", "bid_not_allowed"),
        ("pepper", "bid 3", "order", "wrong_phase"),
        ("hasenpfeffer,stick_the_dealer=true", "pass,pass,pass", "pass", "bid_not_allowed"),
        ("napoleon,wellington=true", "bid 4", "bid 6", "bid_not_allowed"),
        ("hasenpfeffer,bidding=once", "bid 3,pass,pass,pass", "name NT", "suit_not_allowed"),
        (
            "pepper,no_trump=false,bidding=once",
            "bid 3,pass,pass,pass",
            "name NT",
            "suit_not_allowed",
        ),
        ("hasenpfeffer,bidding=once", "bid 3,pass,pass,pass,name C", "pass", "wrong_phase"),
        ("hasenpfeffer,bidding=once", "bid 3,pass,pass,pass,name C", "bury AS", "not_in_hand"),
    ],
)
def test_refusals(text: str, said: str, tried: str, reason: str) -> None:
    """What is not open is refused with its reason, and the state stays as it was."""
    state = _dealt(text, *said.split(","))

    with pytest.raises((NotAllowed, WrongPhase)) as refused:
        apply(state, parse_action(tried))
    assert reason == refused.value.reason.value


def test_no_trump_has_no_bowers() -> None:
    """Without trump a jack follows its printed suit; with trump spades JC follows JS."""
    record = _record("P1")
    deck = list(record["deck"])
    said = ["bid 3", "pass", "pass", "pass"]  # seat 1 leads, seat 2 follows
    for card, place in (("JS", 0), ("JC", 1), ("AS", 5)):
        other = deck.index(card)
        deck[other], deck[place] = deck[place], deck[other]
    record["deck"] = deck

    def may(trump: str) -> list[str]:
        actions = [*said, f"name {trump}", "play JS"]
        legal = _legal(replay(hand_from_json({**record, "actions": actions})))
        return [text for text in legal if text in {"play JC", "play AS"}]

    assert may("NT") == ["play AS"]
    assert may("S") == ["play JC", "play AS"]


def test_widow_is_seen_by_the_maker_alone() -> None:
    """From `name` on, or before it with see_widow_first, the maker sees the widow; nobody else."""
    said = ("bid 1", "pass", "pass", "pass")
    unseen = _dealt("hasenpfeffer", *said)
    first = _dealt("hasenpfeffer,see_widow_first=true", *said)
    named = _dealt("hasenpfeffer", *said, "name C")

    assert [len(view_for(s, s.rules.seats[0]).widow) for s in (unseen, first, named)] == [0, 1, 1]
    assert [view_for(s, s.rules.seats[0]).card_counts[0] for s in (unseen, first, named)] == [
        6,
        7,
        7,
    ]
    assert {view_for(named, seat).widow for seat in named.rules.seats[1:]} == {()}
    assert view_for(named, PUBLIC).widow == ()


def test_partner_gives_one_of_five() -> None:
    """After a lone player has buried, his partner gives any of five cards and keeps four."""
    record = _record("R2")
    before = replay(hand_from_json({**record, "actions": record["actions"][:4]}))
    after = replay(hand_from_json({**record, "actions": record["actions"][:5]}))

    assert (before.phase, before.to_act, len(_legal(before))) == (Phase.BEST, 3, 5)
    assert view_for(after, PUBLIC).card_counts == (5, 5, 5, 4)
    best = [view_for(after, seat).best_card for seat in after.rules.seats]
    assert [str(card) if card else None for card in best] == [None, "JH", None, "JH"]
    assert view_for(after, PUBLIC).best_card is None


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
def test_largest_and_smallest_of_napoleon(players: int) -> None:
    """A Nap won brings ten from each opponent, a Nap lost costs five to each."""
    rules = make_ruleset("napoleon", {"players": players})

    largest, smallest = 10 * (players - 1), -max(5 * (players - 1), 10)
    assert (largest, smallest) == (rules.largest_hand_result, rules.smallest_hand_result)


def test_players_beside_the_rules() -> None:
    """The key `players` of a hand sets the option; a different one in the rules is an error."""
    deck = [card.text for card in make_ruleset("napoleon").deck_cards]
    hand = {"rules": "napoleon", "dealer": 0, "deck": deck, "actions": []}

    assert hand_from_json({**hand, "players": 3}).rules.seat_count == 3
    assert hand_to_json(hand_from_json({**hand, "players": 3}))["players"] == 3
    with pytest.raises(PositionError) as refused:
        hand_from_json({**hand, "rules": {"preset": "napoleon", "players": 4}, "players": 3})
    assert refused.value.key == "players"
    with pytest.raises(RulesetError) as unknown:
        hand_from_json({**hand, "players": 9})
    assert unknown.value.key == "players"
    with pytest.raises(PositionError):
        hand_from_json({**hand, "rules": "pepper", "players": 3})


def test_scores_may_be_negative_where_hands_can_cost() -> None:
    """Hasenpfeffer, Pepper and Napoleon take scores below zero, Railroad does not."""
    for preset in ("railroad", "hasenpfeffer", "pepper", "napoleon"):
        rules = make_ruleset(preset)
        scores = [-3] * rules.seat_count
        try:
            start_hand(rules, dealer=rules.seats[0], deck=rules.deck_cards, scores=scores)
            taken = True
        except EngineError:
            taken = False
        assert taken == (preset != "railroad")


def test_makers_first() -> None:
    """When both teams have reached the target after a hand, its makers win with makers_first."""
    record = _record("H1")
    usual = outcome(replay(hand_from_json({**record, "scores": [11, 7, 11, 7]})))
    rules = {"preset": "hasenpfeffer", "tie_rule": "makers_first"}
    first = outcome(replay(hand_from_json({**record, "rules": rules, "scores": [11, 7, 11, 7]})))
    assert usual is not None
    assert first is not None

    assert usual.scores == first.scores == (12, 12, 12, 12)
    assert (usual.winners, first.winners) == ((), (1, 3))
