"""Owns what an unfinished record says of how its match goes on: results so far, tables still open.

Must not know files: `resume` reads them. What is wrong with a record `verify` finds; here only what
cannot be gone on with is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from euchre_engine import EngineError
from euchre_engine.deal import commitment
from euchre_server.match.spec import parse_specification
from euchre_server.record.entries import (
    BotSeated,
    MatchOpened,
    MatchResumed,
    MatchSealed,
    NotARecord,
    RecordDamaged,
    RecordError,
    TableOpened,
)
from euchre_server.record.schedule_check import ScheduleCheck
from euchre_server.record.verdict import Disagreement
from euchre_server.referee import rebuild, result_of
from euchre_server.referee.facts import TableEnded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from euchre_server.match.spec import MatchSpec
    from euchre_server.match.tally import Tally
    from euchre_server.record.entries import Entry
    from euchre_server.referee import TableState
    from euchre_server.referee.facts import Fact
    from euchre_server.referee.spec import TableSpec

__all__ = ["OpenTable", "Unfinished", "match_of", "unfinished"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """A table that was being played."""

    state: TableState
    at_ms: int
    """When the last of its facts happened: its time goes on from there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """A match as far as its record goes."""

    opened: MatchOpened
    spec: MatchSpec
    tally: Tally
    """Of the tables that have ended."""
    ended: frozenset[int]
    """Those tables, by number."""
    open: Mapping[int, OpenTable]
    """The others that were opened, by number."""
    resumptions: int
    """How often the match has been gone on with."""
    at_ms: int
    """When the last entry about the match itself was made."""


def match_of(opened: MatchOpened, secret: bytes) -> MatchSpec:
    """Returns the match that a record is opened with.

    Raises:
        RecordError: It describes no match, or its secret is another.
    """
    if commitment(secret, opened.specification) != opened.commitment:
        raise RecordError(
            "the secret beside the record is not the one that the match was committed to"
        )
    try:
        return parse_specification(opened.specification, secret)
    except ValueError as error:
        raise RecordError(str(error)) from None


def unfinished(entries: Iterable[Entry], secret: bytes) -> Unfinished:
    """Returns how a match goes on.

    Args:
        entries: All of its record.
        secret: What was kept beside the record.

    Raises:
        RecordError: As the entries do, the record is sealed, or an entry cannot have happened.
    """
    reading: _Reading | None = None
    for entry in entries:
        if isinstance(entry.fact, MatchOpened):
            reading = _Reading(entry.fact, match_of(entry.fact, secret))
        elif reading is not None:
            reading.take(entry)
    if reading is None:
        raise NotARecord("no record: it has no entries")
    return reading.read()


@dataclass(slots=True)
class _Table:
    spec: TableSpec
    facts: list[Fact] = field(default_factory=list)
    at_ms: int = 0

    def state(self, number: int) -> TableState:
        try:
            return rebuild(self.spec, self.facts)
        except EngineError:  # not in its words: they name cards, and this is told to onlookers
            raise RecordError(
                f"table {number} cannot be gone on with: what is recorded there cannot have been"
            ) from None


class _Reading:
    """A match whose entries are being read."""

    def __init__(self, opened: MatchOpened, spec: MatchSpec) -> None:
        self._opened = opened
        self._schedule = ScheduleCheck(spec, opened.commitment, knows_secret=True)
        self._open: dict[int, _Table] = {}
        self._ended: set[int] = set()
        self._resumptions = 0
        self._at_ms = 0

    def take(self, entry: Entry) -> None:
        """Takes the next entry."""
        number, fact = entry.table_number, entry.fact
        match fact:
            case MatchSealed():
                raise RecordError("the match is finished: its record is sealed")
            case MatchOpened() | MatchResumed() | BotSeated():
                self._resumptions += isinstance(fact, MatchResumed)
                self._at_ms = max(self._at_ms, entry.at_ms)
            case TableOpened():
                try:
                    self._open[number] = _Table(self._schedule.table(number, fact))
                except Disagreement as error:
                    raise RecordDamaged(entry.number, str(error)) from None
            case _:
                self._table_fact(entry, fact)

    def _table_fact(self, entry: Entry, fact: Fact) -> None:
        number = entry.table_number
        table = self._open.get(number)
        if table is None:
            raise RecordDamaged(entry.number, f"table {number} is not open")
        table.facts.append(fact)
        table.at_ms = max(table.at_ms, entry.at_ms)
        if isinstance(fact, TableEnded):
            result = result_of(table.state(number))
            if result is not None:
                self._schedule.tally.add(result)
            del self._open[number]
            self._ended.add(number)

    def read(self) -> Unfinished:
        """Returns what was read."""
        return Unfinished(
            opened=self._opened,
            spec=self._schedule.spec,
            tally=self._schedule.tally,
            ended=frozenset(self._ended),
            open={
                number: OpenTable(state=table.state(number), at_ms=table.at_ms)
                for number, table in self._open.items()
            },
            resumptions=self._resumptions,
            at_ms=self._at_ms,
        )
