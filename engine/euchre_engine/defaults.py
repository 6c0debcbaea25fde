"""The default action: what the clock plays for a seat that did not answer (DESIGN.md section 5).

Owns that one policy. It reads no more than the seat to act may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from euchre_engine.actions import (
    DECLINE,
    PASS,
    TOGETHER,
    WITH_DUMMY,
    Action,
    Best,
    Bid,
    Bury,
    Call,
    Discard,
    Keep,
    Name,
    Play,
)
from euchre_engine.cards import Card, Seat, Suit
from euchre_engine.errors import PositionError
from euchre_engine.hand import legal_actions
from euchre_engine.legal import Choose
from euchre_engine.trumps import effective_suit, height

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from euchre_engine.state import State

__all__ = ["default_action"]


def default_action(state: State, suit_order: Sequence[Suit] = tuple(Suit)) -> Action:
    """Returns the action by which the seat to act commits itself least.

    Args:
        state: The position; somebody is to act.
        suit_order: The order in which equal cards and forced calls are chosen: the original suits
            of a relabelled deal, as they are called in this one.

    Raises:
        PositionError: The hand is done.
    """
    seat = state.to_act
    if seat is None:
        raise PositionError("the hand is done; nobody is to act", key="to_act")
    legal = legal_actions(state)
    if isinstance(legal, Choose):
        return _own_cards(state, seat, legal.count, suit_order)
    for modest in (PASS, DECLINE, TOGETHER, WITH_DUMMY):
        if modest in legal:
            return modest
    if isinstance(legal[0], Bid):
        return legal[0]
    named = {
        action.suit: action for action in legal if isinstance(action, (Call, Name)) and action.suit
    }
    if named:
        return named[min(named, key=suit_order.index)]
    ranking = _Ranking(state.trump, state.rules.has_bowers, suit_order)
    given = {action.card: action for action in legal if isinstance(action, Best)}
    if given:  # a time-out must not sabotage the partner
        return given[ranking.most_helpful(given)]
    cards = {action.card: action for action in legal if isinstance(action, (Bury, Discard, Play))}
    return cards[ranking.least_missed(cards)]


def _own_cards(state: State, seat: Seat, count: int, suit_order: Sequence[Suit]) -> Keep:
    """Returns the choice that leaves the dummy alone, less the default discard if it must be."""
    ranking = _Ranking(state.trump, state.rules.has_bowers, suit_order)
    own = list(state.hand(seat))
    while len(own) > count:
        own.remove(ranking.least_missed(own))
    return Keep(tuple(own))


class _Ranking(NamedTuple):
    """What cards are worth to a clock; without trump every card is plain."""

    trump: Suit | None
    has_bowers: bool
    suit_order: Sequence[Suit]

    def least_missed(self, cards: Iterable[Card]) -> Card:
        """Returns a plain card if there is one, then a low one, then by the order of suits."""
        return min(cards, key=self._worth)

    def most_helpful(self, cards: Iterable[Card]) -> Card:
        """Returns a trump if there is one, then a high card, then by the order of suits."""

        def key(card: Card) -> tuple[bool, int, int]:
            is_trump, high, place = self._worth(card)
            return not is_trump, -high, place

        return min(cards, key=key)

    def _worth(self, card: Card) -> tuple[bool, int, int]:
        suit = effective_suit(card, self.trump, bowers=self.has_bowers)
        place = 0 if suit is None else self.suit_order.index(suit)
        high = height(card, self.trump, bowers=self.has_bowers)
        return suit is self.trump, high, place
