"""Owns who is let in: expected bots and holders of stored tokens; and how many others came.

Must not know sessions, tables or gRPC.
"""

from structlog.typing import FilteringBoundLogger

from euchre_server.session.access import Authoriser, Caller, Denied, Role
from euchre_server.session.auth import Secret, TokenBook
from euchre_server.session.token_store import TokenStore, TokenStoreError

__all__ = ["Doorkeeper"]


class Doorkeeper:
    """Knows whose tokens are good."""

    def __init__(self, stored: TokenStore | None, log: FilteringBoundLogger) -> None:
        """Makes a doorkeeper who expects nobody yet.

        Args:
            stored: Who may come beside those that are expected; nobody unless it is given.
            log: Where it is told who was turned away.
        """
        self.authoriser = Authoriser((self._expected_bot, self._holder))
        self._expected = TokenBook()
        self._stored = stored
        self._log = log
        self._strangers = 0
        self._strangers_before: dict[str, int] = {}

    def expect(self, bot_name: str, token: Secret) -> None:
        """Lets a bot in with this token until `forget`."""
        self._expected.expect(bot_name, token)
        self._strangers_before[bot_name] = self._strangers

    def forget(self, bot_name: str) -> None:
        """Lets a bot in no longer."""
        self._expected.forget(bot_name)

    def forget_all_of(self, bot_name: str) -> None:
        """Forgets a bot that will not come again."""
        self.forget(bot_name)
        self._strangers_before.pop(bot_name, None)

    def may_dial(self, bot_name: str) -> bool:
        """Returns whether a lasting token lets a bot in under this name, or nobody can tell."""
        try:
            names = None if self._stored is None else self._stored.good_names(Role.BOT)
        except TokenStoreError as error:
            self._cannot_read(error)
            return True
        return names is None or bot_name in names

    def has_seen_strangers(self, bot_name: str) -> bool:
        """Returns whether a caller without a good token came since a bot was expected."""
        return self._strangers > self._strangers_before.get(bot_name, self._strangers)

    def turned_away(self, rpc_method: str, denied: Denied) -> None:
        """Takes note of a caller who was not let in; one whom the arena just ended is no news."""
        if denied.known:
            self._log.info("call refused", call=rpc_method, reason="role not allowed")
            return
        if denied.token is not None and self._expected.was_good(denied.token):
            self._log.info("call refused", call=rpc_method, reason="token no longer good")
            return
        self._strangers += 1
        log = self._log.info if self._strangers > 1 else self._log.warning
        log(
            "call refused",
            call=rpc_method,
            reason="token missing or not known",
            count=self._strangers,
        )

    def _expected_bot(self, token: Secret) -> Caller | None:
        bot_name = self._expected.bot_of(token)
        return None if bot_name is None else Caller(bot_name, Role.BOT)

    def _holder(self, token: Secret) -> Caller | None:
        """Returns whose a stored token is."""
        try:
            return None if self._stored is None else self._stored.caller_of(token)
        except TokenStoreError as error:
            self._cannot_read(error)
            return None

    def _cannot_read(self, error: TokenStoreError) -> None:
        self._log.error("tokens cannot be read", error=str(error))
