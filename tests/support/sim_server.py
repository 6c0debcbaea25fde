"""The real server as it is watched, and its log.

Must not know what a match is.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sim_world import Process

from euchre_server.session import ArenaServer

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim_truth import Truth
    from sim_world import World

    from euchre_server.session.conversation import Conversation

__all__ = ["SimLog", "SimServer"]

_LOUD = {"table crashed", "table could not be ended", "reader failed"}


class SimLog:
    """A log that nobody reads, but for what must never be said."""

    def __init__(self, world: World) -> None:
        self._world = world

    def bind(self, **_: object) -> SimLog:
        """Returns itself."""
        return self

    def info(self, event: str, **values: object) -> None:
        """Takes a line."""

    debug = warning = error = info

    def exception(self, event: str, **values: object) -> None:
        """Takes a line about an error that was caught."""
        process = Process.here()
        is_known = type(sys.exc_info()[1]).__name__ == "CrashError"
        if event in _LOUD and not is_known and not (process is not None and process.is_dead):
            self._world.violate(f"the log says: {event} {values} {sys.exc_info()[1]!r}")


class SimServer(ArenaServer):
    """The real server, watched."""

    truth: Truth
    process: Process

    def converse(self, bot_name: str, notify: Callable[[], None]) -> Conversation:
        """Returns a new conversation, watched."""
        conversation = super().converse(bot_name, notify)
        if not self.process.is_dead:
            self.truth.watch(conversation, bot_name, self.process)
        return conversation
