"""Measures what each durability of a record costs: `--fsync` none, hand and action, in one run.

    python tests/bench/bench_durability.py [HANDS] [FOLDER]

Three-handed hands are played over gRPC by three bots in this process that answer at once, with so
many tables open, under each policy in turn, since the speed of a shared machine and disk drifts;
only the ratio to `none` counts. FOLDER says which disk; without it that of temporary files is
meant. What an fsync takes there by itself is printed beside.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from record_matches import match_spec
from session_fakes import RawBot, capturing_logger

from euchre_server.match.schedule import Schedule
from euchre_server.record.entries import MatchOpened
from euchre_server.record.store import Fsync, RecordWriter
from euchre_server.referee.spec import TableSpec
from euchre_server.session import ArenaServer, Secret

POLICIES = (Fsync.NONE, Fsync.HAND, Fsync.ACTION)
TABLES = (1, 16)
ROUNDS = 6


async def rate(policy: Fsync, hands: int, at_once: int, folder: Path) -> float:
    """Returns decisions a second."""
    spec = match_spec(boards=hands)
    opened = MatchOpened(
        match_id=f"m{time.time_ns()}",
        arena_version="bench",
        started_unix_ms=time.time_ns() // 1_000_000,
        commitment=spec.commitment(),
        specification=spec.specification(),
        public_seed=True,
        bot_names=spec.bots,
    )
    writer = RecordWriter.create(folder, opened, spec.secret, fsync=policy)
    logger, _ = capturing_logger()
    server = ArenaServer(recorder=writer, instance_id="bench", logger=logger)
    address = await server.start()
    bots = [await _bot(server, address, name, at_once) for name in spec.bots]
    schedule = Schedule(spec)
    tables = schedule.tables(next(schedule.legs(schedule.first_round())))
    playing = [asyncio.create_task(bot.play(closing=hands)) for bot in bots]
    began = time.perf_counter()
    await asyncio.gather(*(_one_by_one(server, tables) for _ in range(at_once)))
    await asyncio.gather(*playing)
    seconds = time.perf_counter() - began
    for bot in bots:
        await bot.close()
    await server.stop(1)
    writer.close()
    return server._driver.counts.decisions / seconds


async def _bot(server: ArenaServer, address: str, name: str, at_once: int) -> RawBot:
    server.expect(name, Secret(name))
    bot = RawBot(address, name)
    await bot.hello(max_open_decisions=at_once)
    await server.wait_joined(name, 10)
    return bot


async def _one_by_one(server: ArenaServer, tables: Iterator[TableSpec]) -> None:
    """Plays tables, of which others take some too, until none is left."""
    for table in tables:
        await server.open_table(table)


def fsync_ms(folder: Path) -> float:
    """Returns the milliseconds that bringing one entry to this disk takes."""
    with (folder / "fsync").open("ab") as file:
        times = []
        for _ in range(30):
            began = time.perf_counter()
            os.write(file.fileno(), bytes(60))
            os.fsync(file.fileno())
            times.append((time.perf_counter() - began) * 1_000)
    return median(times)


def say(line: str) -> None:
    """Prints a line."""
    print(line, flush=True)  # noqa: T201  # printing is its job


def main() -> None:
    """Prints a row for each policy and number of tables."""
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    parent = sys.argv[2] if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory(dir=parent) as name:
        folder = Path(name)
        say(f"durability, three-handed, {hands} hands a run, {ROUNDS} runs each")
        say(f"  an entry and its fsync on this disk: {fsync_ms(folder):.2f} ms")
        for tables in TABLES:
            rates: dict[Fsync, list[float]] = {policy: [] for policy in POLICIES}
            asyncio.run(rate(Fsync.NONE, hands, tables, folder))  # to warm up
            for turn in range(ROUNDS):
                for policy in POLICIES[turn % 3 :] + POLICIES[: turn % 3]:
                    rates[policy].append(asyncio.run(rate(policy, hands, tables, folder)))
            for policy in POLICIES:
                ratios = [a / b for a, b in zip(rates[policy], rates[Fsync.NONE], strict=True)]
                say(
                    f"  K = {tables:<3} --fsync {policy:<7} {median(rates[policy]):>8,.0f} "
                    f"decisions/s, {median(ratios):.2f} of none"
                )


if __name__ == "__main__":
    main()
