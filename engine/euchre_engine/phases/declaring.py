"""Who plays alone: ALONE_MAKER and ALONE_DEFENDER (RULES.md sections 3, 4 and 8).

Owns whom these questions are put to, and who sits out in consequence.
Must not know what alone is worth, nor who leads.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from euchre_engine.actions import (
    ALONE,
    TOGETHER,
    WITH_DUMMY,
    Action,
    Alone,
    Together,
    WithDummy,
)
from euchre_engine.cards import Seat
from euchre_engine.option_values import AloneDecision, DefendAlone, DefenderAloneOrder
from euchre_engine.phases.steps import (
    acted,
    actor,
    advance,
    ask,
    maker_of,
    settled,
    wrong_phase,
)
from euchre_engine.state import Phase, PhaseRule

if TYPE_CHECKING:
    from euchre_engine.state import Contract, State

__all__ = ["ALONE_DEFENDER", "ALONE_MAKER"]


def _open_maker(state: State, place: int) -> State:
    contract, rules = state.contract, state.deal.rules
    maker = maker_of(state)
    if rules.canadian_loner and contract.ordered and maker == _partner(state, state.deal.dealer):
        return settled(state, contract=_gone_alone(state, contract, maker))
    if not rules.maker_alone:
        # Counts as `with_dummy` said this moment (RULES.md section 4).
        return settled(state, contract=contract._replace(dummy_open=rules.has_dummy))
    if rules.alone_decision is AloneDecision.AFTER_DUMMY and rules.has_dummy:
        state = settled(state, contract=contract._replace(dummy_open=True))
    return ask(state, place, maker)


def _legal_maker(state: State) -> tuple[Action, ...]:
    return (ALONE, WITH_DUMMY if state.deal.rules.has_dummy else TOGETHER)


def _act_maker(state: State, action: Action) -> State:
    contract = state.contract
    match action:
        case Alone():
            contract = _gone_alone(state, contract, actor(state))
        case WithDummy() if state.deal.rules.has_dummy:
            contract = contract._replace(dummy_open=True)
        case Together() if not state.deal.rules.has_dummy:
            pass
        case _:
            raise wrong_phase(state, action)
    return advance(acted(state, action, contract=contract))


def _open_defender(state: State, place: int) -> State:
    contract, mode = state.contract, state.deal.rules.defend_alone
    if mode is DefendAlone.NEVER:
        return state
    if mode is DefendAlone.VS_LONE_MAKER_ONLY and contract.maker not in contract.alone:
        return state
    return ask(state, place, _defenders(state)[0])


def _legal_defender(_: State) -> tuple[Action, ...]:
    return (ALONE, TOGETHER)


def _act_defender(state: State, action: Action) -> State:
    defender = actor(state)
    match action:
        case Alone():
            return advance(
                acted(state, action, contract=_gone_alone(state, state.contract, defender))
            )
        case Together():
            first, second = _defenders(state)
            if defender == first:
                return acted(state, action, next_to_act=second)
            return advance(acted(state, action))
        case _:
            raise wrong_phase(state, action)


def _defenders(state: State) -> tuple[Seat, ...]:
    """Returns both defenders in the order in which they are asked."""
    deal = state.deal
    maker = maker_of(state)
    partner = _partner(state, maker) if deal.rules.has_partners else maker
    from_maker = deal.rules.defender_alone_order is DefenderAloneOrder.LEFT_OF_MAKER
    return _defenders_in_order(deal.order, maker, partner, from_maker)


@lru_cache(maxsize=256)
def _defenders_in_order(
    order: tuple[Seat, ...],
    maker: Seat,
    partner: Seat,
    from_maker: bool,  # noqa: FBT001  # a key of the cache
) -> tuple[Seat, ...]:
    if from_maker:
        after = order.index(maker) + 1
        order = order[after:] + order[:after]
    return tuple(seat for seat in order if seat not in {maker, partner})


def _gone_alone(state: State, contract: Contract, seat: Seat) -> Contract:
    """Returns the contract in which a seat plays alone and its partner, if any, sits out."""
    rules = state.deal.rules
    if rules.has_partners:
        out: tuple[Seat, ...] = (_partner(state, seat),)
    elif seat == contract.maker:
        out = ()
    else:
        out = tuple([other for other in _defenders(state) if other != seat])
    return contract._replace(
        alone=_in_seat_order((*contract.alone, seat)),
        sitting_out=_in_seat_order((*contract.sitting_out, *out)),
    )


def _in_seat_order(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return seats if len(seats) < 2 else tuple(sorted(seats))


def _partner(state: State, seat: Seat) -> Seat:
    """Returns the seat opposite, in games with partners."""
    return Seat((seat + 2) % state.deal.rules.seat_count)


ALONE_MAKER = PhaseRule(Phase.ALONE_MAKER, _open_maker, _legal_maker, _act_maker)
ALONE_DEFENDER = PhaseRule(Phase.ALONE_DEFENDER, _open_defender, _legal_defender, _act_defender)
