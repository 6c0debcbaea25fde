"""Owns the way from a record's entries to its tables and hands, in schedule order.

Streams: holds no more tables than were open at once. Judges nothing (`verify` does), but a hand
that the engine cannot play again is refused. Must not know audiences or forms of output.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from euchre_engine import EngineError, apply, start_hand
from euchre_server.record.entries import (
    BotSeated,
    MatchOpened,
    MatchResumed,
    MatchSealed,
    RecordError,
    TableOpened,
)
from euchre_server.referee.facts import (
    Acted,
    Faulted,
    HandEnded,
    HandStarted,
    SeatChanged,
    Stalled,
    TableEnded,
)
from euchre_server.referee.spec import TableMode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from euchre_engine import State
    from euchre_server.record.entries import Entry, RecordFact

__all__ = ["HandPlay", "Happening", "TablePlay", "tables_of"]


@dataclass(frozen=True, slots=True)
class Happening:
    """Something at a table that is no action."""

    after: int
    """How many actions of the hand came before it."""
    fact: Faulted | Stalled


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPlay:
    """One hand as it was recorded."""

    started: HandStarted
    acts: tuple[Acted, ...]
    acted_ms: tuple[int, ...]
    """When each was done, in the table's time."""
    happenings: tuple[Happening, ...]
    ended: HandEnded | None

    def states(self, table: TablePlay) -> list[State]:
        """Returns the positions of the hand, from the deal to its last action.

        Raises:
            RecordError: The engine refuses what the record holds.
        """
        started = self.started
        try:
            states = [
                start_hand(
                    table.opened.rules,
                    dealer=started.dealer,
                    deck=started.deck,
                    scores=started.scores,
                    redeals=started.redeals,
                    hand_number=started.hand_number,
                )
            ]
            for act in self.acts:
                states.append(apply(states[-1], act.action))
        except EngineError as error:
            raise RecordError(
                f"table {table.number}, hand {started.hand_number} cannot be played again: {error}"
            ) from None
        return states


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlay:
    """One table as it was recorded."""

    match_id: str
    number: int
    opened: TableOpened
    hands: tuple[HandPlay, ...]
    before: tuple[Faulted, ...]
    """Faults before the first hand."""
    ended: TableEnded | None

    @property
    def board(self) -> int | None:
        """Returns the board; None at a table that plays a game."""
        return self.opened.board if self.opened.mode is TableMode.BOARD else None

    @property
    def game(self) -> int | None:
        """Returns the game; None at a table that plays a board."""
        return self.opened.board if self.opened.mode is TableMode.GAME else None


def tables_of(entries: Iterable[Entry]) -> Iterator[TablePlay]:
    """Yields the tables of a record in schedule order, those that never ended included.

    Raises:
        RecordError: As the entries do, after the tables before that; or an entry belongs to no
            open table or hand.
    """
    match_id = ""
    growing: dict[int, _Growing] = {}
    ready: dict[int, TablePlay] = {}
    failure: RecordError | None = None
    try:
        for entry in entries:
            match entry.fact:
                case MatchOpened():
                    match_id = entry.fact.match_id
                case BotSeated() | MatchResumed() | MatchSealed():
                    pass
                case TableOpened():
                    growing[entry.table_number] = _Growing(entry.fact)
                case _:
                    number = entry.table_number
                    if _take(growing.get(number), entry):
                        ready[number] = growing.pop(number).grown(match_id, number)
                        yield from _in_order(ready, before=min(growing, default=None))
    except RecordError as error:
        failure = error
    for number in sorted(growing):
        ready[number] = growing[number].grown(match_id, number)
    yield from _in_order(ready, before=None)
    if failure is not None:
        raise failure


def _take(table: _Growing | None, entry: Entry) -> bool:
    """Takes a table's entry; returns whether that was its last."""
    if table is None or not table.take(entry.at_ms, entry.fact):
        raise RecordError(f"entry {entry.number} belongs to no open table or hand")
    return table.ended is not None


def _in_order(ready: dict[int, TablePlay], before: int | None) -> Iterator[TablePlay]:
    """Yields the tables that are done, up to the first one still open."""
    for number in sorted(ready):
        if before is None or number < before:
            yield ready.pop(number)


@dataclass(slots=True)
class _GrowingHand:
    started: HandStarted
    acts: list[Acted] = field(default_factory=list)
    acted_ms: list[int] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    ended: HandEnded | None = None

    def grown(self) -> HandPlay:
        return HandPlay(
            started=self.started,
            acts=tuple(self.acts),
            acted_ms=tuple(self.acted_ms),
            happenings=tuple(self.happenings),
            ended=self.ended,
        )


@dataclass(slots=True)
class _Growing:
    """A table whose entries are still coming."""

    opened: TableOpened
    hands: list[_GrowingHand] = field(default_factory=list)
    before: list[Faulted] = field(default_factory=list)
    ended: TableEnded | None = None

    def take(self, at_ms: int, fact: RecordFact) -> bool:
        """Takes a fact; returns whether it has a place here."""
        hand = self.hands[-1] if self.hands else None
        match fact:
            case HandStarted():
                self.hands.append(_GrowingHand(fact))
            case TableEnded():
                self.ended = fact
            case SeatChanged():
                pass
            case Faulted() if hand is None:
                self.before.append(fact)
            case Faulted() | Stalled() if hand is not None:
                hand.happenings.append(Happening(len(hand.acts), fact))
            case Acted() if hand is not None:
                hand.acts.append(fact)
                hand.acted_ms.append(at_ms)
            case HandEnded() if hand is not None:
                hand.ended = fact
            case _:
                return isinstance(fact, Stalled)  # one while the seats were joining
        return True

    def grown(self, match_id: str, number: int) -> TablePlay:
        return TablePlay(
            match_id=match_id,
            number=number,
            opened=self.opened,
            hands=tuple(hand.grown() for hand in self.hands),
            before=tuple(self.before),
            ended=self.ended,
        )
