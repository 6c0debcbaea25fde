"""Owns who may open a table when several matches want the same bots.

A bot holds so many tables at once, whoever's they are. Where matches compete for it, the one with
fewest open tables comes first, and those level in the order in which they asked. What the first of
the waiting needs is kept for it, so that nobody waits for ever. Must not know tables or matches.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

__all__ = ["Claim", "OpenRoom", "SharedRoom"]


class OpenRoom:
    """Room without end: for a match that has its bots to itself."""

    def take(self, then: Callable[[], None]) -> bool:
        """Takes the room for one table."""
        del then
        return True

    def give(self) -> None:
        """Gives it back."""

    def withdraw(self) -> None:
        """Asks for no more."""


class SharedRoom:
    """The room that the bots of all matches have."""

    def __init__(
        self,
        most_of: Callable[[str], int | None],
        soon: Callable[[Callable[[], None]], object],
    ) -> None:
        """Makes room of which nothing is taken.

        Args:
            most_of: Returns how many tables a bot holds at once; None where that is not known.
            soon: Calls back when what runs now is done.
        """
        self._most_of = most_of
        self._soon = soon
        self._used: Counter[str] = Counter()
        self._waiting: dict[Claim, Callable[[], None]] = {}
        self._turns = count()
        self._serving = False

    def claim(self, bots: Collection[str]) -> Claim:
        """Returns what a match asks by.

        Args:
            bots: Whose room each of its tables takes.
        """
        return Claim(self, tuple(bots))

    def _take(self, claim: Claim, then: Callable[[], None]) -> bool:
        claim.has_asked = True
        if claim not in self._waiting:
            claim.since = next(self._turns)
        self._waiting[claim] = then
        if self._first(only=claim) is None:
            return False
        del self._waiting[claim]
        self._used.update(claim.bots)
        claim.open_count += 1
        return True

    def _give(self, claim: Claim) -> None:
        self._used.subtract(claim.bots)
        claim.open_count -= 1
        claim.since = next(self._turns)  # whoever had a table comes behind those level with it
        self._serve_soon()

    def _withdraw(self, claim: Claim) -> None:
        if self._waiting.pop(claim, None) is not None:
            self._serve_soon()

    def _serve_soon(self) -> None:
        """Whoever gives may want to take again, and must not come behind for that."""
        if self._waiting and not self._serving:
            self._serving = True
            self._soon(self._serve)

    def _serve(self) -> None:
        self._serving = False
        while (claim := self._first()) is not None:
            claim.has_asked = False
            self._waiting[claim]()  # in its old place in the queue
            if not claim.has_asked:
                del self._waiting[claim]

    def _first(self, only: Claim | None = None) -> Claim | None:
        """Returns the first of the waiting for which there is room, or that one if it is."""
        kept: Counter[str] = Counter()
        for claim in sorted(self._waiting, key=lambda claim: (claim.open_count, claim.since)):
            if all(self._has_room(bot, kept[bot]) for bot in claim.bots):
                if only is None or claim is only:
                    return claim
            elif claim is only:
                return None
            kept.update(claim.bots)
        return None

    def _has_room(self, bot: str, kept: int) -> bool:
        most = self._most_of(bot)
        return most is None or self._used[bot] + kept < most


class Claim:
    """What one match asks for room by (`seams.Room`)."""

    def __init__(self, room: SharedRoom, bots: tuple[str, ...]) -> None:
        self.bots = bots
        self.open_count = 0
        self.since = 0
        self.has_asked = False
        self._room = room

    def take(self, then: Callable[[], None]) -> bool:
        """Takes the room for one table; where there is none, `then` is called when there may be."""
        return self._room._take(self, then)  # noqa: SLF001  # one thing in two classes

    def give(self) -> None:
        """Gives the room of one table back."""
        self._room._give(self)  # noqa: SLF001  # as above

    def withdraw(self) -> None:
        """Asks for no more."""
        self._room._withdraw(self)  # noqa: SLF001  # as above
