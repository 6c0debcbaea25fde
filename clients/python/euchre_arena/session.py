"""Owns the bot's side of a session: arena messages in, events out, answers in, frames out.

Rules of the house:

1. No I/O, no clock, no waiting. Frames are handed in and taken out; `dial` carries them.
2. The first frame out is Hello; nothing else goes before the arena's Welcome.
3. Pings are answered here, at once; nobody above sees them.
4. A table is one object from its opening to its closing, and its last decision is remembered, so
   that an answer that comes too late, or that was refused before, is never sent.
5. Messages of a kind that this client does not know are skipped.
6. Tables and questions outlive a connection. A question that is put again on a new one is not asked
   again: its answer is sent again, or will be sent once it is there.

Must not know bots: `player` puts the questions to them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, assert_never

from euchre_arena.actions import Action, action_from_wire, write_action
from euchre_arena.decision import Decision
from euchre_arena.errors import ProtocolError
from euchre_arena.events import (
    Blame,
    EndCause,
    Event,
    GameEnded,
    Goodbye,
    HandEnded,
    Reconnected,
    Rejected,
    RejectReason,
    TableClosed,
    TableOpened,
    TimedOut,
    Welcome,
)
from euchre_arena.games import Game, Table
from euchre_arena.lean import KeptViews
from euchre_arena.legal import legal_from_wire
from euchre_arena.told import (
    FRAME_BYTES,
    goodbye_from_wire,
    match_ended_from_wire,
    session_fault_from_wire,
    time_spent_from_wire,
    welcome_from_wire,
)
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.view import View

if TYPE_CHECKING:
    from euchre_arena.v1 import table_pb2

__all__ = ["PROTOCOL_VERSION", "Introduction", "Session"]

PROTOCOL_VERSION: Final = 1
_FRAME_SLACK: Final = 8  # more than a frame adds to each message


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduction:
    """What a bot says of itself in its Hello.

    Attributes:
        max_tables: How many tables at once; 0 means as many as the arena allows.
        max_open_decisions: How many decisions it wants open at once.
        games: The games that it plays; empty means all that this client knows.
        is_lean: Whether the arena should tell what changes, rather than send whole views.
    """

    bot_name: str = ""
    bot_version: str = ""
    client_library: str = ""
    max_tables: int = 0
    max_open_decisions: int = 1
    games: tuple[Game, ...] = ()
    is_lean: bool = False


class Session:
    """Holds one session.

    Attributes:
        welcome: The arena's last Welcome; None before the first.
        is_welcome: Whether the arena has said Welcome on this connection.
        was_asked: Whether it has put a new question on this connection.
        goodbye: The arena's Goodbye; None before it.
        tables: The open tables by id.
    """

    def __init__(self, introduction: Introduction) -> None:
        self.welcome: Welcome | None = None
        self.is_welcome = False
        self.was_asked = False
        self.goodbye: Goodbye | None = None
        self.tables: dict[str, Table] = {}
        self._introduction = introduction
        self._resume_token = ""
        self._missing: dict[str, Table] = {}
        self._unasked: set[str] = set()
        self._asked: dict[str, Decision] = {}
        self._questions: dict[str, table_pb2.Decision] = {}  # as they came
        self._sent: dict[str, list[Action]] = {}
        self._views = KeptViews()
        # Messages are built where they will be sent: copying them costs as much as building.
        self._outbox = pb.ConnectRequest()
        self._introduce()

    def restart(self) -> None:
        """Begins again on a new connection: Hello comes first, and what was not sent is dropped."""
        self.is_welcome = False
        self.was_asked = False
        self.goodbye = None
        self._missing = dict(self.tables)
        self._unasked = set(self._asked)  # until the arena puts the question again
        self._views = KeptViews()
        self._outbox = pb.ConnectRequest()
        self._introduce()

    def _introduce(self) -> None:
        introduction = self._introduction
        hello = self._outbox.messages.add().hello
        hello.protocol_version = PROTOCOL_VERSION
        hello.bot_name = introduction.bot_name
        hello.bot_version = introduction.bot_version
        hello.client_library = introduction.client_library
        hello.max_tables = introduction.max_tables
        hello.max_open_decisions = introduction.max_open_decisions
        hello.games.extend(game.value for game in introduction.games or Game)  # type: ignore[misc]
        hello.view_mode = pb.VIEW_MODE_LEAN if introduction.is_lean else pb.VIEW_MODE_FULL
        hello.resume_token = self._resume_token

    def receive(self, frame: pb.ConnectResponse) -> Iterator[Event | Decision]:
        """Yields what the messages of a frame mean, in order. To be used up before the next frame.

        Raises:
            ProtocolError: A message is about a table that was never opened, or cannot be read.
        """
        for message in frame.messages:
            try:
                event = self._read(message)
            except (ValueError, IndexError) as error:
                raise ProtocolError(
                    f"the arena sent what this client cannot read: {error}"
                ) from error
            if event is not None:
                yield event
            if self._missing and message.HasField("ping"):
                yield from self._closed_meanwhile()

    def answer(self, decision: Decision, action: Action, *, think_ms: int | None = None) -> bool:
        """Puts an answer into the outbox.

        Returns:
            Whether it will be sent: not if the decision is no longer open, and not if the arena
            has refused this very action for it before, since that could only cost another fault.
        """
        table_id = decision.table.id
        if self._asked.get(table_id) is not decision or action in self._sent[table_id]:
            return False
        self._sent[table_id].append(action)
        if table_id not in self._unasked:
            self._write(decision, action, think_ms)
        return True

    def _write(self, decision: Decision, action: Action, think_ms: int | None) -> None:
        answer = self._outbox.messages.add().answer
        answer.table_id = decision.table.id
        answer.decision_id = decision.id
        write_action(action, answer.action)
        if think_ms is not None:
            answer.think_ms = think_ms
        if decision.annotation:
            answer.annotation = self._fitting(decision.annotation)

    def is_open(self, decision: Decision) -> bool:
        """Returns whether the arena still waits for an answer, as far as it is known here."""
        return self._asked.get(decision.table.id) is decision

    def leave(self, text: str = "") -> None:
        """Puts a Goodbye into the outbox: a clean leave, to be followed by nothing."""
        goodbye = self._outbox.messages.add().goodbye
        goodbye.reason = pb.GOODBYE_REASON_LEAVING
        goodbye.text = text

    def take(self) -> list[pb.ConnectRequest]:
        """Returns all that waits to be sent, in as few frames as the limit allows."""
        outbox = self._outbox
        if not outbox.messages:
            return []
        self._outbox = pb.ConnectRequest()
        limit = self.welcome.limits.max_frame_bytes if self.welcome else FRAME_BYTES
        if outbox.ByteSize() <= limit:
            return [outbox]
        frames, size = [pb.ConnectRequest()], 0
        for message in outbox.messages:
            weight = message.ByteSize() + _FRAME_SLACK
            if size and size + weight > limit:
                frames.append(pb.ConnectRequest())
                size = 0
            frames[-1].messages.append(message)
            size += weight
        return frames

    def _read(self, message: pb.ArenaMessage) -> Event | Decision | None:
        kind = message.WhichOneof("message")
        match kind:
            case "decision":
                return self._decision(message.decision)
            case "ping":
                self._outbox.messages.add().pong.nonce = message.ping.nonce
                return None
            case "table_opened":
                return self._table_opened(message.table_opened)
            case "hand_ended":
                return self._hand_ended(message.hand_ended)
            case "table_closed":
                return self._table_closed(message.table_closed)
            case "rejected":
                return self._rejected(message.rejected)
            case "timed_out":
                return self._timed_out(message.timed_out)
            case "game_ended":
                ended = message.game_ended
                return GameEnded(
                    table=self._table(ended.table_id),
                    scores=tuple(ended.scores),
                    winners=tuple(ended.winners),
                    carry=tuple(ended.carry),
                    game_worth=ended.game_worth or 1,
                )
            case "view":
                waiting = self._views.shown(message.view)
                return None if waiting is None else self._decision(waiting)
            case "welcome":
                return self._welcome(message.welcome)
            case "goodbye":
                self.goodbye = goodbye_from_wire(message.goodbye)
                return self.goodbye
            case "match_ended":
                return match_ended_from_wire(message.match_ended)
            case "session_fault":
                return session_fault_from_wire(message.session_fault)
            case None:
                return None
            case _:
                assert_never(kind)

    def _table(self, table_id: str) -> Table:
        try:
            return self.tables[table_id]
        except KeyError:
            raise ProtocolError(
                f"the arena spoke of table {table_id!r}, which it never opened here"
            ) from None

    def _table_opened(self, message: "table_pb2.TableOpened") -> TableOpened | None:
        self._missing.pop(message.table_id, None)
        if message.table_id in self.tables:
            return None  # told again on a new connection: the table stays the object that it was
        table = self.tables[message.table_id] = Table(message)
        return TableOpened(table=table)

    def _closed_meanwhile(self) -> Iterator[TableClosed]:
        """Yields the tables that a new connection did not bring back by its first ping."""
        missing, self._missing = self._missing, {}
        for table in missing.values():
            if self.tables.get(table.id) is table:
                self._closed(table.id)
                del self.tables[table.id]
                yield TableClosed(
                    table=table,
                    scores=(),
                    winners=(),
                    cause=EndCause.UNKNOWN,
                    blame=Blame.UNKNOWN,
                    blamed_seat=None,
                    rated=False,
                )

    def _decision(self, message: "table_pb2.Decision") -> Decision | None:
        if not self._views.complete(message):
            self._outbox.messages.add().view_request.table_id = message.table_id
            return None
        asked = self._asked.get(message.table_id)
        self._unasked.discard(message.table_id)
        if asked is not None and self._is_put_again(message):
            sent = self._sent[message.table_id]
            if len(sent) > len(asked.rejections):
                self._write(asked, sent[-1], None)
            return None
        self.was_asked = True
        decision = Decision(message, self._table(message.table_id))
        self._asked[message.table_id] = decision
        self._questions[message.table_id] = message
        self._sent[message.table_id] = []
        return decision

    def _is_put_again(self, message: "table_pb2.Decision") -> bool:
        """Returns whether this is the open question once more; then its time is taken over."""
        question = self._questions[message.table_id]
        if message.decision_id != question.decision_id or message.view != question.view:
            return False
        question.time_left_ms = message.time_left_ms
        question.bank_left_ms = message.bank_left_ms
        return True

    def _closed(self, table_id: str) -> None:
        self._asked.pop(table_id, None)
        self._questions.pop(table_id, None)
        self._unasked.discard(table_id)
        self._sent.pop(table_id, None)

    def _hand_ended(self, message: "table_pb2.HandEnded") -> HandEnded:
        table = self._table(message.table_id)
        self._closed(table.id)
        return HandEnded(
            table=table,
            view=View(message.view, table.game),
            scores=tuple(message.scores),
            last=time_spent_from_wire(message.last) if message.HasField("last") else None,
        )

    def _table_closed(self, message: "table_pb2.TableClosed") -> TableClosed:
        table = self._table(message.table_id)
        self._closed(table.id)
        self._views.forget(table.id)
        del self.tables[table.id]
        return TableClosed(
            table=table,
            scores=tuple(message.scores),
            winners=tuple(message.winners),
            cause=EndCause(message.cause),
            blame=Blame(message.blame),
            blamed_seat=message.blamed_seat if message.HasField("blamed_seat") else None,
            rated=message.rated,
        )

    def _rejected(self, message: "table_pb2.Rejected") -> Rejected:
        reason = RejectReason(message.reason)
        asked = self._asked.get(message.table_id)
        is_about_it = asked is not None and asked.id == message.decision_id
        sent = self._sent.get(message.table_id, []) if is_about_it else []
        choose = message.choose if message.HasField("choose") else None
        # The legal set is that of whatever is open, so a stale answer's refusal may have one too;
        # and the refusal that reaches the limit is followed by the table's end.
        is_open = (
            asked is not None
            and is_about_it
            and reason is not RejectReason.STALE_DECISION
            and bool(message.legal or choose)
            and message.fault_count < asked.table.fault_policy.fault_limit
        )
        rejected = Rejected(
            table=self.tables.get(message.table_id),
            decision_id=message.decision_id,
            decision=asked if is_open else None,
            refused=sent[-1] if sent else None,
            reason=reason,
            text=message.text,
            legal=legal_from_wire(message.legal, choose),
            time_left_ms=message.time_left_ms,
            fault_count=message.fault_count,
            charged_ms=message.charged_ms if message.HasField("charged_ms") else None,
            bank_left_ms=message.bank_left_ms if message.HasField("bank_left_ms") else None,
        )
        if asked is not None and is_open:
            asked.rejections.append(rejected)
        return rejected

    def _timed_out(self, message: "table_pb2.TimedOut") -> TimedOut:
        table = self._table(message.table_id)
        self._views.waiting.pop(table.id, None)
        asked = self._asked.get(table.id)
        if asked is not None and asked.id == message.decision_id:
            self._closed(table.id)
        return TimedOut(
            table=table,
            decision_id=message.decision_id,
            played=action_from_wire(message.played) if message.HasField("played") else None,
            charged_ms=message.charged_ms,
            bank_left_ms=message.bank_left_ms,
            fault_count=message.fault_count,
        )

    def _welcome(self, message: pb.Welcome) -> Welcome | Reconnected:
        self._resume_token = message.resume_token
        self.is_welcome = True
        is_back = self.welcome is not None
        if self.welcome and self.welcome.instance_id != message.instance_id:
            self._missing = {}  # a restarted arena brings its tables back when it gets to them
        self.welcome = welcome_from_wire(message)
        return Reconnected(welcome=self.welcome) if is_back else self.welcome

    def _fitting(self, annotation: str) -> str:
        limit = self.welcome.limits.max_annotation_bytes if self.welcome else 0
        return annotation.encode(errors="replace")[:limit].decode(errors="ignore")
