"""Playing a hand: what is legal, and what comes of it.

Owns the three functions by which everybody drives a state. All rules are in the phases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from euchre_engine.actions import Action
    from euchre_engine.legal import LegalSet
    from euchre_engine.state import State

__all__ = ["apply", "is_legal", "legal_actions"]


def legal_actions(state: State) -> LegalSet:
    """Returns what the seat to act may do; empty when the hand is done."""
    return state.deal.flow[state.place].legal(state)


def is_legal(state: State, action: Action) -> bool:
    """Returns whether the seat to act may do this."""
    return action in legal_actions(state)


def apply(state: State, action: Action) -> State:
    """Returns the state after the seat to act has done this; the old state stays as it is.

    Raises:
        WrongPhase: The phase never asks for actions of this kind, or the hand is done.
        NotAllowed: The rules forbid this one here; `reason` says why, `legal` what is allowed.
    """
    return state.deal.flow[state.place].act(state, action)
