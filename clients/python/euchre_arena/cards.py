"""Owns suits, ranks and cards as a bot meets them; their numbers are those of the protocol.

Must not know trump: what a card is worth once trump is fixed stands in `trumps`.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

__all__ = ["JOKER", "Card", "Rank", "Suit", "cards_from_numbers", "in_order"]


class Suit(IntEnum):
    """A printed suit."""

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

    def __str__(self) -> str:
        return "JK" if self is Rank.JOKER else _RANKS[self - 2]


_RANKS: Final = "23456789TJQKA"


class Card(IntEnum):
    """A card. Written rank first: `Card["JD"]`, `Card["9H"]`, the joker `Card["JK"]`.

    Attributes:
        suit: The printed suit; None for the joker.
        rank: The printed rank.
        text: The card as it is written.
    """

    suit: Suit | None
    rank: Rank
    text: str

    def __init__(self, number: int) -> None:
        self.suit = Suit((number - 1) // 13 + 1) if number <= 52 else None
        self.rank = Rank((number - 1) % 13 + 2) if number <= 52 else Rank.JOKER
        self.text = f"{self.rank}{self.suit or ''}"

    # Names such as `9H` are no identifiers, so the members are written into the class namespace.
    _ignore_ = ["_number"]  # noqa: RUF012 - enum reads it from here
    for _number in range(52):
        vars()["23456789TJQKA"[_number % 13] + "CDHS"[_number // 13]] = _number + 1
    vars()["JK"] = 53

    def __str__(self) -> str:
        return self.text


JOKER: Final = Card["JK"]

# Protocol numbers begin at 1, so place 0 is never read.
_BY_NUMBER: Final = (JOKER, *Card)

# The order in which sets of cards are written: joker first, then C D H S, each from high to low.
_PLACE: Final = {JOKER: -1} | {
    card: 13 * ((card - 1) // 13) - (card - 1) % 13 + 12 for card in Card if card is not JOKER
}


def cards_from_numbers(numbers: Iterable[int]) -> tuple[Card, ...]:
    """Returns the cards of these protocol numbers."""
    return tuple(map(_BY_NUMBER.__getitem__, numbers))


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Returns the cards in the order in which a set of them is written."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))
