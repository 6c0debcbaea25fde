"""Owns the renaming of suits between the seatings of a board (docs/deals.md).

A relabelling keeps the two colours apart, so that bowers stay bowers: the game is the same, the
cards look different. It knows nothing of boards, seatings or which relabelling is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING

from euchre_engine.cards import Card, Suit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from euchre_engine.variants import Ruleset

__all__ = ["IDENTITY", "Relabelling", "parse_relabelling", "relabellings"]


@dataclass(frozen=True)  # no slots: the tables below are made once, when first asked for
class Relabelling:
    """A renaming of suits: what clubs, diamonds, hearts and spades become, in this order."""

    images: tuple[Suit, Suit, Suit, Suit]

    def __str__(self) -> str:
        """Returns the four images, ``CDHS`` for the relabelling that changes nothing."""
        return "".join(suit.name for suit in self.images)

    def suit(self, suit: Suit) -> Suit:
        """Returns what a suit becomes."""
        return self.images[suit - 1]

    def card(self, card: Card) -> Card:
        """Returns what a card becomes; the joker stays the joker."""
        return self._cards[card - 1]

    def cards(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Returns what cards become, in the order given."""
        table = self._cards
        return tuple(table[card - 1] for card in cards)

    @cached_property
    def inverse(self) -> Relabelling:
        """Returns the relabelling that undoes this one."""
        c, d, h, s = (Suit(self.images.index(suit) + 1) for suit in Suit)
        return Relabelling((c, d, h, s))

    @cached_property
    def _cards(self) -> tuple[Card, ...]:
        return tuple(
            card
            if card.suit is None
            else Card[card.text.replace(card.suit.name, self.suit(card.suit).name)]
            for card in Card
        )


_ALL = tuple(
    Relabelling((c, d, h, s))
    for c, d, h, s in permutations(Suit)
    if c.partner is s and d.partner is h
)
_BY_TEXT = {str(relabelling): relabelling for relabelling in _ALL}

IDENTITY = _BY_TEXT["CDHS"]


def relabellings(rules: Ruleset) -> tuple[Relabelling, ...]:
    """Returns the relabellings that leave a game as it is, sorted by their text.

    All eight, unless a joker in the deck may be turned up for a certain suit: then those two that
    keep this suit.
    """
    kept = rules.joker_upcard.suit if rules.has_joker else None
    return tuple(r for r in _ALL if kept is None or r.suit(kept) is kept)


def parse_relabelling(text: str) -> Relabelling:
    """Returns the relabelling written so.

    Raises:
        ValueError: The text names none of the eight.
    """
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is no relabelling; write one of {', '.join(_BY_TEXT)}"
        ) from None
