"""What a bot may send that is of no use, how often it may dial, and how each refusal is told."""

import pytest
from arenas import FakeArena
from session_fakes import FakeClock, answer_to, bot_frame
from tables import table_spec

from euchre_arena.v1.arena_service_pb2 import (
    GOODBYE_REASON_FAULTY,
    SESSION_FAULT_REASON_FLOODING,
    Answer,
    Pong,
)
from euchre_server.referee.facts import Acted, Actor, EndCause, Faulted, FaultKind
from euchre_server.session import Limits
from euchre_server.session.allowance import Allowance
from euchre_server.session.refusal import Reason, Refusal
from euchre_server.session.turnstile import Turnstile

STRANGE = Answer(table_id="no such table", decision_id=1)


def faults(arena: FakeArena, table: int = 1) -> list[FaultKind]:
    """Returns the kinds of fault recorded of a table."""
    return [f.kind for f in arena.recorder.of_table(table) if isinstance(f, Faulted)]


def test_an_allowance_fills_with_time_and_not_beyond() -> None:
    """A bucket of three with two a second: three at once, then one every half second."""
    bucket = Allowance(most=3, per_second=2, now=1_000)

    at_once = [bucket.spend(1_000) for _ in range(4)]
    wait = bucket.wait_ms()
    later = [bucket.spend(at) for at in (1_499, 1_500, 1_501, 2_000)]
    full = [bucket.spend(99_000) for _ in range(4)]

    assert [True, True, True, False] == at_once == full
    assert 500 == wait
    assert [False, True, False, True] == later


def test_an_allowance_can_be_earned() -> None:
    """What is earned counts at once, as far as there is room."""
    bucket = Allowance(most=2, per_second=1, now=0)
    spent = [bucket.spend(0) for _ in range(3)]

    bucket.earn(5)

    assert [True, True, False] == spent
    assert [True, True, False] == [bucket.spend(0) for _ in range(3)]


async def test_a_flood_ends_its_session_and_harms_nobody() -> None:
    """Beyond the allowance messages are not looked at; ten of them end the session as FAULTY."""
    arena = FakeArena(Limits(max_useless_messages=50))
    spec = table_spec()
    bots = arena.bots(spec)
    vandal = arena.bot("vandal")
    table = arena.server.open_table(spec)

    vandal.say(*[STRANGE] * 500)
    kinds = vandal.kinds()
    arena.play(bots)

    assert 50 + 1 == kinds.count("rejected")
    assert 10 == kinds.count("session_fault")
    assert {SESSION_FAULT_REASON_FLOODING} == {
        m.session_fault.reason for m in vandal.messages if m.HasField("session_fault")
    }
    assert GOODBYE_REASON_FAULTY == vandal.messages[-1].goodbye.reason
    assert EndCause.PLAYED is table.result().cause
    assert [] == faults(arena)


@pytest.mark.parametrize(
    "useless",
    [bot_frame(Pong(nonce=77)), b"", bot_frame(STRANGE)],
    ids=["pong", "empty", "answer"],
)
async def test_whatever_is_of_no_use_is_counted(useless: bytes) -> None:
    """A Pong that nobody asked for, a frame without messages, an answer to nothing."""
    arena = FakeArena(Limits(max_useless_messages=5))
    bot = arena.bot("bot0")

    for _ in range(5 + 1):
        bot.conversation.receive(useless)
    before = bot.kinds()
    bot.conversation.receive(useless)

    assert "session_fault" not in before
    assert ["session_fault"] == bot.kinds()


async def test_time_lets_useless_messages_come_again() -> None:
    """A bot that now and then sends what is of no use is never at fault."""
    arena = FakeArena(Limits(max_useless_messages=5, useless_per_second=2))
    bot = arena.bot("bot0")

    for _ in range(100):
        bot.say(STRANGE)
        arena.clock.advance(500)

    assert "session_fault" not in bot.kinds()


async def test_an_answer_to_an_open_decision_is_never_held_up() -> None:
    """C-20: a bot that has used up its allowance still plays on, and in time."""
    arena = FakeArena(Limits(max_useless_messages=1, max_session_faults=1_000))
    spec = table_spec()
    bots = arena.bots(spec)
    table = arena.server.open_table(spec)
    bots[0].say(*[STRANGE] * 50)

    arena.play(bots)

    acts = [f for f in arena.recorder.of_table(1) if isinstance(f, Acted)]
    assert EndCause.PLAYED is table.result().cause
    assert {(Actor.BOT, 0)} == {(act.actor, act.charged_ms) for act in acts}
    assert [] == faults(arena)


async def test_a_bot_that_says_everything_twice_is_harmless() -> None:
    """Each question that is put brings one message of no use, so duplicates never run out."""
    arena = FakeArena(Limits(max_useless_messages=1, useless_per_second=1))
    specs = [table_spec(table_id=f"t{n}", number=n, board=n) for n in range(1, 21)]
    bots = arena.bots(specs[0])
    tables = [arena.server.open_table(spec) for spec in specs]

    asked = True
    while asked:
        asked = False
        for bot in bots:
            for decision in bot.decisions():
                asked = True
                bot.say(answer_to(decision), answer_to(decision))

    assert {EndCause.PLAYED} == {table.result().cause for table in tables}
    assert not any(
        m.HasField("session_fault") or m.HasField("goodbye") for b in bots for m in b.messages
    )


async def test_all_open_questions_may_be_answered_too_late_at_once() -> None:
    """As many late answers as there were open decisions are harmless, whatever the allowance."""
    arena = FakeArena(Limits(max_useless_messages=1))
    specs = [table_spec(table_id=f"t{n}", number=n, board=n) for n in range(1, 101)]
    bots = arena.bots(specs[0], max_open_decisions=100)
    for spec in specs:
        arena.server.open_table(spec)
    for bot in bots[1:]:
        bot.read()
    decisions = bots[0].decisions()
    arena.clock.advance(20_000)

    bots[0].say(*map(answer_to, decisions))

    assert 100 == len(decisions)
    assert [FaultKind.TIMEOUT, FaultKind.STALE] == faults(arena, 100)
    assert "session_fault" not in bots[0].kinds()


async def test_what_is_not_looked_at_is_not_recorded() -> None:
    """A flood of late answers fills no record: beyond the allowance none is booked."""
    arena = FakeArena(Limits(max_useless_messages=20))
    spec = table_spec()
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (decision,) = bots[0].decisions()
    bots[0].answer(decision)

    bots[0].say(*[answer_to(decision)] * 1_000)

    assert 20 + 1 + 1 >= faults(arena).count(FaultKind.STALE) >= 20


# Dialling


def refused(turnstile: Turnstile, bot: str, peer: str = "ipv4:1.2.3.4:5") -> Reason | None:
    """Returns why a stream is not let in."""
    try:
        turnstile.enter(bot, peer)
    except Refusal as refusal:
        return refusal.reason
    return None


def test_streams_are_counted_in_all_a_bot_and_a_connection() -> None:
    """Each bound has its own reason, and a stream that ends makes room."""
    limits = Limits(max_sessions=5, max_streams_per_bot=2, max_streams_per_connection=3)
    turnstile = Turnstile(limits, FakeClock())

    told = [refused(turnstile, name) for name in ("a", "a", "a", "b", "c")]
    elsewhere = [refused(turnstile, name, "ipv4:1.2.3.4:6") for name in ("c", "d", "e")]
    turnstile.leave("a", "ipv4:1.2.3.4:5")

    assert [None, None, Reason.BOT_STREAMS, None, Reason.CONNECTION_STREAMS] == told
    assert [None, None, Reason.ARENA_FULL] == elsewhere
    assert None is refused(turnstile, "a")


def test_connections_over_a_unix_socket_are_not_told_apart() -> None:
    """All of them have one name, so a count would hold the bots of one socket for one."""
    turnstile = Turnstile(Limits(max_streams_per_connection=1), FakeClock())

    assert [None, None] == [refused(turnstile, name, "unix:") for name in "ab"]


def test_a_bot_that_dials_too_often_is_told_when_to_come_back() -> None:
    """So many at once, so many with time; other bots are not concerned."""
    clock = FakeClock()
    turnstile = Turnstile(Limits(max_dials=3, dials_per_second=2, max_streams_per_bot=99), clock)

    told = [refused(turnstile, "a") for _ in range(4)]
    other = refused(turnstile, "b")
    with pytest.raises(Refusal) as error:
        turnstile.enter("a", "")
    clock.advance(error.value.retry_ms or 0)

    assert [None, None, None, Reason.DIALS] == told
    assert None is other
    assert 500 == error.value.retry_ms
    assert None is refused(turnstile, "a")


async def test_a_bot_that_was_faulty_is_shut_out_for_a_while() -> None:
    """It is told for how long, and a new token lets it begin anew."""
    arena = FakeArena(Limits(max_session_faults=1, shut_out_ms=5_000))
    turnstile = arena.server._turnstile
    arena.bot("bot0").conversation.receive(b"\xff")

    with pytest.raises(Refusal) as error:
        turnstile.enter("bot0", "")
    arena.clock.advance(5_000)
    after = refused(turnstile, "bot0")
    arena.again("bot0").conversation.receive(b"\xff")
    arena.bot("bot0")

    assert (Reason.SHUT_OUT, 5_000) == (error.value.reason, error.value.retry_ms)
    assert (None, None) == (after, refused(turnstile, "bot0"))
