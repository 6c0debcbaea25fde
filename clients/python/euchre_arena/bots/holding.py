"""Owns which cards to hold: the dealer's discard, the maker's choice among his and the dummy's.

Must not know how the hand is bid or played.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from euchre_arena.bots.knowledge import Knowledge
from euchre_arena.bots.worth import worth
from euchre_arena.cards import Card

__all__ = ["best_discard", "best_holding", "value"]


def value(known: Knowledge, cards: Sequence[Card]) -> float:
    """Returns about how many tricks these cards take for the maker."""
    return worth(cards, known.trumps, known.above, known.view.game)


def best_holding(known: Knowledge, pool: Iterable[Card], count: int) -> tuple[Card, ...]:
    """Returns the best `count` cards of the pool."""
    ranked = sorted(pool, key=known.trumps.height, reverse=True)
    trumps = [card for card in ranked if known.trumps.is_trump(card)]
    plain = [card for card in ranked if not known.trumps.is_trump(card)]
    if len(trumps) >= count:
        return tuple(trumps[:count])
    above = {card: known.above(card) for card in ranked}
    return max(
        ((*trumps, *rest) for rest in combinations(plain, count - len(trumps))),
        key=lambda cards: worth(cards, known.trumps, above.__getitem__, known.view.game),
    )


def best_discard(known: Knowledge, hand: Sequence[Card], allowed: Collection[Card]) -> Card:
    """Returns the one of the allowed cards without which the hand is worth most."""
    return max(
        sorted(allowed, key=known.trumps.height),
        key=lambda card: value(known, [other for other in hand if other is not card]),
    )
