"""Owns the count of a match: which tables count, and what they gave each bot.

Tables may end in any order; the count is the same. A table that the arena itself spoiled voids its
board: nothing of that board counts any more, and every table of it is listed (DESIGN.md section 5,
rule 5). Must not know intervals or how anything is printed.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from euchre_server.referee.facts import Blame, EndCause
from euchre_server.referee.spec import TableMode

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from euchre_server.match.spec import MatchSpec
    from euchre_server.referee.facts import FaultKind
    from euchre_server.referee.result import TableResult

__all__ = ["BoardCount", "Excluded", "Exclusion", "TableCount", "Tally"]


class Exclusion(StrEnum):
    """Why a table does not count."""

    ARENA_FAULT = "the arena failed"
    VOID_BOARD = "the arena failed at another table of the same board"
    STOPPED = "the match was stopped"


class TableCount(NamedTuple):
    """What is kept of a table that has ended; tuples by bot, in the order of the match."""

    table: int
    seating: int
    cause: EndCause
    blame: Blame
    scores: tuple[int, ...]
    won: tuple[int, ...]
    """How many games; on a board 1 for whoever was best."""
    hands: int
    decisions: int
    faults: tuple[Mapping[FaultKind, int], ...]

    @property
    def spoiled(self) -> bool:
        """Returns whether the arena failed here; a stop by its operator is no failure."""
        return self.blame is Blame.ARENA and self.cause is not EndCause.STOPPED


class Excluded(NamedTuple):
    """A table that does not count."""

    board: int
    table: TableCount
    reason: Exclusion


class BoardCount(NamedTuple):
    """A board that counts, with those of its tables that were played; sums by bot."""

    number: int
    tables: tuple[TableCount, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """Returns the points that each bot made on this board."""
        return tuple(map(sum, zip(*(table.scores for table in self.tables), strict=True)))

    @property
    def hands(self) -> int:
        """Returns the hands of this board."""
        return sum(table.hands for table in self.tables)


class Tally:
    """Counts the tables of one match.

    A table is *won* by those level at the top, unless all are level. A bot that holds two seats, as
    partners, counts once.
    """

    def __init__(self, spec: MatchSpec) -> None:
        self._spec = spec
        self._bot_of = {player: place % len(spec.bots) for place, player in enumerate(spec.players)}
        self._seating_count = spec.field.seating_count
        self._tables: dict[int, list[TableCount]] = {}
        self.void: set[int] = set()
        """The boards that the arena spoiled."""
        self.complete_count = 0
        self.decision_count = 0
        self.ended_count = 0
        """All tables that have ended, also those that do not count."""
        self.faults: tuple[Counter[FaultKind], ...] = tuple(Counter() for _ in spec.bots)
        """By bot, at all of them."""

    def add(self, result: TableResult) -> None:
        """Counts a table that has ended."""
        board = result.spec.board
        count = self._counted(result)
        tables = self._tables.setdefault(board, [])
        tables.append(count)
        self.decision_count += count.decisions
        self.ended_count += 1
        for faults, added in zip(self.faults, count.faults, strict=True):
            faults.update(added)
        if count.spoiled:
            self.void.add(board)
        elif board not in self.void:
            self.complete_count += self._complete(tables)

    def is_over(self, board: int) -> bool:
        """Returns whether no further table of a board will be opened."""
        return board in self.void or len(self._tables.get(board, ())) == self._seating_count

    def begun_boards(self) -> list[int]:
        """Returns the boards of which a table has ended, in schedule order."""
        return sorted(self._tables)

    def only(self, boards: Container[int]) -> Tally:
        """Returns the count of some boards alone."""
        chosen = Tally(self._spec)
        chosen._tables = {b: list(t) for b, t in self._tables.items() if b in boards}
        chosen.void = {board for board in self.void if board in boards}
        return chosen

    def boards(self) -> Iterator[BoardCount]:
        """Yields the boards that count, complete or not, in schedule order."""
        for board in sorted(self._tables.keys() - self.void):
            tables = [t for t in self._tables[board] if t.cause is not EndCause.STOPPED]
            if tables:
                yield BoardCount(board, tuple(sorted(tables)))

    def complete_boards(self) -> list[BoardCount]:
        """Returns the boards that were played in every seating, in schedule order."""
        return [board for board in self.boards() if len(board.tables) == self._seating_count]

    def excluded(self) -> list[Excluded]:
        """Returns the tables that do not count, in schedule order."""
        listed = []
        for board, tables in self._tables.items():
            for table in tables:
                if table.cause is EndCause.STOPPED:
                    listed.append(Excluded(board, table, Exclusion.STOPPED))
                elif table.spoiled:
                    listed.append(Excluded(board, table, Exclusion.ARENA_FAULT))
                elif board in self.void:
                    listed.append(Excluded(board, table, Exclusion.VOID_BOARD))
        return sorted(listed, key=lambda excluded: excluded.table.table)

    def _complete(self, tables: list[TableCount]) -> bool:
        return len(tables) == self._seating_count and all(
            table.cause is not EndCause.STOPPED for table in tables
        )

    def _counted(self, result: TableResult) -> TableCount:
        spec = result.spec
        scores = [0] * len(self._spec.bots)
        won = [0] * len(scores)
        faults: list[dict[FaultKind, int]] = [{} for _ in scores]
        decided = len(result.winners) < len(result.scores)
        for seat, player in enumerate(spec.bots):
            bot = self._bot_of[player]
            scores[bot] = result.scores[seat]  # partners are paid alike
            if decided and seat in result.winners:
                won[bot] = result.game_worth
            for kind, number in result.faults[seat].items():
                if number:
                    faults[bot][kind] = faults[bot].get(kind, 0) + number
        return TableCount(
            table=spec.number,
            seating=spec.seating,
            cause=result.cause,
            blame=result.blame,
            scores=tuple(scores),
            won=tuple(won),
            # A board is one hand, also where it was forfeited before its end.
            hands=1 if spec.mode is TableMode.BOARD else result.hands,
            decisions=result.decisions,
            faults=tuple(faults),
        )
