"""Suits, ranks, cards, seats, and sets of cards as bit masks.

Owns the numbers and the written form of every card, and the one canonical order in which cards are
listed.
Must not know trump, games or options: a card here is only what is printed on it.
"""

from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache
from typing import Final, NewType

__all__ = [
    "JOKER",
    "PRINTED",
    "Card",
    "Rank",
    "Seat",
    "Suit",
    "card_from_text",
    "cards_in",
    "in_order",
    "mask_of",
    "suit_from_text",
]

Seat = NewType("Seat", int)


class Suit(IntEnum):
    """A printed suit; clubs and spades, diamonds and hearts are partners in colour."""

    C = 1
    D = 2
    H = 3
    S = 4

    @property
    def partner(self) -> "Suit":
        """Returns the other suit of the same colour."""
        return Suit(5 - self)

    def __str__(self) -> str:
        return self.name


class Rank(IntEnum):
    """A printed rank; the joker has one of its own."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14
    JOKER = 15

    @property
    def letter(self) -> str:
        """Returns the one letter (or digit) by which a card's text begins."""
        return "23456789TJQKA"[self - 2] if self is not Rank.JOKER else "JK"

    def __str__(self) -> str:
        return self.letter


class Card(IntEnum):
    """A card: `(suit - 1) * 13 + (rank - 2) + 1`, the joker 53; the member names are the texts."""

    suit: Suit | None
    rank: Rank
    text: str
    JK: "Card"  # the one member whose name is used as an attribute; written with the others below

    def __init__(self, number: int) -> None:
        self.suit = Suit((number - 1) // 13 + 1) if number <= 52 else None
        self.rank = Rank((number - 1) % 13 + 2) if number <= 52 else Rank.JOKER
        self.text = f"{self.rank.letter}{self.suit.name}" if self.suit else "JK"

    # Names such as `9H` are no identifiers, so the members are written into the class namespace
    # (the way that the enum documentation shows beside `_ignore_`).
    _ignore_ = ["_suit", "_rank"]  # noqa: RUF012  # enum reads it from here
    for _suit in range(4):
        for _rank in range(13):
            vars()["23456789TJQKA"[_rank] + "CDHS"[_suit]] = _suit * 13 + _rank + 1
    vars()["JK"] = 53

    def __str__(self) -> str:
        return self.text


JOKER: Final = Card["JK"]

# The canonical order: joker first, then suits C D H S, each from high to low.
_LISTED: Final = (
    JOKER,
    *(card for suit in Suit for card in reversed(Card) if card.suit is suit),
)
_PLACE: Final = tuple(_LISTED.index(card) for card in Card)


def _place(card: Card) -> int:
    return _PLACE[card - 1]


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Returns the cards in the canonical order: joker, then C D H S, each from high to low."""
    return tuple(sorted(cards, key=_place))


def mask_of(cards: Iterable[Card]) -> int:
    """Returns the set of cards as a bit mask: card *c* is bit *c*."""
    mask = 0
    for card in cards:
        mask |= _BITS[card]
    return mask


_BITS: Final = tuple(1 << number for number in range(54))


PRINTED: Final = {suit: mask_of(card for card in Card if card.suit is suit) for suit in Suit}
"""By suit: the cards printed in it, as a mask; the joker is in none."""


@lru_cache(maxsize=1 << 16)
def cards_in(mask: int) -> tuple[Card, ...]:
    """Returns the cards of a mask in the canonical order."""
    cards = []
    for suit_mask in _LISTED_MASKS:
        left = mask & suit_mask
        while left:
            highest = left.bit_length() - 1
            cards.append(_BY_NUMBER[highest])
            left ^= 1 << highest
    return tuple(cards)


_LISTED_MASKS: Final = (1 << JOKER, *PRINTED.values())
_BY_NUMBER: Final = (JOKER, *Card)  # place 0 is no card


def card_from_text(text: str) -> Card:
    """Returns the card written so.

    Raises:
        ValueError: The text names no card.
    """
    try:
        return Card[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is no card: write the rank (2-9 T J Q K A), then the suit (C D H S), "
            "such as JD, or JK for the joker"
        ) from None


def suit_from_text(text: str) -> Suit:
    """Returns the suit written so.

    Raises:
        ValueError: The text names no suit.
    """
    try:
        return Suit[text]
    except KeyError:
        raise ValueError(f"{text!r} is no suit: write C, D, H or S") from None
