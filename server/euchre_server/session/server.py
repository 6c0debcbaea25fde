"""The arena's server: lets bots in, seats them at tables, and referees.

Owns who is connected under which name, and the public interface of this package. Must not know how
tables are scheduled or processes are started.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from structlog.typing import FilteringBoundLogger

from euchre_engine import Seat
from euchre_server.referee.facts import EndCause, FaultKind
from euchre_server.referee.spec import TableSpec
from euchre_server.session import wire
from euchre_server.session.auth import ResumeBook, Secret, TokenBook
from euchre_server.session.conversation import Conversation
from euchre_server.session.driver import Driver, Table
from euchre_server.session.messages import GoodbyeReason, Limits, SessionInfo, Standing
from euchre_server.session.recorder import Recorder
from euchre_server.session.rpc import Listener
from euchre_server.session.timing import Clock, MonotonicClock

if TYPE_CHECKING:
    from euchre_server.referee import TableResult, TableState

__all__ = ["ArenaServer"]

_DISMISS_WITHIN_S = 2.0


class ArenaServer:
    """Referees tables for bots that dial in over gRPC."""

    def __init__(
        self,
        *,
        recorder: Recorder,
        instance_id: str,
        logger: FilteringBoundLogger,
        limits: Limits | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Makes a server that does not listen yet.

        Args:
            recorder: Keeps the facts.
            instance_id: Tells this arena process from others and from itself after a restart.
            logger: Where events go; keys are bound here.
            limits: What is accepted on a session.
            clock: The time; the machine's unless another is given.
        """
        self.instance_id = instance_id
        self.resumes = ResumeBook()
        self._limits = limits or Limits()
        self._log = logger
        self._tokens = TokenBook()
        self._driver = Driver(recorder=recorder, clock=clock or MonotonicClock(), log=logger)
        self._listener = Listener(
            reception=self, recorder=recorder, limits=self._limits, log=logger
        )
        self._live: dict[str, Conversation] = {}
        self._arrivals: dict[str, asyncio.Event] = {}
        self._absences: dict[str, str] = {}
        self._strangers = 0
        self._strangers_before: dict[str, int] = {}
        self._seen: set[str] = set()
        self._dead: dict[str, str] = {}
        self._streams: dict[Conversation, asyncio.Event] = {}

    # Life

    async def start(
        self, host: str = "127.0.0.1", port: int = 0, *, sockets: Sequence[Path] = ()
    ) -> str:
        """Listens, and returns the address as HOST:PORT.

        Args:
            host: The address to listen at.
            port: The port; 0 for any free one.
            sockets: Where to listen on Unix sockets too, for bots that have no network.

        Raises:
            AddressInUse: Something else listens there, it is no address of this machine, or a
                socket cannot be made.
        """
        address = await self._listener.start(host, port, sockets)
        self._driver.start()
        self._log.info("arena listening", address=address, instance=self.instance_id)
        return address

    async def stop(self, grace_s: float) -> None:
        """Ends every table and session: bots are told, and have so long to read it."""
        self.stop_tables()
        for conversation in list(self._streams):
            conversation.end(GoodbyeReason.DRAINING, "the arena is stopping")
        await self._listener.stop(grace_s)
        self._driver.stop()

    # Bots

    def expect(self, bot_name: str, token: Secret) -> None:
        """Lets a bot in with this token until `forget`; whatever was known of it is forgotten."""
        self._tokens.expect(bot_name, token)
        self.resumes.forget(bot_name)
        self._seen.discard(bot_name)
        self._dead.pop(bot_name, None)
        self._absences.pop(bot_name, None)
        self._strangers_before[bot_name] = self._strangers

    def forget(self, bot_name: str) -> None:
        """Lets a bot in no longer; a session that it has goes on."""
        self._tokens.forget(bot_name)

    async def wait_joined(self, bot_name: str, timeout_s: float) -> SessionInfo:
        """Returns what a bot said of itself, once it is there.

        Raises:
            TimeoutError: It did not come in time.
        """
        async with asyncio.timeout(timeout_s):
            while True:
                conversation = self._live.get(bot_name)
                if conversation is not None and conversation.info is not None:
                    return conversation.info
                await self._arrivals.setdefault(bot_name, asyncio.Event()).wait()

    def absence(self, bot_name: str) -> str | None:
        """Returns what is known of why an expected bot is not there; None where nothing is."""
        if any(stream.line.bot_name == bot_name and not stream.is_over for stream in self._streams):
            return "it connected, but sent no Hello"
        if bot_name in self._absences:
            return self._absences[bot_name]
        if self._strangers > self._strangers_before.get(bot_name, self._strangers):
            return "a caller whose token was missing or wrong was refused"
        return None

    def connected(self, bot_name: str) -> bool:
        """Returns whether a bot is there."""
        return bot_name in self._live

    def bot_died(self, bot_name: str, text: str) -> None:
        """Takes note that a bot's process has ended, until it is expected again.

        Its open tables go on without waiting for it, by their policy; tables opened later are
        forfeited at once.

        Args:
            bot_name: The bot.
            text: How it ended, for the record.
        """
        self._dead[bot_name] = text
        for table in list(self._driver.tables.values()):
            self._note_death(table, bot_name)

    async def dismiss(self, bot_name: str, reason: GoodbyeReason, text: str) -> None:
        """Says goodbye to a bot, and waits a little for its session to end."""
        conversation = self._live.get(bot_name)
        if conversation is None:
            return
        hung_up = self._streams[conversation]
        conversation.end(reason, text)
        with suppress(TimeoutError):
            async with asyncio.timeout(_DISMISS_WITHIN_S):
                await hung_up.wait()

    async def announce_match_end(self, match_id: str, standings: Sequence[Standing]) -> None:
        """Tells every bot that is there how the match ended."""
        message = wire.match_ended(match_id, standings)
        for conversation in self._live.values():
            conversation.say(message)

    # Tables

    @property
    def is_lagging(self) -> bool:
        """Returns whether the arena has been late of late: open no table beside others then."""
        return self._driver.is_lagging

    def open_table(self, spec: TableSpec) -> "asyncio.Future[TableResult]":
        """Begins to referee a table; the future has its result when it has ended.

        The future fails with `RecorderFailed` when the record cannot be written.
        """
        with self._driver.turn():
            return self._seat_all(self._driver.open_table(spec))

    def resume_table(self, state: "TableState", at_ms: int) -> "asyncio.Future[TableResult]":
        """Goes on with a table that a killed arena left behind, as `open_table` begins one.

        Args:
            state: The table, rebuilt from its facts.
            at_ms: When the last of them happened, in the table's own time.
        """
        with self._driver.turn():
            return self._seat_all(self._driver.resume_table(state, at_ms))

    def _seat_all(self, table: Table) -> "asyncio.Future[TableResult]":
        """Seats the bots that are there, and gives up waiting for those that never will be."""
        for seat, bot_name in enumerate(table.spec.bots):
            conversation = self._live.get(bot_name)
            if bot_name in self._dead:
                self._note_death(table, bot_name)
            elif conversation is not None and table.state.ending is None:
                self._driver.join(table, Seat(seat), conversation.line)
        return table.result

    def stop_tables(self, cause: EndCause = EndCause.STOPPED) -> None:
        """Ends every open table without a result: stopped, or by the arena's own fault."""
        self._driver.stop_tables(self._driver.tables.values(), cause)

    def _note_death(self, table: Table, bot_name: str) -> None:
        if bot_name in table.spec.bots:
            seat = Seat(table.spec.bots.index(bot_name))
            kind = FaultKind.CRASH if bot_name in self._seen else FaultKind.START_FAILED
            self._driver.died(table, seat, kind, self._dead[bot_name])

    # What conversations and the listener ask for

    def bot_of(self, token: Secret) -> str | None:
        """Returns the bot that a token was made for."""
        return self._tokens.bot_of(token)

    def turn_away(self, token: Secret | None) -> None:
        """Takes note of a caller who was not let in; one whom the arena just ended is no news."""
        if token is not None and self._tokens.was_good(token):
            self._log.info("stream refused", reason="token no longer good")
            return
        self._strangers += 1
        log = self._log.info if self._strangers > 1 else self._log.warning
        log("stream refused", reason="token missing or not known", count=self._strangers)

    def converse(self, bot_name: str, notify: Callable[[], None]) -> Conversation:
        """Returns a new conversation with a bot."""
        conversation = Conversation(
            bot_name=bot_name,
            session_id=secrets.token_hex(8),
            house=self,
            driver=self._driver,
            limits=self._limits,
            log=self._log,
            notify=notify,
        )
        self._streams[conversation] = asyncio.Event()
        return conversation

    def admitted(self, conversation: Conversation) -> None:
        """Seats a bot that has just come; an earlier session of it is fenced off."""
        bot_name = conversation.line.bot_name
        before = self._live.get(bot_name)
        if before is not None:
            before.end(GoodbyeReason.FENCED, "another session of this bot took over")
        self._live[bot_name] = conversation
        self._seen.add(bot_name)
        for table in list(self._driver.tables.values()):
            if bot_name in table.spec.bots:
                seat = Seat(table.spec.bots.index(bot_name))
                self._driver.join(table, seat, conversation.line)
        arrival = self._arrivals.pop(bot_name, None)
        if arrival is not None:
            arrival.set()

    def ended(self, conversation: Conversation) -> None:
        """Takes a bot that has gone off the list."""
        if conversation.not_admitted is not None:
            self._absences[conversation.line.bot_name] = conversation.not_admitted
        if self._live.get(conversation.line.bot_name) is conversation:
            del self._live[conversation.line.bot_name]

    def hung_up(self, conversation: Conversation) -> None:
        """Takes note that a conversation's stream has ended."""
        self._streams.pop(conversation).set()
