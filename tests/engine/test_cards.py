"""Cards, suits and ranks: numbers, texts, order and masks (RULES.md section 1)."""

from __future__ import annotations

import pickle

import pytest
from written_hands import cards

from euchre_engine import JOKER, Card, Rank, Suit, card_from_text, cards_in, in_order
from euchre_engine.cards import PRINTED, mask_of, suit_from_text


def test_numbers_are_those_of_the_protocol() -> None:
    """Cards count up by suit C D H S and rank two to ace, the joker is 53, and none is 0."""
    expected = [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"] + ["JK"]

    assert expected == [str(Card(number)) for number in range(1, 54)]
    assert 53 == len(Card)


@pytest.mark.parametrize("card", Card, ids=str)
def test_text_round_trip(card: Card) -> None:
    """Every card reads back from its text, its name and its pickle as the same object."""
    assert card is card_from_text(card.text)
    assert card is Card[card.name]
    assert card is pickle.loads(pickle.dumps(card))  # noqa: S301  # our own bytes
    assert card.text == str(card) == f"{card}"


def test_suit_and_rank() -> None:
    """A card has the suit and rank that its text says; the joker has no suit."""
    assert (Suit.H, Rank.NINE) == (Card["9H"].suit, Card["9H"].rank)
    assert (Suit.S, Rank.ACE) == (Card["AS"].suit, Card["AS"].rank)
    assert (None, Rank.JOKER) == (JOKER.suit, JOKER.rank)


@pytest.mark.parametrize("text", ["", "jd", "DJ", "10H", "1H", "J", "JKS", " JD", "ZZ"])
def test_unknown_card_text(text: str) -> None:
    """What is no card is refused in words that name it."""
    with pytest.raises(ValueError, match="is no card: write the rank") as caught:
        card_from_text(text)

    assert repr(text) in str(caught.value)


def test_suit_partners_and_texts() -> None:
    """Suits pair up by colour and read back from their texts."""
    assert [Suit.S, Suit.H, Suit.D, Suit.C] == [suit.partner for suit in Suit]
    assert list(Suit) == [suit_from_text(str(suit)) for suit in Suit]
    with pytest.raises(ValueError, match="'X' is no suit: write C, D, H or S"):
        suit_from_text("X")


def test_canonical_order() -> None:
    """Cards are listed joker first, then C D H S, each from high to low."""
    assert cards("JK AC 9C TD KH QS 9S") == in_order(cards("9S KH 9C QS AC TD JK"))


def test_masks() -> None:
    """A mask holds the set of its cards and lists them in the canonical order."""
    mask = mask_of(cards("9S JK KH"))

    assert 1 << 53 | 1 << Card["KH"] | 1 << Card["9S"] == mask
    assert cards("JK KH 9S") == cards_in(mask)
    assert () == cards_in(0)


def test_printed_suits() -> None:
    """The four printed suits hold 13 cards each and never the joker."""
    assert set(Card) - {JOKER} == {card for suit in Suit for card in cards_in(PRINTED[suit])}
    assert [13] * 4 == [PRINTED[suit].bit_count() for suit in Suit]
