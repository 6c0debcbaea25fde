"""Owns how many tricks five cards are worth to whoever made trump.

The estimate is a sum over cards and shape. Its weights were fitted, by least squares, to the tricks
that makers took in hands between bots of this kind.
Must not know views: it is told the cards, and of each how many higher ones are out.
"""

from collections.abc import Callable, Sequence
from typing import Final

from euchre_arena.cards import Card, Suit
from euchre_arena.games import Game
from euchre_arena.trumps import Trumps

__all__ = ["FEATURES", "features", "worth"]

FEATURES: Final = (
    "always",
    "trump, none higher out",
    "trump, one higher out",
    "trump, two higher out",
    "trump, three higher out",
    "trump, more higher out",
    "three trumps",
    "four trumps",
    "five trumps",
    "top plain card, alone in its suit",
    "top plain card, with others",
    "further top plain card",
    "plain card, one higher out, alone in its suit",
    "plain card, one higher out, with others",
    "plain card, two higher out",
    "void, with a trump for it",
)

_WEIGHTS: Final[dict[Game, tuple[float, ...]]] = {
    Game.TWO_HANDED: (
        -0.28, 1.46, 1.15, 1.11, 1.04, 0.99, -0.2, -0.59, -0.94,
        0.65, 0.64, 0.19, 0.39, 0.23, 0.18, 0.21,
    ),
    Game.THREE_HANDED: (
        -2.7, 1.68, 1.37, 1.25, 1.12, 1.01, 0.28, -0.07, -0.69,
        0.9, 0.87, 0.4, 0.25, 0.43, 0.35, 0.19,
    ),
    Game.FOUR_HANDED: (
        1.45, 0.84, 0.49, 0.4, 0.39, 0.3, 0.14, 0.08, 0.0,
        0.36, 0.31, 0.0, 0.02, 0.0, 0.0, 0.22,
    ),
    Game.RAILROAD: (
        1.45, 0.84, 0.49, 0.4, 0.39, 0.3, 0.14, 0.08, 0.0,
        0.36, 0.31, 0.0, 0.02, 0.0, 0.0, 0.22,
    ),
    Game.HASENPFEFFER: (
        2.21, 0.47, 0.19, 0.09, -0.01, -0.07, 0.58, 0.52, 0.16,
        0.52, 0.43, 0.17, 0.02, 0.06, 0.04, 0.28,
    ),
    Game.PEPPER: (
        0.82, 1.3, 1.04, 0.89, 0.84, 0.76, -0.32, -0.57, -0.88,
        0.55, 0.49, 0.32, 0.01, 0.06, -0.02, 0.32,
    ),
    Game.NAPOLEON: (
        -0.12, 1.16, 0.47, 0.32, 0.26, 0.16, 1.12, 0.7, 0.79,
        0.8, 0.96, 1.19, 0.31, 0.34, 0.21, 0.09,
    ),
}  # fmt: skip


def features(
    cards: Sequence[Card], trumps: Trumps, above: Callable[[Card], int]
) -> tuple[float, ...]:
    """Returns the numbers that the estimate weighs, in the order of `FEATURES`.

    Args:
        cards: The hand.
        trumps: What cards are worth.
        above: Returns of a card how many higher ones of its suit are out.
    """
    found = [0.0] * len(FEATURES)
    found[0] = 1.0
    trump_count = 0
    lengths: dict[Suit | None, int] = {}
    for card in cards:
        suit = trumps.suit_of(card)
        lengths[suit] = lengths.get(suit, 0) + 1
    topped: set[Suit | None] = set()
    for card in cards:
        higher = above(card)
        suit = trumps.suit_of(card)
        if trumps.is_trump(card):
            trump_count += 1
            found[1 + min(higher, 4)] += 1
        elif higher == 0 and suit in topped:
            found[11] += 1
        elif higher == 0:
            topped.add(suit)
            found[9 if lengths[suit] == 1 else 10] += 1
        elif higher == 1:
            found[12 if lengths[suit] == 1 else 13] += 1
        elif higher == 2:
            found[14] += 1
    for count in (3, 4, 5):
        found[3 + count] = float(trump_count >= count)
    plain_suits = sum(1 for suit in lengths if suit is not trumps.trump)
    found[15] = float(min(3 - plain_suits, trump_count))
    return tuple(found)


def worth(cards: Sequence[Card], trumps: Trumps, above: Callable[[Card], int], game: Game) -> float:
    """Returns about how many of five tricks these cards take for the maker."""
    found = features(cards, trumps, above)
    return sum(map(float.__mul__, found, _WEIGHTS[game]))
