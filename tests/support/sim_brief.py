"""What is compared of a fact, as a plain tuple.

Must not know what led to it.
"""

from __future__ import annotations

from typing import Any

from euchre_server.referee import facts

__all__ = ["ANY", "Brief", "brief"]

Brief = tuple[Any, ...]
ANY = "any"
"""Stands for a reason that is the engine's to give."""


def brief(at: int, fact: facts.Fact) -> Brief:
    """Returns what is compared of a fact."""
    match fact:
        case facts.SeatChanged():
            return ("seat", at, fact.seat, fact.change.name, fact.session_epoch)
        case facts.Acted():
            return (
                "acted",
                at,
                fact.seat,
                str(fact.action),
                fact.actor.name,
                fact.decision_id,
                fact.written_ms,
                fact.charged_ms,
                fact.bank_left_ms,
                fact.grace_used_ms,
            )
        case facts.Faulted():
            reason = None if fact.reason is None else fact.reason.name
            kind = fact.kind.name
            illegal = kind == "ILLEGAL" and reason != "UNKNOWN_DECISION"
            return (
                "fault",
                at,
                fact.seat,
                kind,
                fact.decision_id,
                ANY if illegal else reason,
                fact.fault_count,
            )
        case facts.Stalled():
            return ("stalled", at, fact.stalled_ms)
        case facts.HandStarted():
            return ("dealt", at, fact.hand_number)
        case facts.HandEnded():
            return ("hand over", at, fact.hand_number)
        case facts.TableEnded():
            return ("ended", at, fact.cause.name, fact.blame.name, fact.blamed_seat)
    raise TypeError(fact)
