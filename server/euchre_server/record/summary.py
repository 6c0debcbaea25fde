"""Owns what a record is about in a few words: for lists, and above its hands."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from euchre_engine import ruleset_from_json
from euchre_server.record.entries import MatchOpened, MatchSealed, NotARecord, RecordError
from euchre_server.record.reader import is_being_written, read_last, read_record
from euchre_server.record.tables import tables_of
from euchre_server.referee.facts import Blame

if TYPE_CHECKING:
    from pathlib import Path

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
    """Boards or games, each counted once, of which something was recorded."""
    hands: int
    decisions: int
    points: dict[str, int]
    """By bot, the best first; of an unsealed record as far as it goes."""

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
            "hands": self.hands,
            "decisions": self.decisions,
            "points": self.points,
            "public_seed": self.opened.public_seed,
            "commitment": self.opened.commitment.hex(),
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
    state = RecordState.RUNNING if is_being_written(path) else RecordState.UNSEALED
    return _counted(path, opened, state)


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
    rules, mode = _specified(opened)
    try:
        result = json.loads(sealed.result)
        return Summary(
            path=path,
            opened=opened,
            state=RecordState.SEALED if sealed.complete else RecordState.STOPPED,
            rules=rules,
            mode=mode,
            boards=int(result["boards"]) + int(result["boards_incomplete"]),
            hands=int(result["hands"]),
            decisions=int(result["decisions"]),
            points={str(row["bot"]): int(row["points"]) for row in result["standings"]},
        )
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"the result in the seal is no result of a match: {error!r}") from None


def _counted(path: Path, opened: MatchOpened, state: RecordState) -> Summary:
    rules, mode = _specified(opened)
    boards: set[int] = set()
    hands = decisions = 0
    points = Counter(dict.fromkeys(opened.bot_names, 0))
    try:
        for table in tables_of(read_record(path)):
            boards.add(table.opened.board)
            hands += sum(hand.ended is not None for hand in table.hands)
            decisions += sum(len(hand.acts) for hand in table.hands)
            points.update(counted_points(table))
    except RecordError:
        pass  # a summary goes as far as the record is good; `verify` says what is wrong
    return Summary(
        path=path,
        opened=opened,
        state=state,
        rules=rules,
        mode=mode,
        boards=len(boards),
        hands=hands,
        decisions=decisions,
        points=dict(points.most_common()),
    )


def counted_points(table: TablePlay) -> dict[str, int]:
    """Returns what a table that ended counts for each bot; a partner's chair is the bot's own."""
    ended = table.ended
    if ended is None or ended.blame is Blame.ARENA:
        return {}
    return {
        player.partition("/")[0]: score
        for player, score in zip(table.opened.bots, ended.scores, strict=True)
    }


def _specified(opened: MatchOpened) -> tuple[str, str]:
    """Returns rules and mode of a specification."""
    try:
        specification = json.loads(opened.specification)
        return str(ruleset_from_json(specification["rules"])), str(specification["mode"])
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"the specification is none of a match: {error}") from None
