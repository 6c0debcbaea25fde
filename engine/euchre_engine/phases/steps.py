"""The moves that all phases share: ask a seat, go on to the next question, refuse an action.

Owns how a hand travels through its flow. Must not know any single phase.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_engine.errors import NotAllowed, Reason, WrongPhase
from euchre_engine.legal import legal_texts
from euchre_engine.state import build

if TYPE_CHECKING:
    from euchre_engine.actions import Action, Bury
    from euchre_engine.cards import Seat
    from euchre_engine.state import Contract, State

__all__ = [
    "acted",
    "actor",
    "advance",
    "ask",
    "buried",
    "finish",
    "maker_of",
    "not_allowed",
    "settled",
    "with_held",
    "wrong_phase",
]


def actor(state: State) -> Seat:
    """Returns the seat to act, where a phase has made sure that there is one."""
    assert state.to_act is not None, "a phase with actions has somebody to act"  # noqa: S101  # for types
    return state.to_act


def maker_of(state: State) -> Seat:
    """Returns the maker, in phases that come after trump is fixed."""
    assert state.contract.maker is not None, "trump is fixed"  # noqa: S101  # for types
    return state.contract.maker


def ask(state: State, place: int, seat: Seat) -> State:
    """Returns the state in which a seat is asked in the phase at that place of the flow."""
    deal, contract, _, _, held, played, leader, on_table, finished, log, playable = state
    return build(
        (deal, contract, place, seat, held, played, leader, on_table, finished, log, playable)
    )


def acted(
    state: State,
    action: Action,
    *,
    contract: Contract | None = None,
    held: tuple[int, ...] | None = None,
    next_to_act: Seat | None = None,
) -> State:
    """Returns the state after the seat to act has acted, in the same phase."""
    deal, before, place, seat, held_before, played, leader, on_table, finished, log, playable = (
        state
    )
    assert seat is not None, "a phase with actions has somebody to act"  # noqa: S101  # for types
    return build(
        (
            deal,
            before if contract is None else contract,
            place,
            next_to_act,
            held_before if held is None else held,
            played,
            leader,
            on_table,
            finished,
            (log, seat, action),
            playable,
        )
    )


def buried(state: State, action: Bury) -> State:
    """Returns the state after the seat to act has buried a card that it held.

    Raises:
        NotAllowed: It does not hold the card.
    """
    seat, bit = actor(state), 1 << action.card
    if not state.held[seat] & bit:
        raise not_allowed(state, Reason.NOT_IN_HAND, f"{action.card} is not in hand")
    contract = state.contract
    away = with_held(contract.away, seat, contract.away[seat] | bit)
    held = with_held(state.held, seat, state.held[seat] & ~bit)
    return acted(state, action, contract=contract._replace(away=away), held=held)


def settled(state: State, *, contract: Contract, held: tuple[int, ...] | None = None) -> State:
    """Returns the state after something that nobody is asked about."""
    deal, _, place, to_act, before, played, leader, on_table, finished, log, playable = state
    held = before if held is None else held
    return build(
        (deal, contract, place, to_act, held, played, leader, on_table, finished, log, playable)
    )


def with_held(masks: tuple[int, ...], seat: Seat, mask: int) -> tuple[int, ...]:
    """Returns the masks by seat with one seat's replaced."""
    return (*masks[:seat], mask, *masks[seat + 1 :])


def advance(state: State) -> State:
    """Returns the state at the next question of the flow, or at its end."""
    flow = state.deal.flow
    for place in range(state.place + 1, len(flow)):
        state = flow[place].open(state, place)
        if state.to_act is not None:
            break
    return state


def finish(state: State) -> State:
    """Returns the state at the end of the flow, whatever was still to come."""
    flow = state.deal.flow
    place = len(flow) - 1
    return flow[place].open(state, place)


def wrong_phase(state: State, action: Action) -> WrongPhase:
    """Returns the refusal of an action of a kind that this phase never asks for."""
    if state.to_act is None:
        return WrongPhase(Reason.HAND_OVER, "the hand is done; nothing is asked any more")
    legal = state.deal.flow[state.place].legal(state)
    return WrongPhase(
        Reason.WRONG_PHASE,
        f"{action.kind.word} is not asked for in phase {state.phase}; "
        f"seat {state.to_act} may: {', '.join(legal_texts(legal))}",
        legal,
    )


def not_allowed(state: State, reason: Reason, why: str) -> NotAllowed:
    """Returns the refusal of an action that the rules forbid here."""
    legal = state.deal.flow[state.place].legal(state)
    return NotAllowed(reason, f"{why}; allowed: {', '.join(legal_texts(legal))}", legal)
