"""The arena's server: lets bots in, seats them at tables, and referees.

Owns who is connected under which name, and the public interface of this package. Must not know how
tables are scheduled or processes are started.
"""

import asyncio
import secrets
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from structlog.typing import FilteringBoundLogger

from euchre_engine import Seat
from euchre_server.referee.facts import EndCause, FaultKind
from euchre_server.referee.spec import TableSpec
from euchre_server.session import wire
from euchre_server.session.attendance import Attendance
from euchre_server.session.auth import ResumeBook, Secret
from euchre_server.session.conversation import Conversation
from euchre_server.session.doorkeeper import Doorkeeper
from euchre_server.session.driver import Driver
from euchre_server.session.messages import GoodbyeReason, Limits, SessionInfo, Standing
from euchre_server.session.readings import Readings, take_readings
from euchre_server.session.recorder import Journal, Recorder
from euchre_server.session.rpc import Listener
from euchre_server.session.tables import Table
from euchre_server.session.timing import Clock, MonotonicClock
from euchre_server.session.token_store import TokenStore
from euchre_server.session.token_watch import TokenWatch
from euchre_server.session.turnstile import Turnstile

if TYPE_CHECKING:
    import grpc

    from euchre_server.referee import TableResult, TableState
    from euchre_server.session.tls import ServerTls

__all__ = ["ArenaServer"]

_DISMISS_WITHIN_S = 2.0


class ArenaServer:
    """Referees tables for bots that dial in over gRPC."""

    def __init__(
        self,
        *,
        recorder: Recorder | None = None,
        instance_id: str,
        logger: FilteringBoundLogger,
        limits: Limits | None = None,
        clock: Clock | None = None,
        tokens: TokenStore | None = None,
    ) -> None:
        """Makes a server that does not listen yet.

        Args:
            recorder: Keeps the facts of tables that bring no journal of their own.
            instance_id: Tells this arena process from others and from itself after a restart.
            logger: Where events go; keys are bound here.
            limits: What is accepted on a session.
            clock: The time; the machine's unless another is given.
            tokens: Who may come beside those that are expected; nobody unless it is given.
        """
        self.instance_id = instance_id
        self.resumes = ResumeBook()
        self._limits = limits or Limits()
        self._log = logger
        self.door = Doorkeeper(tokens, logger)
        self._driver = Driver(clock=clock or MonotonicClock(), log=logger)
        self._journal = None if recorder is None else Journal(recorder)
        self._turnstile = Turnstile(self._limits, self._driver.clock)
        self._listener = Listener(
            reception=self, turnstile=self._turnstile, limits=self._limits, log=logger
        )
        self._live: dict[str, Conversation] = {}
        self._attendance = Attendance()
        self._streams: dict[Conversation, asyncio.Event] = {}
        self._watch = None
        if tokens is not None:
            self._watch = TokenWatch(
                tokens,
                present=lambda: self._streams,
                clock=self._driver.clock,
                log=logger,
            )

    # Life

    async def start(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        sockets: Sequence[Path] = (),
        services: "Sequence[grpc.ServiceRpcHandler]" = (),
        tls: "ServerTls | None" = None,
        insecure: bool = False,
        reflection: bool = False,
    ) -> str:
        """Listens, and returns the address as HOST:PORT.

        Args:
            host: The address to listen at.
            port: The port; 0 for any free one.
            sockets: Where to listen on Unix sockets too, for bots that have no network.
            services: What else is served beside bots.
            tls: What the arena proves itself with; beyond loopback it must be there.
            insecure: Whether it need not be there beyond loopback.
            reflection: Whether callers may ask what the services look like.

        Raises:
            Unprotected: It would listen beyond loopback without TLS.
            AddressInUse: Something else listens there, it is no address of this machine, or a
                socket cannot be made.
        """
        address = await self._listener.start(
            host,
            port,
            sockets,
            services=services,
            tls=tls,
            insecure=insecure,
            reflection=reflection,
        )
        self._driver.start()
        if self._watch is not None:
            self._watch.start()
        self._log.info("arena listening", address=address, instance=self.instance_id)
        return address

    def readings(self) -> Readings:
        """Returns the arena's numbers as of now."""
        return take_readings(self._driver, self._turnstile, self._streams)

    async def not_serving(self) -> None:
        """Tells whoever asks after the arena's health that nobody should come any more."""
        await self._listener.not_serving()

    async def stop(self, grace_s: float, *, redial_after_ms: int | None = None) -> None:
        """Ends every table and session: bots are told, and have so long to read it.

        Args:
            grace_s: How long.
            redial_after_ms: When bots are to dial again; None for not at all.
        """
        self.stop_tables()
        for conversation in list(self._streams):
            conversation.end(
                GoodbyeReason.DRAINING, "the arena is stopping", redial_after_ms=redial_after_ms
            )
        await self._listener.stop(grace_s)
        if self._watch is not None:
            self._watch.stop()
        self._driver.stop()

    # Bots

    def expect(self, bot_name: str, token: Secret) -> None:
        """Lets a bot in with this token until `forget`; whatever was known of it is forgotten."""
        self.door.expect(bot_name, token)
        self.resumes.forget(bot_name)
        self._attendance.expect(bot_name)
        self._turnstile.forget(bot_name)

    def forget(self, bot_name: str) -> None:
        """Lets a bot in no longer; a session that it has goes on."""
        self.door.forget(bot_name)

    def forget_all_of(self, bot_name: str) -> None:
        """Forgets a bot that will not come again."""
        self.door.forget_all_of(bot_name)
        self.resumes.forget(bot_name)
        self._attendance.forget(bot_name)
        self._turnstile.forget(bot_name)

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
                await self._attendance.arrival(bot_name)

    def absence(self, bot_name: str) -> str | None:
        """Returns what is known of why an expected bot is not there; None where nothing is."""
        if any(stream.line.bot_name == bot_name and not stream.is_over for stream in self._streams):
            return "it connected, but sent no Hello"
        known = self._attendance.absence_of(bot_name)
        if known is None and self.door.has_seen_strangers(bot_name):
            return "a caller whose token was missing or wrong was refused"
        return known

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
        self._attendance.died(bot_name, text)
        for table in list(self._driver.tables.values()):
            self._note_death(table, bot_name, text)

    async def dismiss(self, bot_name: str, reason: GoodbyeReason, text: str) -> None:
        """Says goodbye to a bot, also before its Hello, and waits a little until it hangs up."""
        streams = [s for s in self._streams if s.line.bot_name == bot_name and not s.is_over]
        hung_up = [self._streams[conversation].wait() for conversation in streams]
        for conversation in streams:
            conversation.end(reason, text)
        with suppress(TimeoutError):
            async with asyncio.timeout(_DISMISS_WITHIN_S):
                await asyncio.gather(*hung_up)

    async def announce_match_end(
        self, match_id: str, standings: Sequence[Standing], keys: Collection[str] | None = None
    ) -> None:
        """Tells the bots that are there how a match ended.

        Args:
            match_id: The match.
            standings: How it ended.
            keys: Under what its bots are known; all who are there, unless they are given.
        """
        message = wire.match_ended(match_id, standings)
        for key, conversation in list(self._live.items()):
            if keys is None or key in keys:
                conversation.say(message)

    def max_tables_of(self, bot_name: str) -> int | None:
        """Returns how many tables a bot holds at once; None where it was never there."""
        return self._attendance.max_tables_of(bot_name)

    # Tables

    @property
    def is_lagging(self) -> bool:
        """Returns whether the arena has been late of late: open no table beside others then."""
        return self._driver.is_lagging

    def open_table(
        self, spec: TableSpec, journal: Journal | None = None, keys: tuple[str, ...] | None = None
    ) -> "asyncio.Future[TableResult]":
        """Begins to referee a table; the future has its result when it has ended.

        The future fails with `RecorderFailed` when the record cannot be written, and is cancelled
        when the table comes to rest because it was drained.

        Args:
            spec: The table.
            journal: Keeps its facts; the arena's own unless given.
            keys: By seat, under what the arena knows its bots: their names unless given.
        """
        with self._driver.turn():
            return self._seat_all(
                self._driver.open_table(spec, self._kept_by(journal), keys or spec.bots)
            )

    def resume_table(
        self,
        state: "TableState",
        at_ms: int,
        journal: Journal | None = None,
        keys: tuple[str, ...] | None = None,
    ) -> "asyncio.Future[TableResult]":
        """Goes on with a table that a killed arena left behind, as `open_table` begins one.

        Args:
            state: The table, rebuilt from its facts.
            at_ms: When the last of them happened, in the table's own time.
            journal: Keeps its facts; the arena's own unless given.
            keys: By seat, under what the arena knows its bots: their names unless given.
        """
        with self._driver.turn():
            return self._seat_all(
                self._driver.resume_table(
                    state, at_ms, self._kept_by(journal), keys or state.spec.bots
                )
            )

    def _kept_by(self, journal: Journal | None) -> Journal:
        chosen = journal or self._journal
        if chosen is None:
            raise ValueError("a table needs a journal, its own or the arena's")
        return chosen

    def _seat_all(self, table: Table) -> "asyncio.Future[TableResult]":
        """Seats the bots that are there, and gives up waiting for those that never will be."""
        for seat, key in enumerate(table.keys):
            conversation, death = self._live.get(key), self._attendance.death_of(key)
            if death is not None:
                self._note_death(table, key, death)
            elif conversation is not None and not table.result.done():
                conversation.desk.join(table, Seat(seat))
        return table.result

    def stop_tables(
        self, cause: EndCause = EndCause.STOPPED, journal: Journal | None = None
    ) -> None:
        """Ends open tables without a result: stopped, or by the arena's own fault.

        Args:
            cause: Why.
            journal: Whose tables; all, unless it is given.
        """
        self._driver.stop_tables(self._tables_of(journal), cause)

    def drain_tables(self, journal: Journal) -> None:
        """Lets a journal's tables finish their hands and rest; their futures are then cancelled."""
        self._driver.drain(self._tables_of(journal))

    def abandon_tables(self, journal: Journal) -> None:
        """Lets a journal's tables rest at once: nothing more is recorded of them."""
        self._driver.abandon(self._tables_of(journal))

    def open_boards_of(self, journal: Journal) -> set[int]:
        """Returns the boards of a journal's open tables."""
        return {table.spec.board for table in self._tables_of(journal)}

    def open_count_of(self, journal: Journal) -> int:
        """Returns how many of a journal's tables are open."""
        return len(self._tables_of(journal))

    def give_up_seat(self, key: str, text: str, journal: Journal) -> None:
        """Takes note that a bot will not come to the open tables of a journal."""
        for table in self._tables_of(journal):
            seat = table.seat_of(key)
            if seat is not None:
                self._driver.died(table, seat, FaultKind.START_FAILED, text)

    def _tables_of(self, journal: Journal | None) -> list[Table]:
        tables = self._driver.tables.values()
        return [table for table in tables if journal is None or table.journal is journal]

    def _note_death(self, table: Table, bot_name: str, text: str) -> None:
        seat = table.seat_of(bot_name)
        if seat is not None:
            has_come = self._attendance.has_come(bot_name)
            kind = FaultKind.CRASH if has_come else FaultKind.START_FAILED
            self._driver.died(table, seat, kind, text)

    # What conversations and the listener ask for

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
        if conversation.info is not None:
            self._attendance.came(bot_name, conversation.info.max_tables)
        for table in list(self._driver.tables.values()):
            seat = table.seat_of(bot_name)
            if seat is not None:
                conversation.desk.join(table, seat)

    def ended(self, conversation: Conversation) -> None:
        """Takes a bot that has gone off the list."""
        if conversation.is_faulty:
            self._turnstile.shut_out(conversation.line.bot_name)
        if conversation.not_admitted is not None:
            self._attendance.stayed_away(conversation.line.bot_name, conversation.not_admitted)
        if self._live.get(conversation.line.bot_name) is conversation:
            del self._live[conversation.line.bot_name]

    def hung_up(self, conversation: Conversation) -> None:
        """Takes note that a conversation's stream has ended."""
        self._streams.pop(conversation).set()
