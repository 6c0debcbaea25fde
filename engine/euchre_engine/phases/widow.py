"""The widow: taken by the maker, who buries a card for it (docs/family.md section 3).

Owns when the card passes into his hand. Must not know how he became maker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_engine.actions import BURIES, Action, Bury
from euchre_engine.cards import cards_in
from euchre_engine.phases.steps import (
    advance,
    ask,
    buried,
    maker_of,
    settled,
    with_held,
    wrong_phase,
)
from euchre_engine.state import Phase, PhaseRule

if TYPE_CHECKING:
    from euchre_engine.state import State

__all__ = ["BURY_FOR_WIDOW", "with_widow"]


def with_widow(state: State) -> State:
    """Returns the state in which the maker has taken the widow, if he has not already."""
    widow, contract = state.deal.widow, state.contract
    if widow is None or contract.widow_open:
        return state
    maker = maker_of(state)
    return settled(
        state,
        contract=contract._replace(widow_open=True),
        held=with_held(state.held, maker, state.held[maker] | 1 << widow),
    )


def _open_bury(state: State, place: int) -> State:
    return ask(with_widow(state), place, maker_of(state))


def _legal_bury(state: State) -> tuple[Action, ...]:
    return tuple(BURIES[card] for card in cards_in(state.held[maker_of(state)]))


def _act_bury(state: State, action: Action) -> State:
    if not isinstance(action, Bury):
        raise wrong_phase(state, action)
    return advance(buried(state, action))


BURY_FOR_WIDOW = PhaseRule(Phase.BURY, _open_bury, _legal_bury, _act_bury)
