"""Owns the question that the arena puts to a bot.

Must not know how it is answered: that is the business of `session` and `player`.
"""

from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from euchre_arena.legal import legal_from_wire
from euchre_arena.told import time_spent_from_wire
from euchre_arena.view import View

if TYPE_CHECKING:
    from euchre_arena.events import Rejected, TimeSpent
    from euchre_arena.games import Table
    from euchre_arena.legal import LegalActions
    from euchre_arena.v1 import table_pb2
    from euchre_arena.view import Phase

__all__ = ["Decision"]


class Decision:
    """One question to one seat. Self-contained: nothing need be remembered to answer it.

    Attributes:
        table: The table, the same object for all of its decisions.
        id: The decision's number at this table and seat.
        annotation: A note for the record, set by the bot while it decides; cut at the arena's
            limit, shown to no other bot.
        rejections: The refusals of earlier answers to this decision, oldest first.
    """

    def __init__(self, message: "table_pb2.Decision", table: "Table") -> None:
        self._message = message
        self.table = table
        self.id = message.decision_id
        self.annotation = ""
        self.rejections: list[Rejected] = []
        self._view: View | None = None
        self._legal: LegalActions | None = None

    # These two are asked for with nearly every decision, and `cached_property` takes a lock.

    @property
    def view(self) -> View:
        """Returns what this seat may know."""
        if self._view is None:
            self._view = View(self._message.view, self.table.game)
        return self._view

    @property
    def legal(self) -> "LegalActions":
        """Returns every legal action: `legal[0]`, `len(legal)`, `action in legal`, iteration.

        Where the arena offers a choice of cards, it is a `Choose` with `size` and `pool`.
        """
        if self._legal is None:
            message = self._message
            choose = message.choose if message.HasField("choose") else None
            self._legal = legal_from_wire(message.legal, choose)
        return self._legal

    @property
    def phase(self) -> "Phase":
        """Returns the phase of the hand."""
        return self.view.phase

    @property
    def time_left_ms(self) -> int:
        """Returns what was left of the decision's own time when the arena wrote it."""
        return self._message.time_left_ms

    @property
    def bank_left_ms(self) -> int:
        """Returns what was left of the bank when the arena wrote it."""
        return self._message.bank_left_ms

    @property
    def last(self) -> "TimeSpent | None":
        """Returns how the time of this seat's decision before this one was counted, if any."""
        message = self._message
        return time_spent_from_wire(message.last) if message.HasField("last") else None

    @property
    def default_count(self) -> int:
        """Returns how many decisions of this seat at this table the clock has played so far."""
        return self._message.default_count

    @cached_property
    def random(self) -> Random:
        """Returns random numbers that depend on the table's `bot_seed` and this decision alone.

        A bot that draws from here plays the same when a match is repeated or resumed.
        """
        return Random(self.table.bot_seed << 32 | self.id)  # noqa: S311 - play, not secrecy

    def __str__(self) -> str:
        return f"table {self.table.id} decision {self.id}: {self.view}; legal: {self.legal}"
