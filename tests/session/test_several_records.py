"""Tables of several records on one stream: each waits for its own, and fails alone."""

import asyncio
from concurrent.futures import Future as ThreadFuture

import pytest
from arenas import FakeArena
from session_fakes import MemoryRecorder, RawBot, capturing_logger
from tables import table_spec

from euchre_server.session import ArenaServer, Party, RecorderFailed, Secret
from euchre_server.session.recorder import Journal


class _SlowRecorder(MemoryRecorder):
    """What was flushed is safe when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[ThreadFuture[None]] = []
        self.was_asked = asyncio.Event()

    def durable(self) -> ThreadFuture[None]:
        """Returns what the test is to settle."""
        future = ThreadFuture[None]()
        self.asked.append(future)
        asyncio.get_running_loop().call_soon(self.was_asked.set)
        return future

    def settle(self) -> None:
        """Says that all is safe."""
        for future in self.asked:
            if not future.done():
                future.set_result(None)


async def test_a_frame_waits_for_every_record_of_which_it_tells() -> None:
    """Nothing is told before all of them are on the disk; what tells of none waits for none."""
    logger, _ = capturing_logger()
    server = ArenaServer(instance_id="a", logger=logger)
    address = await server.start()
    token = Secret.fresh()
    server.expect("bot0", token)
    bot = RawBot(address, token.reveal())
    recorders = [_SlowRecorder(), _SlowRecorder()]
    try:
        await bot.hello()
        await bot.read_until("welcome")
        for number, recorder in enumerate(recorders, 1):
            spec = table_spec(table_id=f"t{number}", number=number)
            server.open_table(spec, Journal(recorder), spec.bots)
        opened = asyncio.create_task(bot.read_until("table_opened"))
        for recorder in recorders:
            await recorder.was_asked.wait()
            before = opened.done()
            recorder.settle()
        async with asyncio.timeout(10):
            told = await opened
    finally:
        await bot.close()
        server.stop_tables()
        await server.stop(0.1)

    assert not before
    assert "t1" == told.table_opened.table_id


async def test_a_record_that_fails_takes_its_own_tables_only() -> None:
    """The other table of the same bots is played to its end."""
    arena = FakeArena()
    spec, other = table_spec(table_id="t1", number=1), table_spec(table_id="t2", number=2)
    failing = MemoryRecorder()
    bots = arena.bots(spec, max_open_decisions=9)
    lost = arena.server.open_table(spec, Journal(failing), spec.bots)
    kept = arena.server.open_table(other)
    failing.fails_at = len(failing.facts) + 1

    arena.play(bots)

    with pytest.raises(RecorderFailed, match="No space left"):
        lost.result()
    assert other == kept.result().spec
    assert {} == arena.driver.tables


async def test_bots_of_two_matches_may_bear_one_name() -> None:
    """Each is told its own name, and sits at the tables of its own match."""
    arena = FakeArena()
    spec = table_spec("two-handed", bots=("ann", "bob"))
    parties = [
        Party(arena.server, match_id=name, players=spec.bots, recorder=MemoryRecorder())
        for name in ("m1", "m2")
    ]
    bots = {}
    for party, match_id in zip(parties, ("m1", "m2"), strict=True):
        for name in spec.bots:
            party.expect(name, Secret.fresh())
            bots[match_id, name] = arena.again(f"{match_id}:{name}")
    result = parties[0].open_table(spec)

    arena.play(list(bots.values()))

    names = {key: bot.messages[0].welcome.bot_name for key, bot in bots.items()}
    assert all(name == key[1] for key, name in names.items())
    assert result.done()
    assert "table_opened" in [m.WhichOneof("message") for m in bots["m1", "ann"].messages]
    assert "table_opened" not in [m.WhichOneof("message") for m in bots["m2", "ann"].messages]


async def test_tables_of_one_seed_have_ids_of_their_own() -> None:
    """Two matches of the same deals on one stream never get in each other's way."""
    arena = FakeArena()
    spec = table_spec("two-handed", bots=("ann", "bob"))
    bots = arena.bots(spec, max_open_decisions=9)
    parties = [
        Party(
            arena.server,
            match_id=name,
            players=spec.bots,
            recorder=MemoryRecorder(),
            lasting=spec.bots,
            shares_deals=True,
        )
        for name in ("m1", "m2")
    ]

    results = [party.open_table(spec) for party in parties]
    arena.play(bots)

    assert [spec, spec] == [result.result().spec for result in results]
    opened = [m.table_opened.table_id for m in bots[0].messages if m.HasField("table_opened")]
    assert 2 == len(set(opened)) == len(opened)
    assert spec.table_id not in opened
