"""A table whose end could not be recorded is not told to have ended."""

from arenas import FakeArena
from tables import table_spec

from euchre_server.record.entries import RecordFact
from euchre_server.referee.facts import TableEnded

FULL = OSError(28, "No space left on device")


def ended(facts: list[tuple[int, int, RecordFact]]) -> bool:
    """Returns whether a table's end is among the facts."""
    return any(isinstance(fact, TableEnded) for _, _, fact in facts)


async def test_an_end_whose_flush_fails_is_not_told() -> None:
    """The turn that ends a table finds the disk full: nobody hears of hand end or closing."""
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

    told = {message.WhichOneof("message") for bot in bots for message in bot.messages}
    assert ended(arena.recorder.facts)
    assert set() == {"hand_ended", "table_closed"} & told
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

    assert set() == {"hand_ended", "table_closed"} & set(last.kinds())
