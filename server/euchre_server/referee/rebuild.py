"""Owns the way from a table's facts back to its state: how a killed arena goes on.

Facts are taken as ruled: nothing is judged again. What is not a fact is not rebuilt: the clock of
an open decision, which is asked anew with its full time unless that had run out (its clock is then
said to run), and whether the arena was draining. `resume` goes on from the state.
Must not know inputs, nor where facts are kept.
"""

from collections.abc import Iterable
from typing import assert_never

from euchre_engine import apply, start_hand
from euchre_server.referee.clock import OpenDecision, budget_of
from euchre_server.referee.facts import (
    Acted,
    Actor,
    Fact,
    Faulted,
    FaultKind,
    HandEnded,
    HandStarted,
    SeatChange,
    SeatChanged,
    Stalled,
    TableEnded,
)
from euchre_server.referee.outputs import Spent
from euchre_server.referee.spec import TableSpec
from euchre_server.referee.state import Presence, SeatState, Stage, TableState, opening

__all__ = ["rebuild"]

_PRESENCE = {
    SeatChange.JOINED: Presence.JOINED,
    SeatChange.LOST: Presence.LOST,
    SeatChange.LEFT: Presence.LEFT,
    SeatChange.DIED: Presence.DIED,
}


def rebuild(spec: TableSpec, facts: Iterable[Fact]) -> TableState:
    """Returns the state of an opened table after these facts.

    Raises:
        EngineError: The facts cannot all have happened at this table.
    """
    state = opening(spec)._replace(stage=Stage.JOINING, join_by=spec.join_within_ms)
    for fact in facts:
        state = _after(state, fact)._replace(fact_count=state.fact_count + 1)
    return state


def _after(state: TableState, fact: Fact) -> TableState:
    match fact:
        case SeatChanged():
            seat = state.seats[fact.seat]._replace(
                presence=_PRESENCE[fact.change], session=fact.session_epoch
            )
            return _with_seat(state, fact.seat, seat)
        case HandStarted():
            hand = start_hand(
                state.spec.rules,
                dealer=fact.dealer,
                deck=fact.deck,
                scores=fact.scores,
                redeals=fact.redeals,
                hand_number=fact.hand_number,
            )
            return _asking(state._replace(stage=Stage.PLAYING, join_by=None, hand=hand))
        case Acted():
            if state.hand is None:
                return state
            seat = state.seats[fact.seat]._replace(bank_ms=fact.bank_left_ms, last=_spent(fact))
            return _asking(
                _with_seat(state, fact.seat, seat)._replace(
                    hand=apply(state.hand, fact.action),
                    decision_count=state.decision_count + 1,
                )
            )
        case Faulted():
            seat = state.seats[fact.seat]
            faults = list(seat.faults)
            faults[fact.kind - 1] += 1
            seat = seat._replace(fault_count=fact.fault_count, faults=tuple(faults))
            if fact.kind is FaultKind.TIMEOUT and state.open is not None:
                state = state._replace(open=state.open._replace(since_ms=0))
            return _with_seat(state, fact.seat, seat)
        case Stalled():
            if state.join_by is None:
                return state
            return state._replace(join_by=state.join_by + fact.stalled_ms)
        case HandEnded():
            points = tuple(a + b for a, b in zip(state.points, fact.points, strict=True))
            return state._replace(
                hand_count=state.hand_count + 1, scores=fact.scores, points=points
            )
        case TableEnded():
            return state._replace(stage=Stage.OVER, open=None, join_by=None, ending=fact)
        case _:
            assert_never(fact)


def _spent(fact: Acted) -> Spent:
    return Spent(
        fact.decision_id,
        fact.actor is Actor.CLOCK,
        fact.charged_ms,
        fact.grace_used_ms,
        fact.stalled_ms,
        fact.round_trip_ms,
    )


def _with_seat(state: TableState, seat: int, value: SeatState) -> TableState:
    seats = (*state.seats[:seat], value, *state.seats[seat + 1 :])
    return state._replace(seats=seats)


def _asking(state: TableState) -> TableState:
    """Returns the state with a decision open for the seat to act, as the referee numbers it."""
    hand = state.hand
    if hand is None or hand.to_act is None:
        return state._replace(open=None)
    seat = state.seats[hand.to_act]
    number = seat.decision_id + 1
    budget = budget_of(state.spec.clock, number)
    return _with_seat(state, hand.to_act, seat._replace(decision_id=number))._replace(
        open=OpenDecision(hand.to_act, number, budget)
    )
