"""The faults of CASES.md that concern rules, turn order and views, by their ids."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise

import pytest
from written_hands import cards, dealt, in_hand, legal, play, play_anything

from euchre_engine import (
    PUBLIC,
    Card,
    NotAllowed,
    Phase,
    Reason,
    Seat,
    State,
    Suit,
    outcome,
    start_hand,
    state_to_json,
    trick_winner,
    unflatten,
    view_for,
    view_to_json,
)
from euchre_engine.hand import apply


def follower(trump: str, led: str, hand: str) -> list[str]:
    """Returns what a two-handed dealer with this hand may play to a led card; joker in the deck."""
    up = next(f"{rank}{trump}" for rank in "TQ9" if f"{rank}{trump}" not in f"{led} {hand}")
    hands = {0: led, 1: hand}
    state = dealt("two-handed", hands, up=up, dealer=1, deck="25", joker_upcard="hearts")
    return legal(play(state, "order, decline", f"play {led}"))


def test_left_bower_beats_the_ace() -> None:
    """B01: with hearts trump the left bower takes AH, and the right bower takes both."""
    assert 2 == trick_winner(cards("AH JD JH"), Suit.H)
    assert 1 == trick_winner(cards("AH JD KH"), Suit.H)


@pytest.mark.parametrize(
    ("trump", "led", "hand", "expected"),
    [
        ("H", "9H", "JD AC KC QC TC", ["JD"]),  # B03
        ("S", "TD", "AD AS KS QS 9S", ["AD"]),  # B04
        ("S", "TD", "JK AD AC KC QC", ["AD"]),  # B06
        ("S", "9S", "JK AD AC KC QC", ["JK"]),  # B06
        ("S", "JK", "9S AD AC KC QC", ["9S"]),  # B06
        ("S", "9C", "JC TC AD KD QD", ["TC"]),  # B10
        ("S", "9C", "JC AD KD QD TD", ["AD", "JC", "KD", "QD", "TD"]),  # B10: void in clubs
    ],
)
def test_bound_to_follow(trump: str, led: str, hand: str, expected: list[str]) -> None:
    """B03, B04, B06, B10: the effective suit is followed, bowers and joker included."""
    assert sorted(f"play {card}" for card in expected) == sorted(follower(trump, led, hand))


def test_refusal_changes_nothing() -> None:
    """B04: a trump instead of the led suit is refused; state and turn stay as they were."""
    state = dealt("two-handed", {0: "TD", 1: "AD AS KS QS 9S"}, up="TS", dealer=1)
    state = play(state, "order, decline, play TD")
    before = pickle.dumps(state)
    with pytest.raises(NotAllowed) as caught:
        play(state, "play AS")

    assert Reason.MUST_FOLLOW is caught.value.reason
    assert ["play AD"] == [str(action) for action in caught.value.legal]
    assert before == pickle.dumps(state)


def test_winner_of_the_only_trick_leads() -> None:
    """B13: after one trick won by the dealer the dealer is to act, also after a snapshot."""
    state = dealt("two-handed", {0: "9S AC", 1: "KS 9C"}, up="TS", dealer=1)
    state = play(state, "order, decline, play 9S, play KS")
    restored: State = pickle.loads(pickle.dumps(state))  # noqa: S301  # our own bytes

    assert (1, 1) == (state.to_act, restored.to_act)
    assert state == restored
    assert legal(state) == legal(restored)


@pytest.mark.parametrize("maker", [0, 1, 2])
def test_leader_without_the_optional_phases(maker: int) -> None:
    """B14: with no alone phases at all L leads, whoever is maker."""
    hands = {maker: "9C 9D 9S TC TD"}
    options = {"maker_alone": False, "defend_alone": "never"}
    state = dealt("three-handed", hands, up="9H", dealer=2, **options)  # type: ignore[arg-type]
    state = play(state, *["pass"] * (3 + maker), "call S", "keep 9C 9D 9S TC TD")

    assert (Phase.PLAY, 0, 0) == (state.phase, state.to_act, state.leader)


def test_sizes_of_the_dealers_hand() -> None:
    """B15: a dealer-maker goes 5, 6, 5, 10 and 5 cards; a wrong `keep` leaves the ten there."""
    state = dealt("three-handed", {2: "AS KS QS JS TS"}, up="9S", dummy="9C TC JC QC KC", dealer=2)
    assert 5 == len(state.hand(Seat(2)))
    state = play(state, "pass, pass, order")
    assert 6 == len(state.hand(Seat(2)))
    state = play(state, "discard TS")
    assert 5 == len(state.hand(Seat(2)))
    state = play(state, "with_dummy, together, together")
    ten = ["keep 5 of KC QC JC TC 9C AS KS QS JS 9S"]
    assert ten == legal(state)

    for wrong in ("KC QC JC TC", "KC QC JC TC 9C AS", "KC KC QC JC TC", "KC QC JC TC TS"):
        with pytest.raises(NotAllowed):
            play(state, f"keep {wrong}")
        assert ten == legal(state)
    assert 5 == len(play(state, "keep AS KS QS JS 9S").hand(Seat(2)))


def test_cards_are_the_servers_own() -> None:
    """B18: who plays a card that he lacks is told so; extra fields of a message change nothing."""
    state = dealt("two-handed", {0: "9C 9D 9S TC TD", 1: "JH"}, up="TS", dealer=1)
    state = play(state, "order, decline")
    with pytest.raises(NotAllowed) as caught:
        apply(state, unflatten(11, suit=Suit.H, bid=99, cards=(Card["JH"],)))

    assert "not_in_hand" == caught.value.reason
    assert apply(state, unflatten(11, cards=(Card["9C"],))) == apply(
        state, unflatten(11, suit=Suit.S, bid=7, cards=(Card["9C"],))
    )


EUCHRE = {0: "9C 9D 9S TC TD", 1: "JH JD AH KH QH", 2: "AS KS QS AC KC"}
"""Seat 0 makes hearts and seat 1 takes every trick."""


def euchred(*said: str, scores: tuple[int, int, int] = (0, 0, 0)) -> State:
    """Returns a hand, dealer 2, in which maker 0 takes no trick."""
    state = dealt("three-handed", EUCHRE, up="9H", dummy="TH TS JS JC QC", dealer=2, scores=scores)
    return play_anything(play(state, "order, decline", *said))


def test_one_against_two_adds_up() -> None:
    """B22: a maker who fails gives two to each of the others and loses nothing."""
    result = outcome(euchred("with_dummy, together, together, keep 9C 9D 9S TC TD"))
    assert result is not None

    assert (0, 2, 2) == result.points


def test_lone_defender_pays_each() -> None:
    """B23: a lone defender's five tricks are worth four to each defender, undivided."""
    result = outcome(euchred("with_dummy, alone, keep 9C 9D 9S TC TD"))
    assert result is not None

    assert (0, 4, 4) == result.points


def test_tie_is_played_on() -> None:
    """B28: at 3/10/10 the game goes on with all three; one more point then wins with 11."""
    result = outcome(euchred("alone, together, together", scores=(3, 8, 8)))
    assert result is not None
    assert ((3, 10, 10), False, (), 0) == (
        result.scores,
        result.game_over,
        result.winners,
        result.next_dealer,
    )

    state = dealt(
        "three-handed",
        {1: "JS JC AS 9C 9D", 2: "AC KC AD KD TH", 0: "9S TS AH KH QH"},
        up="KS",
        dealer=0,
        scores=result.scores,
    )
    state = play(state, "order, decline, alone, together, together")
    state = play_anything(state)
    won = outcome(state)
    assert won is not None
    assert (3, (1,), (3, 11, 10)) == (state.tricks_won[1], won.winners, won.scores)


def test_the_deal_moves_left() -> None:
    """B36: four played hands from dealer 2 are dealt by 2, 0, 1 and 2."""
    dealers = [2]
    for _ in range(3):
        state = dealt("three-handed", {}, up="9H", dealer=dealers[-1], stick_the_dealer=True)
        result = outcome(play_anything(play(state, "order")))
        assert result is not None
        assert result.next_dealer is not None
        dealers.append(result.next_dealer)

    assert [2, 0, 1, 2] == dealers


def hidden_from(state: State, seat: Seat) -> set[str]:
    """Returns the texts of all cards that are neither the seat's own nor the up-card."""
    return {
        card.text
        for card in state.rules.deck_cards
        if card not in state.hand(seat) and card is not state.upcard
    }


def test_second_deal_is_closed() -> None:
    """B38: in the second hand of a game a view still holds no card of anybody else."""
    first = play_anything(dealt("three-handed", {}, up="9H", dealer=2, stick_the_dealer=True))
    result = outcome(first)
    assert result is not None
    assert result.next_dealer is not None
    second = start_hand(
        first.rules,
        dealer=result.next_dealer,
        deck=tuple(reversed(first.deal.deck)),
        scores=result.scores,
        hand_number=2,
    )

    for seat in second.rules.seats:
        view = json.dumps(view_to_json(view_for(second, seat)))
        assert [] == [card for card in hidden_from(second, seat) if f'"{card}"' in view]
    public = json.dumps(view_to_json(view_for(second, PUBLIC)))
    assert [str(second.upcard)] == [c.text for c in second.rules.deck_cards if c.text in public]


def test_skipped_seats() -> None:
    """B40: with both alone ten cards are played, two a trick, never the sitter, never one twice."""
    state = dealt("three-handed", EUCHRE, up="9H", dealer=2)
    state = play(state, "order, decline, alone, together, alone")
    assert (1,) == state.sitting_out
    actors: list[int | None] = []
    while state.to_act is not None:
        actors.append(state.to_act)
        state = play(state, legal(state)[0])

    assert {0, 2} == set(actors)
    assert [2] * 5 == [len(trick.cards) for trick in state.tricks]
    assert all(first != second for first, second in zip(actors[::2], actors[1::2], strict=True))


def test_buried_card_is_nowhere() -> None:
    """B50: the dealer's discard is in no other view, in no field, for the rest of the hand."""
    state = dealt("three-handed", {2: "AS JS JD 9D QS"}, up="9C", dealer=2)
    state = play(state, "order, take, discard 9D, alone, together, together")

    while True:
        others = [view_for(state, seat) for seat in (Seat(0), Seat(1), PUBLIC)]
        assert not any("9D" in json.dumps(view_to_json(view)) for view in others)
        assert "discard 9D" in json.dumps(view_to_json(view_for(state, Seat(2))))
        if state.to_act is None:
            break
        state = play(state, legal(state)[0])


def test_secret_arguments_of_actions() -> None:
    """B53: others read that somebody discarded or kept, the seat itself what."""
    state = dealt("three-handed", EUCHRE, up="9H", dummy="TH TS JS JC QC", dealer=2)
    state = play(state, "order, take, discard AC, with_dummy, together, together")
    state = play(state, "keep 9C 9D 9S TC TD")

    def log(seat: int) -> list[str]:
        return [str(item) for item in view_for(state, Seat(seat)).history]

    assert ("discard", "keep TC 9C TD 9D 9S") == (log(0)[2], log(0)[6])
    assert ("discard", "keep") == (log(1)[2], log(1)[6])
    assert ("discard AC", "keep") == (log(2)[2], log(2)[6])


def test_with_dummy_carries_no_cards_but_take_is_known() -> None:
    """B56: `with_dummy` names no card; after `take` every view says who has the up-card."""
    state = dealt("three-handed", EUCHRE, up="9H", dummy="TH TS JS JC QC", dealer=2)
    state = play(state, "order, take, discard AC, with_dummy")

    for audience in (Seat(0), Seat(1), Seat(2), PUBLIC):
        view = view_for(state, audience)
        assert ("with_dummy", ()) == (str(view.history[-1]), view.history[-1].cards)
        assert ("9H", "TAKEN", 2) == (str(view.upcard), view.upcard_status.name, view.dealer)
    assert in_hand("AS KS QS KC 9H") == view_for(state, Seat(2)).hand


def test_void_is_read_by_effective_suit() -> None:
    """B59: who does not follow a led JD under hearts is void in hearts and bowers, not diamonds."""
    assert 5 == len(follower("H", "JD", "9C 9D AC KC QC"))
    assert ["play 9H"] == follower("H", "JD", "9C 9D AC KC 9H")
    assert ["play JH"] == follower("H", "JD", "9C 9D AC KC JH")


def test_views_tell_positions_apart() -> None:
    """B64: views differ whenever alone, maker, up-card status or lone defender do."""
    deal = dealt("three-handed", EUCHRE, up="9H", dealer=2)
    lines = [
        "order, decline, alone, together, together",
        "order, decline, with_dummy, together, together",
        "order, decline, with_dummy, alone",
        "order, decline, with_dummy, together, alone",
        "order, take, discard AC, alone, together, together",
        "pass, order, decline, alone, together, together",
        "pass, pass, pass, call S, alone, together, together",
    ]
    rows = [json.dumps(view_to_json(view_for(play(deal, line), PUBLIC))) for line in lines]
    facts = [
        {k: v for k, v in json.loads(row).items() if k not in {"history", "phase", "to_act"}}
        for row in rows
    ]

    assert all(one != other for one, other in pairwise(facts))
    assert rows == [json.dumps(view_to_json(view_for(play(deal, line), PUBLIC))) for line in lines]
    assert json.loads(rows[0]) == state_to_json(play(deal, lines[0]))["public"]


def test_views_are_equal_where_knowledge_is() -> None:
    """B64: two deals alike in what a seat knows give it equal views."""
    one = dealt("three-handed", EUCHRE, up="9H", dummy="TH TS JS JC QC", dealer=2)
    swapped = {**EUCHRE, 1: EUCHRE[2], 2: EUCHRE[1]}
    other = dealt("three-handed", swapped, up="9H", dummy="TS TH JC JS QC", dealer=2)

    for line in ("order", "order, decline", "order, decline, alone, together, together"):
        assert view_for(play(one, line), Seat(0)) == view_for(play(other, line), Seat(0))
        assert view_for(play(one, line), PUBLIC) == view_for(play(other, line), PUBLIC)
