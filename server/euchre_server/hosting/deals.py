"""Owns which boards may be shown: those whose deal no table on this server still uses.

Matches with one secret share their deals, whatever their rules. A board is over in a match when no
table of it will be opened any more and none is open; it is released when it is over in every match
of its secret. Must not know what is shown.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from euchre_server.match.schedule import RESERVE_ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from euchre_server.match.spec import MatchSpec

__all__ = ["Deals", "MatchDeals"]


@dataclass(slots=True, eq=False)
class MatchDeals:
    """The deals of one match."""

    secret: bytes = field(repr=False)
    last: int
    """The last board that it could ever play, all reserves included."""
    is_over: bool = field(init=False, default=False)
    """Whether nothing more of the match will be played."""
    over: set[int] = field(init=False, default_factory=set)
    """Boards that are over in this match."""
    released: dict[int, None] = field(init=False, default_factory=dict)
    """Those that may be shown, in the order in which they came to be."""

    def uses(self, board: int) -> bool:
        """Returns whether a table of this match may still be dealt this board."""
        return not self.is_over and board <= self.last and board not in self.over


class Deals:
    """The deals of all matches that are not over."""

    def __init__(self) -> None:
        self._of_secret: dict[bytes, list[MatchDeals]] = {}

    def enter(self, spec: MatchSpec, over: Iterable[int] = ()) -> MatchDeals:
        """Returns the deals of a match that will be played, or gone on with.

        All matches that an arena takes up must be entered before any board is told to be over:
        nothing is released here.

        Args:
            spec: The match.
            over: The boards that are over in it.
        """
        deals = MatchDeals(spec.secret, spec.boards * (1 + RESERVE_ROUNDS))
        deals.over.update(over)
        self._of_secret.setdefault(spec.secret, []).append(deals)
        return deals

    def enter_unknown(self, secret: bytes) -> MatchDeals:
        """Returns the deals of a match of which only the secret is known: it may use any board."""
        deals = MatchDeals(secret, sys.maxsize)
        self._of_secret.setdefault(secret, []).append(deals)
        return deals

    def board_over(self, deals: MatchDeals, board: int) -> None:
        """Takes note that a board is over in a match."""
        deals.over.add(board)
        self._release(deals.secret, (board,))

    def match_over(self, deals: MatchDeals, boards: Iterable[int]) -> None:
        """Takes note that nothing more of a match will be played.

        Args:
            deals: The match's.
            boards: All of which it played a table.
        """
        deals.over.update(boards)
        deals.is_over = True
        together = self._of_secret.get(deals.secret, [])
        self._release(deals.secret, sorted({board for other in together for board in other.over}))
        if all(other.is_over for other in together):
            self._of_secret.pop(deals.secret, None)

    def look(self) -> None:
        """Releases what can be of the matches that were entered."""
        for secret, together in self._of_secret.items():
            self._release(secret, sorted({board for other in together for board in other.over}))

    def in_use(self, secret: bytes) -> bool:
        """Returns whether a match that is not over has this secret."""
        return secret in self._of_secret

    def _release(self, secret: bytes, boards: Iterable[int]) -> None:
        together = self._of_secret.get(secret, [])
        for board in boards:
            if not any(other.uses(board) for other in together):
                for other in together:
                    if board in other.over:
                        other.released.setdefault(board)
