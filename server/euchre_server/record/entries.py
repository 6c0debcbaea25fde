"""Owns what a record holds: a frozen value for each kind of entry, and what can be wrong with one.

The referee's facts (`referee/facts.py`) are entries too; here are those of the match as a whole.
Must not know how entries are written (`codec`), framed (`chain`) or stored (`store`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from euchre_server.referee.facts import Fact

if TYPE_CHECKING:
    from euchre_engine import Ruleset, Seat, Suit
    from euchre_engine.option_kinds import OptionValue
    from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableMode, TableSpec

__all__ = [
    "MATCH",
    "BotSeated",
    "Entry",
    "MatchOpened",
    "MatchResumed",
    "MatchSealed",
    "NotARecord",
    "RecordDamaged",
    "RecordEnds",
    "RecordError",
    "RecordFact",
    "RecordTorn",
    "TableOpened",
]

MATCH = 0
"""The table number of entries about the match as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOpened:
    """The match began; the first entry of a record."""

    match_id: str
    arena_version: str
    started_unix_ms: int
    commitment: bytes
    specification: bytes
    """Canonical JSON: what the commitment covers."""
    public_seed: bool
    bot_names: tuple[str, ...]
    setup: bytes = b""
    """Canonical JSON: how the arena was told to run it; empty in records older than this field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResumed:
    """An arena goes on with a match; all bots have to join their tables again."""

    arena_version: str
    resumed_unix_ms: int
    cut_bytes: int
    """Of an entry inside which the record ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSeated:
    """A program plays under a name in one leg; what it said of itself."""

    bot_name: str
    leg: int
    bot_version: str
    client_library: str
    source: str
    isolation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    """A table began; all that is fixed about it, except the key that its cards come from."""

    table_id: str
    rules: Ruleset
    bots: tuple[str, ...]
    mode: TableMode
    board: int
    """Or the game, where there are no boards."""
    seating: int
    first_dealer: Seat
    relabelling: tuple[Suit, Suit, Suit, Suit]
    clock: ClockSpec
    policy: FaultPolicy
    bot_seeds: tuple[int, ...] = field(repr=False)
    join_within_ms: int
    options: tuple[tuple[str, OptionValue], ...]
    """The options as the record lists them: an old record does not list options made since."""

    @classmethod
    def of(cls, spec: TableSpec) -> TableOpened:
        """Returns the entry that opens a table."""
        return cls(
            table_id=spec.table_id,
            rules=spec.rules,
            bots=spec.bots,
            mode=spec.mode,
            board=spec.board,
            seating=spec.seating,
            first_dealer=spec.first_dealer,
            relabelling=spec.relabelling,
            clock=spec.clock,
            policy=spec.policy,
            bot_seeds=spec.bot_seeds,
            join_within_ms=spec.join_within_ms,
            options=tuple(spec.rules.options.items()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSealed:
    """The match is over; the last entry of a finished record."""

    secret: bytes = field(repr=False)
    table_hashes: tuple[bytes, ...]
    """By table number, the match's own entries first; empty for a number without a table."""
    result: bytes
    """Canonical JSON."""
    complete: bool


RecordFact = Fact | MatchOpened | MatchResumed | BotSeated | TableOpened | MatchSealed


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry as it was read."""

    number: int
    table_number: int
    at_ms: int
    """Milliseconds since the table, or for entries of the match the match, began."""
    fact: RecordFact
    play_hash: bytes = b""
    """Of the hand that ended, as recorded."""
    chain_hash: bytes = b""
    """Of the table's entries before this one, as recorded with the end of a hand or table."""
    payload: bytes = field(default=b"", repr=False, compare=False)
    """The bytes that the running hash covers."""


class RecordError(Exception):
    """A record that cannot be read on; the message is one sentence for a person."""


class RecordEnds(RecordError):  # noqa: N818  # says what happens
    """All that was handed over is kept, but hardly more will be: what is open must be ended now."""


class NotARecord(RecordError):  # noqa: N818  # named by what was found
    """The file does not begin as a record does, or is of a version that this arena cannot read."""


class RecordTorn(RecordError):  # noqa: N818  # named by what was found
    """The file ends inside an entry: its writer was cut off. All entries before it are good."""

    def __init__(self, *, good_entries: int, good_bytes: int, torn_bytes: int) -> None:
        super().__init__(f"the file ends in {torn_bytes} bytes of entry {good_entries + 1}")
        self.good_entries = good_entries
        self.good_bytes = good_bytes
        self.torn_bytes = torn_bytes


class RecordDamaged(RecordError):  # noqa: N818  # named by what was found
    """An entry does not read as it was written."""

    def __init__(self, entry_number: int, what: str) -> None:
        super().__init__(f"entry {entry_number}: {what}")
        self.entry_number = entry_number
        self.what = what
