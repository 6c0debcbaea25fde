"""What a bot is told of its time, from the referee's words to the Python client's."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tables import G2, Referee, table_spec

from euchre_arena import Decision, HandEnded, Rejected, TimedOut, TimeSpent
from euchre_arena.session import Introduction, Session
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_engine import Pass, Seat, legal_actions, parse_action
from euchre_server.referee.outputs import Ask, HandOver, Message, Reject, Seated, Spent
from euchre_server.referee.outputs import TimedOut as TimedOutMessage
from euchre_server.session import wire

SPEC = table_spec()
TABLE = Referee.at(SPEC, G2)
MS = st.integers(0, 2**40)
SPENT = st.builds(
    Spent,
    decision_id=st.integers(1, 2**31 - 1),
    by_clock=st.booleans(),
    charged_ms=MS,
    grace_used_ms=MS,
    stalled_ms=st.none() | MS,
    round_trip_ms=st.none() | MS,
)


def told(*messages: bytes) -> object:
    """Returns what the last of these messages becomes in a client that has just been seated."""
    session = Session(Introduction())
    event: object = None
    opened = wire.seat_message(SPEC, Seat(0), Seated())
    frames = [pb.ConnectResponse(messages=[pb.ArenaMessage(welcome=pb.Welcome())])]
    frames += [pb.ConnectResponse.FromString(wire.frame([data])) for data in (opened, *messages)]
    for frame in frames:
        for found in session.receive(frame):
            event = found
    return event


def said(message: Message) -> object:
    """Returns what a message of the referee becomes in the client."""
    return told(wire.seat_message(SPEC, Seat(0), message))


def ask(last: Spent | None, default_count: int = 0) -> Ask:
    """Returns a question that tells this of the one before."""
    hand = TABLE.state.hand
    assert hand is not None
    view = TABLE.ask[1].view
    return Ask(9, 400, 10_000, view, legal_actions(hand), last, default_count)


@given(spent=SPENT, default_count=st.integers(0, 1000))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_how_a_decision_was_counted_arrives_as_it_was(spent: Spent, default_count: int) -> None:
    """G1: with the next question, and with the end of the hand, a bot is told every share."""
    decision = said(ask(spent, default_count))
    ended = said(HandOver(TABLE.ask[1].view, (0, 0, 0), spent))

    assert isinstance(decision, Decision)
    assert isinstance(ended, HandEnded)
    assert TimeSpent(**spent._asdict()) == decision.last == ended.last
    assert default_count == decision.default_count


def test_what_is_not_known_is_none() -> None:
    """C-16: nothing before the first decision, nothing measured, nothing open: None, not zero."""
    first = said(ask(None))
    unmeasured = said(ask(Spent(8, by_clock=False, charged_ms=0, grace_used_ms=0, stalled_ms=None,
                                round_trip_ms=None)))  # fmt: skip
    stray = told(wire.unknown_table("elsewhere", 3))

    assert isinstance(first, Decision)
    assert isinstance(unmeasured, Decision)
    assert isinstance(stray, Rejected)
    assert None is first.last
    assert unmeasured.last is not None
    assert (None, None) == (unmeasured.last.stalled_ms, unmeasured.last.round_trip_ms)
    assert (None, None) == (stray.charged_ms, stray.bank_left_ms)


def test_a_refusal_tells_what_has_been_charged() -> None:
    """A refused bot learns what its question has cost so far, and what is left."""
    table = Referee.at(SPEC, G2)
    table.write(0)
    refusal = table.answer(5_100, parse_action("play AS"))[-1]
    assert isinstance(refusal, Reject)

    rejected = told(wire.rejected("table", refusal))

    assert isinstance(rejected, Rejected)
    assert (5_100, 9_900, 1) == (
        rejected.charged_ms,
        rejected.bank_left_ms,
        rejected.time_left_ms,
    )


def test_a_time_out_that_forfeits_is_told() -> None:
    """C-15: with the strict policy too a bot is told that its time ran out; nothing is played."""
    table = Referee.at(table_spec(policy="strict"), G2)
    table.write(0)
    table.time(60_000)
    message = table.told(0)[-2]

    timed_out = said(message)

    assert TimedOutMessage(1, None, 15_000, 0, 1) == message
    assert isinstance(timed_out, TimedOut)
    assert (None, 15_000) == (timed_out.played, timed_out.charged_ms)


def test_defaults_played_while_away_are_told() -> None:
    """A bot that comes back is told that the clock has played for it meanwhile."""
    table = Referee.at(SPEC, G2)
    table.write(0)
    table.time(60_000)
    for seat in (1, 2):
        table.write(60_000)
        table.answer(60_001, Pass())
        assert seat == table.state.seats[seat].decision_id + seat - 1

    _, asked = table.ask

    assert (0, 1) == (table.state.open and table.state.open.seat, asked.default_count)
    assert asked.last is not None
    assert (1, True, 15_000) == (asked.last.decision_id, asked.last.by_clock, asked.last.charged_ms)
