"""Tables of bots that decide by seat and decision alone, to be cut off anywhere and resumed."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from euchre_engine import Card, Play
from euchre_server.referee import inputs, opening, outputs, rebuild, step
from euchre_server.referee.facts import Acted, FaultKind, HandEnded, HandStarted, TableEnded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from euchre_engine import Action, Seat
    from euchre_engine.legal import LegalSet
    from euchre_server.referee import TableState
    from euchre_server.referee.facts import Fact
    from euchre_server.referee.spec import TableSpec

__all__ = ["Habits", "PlayedTable", "TimedFact", "go_on", "play", "played"]

TimedFact = tuple[int, "Fact"]
THINKS_MS = 3


@dataclass(frozen=True, slots=True)
class Habits:
    """What the bots do wrong, each a number N: at about one decision in N, the same every time."""

    seed: int = 1
    sleeps: int = 0
    cheats: int = 0
    leaves: int = 0
    dies: int = 0
    absent: frozenset[int] = frozenset()
    """Seats that never join."""


def play(spec: TableSpec, habits: Habits) -> list[TimedFact]:
    """Returns all facts of a table that is played without a break."""
    table = PlayedTable(opening(spec), habits)
    table.feed(inputs.Opened(0))
    return table.to_its_end()


def go_on(spec: TableSpec, habits: Habits, facts: Sequence[TimedFact]) -> list[TimedFact]:
    """Returns all facts of a table whose arena was killed after these."""
    state = rebuild(spec, [fact for _, fact in facts])
    now = max((at for at, _ in facts), default=0)
    table = PlayedTable(state, habits, now=now)
    table.facts = list(facts)
    if table.state.ending is None:
        table.feed(inputs.Resumed(table.now))
    return table.to_its_end()


def played(facts: Sequence[TimedFact]) -> list[object]:
    """Returns what was played, charged and scored: no moments, no faults, no sessions."""
    kept: list[object] = []
    for _, fact in facts:
        match fact:
            case Acted():
                # What had run of the clock of a seat that goes away is not recorded before it acts.
                charged = 0 if fact.charged_ms <= THINKS_MS else fact.charged_ms
                kept.append(
                    fact._replace(
                        written_ms=None,
                        charged_ms=charged,
                        asked_ms=None,
                        started_ms=None,
                        round_trip_ms=None,
                        stalled_ms=None,
                    )
                )
            case HandStarted() | HandEnded() | TableEnded():
                kept.append(fact)
            case _:
                pass
    return kept


class PlayedTable:
    """One table being played."""

    def __init__(self, state: TableState, habits: Habits, *, now: int = 0) -> None:
        self.state = state
        self.facts: list[TimedFact] = []
        self.now = now
        self.sessions = [seat.session for seat in state.seats]
        self._habits = habits
        self._asked: list[tuple[Seat, outputs.Ask]] = []
        self._wake: int | None = None

    def to_its_end(self) -> list[TimedFact]:
        """Lets the bots join and plays on; returns all facts."""
        self.join()
        while self.state.ending is None:
            self.advance()
        return self.facts

    def join(self) -> None:
        """Lets the bots join."""
        for seat in self.state.spec.rules.seats:
            if seat not in self._habits.absent:
                self.sessions[seat] += 1
                self.feed(inputs.SeatJoined(self.now, seat, self.sessions[seat]))

    def advance(self) -> None:
        """Lets the bot that was asked answer, or else time pass."""
        if self._asked:
            self._answer(*self._asked.pop())
        else:
            assert self._wake is not None, "a table waits for something"
            self.now = max(self.now, self._wake)
            self.feed(inputs.TimeCame(self.now))

    def _answer(self, seat: Seat, ask: outputs.Ask) -> None:
        number, session, habits = ask.decision_id, self.sessions[seat], self._habits
        self.now += 1
        self.feed(inputs.Written(self.now, seat, session, number))
        self.now += THINKS_MS
        if self._is_time(habits.leaves, seat, number, "leaves"):
            self.feed(inputs.SeatLeft(self.now, seat, session))
        elif self._is_time(habits.dies, seat, number, "dies"):
            self.feed(inputs.SeatDied(self.now, seat, FaultKind.CRASH, "exit status 1"))
        elif not self._is_time(habits.sleeps, seat, number, "sleeps"):
            if self._is_time(habits.cheats, seat, number, "cheats"):
                wrong = next(play for play in map(Play, Card) if play not in ask.legal)
                self.feed(inputs.Answered(self.now, seat, session, number, wrong))
            action = self._choice(seat, number, ask.legal)
            self.feed(inputs.Answered(self.now, seat, session, number, action))

    def _choice(self, seat: Seat, number: int, legal: LegalSet) -> Action:
        return legal[self._mixed(seat, number, "plays") % len(legal)]

    def _is_time(self, one_in: int, seat: Seat, number: int, what: str) -> bool:
        return bool(one_in) and self._mixed(seat, number, what) % one_in == 0

    def _mixed(self, seat: Seat, number: int, what: str) -> int:
        return zlib.crc32(f"{self._habits.seed} {seat} {number} {what}".encode())

    def feed(self, event: inputs.Input) -> None:
        """Steps the table and keeps what it books, asks and waits for."""
        self.state, done = step(self.state, event)
        for output in done:
            match output:
                case outputs.Booked():
                    self.facts.append((output.at, output.fact))
                case outputs.Wake():
                    self._wake = output.at
                case outputs.Send(seat=seat, session=session, message=outputs.Ask() as ask):
                    if session == self.sessions[seat]:
                        self._asked = [(seat, ask)]
                case _:
                    pass
