"""What becomes of the up-card once trump is fixed: PICKUP and DISCARD (RULES.md sections 2-4, 8).

Owns whether the dealer takes it and which card he puts away for it.
Must not know how the bidding went, beyond its contract.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from euchre_engine.actions import DECLINE, DISCARDS, TAKE, Action, Decline, Discard, Take
from euchre_engine.cards import cards_in
from euchre_engine.errors import Reason
from euchre_engine.option_values import DealerDummyDiscard, DealerPickup
from euchre_engine.phases.steps import (
    acted,
    advance,
    ask,
    maker_of,
    not_allowed,
    settled,
    with_held,
    wrong_phase,
)
from euchre_engine.state import Phase, PhaseRule, UpcardStatus

if TYPE_CHECKING:
    from euchre_engine.state import Contract, State

__all__ = ["DISCARD", "PICKUP"]

_HAND = 5


def _open_pickup(state: State, place: int) -> State:
    deal, contract = state.deal, state.contract
    if contract.upcard_status is not UpcardStatus.FACE_UP:
        return state
    if deal.dealer in contract.sitting_out:  # RULES.md section 8: the card is dead
        return settled(state, contract=_with_status(contract, UpcardStatus.DECLINED))
    if maker_of(state) == deal.dealer or deal.rules.dealer_pickup is DealerPickup.FORCED:
        return settled(
            state,
            contract=_with_status(contract, UpcardStatus.TAKEN),
            held=_held_with_upcard(state),
        )
    return ask(state, place, deal.dealer)


def _legal_pickup(_: State) -> tuple[Action, ...]:
    return (TAKE, DECLINE)


def _act_pickup(state: State, action: Action) -> State:
    match action:
        case Take():
            contract = _with_status(state.contract, UpcardStatus.TAKEN)
            return advance(acted(state, action, contract=contract, held=_held_with_upcard(state)))
        case Decline():
            contract = _with_status(state.contract, UpcardStatus.DECLINED)
            return advance(acted(state, action, contract=contract))
        case _:
            raise wrong_phase(state, action)


def _open_discard(state: State, place: int) -> State:
    dealer = state.deal.dealer
    if state.held[dealer].bit_count() <= _HAND or _discard_waits(state):
        return state
    return ask(state, place, dealer)


def _discard_waits(state: State) -> bool:
    """Returns whether the dealer keeps six cards for now (RULES.md section 4, `combined`).

    Once he has gone alone the discard stands; with the dummy he puts all six rejects away at once.
    """
    contract = state.contract
    return (
        contract.ordered
        and contract.maker == state.deal.dealer
        and state.deal.rules.dealer_dummy_discard is DealerDummyDiscard.COMBINED
        and state.deal.dealer not in contract.alone
    )


def _legal_discard(state: State) -> tuple[Action, ...]:
    return _discards(_discardable(state))


@lru_cache(maxsize=1 << 12)
def _discards(mask: int) -> tuple[Action, ...]:
    return tuple(DISCARDS[card] for card in cards_in(mask))


def _act_discard(state: State, action: Action) -> State:
    if not isinstance(action, Discard):
        raise wrong_phase(state, action)
    card, dealer = action.card, state.deal.dealer
    if not _discardable(state) >> card & 1:
        if state.held[dealer] >> card & 1:
            raise not_allowed(
                state, Reason.MAY_NOT_DISCARD_UPCARD, f"{card} was just taken and must be kept"
            )
        raise not_allowed(state, Reason.NOT_IN_HAND, f"{card} is not in hand")
    contract = state.contract
    away = with_held(contract.away, dealer, contract.away[dealer] | 1 << card)
    held = with_held(state.held, dealer, state.held[dealer] & ~(1 << card))
    return advance(acted(state, action, contract=contract._replace(away=away), held=held))


def _discardable(state: State) -> int:
    """Returns the cards that the dealer may put away, as a mask."""
    deal = state.deal
    hand, upcard = state.held[deal.dealer], deal.upcard
    blind = deal.upcard_suit is None  # the joker taken blind is never put away
    if upcard is None or (deal.rules.may_discard_upcard and not blind):
        return hand
    return hand & ~(1 << upcard)


def _held_with_upcard(state: State) -> tuple[int, ...]:
    deal = state.deal
    assert deal.upcard is not None, "a card that is face up is there"  # noqa: S101  # for types
    return with_held(state.held, deal.dealer, state.held[deal.dealer] | 1 << deal.upcard)


def _with_status(contract: Contract, status: UpcardStatus) -> Contract:
    return contract._replace(upcard_status=status)


PICKUP = PhaseRule(Phase.PICKUP, _open_pickup, _legal_pickup, _act_pickup)
DISCARD = PhaseRule(Phase.DISCARD, _open_discard, _legal_discard, _act_discard)
