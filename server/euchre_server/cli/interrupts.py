"""Owns what SIGINT, SIGTERM and SIGHUP do to the process, from its first command on.

As a rule an interrupt raises KeyboardInterrupt, at whatever point the program is. Where that would
leave something half made it is held: it is counted, and whoever listens is told in the event loop.
Must not know commands.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Iterator
    from types import FrameType

__all__ = ["INTERRUPTS", "Interrupts"]

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_OUTPUTS: Final = (1, 2)


class Interrupts:
    """Takes the signals that ask the process to end."""

    def __init__(self) -> None:
        """Prepares to; `handled` begins it."""
        self.count = 0
        """How often it was asked, while signals are `handled`."""
        self._held = 0
        self._tell: Callable[[], object] | None = None
        self._terminals: tuple[int, ...] = ()

    @contextmanager
    def handled(self) -> Iterator[None]:
        """Takes the signals for as long as the context lasts; a SIGHUP that nohup keeps off, not.

        Raises:
            KeyboardInterrupt: One came, at any moment at which it was not held.
        """
        self._terminals = tuple(filter(os.isatty, _OUTPUTS))
        before = {
            number: signal.signal(number, self._arrived)
            for number in _SIGNALS
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            self.count = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Lets interrupts be counted only: what is made within is made to its end.

        Raises:
            KeyboardInterrupt: One had come before, whatever became of it.
        """
        self.check()
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1

    @contextmanager
    def told(self, listener: Callable[[], object], loop: AbstractEventLoop) -> Iterator[None]:
        """Tells a listener of every interrupt, those that came before at once.

        Args:
            listener: Called for each.
            loop: Where: the one that is running.
        """
        # First what comes now, then what came: nothing gets lost in between.
        self._tell = lambda: loop.call_soon_threadsafe(listener)
        try:
            for _ in range(self.count):
                listener()
            yield
        finally:
            self._tell = None

    def check(self) -> None:
        """Raises what a held interrupt did not.

        Raises:
            KeyboardInterrupt: One has come.
        """
        if self.count:
            raise KeyboardInterrupt

    def _arrived(self, number: int, _: FrameType | None) -> None:
        self.count += 1
        if number == signal.SIGHUP:
            self._leave_terminal()
        if self._tell is not None:
            self._tell()
        elif not self._held:
            raise KeyboardInterrupt

    def _leave_terminal(self) -> None:
        """Keeps what is still printed from failing where the terminal has gone."""
        gone = [output for output in self._terminals if not os.isatty(output)]
        if gone:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for output in gone:
                os.dup2(nowhere, output)
            os.close(nowhere)


INTERRUPTS: Final = Interrupts()
"""Of this process: signals are the whole process's."""
