"""Owns what counts as a fault, and which reason of the engine is which reason on the wire.

Policies are data (`spec.FaultPolicy`): a seat forfeits when its counted faults reach the limit.
Must not know when a fault happens or how a forfeit is scored.
"""

from typing import Final

from euchre_engine import Reason
from euchre_server.referee.facts import FaultKind, RejectReason

__all__ = ["COUNTED", "RAW_LIMIT", "reason_of"]

COUNTED: Final = frozenset(FaultKind) - {FaultKind.STALE}
"""The kinds that the policy counts: a late or doubled answer is harmless."""

RAW_LIMIT: Final = 512
"""How many bytes of a refused answer are kept."""

_REASONS: Final = {
    Reason.UNREADABLE: RejectReason.UNREADABLE,
    Reason.WRONG_PHASE: RejectReason.WRONG_PHASE,
    Reason.HAND_OVER: RejectReason.WRONG_PHASE,
    Reason.NOT_IN_HAND: RejectReason.NOT_IN_HAND,
    Reason.MUST_FOLLOW: RejectReason.MUST_FOLLOW,
    Reason.SUIT_NOT_ALLOWED: RejectReason.SUIT_NOT_ALLOWED,
    Reason.TOO_FEW_TRUMPS: RejectReason.SUIT_NOT_ALLOWED,
    Reason.MAY_NOT_PASS: RejectReason.NOT_ALLOWED,
    Reason.MAY_NOT_DISCARD_UPCARD: RejectReason.CARD_NOT_ALLOWED,
    Reason.WRONG_CARD_COUNT: RejectReason.WRONG_COUNT,
    Reason.REPEATED_CARD: RejectReason.WRONG_COUNT,
    Reason.MAY_NOT_SWAP: RejectReason.NOT_ALLOWED,
    Reason.BID_NOT_ALLOWED: RejectReason.BID_NOT_ALLOWED,
}


def reason_of(reason: Reason) -> RejectReason:
    """Returns the reason as the wire and the record name it."""
    return _REASONS.get(reason, RejectReason.NOT_ALLOWED)
