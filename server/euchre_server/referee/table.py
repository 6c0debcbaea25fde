"""The referee's machine: `step(state, input) -> (state, outputs)`.

Rules of this file (DESIGN.md section 5):

1. It never raises, reads no clock, draws nothing at random and logs nothing.
2. Deadlines come first: what is overdue is ruled, stamped with its deadline, before the input is
   looked at. Only what the arena did itself comes earlier still: a stall moves the deadlines, a
   resumption sets them anew, and where it failed nothing more is ruled.
3. One precedence for answers: deadline, current session, current decision, readable, legal.
   Whose turn it is follows from the decision: only the seat to act has one open.
4. A refused answer changes nothing but the fault count.

What follows from a ruling is `turn`'s business, from a bot's coming and going `seats`'.
"""

from typing import assert_never

from euchre_engine import ActionError, apply, legal_actions
from euchre_server.referee.facts import (
    Actor,
    Blame,
    EndCause,
    FaultKind,
    RejectReason,
)
from euchre_server.referee.facts import Stalled as StalledFact
from euchre_server.referee.faults import reason_of
from euchre_server.referee.inputs import (
    Answered,
    ArenaFault,
    Drain,
    Garbled,
    Input,
    Opened,
    Resumed,
    SeatDied,
    SeatJoined,
    SeatLeft,
    SeatLost,
    Stalled,
    Stopped,
    TimeCame,
    Written,
)
from euchre_server.referee.outputs import Output, Reject
from euchre_server.referee.resume import resume
from euchre_server.referee.seats import died, joined, never_joined, wait_no_longer, went
from euchre_server.referee.state import Stage, TableState
from euchre_server.referee.turn import Turn

__all__ = ["step"]


def step(state: TableState, event: Input) -> tuple[TableState, list[Output]]:
    """Returns the state after an input, and what is to be done, in this order."""
    turn = Turn(state)
    if isinstance(event, (Stalled, ArenaFault, Resumed)) and turn.stage is not Stage.OVER:
        _take_first(turn, event)
    _rule_what_is_due(turn, event.at)
    if turn.stage is not Stage.OVER:
        _take(turn, event)
        turn.settle(event.at)
    return turn.frozen(), turn.out


def _take_first(turn: Turn, event: Stalled | ArenaFault | Resumed) -> None:
    match event:
        case Stalled():
            _stall(turn, event)
        case ArenaFault():
            turn.end(event.at, EndCause.ARENA_FAULT, Blame.ARENA)
        case Resumed():
            resume(turn, event.at)
        case _:
            assert_never(event)


def _rule_what_is_due(turn: Turn, at: int) -> None:
    """Books every time-out up to now, each at its own deadline."""
    while (due := turn.due()) is not None and due <= at:
        if turn.stage is Stage.JOINING:
            never_joined(turn, due)
        elif turn.join_by is not None and turn.join_by <= due:
            wait_no_longer(turn, due)
        else:
            turn.time_out(due)
            turn.settle(due)


def _take(turn: Turn, event: Input) -> None:
    match event:
        case Written():
            _written(turn, event)
        case Answered() | Garbled():
            _answered(turn, event)
        case TimeCame() | Stalled() | ArenaFault() | Resumed():
            pass  # dealt with before
        case Opened():
            if turn.stage is Stage.NEW:
                turn.stage = Stage.JOINING
                turn.join_by = event.at + turn.spec.join_within_ms
                turn.wake()
        case SeatJoined():
            joined(turn, event)
        case SeatLost() | SeatLeft():
            went(turn, event)
        case SeatDied():
            died(turn, event)
        case Drain():
            turn.draining = True
            if turn.stage is not Stage.PLAYING:
                turn.adjourn()
        case Stopped():
            turn.end(event.at, EndCause.STOPPED, Blame.NONE)
        case _:
            assert_never(event)


# Answers


def _written(turn: Turn, event: Written) -> None:
    opened = turn.open
    if (
        opened is None
        or (opened.seat, opened.decision_id) != (event.seat, event.decision_id)
        or not turn.is_current(event.seat, event.session)
    ):
        return
    grace_ms = max(0, min(event.rtt_ms or 0, turn.spec.clock.grace_ms))
    turn.open = opened.put(event.at, round_trip_ms=event.rtt_ms, grace_ms=grace_ms)
    if opened.since_ms is None:
        turn.wake()


def _answered(turn: Turn, event: Answered | Garbled) -> None:
    opened, hand = turn.open, turn.hand
    at, seat, number = event.at, event.seat, event.decision_id
    if not turn.is_current(seat, event.session):
        return
    mine = opened is not None and opened.seat == seat
    written = turn.seats[seat].decision_id
    if mine and opened is not None and opened.written_ms is None:
        written -= 1
    if not 0 < number <= written:
        text = f"no decision {number} was ever put to this seat"
        _refuse(turn, event, FaultKind.ILLEGAL, RejectReason.UNKNOWN_DECISION, text)
    elif opened is None or hand is None or not mine or number != opened.decision_id:
        text = f"decision {number} is no longer open"
        _refuse(turn, event, FaultKind.STALE, RejectReason.STALE_DECISION, text)
    elif isinstance(event, Garbled):
        _refuse(turn, event, FaultKind.GARBLED, RejectReason.UNREADABLE, event.text)
    else:
        try:
            after = apply(hand, event.action)
        except ActionError as error:
            _refuse(turn, event, FaultKind.ILLEGAL, reason_of(error.reason), error.message)
        else:
            turn.play(
                at,
                event.action,
                after,
                Actor.BOT,
                think_ms=event.think_ms,
                annotation=event.annotation,
            )


def _refuse(
    turn: Turn, event: Answered | Garbled, kind: FaultKind, reason: RejectReason, text: str
) -> None:
    """Refuses an answer: told, booked, counted; nothing else changes."""
    opened, seat, at = turn.open, event.seat, event.at
    # A question that still waits to be written is not shown beforehand, while no clock runs.
    if opened is not None and (opened.seat != seat or opened.written_ms is None):
        opened = None
    is_about_it = opened is not None and opened.decision_id == event.decision_id
    turn.fault(
        event.at,
        event.seat,
        kind,
        decision_id=event.decision_id,
        reason=reason,
        text=text,
        raw=event.raw if isinstance(event, Garbled) else str(event.action).encode(),
        times=opened.times(at) if opened is not None and is_about_it else None,
    )
    charged_ms = None if opened is None else opened.charge(at)
    turn.out.append(
        Reject(
            seat=seat,
            session=turn.seats[seat].session,
            decision_id=event.decision_id,
            reason=reason,
            text=text,
            legal=() if opened is None or turn.hand is None else legal_actions(turn.hand),
            time_left_ms=0 if opened is None else opened.time_left(at),
            fault_count=turn.seats[seat].fault_count,
            charged_ms=charged_ms,
            bank_left_ms=(
                None
                if opened is None or charged_ms is None
                else opened.bank_after(turn.seats[seat].bank_ms, charged_ms)
            ),
        )
    )
    turn.enforce(event.at, event.seat)


# The arena


def _stall(turn: Turn, event: Stalled) -> None:
    """Moves whatever deadline is running, and books it."""
    if event.stalled_ms <= 0:
        return
    runs = turn.open is not None and turn.open.since_ms is not None
    if not runs and turn.join_by is None:
        return
    if turn.open is not None:
        turn.open = turn.open.stalled(event.at, event.stalled_ms)
    if turn.join_by is not None:
        turn.join_by += event.stalled_ms
    turn.book(event.at, StalledFact(stalled_ms=event.stalled_ms))
    turn.wake()
