"""Owns which cards are in which deck.

Must not know which game is played with it.
"""

from __future__ import annotations

from typing import Final

from euchre_engine.cards import Card
from euchre_engine.option_values import Deck

__all__ = ["JOKER_DECKS", "cards_of"]

JOKER_DECKS: Final = frozenset({Deck.NINES_JOKER, Deck.SEVENS_JOKER})
_LOWEST_RANK: Final = {
    Deck.NINES: 9,
    Deck.NINES_JOKER: 9,
    Deck.EIGHTS: 8,
    Deck.SEVENS: 7,
    Deck.SEVENS_JOKER: 7,
    Deck.FULL: 2,
}


def cards_of(deck: Deck) -> tuple[Card, ...]:
    """Returns the cards of a deck in ascending card number, which puts the joker last."""
    lowest = _LOWEST_RANK[deck]
    return tuple(
        card
        for card in sorted(Card)
        if (deck in JOKER_DECKS if card is Card.JK else card.rank >= lowest)
    )
