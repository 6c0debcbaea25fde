"""Owns everything that can happen to a table, as one value a kind.

Each carries `at`, whole milliseconds since the table began; the driver stamps it, the referee never
asks. Sessions are numbered per seat from 1: a higher one fences the lower ones.
Named tuples, because two are made for every decision.
"""

from typing import NamedTuple

from euchre_engine import Action, Seat
from euchre_server.referee.facts import FaultKind

__all__ = [
    "Answered",
    "ArenaFault",
    "Drain",
    "Garbled",
    "Input",
    "Opened",
    "Resumed",
    "SeatDied",
    "SeatJoined",
    "SeatLeft",
    "SeatLost",
    "Stalled",
    "Stopped",
    "TimeCame",
    "Written",
]


class Opened(NamedTuple):
    """The table begins: its seats may join from now on."""

    at: int


class Resumed(NamedTuple):
    """A new arena goes on with a table; `at` goes on from the last fact that the old one kept."""

    at: int


class SeatJoined(NamedTuple):
    """A session took a seat, for the first time or again."""

    at: int
    seat: Seat
    session: int


class SeatLost(NamedTuple):
    """A session's stream ended without a goodbye."""

    at: int
    seat: Seat
    session: int


class SeatLeft(NamedTuple):
    """A session said goodbye."""

    at: int
    seat: Seat
    session: int


class SeatDied(NamedTuple):
    """The seat's process has ended, or never started: nobody will come back."""

    at: int
    seat: Seat
    kind: FaultKind
    """CRASH or START_FAILED."""
    text: str = ""


class Written(NamedTuple):
    """A question has been handed to the transport: its clock starts."""

    at: int
    seat: Seat
    session: int
    decision_id: int
    rtt_ms: int | None = None
    """The round trip that the arena measured; None when it has not."""


class Answered(NamedTuple):
    """A session answered a decision with an action that could be read."""

    at: int
    seat: Seat
    session: int
    decision_id: int
    action: Action
    think_ms: int | None = None
    annotation: str = ""


class Garbled(NamedTuple):
    """A session answered a decision with something that is no action."""

    at: int
    seat: Seat
    session: int
    decision_id: int
    text: str = ""
    raw: bytes = b""


class TimeCame(NamedTuple):
    """A moment asked for by `Wake` has come, or any other: nothing else happened."""

    at: int


class Stalled(NamedTuple):
    """The arena itself stood still for so long, until now."""

    at: int
    stalled_ms: int


class ArenaFault(NamedTuple):
    """The arena failed at this table."""

    at: int
    why: str


class Drain(NamedTuple):
    """The arena is stopping.

    The hand in play is finished, no other is dealt, and the table rests until another arena goes
    on with it.
    """

    at: int


class Stopped(NamedTuple):
    """An operator stops the table at once."""

    at: int


Input = (
    Opened
    | Resumed
    | SeatJoined
    | SeatLost
    | SeatLeft
    | SeatDied
    | Written
    | Answered
    | Garbled
    | TimeCame
    | Stalled
    | ArenaFault
    | Drain
    | Stopped
)
