"""Owns what the referee decides and the record keeps: one frozen value for each kind of fact.

A table's whole history can be rebuilt from its facts alone. Must not know protobuf, files or the
network: `record/codec/` turns facts into record entries and back.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from euchre_engine import Action, Card, Seat

__all__ = [
    "Acted",
    "Actor",
    "Blame",
    "EndCause",
    "Fact",
    "FaultKind",
    "Faulted",
    "HandEnded",
    "HandStarted",
    "RejectReason",
    "SeatChange",
    "SeatChanged",
    "Stalled",
    "TableEnded",
    "Times",
]


# The numbers of these enums are those of the protocol and of the record (proto/).
class Actor(IntEnum):
    """Who chose an action."""

    BOT = 1
    CLOCK = 2


class Blame(IntEnum):
    """Who is responsible for how a table ended."""

    NONE = 1
    SEAT = 2
    ARENA = 3


class EndCause(IntEnum):
    """Why a table ended."""

    PLAYED = 1
    FAULTS = 2
    NEVER_JOINED = 3
    LEFT = 4
    ARENA_FAULT = 5
    STOPPED = 6


class FaultKind(IntEnum):
    """What a seat did wrong."""

    TIMEOUT = 1
    ILLEGAL = 2
    GARBLED = 3
    STALE = 4
    CRASH = 5
    START_FAILED = 6
    LEFT = 7


class RejectReason(IntEnum):
    """Why an answer was refused; `faults.reason_of` says which of the engine's reasons is which."""

    UNREADABLE = 1
    WRONG_PHASE = 2
    NOT_IN_HAND = 3
    MUST_FOLLOW = 4
    SUIT_NOT_ALLOWED = 5
    CARD_NOT_ALLOWED = 6
    WRONG_COUNT = 7
    NOT_ALLOWED = 8
    STALE_DECISION = 9
    UNKNOWN_DECISION = 10
    UNKNOWN_TABLE = 11
    BID_NOT_ALLOWED = 12


class SeatChange(IntEnum):
    """What happened between a session and a seat."""

    JOINED = 1
    LOST = 2
    LEFT = 3
    DIED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatChanged:
    """A session took or gave up a seat; epochs count up from 1, a newer one fences the older."""

    seat: Seat
    change: SeatChange
    session_epoch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandStarted:
    """A hand was dealt: the whole deck as dealt at this table, relabelled."""

    hand_number: int
    dealer: Seat
    deck: tuple[Card, ...]
    scores: tuple[int, ...]
    redeals: int


class Times(NamedTuple):
    """How the time of a decision stands at a moment (docs/clock.md), in milliseconds.

    Moments are counted from the table's beginning; what never came, or is not known, is None.
    """

    asked_ms: int | None
    """When the decision came up."""
    written_ms: int | None
    """When the question was first handed to the transport."""
    started_ms: int | None
    """When its clock began to run."""
    round_trip_ms: int | None
    """As the arena had measured it when it put the question."""
    stalled_ms: int | None
    """For how long the arena itself stood still while the clock ran."""
    grace_used_ms: int
    """How much of the round trip was not charged."""
    charged_ms: int


class Acted(NamedTuple):
    """A seat acted, by its bot or by the clock; times in milliseconds since the table began."""

    seat: Seat
    action: Action
    actor: Actor
    decision_id: int
    written_ms: int | None
    charged_ms: int
    bank_left_ms: int
    grace_used_ms: int = 0
    think_ms: int | None = None
    annotation: str = ""
    asked_ms: int | None = None
    """None, as the following, in a record older than them, and where the arena was killed that
    had asked and ruled the time-out."""
    started_ms: int | None = None
    round_trip_ms: int | None = None
    stalled_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Faulted:
    """A seat made a fault; `fault_count` is what the policy has counted so far."""

    seat: Seat
    kind: FaultKind
    fault_count: int
    decision_id: int = 0
    reason: RejectReason | None = None
    text: str = ""
    raw: bytes = b""
    times: Times | None = None
    """Of the open decision, where the fault is about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stalled:
    """The arena stood still; every open deadline moved by as much."""

    stalled_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEnded:
    """A hand is over; all lists per seat."""

    hand_number: int
    points: tuple[int, ...]
    scores: tuple[int, ...]
    tricks_won: tuple[int, ...]
    passed_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEnded:
    """A table is over; `scores` is what counts per seat."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    cause: EndCause
    blame: Blame
    blamed_seat: Seat | None
    rated: bool


Fact = SeatChanged | HandStarted | Acted | Faulted | Stalled | HandEnded | TableEnded
