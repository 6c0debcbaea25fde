"""Exchanges of several cards: EXCHANGE with the dummy, SWAP of a farmer's hand.

Owns which cards may be chosen and where the others go (RULES.md sections 3, 4 and 8).
Must not know when in a hand these phases come.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from euchre_engine.actions import PASS, Action, ActionKind, Keep, Pass, Swap
from euchre_engine.cards import Card, Rank, cards_in, mask_of
from euchre_engine.errors import ActionError, Reason
from euchre_engine.legal import Choose
from euchre_engine.option_values import FarmersHand
from euchre_engine.phases.steps import (
    acted,
    actor,
    advance,
    ask,
    maker_of,
    not_allowed,
    settled,
    with_held,
    wrong_phase,
)
from euchre_engine.state import Phase, PhaseRule

if TYPE_CHECKING:
    from euchre_engine.state import State

__all__ = ["EXCHANGE", "SWAP"]

_KEPT = 5
_SWAPPED = 3


def _open_exchange(state: State, place: int) -> State:
    maker = maker_of(state)
    return state if maker in state.contract.alone else ask(state, place, maker)


def _pool(state: State) -> int:
    """Returns the maker's cards and the dummy's, as a mask."""
    return state.held[maker_of(state)] | state.deal.dummy


def _legal_exchange(state: State) -> Choose:
    return _any_five(_pool(state))


@lru_cache(maxsize=1 << 12)
def _any_five(pool: int) -> Choose:
    return Choose(ActionKind.KEEP, _KEPT, cards_in(pool))


def _act_exchange(state: State, action: Action) -> State:
    if not isinstance(action, Keep):
        raise wrong_phase(state, action)
    pool, kept, maker = _pool(state), mask_of(action.cards), actor(state)
    refusal = _refusal_of_cards(state, action.cards, pool, count=_KEPT)
    if refusal is not None:
        raise refusal
    contract = state.contract
    away = with_held(contract.away, maker, contract.away[maker] | pool & ~kept)
    return advance(
        acted(
            state,
            action,
            contract=contract._replace(away=away),
            held=with_held(state.held, maker, kept),
        )
    )


def _open_swap(state: State, place: int) -> State:
    deal = state.deal
    # Swapping stands before bidding; where the dealer names trump blind there is none.
    if deal.rules.farmers_hand is not FarmersHand.THREE_SWAP or deal.upcard_suit is None:
        return state
    pile = mask_of(deal.buried[:_SWAPPED])
    # Everybody is asked, also who has nothing to swap: skipping a seat would tell its cards.
    return ask(settled(state, contract=state.contract._replace(pile=pile)), place, deal.order[0])


def _legal_swap(state: State) -> tuple[Action, ...]:
    hand = state.held[actor(state)]
    return (PASS, *map(Swap, _swappable(cards_in(hand))))


def _swappable(hand: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    """Returns every three nines and every three tens of a hand."""
    return [
        three
        for rank in (Rank.NINE, Rank.TEN)
        for three in combinations([card for card in hand if card.rank is rank], _SWAPPED)
    ]


def _act_swap(state: State, action: Action) -> State:
    deal, contract, held, seat = state.deal, state.contract, state.held, actor(state)
    match action:
        case Pass():
            pass
        case Swap(cards):
            hand = held[seat]
            refusal = _refusal_of_cards(state, cards, hand, count=_SWAPPED)
            if refusal is not None:
                raise refusal
            if cards not in _swappable(cards_in(hand)):
                raise not_allowed(
                    state, Reason.MAY_NOT_SWAP, "only three nines or three tens may be swapped"
                )
            given = mask_of(cards)
            held = with_held(held, seat, hand & ~given | contract.pile)
            away = with_held(contract.away, seat, given)
            contract = contract._replace(away=away, pile=given)
        case _:
            raise wrong_phase(state, action)
    if seat == deal.dealer:
        return advance(acted(state, action, contract=contract, held=held))
    next_to_act = deal.order[deal.order.index(seat) + 1]
    return acted(state, action, contract=contract, held=held, next_to_act=next_to_act)


def _refusal_of_cards(
    state: State, cards: tuple[Card, ...], pool: int, *, count: int
) -> ActionError | None:
    """Returns why these cards are no choice of `count` from a pool, None if they are one."""
    chosen = mask_of(cards)
    if chosen.bit_count() < len(cards):
        return not_allowed(state, Reason.REPEATED_CARD, "a card is named twice")
    if len(cards) != count:
        return not_allowed(
            state, Reason.WRONG_CARD_COUNT, f"{len(cards)} cards are named, not {count}"
        )
    if chosen & ~pool:
        others = ", ".join(map(str, cards_in(chosen & ~pool)))
        return not_allowed(state, Reason.NOT_IN_HAND, f"not there to choose from: {others}")
    return None


EXCHANGE = PhaseRule(Phase.EXCHANGE, _open_exchange, _legal_exchange, _act_exchange)
SWAP = PhaseRule(Phase.SWAP, _open_swap, _legal_swap, _act_swap)
