"""Promises about the bot's side of a session, without a network."""

import pytest

from euchre_arena import Action, ActionKind, Card, Game, ProtocolError, RejectReason, Suit
from euchre_arena.decision import Decision
from euchre_arena.events import Goodbye, GoodbyeReason, Rejected, TableOpened, Welcome
from euchre_arena.session import Introduction, Session
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.v1 import rules_pb2, table_pb2


def frame(**arms: object) -> pb.ConnectResponse:
    """Returns a frame with one message for each arm."""
    return pb.ConnectResponse(
        messages=[pb.ArenaMessage(**{name: arm}) for name, arm in arms.items()]  # type: ignore[arg-type]
    )


def sent(session: Session) -> list[pb.BotMessage]:
    """Returns what the session has to send."""
    return [message for out in session.take() for message in out.messages]


def opened(table_id: str = "t") -> table_pb2.TableOpened:
    """Returns the opening of a three-handed table."""
    rules = rules_pb2.Ruleset(
        preset="three-handed",
        game=rules_pb2.GAME_THREE_HANDED,
        seat_count=3,
        options=[
            rules_pb2.RuleOption(name="target", number=10),
            rules_pb2.RuleOption(name="deck", text="24"),
            rules_pb2.RuleOption(name="stick_the_dealer", flag=False),
        ],
    )
    policy = table_pb2.FaultPolicy(kind=table_pb2.FAULT_POLICY_KIND_LENIENT, fault_limit=3)
    return table_pb2.TableOpened(
        table_id=table_id, seat=1, ruleset=rules, bot_seed=7, fault_policy=policy
    )


def asked(number: int = 1, table_id: str = "t") -> table_pb2.Decision:
    """Returns a decision between pass and order."""
    decision = table_pb2.Decision(table_id=table_id, decision_id=number, time_left_ms=500)
    decision.legal.add(kind=1)
    decision.legal.add(kind=2)
    return decision


def timed_out() -> table_pb2.TimedOut:
    """Returns word that time ran out for decision 1."""
    message = table_pb2.TimedOut(table_id="t", decision_id=1)
    message.played.kind = ActionKind.PASS.value  # type: ignore[assignment]
    return message


def rejected(
    number: int = 1, reason: RejectReason = RejectReason.NOT_ALLOWED, fault_count: int = 1
) -> table_pb2.Rejected:
    """Returns a refusal that offers to answer again."""
    message = table_pb2.Rejected(
        table_id="t", decision_id=number, text="no", fault_count=fault_count
    )
    message.reason = reason.value  # type: ignore[assignment]
    message.legal.add(kind=1)
    return message


def welcomed(limits: pb.Limits | None = None) -> Session:
    """Returns a session that is past its Welcome, with one open table."""
    session = Session(Introduction())
    session.take()
    limits = limits or pb.Limits(max_frame_bytes=65_536, max_annotation_bytes=8)
    list(session.receive(frame(welcome=pb.Welcome(limits=limits), table_opened=opened())))
    return session


def decision_of(session: Session, message: table_pb2.Decision) -> Decision:
    """Returns the decision that a message becomes."""
    (decision,) = session.receive(frame(decision=message))
    assert isinstance(decision, Decision)
    return decision


def test_hello_comes_first_and_says_all() -> None:
    """The first frame is Hello alone, with what the bot said of itself."""
    session = Session(
        Introduction(
            bot_name="ann",
            bot_version="2",
            client_library="lib",
            max_tables=3,
            max_open_decisions=4,
            games=(Game.TWO_HANDED,),
        )
    )
    expected = pb.Hello(
        protocol_version=1,
        bot_name="ann",
        bot_version="2",
        client_library="lib",
        max_tables=3,
        max_open_decisions=4,
        games=[rules_pb2.GAME_TWO_HANDED],
        view_mode=pb.VIEW_MODE_FULL,
    )

    assert [pb.BotMessage(hello=expected)] == sent(session)
    assert [] == sent(session)


def test_a_bot_that_names_no_game_is_offered_for_all_that_the_client_knows() -> None:
    """A newer arena must not seat a bot at a game that this client cannot read."""
    (hello,) = sent(Session(Introduction()))

    assert [game.value for game in Game] == list(hello.hello.games)


def test_welcome_is_kept() -> None:
    """Name and limits of the Welcome are kept, and the resume token is shown to nobody."""
    session = Session(Introduction())
    limits = pb.Limits(max_frame_bytes=1000, max_open_decisions=9)
    welcome = pb.Welcome(resume_token="again", bot_name="ann", limits=limits)  # noqa: S106
    (event,) = session.receive(frame(welcome=welcome))

    assert isinstance(event, Welcome)
    assert ("ann", 9) == (event.bot_name, event.limits.max_open_decisions)
    assert "again" not in repr(event)


def test_pings_are_answered_and_not_shown() -> None:
    """A Ping becomes a Pong with its nonce, and no event."""
    session = welcomed()

    assert [] == list(session.receive(frame(ping=pb.Ping(nonce=42))))
    assert [pb.BotMessage(pong=pb.Pong(nonce=42))] == sent(session)


def test_messages_of_unknown_kind_are_skipped() -> None:
    """An arm that this client does not know is no error."""
    newer = pb.ArenaMessage.FromString(b"\xa2\x06\x03abc")  # field 100, of a later version
    session = welcomed()
    known = pb.ArenaMessage(decision=asked())

    (event,) = session.receive(pb.ConnectResponse(messages=[newer, known]))

    assert isinstance(event, Decision)


def test_a_table_is_one_object_until_it_closes() -> None:
    """Opening and decisions speak of the same table, and closing forgets it."""
    session = Session(Introduction())
    session.take()
    opening, decision = session.receive(frame(table_opened=opened(), decision=asked()))
    assert isinstance(opening, TableOpened)
    assert isinstance(decision, Decision)
    table = opening.table

    assert table is decision.table
    assert (1, Game.THREE_HANDED, 7) == (table.seat, table.game, table.bot_seed)
    assert {"target": 10, "deck": "24", "stick_the_dealer": False} == dict(table.rules.options)

    list(session.receive(frame(table_closed=table_pb2.TableClosed(table_id="t"))))
    assert {} == session.tables


def test_a_table_that_is_opened_again_stays_the_same_object() -> None:
    """The arena tells of open tables again on a new connection; the bot keeps its own."""
    session = welcomed()
    before = session.tables["t"]

    assert [] == list(session.receive(frame(table_opened=opened())))
    assert before is session.tables["t"]


def test_an_answer_quotes_its_decision() -> None:
    """Table, id, action, think time and note go out as they are."""
    session = welcomed()
    decision = decision_of(session, asked(5))
    decision.annotation = "süß und mehr"
    assert session.answer(decision, Action.call(Suit.H), think_ms=3)
    (message,) = sent(session)
    answer = message.answer

    assert ("t", 5, 3) == (answer.table_id, answer.decision_id, answer.think_ms)
    assert (3, 3) == (answer.action.kind, answer.action.suit)
    # Eight bytes are allowed, and no letter is cut in two.
    assert "süß un" == answer.annotation


def test_a_note_that_is_no_utf_8_is_sent_as_far_as_it_is() -> None:
    """Half a character, as Python smuggles one into a text, does not end the bot."""
    session = welcomed()
    decision = decision_of(session, asked(5))
    decision.annotation = "a\udcffb"
    assert session.answer(decision, Action.call(Suit.H))
    (message,) = sent(session)

    assert "a?b" == message.answer.annotation


def test_answers_go_into_as_few_frames_as_the_limit_allows() -> None:
    """Answers to decisions of one frame go out in one, or in several below the limit."""
    few = welcomed()
    small = welcomed(pb.Limits(max_frame_bytes=64))
    for session in (few, small):
        list(session.receive(frame(table_opened=opened("u"))))
        for table_id in ("t", "u"):
            decision = decision_of(session, asked(table_id=table_id))
            decision.annotation = "x"
            session.answer(decision, Action.keep(list(Card)[:25]))
    together, apart = few.take(), small.take()

    assert [2] == [len(out.messages) for out in together]
    assert [1, 1] == [len(out.messages) for out in apart]
    assert all(out.ByteSize() <= 64 for out in apart)


def test_an_answer_that_comes_too_late_is_not_sent() -> None:
    """After a time-out the decision is closed here too."""
    session = welcomed()
    decision = decision_of(session, asked())
    assert session.is_open(decision)
    list(session.receive(frame(timed_out=timed_out())))

    assert not session.is_open(decision)
    assert not session.answer(decision, Action.order())
    assert [] == sent(session)


def test_a_time_out_of_an_older_decision_leaves_the_new_one_open() -> None:
    """Only the decision that it names is closed."""
    session = welcomed()
    decision = decision_of(session, asked(2))
    list(session.receive(frame(timed_out=timed_out())))

    assert session.is_open(decision)


def test_a_refused_decision_may_be_answered_again_but_not_alike() -> None:
    """The refusal names decision and action; the same action is never sent twice."""
    session = welcomed()
    decision = decision_of(session, asked())
    session.answer(decision, Action.order())
    session.take()
    (refusal,) = session.receive(frame(rejected=rejected()))
    assert isinstance(refusal, Rejected)

    assert (decision, Action.order(), "no") == (refusal.decision, refusal.refused, refusal.text)
    assert [refusal] == decision.rejections
    assert [Action.pass_turn()] == list(refusal.legal)
    assert not session.answer(decision, Action.order())
    assert session.answer(decision, Action.pass_turn())
    assert 1 == len(sent(session))


@pytest.mark.parametrize(
    "message",
    [
        rejected(reason=RejectReason.STALE_DECISION),
        rejected(number=9, reason=RejectReason.UNKNOWN_DECISION),
        table_pb2.Rejected(table_id="t", decision_id=1, reason=table_pb2.REJECT_REASON_MUST_FOLLOW),
        rejected(fault_count=3),
        table_pb2.Rejected(table_id="?", reason=table_pb2.REJECT_REASON_UNKNOWN_TABLE),
    ],
    ids=["stale", "other decision", "nothing legal", "the last fault", "unknown table"],
)
def test_a_refusal_that_leaves_nothing_open_asks_for_nothing(message: table_pb2.Rejected) -> None:
    """Stale and foreign refusals, and those without legal actions, are only told."""
    session = welcomed()
    decision_of(session, asked())
    (refusal,) = session.receive(frame(rejected=message))
    assert isinstance(refusal, Rejected)

    assert refusal.decision is None


def test_reasons_of_a_later_arena_are_unknown_not_fatal() -> None:
    """A reason that this client does not know is told as UNKNOWN."""
    session = welcomed()
    message = table_pb2.Rejected(table_id="t", text="new")
    message.reason = 99  # type: ignore[assignment]
    (refusal,) = session.receive(frame(rejected=message))
    assert isinstance(refusal, Rejected)

    assert RejectReason.UNKNOWN is refusal.reason


def test_a_goodbye_is_kept() -> None:
    """Reason, text and the time until a new call are kept."""
    session = welcomed()
    message = pb.Goodbye(reason=pb.GOODBYE_REASON_DRAINING, text="back soon", redial_after_ms=500)
    (event,) = session.receive(frame(goodbye=message))
    expected = Goodbye(reason=GoodbyeReason.DRAINING, text="back soon", redial_after_ms=500)

    assert expected == event == session.goodbye


def test_leaving_is_said() -> None:
    """A clean leave is a Goodbye."""
    session = welcomed()
    session.leave("interrupted")
    expected = pb.Goodbye(reason=pb.GOODBYE_REASON_LEAVING, text="interrupted")

    assert [pb.BotMessage(goodbye=expected)] == sent(session)


@pytest.mark.parametrize(
    ("arm", "message", "text"),
    [
        ("decision", asked(table_id="?"), "'?'"),
        ("hand_ended", table_pb2.HandEnded(table_id="?"), "'?'"),
        ("table_opened", table_pb2.TableOpened(table_id="u"), "cannot read"),
    ],
)
def test_what_makes_no_sense_is_a_protocol_error(arm: str, message: object, text: str) -> None:
    """A message about a table that was never opened, or about no game, is named."""
    session = welcomed()

    with pytest.raises(ProtocolError, match=rf"{text.replace('?', '.')}"):
        list(session.receive(frame(**{arm: message})))
