"""Owns what an arena and a bot say to each other outside of tables, as plain values.

The wire reads and writes them. Must not know protobuf, and nothing of tables but their ids.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from euchre_engine import Action
from euchre_engine.games import Game
from euchre_server.session.auth import Secret

__all__ = [
    "Answer",
    "BotMessage",
    "Farewell",
    "GoodbyeReason",
    "Hello",
    "Limits",
    "Pong",
    "SessionFaultReason",
    "SessionInfo",
    "Standing",
    "Unknown",
    "ViewMode",
    "ViewRequest",
    "Welcome",
]


class GoodbyeReason(IntEnum):
    """Why a session ends; the numbers are the protocol's."""

    UNSPECIFIED = 0
    LEAVING = 1
    DONE = 2
    FENCED = 3
    DRAINING = 4
    REFUSED = 5
    FAULTY = 6
    SLOW_READER = 7


class SessionFaultReason(IntEnum):
    """What was wrong with a frame or message; the numbers are the protocol's."""

    UNDECODABLE = 1
    UNKNOWN_KIND = 2
    OVERSIZED = 3
    OUT_OF_PLACE = 4
    FLOODING = 5


class ViewMode(IntEnum):
    """How a bot wants its views; the numbers are the protocol's."""

    UNSPECIFIED = 0
    FULL = 1
    LEAN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """States what the arena accepts on one session; the first ten are told in Welcome."""

    max_frame_bytes: int = 65_536
    max_annotation_bytes: int = 1_024
    max_name_bytes: int = 128
    max_queue_bytes: int = 4 * 1024 * 1024
    max_tables: int = 10_000
    max_open_decisions: int = 256
    """So many answers in one frame keep the loop from others for some 25 ms."""
    max_session_faults: int = 10
    idle_ms: int = 15_000
    max_useless_messages: int = 256
    """How many messages of no use may come at once, beside one for each question put."""
    useless_per_second: int = 20
    """How many more with time."""

    max_sessions: int = 256
    max_streams_per_bot: int = 8
    max_streams_per_connection: int = 16
    max_dials: int = 20
    """How often a bot may dial at once."""
    dials_per_second: int = 2
    """How often more with time."""
    shut_out_ms: int = 10_000
    """For how long a bot is not let in whose session ended as FAULTY."""
    hello_within_ms: int = 10_000
    write_within_ms: int = 10_000
    """How long one frame may stay unread by the transport before the bot counts as not reading."""


# From the bot


class Hello(NamedTuple):
    """Introduces a bot."""

    protocol_version: int
    bot_name: str
    bot_version: str
    client_library: str
    max_tables: int
    max_open_decisions: int
    games: frozenset[Game]
    """The games that it plays, of those that this arena knows."""
    view_mode: int
    resume_token: Secret | None = None


class Farewell(NamedTuple):
    """The bot leaves."""

    text: str


class Answer(NamedTuple):
    """Answers a decision."""

    table_id: str
    decision_id: int
    action: Action | None
    """None: not readable; then `unreadable` says why and `raw` is what came."""
    think_ms: int | None
    annotation: str
    unreadable: str = ""
    raw: bytes = b""


class Pong(NamedTuple):
    """Answers a ping."""

    nonce: int


class ViewRequest(NamedTuple):
    """Asks for the whole view of a table."""

    table_id: str


class Unknown(NamedTuple):
    """A message without a kind that this arena knows."""


BotMessage = Hello | Farewell | Answer | Pong | ViewRequest | Unknown


# From the arena


class Welcome(NamedTuple):
    """Accepts a bot."""

    instance_id: str
    session_id: str
    bot_name: str
    limits: Limits
    resume_token: Secret


class Standing(NamedTuple):
    """What one bot made of a match."""

    bot_name: str
    hand_count: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """What a bot that joined said of itself, within the arena's limits."""

    session_id: str
    bot_name: str
    bot_version: str
    client_library: str
    max_tables: int
    max_open_decisions: int
    games: frozenset[Game]
    """The games that it plays."""
    is_lean: bool = False
    """Whether it wants to be told what changes, not whole views."""
