"""Owns a session as the driver sees it: who it is, where it sits, and what waits for it.

Must not know gRPC, nor how messages are read (`conversation`) or written (`rpc`).
"""

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from euchre_engine import Seat
from euchre_server.session.outbox import Outbox

if TYPE_CHECKING:
    from euchre_server.session.recorder import Journal
    from euchre_server.session.tables import Table
    from euchre_server.session.wire import Lean

__all__ = ["Line", "Place"]


@dataclass(frozen=True, slots=True)
class Place:
    """A seat that a session holds at a table."""

    table: "Table"
    seat: Seat
    epoch: int
    """The number of this session at the seat, from 1: what the referee calls its session."""


@dataclass(slots=True, eq=False)
class Line:
    """The line to one bot, for as long as one session lasts."""

    bot_name: str
    """Under what the arena knows it (`names`)."""
    session_id: str
    outbox: Outbox
    places: dict[str, Place] = field(default_factory=dict)
    """By table id."""
    awaited: "deque[tuple[Table, Seat]]" = field(default_factory=deque)
    """Seats that it takes as soon as what waits to be read has room for telling it so."""
    journals: "dict[Journal, set[str]]" = field(default_factory=dict)
    """Those that must keep, before anything more is told, what they were given of these tables."""
    rtt_ms: int | None = None
    """The last round trip measured; None before."""
    lean: "Lean | None" = None
    """What it has been told of views, if it wants to be told what changes; None for whole views."""

    def let_go(self, table_id: str) -> None:
        """Takes note that the bot sits at a table no more."""
        self.places.pop(table_id, None)
        if self.lean is not None:
            self.lean.forget(table_id)
