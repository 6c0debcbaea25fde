"""Owns the check of how a decision's time was counted (docs/clock.md).

Must not know what was decided, nor tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_server.record.verdict import Disagreement, same
from euchre_server.referee.clock import budget_of
from euchre_server.referee.facts import Acted, Actor, Times

if TYPE_CHECKING:
    from euchre_server.referee.spec import ClockSpec

__all__ = ["bank_after", "check_times"]


def bank_after(clock: ClockSpec, bank_ms: int, fact: Acted) -> int:
    """Returns what a seat has left in its bank after an action.

    Args:
        clock: The clock of the table.
        bank_ms: What it had before.
        fact: The action, and what it was charged.

    Raises:
        Disagreement: The charge cannot be, or does not lead to what was recorded.
    """
    charged = fact.charged_ms
    budget = budget_of(clock, fact.decision_id)
    if charged < 0:
        raise Disagreement(f"charged_ms is {charged}")
    by_bot = fact.actor is Actor.BOT
    if by_bot and charged >= budget + bank_ms:
        raise Disagreement(
            f"an answer was taken after {charged} ms; seat {fact.seat} had {budget + bank_ms} ms"
        )
    left = bank_ms - min(bank_ms, max(0, charged - budget))
    left += clock.increment_ms if by_bot else 0
    same("bank_left_ms", left, fact.bank_left_ms)
    return left


def check_times(at_ms: int, times: Times, grace_ms: int) -> None:
    """Checks that the moments of a decision are in order, and that all of its time is accounted.

    Args:
        at_ms: When it was answered, or its time was over.
        times: What was recorded of it.
        grace_ms: The most that may be taken off for the network.

    Raises:
        Disagreement: They are not, or it is not.
    """
    moments = [times.asked_ms, times.started_ms, times.written_ms, at_ms]
    known = [moment for moment in moments if moment is not None]
    if times.asked_ms is None:
        return
    if known != sorted(known):
        raise Disagreement("a decision was asked, begun, written and answered in another order")
    if times.grace_used_ms > min(grace_ms, times.round_trip_ms or 0):
        raise Disagreement(f"grace_used_ms is {times.grace_used_ms}, more than there was")
    counted = times.charged_ms + times.grace_used_ms + (times.stalled_ms or 0)
    same("the time counted", 0 if times.started_ms is None else at_ms - times.started_ms, counted)
