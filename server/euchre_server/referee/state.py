"""Owns the shape of a table's state: everything the referee remembers, and nothing else.

Immutable; all of it but the clock of an open decision can be rebuilt from facts (`rebuild`).
Must not know how one state follows from another.
"""

from enum import Enum, auto
from typing import NamedTuple

from euchre_engine.state import State
from euchre_server.referee.clock import OpenDecision
from euchre_server.referee.facts import FaultKind, TableEnded
from euchre_server.referee.outputs import Spent
from euchre_server.referee.spec import TableSpec

__all__ = ["Presence", "SeatState", "Stage", "TableState", "opening"]


class Stage(Enum):
    """How far a table has come."""

    NEW = auto()
    JOINING = auto()
    PLAYING = auto()
    OVER = auto()


class Presence(Enum):
    """Whether a seat's bot is there."""

    EXPECTED = auto()
    JOINED = auto()
    LOST = auto()
    """Its stream broke; it may come back, its clock runs."""
    LEFT = auto()
    """It said goodbye; it cannot come back."""
    DIED = auto()
    """Its process ended; it cannot come back."""

    @property
    def is_final(self) -> bool:
        """Returns whether the bot cannot come back."""
        return self is Presence.LEFT or self is Presence.DIED


class SeatState(NamedTuple):
    """What the referee knows of one seat."""

    bank_ms: int
    presence: Presence = Presence.EXPECTED
    session: int = 0
    """The session in force; 0 before the first."""
    decision_id: int = 0
    """The last one put to this seat."""
    fault_count: int = 0
    """Those that the policy counts."""
    faults: tuple[int, ...] = (0,) * len(FaultKind)
    """All, by kind."""
    last: Spent | None = None
    """How the time of its last decision was counted."""


class TableState(NamedTuple):
    """A table as the referee knows it."""

    spec: TableSpec
    stage: Stage
    seats: tuple[SeatState, ...]
    hand: State | None
    open: OpenDecision | None
    join_by: int | None
    """When seats that have not joined forfeit; None once they all have."""
    draining: bool
    fact_count: int
    hand_count: int
    """Hands played to their end."""
    decision_count: int
    scores: tuple[int, ...]
    """After the last finished hand, by seat."""
    points: tuple[int, ...]
    """Of all finished hands together, by seat."""
    ending: TableEnded | None

    def __repr__(self) -> str:
        """Returns where the table stands, without a card or a key: states must not leak by logs."""
        return f"<TableState {self.spec.table_id} {self.stage.name} {self.hand!r}>"


def opening(spec: TableSpec) -> TableState:
    """Returns the state of a table before anything has happened."""
    zeros = (0,) * spec.rules.seat_count
    return TableState(
        spec=spec,
        stage=Stage.NEW,
        seats=(SeatState(spec.clock.bank_ms),) * spec.rules.seat_count,
        hand=None,
        open=None,
        join_by=None,
        draining=False,
        fact_count=0,
        hand_count=0,
        decision_count=0,
        scores=zeros,
        points=zeros,
        ending=None,
    )
