"""Owns what follows from bots that come, go, or do not come.

Must not know what is asked of them or how they answer.
"""

from euchre_engine import Seat
from euchre_server.referee.facts import EndCause, FaultKind, SeatChange
from euchre_server.referee.inputs import SeatDied, SeatJoined, SeatLeft, SeatLost
from euchre_server.referee.outputs import Seated
from euchre_server.referee.state import Presence, Stage
from euchre_server.referee.turn import Turn

__all__ = ["died", "go_on_without", "joined", "never_joined", "wait_no_longer", "went"]


def joined(turn: Turn, event: SeatJoined) -> None:
    """Seats a session; play begins when every seat has one."""
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
    if turn.stage is Stage.PLAYING and not _awaited(turn):
        turn.join_by = None


def went(turn: Turn, event: SeatLost | SeatLeft) -> None:
    """Takes note that a session is over."""
    seat = event.seat
    if not turn.is_current(seat, event.session):
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
        go_on_without(turn, event.at, seat, EndCause.LEFT)


def died(turn: Turn, event: SeatDied) -> None:
    """Takes note that nobody will come back to a seat."""
    state = turn.seats[event.seat]
    if state.presence.is_final:
        return
    turn.change_seat(event.at, event.seat, Presence.DIED, SeatChange.DIED, session=state.session)
    if state.presence is not Presence.LOST:  # the loss of its stream was this fault already
        turn.fault(event.at, event.seat, event.kind, text=event.text)
        turn.enforce(event.at, event.seat)
    go_on_without(turn, event.at, event.seat, EndCause.NEVER_JOINED)


def go_on_without(turn: Turn, at: int, seat: Seat, cause_before_play: EndCause) -> None:
    """Goes on without a bot that cannot come back: its decisions time out at once."""
    if turn.stage is Stage.JOINING or turn.stage is Stage.NEW:
        turn.forfeit(at, seat, cause_before_play)
    elif turn.open is not None and turn.open.seat == seat:
        turn.time_out(at)


def never_joined(turn: Turn, at: int) -> None:
    """Ends a table against the seats that have not joined in time."""
    absent = [
        seat for seat in turn.spec.rules.seats if turn.seats[seat].presence is not Presence.JOINED
    ]
    for seat in absent:
        if turn.seats[seat].faults[FaultKind.START_FAILED - 1]:
            continue  # a killed arena had booked it already
        turn.fault(at, seat, FaultKind.START_FAILED, text="the bot did not join in time")
    turn.forfeit(at, absent[0], EndCause.NEVER_JOINED, *absent[1:])


def wait_no_longer(turn: Turn, at: int) -> None:
    """Lets the clocks of seats run whose bots have not come back after the arena was killed."""
    turn.join_by = None
    opened = turn.open
    if opened is not None and turn.seats[opened.seat].presence is Presence.EXPECTED:
        turn.start_clock(at)
    turn.wake()


def _awaited(turn: Turn) -> bool:
    return any(seat.presence is Presence.EXPECTED for seat in turn.seats)
