"""Legal sets: what a seat may do, written out or described.

Owns the set "any n of these cards", which is too long to write out, and the texts of legal sets.
Must not know how a legal set comes about.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from euchre_engine.actions import Action, ActionKind, Keep, Swap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from euchre_engine.cards import Card

__all__ = ["Choose", "LegalSet", "legal_texts"]


@dataclass(frozen=True, slots=True)
class Choose:
    """All ways to choose `count` cards of `pool`, without writing them all out.

    It is used like the tuple that it stands for, in the order of `itertools.combinations`.
    """

    kind: ActionKind
    count: int
    pool: tuple[Card, ...]

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, (Keep, Swap)) or action.kind is not self.kind:
            return False
        chosen = set(action.cards)
        return len(action.cards) == len(chosen) == self.count and chosen.issubset(self.pool)

    def __len__(self) -> int:
        return comb(len(self.pool), self.count)

    def __iter__(self) -> Iterator[Action]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, index: int) -> Action:
        pool = self.pool
        cards = tuple([pool[place] for place in _choices(len(pool), self.count)[index]])
        return Swap(cards) if self.kind is ActionKind.SWAP else Keep(cards)

    def __str__(self) -> str:
        return " ".join([self.kind.word, str(self.count), "of", *(c.text for c in self.pool)])


@lru_cache(maxsize=64)
def _choices(size: int, count: int) -> tuple[tuple[int, ...], ...]:
    """Returns the places of every choice of so many things."""
    return tuple(combinations(range(size), count))


LegalSet = tuple[Action, ...] | Choose


def legal_texts(legal: LegalSet) -> list[str]:
    """Returns the texts of a legal set; a choice of several cards is one text."""
    return [str(legal)] if isinstance(legal, Choose) else [str(action) for action in legal]
