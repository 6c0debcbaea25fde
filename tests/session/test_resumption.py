"""A bot that was lost comes back: seats, open questions and the time really left."""

from arenas import FakeArena
from tables import table_spec

from euchre_arena.v1.arena_service_pb2 import GOODBYE_REASON_FENCED, Hello
from euchre_server.referee.facts import Acted, Faulted, FaultKind
from euchre_server.session import Limits


def opening_words(arena: FakeArena, bot_name: str, token: str) -> str:
    """Returns what the log says of a session that begins with a resume token."""
    arena.dial(bot_name).say(Hello(protocol_version=1, resume_token=token))
    entries = [e["event"] for e in arena.logs.entries if e["event"].startswith("session ")]
    return str(next(e for e in reversed(entries) if e in {"session opened", "session resumed"}))


def token_of(arena: FakeArena, bot_name: str) -> str:
    """Returns the resume token that a new session of a bot is given."""
    return arena.again(bot_name).read()[0].welcome.resume_token


async def test_every_session_gets_a_resume_token_of_its_own() -> None:
    """Tokens are long, differ, and are shown by nothing but Welcome."""
    arena = FakeArena()
    first, second, other = (token_of(arena, name) for name in ("a", "a", "b"))

    assert 3 == len({first, second, other})
    assert min(map(len, (first, second, other))) >= 40
    shown = repr(arena.logs.entries) + repr(vars(arena.server.resumes))
    assert not any(token in shown for token in (first, second, other))


async def test_the_last_resume_token_continues_the_session() -> None:
    """Only a bot's own last token counts as coming back; with any other it is simply new."""
    arena = FakeArena()
    old, last, other = (token_of(arena, name) for name in ("a", "a", "b"))

    assert "session opened" == opening_words(arena, "a", "unknown")
    last = token_of(arena, "a")
    assert "session resumed" == opening_words(arena, "a", last)
    assert "session opened" == opening_words(arena, "a", last)
    assert "session opened" == opening_words(arena, "a", old)
    assert "session opened" == opening_words(arena, "a", other)
    assert arena.server.connected("a")


async def test_a_bot_that_is_expected_anew_continues_nothing() -> None:
    """Tokens of an earlier start of the bot prove nothing."""
    arena = FakeArena()
    token = token_of(arena, "a")
    arena.bot("a")

    assert "session opened" == opening_words(arena, "a", token)


async def test_an_open_question_keeps_its_number_and_the_time_really_left() -> None:
    """C-1, C-2: put again at once, with the same view, less what has passed, lost or not."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (question,) = bots[0].decisions()

    arena.clock.advance(100)
    bots[0].conversation.lost()
    arena.clock.advance(1_000)
    back = arena.again("bot0")
    (again,) = back.decisions()

    assert question.time_left_ms - 1_100 == again.time_left_ms
    again.time_left_ms = question.time_left_ms
    assert question == again
    back.answer(again)
    faults = [f for f in arena.recorder.of_table(1) if isinstance(f, Faulted)]
    assert [FaultKind.CRASH] == [fault.kind for fault in faults]
    assert 1 == sum(isinstance(f, Acted) for f in arena.recorder.of_table(1))


async def test_no_question_is_put_with_a_budget_of_nothing() -> None:
    """C-1: who comes back on the bank, up to the last millisecond, is still told a time."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (question,) = bots[0].decisions()

    arena.clock.advance(question.time_left_ms + question.bank_left_ms - 1)
    (again,) = arena.again("bot0").decisions()

    assert (question.decision_id, 1, 1) == (
        again.decision_id,
        again.time_left_ms,
        again.bank_left_ms,
    )


async def test_all_open_tables_are_told_before_the_first_ping() -> None:
    """What a bot that is back has not heard of by the first ping is over."""
    arena = FakeArena()
    spec = table_spec()
    arena.bots(spec)
    for number in range(1, 40):
        arena.server.open_table(table_spec(table_id=f"t{number}", number=number, board=number))

    kinds = arena.again("bot0").kinds()

    assert "welcome" == kinds[0]
    assert 39 == kinds.count("table_opened") == kinds[: kinds.index("ping")].count("table_opened")


async def test_coming_back_to_many_tables_breaks_no_limit() -> None:
    """Any number of tables is resumed on one stream: more than the queue holds otherwise."""
    arena = FakeArena(Limits(max_queue_bytes=20_000))
    spec = table_spec()
    arena.bots(spec)
    for number in range(1, 201):
        arena.server.open_table(table_spec(table_id=f"t{number}", number=number, board=number))
        for conversation in list(arena.server._live.values()):
            while conversation.take():
                pass

    back = arena.again("bot0")
    frames = []
    while frame := back.conversation.take():
        frames.append(frame)

    assert arena.server.connected("bot0")
    assert sum(map(len, frames)) > 20_000
    assert max(map(len, frames)) <= 65_536


async def test_two_sessions_end_with_one() -> None:
    """C-6: the older is told FENCED, holds no seat any more, and cannot answer."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (question,) = bots[0].decisions()

    newer = arena.again("bot0")
    bots[0].answer(question)

    assert GOODBYE_REASON_FENCED == bots[0].read()[-1].goodbye.reason
    assert [] == [f for f in arena.recorder.of_table(1) if isinstance(f, Acted | Faulted)]
    assert [question.decision_id] == [d.decision_id for d in newer.decisions()]
