"""The deck-to-hand maps and the checks on a deal (RULES.md sections 4, 5 and 8)."""

from __future__ import annotations

import pytest
from written_hands import dealt, deck_for, play

from euchre_engine import (
    Card,
    Phase,
    PositionError,
    Seat,
    UpcardStatus,
    cards_in,
    make_ruleset,
    outcome,
    start_hand,
)
from euchre_engine.opening import deal_map

# Dealing orders and packets as RULES.md writes them: L A D clockwise from the dealer's left, X the
# dummy, N the non-dealer; four-handed P is the dealer's partner.
MAPS = [
    ("two-handed", {}, 1, "N3 D2 N2 D3"),
    ("two-handed", {"deal_pattern": "2-3"}, 1, "N2 D3 N3 D2"),
    ("two-handed", {"deal_pattern": "ones"}, 1, "N1 D1 " * 5),
    ("three-handed", {}, 2, "L3 A2 X3 D2 L2 A3 X2 D3"),
    ("three-handed", {"deal_pattern": "2-3"}, 2, "L2 A3 X2 D3 L3 A2 X3 D2"),
    ("three-handed", {"deal_pattern": "ones"}, 2, "L1 A1 X1 D1 " * 5),
    ("three-handed", {"dummy_seat": "across"}, 2, "L3 X2 A3 D2 L2 X3 A2 D3"),
    ("three-handed", {"dummy_seat": "across", "deal_pattern": "2-3"}, 0, "L2 X3 A2 D3 L3 X2 A3 D2"),
    ("three-handed", {"dummy_seat": "fixed_chair"}, 2, "X3 L2 A3 D2 X2 L3 A2 D3"),
    ("three-handed", {"dummy_seat": "fixed_chair"}, 0, "L3 A2 X3 D2 L2 A3 X2 D3"),
    ("three-handed", {"dummy_seat": "fixed_chair"}, 1, "L3 X2 A3 D2 L2 X3 A2 D3"),
    ("four-handed", {}, 3, "L3 A2 P3 D2 L2 A3 P2 D3"),
    ("four-handed", {"deal_pattern": "2-3"}, 0, "L2 A3 P2 D3 L3 A2 P3 D2"),
]
SEATING = {2: "ND", 3: "LAD", 4: "LAPD"}


@pytest.mark.parametrize(("preset", "options", "dealer", "written"), MAPS)
def test_deal_map(preset: str, options: dict[str, object], dealer: int, written: str) -> None:
    """Every card goes where the packets say, and the next one is turned up."""
    rules = make_ruleset(preset, options)
    chairs = {
        letter: (dealer + 1 + place) % rules.seat_count
        for place, letter in enumerate(SEATING[rules.seat_count])
    }
    expected: dict[str, list[int]] = {letter: [] for letter in (*chairs, "X")}
    top = 0
    for packet in written.split():
        expected[packet[0]] += range(top, top + int(packet[1]))
        top += int(packet[1])
    where = deal_map(rules, Seat(dealer))

    assert {letter: tuple(expected[letter]) for letter in chairs} == {
        letter: where.hands[seat] for letter, seat in chairs.items()
    }
    assert tuple(expected["X"]) == where.dummy
    state = start_hand(rules, dealer=Seat(dealer), deck=rules.deck_cards)
    assert rules.deck_cards[top] is state.upcard
    assert rules.deck_cards[top + 1 :] == state.deal.buried
    assert dealer == where.order[-1]


@pytest.mark.parametrize("preset", ["two-handed", "three-handed", "four-handed"])
@pytest.mark.parametrize("deck", ["24", "25", "32", "33"])
def test_whole_deck_is_dealt(preset: str, deck: str) -> None:
    """Hands, dummy, up-card and buried cards are the deck, each card once."""
    rules = make_ruleset(preset, {"deck": deck, "joker_upcard": "hearts"})
    state = start_hand(rules, dealer=Seat(0), deck=tuple(reversed(rules.deck_cards)))
    seen = [card for seat in rules.seats for card in state.hand(seat)]
    seen += [*state.dummy, *state.deal.buried]
    assert state.upcard is not None

    assert sorted(rules.deck_cards) == sorted([*seen, state.upcard])
    assert {5} == {len(state.hand(seat)) for seat in rules.seats}
    assert (5 if rules.has_dummy else 0) == len(state.dummy)
    assert (Phase.BID1, 1, UpcardStatus.FACE_UP) == (
        state.phase,
        state.to_act,
        state.upcard_status,
    )


def test_dummy_seat_changes_only_the_map() -> None:
    """The same hands dealt by another map are the same position otherwise."""
    hands = {0: "9C 9D 9S TC TD", 1: "JH JD AH KH QH", 2: "AS KS QS AC KC"}
    states = [
        dealt("three-handed", hands, up="9H", dummy="TH TS JS JC QC", dealer=2, dummy_seat=where)
        for where in ("right_of_dealer", "across", "fixed_chair")
    ]
    texts = "order, decline, with_dummy, together, together"

    assert 3 == len({state.deal.deck for state in states})
    played = [play(state, texts) for state in states]
    assert 1 == len({(state.held, state.to_act, cards_in(state.deal.dummy)) for state in played})


RULES = make_ruleset("three-handed")
DECK = RULES.deck_cards


@pytest.mark.parametrize(
    ("change", "key", "message"),
    [
        ({"dealer": 3}, "dealer", "a seat from 0 to 2, not 3"),
        ({"dealer": -1}, "dealer", "not -1"),
        ({"deck": DECK[:-1]}, "deck", "AS missing"),
        ({"deck": (*DECK[:-1], DECK[0])}, "deck", "AS missing; 9C more than once"),
        ({"deck": (*DECK[:-1], Card.JK)}, "deck", "JK not in it; AS missing"),
        ({"deck": ()}, "deck", "the 24 cards of the 24 deck"),
        ({"scores": (0, 0)}, "scores", "3 numbers, one a seat, not 2"),
        ({"scores": (0, -1, 0)}, "scores", "must not be negative"),
        ({"redeals": -1}, "redeals", "must not be negative, not -1"),
        ({"hand_number": 0}, "hand_number", "at least 1, not 0"),
    ],
)
def test_impossible_deals(change: dict[str, object], key: str, message: str) -> None:
    """A deal that does not fit the rules is refused, and the error names the part."""
    given: dict[str, object] = {"dealer": 0, "deck": DECK, **change}
    with pytest.raises(PositionError, match=message) as caught:
        start_hand(RULES, **given)  # type: ignore[arg-type]  # wrong on purpose

    assert key == caught.value.key


def test_partners_have_one_score() -> None:
    """Four-handed scores must be alike for partners."""
    rules = make_ruleset("four-handed")
    with pytest.raises(PositionError, match="partners have the same score") as caught:
        start_hand(rules, dealer=Seat(0), deck=rules.deck_cards, scores=(1, 2, 1, 3))

    assert "scores" == caught.value.key


def test_hand_without_ace_and_face_is_dealt_again() -> None:
    """With `redeal_no_ace_no_face` such a hand ends the deal unplayed, before any question."""
    state = dealt(
        "four-handed",
        {2: "9C 9D TC TD TH"},
        up="9H",
        dealer=3,
        farmers_hand="redeal_no_ace_no_face",
        redeal_dealer="same",
        redeals=2,
    )
    result = outcome(state)
    assert result is not None

    assert (Phase.DONE, None) == (state.phase, state.to_act)
    assert (True, (0, 0, 0, 0), 3, 3) == (
        result.passed_out,
        result.points,
        result.next_dealer,
        result.next_redeals,
    )


@pytest.mark.parametrize("saved", ["AC", "KC", "QC", "JC", "JK"])
def test_one_high_card_saves_a_deal(saved: str) -> None:
    """An ace, a face or the joker is enough for a hand to be played."""
    state = dealt(
        "four-handed",
        {2: f"9D TC TD TH {saved}", 0: "AD 9C 9S 9H TS", 1: "AH KD KH KS JH", 3: "AS QD QH QS JD"},
        up="JS",
        dealer=3,
        deck="25",
        farmers_hand="redeal_no_ace_no_face",
    )

    assert Phase.BID1 is state.phase


def test_written_decks_deal_what_they_say() -> None:
    """The helper of these tests deals the hands that it is given."""
    deck = deck_for(RULES, 1, {0: "9C 9D 9S TC TD"}, up="AS", dummy="AC AD", buried="KS")
    state = start_hand(RULES, dealer=Seat(1), deck=deck)

    assert "TC 9C TD 9D 9S" == " ".join(map(str, state.hand(Seat(0))))
    assert (Card["AS"], Card["KS"]) == (state.upcard, state.deal.buried[0])
    assert {Card["AC"], Card["AD"]} <= set(state.dummy)
