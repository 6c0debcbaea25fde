"""Owns the bot that plays any legal action, each as likely as the others.

Must not look at the view.
"""

from typing import Final

from euchre_arena.actions import Action
from euchre_arena.bot import Bot
from euchre_arena.decision import Decision

__all__ = ["RandomBot"]

_MASK: Final = (1 << 64) - 1


class RandomBot(Bot):
    """Chooses evenly among the legal actions, by the table's `bot_seed` and the decision's id.

    So it plays the same when a match is repeated, and when it is asked again after a restart.
    """

    version = "1"
    max_open_decisions = 32

    def decide(self, decision: Decision) -> Action:
        """Returns one of the legal actions."""
        legal = decision.legal
        return legal[_mixed(decision.table.bot_seed, decision.id) * len(legal) >> 64]


def _mixed(seed: int, number: int) -> int:
    """Returns 64 evenly spread bits for the number, other ones for each seed (splitmix64)."""
    state = (seed + number * 0x9E3779B97F4A7C15) & _MASK
    state = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    state = ((state ^ state >> 27) * 0x94D049BB133111EB) & _MASK
    return state ^ state >> 31
