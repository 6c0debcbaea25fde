"""Owns what the arena tells a bot besides decisions, as plain values.

Must not know what a bot makes of it.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from euchre_arena.actions import Action
    from euchre_arena.decision import Decision
    from euchre_arena.games import Table
    from euchre_arena.legal import LegalActions
    from euchre_arena.view import View

__all__ = [
    "Blame",
    "BotStanding",
    "Disconnected",
    "EndCause",
    "Event",
    "GameEnded",
    "Goodbye",
    "GoodbyeReason",
    "HandEnded",
    "Limits",
    "MatchEnded",
    "Reconnected",
    "RejectReason",
    "Rejected",
    "SessionFault",
    "TableClosed",
    "TableOpened",
    "TimeSpent",
    "TimedOut",
    "Welcome",
]


class _Told(IntEnum):
    """A set to which a later arena may add; what this client does not know is UNKNOWN."""

    @classmethod
    def _missing_(cls, value: object) -> "_Told":  # noqa: ARG003 - enum's signature
        return cls(0)


class RejectReason(_Told):
    """Why an answer was refused."""

    UNKNOWN = 0
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


class GoodbyeReason(_Told):
    """Why a session ends."""

    UNKNOWN = 0
    LEAVING = 1
    DONE = 2
    FENCED = 3
    DRAINING = 4
    REFUSED = 5
    FAULTY = 6
    SLOW_READER = 7


class EndCause(_Told):
    """Why a table ended."""

    UNKNOWN = 0
    PLAYED = 1
    FAULTS = 2
    NEVER_JOINED = 3
    LEFT = 4
    ARENA_FAULT = 5
    STOPPED = 6


class Blame(_Told):
    """Who is responsible for how a table ended."""

    UNKNOWN = 0
    NONE = 1
    SEAT = 2
    ARENA = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the arena accepts on one session; sizes in bytes."""

    max_frame_bytes: int
    max_annotation_bytes: int
    max_name_bytes: int
    max_queue_bytes: int
    max_tables: int
    max_open_decisions: int
    max_session_faults: int
    idle_ms: int
    max_useless_messages: int
    useless_per_second: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome:
    """The arena let the bot in, under this name."""

    bot_name: str
    session_id: str
    instance_id: str
    limits: Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Disconnected:
    """The connection was lost, as `text` says, and is dialled again. Open tables stay open."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconnected:
    """The arena let the bot in again."""

    welcome: Welcome


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    """The bot sits at a new table."""

    table: "Table"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpent:
    """How the time of a decision was counted, in milliseconds.

    From the moment its clock began until it was answered, or time ran out, passed
    `charged_ms + grace_used_ms + stalled_ms`.

    Attributes:
        decision_id: The decision.
        by_clock: Whether the clock played, since the time had run out, and not the bot.
        charged_ms: What was charged.
        grace_used_ms: How much of the round trip was not charged.
        stalled_ms: For how long the arena itself stood still, which is not charged; None if that
            is not known.
        round_trip_ms: The round trip that the arena had measured; None if it had not.
    """

    decision_id: int
    by_clock: bool
    charged_ms: int
    grace_used_ms: int
    stalled_ms: int | None
    round_trip_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """An answer was refused; nothing has changed but the count of faults.

    Attributes:
        table: The table; None if the answer named none that this session knows.
        decision: The decision, if it is still open, so that it may be answered again.
        refused: The action that was refused, as far as it is known here.
        legal: The legal actions of the decision that is open, if any.
        time_left_ms: What is left of the open decision's own time; 0 where none is open.
        charged_ms: What has been charged for the open decision so far; None where none is open.
        bank_left_ms: What that leaves of the bank; None where none is open.
    """

    table: "Table | None"
    decision_id: int
    decision: "Decision | None"
    refused: "Action | None"
    reason: RejectReason
    text: str
    legal: "LegalActions"
    time_left_ms: int
    fault_count: int
    charged_ms: int | None
    bank_left_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedOut:
    """Time ran out, and the clock played for the seat.

    Attributes:
        played: What it played; None if the table is forfeited for this.
    """

    table: "Table"
    decision_id: int
    played: "Action | None"
    charged_ms: int
    bank_left_ms: int
    fault_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEnded:
    """A hand is over.

    Attributes:
        scores: Those after it, per seat.
        last: How the time of this seat's last decision was counted; None if it had none.
    """

    table: "Table"
    view: "View"
    scores: tuple[int, ...]
    last: TimeSpent | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """A game is over.

    Attributes:
        carry: The scores with which the next game would begin; empty unless laps are played.
        game_worth: How many won games this one counts as.
    """

    table: "Table"
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    carry: tuple[int, ...]
    game_worth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """A table is closed; the last that is told of it.

    If it closed while the bot was disconnected, `cause` is UNKNOWN, and `scores` and `winners` are
    empty.
    """

    table: "Table"
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    cause: EndCause
    blame: Blame
    blamed_seat: int | None
    rated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BotStanding:
    """What one bot made of the match."""

    bot_name: str
    hand_count: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded:
    """The match is over; `standings` are in order, best first."""

    match_id: str
    standings: tuple[BotStanding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFault:
    """Something that this session sent was of no use to the arena."""

    reason: int
    text: str
    fault_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Goodbye:
    """The arena ended the session; `redial_after_ms` is None if the bot should not come back."""

    reason: GoodbyeReason
    text: str
    redial_after_ms: int | None


Event = (
    Welcome
    | Disconnected
    | Reconnected
    | TableOpened
    | Rejected
    | TimedOut
    | HandEnded
    | GameEnded
    | TableClosed
    | MatchEnded
    | SessionFault
    | Goodbye
)
