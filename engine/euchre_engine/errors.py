"""Every error that the engine raises, with the data that its reader needs.

Owns the reasons for which an action is refused. Callers decide what a refusal costs; nothing here
knows of faults, clocks or messages.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from euchre_engine.legal import LegalSet

__all__ = [
    "ActionError",
    "EngineError",
    "NotAllowed",
    "PositionError",
    "Reason",
    "RulesetError",
    "UnreadableAction",
    "WrongPhase",
]


class Reason(StrEnum):
    """Why an action was refused."""

    UNREADABLE = "unreadable"
    WRONG_PHASE = "wrong_phase"
    HAND_OVER = "hand_over"
    NOT_IN_HAND = "not_in_hand"
    MUST_FOLLOW = "must_follow"
    SUIT_NOT_ALLOWED = "suit_not_allowed"
    TOO_FEW_TRUMPS = "too_few_trumps"
    MAY_NOT_PASS = "may_not_pass"  # noqa: S105  # a bid, not a password
    MAY_NOT_DISCARD_UPCARD = "may_not_discard_upcard"
    WRONG_CARD_COUNT = "wrong_card_count"
    REPEATED_CARD = "repeated_card"
    MAY_NOT_SWAP = "may_not_swap"
    BID_NOT_ALLOWED = "bid_not_allowed"


class EngineError(ValueError):
    """Anything that the engine refuses."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class RulesetError(EngineError):
    """A ruleset that cannot be: `key` names the option, or `preset`."""

    def __init__(self, message: str, *, key: str) -> None:
        super().__init__(message)
        self.key = key


class PositionError(EngineError):
    """A deal or position that cannot be: `key` names the part that is wrong."""

    def __init__(self, message: str, *, key: str) -> None:
        super().__init__(message)
        self.key = key


class ActionError(EngineError):
    """An action that was refused; the state is as it was."""

    def __init__(self, reason: Reason, message: str, legal: LegalSet = ()) -> None:
        super().__init__(message)
        self.reason = reason
        self.legal = legal


class UnreadableAction(ActionError):  # noqa: N818  # named by what was wrong with the action
    """What was sent is no action at all. The legal set is empty: no position was asked."""


class WrongPhase(ActionError):  # noqa: N818  # named by what was wrong with the action
    """An action of a kind that is never asked for in this phase."""


class NotAllowed(ActionError):  # noqa: N818  # named by what was wrong with the action
    """An action of the right kind that the rules forbid here."""
