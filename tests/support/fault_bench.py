"""A table taken to some place of a game, with bots that play the default action unless told not to.

Bytes go in and out of real conversations, and time is a clock that moves when told. What each seat
is told is kept as bytes, so that two runs can be compared message by message.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from arenas import FakeArena, FakeBot
from phase_positions import BUDGET_MS, Position

from euchre_arena.v1.action_pb2 import Action as WireAction
from euchre_arena.v1.arena_service_pb2 import Answer, ArenaMessage
from euchre_engine import Action, Seat, default_action, flat
from euchre_server.referee.facts import Acted, Fact, Faulted, SeatChange, SeatChanged, TableEnded
from euchre_server.session import Limits

if TYPE_CHECKING:
    from euchre_server.referee import TableState
    from euchre_server.referee.spec import FaultPolicy, TableSpec

__all__ = ["AHEAD", "LIMITS", "Bench", "undisturbed", "wire_action"]

LIMITS: Final = Limits(max_session_faults=3, max_useless_messages=2)
AHEAD: Final = 3
"""How many actions are played on after a fault."""
_SPARE: Final = 12
_NOT_OF_A_TABLE: Final = {"welcome", "ping", "session_fault", "goodbye"}


class Bench:
    """One table, its bots in seat order, and what they have been told of it."""

    def __init__(self, spec: TableSpec, absent: Seat | None = None) -> None:
        self.arena = FakeArena(LIMITS)
        self.spec = spec
        self.bots: list[FakeBot | None] = [
            None if seat == absent else self.arena.bot(spec.bots[seat]) for seat in spec.rules.seats
        ]
        self.told: list[list[ArenaMessage]] = [[] for _ in self.bots]
        """By seat: messages about the table."""
        self.session_told: list[list[ArenaMessage]] = [[] for _ in self.bots]
        """By seat: messages that are no table's, but for pings."""

    @classmethod
    def at(cls, position: Position, policy: FaultPolicy, absent: Seat | None = None) -> Bench:
        """Returns the table at a position, its open question put unless its seat is absent."""
        state = position.state(policy)
        bench = cls(state.spec, absent)
        bench.arena.server.resume_table(state, 1_000)
        bench._begun()
        return bench

    @classmethod
    def opened(cls, spec: TableSpec, absent: Seat | None = None) -> Bench:
        """Returns a table that has just been opened."""
        bench = cls(spec, absent)
        bench.arena.server.open_table(spec)
        bench._begun()
        return bench

    def _begun(self) -> None:
        self.table = self.arena.driver.tables[self.spec.table_id]
        self.read()
        self._facts_before = len(self.arena.recorder.facts)

    @property
    def state(self) -> TableState:
        """Returns the table's state."""
        return self.table.state

    @property
    def to_act(self) -> Seat:
        """Returns the seat whose question is open."""
        assert self.state.open is not None
        return self.state.open.seat

    @property
    def number(self) -> int:
        """Returns the number of the open question."""
        assert self.state.open is not None
        return self.state.open.decision_id

    def bot(self, seat: Seat) -> FakeBot:
        """Returns a seat's bot, which is there."""
        bot = self.bots[seat]
        assert bot is not None
        return bot

    def read(self) -> None:
        """Lets every bot read all that waits for it."""
        for seat, bot in enumerate(self.bots):
            for message in [] if bot is None else bot.read():
                kind = message.WhichOneof("message")
                if kind not in _NOT_OF_A_TABLE:
                    self.told[seat].append(message)
                elif kind in {"session_fault", "goodbye"}:
                    self.session_told[seat].append(message)

    def default(self) -> Action:
        """Returns what the clock would play now."""
        assert self.state.hand is not None
        return default_action(self.state.hand, self.spec.relabelling)

    def answer(self, number: int, action: WireAction | Action | None = None) -> Answer:
        """Returns an answer, with the default action unless another is given."""
        if action is None:
            action = self.default()
        if not isinstance(action, WireAction):
            action = wire_action(action)
        return Answer(table_id=self.spec.table_id, decision_id=number, action=action)

    def play(self, count: int) -> None:
        """Plays so many actions; the clock plays for whoever is not there."""
        until = self.state.decision_count + count
        while self.state.decision_count < until and self.state.ending is None:
            seat = self.to_act
            bot = self.bots[seat]
            if bot is None or bot.conversation.is_over:
                self.pass_time(BUDGET_MS)
            else:
                bot.say(self.answer(self.number))
            self.read()

    def pass_time(self, milliseconds: int) -> None:
        """Lets time pass, and the bots read what it brings."""
        self.arena.clock.advance(milliseconds)
        self.read()

    # What came of it

    @property
    def facts(self) -> list[Fact]:
        """Returns what was recorded since the position."""
        entries = self.arena.recorder.facts[self._facts_before :]
        return [fact for _, _, fact in entries if isinstance(fact, Fact)]

    def faults(self) -> list[Faulted]:
        """Returns the faults recorded since the position."""
        return [fact for fact in self.facts if isinstance(fact, Faulted)]

    def departures(self) -> list[SeatChanged]:
        """Returns who went since the position."""
        gone = [fact for fact in self.facts if isinstance(fact, SeatChanged)]
        return [fact for fact in gone if fact.change is not SeatChange.JOINED]

    def acts(self) -> list[Acted]:
        """Returns the actions since the position."""
        return [fact for fact in self.facts if isinstance(fact, Acted)]

    def ending(self) -> TableEnded | None:
        """Returns how the table ended, if it has."""
        return self.state.ending


def wire_action(action: Action) -> WireAction:
    """Returns an action as it travels."""
    kind, suit, bid, cards = flat(action)
    return WireAction(
        kind=int(kind),  # type: ignore[arg-type]  # same numbers
        suit=int(suit or 0),  # type: ignore[arg-type]
        bid=bid,
        cards=map(int, cards),  # type: ignore[arg-type]
    )


@cache
def undisturbed(
    position: Position, policy: FaultPolicy
) -> tuple[list[list[ArenaMessage]], list[int]]:
    """Returns what every seat is told when nobody does wrong, and how much of it within `AHEAD`.

    All of it reaches further: the clock may play ahead for a bot that is gone.
    """
    bench = Bench.at(position, policy)
    bench.play(AHEAD)
    within = [len(told) for told in bench.told]
    bench.play(_SPARE)
    return bench.told, within
