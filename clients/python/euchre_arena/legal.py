"""Owns the legal actions of a decision as sequences that make an action only when it is asked for.

Must not know rules: both kinds come ready from the arena.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Final, overload

from euchre_arena.actions import Action, ActionKind, action_from_wire
from euchre_arena.cards import Card, cards_from_numbers, in_order

if TYPE_CHECKING:
    from euchre_arena.v1 import action_pb2

__all__ = ["Choose", "LegalActions", "Listed", "legal_from_wire"]


class LegalActions(Sequence[Action]):
    """All legal actions of one decision: indexable, countable, and good for `random.choice`."""

    __slots__ = ()

    @overload
    def __getitem__(self, place: int) -> Action: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Action]: ...
    def __getitem__(self, place: int | slice) -> Action | Sequence[Action]:
        if isinstance(place, slice):
            return [self._at(one) for one in range(*place.indices(len(self)))]
        count = len(self)
        if not -count <= place < count:
            raise IndexError(f"there are {count} legal actions, no place {place}")
        return self._at(place % count)

    def _at(self, place: int) -> Action:
        raise NotImplementedError

    def of_kind(self, kind: ActionKind) -> list[Action]:
        """Returns the legal actions of one kind."""
        return [action for action in self if action.kind is kind]

    def __str__(self) -> str:
        return ", ".join(map(str, self))

    def __repr__(self) -> str:
        return f"<legal actions: {self}>"


class Listed(LegalActions):
    """Legal actions that the arena wrote out."""

    __slots__ = ("_messages",)

    def __init__(self, messages: "Sequence[action_pb2.Action]") -> None:
        self._messages = messages

    def __len__(self) -> int:
        return len(self._messages)

    def __iter__(self) -> Iterator[Action]:
        return map(action_from_wire, self._messages)

    def _at(self, place: int) -> Action:
        return action_from_wire(self._messages[place])


class Choose(LegalActions):
    """Every choice of `size` cards from `pool`, too many to be written out.

    Attributes:
        kind: The kind of the action, KEEP for the exchange.
        size: How many cards the action holds.
        pool: The cards to choose from.
    """

    __slots__ = ("kind", "pool", "size")

    def __init__(self, kind: ActionKind, size: int, pool: Sequence[Card]) -> None:
        self.kind: Final = kind
        self.size: Final = size
        self.pool: Final = in_order(pool)

    def __len__(self) -> int:
        return comb(len(self.pool), self.size)

    def __iter__(self) -> Iterator[Action]:
        for cards in combinations(self.pool, self.size):
            yield Action(self.kind, cards=cards)

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, Action)
            and action.kind is self.kind
            and len(action.cards) == len(set(action.cards)) == self.size
            and set(action.cards) <= set(self.pool)
        )

    def _at(self, place: int) -> Action:
        # Counts off how many choices begin with each card, in the order of `combinations`.
        cards: list[Card] = []
        first = 0
        while len(cards) < self.size:
            beginning_here = comb(len(self.pool) - first - 1, self.size - len(cards) - 1)
            if place < beginning_here:
                cards.append(self.pool[first])
            else:
                place -= beginning_here
            first += 1
        return Action(self.kind, cards=tuple(cards))

    def __str__(self) -> str:
        return f"{self.kind} {self.size} of {' '.join(map(str, self.pool))}"


def legal_from_wire(
    legal: "Sequence[action_pb2.Action]", choose: "action_pb2.Choose | None"
) -> LegalActions:
    """Returns the legal actions of a message; `choose` is None where the message has none."""
    if choose is None:
        return Listed(legal)
    return Choose(ActionKind(choose.kind), choose.count, cards_from_numbers(choose.pool))
