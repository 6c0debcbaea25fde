"""Owns when a bot dials again that found no arena, or has lost it, and when it gives up.

Must not know the network, nor wait or look at a clock: `dial` does.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Patience", "Redial"]

_MOST_DOUBLINGS = 30
_SHORTEST_TRY_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Redial:
    """How to dial again.

    Attributes:
        within_s: How long to try, in all; 0 means not at all.
        first_s: The longest wait before the first attempt; each further one waits up to twice
            as long.
        most_s: The longest wait of all.
    """

    within_s: float = 30.0
    first_s: float = 0.25
    most_s: float = 4.0

    def delay_s(self, attempt: int, draw: float) -> float:
        """Returns how long to wait before an attempt, the first being number 0.

        Args:
            attempt: Its number.
            draw: A random number from 0 to 1: it moves the wait between a half and the whole, so
                that bots that were cut off together do not come back together.
        """
        whole = min(self.most_s, self.first_s * 2.0 ** min(attempt, _MOST_DOUBLINGS))
        return whole * (1 + draw) / 2


class Patience:
    """What is left of the attempts since the first, or since play last went on.

    Attributes:
        left_s: For how long dialling may go on.
    """

    def __init__(self, redial: Redial, draw: Callable[[], float] = random.random) -> None:
        self.left_s = redial.within_s
        self._redial = redial
        self._draw = draw
        self._attempt = 0

    @property
    def for_one_try_s(self) -> float:
        """For how long one attempt may go on: the last one, too, is to have time to succeed."""
        return max(self.left_s, _SHORTEST_TRY_S)

    def held(self, for_s: float, *, was_asked: bool) -> None:
        """Takes note of a connection that was welcome: one on which play went on begins all anew.

        So does one that has held for as long as dialling may go on: where no match is played for
        days, losses that were each made good at once do not add up.

        Args:
            for_s: How long it held.
            was_asked: Whether a new question came on it.
        """
        if was_asked or for_s > self._redial.within_s:
            self._restore()

    def _restore(self) -> None:
        self.left_s = self._redial.within_s
        self._attempt = 0

    def spend(self, seconds: float) -> None:
        """Takes off what an attempt has cost."""
        self.left_s -= seconds

    def next_delay_s(self) -> float | None:
        """Returns how long to wait before the next attempt, already spent; None to give up."""
        if self.left_s <= 0:
            return None
        delay = min(self.left_s, self._redial.delay_s(self._attempt, self._draw()))
        self._attempt += 1
        self.spend(delay)
        return delay

    def told(self) -> str:
        """Returns what has been tried, for a person."""
        tries = self._attempt + 1
        times = "once" if tries == 1 else f"{tries} times"
        return f"dialled {times} within {self._redial.within_s:g} s"
