"""Owns how a turn of the driver begins and ends: within another it is part of that one.

A class and not a generator, since every frame is a turn. Must not know what happens in a turn.
"""

from collections.abc import Callable

__all__ = ["Turn"]


class Turn:
    """A context that may be entered again while it lasts: only the outermost counts."""

    __slots__ = ("_begin", "_end", "depth")

    def __init__(self, begin: Callable[[], None], end: Callable[[], None]) -> None:
        self.depth = 0
        """How often it has been entered and not left."""
        self._begin = begin
        self._end = end

    def __enter__(self) -> None:
        self.depth += 1
        if self.depth == 1:
            try:
                self._begin()
            except BaseException:
                self.__exit__()
                raise

    def __exit__(self, *_: object) -> None:
        self.depth -= 1
        if not self.depth:
            self._end()
