"""LEAN sessions with a whole arena: who gets whole views when, and what a request brings."""

from arenas import FakeArena, FakeBot
from tables import table_spec

from euchre_arena.v1.arena_service_pb2 import (
    VIEW_MODE_LEAN,
    ArenaMessage,
    BotMessage,
    Hello,
)
from euchre_arena.v1.event_pb2 import TableView, ViewRequest
from euchre_arena.v1.table_pb2 import REJECT_REASON_UNKNOWN_TABLE, Decision
from euchre_server.referee.spec import TableMode, TableSpec
from euchre_server.session import Secret

LEAN = Hello(protocol_version=1, view_mode=VIEW_MODE_LEAN)


def lean_bot(arena: FakeArena, name: str, hello: Hello = LEAN) -> FakeBot:
    """Returns a bot that has been let in and gets LEAN views."""
    arena.server.expect(name, Secret.fresh())
    return lean_again(arena, name, hello)


def lean_again(arena: FakeArena, name: str, hello: Hello = LEAN) -> FakeBot:
    """Returns another session of such a bot."""
    bot = arena.dial(name)
    bot.say(hello)
    return bot


def seated(arena: FakeArena, spec: TableSpec) -> tuple[FakeBot, list[FakeBot]]:
    """Returns a LEAN bot at seat 0, and all bots of a table that has been opened."""
    bots = [
        lean_bot(arena, name) if seat == 0 else arena.bot(name)
        for seat, name in enumerate(spec.bots)
    ]
    arena.server.open_table(spec)
    return bots[0], bots


def shown(bot: FakeBot, table_id: str) -> ArenaMessage:
    """Asks for a view, and returns what comes."""
    bot.read()
    bot.say(BotMessage(view_request=ViewRequest(table_id=table_id)))
    (message,) = bot.read()
    return message


def questions(bot: FakeBot) -> list[Decision]:
    """Returns every question that a bot has read."""
    return [m.decision for m in bot.messages if m.WhichOneof("message") == "decision"]


def next_question(bots: list[FakeBot]) -> Decision:
    """Lets others play until the first bot is asked, and returns the question."""
    for _ in range(100):
        for bot in bots:
            for decision in bot.decisions():
                if bot is bots[0]:
                    return decision
                bot.answer(decision)
    raise AssertionError("the first bot is asked nothing any more")


async def test_a_view_is_whole_once_a_hand() -> None:
    """Of a game's questions the first of each hand carries the view, the others only events."""
    arena = FakeArena()
    bot, bots = seated(arena, table_spec(mode=TableMode.GAME))

    arena.play(bots)

    asked = questions(bot)
    whole = [question for question in asked if question.HasField("view")]
    hands = [question.view.hand_number for question in whole]
    assert len(asked) > 3 * len(whole) > 6
    assert hands == sorted(set(hands))
    assert all(question.events.view_hash > 0 for question in asked)
    assert all(question.events.kinds for question in asked if not question.HasField("view"))
    ended = [m.hand_ended for m in bot.messages if m.WhichOneof("message") == "hand_ended"]
    assert len(ended) >= len(whole)
    assert all(end.HasField("view") for end in ended)


async def test_nothing_is_shown_of_a_question_that_waits_to_be_put() -> None:
    """A bot with as many questions as it wants cannot look at the next while no clock runs."""
    arena = FakeArena()
    specs = [table_spec(table_id=f"t{number}", number=number, board=number) for number in (1, 2)]
    bots = [arena.bot(name) for name in specs[0].bots]
    for spec in specs:
        arena.server.open_table(spec)
    waiting = bots[0].conversation.line.outbox._waiting
    for _ in range(100):
        if waiting:
            break
        for bot in bots:
            for decision in bot.decisions():
                if bot is not bots[0]:
                    bot.answer(decision)
    bots[0].read()
    (table_id,) = waiting
    (put,) = [question for question in questions(bots[0]) if question.table_id != table_id]

    before = shown(bots[0], table_id).view
    bots[0].answer(put)
    (question,) = bots[0].decisions()

    assert not before.HasField("view")
    assert table_id == question.table_id
    assert question.HasField("view")
    assert shown(bots[0], table_id).view.HasField("view")


async def test_full_sessions_get_no_events() -> None:
    """At the same table a FULL bot gets whole views, and neither events nor hashes."""
    arena = FakeArena()
    _, bots = seated(arena, table_spec())

    arena.play(bots)

    asked = [question for bot in bots[1:] for question in questions(bot)]
    assert len(asked) > 10
    assert all(question.HasField("view") for question in asked)
    assert not any(question.HasField("events") for question in asked)


async def test_a_session_that_comes_back_begins_with_a_whole_view() -> None:
    """The open question is put again with the view, and events are counted anew."""
    arena = FakeArena()
    spec = table_spec()
    bot, bots = seated(arena, spec)
    bot.answer(next_question(bots))
    lost = next_question(bots)
    bot.conversation.lost()
    again = lean_again(arena, spec.bots[0])
    (question,) = again.decisions()

    assert not lost.HasField("view")
    assert lost.events.last > 0
    assert (lost.decision_id, 0) == (question.decision_id, question.events.last)
    assert (True, lost.events.view_hash) == (question.HasField("view"), question.events.view_hash)
    again.answer(question)
    after = next_question([again, *bots[1:]])
    assert not after.HasField("view")
    assert len(after.events.kinds) == after.events.last


async def test_a_view_is_shown_on_request() -> None:
    """A request brings the view that the question is about, with its hash and number of events."""
    arena = FakeArena()
    spec = table_spec()
    bot, bots = seated(arena, spec)
    bot.answer(next_question(bots))
    question = next_question(bots)

    answer = shown(bot, spec.table_id).view

    assert spec.table_id == answer.table_id
    assert (question.events.last, question.events.view_hash) == (
        answer.events.last,
        answer.events.view_hash,
    )
    assert (0, spec.rules.seat_count) == (answer.view.to_act, len(answer.view.card_counts))


async def test_events_go_on_from_a_view_that_was_shown() -> None:
    """What happened before a view that was asked for between two questions is not told again."""
    arena = FakeArena()
    spec = table_spec()
    bot, bots = seated(arena, spec)
    first = next_question(bots)
    bot.answer(first)
    between = shown(bot, spec.table_id).view
    question = next_question(bots)

    told = len(question.view.history_kinds) or sum(kind < 64 for kind in question.events.kinds)
    acted = len(between.view.history_kinds)
    assert acted == 1 + len(first.view.history_kinds)
    assert len(shown(bot, spec.table_id).view.view.history_kinds) == acted + told


async def test_a_full_session_may_ask_too() -> None:
    """It is shown its view, without numbers and hashes."""
    arena = FakeArena()
    spec = table_spec()
    _, bots = seated(arena, spec)

    answer = shown(bots[1], spec.table_id).view

    assert 1 == answer.view.seat
    assert not answer.HasField("events")


async def test_before_the_deal_there_is_nothing_to_see() -> None:
    """While others are still to come, the answer holds no view."""
    arena = FakeArena()
    spec = table_spec()
    bot = lean_bot(arena, spec.bots[0])
    arena.server.open_table(spec)

    assert TableView(table_id=spec.table_id) == shown(bot, spec.table_id).view


async def test_nobody_is_shown_a_table_at_which_he_does_not_sit() -> None:
    """Neither an unknown table nor that of others; it is refused as an answer to it would be."""
    arena = FakeArena()
    spec = table_spec()
    seated(arena, spec)
    stranger = lean_bot(arena, "stranger")

    refused = [shown(stranger, table_id).rejected for table_id in (spec.table_id, "none", "")]

    assert [REJECT_REASON_UNKNOWN_TABLE] * 3 == [one.reason for one in refused]
    assert [spec.table_id, "none", ""] == [one.table_id for one in refused]


async def test_nothing_is_kept_of_closed_tables() -> None:
    """What a LEAN session has been told is forgotten with its tables."""
    arena = FakeArena()
    bot, bots = seated(arena, table_spec())
    for number in (2, 3):
        arena.server.open_table(table_spec(table_id=f"t{number}", number=number, board=number))

    arena.play(bots)

    lean = bot.conversation.line.lean
    assert lean is not None
    assert {} == lean._told
    assert ["lean", "full", "full"] == [
        entry["views"] for entry in arena.logs.entries if entry["event"] == "session opened"
    ]


async def test_nothing_is_kept_of_tables_that_were_given_up() -> None:
    """Nor of one that ends untold, since it can be recorded no more."""
    arena = FakeArena()
    bot, bots = seated(arena, table_spec())
    question = next_question(bots)
    lean = bot.conversation.line.lean
    assert lean is not None
    assert ["table"] == list(lean._told)

    arena.recorder.fails_at = 1
    bot.answer(question)

    assert {} == lean._told
    assert {} == arena.driver.tables
