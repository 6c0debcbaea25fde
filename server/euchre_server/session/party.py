"""One match's part of the arena: its bots, its tables and its journal, among all the others'.

A bot that was started for the match is known to the arena by the match and its name, one that
dials with a lasting token by its name alone: it may sit in several matches. Whatever is asked here
concerns this match only. Must not know how a match goes, nor how bots are started.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from euchre_server.referee.spec import TableSpec
from euchre_server.session.auth import Secret
from euchre_server.session.messages import GoodbyeReason, SessionInfo, Standing
from euchre_server.session.names import key_of
from euchre_server.session.recorder import Journal, Recorder

if TYPE_CHECKING:
    import asyncio

    from euchre_server.referee import TableResult, TableState
    from euchre_server.session.server import ArenaServer

__all__ = ["Party"]


class Party:
    """A match at the arena."""

    def __init__(
        self,
        arena: "ArenaServer",
        *,
        match_id: str,
        players: Collection[str],
        recorder: Recorder,
        lasting: Collection[str] = (),
        shares_deals: bool = False,
    ) -> None:
        """Makes a match's part.

        Args:
            arena: Where it is played.
            match_id: The match.
            players: Who plays it.
            recorder: Keeps its facts.
            lasting: The players that dial with tokens of their own, which outlast the match.
            shares_deals: Whether another match here may have the same seed.
        """
        self._arena = arena
        self._match_id = match_id
        self._journal = Journal(recorder, match_id, own_ids=shares_deals)
        self._lasting = frozenset(lasting)
        self._players = tuple(players)
        self._given_up: dict[str, str] = {}

    # Bots

    def expect(self, bot_name: str, token: Secret) -> None:
        """Lets a bot in with this token; a lasting one has its own already."""
        if bot_name not in self._lasting:
            self._arena.expect(self._key(bot_name), token)

    def forget(self, bot_name: str) -> None:
        """Lets a bot in no longer, unless it is a lasting one."""
        if bot_name not in self._lasting:
            self._arena.forget(self._key(bot_name))

    async def wait_joined(self, bot_name: str, timeout_s: float) -> SessionInfo:
        """Returns what a bot said of itself, once it is there.

        Raises:
            TimeoutError: It did not come in time.
        """
        return await self._arena.wait_joined(self._key(bot_name), timeout_s)

    def absence(self, bot_name: str) -> str | None:
        """Returns what is known of why an expected bot is not there."""
        known = self._arena.absence(self._key(bot_name))
        if known is None and bot_name in self._lasting and not self._arena.door.may_dial(bot_name):
            return "no bot's token has this name"
        return known

    def bot_died(self, bot_name: str, text: str) -> None:
        """Takes note that a bot's process has ended, or that it does not come to this match."""
        if bot_name in self._lasting:
            self._given_up[self._key(bot_name)] = text
            self._arena.give_up_seat(self._key(bot_name), text, self._journal)
        else:
            self._arena.bot_died(self._key(bot_name), text)

    async def dismiss(self, bot_name: str, reason: GoodbyeReason, text: str) -> None:
        """Says goodbye to a bot; a lasting one stays for other matches."""
        if bot_name not in self._lasting:
            await self._arena.dismiss(self._key(bot_name), reason, text)

    async def announce_match_end(self, match_id: str, standings: Sequence[Standing]) -> None:
        """Tells the bots of this match how it ended."""
        await self._arena.announce_match_end(
            match_id, standings, [self._key(player) for player in self._players]
        )

    def close(self) -> None:
        """Lets the arena forget what it knows of the bots that were started for this match."""
        for player in self._players:
            if player not in self._lasting:
                self._arena.forget_all_of(self._key(player))

    # Tables

    @property
    def is_lagging(self) -> bool:
        """Returns whether the arena has been late of late: open no table beside others then."""
        return self._arena.is_lagging

    def open_table(self, spec: TableSpec) -> "asyncio.Future[TableResult]":
        """Begins to referee a table; the future is as that of `ArenaServer.open_table`."""
        result = self._arena.open_table(spec, self._journal, self._keys(spec))
        self._give_up(spec)
        return result

    def resume_table(self, state: "TableState", at_ms: int) -> "asyncio.Future[TableResult]":
        """Goes on with a table that a killed arena left behind."""
        spec = state.spec
        result = self._arena.resume_table(state, at_ms, self._journal, self._keys(spec))
        self._give_up(spec)
        return result

    def stop_tables(self) -> None:
        """Ends the open tables without a result."""
        self._arena.stop_tables(journal=self._journal)

    def drain_tables(self) -> None:
        """Lets the open tables finish the hand in play and then rest."""
        self._arena.drain_tables(self._journal)

    def abandon_tables(self) -> None:
        """Lets the open tables rest at once, as if the arena were killed."""
        self._arena.abandon_tables(self._journal)

    def is_there(self, player: str) -> bool:
        """Returns whether a player's bot is connected."""
        return self._arena.connected(self._key(player))

    @property
    def room_keys(self) -> list[str]:
        """Returns the bots that other matches may want too."""
        return [player for player in self._players if player in self._lasting]

    @property
    def open_boards(self) -> set[int]:
        """Returns the boards of the open tables."""
        return self._arena.open_boards_of(self._journal)

    @property
    def open_count(self) -> int:
        """Returns how many tables are open."""
        return self._arena.open_count_of(self._journal)

    def _give_up(self, spec: TableSpec) -> None:
        for key, text in self._given_up.items():
            if key in self._keys(spec):
                self._arena.give_up_seat(key, text, self._journal)

    def _key(self, player: str) -> str:
        return player if player in self._lasting else key_of(self._match_id, player)

    def _keys(self, spec: TableSpec) -> tuple[str, ...]:
        return tuple(map(self._key, spec.bots))
