"""Two arenas held in step, alike but for cards that one bot may not know.

Owns both arenas, their decks, and what goes into and comes out of them: everything is done to one
arena and then to the other, at the same moment of a clock of their own. Session ids and tokens
are drawn alike, so that nothing need be left out when what they say is compared.
What is done is `twin_plans`' business, whether it may differ `twin_sessions`'.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Self
from unittest.mock import patch

from arenas import FakeArena
from session_fakes import bot_frame

from euchre_arena.v1.arena_service_pb2 import Hello
from euchre_server.referee import dealing
from euchre_server.session import Limits, Secret

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Callable, Iterator, Sequence

    from euchre_arena.v1.arena_service_pb2 import ArenaMessage
    from euchre_arena.v1.table_pb2 import Decision
    from euchre_engine.cards import Card
    from euchre_engine.state import State
    from euchre_server.referee import TableResult
    from euchre_server.referee.spec import TableSpec
    from euchre_server.session.conversation import Conversation

__all__ = ["Asked", "Session", "TwinArenas", "TwinBot"]

SIDES = (0, 1)
Deck = tuple["Card", ...]
Asked = tuple["Decision", "Decision"]
"""One question, as it was put on each side."""


@dataclass(slots=True, eq=False)
class Session:
    """One session of a bot, on each side."""

    conversations: tuple[Conversation, Conversation]
    calls: tuple[list[int], list[int]]
    """When the writer of each side was called."""

    def frames(self, side: int) -> list[bytes]:
        """Returns all frames that wait on one side; the questions in them count as written."""
        frames = []
        while (frame := self.conversations[side].take()) is not None:
            frames.append(frame)
        return frames

    @property
    def is_over(self) -> bool:
        """Returns whether nothing more is listened to."""
        return self.conversations[0].is_over


@dataclass(slots=True, eq=False)
class TwinBot:
    """One bot, on both sides."""

    name: str
    view_mode: int
    max_open_decisions: int
    session: Session | None = None
    past: list[Session] = field(default_factory=list)
    """Sessions that a later one took over from."""
    asked: dict[str, Asked] = field(default_factory=dict)
    """Its open questions, by table."""
    answered: list[tuple[str, int]] = field(default_factory=list)
    """Table and number of the questions that it has answered."""
    named: set[str] = field(default_factory=set)
    """The cards that it has named itself."""
    nonces: list[tuple[int, int]] = field(default_factory=list)
    """Pings that wait for their pong, as numbered on each side."""
    tokens: tuple[str, str] = ("", "")
    """To come back with."""


class TwinArenas:
    """Two arenas; a context, within which their decks are those wanted."""

    def __init__(
        self,
        deck_of: Callable[[int, int, int], Deck],
        limits: Limits,
    ) -> None:
        """Makes the arenas.

        Args:
            deck_of: Returns the deck for a side, board and hand.
            limits: What both accept.
        """
        self._deck_of = deck_of
        self._side = 0
        self._counts = (count(1), count(1))
        self._context = ExitStack()
        with self._alike():
            self.sides = (FakeArena(limits), FakeArena(limits))
        self.results: dict[str, tuple[Future[TableResult], Future[TableResult]]] = {}

    def __enter__(self) -> Self:
        self._context.enter_context(self._alike())
        return self

    def __exit__(self, *_: object) -> None:
        self._context.close()

    @contextmanager
    def _alike(self) -> Iterator[None]:
        """Lets both sides draw the same ids and tokens, and deal the decks wanted."""
        with (
            patch("secrets.token_hex", self._drawn),
            patch("secrets.token_urlsafe", self._drawn),
            patch.object(dealing, "shuffle", self._shuffle),
        ):
            yield

    def _drawn(self, _: int = 0) -> str:
        return f"drawn{next(self._counts[self._side])}"

    def _shuffle(self, _: bytes, *, board: int, hand: int, cards: Sequence[Card]) -> Deck:
        del cards
        return self._deck_of(self._side, board, hand)

    # In

    def both(self, act: Callable[[int], None]) -> None:
        """Does the same on both sides."""
        for self._side in SIDES:
            act(self._side)

    def advance(self, milliseconds: int) -> None:
        """Lets time pass."""
        self.both(lambda side: self.sides[side].clock.advance(milliseconds))

    def stall(self, milliseconds: int) -> None:
        """Lets time pass while both arenas stand still."""
        self.both(lambda side: self.sides[side].clock.stall(milliseconds))

    def expect(self, bot: TwinBot) -> None:
        """Lets a bot in."""
        self.both(lambda side: self.sides[side].server.expect(bot.name, Secret.fresh()))

    def dial(self, bot: TwinBot, hello: Hello | None) -> None:
        """Begins a session of a bot, and says Hello, unless that is left out."""
        calls: tuple[list[int], list[int]] = ([], [])
        found: list[Conversation] = []

        def begin(side: int) -> None:
            clock = self.sides[side].clock
            found.append(
                self.sides[side].server.converse(bot.name, lambda: calls[side].append(clock.now()))
            )

        self.both(begin)
        if bot.session is not None:
            bot.past.append(bot.session)
        bot.session = Session((found[0], found[1]), calls)
        if hello is not None:
            frames = [Hello(), Hello()]
            for side in SIDES:
                frames[side].CopyFrom(hello)
                if hello.resume_token:
                    frames[side].resume_token = bot.tokens[side]
            self.receive(bot.session, [bot_frame(frame) for frame in frames])

    def receive(self, session: Session, frames: Sequence[bytes]) -> None:
        """Takes a frame on each side."""
        self.both(lambda side: session.conversations[side].receive(frames[side]))

    def lose(self, session: Session) -> None:
        """Breaks the connection."""
        self.both(lambda side: session.conversations[side].lost())

    def open_table(self, spec: TableSpec) -> None:
        """Opens a table."""
        found: list[Future[TableResult]] = []
        self.both(lambda side: found.append(self.sides[side].server.open_table(spec)))
        self.results[spec.table_id] = (found[0], found[1])

    def hand_at(self, side: int, table_id: str) -> State | None:
        """Returns the hand in play at a table; None where there is none."""
        table = self.sides[side].driver.tables.get(table_id)
        return None if table is None else table.state.hand

    # Out

    def read(self, session: Session) -> tuple[list[bytes], list[bytes]]:
        """Returns the frames that wait, of each side."""
        found: list[list[bytes]] = []
        self.both(lambda side: found.append(session.frames(side)))
        return found[0], found[1]

    @staticmethod
    def hear(bot: TwinBot, first: list[ArenaMessage], second: list[ArenaMessage]) -> None:
        """Lets a bot take note of what both sides say: the same kinds of things."""
        for one, other in zip(first, second, strict=True):
            match one.WhichOneof("message"):
                case "decision":
                    bot.asked[one.decision.table_id] = (one.decision, other.decision)
                case "ping":
                    bot.nonces.append((one.ping.nonce, other.ping.nonce))
                case "welcome":
                    bot.tokens = (one.welcome.resume_token, other.welcome.resume_token)
                case _:
                    pass
