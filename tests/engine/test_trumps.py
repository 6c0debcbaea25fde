"""Effective suits, ranking and the taking of tricks (RULES.md section 1)."""

from __future__ import annotations

from itertools import permutations

import pytest
from written_hands import cards

from euchre_engine import Card, Suit, effective_suit, trick_winner
from euchre_engine.cards import cards_in
from euchre_engine.trumps import TRUMPS

TRUMP_ORDER = {
    Suit.C: "JK JC JS AC KC QC TC 9C 8C 7C",
    Suit.D: "JK JD JH AD KD QD TD 9D 8D 7D",
    Suit.H: "JK JH JD AH KH QH TH 9H 8H 7H",
    Suit.S: "JK JS JC AS KS QS TS 9S 8S 7S",
}


@pytest.mark.parametrize("trump", Suit, ids=str)
def test_trump_ranking(trump: Suit) -> None:
    """Trumps rank joker, right bower, left bower, A K Q T 9 8 7, whichever is led."""
    order = cards(TRUMP_ORDER[trump])

    for place, high in enumerate(order):
        for low in order[place + 1 :]:
            assert 0 == trick_winner((high, low), trump)
            assert 1 == trick_winner((low, high), trump)


@pytest.mark.parametrize(
    ("trump", "order"),
    [
        ("H", "AC KC QC JC TC 9C 8C 7C"),
        ("C", "AD KD QD JD TD 9D 8D 7D"),
        ("C", "AS KS QS TS 9S 8S 7S"),  # its jack is the left bower
        ("D", "AH KH QH TH 9H 8H 7H"),
    ],
)
def test_plain_ranking(trump: str, order: str) -> None:
    """A plain suit ranks A K Q J T 9 8 7, without the jack that became the left bower."""
    plain = cards(order)

    for place, high in enumerate(plain):
        for low in plain[place + 1 :]:
            assert 1 == trick_winner((low, high), Suit[trump])


def test_any_trump_beats_any_plain_card() -> None:
    """The lowest trump takes a trick from the ace that was led."""
    assert 1 == trick_winner(cards("AC 7H"), Suit.H)


def test_off_suit_never_wins() -> None:
    """A plain card of another suit than that led takes nothing, however high."""
    assert 0 == trick_winner(cards("9C AD AS"), Suit.H)


def test_effective_suits() -> None:
    """The joker and the left bower belong to trump, every other card to its printed suit."""
    for trump in Suit:
        moved = {Card.JK: trump, Card[f"J{trump.partner}"]: trump}

        assert {card: moved.get(card, card.suit) for card in Card} == {
            card: effective_suit(card, trump) for card in Card
        }


@pytest.mark.parametrize("trump", Suit, ids=str)
def test_tables_follow_effective_suits(trump: Suit) -> None:
    """What follows a led card are exactly the cards of its effective suit."""
    table = TRUMPS[trump]

    for led in Card:
        suit = effective_suit(led, trump)
        assert suit is not None
        same = [card for card in Card if effective_suit(card, trump) is suit]
        assert set(same) == set(cards_in(table.follow[led]))
        assert table.follow[led] == table.suit_masks[suit]


def test_winner_does_not_hang_on_the_order_of_followers() -> None:
    """Whoever plays the best card wins, in any order after the lead."""
    for order in permutations(cards("9D JH AS")):
        trick = (Card["KH"], *order)

        assert Card["JH"] == trick[trick_winner(trick, Suit.D)]
