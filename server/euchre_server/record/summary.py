"""Owns what a record is about in a few words: for lists, and above its hands."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from euchre_engine.deal import SECRET_BYTES
from euchre_server.match.spec import parse_specification
from euchre_server.record.entries import (
    MatchOpened,
    MatchSealed,
    NotARecord,
    RecordDamaged,
    RecordError,
    RecordTorn,
)
from euchre_server.record.reader import is_being_written, read_last, read_record
from euchre_server.record.tables import tables_of
from euchre_server.referee.facts import Blame, EndCause

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from euchre_server.match.spec import MatchSpec
    from euchre_server.record.entries import Entry
    from euchre_server.record.tables import TablePlay

__all__ = ["RecordState", "Summary", "counted_points", "first_entry", "summarise"]


class RecordState(StrEnum):
    """How far a record has come."""

    SEALED = "sealed"
    STOPPED = "stopped"
    """Sealed before the match had come to its end."""
    RUNNING = "running"
    UNSEALED = "unsealed"
    """Nobody writes it any more, and it was never sealed."""
    DAMAGED = "damaged"
    """Something has changed since it was written; whether it was sealed is not known."""
    SEALED_DAMAGED = "sealed but damaged"
    """Something follows the seal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a record is about."""

    path: Path
    opened: MatchOpened
    state: RecordState
    rules: str
    """The command line form of the rules."""
    mode: str
    """`board` or `game`."""
    boards: int
    """Boards or games that were played in every seating."""
    boards_incomplete: int
    """Boards or games of which some seatings were played."""
    hands: int
    decisions: int
    points: dict[str, int]
    """By bot, the best first; of an unsealed record as far as it goes."""
    seatings: int
    """How many tables play each deal."""
    damage: str | None = None
    """What is wrong with it; a sealed record is not read through for that."""

    def to_json(self) -> dict[str, object]:
        """Returns the summary as an object."""
        return {
            "match_id": self.opened.match_id,
            "record": str(self.path),
            "started_unix_ms": self.opened.started_unix_ms,
            "arena_version": self.opened.arena_version,
            "state": self.state.value,
            "rules": self.rules,
            "bots": list(self.opened.bot_names),
            "mode": self.mode,
            "boards": self.boards,
            "boards_incomplete": self.boards_incomplete,
            "hands": self.hands,
            "decisions": self.decisions,
            "points": self.points,
            "public_seed": self.opened.public_seed,
            "commitment": self.opened.commitment.hex(),
            "damage": self.damage,
        }


def summarise(path: Path) -> Summary:
    """Returns what a record is about; a sealed one is not read through.

    Raises:
        StoreError: The file cannot be read.
        NotARecord: It is no record.
        RecordError: It does not say what it is about, or cannot be read on.
    """
    opened = first_entry(path)
    last = read_last(path)
    if last is not None and isinstance(last.fact, MatchSealed):
        return _of_result(path, opened, last.fact)
    return _counted(path, opened)


def first_entry(path: Path) -> MatchOpened:
    """Returns the opening of a record.

    Raises:
        StoreError: The file cannot be read.
        NotARecord: It is no record.
        RecordDamaged: The first entry has changed.
    """
    for entry in read_record(path):
        if isinstance(entry.fact, MatchOpened):
            return entry.fact
    raise NotARecord("no record: it has no entries")


def _of_result(path: Path, opened: MatchOpened, sealed: MatchSealed) -> Summary:
    spec = _specified(opened)
    try:
        result = json.loads(sealed.result)
        return Summary(
            path=path,
            opened=opened,
            state=RecordState.SEALED if sealed.complete else RecordState.STOPPED,
            rules=str(spec.rules),
            mode=spec.mode.value,
            seatings=spec.field.seating_count,
            boards=int(result["boards"]),
            boards_incomplete=int(result["boards_incomplete"]),
            hands=int(result["hands"]),
            decisions=int(result["decisions"]),
            points={str(row["bot"]): int(row["points"]) for row in result["standings"]},
        )
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"the result in the seal is no result of a match: {error!r}") from None


def _counted(path: Path, opened: MatchOpened) -> Summary:
    spec = _specified(opened)
    reading = _Reading(path)
    played: Counter[int] = Counter()
    void: set[int] = set()
    hands = decisions = 0
    points: defaultdict[int, Counter[str]] = defaultdict(Counter)  # by board
    try:
        for table in tables_of(reading.entries()):
            board = table.opened.board
            if table.ended is not None and table.ended.cause is not EndCause.STOPPED:
                played[board] += 1
                if table.ended.blame is Blame.ARENA:
                    void.add(board)
            hands += sum(hand.ended is not None for hand in table.hands)
            decisions += sum(len(hand.acts) for hand in table.hands)
            points[board].update(counted_points(table))
    except RecordError as error:
        reading.damage = reading.damage or str(error)
    if reading.seal is not None and reading.damage is None:
        return _of_result(path, opened, reading.seal)
    counted = [number for board, number in played.items() if board not in void]
    complete = counted.count(spec.field.seating_count)
    total = Counter(dict.fromkeys(opened.bot_names, 0))
    for board in points.keys() - void:
        total.update(points[board])
    return Summary(
        path=path,
        opened=opened,
        state=reading.state,
        rules=str(spec.rules),
        mode=spec.mode.value,
        seatings=spec.field.seating_count,
        boards=complete,
        boards_incomplete=len(counted) - complete,
        hands=hands,
        decisions=decisions,
        points=dict(total.most_common()),
        damage=reading.damage,
    )


@dataclass(slots=True)
class _Reading:
    """One reading of a record as far as it is good."""

    path: Path
    damage: str | None = field(init=False, default=None)
    seal: MatchSealed | None = field(init=False, default=None)
    """Of a record that is sealed after all: `read_last` does not find one that is very long."""

    @property
    def state(self) -> RecordState:
        """Returns how far the record has come, after the reading."""
        if self.damage is not None:
            return RecordState.DAMAGED if self.seal is None else RecordState.SEALED_DAMAGED
        return RecordState.RUNNING if is_being_written(self.path) else RecordState.UNSEALED

    def entries(self) -> Iterator[Entry]:
        """Yields the good entries; `verify` says more of what is wrong with the next."""
        try:
            for entry in read_record(self.path):
                if isinstance(entry.fact, MatchSealed):
                    self.seal = entry.fact
                yield entry
        except RecordTorn:
            return
        except RecordDamaged as error:
            self.damage = str(error)


def counted_points(table: TablePlay) -> dict[str, int]:
    """Returns what a table that ended counts for each bot; a partner's chair is the bot's own."""
    ended = table.ended
    if ended is None or ended.blame is Blame.ARENA or ended.cause is EndCause.STOPPED:
        return {}
    return {
        player.partition("/")[0]: score
        for player, score in zip(table.opened.bots, ended.scores, strict=True)
    }


def _specified(opened: MatchOpened) -> MatchSpec:
    """Returns the match that was to be played; its secret is not needed for a summary."""
    try:
        return parse_specification(opened.specification, bytes(SECRET_BYTES))
    except ValueError as error:
        raise RecordError(f"the specification is none of a match: {error}") from None
