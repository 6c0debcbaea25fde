"""Thousands of tables on one stream: told as fast as the bot reads, and lost like any others."""

import pytest
from arenas import FakeArena, FakeBot
from session_fakes import arena_messages
from tables import table_spec

from euchre_engine import parse_ruleset
from euchre_server.referee.facts import Faulted, FaultKind
from euchre_server.session import Limits

FEW = 150
"""More than a frame tells of."""


def opened(arena: FakeArena, count: int) -> None:
    """Opens so many tables of the same two bots."""
    rules = parse_ruleset("two-handed")
    for number in range(1, count + 1):
        spec = table_spec(rules, table_id=f"t{number}", number=number, board=number)
        arena.server.open_table(spec)


def reads(bot: FakeBot) -> tuple[list[str], int, int]:
    """Reads all there is: the kinds of messages, the longest frame, the most that ever waited.

    As the writer does it: what must be kept first is asked for before each frame.
    """
    kinds: list[str] = []
    longest = most = 0
    outbox = bot.conversation.line.outbox
    while True:
        bot.conversation.take_journals()
        frame = bot.conversation.take()
        if frame is None:
            break
        longest = max(longest, len(frame))
        most = max(most, outbox.queued_bytes)
        kinds += [message.WhichOneof("message") or "" for message in arena_messages([frame])]
    return kinds, longest, most


def faults(arena: FakeArena, kind: FaultKind) -> int:
    """Returns how many faults of a kind were booked."""
    return sum(isinstance(f, Faulted) and f.kind is kind for _, _, f in arena.recorder.facts)


@pytest.mark.parametrize("many", [1_500, pytest.param(10_000, marks=pytest.mark.long)])
async def test_thousands_of_tables_are_resumed_on_one_stream(many: int) -> None:
    """Told frame by frame, all before the first ping, none twice, and never heaped up."""
    arena = FakeArena()
    opened(arena, many)
    arena.bot("bot0")
    reads(arena.bot("bot1"))

    back = arena.again("bot0", max_open_decisions=100)
    kinds, longest, most = reads(back)

    assert arena.server.connected("bot0")
    assert Limits().max_tables >= many
    assert ("welcome", many, 1) == (kinds[0], kinds.count("table_opened"), kinds.count("ping"))
    assert many == kinds[: kinds.index("ping")].count("table_opened")
    assert 100 == kinds.count("decision")
    assert longest <= Limits().max_frame_bytes
    assert most <= 2 * Limits().max_frame_bytes


async def test_who_reads_slowly_is_given_the_time() -> None:
    """Being told of many tables for longer than a Hello may take ends nothing."""
    arena = FakeArena()
    opened(arena, FEW)
    bot = arena.bot("bot0")

    frames = 0
    while bot.conversation.take() is not None:
        frames += 1
        arena.clock.advance(Limits().hello_within_ms // 2)

    assert frames > 2
    assert arena.server.connected("bot0")


async def test_a_table_opened_while_others_are_told_comes_in_its_turn() -> None:
    """A session that is still being told of tables misses none that opens meanwhile."""
    arena = FakeArena()
    opened(arena, FEW)
    bot = arena.bot("bot0")
    bot.conversation.take()

    arena.server.open_table(table_spec("two-handed", table_id="new", number=FEW + 1))
    told = [m.table_opened.table_id for m in bot.read() if m.HasField("table_opened")]

    assert "new" == told[-1]


async def test_a_table_that_ends_before_it_was_told_is_not_told() -> None:
    """What is over by the time it would be told was over before the first ping."""
    arena = FakeArena()
    opened(arena, FEW)
    bot = arena.bot("bot0")

    arena.server.stop_tables()
    kinds, _, _ = reads(bot)

    assert kinds.count("table_closed") == kinds.count("table_opened") < FEW
    assert "ping" == kinds[-1]


async def test_a_session_lost_while_it_is_told_loses_what_the_one_before_it_held() -> None:
    """Fencing costs nothing, but the loss of the newer session is the loss of every seat."""
    arena = FakeArena()
    opened(arena, FEW)
    for name in ("bot0", "bot1"):
        reads(arena.bot(name))
    newer = arena.again("bot0")
    before = faults(arena, FaultKind.CRASH)

    newer.conversation.lost()

    assert (0, FEW) == (before, faults(arena, FaultKind.CRASH))
    assert FEW == sum(
        table.state.open is not None and table.state.open.since_ms is not None
        for table in arena.driver.tables.values()
    )


async def test_a_session_that_leaves_while_it_is_told_has_left_every_table() -> None:
    """Goodbye is a clean leave, also from tables that the bot had not heard of yet."""
    arena = FakeArena()
    opened(arena, FEW)
    reads(arena.bot("bot1"))

    arena.bot("bot0").leave()

    assert FEW == faults(arena, FaultKind.LEFT)
