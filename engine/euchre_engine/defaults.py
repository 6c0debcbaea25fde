"""The default action: what the clock plays for a seat that did not answer (DESIGN.md section 5).

Owns that one policy. It reads no more than the seat to act may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_engine.actions import (
    DECLINE,
    PASS,
    TOGETHER,
    WITH_DUMMY,
    Action,
    Call,
    Discard,
    Keep,
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
    seat, trump = state.to_act, state.trump
    if seat is None:
        raise PositionError("the hand is done; nobody is to act", key="to_act")
    legal = legal_actions(state)
    if isinstance(legal, Choose):
        return _own_cards(state, seat, legal.count, suit_order)
    for modest in (PASS, DECLINE, TOGETHER, WITH_DUMMY):
        if modest in legal:
            return modest
    calls = {action.suit: action for action in legal if isinstance(action, Call)}
    if calls:
        return calls[min(calls, key=suit_order.index)]
    assert trump is not None, "cards are discarded and played after trump is fixed"  # noqa: S101
    cards = {action.card: action for action in legal if isinstance(action, (Discard, Play))}
    return cards[_least(cards, trump, suit_order)]


def _own_cards(state: State, seat: Seat, count: int, suit_order: Sequence[Suit]) -> Keep:
    """Returns the choice that leaves the dummy alone, less the default discard if it must be."""
    assert state.trump is not None, "the exchange comes after trump is fixed"  # noqa: S101
    own = list(state.hand(seat))
    while len(own) > count:
        own.remove(_least(own, state.trump, suit_order))
    return Keep(tuple(own))


def _least(cards: Iterable[Card], trump: Suit, suit_order: Sequence[Suit]) -> Card:
    """Returns the card that is missed least: plain, then low, then first in the order of suits."""

    def worth(card: Card) -> tuple[bool, int, int]:
        suit = effective_suit(card, trump)
        return suit is trump, height(card, trump), suit_order.index(suit)

    return min(cards, key=worth)
