"""Owns what operators and onlookers are told of matches, and what is asked of them, as values.

The wire reads and writes them; whoever hosts matches makes and takes them. Must not know protobuf.
"""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from euchre_engine import Ruleset
from euchre_server.match.boards import SeatingScheme
from euchre_server.match.standings import Comparison, Standing
from euchre_server.referee.facts import FaultKind
from euchre_server.referee.spec import ClockSpec, FaultPolicy, PolicyKind
from euchre_server.session.refusal import Reason

__all__ = [
    "BotRow",
    "Created",
    "MatchOrder",
    "MatchPage",
    "MatchProgress",
    "MatchRefused",
    "MatchSnapshot",
    "MatchState",
    "MatchUpdate",
    "Matches",
    "PublicHand",
]


class MatchState(IntEnum):
    """How far a match has come; the numbers are the protocol's."""

    QUEUED = 1
    PLAYING = 2
    FINISHED = 3
    STOPPED = 4
    RESTING = 5

    @property
    def is_over(self) -> bool:
        """Returns whether nothing more of it will be played."""
        return self in {MatchState.FINISHED, MatchState.STOPPED}


class MatchRefused(Exception):  # noqa: N818  # told to the caller; not an error of ours
    """Something that cannot be done with matches; the message says why and what would be right."""

    def __init__(self, reason: Reason, message: str) -> None:
        """Makes a refusal.

        Args:
            reason: Why, for programs.
            message: Why, for people.
        """
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOrder:
    """A match as somebody asks for it; None for what is left out."""

    request_id: str
    rules: str | Mapping[str, object]
    """As on the command line, or an object of preset and options."""
    bots: tuple[tuple[str, str], ...]
    """Name, which may be empty, and source."""
    boards: int | None
    games: int | None
    seed: str | None
    seatings: SeatingScheme
    tables: int | None
    clock: ClockSpec | None
    policy: PolicyKind
    join_within_ms: int | None
    remote_within_ms: int | None


@dataclass(frozen=True, slots=True)
class BotRow:
    """A bot of a match."""

    name: str
    source: str
    memory_excluded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchProgress:
    """Counts what has been played."""

    table_count: int
    tables_ended: int
    tables_open: int
    boards_released: int
    boards_withheld: int
    leg: int
    resumptions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSnapshot:
    """A match as everybody may see it."""

    match_id: str
    state: MatchState
    note: str
    rules: Ruleset
    bots: tuple[BotRow, ...]
    is_games: bool
    boards: int
    """Or games."""
    seatings: SeatingScheme
    tables: int
    clock: ClockSpec
    policy: FaultPolicy
    rated: bool
    public_seed: bool
    commitment: bytes
    created_unix_ms: int
    created_by: str
    progress: MatchProgress
    standings: tuple[Standing, ...] = ()
    """Over released boards."""
    faults: Mapping[str, Mapping[FaultKind, int]]
    """By bot, at all tables that have ended."""
    comparisons: tuple[Comparison, ...] = ()
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PublicHand:
    """A hand of a released board, as everybody may know it now."""

    board: int
    seating: int
    hand_number: int
    json: str


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """What a watcher is told at once."""

    match: MatchSnapshot
    hands: tuple[PublicHand, ...] = ()
    boards_skipped: int = 0


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Some matches, and how the next are asked for."""

    matches: tuple[MatchSnapshot, ...]
    next_page_token: str


@dataclass(frozen=True, slots=True)
class Created:
    """A match that was created, now or by an earlier call."""

    match: MatchSnapshot
    repeated: bool


class Matches(Protocol):
    """Whoever hosts matches; everything may raise `MatchRefused`."""

    async def create(self, order: MatchOrder, created_by: str) -> Created:
        """Creates a match, or returns the one that this order had created."""
        ...

    async def get(self, match_id: str) -> MatchSnapshot:
        """Returns a match as it stands."""
        ...

    async def list_matches(
        self, *, page_size: int, page_token: str, states: frozenset[MatchState]
    ) -> MatchPage:
        """Returns matches, the newest first."""
        ...

    async def cancel(self, match_id: str) -> MatchSnapshot:
        """Stops a match."""
        ...

    def watch(
        self, match_id: str, *, interval_ms: int | None, hands: bool
    ) -> AsyncGenerator[MatchUpdate, None]:
        """Yields how a match stands, at once and whenever that changes, until it is over."""
        ...
