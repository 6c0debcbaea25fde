"""Owns the counting of lines: how many ways there are to go on from a position.

A line is a sequence of legal actions; one that reaches the end of the hand before the depth asked
for counts once, so that the count at great depth is the number of whole hands. An exchange counts
each choice of cards (DESIGN.md section 4; tests/perft holds positions with known counts).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_engine.hand import apply, legal_actions

if TYPE_CHECKING:
    from euchre_engine.actions import Action
    from euchre_engine.state import State

__all__ = ["divide", "perft"]


def perft(state: State, depth: int) -> int:
    """Returns the number of lines of so many actions, shorter ones that end the hand included."""
    legal = legal_actions(state) if depth else ()
    if not legal:
        return 1
    if depth == 1:
        return len(legal)
    return sum(perft(apply(state, action), depth - 1) for action in legal)


def divide(state: State, depth: int) -> dict[Action, int]:
    """Returns for each first action the number of lines that begin with it.

    Args:
        state: The position.
        depth: The length of the lines, at least 1.
    """
    return {action: perft(apply(state, action), depth - 1) for action in legal_actions(state)}
