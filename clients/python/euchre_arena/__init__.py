"""What a bot author needs: `run`, `Bot`, and the values that a decision is made of."""

from euchre_arena import _importing
from euchre_arena.actions import Action, ActionKind
from euchre_arena.bot import Bot
from euchre_arena.cards import JOKER, Card, Rank, Suit
from euchre_arena.decision import Decision
from euchre_arena.errors import (
    ArenaError,
    BotError,
    LostError,
    ProtocolError,
    RefusedError,
    SetupError,
)
from euchre_arena.events import (
    Blame,
    BotStanding,
    Disconnected,
    EndCause,
    GameEnded,
    Goodbye,
    GoodbyeReason,
    HandEnded,
    MatchEnded,
    Reconnected,
    Rejected,
    RejectReason,
    SessionFault,
    TableClosed,
    TableOpened,
    TimedOut,
    TimeSpent,
    Welcome,
)
from euchre_arena.games import Clock, FaultPolicy, FaultPolicyKind, Game, Ruleset, Table
from euchre_arena.legal import Choose, LegalActions
from euchre_arena.run import run
from euchre_arena.trumps import Trumps, trumps_for
from euchre_arena.view import HistoryItem, Phase, Played, Trick, UpcardStatus, View

__all__ = [
    "JOKER",
    "Action",
    "ActionKind",
    "ArenaError",
    "Blame",
    "Bot",
    "BotError",
    "BotStanding",
    "Card",
    "Choose",
    "Clock",
    "Decision",
    "Disconnected",
    "EndCause",
    "FaultPolicy",
    "FaultPolicyKind",
    "Game",
    "GameEnded",
    "Goodbye",
    "GoodbyeReason",
    "HandEnded",
    "HistoryItem",
    "LegalActions",
    "LostError",
    "MatchEnded",
    "Phase",
    "Played",
    "ProtocolError",
    "Rank",
    "Reconnected",
    "RefusedError",
    "RejectReason",
    "Rejected",
    "Ruleset",
    "SessionFault",
    "SetupError",
    "Suit",
    "Table",
    "TableClosed",
    "TableOpened",
    "TimeSpent",
    "TimedOut",
    "Trick",
    "Trumps",
    "UpcardStatus",
    "View",
    "Welcome",
    "run",
    "trumps_for",
]

_importing.done()
