"""Owns one session from its first frame to its end: what a bot says, and what comes of it.

Bytes go in by `receive` and out by `take`; there is no socket and no task here, so that every
conversation can be held in a test with a clock that moves when told.
Must not know how bytes travel (`rpc`), nor which other sessions there are (`server`).
"""

from collections.abc import Callable
from enum import Enum, auto
from itertools import count
from typing import TYPE_CHECKING, Final, Protocol, assert_never

from structlog.typing import FilteringBoundLogger

from euchre_server.session import wire
from euchre_server.session.admission import Refused, admit
from euchre_server.session.allowance import Allowance
from euchre_server.session.auth import ResumeBook
from euchre_server.session.desk import Desk
from euchre_server.session.driver import Driver
from euchre_server.session.messages import (
    Answer,
    BotMessage,
    Farewell,
    GoodbyeReason,
    Hello,
    Limits,
    Pong,
    SessionFaultReason,
    SessionInfo,
    Unknown,
    ViewRequest,
    Welcome,
)
from euchre_server.session.names import name_of
from euchre_server.session.outbox import Outbox
from euchre_server.session.recorder import Journal
from euchre_server.session.roster import Line

if TYPE_CHECKING:
    from euchre_server.session.timing import Timer

__all__ = ["PING_EVERY_MS", "Conversation", "House"]

PING_EVERY_MS: Final = 5_000


class House(Protocol):
    """Whoever keeps the sessions apart."""

    instance_id: str
    resumes: ResumeBook

    def admitted(self, conversation: "Conversation") -> None:
        """Takes note that a bot has been let in and told so."""

    def ended(self, conversation: "Conversation") -> None:
        """Takes note that a conversation is over."""


class _Phase(Enum):
    AWAITING_HELLO = auto()
    LIVE = auto()
    OVER = auto()


class Conversation:
    """One session with one bot."""

    def __init__(
        self,
        *,
        bot_name: str,
        session_id: str,
        house: House,
        driver: Driver,
        limits: Limits,
        log: FilteringBoundLogger,
        notify: Callable[[], None],
    ) -> None:
        """Begins to wait for Hello.

        Args:
            bot_name: Under what the arena knows the bot that the token was made for.
            session_id: This session.
            house: Is told of admission and end.
            driver: Referees the tables.
            limits: What is accepted.
            log: Bound to bot and session here.
            notify: Called when `take` has something, or never will again.
        """
        self.line = Line(
            bot_name,
            session_id,
            Outbox(
                max_frame_bytes=limits.max_frame_bytes,
                max_queue_bytes=limits.max_queue_bytes,
                notify=self._notified,
            ),
        )
        self.desk = Desk(driver, self.line, limits)
        self.info: SessionInfo | None = None
        self.not_admitted: str | None = None
        """Why it ended before the bot was let in, as a sentence about the bot."""
        self._phase = _Phase.AWAITING_HELLO
        self._house = house
        self._driver = driver
        self._limits = limits
        self._log = log.bind(bot=name_of(bot_name), session=session_id)
        self._notify = notify
        self.is_faulty = False
        """Whether it ended since it had too many faults."""
        self._all_told = False
        self._allowance = Allowance(
            most=limits.max_useless_messages,
            per_second=limits.useless_per_second,
            now=driver.clock.now(),
        )
        self._fault_count = 0
        self._faults_told: set[SessionFaultReason] = set()
        self._nonces = count(1)
        self._pinged: tuple[int, int] = (0, 0)  # nonce and time of the ping that is out
        self._timer: Timer = driver.clock.call_at(
            driver.clock.now() + limits.hello_within_ms, self._hello_overdue
        )

    @property
    def is_live(self) -> bool:
        """Returns whether the bot has been let in and has not gone."""
        return self._phase is _Phase.LIVE

    @property
    def is_over(self) -> bool:
        """Returns whether nothing more is listened to."""
        return self._phase is _Phase.OVER

    # In

    def receive(self, data: bytes) -> None:
        """Takes a frame from the bot."""
        if self.is_over:
            return
        with self._driver.turn():
            if len(data) > self._limits.max_frame_bytes:
                self._fault(
                    SessionFaultReason.OVERSIZED,
                    f"the frame has {len(data)} bytes; at most {self._limits.max_frame_bytes} "
                    "are allowed",
                )
                return
            try:
                messages = wire.read_frame(data)
            except wire.Undecodable as error:
                self._fault(SessionFaultReason.UNDECODABLE, str(error))
                return
            is_empty = True
            for message in messages:
                is_empty = False
                self._take(message)
                if self.is_over:
                    return
            if is_empty:
                self._tolerates()

    def lost(self) -> None:
        """Takes note that the stream has ended; without a goodbye before, that is a loss."""
        if not self.is_over:
            self._log.info("session lost")
            if self._phase is _Phase.AWAITING_HELLO:
                self.not_admitted = "it connected, but hung up without a Hello"
            self._end(left=False)

    def _take(self, message: BotMessage) -> None:
        if self._phase is _Phase.AWAITING_HELLO:
            if isinstance(message, Hello):
                self._hello(message)
            else:
                self.end(GoodbyeReason.REFUSED, "the first message must be Hello")
            return
        match message:
            case Answer():
                # An answer to an open question is never held up, however much else comes (C-20).
                if self.desk.awaits(message) or self._tolerates():
                    self.desk.answered(message)
            case Pong(nonce):
                sent, at = self._pinged
                if nonce == sent:
                    self.line.rtt_ms = self._driver.clock.now() - at
                    self._pinged = (0, 0)
                else:
                    self._tolerates()
            case ViewRequest(table_id):
                if self._tolerates():
                    self.desk.show(table_id)
            case Hello():
                self._fault(SessionFaultReason.OUT_OF_PLACE, "Hello comes once, as first message")
            case Farewell():
                self._log.info("session left")
                self._end(left=True)
            case Unknown():
                self._fault(
                    SessionFaultReason.UNKNOWN_KIND,
                    "the message has no kind, or one that this arena does not know",
                )
            case _:
                assert_never(message)

    def _hello(self, hello: Hello) -> None:
        try:
            info = admit(
                hello,
                bot_name=name_of(self.line.bot_name),
                session_id=self.line.session_id,
                limits=self._limits,
            )
        except Refused as refusal:
            self.end(GoodbyeReason.REFUSED, str(refusal))
            return
        self.info = info
        self._phase = _Phase.LIVE
        self.line.outbox.max_open_decisions = info.max_open_decisions
        # All questions that are open at once may be answered too late at once.
        self._allowance = Allowance(
            most=self._limits.max_useless_messages + info.max_open_decisions,
            per_second=self._limits.useless_per_second,
            now=self._driver.clock.now(),
        )
        self.line.lean = wire.Lean() if info.is_lean else None
        resumes = self._house.resumes
        self._log.info(
            "session resumed"
            if resumes.proves(self.line.bot_name, hello.resume_token)
            else "session opened",
            bot_version=info.bot_version,
            client_library=info.client_library,
            views="lean" if info.is_lean else "full",
        )
        self._driver.say(
            self.line,
            wire.welcome(
                Welcome(
                    self._house.instance_id,
                    self.line.session_id,
                    info.bot_name,
                    self._limits,
                    resumes.issue(self.line.bot_name),
                )
            ),
        )
        self._timer.cancel()
        self._house.admitted(self)
        self._ping_when_all_is_told()

    # Out

    def take(self) -> bytes | None:
        """Returns the next frame for the bot, None when there is none for now.

        The questions in it count as written: their clocks start.
        """
        with self._driver.turn():
            self._tell_of_tables()
            messages, decisions = self.line.outbox.next_frame()
            self.desk.written(decisions)
            if decisions:
                self._allowance.earn(len(decisions))
        return wire.frame(messages) if messages else None

    def take_journals(self) -> dict[Journal, set[str]]:
        """Returns, once, what must keep the facts of which the waiting messages tell, by table."""
        if self.line.awaited:
            with self._driver.turn():
                self._tell_of_tables()
        journals, self.line.journals = self.line.journals, {}
        return journals

    def not_kept(self, journal: Journal, table_ids: set[str], error: Exception) -> None:
        """Takes note that facts of tables could not be kept: only that the arena failed is told."""
        with self._driver.turn():
            self._driver.fail(journal, error)
            for table_id in table_ids:  # what is left is of tables that had ended
                if self.line.outbox.drop(table_id):
                    self._driver.say(self.line, wire.closed_by_arena(table_id))

    @property
    def has_more(self) -> bool:
        """Returns whether `take` may have something."""
        return not self.line.outbox.is_empty or bool(self.line.awaited)

    @property
    def is_busy(self) -> bool:
        """Returns whether the bot still has questions to answer."""
        return self.line.outbox.is_busy

    @property
    def has_several_tables(self) -> bool:
        """Returns whether the bot sits at more than one table."""
        return len(self.line.places) > 1

    @property
    def is_drained(self) -> bool:
        """Returns whether `take` will never have anything again."""
        return self.line.outbox.is_closed and self.line.outbox.is_empty

    def say(self, message: bytes) -> None:
        """Sends a message that is no table's."""
        with self._driver.turn():
            self._driver.say(self.line, message)

    def _notified(self) -> None:
        if self.line.outbox.is_full and not self.is_over:
            self.not_reading()
        self._notify()

    # Ends

    def end(self, reason: GoodbyeReason, text: str, *, redial_after_ms: int | None = None) -> None:
        """Says goodbye and listens no more; seats that it holds are lost.

        Args:
            reason: Why.
            text: The same for a person.
            redial_after_ms: When the bot is to dial again; None for not at all.
        """
        if self.is_over:
            return
        self._driver.counts.goodbyes[reason.name.lower()] += 1
        self._log.info("session ended", reason=reason.name.lower(), text=text)
        if self._phase is _Phase.AWAITING_HELLO:
            self.not_admitted = f"the arena refused it: {text}"
        with self._driver.turn():
            if reason is GoodbyeReason.FENCED:
                self.desk.fence()
            self._driver.say(self.line, wire.goodbye(reason, text, redial_after_ms=redial_after_ms))
            self._end(left=False)

    def not_reading(self) -> None:
        """Ends the session of a bot that leaves too much unread."""
        self.line.outbox.clear()
        self.end(GoodbyeReason.SLOW_READER, "too much waited unread for this session")

    def _end(self, *, left: bool) -> None:
        self._phase = _Phase.OVER
        self._timer.cancel()
        self.desk.unseat(left=left)
        self.line.outbox.close()
        self._house.ended(self)

    def _hello_overdue(self) -> None:
        self.end(
            GoodbyeReason.REFUSED, f"no Hello within {self._limits.hello_within_ms} milliseconds"
        )

    def _tolerates(self) -> bool:
        """Returns whether one more message of no use may come; if not, it is a fault."""
        if self._allowance.spend(self._driver.clock.now()):
            return True
        self._fault(
            SessionFaultReason.FLOODING,
            f"more than {self._limits.max_useless_messages} messages of no use at once, and "
            f"{self._limits.useless_per_second} a second: this one was not looked at",
        )
        return False

    def _fault(self, reason: SessionFaultReason, text: str) -> None:
        self._fault_count += 1
        log = self._log.info if reason in self._faults_told else self._log.warning
        self._faults_told.add(reason)
        self._driver.counts.session_faults[reason.name.lower()] += 1
        log("session fault", reason=reason.name.lower(), count=self._fault_count)
        self._driver.say(self.line, wire.session_fault(reason, text, self._fault_count))
        if self._fault_count >= self._limits.max_session_faults:
            self.is_faulty = True
            self.end(GoodbyeReason.FAULTY, f"{self._fault_count} useless frames or messages")

    # Round trip

    def _tell_of_tables(self) -> None:
        """Takes the seats that are awaited, as far as there is room to tell of them."""
        if self.line.awaited:
            self.desk.fill()
            self._ping_when_all_is_told()

    def _ping_when_all_is_told(self) -> None:
        """Begins to ping after every open table was told: a bot that comes back counts on it."""
        if not self._all_told and not self.line.awaited:
            self._all_told = True
            self._ping()

    def _ping(self) -> None:
        now = self._driver.clock.now()
        self._timer.cancel()
        self._timer = self._driver.clock.call_at(now + PING_EVERY_MS, self._ping)
        if self._pinged == (0, 0):
            self._pinged = (next(self._nonces), now)
            self.say(wire.ping(self._pinged[0]))
