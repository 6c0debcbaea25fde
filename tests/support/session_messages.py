"""What an arena says to a client's session, and what it gets back, for tests without a network."""

from euchre_arena.session import Introduction, Session
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.v1 import rules_pb2, table_pb2

__all__ = ["answers", "asked", "frame", "hello_of", "opened", "rejected", "session_with"]


def frame(**arms: object) -> pb.ConnectResponse:
    """Returns a frame with one message for each arm."""
    return pb.ConnectResponse(
        messages=[pb.ArenaMessage(**{name: arm}) for name, arm in arms.items()]  # type: ignore[arg-type]
    )


def opened(table_id: str) -> table_pb2.TableOpened:
    """Returns the opening of a three-handed table."""
    rules = rules_pb2.Ruleset(preset="three-handed", game=rules_pb2.GAME_THREE_HANDED, seat_count=3)
    policy = table_pb2.FaultPolicy(kind=table_pb2.FAULT_POLICY_KIND_LENIENT, fault_limit=3)
    return table_pb2.TableOpened(table_id=table_id, ruleset=rules, fault_policy=policy)


def asked(number: int, time_left_ms: int = 500) -> table_pb2.Decision:
    """Returns a decision of table t between pass and order."""
    decision = table_pb2.Decision(
        table_id="t", decision_id=number, time_left_ms=time_left_ms, bank_left_ms=9
    )
    decision.legal.add(kind=1)
    decision.legal.add(kind=2)
    return decision


def rejected() -> table_pb2.Rejected:
    """Returns a refusal of an answer to decision 1 that offers to answer again."""
    message = table_pb2.Rejected(table_id="t", decision_id=1, text="no", fault_count=1)
    message.reason = table_pb2.REJECT_REASON_NOT_ALLOWED
    message.legal.add(kind=1)
    return message


def session_with(*table_ids: str) -> Session:
    """Returns a session past its Welcome, with these tables open."""
    session = Session(Introduction())
    session.take()
    welcome = pb.Welcome(instance_id="one", resume_token="again")  # noqa: S106 - a stand-in
    list(session.receive(frame(welcome=welcome)))
    for table_id in table_ids:
        list(session.receive(frame(table_opened=opened(table_id))))
    return session


def answers(session: Session) -> list[tuple[int, int]]:
    """Returns decision id and kind of action of every answer that waits to be sent."""
    return [
        (message.answer.decision_id, message.answer.action.kind)
        for out in session.take()
        for message in out.messages
        if message.HasField("answer")
    ]


def hello_of(message: pb.BotMessage) -> pb.Hello:
    """Returns the Hello that a message is.

    Raises:
        AssertionError: It is another message.
    """
    if not message.HasField("hello"):
        raise AssertionError(f"expected Hello, got {message}")
    return message.hello
