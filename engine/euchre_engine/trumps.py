"""What a card is worth once trump is fixed: effective suits, following, and who wins a trick.

Owns the bowers and the ranking of RULES.md section 1, as tables made once for each trump; without
trump, and in games without bowers, every card is what is printed on it (docs/family.md section 1).
Must not know games, seats or options; which cards are in the deck makes no difference to a ranking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from euchre_engine.cards import JOKER, Card, Rank, Suit, mask_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "PLAIN_TRUMPS",
    "TRUMPS",
    "TrumpTable",
    "effective_suit",
    "height",
    "trick_winner",
]


@dataclass(frozen=True, slots=True)
class TrumpTable:
    """All that follows from one trump suit, indexed by card; place 0 stands for no card."""

    trump: Suit | None
    suit_masks: tuple[int, ...]
    """By effective suit: the cards of it, as a mask."""
    follow: tuple[int, ...]
    """By led card: the cards that follow it, as a mask."""
    power: tuple[tuple[int, ...], ...]
    """By led card, then by card: the higher takes the trick; 0 for a card that cannot take it."""


def effective_suit(card: Card, trump: Suit | None, *, bowers: bool = True) -> Suit | None:
    """Returns the suit that a card belongs to; None for a joker where there is no trump."""
    if trump is None or not bowers:
        return card.suit or trump
    if card.suit is None or (card.rank is Rank.JACK and card.suit is trump.partner):
        return trump
    return card.suit


def trick_winner(cards: Sequence[Card], trump: Suit | None, *, bowers: bool = True) -> int:
    """Returns the place of the card that takes the trick; the first card was led."""
    power = (TRUMPS if bowers else PLAIN_TRUMPS)[trump].power[cards[0]]
    return max(range(len(cards)), key=lambda place: power[cards[place]])


def height(card: Card, trump: Suit | None, *, bowers: bool = True) -> int:
    """Returns a card's height within its effective suit: 1 to 13, bowers and joker above."""
    if card is JOKER:
        return 16
    if card.rank is not Rank.JACK or trump is None or not bowers:
        return card.rank - 1
    if card.suit is trump:
        return 15
    return 14 if card.suit is trump.partner else card.rank - 1


def _table(trump: Suit | None, *, bowers: bool) -> TrumpTable:
    suits = (None, *(effective_suit(card, trump, bowers=bowers) for card in Card))
    heights = (0, *(height(card, trump, bowers=bowers) for card in Card))
    masks = {suit: mask_of(card for card in Card if suits[card] is suit) for suit in (None, *Suit)}

    def power(card: Card, led: Suit | None) -> int:
        suit = suits[card]
        if trump is not None and suit is trump:
            return 20 + heights[card]
        return heights[card] if suit is led else 0

    by_led_suit = {suit: (0, *(power(card, suit) for card in Card)) for suit in (None, *Suit)}
    return TrumpTable(
        trump=trump,
        suit_masks=(0, *(masks[suit] for suit in Suit)),
        follow=(0, *(masks[suits[card]] for card in Card)),
        power=((), *(by_led_suit[suits[card]] for card in Card)),
    )


TRUMPS: Final = {trump: _table(trump, bowers=True) for trump in (None, *Suit)}
"""By trump, None where there is none: the games in which jacks become bowers."""

PLAIN_TRUMPS: Final = {trump: _table(trump, bowers=False) for trump in (None, *Suit)}
"""By trump, None where there is none: the games without bowers."""
