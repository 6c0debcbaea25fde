"""Owns everything that the referee asks the driver to do, and what it says to a seat.

Messages hold views and legal sets of the engine: the wire packs them. A message to a seat has no
place for what that seat may not know.
"""

from dataclasses import dataclass
from typing import NamedTuple

from euchre_engine import Action, LegalSet, Seat
from euchre_engine.views import View
from euchre_server.referee.facts import Fact, RejectReason, TableEnded

__all__ = [
    "Adjourned",
    "Ask",
    "Booked",
    "Closed",
    "Ended",
    "GameOver",
    "HandOver",
    "Message",
    "Output",
    "Reject",
    "Seated",
    "Send",
    "Spent",
    "TimedOut",
    "Wake",
]


class Seated(NamedTuple):
    """You sit at this table; the first message about it on every session."""


class Spent(NamedTuple):
    """How the time of a seat's decision was counted."""

    decision_id: int
    by_clock: bool
    """Whether the clock played instead of the bot."""
    charged_ms: int
    grace_used_ms: int
    stalled_ms: int | None
    round_trip_ms: int | None


class Ask(NamedTuple):
    """Your decision. Its clock starts when it is written, unless it runs already."""

    decision_id: int
    time_left_ms: int
    bank_left_ms: int
    view: View
    legal: LegalSet
    last: Spent | None = None
    """Of the seat's decision before this one."""
    default_count: int = 0
    """How many decisions the clock has played for the seat so far."""


class TimedOut(NamedTuple):
    """Your time ran out; this was played for you."""

    decision_id: int
    played: Action | None
    """None: the table is forfeited for it."""
    charged_ms: int
    bank_left_ms: int
    fault_count: int


class HandOver(NamedTuple):
    """A hand is over."""

    view: View
    scores: tuple[int, ...]
    last: Spent | None = None
    """Of the seat's last decision."""


class GameOver(NamedTuple):
    """A game to the target is over."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    carry: tuple[int, ...]
    """By seat: the scores with which a next game of the same players would begin."""
    game_worth: int
    """How many games this one counts for."""


class Closed(NamedTuple):
    """The table is closed; the last message about it."""

    ending: TableEnded


Message = Seated | Ask | TimedOut | HandOver | GameOver | Closed


class Booked(NamedTuple):
    """Put a fact into the record, before anybody is told of it."""

    number: int
    """Counts the table's facts from 1."""
    at: int
    fact: Fact


class Send(NamedTuple):
    """Tell a seat's session something."""

    seat: Seat
    session: int
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    """Tell a seat's session that its answer was refused."""

    seat: Seat
    session: int
    decision_id: int
    reason: RejectReason
    text: str
    legal: LegalSet
    """Of the seat's open decision; empty where none is open."""
    time_left_ms: int
    """Of the seat's open decision; 0 where none is open."""
    fault_count: int
    charged_ms: int | None = None
    """For the seat's open decision so far; None where none is open."""
    bank_left_ms: int | None = None
    """What that leaves of the bank; None where none is open."""


class Wake(NamedTuple):
    """Send `TimeCame` at this moment; an earlier one still to come is superseded."""

    at: int


class Ended(NamedTuple):
    """The table is over: let go of it."""

    ending: TableEnded


class Adjourned(NamedTuple):
    """The arena drains and no hand is in play: let go of the table, another arena goes on."""


Output = Booked | Send | Reject | Wake | Ended | Adjourned
