"""Owns that a session does not outlast the stored token with which it came for long.

Must not know gRPC or tables.
"""

from collections.abc import Callable, Iterable
from typing import Final

from structlog.typing import FilteringBoundLogger

from euchre_server.session.access import Role
from euchre_server.session.conversation import Conversation
from euchre_server.session.messages import GoodbyeReason
from euchre_server.session.names import name_of
from euchre_server.session.timing import Clock, Timer
from euchre_server.session.token_store import TokenStore, TokenStoreError

__all__ = ["WATCH_EVERY_MS", "TokenWatch"]

WATCH_EVERY_MS: Final = 5_000


class TokenWatch:
    """Looks now and then whether those who are there may still be."""

    def __init__(
        self,
        store: TokenStore,
        *,
        present: Callable[[], Iterable[Conversation]],
        clock: Clock,
        log: FilteringBoundLogger,
    ) -> None:
        """Makes a watch that does not look yet.

        Args:
            store: Says who may be there.
            present: Returns who is there.
            clock: The time.
            log: Where it is told that the store cannot be read.
        """
        self._store = store
        self._present = present
        self._clock = clock
        self._log = log
        self._timer: Timer | None = None

    def start(self) -> None:
        """Begins to look."""
        self._timer = self._clock.call_at(self._clock.now() + WATCH_EVERY_MS, self._look)

    def stop(self) -> None:
        """Looks no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        self.start()
        try:
            good = self._store.good_names(Role.BOT)
        except TokenStoreError as error:
            self._log.error("tokens cannot be read", error=str(error))
            return
        if good is None:
            return
        for conversation in list(self._present()):
            name = conversation.line.bot_name
            if name not in good and name_of(name) == name:  # not one that a match let in
                conversation.end(
                    GoodbyeReason.REFUSED, "this bot's token has been revoked or has expired"
                )
