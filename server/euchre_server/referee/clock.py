"""Owns the arithmetic of a decision's clock (docs/clock.md; DESIGN.md section 5, rule 7).

A decision is unwritten, then running, then over. While it runs, what has passed since it was
written, less the arena's stalls and less the grace, is charged: first to the decision's own budget,
then to the seat's bank. When both are used up it is over.
Must not know whose decision it is, nor what happens when the time has run out.
"""

from typing import NamedTuple

from euchre_engine import Seat
from euchre_server.referee.facts import Times
from euchre_server.referee.spec import ClockSpec

__all__ = ["OpenDecision", "budget_of"]


def budget_of(clock: ClockSpec, decision_id: int) -> int:
    """Returns the own time of a decision: a seat's first at a table has more."""
    return clock.first_ms if decision_id == 1 else clock.budget_ms


class OpenDecision(NamedTuple):
    """A question that waits for its answer; all times in milliseconds since the table began."""

    seat: Seat
    decision_id: int
    budget_ms: int
    written_ms: int | None = None
    """When it was first handed to the transport."""
    since_ms: int | None = None
    """From when time is counted: `written_ms` moved on by stalls; for a seat whose session is lost,
    from when it was lost. None: the clock does not run."""
    grace_ms: int = 0
    """How much of the time is not charged: the round trip, at most the clock's grace."""
    asked_ms: int | None = None
    """When it came up; None if a killed arena had asked it."""
    started_ms: int | None = None
    """When the clock began to run: `since_ms` before all stalls."""
    round_trip_ms: int | None = None
    """What had been measured when it was written; None: nothing yet."""

    def started(self, at: int) -> "OpenDecision":
        """Returns the decision with its clock running from now, if it does not run already."""
        return self if self.since_ms is not None else self._replace(since_ms=at, started_ms=at)

    def put(self, at: int, *, round_trip_ms: int | None, grace_ms: int) -> "OpenDecision":
        """Returns the decision after it was handed to the transport, perhaps not the first time."""
        if self.written_ms is not None:
            return self
        if self.since_ms is not None:
            return self._replace(written_ms=at, round_trip_ms=round_trip_ms)
        return OpenDecision(
            self.seat,
            self.decision_id,
            self.budget_ms,
            written_ms=at,
            since_ms=at,
            grace_ms=grace_ms,
            asked_ms=self.asked_ms,
            started_ms=at,
            round_trip_ms=round_trip_ms,
        )

    def stalled(self, at: int, stalled_ms: int) -> "OpenDecision":
        """Returns the decision without the part of a stall, ended now, that its clock counted."""
        if self.since_ms is None:
            return self
        return self._replace(since_ms=min(at, self.since_ms + stalled_ms))

    def deadline(self, bank_ms: int) -> int | None:
        """Returns the first moment at which an answer is too late; None while it is not running."""
        if self.since_ms is None:
            return None
        return self.since_ms + self.grace_ms + self.budget_ms + bank_ms

    def charge(self, at: int) -> int:
        """Returns what has been charged by now."""
        if self.since_ms is None:
            return 0
        return max(0, at - self.since_ms - self.grace_ms)

    def grace_used(self, at: int) -> int:
        """Returns how much has passed without being charged."""
        if self.since_ms is None:
            return 0
        return max(0, min(self.grace_ms, at - self.since_ms))

    @property
    def stalled_ms(self) -> int | None:
        """Returns for how long the arena stood still while the clock ran; None: not known."""
        if self.since_ms is None:
            return 0
        return None if self.started_ms is None else self.since_ms - self.started_ms

    def times(self, at: int) -> Times:
        """Returns how its time stands by now."""
        return Times(
            self.asked_ms,
            self.written_ms,
            self.started_ms,
            self.round_trip_ms,
            self.stalled_ms,
            self.grace_used(at),
            self.charge(at),
        )

    def bank_after(self, bank_ms: int, charged_ms: int) -> int:
        """Returns what such a charge leaves of a bank."""
        return bank_ms - min(bank_ms, max(0, charged_ms - self.budget_ms))

    def time_left(self, at: int) -> int:
        """Returns what is left of the own time, as it is told: at least 1, for it is not over."""
        return max(1, self.budget_ms - self.charge(at))
