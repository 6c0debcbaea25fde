"""Owns what a bot author writes: a class with `decide` and, if wanted, some hooks.

Must not know the network.
"""

import sys
from collections.abc import Awaitable, Callable
from typing import ClassVar

from euchre_arena.actions import Action
from euchre_arena.decision import Decision
from euchre_arena.events import (
    Disconnected,
    GameEnded,
    Goodbye,
    HandEnded,
    MatchEnded,
    Reconnected,
    Rejected,
    SessionFault,
    TableClosed,
    TableOpened,
    TimedOut,
    Welcome,
)
from euchre_arena.games import Game, Table

__all__ = ["Bot", "Decide", "FunctionBot"]

Decide = Callable[[Decision], Action | Awaitable[Action]]


class Bot:
    """A bot: `decide` is asked for every action, the `on_...` methods are told what happens.

    One object plays all tables of a session. What it wants to remember about a table it keeps
    under `decision.table.id` until `on_table_closed`; nothing need be remembered to play.

    Attributes:
        version: The bot's own version, for the record.
        max_tables: How many tables at once; 0 means as many as the arena allows.
        max_open_decisions: How many decisions may be open at once. Each one's clock runs while
            others are being answered, so only a bot that answers at once, or whose `decide` is
            `async`, should ask for more than one.
        games: The games that it plays; empty means all.
        view_mode: How views travel: `full`, each one whole, or `lean`, only what changes. What
            `decide` is handed is the same.
    """

    version: ClassVar[str] = ""
    max_tables: ClassVar[int] = 0
    max_open_decisions: ClassVar[int] = 1
    games: ClassVar[tuple[Game, ...]] = ()
    view_mode: ClassVar[str] = "full"

    def decide(self, decision: Decision) -> Action | Awaitable[Action]:
        """Returns one of `decision.legal`. May be an `async def`.

        If the arena refuses the answer, the same decision is put again, with the refusal at the
        end of `decision.rejections`. An action that was refused is not sent a second time: then
        the clock plays for the seat.

        Raises:
            NotImplementedError: The bot does not say how to decide.
        """
        raise NotImplementedError(f"{type(self).__name__} must define decide(self, decision)")

    def on_welcome(self, welcome: Welcome) -> None:
        """Is told that the arena let the bot in."""

    def on_table_opened(self, opened: TableOpened) -> None:
        """Is told of a new table."""

    def on_hand_ended(self, ended: HandEnded) -> None:
        """Is told how a hand ended."""

    def on_game_ended(self, ended: GameEnded) -> None:
        """Is told how a game ended."""

    def on_table_closed(self, closed: TableClosed) -> None:
        """Is told how a table ended."""

    def on_match_ended(self, ended: MatchEnded) -> None:
        """Is told the standings."""

    def on_rejected(self, rejected: Rejected) -> None:
        """Is told that an answer was refused; says so on the standard error output."""
        what = f"{rejected.refused} refused" if rejected.refused else "refused"
        legal = f" (legal: {rejected.legal})" if rejected.legal else ""
        at = _at(rejected.table, rejected.decision_id)
        _tell(f"{at}: {what}: {rejected.text}{legal}")

    def on_timed_out(self, timed_out: TimedOut) -> None:
        """Is told that the clock played; says so on the standard error output."""
        outcome = f"the clock played {timed_out.played}" if timed_out.played else "table forfeited"
        at = _at(timed_out.table, timed_out.decision_id)
        _tell(f"{at}: time ran out after {timed_out.charged_ms} ms, {outcome}")

    def on_session_fault(self, fault: SessionFault) -> None:
        """Is told that a message was of no use; says so on the standard error output."""
        _tell(f"the arena could not use a message: {fault.text}")

    def on_disconnected(self, disconnected: Disconnected) -> None:
        """Is told that the connection was lost; says so on the standard error output.

        It is dialled again at once. Tables stay open, and the same objects, but nobody plays for
        them meanwhile except the clock.
        """
        _tell(f"{disconnected.text}; dialling again")

    def on_reconnected(self, reconnected: Reconnected) -> None:
        """Is told that the connection is there again; says so on the standard error output."""
        _tell(f"connected again as {reconnected.welcome.bot_name}")

    def on_goodbye(self, goodbye: Goodbye) -> None:
        """Is told that the arena ends the session."""


class FunctionBot(Bot):
    """A bot that is one function."""

    def __init__(self, decide: Decide) -> None:
        self._decide = decide

    def decide(self, decision: Decision) -> Action | Awaitable[Action]:
        """Returns what the function returns."""
        return self._decide(decision)


def _at(table: Table | None, decision_id: int) -> str:
    return f"{f'table {table.id} ' if table else ''}decision {decision_id}"


def _tell(line: str) -> None:
    sys.stderr.write(f"euchre-arena: {line}\n")
