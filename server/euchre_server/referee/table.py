"""The referee's machine: `step(state, input) -> (state, outputs)`.

Rules of this file (DESIGN.md section 5):

1. It never raises, reads no clock, draws nothing at random and logs nothing.
2. Deadlines come first: what is overdue is ruled, stamped with its deadline, before the input is
   looked at. Only what the arena did itself comes earlier still: a stall moves the deadlines, and
   where it failed nothing more is ruled.
3. One precedence for answers: deadline, current session, current decision, readable, legal.
   Whose turn it is follows from the decision: only the seat to act has one open.
4. A refused answer changes nothing but the fault count.

What follows from a ruling is `turn`'s business.
"""

from typing import assert_never

from euchre_engine import ActionError, Seat, apply, legal_actions
from euchre_server.referee.facts import (
    Actor,
    Blame,
    EndCause,
    FaultKind,
    RejectReason,
    SeatChange,
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
    SeatDied,
    SeatJoined,
    SeatLeft,
    SeatLost,
    Stalled,
    Stopped,
    TimeCame,
    Written,
)
from euchre_server.referee.outputs import Output, Seated
from euchre_server.referee.state import Presence, Stage, TableState
from euchre_server.referee.turn import Turn

__all__ = ["step"]


def step(state: TableState, event: Input) -> tuple[TableState, list[Output]]:
    """Returns the state after an input, and what is to be done, in this order."""
    turn = Turn(state)
    if turn.stage is not Stage.OVER:
        if isinstance(event, Stalled):
            _stall(turn, event)
        elif isinstance(event, ArenaFault):
            turn.end(event.at, EndCause.ARENA_FAULT, Blame.ARENA)
    _rule_what_is_due(turn, event.at)
    if turn.stage is not Stage.OVER:
        _take(turn, event)
        turn.settle(event.at)
    return turn.frozen(), turn.out


def _rule_what_is_due(turn: Turn, at: int) -> None:
    """Books every time-out up to now, each at its own deadline."""
    while (due := turn.due()) is not None and due <= at:
        if turn.stage is Stage.JOINING:
            _never_joined(turn, due)
        else:
            turn.time_out(due)
            turn.settle(due)


def _take(turn: Turn, event: Input) -> None:
    match event:
        case Written():
            _written(turn, event)
        case Answered() | Garbled():
            _answered(turn, event)
        case TimeCame() | Stalled() | ArenaFault():
            pass  # dealt with before
        case Opened():
            if turn.stage is Stage.NEW:
                turn.stage = Stage.JOINING
                turn.join_by = event.at + turn.spec.join_within_ms
                turn.wake()
        case SeatJoined():
            _joined(turn, event)
        case SeatLost() | SeatLeft():
            _went(turn, event)
        case SeatDied():
            _died(turn, event)
        case Drain():
            turn.draining = True
            if turn.stage is not Stage.PLAYING:
                turn.end(event.at, EndCause.STOPPED, Blame.NONE)
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
        or not _is_current(turn, event.seat, event.session)
    ):
        return
    if opened.written_ms is None:
        turn.open = opened._replace(written_ms=event.at)
    turn.start_clock(event.at, grace_ms=max(0, min(event.rtt_ms, turn.spec.clock.grace_ms)))


def _answered(turn: Turn, event: Answered | Garbled) -> None:
    opened, hand = turn.open, turn.hand
    at, seat, number = event.at, event.seat, event.decision_id
    if not _is_current(turn, seat, event.session):
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
    turn.fault(
        event.at,
        event.seat,
        kind,
        decision_id=event.decision_id,
        reason=reason,
        text=text,
        raw=event.raw if isinstance(event, Garbled) else str(event.action).encode(),
    )
    legal = () if turn.hand is None else legal_actions(turn.hand)
    turn.reject(event.at, event.seat, event.decision_id, reason=reason, text=text, legal=legal)
    turn.enforce(event.at, event.seat)


def _is_current(turn: Turn, seat: Seat, session: int) -> bool:
    state = turn.seats[seat]
    return state.presence is Presence.JOINED and state.session == session


# Seats


def _joined(turn: Turn, event: SeatJoined) -> None:
    state = turn.seats[event.seat]
    if turn.stage is Stage.NEW or state.presence.is_final or event.session <= state.session:
        return
    turn.change_seat(
        event.at, event.seat, Presence.JOINED, SeatChange.JOINED, session=event.session
    )
    turn.tell(event.seat, Seated())
    if turn.open is not None and turn.open.seat == event.seat:
        turn.tell_decision(event.at)
    if turn.stage is Stage.JOINING and all(seat.presence is Presence.JOINED for seat in turn.seats):
        turn.stage = Stage.PLAYING
        turn.join_by = None


def _went(turn: Turn, event: SeatLost | SeatLeft) -> None:
    seat = event.seat
    if not _is_current(turn, seat, event.session):
        return
    if isinstance(event, SeatLost):
        turn.change_seat(event.at, seat, Presence.LOST, SeatChange.LOST, session=event.session)
        turn.fault(event.at, seat, FaultKind.CRASH, text="the stream ended without a goodbye")
        turn.enforce(event.at, seat)
        if turn.open is not None and turn.open.seat == seat:
            turn.start_clock(event.at)
    else:
        turn.change_seat(event.at, seat, Presence.LEFT, SeatChange.LEFT, session=event.session)
        turn.fault(event.at, seat, FaultKind.LEFT)
        turn.enforce(event.at, seat)
        _gone(turn, event.at, seat, EndCause.LEFT)


def _died(turn: Turn, event: SeatDied) -> None:
    state = turn.seats[event.seat]
    if state.presence.is_final:
        return
    turn.change_seat(event.at, event.seat, Presence.DIED, SeatChange.DIED, session=state.session)
    if state.presence is not Presence.LOST:  # the loss of its stream was this fault already
        turn.fault(event.at, event.seat, event.kind, text=event.text)
        turn.enforce(event.at, event.seat)
    _gone(turn, event.at, event.seat, EndCause.NEVER_JOINED)


def _gone(turn: Turn, at: int, seat: Seat, cause_before_play: EndCause) -> None:
    """Goes on without a bot that cannot come back: its decisions time out at once."""
    if turn.stage is Stage.JOINING or turn.stage is Stage.NEW:
        turn.forfeit(at, seat, cause_before_play)
    elif turn.open is not None and turn.open.seat == seat:
        turn.time_out(at)


def _never_joined(turn: Turn, at: int) -> None:
    absent = [
        seat for seat in turn.spec.rules.seats if turn.seats[seat].presence is not Presence.JOINED
    ]
    for seat in absent:
        turn.fault(at, seat, FaultKind.START_FAILED, text="the bot did not join in time")
    turn.forfeit(at, absent[0], EndCause.NEVER_JOINED, *absent[1:])


# The arena


def _stall(turn: Turn, event: Stalled) -> None:
    """Moves whatever deadline is running, and books it."""
    if event.stalled_ms <= 0:
        return
    if turn.open is not None:
        if turn.open.since_ms is None:
            return
        turn.open = turn.open.stalled(event.at, event.stalled_ms)
    elif turn.join_by is not None:
        turn.join_by += event.stalled_ms
    else:
        return
    turn.book(event.at, StalledFact(stalled_ms=event.stalled_ms))
    turn.wake()
