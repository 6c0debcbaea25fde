"""Owns a table as the driver keeps it: its state, who sits there, and what its facts go to.

Must not know how a state changes (`driver`).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from structlog.typing import FilteringBoundLogger

from euchre_engine import Seat
from euchre_server.referee import TableResult, TableState
from euchre_server.referee.spec import TableSpec
from euchre_server.session.recorder import Journal
from euchre_server.session.roster import Line

if TYPE_CHECKING:
    import asyncio

__all__ = ["Table"]


@dataclass(slots=True, eq=False)
class Table:
    """A table being refereed."""

    spec: TableSpec
    told: TableSpec
    """The same under the id by which bots know it."""
    state: TableState
    started: int
    """By the driver's clock."""
    journal: Journal
    keys: tuple[str, ...]
    """By seat: under what the arena knows the bot that sits there."""
    result: "asyncio.Future[TableResult]"
    """Cancelled where the table rests, for another arena to go on with."""
    log: FilteringBoundLogger
    lines: list[Line | None]
    """By seat."""
    epochs: list[int]
    """By seat: how many sessions have held it."""
    stalls_seen: int
    """How many of the arena's stalls its state knows of."""
    wake_at: int | None = None
    heap_at: int | None = None
    answered_at: int | None = None
    """When the last answer came, in the table's time, until the next question goes out."""

    def seat_of(self, key: str) -> Seat | None:
        """Returns where a bot sits that the arena knows so; None where it does not."""
        return Seat(self.keys.index(key)) if key in self.keys else None
