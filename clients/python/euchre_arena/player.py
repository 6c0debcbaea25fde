"""Owns the meeting of a bot and its session: who is asked, who is told, what is answered.

Must not know the network or an event loop: what a bot decides later, `later` waits for.
"""

import time
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import TYPE_CHECKING, assert_never

from euchre_arena.actions import Action
from euchre_arena.decision import Decision
from euchre_arena.errors import BotError, BotExitError, BotInterruptedError
from euchre_arena.events import (
    Disconnected,
    Event,
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

if TYPE_CHECKING:
    from euchre_arena.bot import Bot
    from euchre_arena.session import Session
    from euchre_arena.v1 import arena_service_pb2 as pb

__all__ = ["Later", "Player"]

Later = Callable[[Decision, Awaitable[Action], float], None]


class Player:
    """Puts the session's decisions to the bot, and the bot's answers into the session."""

    def __init__(self, bot: "Bot", session: "Session", later: Later) -> None:
        """Binds the two.

        Args:
            bot: The bot.
            session: Its session.
            later: Called with a decision, the awaitable that an `async` bot returned for it, and
                the time at which it was asked; must see to it that `settle` is called in the end.
        """
        self._bot = bot
        self._session = session
        self._later = later

    def receive(self, frame: "pb.ConnectResponse") -> None:
        """Handles all messages of a frame.

        Raises:
            BotError: The bot's own code failed.
            ProtocolError: The arena sent what makes no sense.
        """
        for event in self._session.receive(frame):
            if isinstance(event, Decision):
                self._ask(event)
            else:
                self._guarded(event)

    def disconnected(self, text: str) -> None:
        """Tells the bot that its connection was lost.

        Raises:
            BotError: The bot's own code failed.
        """
        self._guarded(Disconnected(text=text))

    def settle(self, decision: Decision, action: object, asked_at: float) -> None:
        """Answers a decision with what the bot made of it.

        Raises:
            BotError: The bot returned something else than an action, or its note is no text.
        """
        if not isinstance(action, Action):
            raise BotError(
                f"decide returned {action!r}; it must return an Action, one of decision.legal "
                f"({decision})"
            )
        if not isinstance(decision.annotation, str):
            raise BotError(
                f"decision.annotation is {decision.annotation!r}; it must be a text ({decision})"
            )
        think_ms = int(1000 * (time.monotonic() - asked_at))
        self._session.answer(decision, action, think_ms=think_ms)

    def _ask(self, decision: Decision) -> None:
        asked_at = time.monotonic()
        try:
            action = self._bot.decide(decision)
        except SystemExit as exit_:
            raise BotExitError(exit_.code) from exit_
        except KeyboardInterrupt:
            raise BotInterruptedError from None
        except Exception as error:
            raise failed("decide", decision) from error
        if not isinstance(action, Action) and isawaitable(action):
            self._later(decision, action, asked_at)
        else:
            self.settle(decision, action, asked_at)

    def _guarded(self, event: Event) -> None:
        try:
            self._tell(event)
        except SystemExit as exit_:
            raise BotExitError(exit_.code) from exit_
        except KeyboardInterrupt:
            raise BotInterruptedError from None
        except Exception as error:
            raise BotError(f"the bot failed when it was told of {event}") from error
        if isinstance(event, Rejected) and event.decision:
            self._ask(event.decision)

    def _tell(self, event: Event) -> None:
        match event:
            case HandEnded():
                self._bot.on_hand_ended(event)
            case TableOpened():
                self._bot.on_table_opened(event)
            case TableClosed():
                self._bot.on_table_closed(event)
            case Rejected():
                self._bot.on_rejected(event)
            case TimedOut():
                self._bot.on_timed_out(event)
            case GameEnded():
                self._bot.on_game_ended(event)
            case Welcome():
                self._bot.on_welcome(event)
            case Disconnected():
                self._bot.on_disconnected(event)
            case Reconnected():
                self._bot.on_reconnected(event)
            case MatchEnded():
                self._bot.on_match_ended(event)
            case SessionFault():
                self._bot.on_session_fault(event)
            case Goodbye():
                self._bot.on_goodbye(event)
            case _:
                assert_never(event)


def failed(what: str, decision: Decision) -> BotError:
    """Returns the error for a bot that failed at a decision."""
    return BotError(f"the bot failed in {what} at {decision}")
