"""Owns what cards are worth once trump is fixed (RULES.md section 1): suits, bowers, heights.

Must not know whose cards they are.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from euchre_arena.cards import JOKER, Card, Rank, Suit

__all__ = ["Trumps", "trumps_for"]

_RIGHT: Final = 16
_LEFT: Final = 15
_TRUMP: Final = 100  # lifts every trump above every plain card


class Trumps:
    """Answers what each card is under one trump suit, or before or without any.

    Attributes:
        trump: The trump suit; None before it is fixed, and where there is none.
    """

    __slots__ = ("_heights", "_suits", "trump")

    def __init__(self, trump: Suit | None, *, bowers: bool = True) -> None:
        self.trump = trump
        left = trump.partner if trump and bowers else None
        self._suits: dict[Card, Suit | None] = {card: card.suit for card in Card}
        self._heights: dict[Card, int] = {card: card.rank for card in Card}
        self._suits[JOKER] = trump
        for card in Card:
            if card.rank is Rank.JACK and card.suit is left:
                self._suits[card] = trump
                self._heights[card] = _LEFT
            elif card.rank is Rank.JACK and card.suit is trump and bowers:
                self._heights[card] = _RIGHT
        self._heights[JOKER] = _RIGHT + 1
        for card in Card:
            if trump and self._suits[card] is trump:
                self._heights[card] += _TRUMP

    def suit_of(self, card: Card) -> Suit | None:
        """Returns the effective suit: the left bower and the joker are trumps.

        None only for a joker where there is no trump.
        """
        return self._suits[card]

    def is_trump(self, card: Card) -> bool:
        """Returns whether the card is a trump."""
        return self._heights[card] > _TRUMP

    def height(self, card: Card) -> int:
        """Returns a number that grows with the card: any trump is above any plain card.

        Plain cards of different suits compare by rank; only those of the led suit can win.
        """
        return self._heights[card]

    def beats(self, card: Card, other: Card) -> bool:
        """Returns whether `card`, played after `other`, takes the trick from it."""
        if self.is_trump(card) or self.suit_of(card) is self.suit_of(other):
            return self._heights[card] > self._heights[other]
        return False

    def winner(self, cards: Sequence[Card]) -> int:
        """Returns the place, from 0, of the card that wins among these, played in this order."""
        best = 0
        for place in range(1, len(cards)):
            if self.beats(cards[place], cards[best]):
                best = place
        return best


@lru_cache(maxsize=16)
def trumps_for(trump: Suit | None, *, bowers: bool = True) -> Trumps:
    """Returns the one `Trumps` of that suit; without bowers for games with plain ranking."""
    return Trumps(trump, bowers=bowers)
