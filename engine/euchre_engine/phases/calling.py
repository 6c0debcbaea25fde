"""A lone player's call for his partner's best card: BURY and BEST (docs/family.md section 2).

Owns who may call, and how the two cards travel. Must not know what came of the declarations beyond
who is alone: the maker calls before the defenders are asked, a lone defender after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_engine.actions import BESTS, BURIES, PASS, Action, Best, Bury, Pass
from euchre_engine.cards import Seat, cards_in
from euchre_engine.errors import Reason
from euchre_engine.phases.steps import (
    acted,
    actor,
    advance,
    ask,
    buried,
    maker_of,
    not_allowed,
    with_held,
    wrong_phase,
)
from euchre_engine.state import Phase, PhaseRule

if TYPE_CHECKING:
    from euchre_engine.state import State

__all__ = ["BEST", "BURY_BY_DEFENDER", "BURY_BY_MAKER"]


def _open_maker(state: State, place: int) -> State:
    maker = maker_of(state)
    may_call = state.deal.rules.call_for_best and maker in state.contract.alone
    return ask(state, place, maker) if may_call else state


def _open_defender(state: State, place: int) -> State:
    if not state.deal.rules.call_for_best:
        return state
    maker = maker_of(state)
    callers = (seat for seat in state.contract.alone if seat != maker)
    caller = next(callers, None)
    return state if caller is None else ask(state, place, caller)


def _legal_bury(state: State) -> tuple[Action, ...]:
    return (PASS, *(BURIES[card] for card in cards_in(state.held[actor(state)])))


def _act_bury(state: State, action: Action) -> State:
    match action:
        case Pass():
            return advance(acted(state, action))
        case Bury():
            return advance(buried(state, action))
        case _:
            raise wrong_phase(state, action)


def _open_best(state: State, place: int) -> State:
    """Asks the partner of the one who has just buried, known by his missing card."""
    rules = state.deal.rules
    short = (
        seat for seat in state.contract.alone if state.held[seat].bit_count() < rules.hand_size
    )
    caller = next(short, None)
    return state if caller is None else ask(state, place, _partner(caller))


def _legal_best(state: State) -> tuple[Action, ...]:
    return tuple(BESTS[card] for card in cards_in(state.held[actor(state)]))


def _act_best(state: State, action: Action) -> State:
    if not isinstance(action, Best):
        raise wrong_phase(state, action)
    card, giver = action.card, actor(state)
    caller = _partner(giver)
    bit = 1 << card
    if not state.held[giver] & bit:
        raise not_allowed(state, Reason.NOT_IN_HAND, f"{card} is not in hand")
    held = with_held(state.held, giver, state.held[giver] & ~bit)
    held = with_held(held, caller, held[caller] | bit)
    known = list(state.contract.best or (None,) * len(held))
    known[giver] = known[caller] = card
    contract = state.contract._replace(best=tuple(known))
    return advance(acted(state, action, contract=contract, held=held))


def _partner(seat: Seat) -> Seat:
    return Seat((seat + 2) % 4)


BURY_BY_MAKER = PhaseRule(Phase.BURY, _open_maker, _legal_bury, _act_bury)
BURY_BY_DEFENDER = PhaseRule(Phase.BURY, _open_defender, _legal_bury, _act_bury)
BEST = PhaseRule(Phase.BEST, _open_best, _legal_best, _act_best)
