"""Promises about a session that goes on over a second connection, without a network."""

from session_messages import answers, asked, frame, hello_of, opened, rejected, session_with

from euchre_arena import Action, Blame, Decision, EndCause, Reconnected, TableClosed
from euchre_arena.session import Session
from euchre_arena.v1 import arena_service_pb2 as pb


def back(session: Session, *, instance_id: str = "one") -> list[object]:
    """Moves a session to a new connection, past its Welcome, and returns the events."""
    session.restart()
    session.take()
    return list(session.receive(frame(welcome=pb.Welcome(instance_id=instance_id))))


def ask(session: Session, number: int = 1) -> Decision:
    """Returns the decision that a session reads."""
    (decision,) = session.receive(frame(decision=asked(number)))
    assert isinstance(decision, Decision)
    return decision


def test_a_new_connection_begins_with_hello_and_the_resume_token() -> None:
    """Nothing that waited goes before the arena's Welcome; the token proves who is back."""
    session = session_with("t")
    session.answer(ask(session), Action.order())
    session.restart()
    (message,) = [message for out in session.take() for message in out.messages]

    assert "again" == hello_of(message).resume_token
    assert "" == hello_of(Session(session._introduction).take()[0].messages[0]).resume_token


def test_a_second_welcome_is_a_reconnection() -> None:
    """The bot is told that it is back, not that it begins."""
    (event,) = back(session_with("t"))

    assert isinstance(event, Reconnected)


def test_a_lost_answer_is_sent_again() -> None:
    """C-2: the question that is put again has its answer already: nobody is asked twice."""
    session = session_with("t")
    decision = ask(session)
    session.answer(decision, Action.order())
    back(session)

    assert [] == list(session.receive(frame(table_opened=opened("t"), decision=asked(1, 77))))
    assert [(1, 2)] == answers(session)
    assert 77 == decision.time_left_ms


def test_an_answer_made_while_away_is_kept() -> None:
    """A bot that thinks on while the connection is gone has not thought in vain."""
    session = session_with("t")
    decision = ask(session)
    session.restart()

    assert session.answer(decision, Action.order())
    session.take()
    list(session.receive(frame(welcome=pb.Welcome(), decision=asked(1))))
    assert [(1, 2)] == answers(session)


def test_a_question_still_thought_about_is_not_put_twice() -> None:
    """The decision stays the object that it was and may be answered once it is decided."""
    session = session_with("t")
    decision = ask(session)
    back(session)

    assert [] == list(session.receive(frame(decision=asked(1, 50))))
    assert [] == answers(session)
    assert session.answer(decision, Action.order())
    assert [(1, 2)] == answers(session)


def test_a_refused_answer_is_not_sent_again() -> None:
    """What the arena has refused is not repeated on a new connection."""
    session = session_with("t")
    session.answer(ask(session), Action.order())
    list(session.receive(frame(rejected=rejected())))
    back(session)

    assert [] == list(session.receive(frame(decision=asked(1))))
    assert [] == answers(session)


def test_another_question_is_asked_as_ever() -> None:
    """Only the very same question counts as put again."""
    session = session_with("t")
    session.answer(ask(session), Action.order())
    back(session)

    assert 2 == ask(session, 2).id
    assert [] == answers(session)


def test_tables_that_closed_meanwhile_are_closed() -> None:
    """By the first ping all open tables have been told; the others are over, how is unknown."""
    session = session_with("t", "u")
    kept, gone = session.tables["t"], session.tables["u"]
    back(session)
    list(session.receive(frame(table_opened=opened("t"))))
    (closed,) = session.receive(frame(ping=pb.Ping(nonce=1)))

    assert isinstance(closed, TableClosed)
    assert (gone, EndCause.UNKNOWN, Blame.UNKNOWN, False) == (
        closed.table,
        closed.cause,
        closed.blame,
        closed.rated,
    )
    assert {"t": kept} == session.tables
    assert [] == list(session.receive(frame(ping=pb.Ping(nonce=2))))


def test_a_restarted_arena_may_take_its_time() -> None:
    """Another instance brings the tables back when it has read its record: none is given up."""
    session = session_with("t")
    table = session.tables["t"]
    back(session, instance_id="two")

    assert [] == list(session.receive(frame(ping=pb.Ping(nonce=1))))
    assert [] == list(session.receive(frame(table_opened=opened("t"))))
    assert table is session.tables["t"]
