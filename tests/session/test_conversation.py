"""One session: Hello first, faults told and bounded, every way to the end."""

import asyncio

import pytest
from arenas import FakeArena
from session_fakes import answer_to, bot_frame
from tables import table_spec

from euchre_arena.v1.arena_service_pb2 import (
    GOODBYE_REASON_DRAINING,
    GOODBYE_REASON_FAULTY,
    GOODBYE_REASON_FENCED,
    GOODBYE_REASON_REFUSED,
    GOODBYE_REASON_SLOW_READER,
    SESSION_FAULT_REASON_OUT_OF_PLACE,
    SESSION_FAULT_REASON_OVERSIZED,
    SESSION_FAULT_REASON_UNDECODABLE,
    SESSION_FAULT_REASON_UNKNOWN_KIND,
    Answer,
    BotMessage,
    Hello,
    Pong,
)
from euchre_server.referee.facts import Acted, Faulted, FaultKind
from euchre_server.session import GoodbyeReason, Limits, Secret
from euchre_server.session.access import Denied


async def test_hello_is_answered_with_welcome_and_a_ping() -> None:
    """A bot that introduces itself is told session, name and limits, and its line is measured."""
    arena = FakeArena()
    bot = arena.bot("bot0")

    welcome, ping = bot.read()

    assert ("arena-1", "bot0", 1) == (
        welcome.welcome.instance_id,
        welcome.welcome.bot_name,
        welcome.welcome.protocol_version,
    )
    assert ping.HasField("ping")
    assert arena.server.connected("bot0")


@pytest.mark.parametrize(
    "message", [Pong(nonce=1), BotMessage(), BotMessage(hello=Hello(protocol_version=9))]
)
async def test_what_is_no_good_hello_ends_the_session(message: Pong | BotMessage) -> None:
    """Anything but an acceptable Hello at first is refused with a reason, and nobody is in."""
    arena = FakeArena()
    bot = arena.dial("bot0")

    bot.say(message)

    (goodbye,) = bot.read()
    assert GOODBYE_REASON_REFUSED == goodbye.goodbye.reason
    assert goodbye.goodbye.text
    assert bot.conversation.is_drained
    assert not arena.server.connected("bot0")


async def test_no_hello_in_time_ends_the_session() -> None:
    """A stream on which nothing is said is not kept."""
    arena = FakeArena(Limits(hello_within_ms=500))
    bot = arena.dial("bot0")

    arena.clock.advance(499)
    early = bot.kinds()
    arena.clock.advance(1)

    assert [] == early
    assert GOODBYE_REASON_REFUSED == bot.read()[0].goodbye.reason


USELESS = [
    (b"\xff\xff\xff\xff", SESSION_FAULT_REASON_UNDECODABLE),
    (b"null", SESSION_FAULT_REASON_UNDECODABLE),
    (b'{"type":null}', SESSION_FAULT_REASON_UNDECODABLE),
    (b"\x0a\x02\x0a\xff", SESSION_FAULT_REASON_UNDECODABLE),
    (b"\0" * 10_000_000, SESSION_FAULT_REASON_OVERSIZED),
    (bot_frame(BotMessage()), SESSION_FAULT_REASON_UNKNOWN_KIND),
    (bot_frame(Hello(protocol_version=1)), SESSION_FAULT_REASON_OUT_OF_PLACE),
]


@pytest.mark.parametrize(("frame", "reason"), USELESS, ids=[f[:8].hex() for f, _ in USELESS])
async def test_a_useless_frame_is_told_and_the_session_goes_on(frame: bytes, reason: int) -> None:
    """B67: garbage, a giant, a kindless message, a second Hello: each is a told fault, no more."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)

    bots[0].conversation.receive(frame)
    told = [m.session_fault for m in bots[0].read() if m.HasField("session_fault")]
    table = arena.server.open_table(spec)
    arena.play(bots)

    assert [(reason, 1)] == [(fault.reason, fault.fault_count) for fault in told]
    assert not any(any(seat.values()) for seat in table.result().faults)


async def test_too_many_useless_frames_end_the_session() -> None:
    """Faults of a session are bounded; its seats are lost then, and the others go on."""
    arena = FakeArena(Limits(max_session_faults=3))
    bot = arena.bot("bot0")

    for _ in range(5):
        bot.conversation.receive(b"\xff")

    kinds = bot.kinds()
    assert ["welcome", "ping", *["session_fault"] * 3, "goodbye"] == kinds
    assert GOODBYE_REASON_FAULTY == bot.messages[-1].goodbye.reason
    assert not arena.server.connected("bot0")


async def test_a_kind_of_useless_frame_is_warned_of_once_a_session() -> None:
    """However many a bot sends, whoever runs the arena reads one line for each kind."""
    arena = FakeArena()

    for name in ("bot0", "bot1"):
        bot = arena.bot(name)
        for data in (b"\xff", b"null", bot_frame(BotMessage()), b"\xff"):
            bot.conversation.receive(data)

    told = [
        (line["bot"], line["reason"])
        for line in arena.logs.entries
        if line["event"] == "session fault" and line["log_level"] == "warning"
    ]
    assert [
        (bot, reason) for bot in ("bot0", "bot1") for reason in ("undecodable", "unknown_kind")
    ] == told


async def test_why_a_bot_is_not_there_is_known() -> None:
    """A refusal, silence and hanging up without Hello are told apart from never coming."""
    arena = FakeArena()
    for name in ("never", "silent", "gone", "refused"):
        arena.server.expect(name, Secret.fresh())

    arena.dial("silent")
    arena.dial("gone").conversation.lost()
    arena.dial("refused").say(Hello(protocol_version=9))

    assert [
        None,
        "it connected, but sent no Hello",
        "it connected, but hung up without a Hello",
        "the arena refused it: protocol_version is 9; this arena speaks 1",
    ] == [arena.server.absence(name) for name in ("never", "silent", "gone", "refused")]


async def test_a_caller_without_a_good_token_is_told_to_whom_it_may_concern() -> None:
    """Whose bot a stranger is nobody knows; one that comes too late is none."""
    arena = FakeArena()
    late = Secret.fresh()
    arena.server.expect("bot0", late)
    arena.server.expect("bot0", Secret.fresh())

    arena.server.door.turned_away("/a/Connect", Denied("no", known=False, token=late))
    before = arena.server.absence("bot0")
    for token in (None, Secret.fresh()):
        arena.server.door.turned_away("/a/Connect", Denied("no", known=False, token=token))

    assert None is before
    assert "a caller whose token was missing or wrong was refused" == arena.server.absence("bot0")
    assert ["info", "warning", "info"] == [
        line["log_level"] for line in arena.logs.entries if line["event"] == "call refused"
    ]


async def test_an_empty_frame_is_nothing() -> None:
    """A frame without messages is no fault."""
    arena = FakeArena()
    bot = arena.bot("bot0")

    bot.conversation.receive(b"")

    assert ["welcome", "ping"] == bot.kinds()


async def test_the_round_trip_is_measured() -> None:
    """The time from ping to pong is the grace a bot may get; a wrong nonce measures nothing."""
    arena = FakeArena()
    bot = arena.bot("bot0")
    nonce = bot.read()[1].ping.nonce

    arena.clock.advance(7)
    bot.say(Pong(nonce=nonce + 1))
    wrong = bot.conversation.line.rtt_ms
    bot.say(Pong(nonce=nonce))
    measured = bot.conversation.line.rtt_ms
    arena.clock.advance(5)
    bot.say(Pong(nonce=nonce))

    assert (None, 7, 7) == (wrong, measured, bot.conversation.line.rtt_ms)


async def test_the_round_trip_is_measured_again() -> None:
    """Pings come every few seconds, one at a time: one that is not answered is not repeated."""
    arena = FakeArena()
    bot = arena.bot("bot0")
    first = bot.read()[1].ping.nonce
    arena.clock.advance(12_000)
    silent = bot.kinds()
    bot.say(Pong(nonce=first))
    arena.clock.advance(5_000)

    assert ([], ["ping"]) == (silent, bot.kinds())


async def test_the_measured_round_trip_is_not_charged() -> None:
    """The grace of a decision is the round trip that the arena measured on this session."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    nonce = bots[0].read()[1].ping.nonce
    arena.clock.advance(20)
    bots[0].say(Pong(nonce=nonce))
    arena.server.open_table(spec)
    (decision,) = bots[0].decisions()

    arena.clock.advance(50)
    bots[0].answer(decision)

    act = next(f for f in arena.recorder.of_table(1) if isinstance(f, Acted))
    assert (30, 20) == (act.charged_ms, act.grace_used_ms)


async def test_a_note_is_cut_to_the_limit() -> None:
    """A note for the record is bounded, in whole characters; impossible think times are dropped."""
    arena = FakeArena(Limits(max_annotation_bytes=5))
    spec = table_spec()
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (decision,) = bots[0].decisions()
    answer = answer_to(decision, note="aäöü")
    answer.think_ms = -4

    bots[0].say(answer)

    act = next(f for f in arena.recorder.of_table(1) if isinstance(f, Acted))
    assert ("aäö", None) == (act.annotation, act.think_ms)


async def test_a_bot_may_leave() -> None:
    """Goodbye is a clean leave: recorded as such, and the session is over at once."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    arena.server.open_table(spec)

    bots[2].leave()

    kinds = [f.kind for f in arena.recorder.of_table(1) if isinstance(f, Faulted)]
    assert [FaultKind.LEFT] == kinds
    assert bots[2].conversation.is_over
    assert not arena.server.connected("bot2")


async def test_a_stream_that_ends_without_goodbye_is_a_loss() -> None:
    """A broken stream is a crash at every table where the session sits."""
    arena = FakeArena()
    specs = [table_spec(table_id=f"t{n}", number=n) for n in (1, 2)]
    bots = arena.bots(specs[0])
    for spec in specs:
        arena.server.open_table(spec)

    bots[2].conversation.lost()

    faults = [
        [f.kind for f in arena.recorder.of_table(n) if isinstance(f, Faulted)] for n in (1, 2)
    ]
    assert [[FaultKind.CRASH]] * 2 == faults


async def test_a_bot_that_does_not_read_is_cut() -> None:
    """The queue of a session is bounded: beyond it the session ends, told so, and is lost."""
    arena = FakeArena(Limits(max_queue_bytes=3_000))
    bot = arena.bot("bot0")
    for number in range(1, 60):
        bot.say(Answer(table_id="no such table", decision_id=number))

    kinds = bot.kinds()

    assert ["goodbye"] == kinds
    assert GOODBYE_REASON_SLOW_READER == bot.messages[-1].goodbye.reason
    assert not arena.server.connected("bot0")


async def test_another_session_takes_over() -> None:
    """C-6: a second session of a bot fences the first, which is told, and no fault is booked."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (decision,) = bots[0].decisions()
    arena.clock.advance(100)

    second = arena.again("bot0")
    bots[0].answer(decision)

    assert GOODBYE_REASON_FENCED == bots[0].read()[-1].goodbye.reason
    welcome, opened, again, ping = second.read()
    assert welcome.HasField("welcome")
    assert ping.HasField("ping")
    assert "table" == opened.table_opened.table_id
    assert (decision.decision_id, 4_900) == (
        again.decision.decision_id,
        again.decision.time_left_ms,
    )
    assert [] == [f for f in arena.recorder.of_table(1) if isinstance(f, Faulted)]
    second.answer(again.decision)
    assert 1 == sum(isinstance(f, Acted) for f in arena.recorder.of_table(1))


async def test_who_is_dismissed_cannot_say_hello_any_more() -> None:
    """A stream that was opened before, with a token that was good then, gets the goodbye too."""
    arena = FakeArena()
    first = arena.bot("bot0")
    second = arena.dial("bot0")
    arena.server.forget("bot0")

    dismissing = asyncio.create_task(
        arena.server.dismiss("bot0", GoodbyeReason.REFUSED, "the bot is gone")
    )
    await asyncio.sleep(0)
    second.say(Hello(protocol_version=1))

    assert ["welcome", "ping", "goodbye"] == first.kinds()
    assert ["goodbye"] == second.kinds()
    assert not arena.server.connected("bot0")
    for bot in (first, second):
        arena.server.hung_up(bot.conversation)
    await dismissing


async def test_the_arena_says_goodbye_when_it_stops() -> None:
    """Every session is told that the arena is stopping; open tables end without a result."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    table = arena.server.open_table(spec)

    await arena.server.stop(0)

    assert not table.result().rated
    for bot in bots:
        last = bot.read()[-2:]
        assert "table_closed" == last[0].WhichOneof("message")
        assert GOODBYE_REASON_DRAINING == last[1].goodbye.reason
