"""Naming trump: NAME_BLIND, BID1 and BID2 (RULES.md sections 2-4).

Owns who bids in which order, which suits may be named, and what makes a maker.
Must not know what becomes of the up-card afterwards, beyond its being turned down.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from euchre_engine.actions import CALLS, ORDER, PASS, Action, Call, Order, Pass
from euchre_engine.cards import PRINTED, Suit
from euchre_engine.errors import Reason
from euchre_engine.phases.steps import acted, actor, advance, ask, finish, not_allowed, wrong_phase
from euchre_engine.state import Contract, Phase, PhaseRule, UpcardStatus

if TYPE_CHECKING:
    from euchre_engine.cards import Seat
    from euchre_engine.state import State

__all__ = ["BID1", "BID2", "NAME_BLIND"]

_SUITS = tuple(Suit)
_OTHER_SUITS = {
    suit: tuple(other for other in _SUITS if other is not suit) for suit in (None, *_SUITS)
}


def _open_blind(state: State, place: int) -> State:
    return ask(state, place, state.deal.dealer) if state.deal.upcard_suit is None else state


def _legal_blind(_: State) -> tuple[Action, ...]:
    return _calls(_SUITS, may_pass=False)


def _act_blind(state: State, action: Action) -> State:
    if not isinstance(action, Call):
        raise wrong_phase(state, action)
    return advance(_made(state, action, action.suit))


def _open_bid1(state: State, place: int) -> State:
    return state if state.contract.maker is not None else ask(state, place, state.deal.order[0])


def _legal_bid1(state: State) -> tuple[Action, ...]:
    suit = state.deal.upcard_suit
    return (PASS,) if suit is None or not _has_enough(state, suit) else (PASS, ORDER)


def _act_bid1(state: State, action: Action) -> State:
    deal = state.deal
    match action:
        case Pass():
            if state.to_act != deal.dealer:
                return acted(state, action, next_to_act=_next_bidder(state))
            turned_down = state.contract._replace(upcard_status=UpcardStatus.TURNED_DOWN)
            return advance(acted(state, action, contract=turned_down))
        case Order():
            suit = deal.upcard_suit
            if suit is None or not _has_enough(state, suit):
                raise not_allowed(state, Reason.TOO_FEW_TRUMPS, _too_few(state))
            return advance(_made(state, action, suit))
        case _:
            raise wrong_phase(state, action)


def _open_bid2(state: State, place: int) -> State:
    return state if state.contract.maker is not None else ask(state, place, state.deal.order[0])


def _legal_bid2(state: State) -> tuple[Action, ...]:
    return _calls(_nameable(state), may_pass=not _is_stuck(state))


def _act_bid2(state: State, action: Action) -> State:
    match action:
        case Pass():
            if state.to_act != state.deal.dealer:
                return acted(state, action, next_to_act=_next_bidder(state))
            if _is_stuck(state):
                raise not_allowed(state, Reason.MAY_NOT_PASS, "the dealer is stuck and must call")
            return finish(acted(state, action))
        case Call(suit):
            if suit not in _allowed_suits(state):
                raise not_allowed(
                    state, Reason.SUIT_NOT_ALLOWED, f"{suit} was turned down and may not be named"
                )
            if suit not in _nameable(state):
                raise not_allowed(state, Reason.TOO_FEW_TRUMPS, _too_few(state))
            return advance(_made(state, action, suit))
        case _:
            raise wrong_phase(state, action)


def _made(state: State, action: Order | Call, trump: Suit) -> State:
    """Returns the state in which the seat to act has become the maker."""
    before = state.contract
    ordered = isinstance(action, Order)
    contract = Contract(before.away, before.upcard_status, trump, actor(state), ordered)
    return acted(state, action, contract=contract)


def _next_bidder(state: State) -> Seat:
    order = state.deal.order
    return order[order.index(actor(state)) + 1]


def _has_enough(state: State, suit: Suit) -> bool:
    """Returns whether the bidder holds the cards *printed* in a suit that it takes to name it."""
    needed = state.deal.rules.min_trump_to_call
    return needed == 0 or (state.held[actor(state)] & PRINTED[suit]).bit_count() >= needed


def _allowed_suits(state: State) -> tuple[Suit, ...]:
    """Returns the suits that anybody may name in round two."""
    if state.deal.rules.allow_turned_down_suit:
        return _SUITS
    return _OTHER_SUITS[state.deal.upcard_suit]


def _nameable(state: State) -> tuple[Suit, ...]:
    """Returns the suits that the bidder may name; a stuck dealer always has one."""
    allowed = _allowed_suits(state)
    if state.deal.rules.min_trump_to_call == 0:
        return allowed
    enough = tuple(suit for suit in allowed if _has_enough(state, suit))
    return allowed if not enough and _is_stuck(state) else enough


def _is_stuck(state: State) -> bool:
    """Returns whether the bidder is a dealer who may not pass."""
    deal = state.deal
    return state.to_act == deal.dealer and (
        deal.rules.stick_the_dealer or deal.redeals >= deal.rules.max_consecutive_redeals
    )


def _too_few(state: State) -> str:
    return (
        f"naming a suit takes {state.deal.rules.min_trump_to_call} cards printed in it among the "
        "five held"
    )


@lru_cache(maxsize=64)
def _calls(suits: tuple[Suit, ...], *, may_pass: bool) -> tuple[Action, ...]:
    calls = tuple(CALLS[suit] for suit in suits)
    return (PASS, *calls) if may_pass else calls


NAME_BLIND = PhaseRule(Phase.NAME_BLIND, _open_blind, _legal_blind, _act_blind)
BID1 = PhaseRule(Phase.BID1, _open_bid1, _legal_bid1, _act_bid1)
BID2 = PhaseRule(Phase.BID2, _open_bid2, _legal_bid2, _act_bid2)
