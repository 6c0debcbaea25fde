"""Owns what the runner of a match asks of others: the arena, the record, and whoever watches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence

    from euchre_server.match.schedule import Leg
    from euchre_server.match.tally import Tally
    from euchre_server.record.entries import RecordFact
    from euchre_server.referee import TableState
    from euchre_server.referee.result import TableResult
    from euchre_server.referee.spec import TableSpec
    from euchre_server.session import GoodbyeReason, Secret, SessionInfo, Standing

__all__ = ["Arena", "Observer", "Recorder", "Room"]


class Arena(Protocol):
    """What the runner asks of the server (`session.Party`)."""

    def expect(self, bot_name: str, token: Secret) -> None:
        """Lets a bot in with this token."""

    def forget(self, bot_name: str) -> None:
        """Lets a bot in no longer."""

    async def wait_joined(self, bot_name: str, timeout_s: float) -> SessionInfo:
        """Waits for a bot."""
        ...

    def absence(self, bot_name: str) -> str | None:
        """Returns what is known of why an expected bot is not there."""
        ...

    @property
    def is_lagging(self) -> bool:
        """Returns whether the arena has been late of late: open no table beside others then."""
        ...

    def open_table(self, spec: TableSpec) -> asyncio.Future[TableResult]:
        """Begins to referee a table."""
        ...

    def resume_table(self, state: TableState, at_ms: int) -> asyncio.Future[TableResult]:
        """Goes on with a table that a killed arena left behind."""
        ...

    def stop_tables(self) -> None:
        """Ends every open table at once."""

    def drain_tables(self) -> None:
        """Lets every open table finish its hand and then rest: its future is cancelled."""

    def abandon_tables(self) -> None:
        """Lets every open table rest at once."""

    def bot_died(self, bot_name: str, text: str) -> None:
        """Takes note that a bot's process has ended, or that it never dialled in."""

    async def dismiss(self, bot_name: str, reason: GoodbyeReason, text: str) -> None:
        """Says goodbye to a bot."""

    async def announce_match_end(self, match_id: str, standings: Sequence[Standing]) -> None:
        """Tells all bots how the match ended."""


class Room(Protocol):
    """What is asked before a table is opened, so that all who play get their share."""

    def take(self, then: Callable[[], None]) -> bool:
        """Takes the room for one table; where there is none, `then` is called when there may be."""
        ...

    def give(self) -> None:
        """Gives the room of one table back."""

    def withdraw(self) -> None:
        """Asks for no more: nobody is to be called."""


class Recorder(Protocol):
    """What the runner asks of the record."""

    def append(self, table_number: int, at_ms: int, fact: RecordFact) -> None:
        """Takes a fact."""

    def flush(self) -> None:
        """Hands all facts taken so far to the operating system."""


class Observer(Protocol):
    """Who is told how the match goes."""

    def leg_began(self, leg: Leg) -> None:
        """A leg begins."""

    def table_ended(self, tally: Tally, board: int) -> None:
        """A table of a board has ended and is counted."""

    def remote_awaited(self, player: str, address: str, token: str) -> None:
        """A remote bot may dial in: its owner must be told where, once."""

    def trouble(self, sentence: str, output: str) -> None:
        """Something went wrong with a bot; `output` is what it printed last."""
