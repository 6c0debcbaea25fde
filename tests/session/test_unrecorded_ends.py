"""A table whose end could not be recorded is told to have ended by the arena's fault, no other."""

from arenas import FakeArena
from tables import table_spec

from euchre_arena.v1.arena_service_pb2 import ArenaMessage
from euchre_arena.v1.table_pb2 import END_CAUSE_ARENA_FAULT
from euchre_server.record.entries import RecordFact
from euchre_server.referee.facts import TableEnded

FULL = OSError(28, "No space left on device")


def ended(facts: list[tuple[int, int, RecordFact]]) -> bool:
    """Returns whether a table's end is among the facts."""
    return any(isinstance(fact, TableEnded) for _, _, fact in facts)


def closings(told: list[ArenaMessage]) -> list[tuple[int, ...]]:
    """Returns what counts at every table that was closed, all by the arena's fault."""
    closed = [message.table_closed for message in told if message.HasField("table_closed")]
    assert {END_CAUSE_ARENA_FAULT} == {message.cause for message in closed}
    assert not any(message.rated for message in closed)
    return [tuple(message.scores) for message in closed]


async def test_an_end_whose_flush_fails_is_not_told() -> None:
    """The turn that ends a table finds the disk full: nobody hears of the hand's end, or how."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    flush = arena.recorder.flush

    def full() -> None:
        if ended(arena.recorder.facts):
            raise FULL
        flush()

    arena.recorder.flush = full  # type: ignore[method-assign]
    arena.server.open_table(spec)
    arena.play(bots)

    told = [message for bot in bots for message in bot.messages]
    assert ended(arena.recorder.facts)
    assert [] == [message for message in told if message.HasField("hand_ended")]
    assert [(0, 0, 0)] * 3 == closings(told)
    assert {} == arena.driver.tables


async def test_an_end_that_does_not_reach_the_disk_is_not_told() -> None:
    """Under the policy `action` what waits for the disk in vain is dropped, ended tables' too."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    while not ended(arena.recorder.facts):
        for bot in bots:
            for decision in bot.decisions():
                bot.answer(decision)
    (last, *_) = [bot for bot in bots if bot.conversation.line.journals]

    for journal, table_ids in last.conversation.take_journals().items():
        last.conversation.not_kept(journal, table_ids, FULL)

    told = last.read()
    assert [] == [message for message in told if message.HasField("hand_ended")]
    assert [()] == closings(told)
