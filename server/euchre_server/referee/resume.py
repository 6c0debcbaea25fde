"""Owns how a table goes on that a killed arena left behind (DESIGN.md section 5, rules 6 and 10).

The state is one that `rebuild` made. A kill can fall between two facts of one ruling: what the old
arena had begun to rule is ruled to its end, and nothing is booked twice. Then every bot that had
not gone for good is awaited again, as when the table opened; meanwhile no clock runs.
Must not know where facts are kept.
"""

from euchre_engine import Seat
from euchre_server.referee.facts import EndCause, FaultKind
from euchre_server.referee.seats import go_on_without, never_joined
from euchre_server.referee.state import Presence, Stage
from euchre_server.referee.turn import Turn

__all__ = ["resume"]


def resume(turn: Turn, at: int) -> None:
    """Goes on with a table."""
    seats = turn.spec.rules.seats
    absent = [seat for seat in seats if _was_absent(turn, seat)]
    if turn.stage is Stage.JOINING and absent:
        for seat in absent:
            turn.seats[seat] = turn.seats[seat]._replace(presence=Presence.EXPECTED)
        never_joined(turn, at)
        return
    for seat in seats:
        state = turn.seats[seat]
        if not state.presence.is_final:
            turn.seats[seat] = state._replace(presence=Presence.EXPECTED)
    turn.join_by = at + turn.spec.join_within_ms
    if turn.open is not None and turn.open.since_ms is None:
        turn.open = turn.open._replace(asked_ms=at)
    _end_ruling(turn, at)
    if turn.stage is not Stage.OVER:
        turn.wake()


def _end_ruling(turn: Turn, at: int) -> None:
    for seat in turn.spec.rules.seats:
        if turn.seats[seat].presence.is_final:
            _book_departure(turn, at, seat)
        turn.enforce(at, seat)
    opened = turn.open
    if opened is not None and opened.since_ms is not None:
        # Its time had run out: all of it is charged, unless nobody was there to use it.
        used = opened.budget_ms + turn.seats[opened.seat].bank_ms
        gone = turn.seats[opened.seat].presence.is_final
        turn.open = opened._replace(since_ms=None if gone else at - used)
        turn.play_default(at)
        return
    for seat in turn.spec.rules.seats:
        if turn.seats[seat].presence.is_final and turn.stage is not Stage.OVER:
            left = turn.seats[seat].presence is Presence.LEFT
            go_on_without(turn, at, seat, EndCause.LEFT if left else EndCause.NEVER_JOINED)


def _book_departure(turn: Turn, at: int, seat: Seat) -> None:
    """Books the fault of a seat that has gone for good, if it is missing."""
    state = turn.seats[seat]
    if state.presence is Presence.LEFT:
        kind = other = FaultKind.LEFT
    elif state.session:
        kind, other = FaultKind.CRASH, FaultKind.START_FAILED
    else:
        kind, other = FaultKind.START_FAILED, FaultKind.CRASH
    if not state.faults[kind - 1] and not state.faults[other - 1]:
        turn.fault(at, seat, kind)


def _was_absent(turn: Turn, seat: Seat) -> bool:
    """Returns whether it was booked already that a seat's bot had not come in time."""
    state = turn.seats[seat]
    return not state.presence.is_final and state.faults[FaultKind.START_FAILED - 1] > 0
