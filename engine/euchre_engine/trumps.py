"""What a card is worth once trump is fixed: effective suits, following, and who wins a trick.

Owns the bowers and the ranking of RULES.md section 1, as tables made once for each trump.
Must not know games, seats or options; which cards are in the deck makes no difference to a ranking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from euchre_engine.cards import JOKER, Card, Rank, Suit, mask_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TRUMPS", "TrumpTable", "effective_suit", "height", "trick_winner"]


@dataclass(frozen=True, slots=True)
class TrumpTable:
    """All that follows from one trump suit, indexed by card; place 0 stands for no card."""

    trump: Suit
    suit_masks: tuple[int, ...]
    """By effective suit: the cards of it, as a mask."""
    follow: tuple[int, ...]
    """By led card: the cards that follow it, as a mask."""
    power: tuple[tuple[int, ...], ...]
    """By led card, then by card: the higher takes the trick; 0 for a card that cannot take it."""


def effective_suit(card: Card, trump: Suit) -> Suit:
    """Returns the suit that a card belongs to under a trump."""
    if card.suit is None or (card.rank is Rank.JACK and card.suit is trump.partner):
        return trump
    return card.suit


def trick_winner(cards: Sequence[Card], trump: Suit) -> int:
    """Returns the place of the card that takes the trick; the first card was led."""
    power = TRUMPS[trump].power[cards[0]]
    return max(range(len(cards)), key=lambda place: power[cards[place]])


def height(card: Card, trump: Suit) -> int:
    """Returns a card's height within its effective suit: 1 to 13, bowers and joker above."""
    if card is JOKER:
        return 16
    if card.rank is Rank.JACK and card.suit is trump:
        return 15
    if card.rank is Rank.JACK and card.suit is trump.partner:
        return 14
    return card.rank - 1


def _power(card: Card, led: Suit, trump: Suit) -> int:
    suit = effective_suit(card, trump)
    if suit is trump:
        return 20 + height(card, trump)
    return height(card, trump) if suit is led else 0


def _table(trump: Suit) -> TrumpTable:
    masks = {
        suit: mask_of(card for card in Card if effective_suit(card, trump) is suit) for suit in Suit
    }
    by_led_suit = {suit: (0, *(_power(card, suit, trump) for card in Card)) for suit in Suit}
    return TrumpTable(
        trump=trump,
        suit_masks=(0, *(masks[suit] for suit in Suit)),
        follow=(0, *(masks[effective_suit(card, trump)] for card in Card)),
        power=((), *(by_led_suit[effective_suit(card, trump)] for card in Card)),
    )


TRUMPS: Final = {suit: _table(suit) for suit in Suit}
