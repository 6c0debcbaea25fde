"""A whole arena over gRPC with a real record, in this process or in one of its own.

    python tests/support/lone_arena.py CONFIG    CONFIG is JSON, as `Course.read` takes it

In its own process it prints where it listens and the bots' tokens, then answers each line of its
input with a line: `play` plays the match, and says goodbye to its bots, however often it is asked;
`open N` opens so many of its tables and leaves them open, `sit A B` keeps two others at a table
until `rise`, `stats` tells what the process holds, `stop` ends everything and tells what is left.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import time
from dataclasses import dataclass, field, replace
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import psutil
import structlog

from euchre_engine import parse_ruleset
from euchre_engine.deal import secret_from_seed
from euchre_server.hosting.leg import LegPlay
from euchre_server.hosting.room import OpenRoom
from euchre_server.match.schedule import Schedule
from euchre_server.match.spec import MatchSpec
from euchre_server.record.entries import MatchOpened
from euchre_server.record.store import RecordWriter
from euchre_server.referee.spec import ClockSpec, FaultPolicy
from euchre_server.session import ArenaServer, GoodbyeReason, Limits, Party, Secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from euchre_server.referee.result import TableResult
    from euchre_server.referee.spec import TableSpec

__all__ = ["Course", "LoneArena"]


@dataclass(frozen=True, kw_only=True)
class Course:
    """States what is played, by whom and within which limits.

    Attributes:
        boards: How many; each is played in every seating.
        at_once: How many tables are kept open.
        others: Bots that are let in and do not play the match.
        keep: Whether records are kept.
    """

    folder: str
    rules: str = "two-handed"
    boards: int = 10
    at_once: int = 4
    seed: str = "course"
    clock: dict[str, int] = field(default_factory=dict)
    fault_limit: int = 10
    others: tuple[str, ...] = ()
    limits: dict[str, int] = field(default_factory=dict)
    log: str = ""
    keep: bool = True

    @classmethod
    def read(cls, text: str) -> Course:
        """Returns the course that a JSON object states."""
        stated = json.loads(text)
        return cls(**{**stated, "others": tuple(stated.get("others", ()))})

    def spec(self) -> MatchSpec:
        """Returns the match."""
        rules = parse_ruleset(self.rules)
        return MatchSpec(
            rules=rules,
            bots=tuple(f"bot{seat}" for seat in rules.seats),
            boards=self.boards,
            tables=self.at_once,
            clock=ClockSpec(**self.clock),
            policy=FaultPolicy(fault_limit=self.fault_limit),
            secret=secret_from_seed(self.seed),
            public_seed=True,
        )


class LoneArena:
    """An arena that plays one match, and lets others in."""

    def __init__(self, course: Course) -> None:
        """Makes an arena that does not listen yet."""
        self.course = course
        self.spec = course.spec()
        self.ended = 0
        self.causes: set[str] = set()
        self.most_tables = 0
        self.address = ""
        self.tokens: dict[str, str] = {}
        self._folder = Path(course.folder)
        self._log: TextIO | None = None
        logger = structlog.wrap_logger(
            structlog.PrintLogger(self._log_file()),
            processors=[structlog.processors.format_exc_info, structlog.processors.JSONRenderer()],
            wrapper_class=structlog.make_filtering_bound_logger(20 if course.log else 40),
        )
        self.writer = self._record()
        self.server = ArenaServer(
            recorder=self.writer,
            instance_id="lone",
            logger=logger,
            limits=Limits(**course.limits),
        )
        self._open: list[asyncio.Future[TableResult]] = []

    def _log_file(self) -> TextIO:
        if not self.course.log:
            return sys.stderr
        self._log = Path(self.course.log).open("a", encoding="utf-8")  # noqa: SIM115  # until stop
        return self._log

    def _record(self) -> RecordWriter:
        spec = self.spec
        opened = MatchOpened(
            match_id=f"m{time.time_ns()}",
            arena_version="test",
            started_unix_ms=time.time_ns() // 1_000_000,
            commitment=spec.commitment(),
            specification=spec.specification(),
            public_seed=spec.public_seed,
            bot_names=spec.bots,
        )
        return RecordWriter.create(self._folder, opened, spec.secret)

    async def start(self) -> None:
        """Listens, and makes everybody's token."""
        self.address = await self.server.start()
        for name in (*self.spec.bots, *self.course.others):
            token = Secret.fresh()
            self.server.expect(name, token)
            self.tokens[name] = token.reveal()

    async def play(self) -> Path:
        """Waits for the bots, plays the whole match, says goodbye, and returns the record."""
        await self._seated()
        writer = self._record()
        players = self.spec.players
        party = Party(
            self.server,
            match_id=writer.path.stem,
            players=players,
            recorder=writer,
            lasting=players,
        )
        schedule = Schedule(self.spec)
        legs = schedule.legs(schedule.first_round())
        tables = chain.from_iterable(schedule.tables(leg) for leg in legs)
        await LegPlay(
            tables,
            at_once=self.course.at_once,
            room=OpenRoom(),
            is_lagging=lambda: party.is_lagging,
            open_table=party.open_table,
            on_result=self._ended,
        ).play()
        for name in players:
            await self.server.dismiss(name, GoodbyeReason.DONE, "the match is over")
        party.close()
        writer.close()
        if not self.course.keep:
            for path in self._folder.glob(f"{writer.path.stem}.*"):
                path.unlink()
        return writer.path

    async def open(self, tables: int) -> None:
        """Opens the first tables of the match, and leaves them open."""
        await self._seated()
        for spec in islice(self._tables(), tables):
            self._open.append(self.server.open_table(spec))
            if spec.number % 16 == 0:
                await asyncio.sleep(0)

    async def sit(self, bots: tuple[str, ...]) -> None:
        """Keeps others at one table after the other."""
        (spec,) = islice(self._tables(), 1)
        for number in count(1_000_000):
            table = replace(spec, table_id=f"s{number}", number=number, bots=bots)
            await asyncio.shield(self.server.open_table(table))  # it is the arena's to end

    def _tables(self) -> Iterator[TableSpec]:
        schedule = Schedule(self.spec)
        return schedule.tables(next(schedule.legs(schedule.first_round())))

    async def _seated(self) -> None:
        for name in self.spec.bots:
            await self.server.wait_joined(name, 60)

    def _ended(self, result: TableResult) -> None:
        self.most_tables = max(self.most_tables, len(self.server._driver.tables) + 1)
        self.ended += 1
        self.causes.add(result.cause.name)

    async def stop(self) -> None:
        """Says goodbye to everybody and ends."""
        self.server.stop_tables()
        for name in self.tokens:
            await self.server.dismiss(name, GoodbyeReason.DONE, "done")
        await self.server.stop(2)
        self.writer.close()
        if self._log is not None:
            self._log.close()

    def stats(self) -> dict[str, Any]:
        """Returns what this process holds."""
        gc.collect()
        process = psutil.Process()
        counts = self.server._driver.counts
        return {
            "rss": process.memory_info().rss,
            "descriptors": process.num_fds(),
            "processes": len(process.children(recursive=True)),
            "tasks": len(asyncio.all_tasks()),
            "cpu_s": sum(process.cpu_times()[:2]),
            "tables": len(self.server._driver.tables),
            "streams": self.server._turnstile.stream_count,
            "sessions": len(self.server._streams),
            "decisions": counts.decisions,
            "stalls": counts.stalls,
            "crashes": counts.crashes,
            "faults": {kind.name: number for kind, number in counts.faults.items()},
            "ended": self.ended,
            "most_tables": self.most_tables,
            "causes": sorted(self.causes),
        }


async def _serve(course: Course) -> None:
    arena = LoneArena(course)
    await arena.start()
    _say(address=arena.address, tokens=arena.tokens, pid=os.getpid())
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str] = asyncio.Queue()
    loop.add_reader(sys.stdin, lambda: lines.put_nowait(sys.stdin.readline()))
    playing: set[asyncio.Task[None]] = set()
    sitting: list[asyncio.Task[None]] = []
    while line := (await lines.get()).split():
        match line:
            case ["play"]:
                task = asyncio.create_task(_played(arena))
                playing.add(task)
                task.add_done_callback(playing.discard)
            case ["open", tables]:
                await arena.open(int(tables))
                _say(opened=int(tables))
            case ["sit", *bots]:
                sitting.append(asyncio.create_task(arena.sit(tuple(bots))))
                _say(sitting=bots)
            case ["rise"]:
                for task in sitting:
                    task.cancel()
                arena.server.stop_tables()
                await asyncio.sleep(1.5)  # streams that linger have a second
                _say(sitting=[])
            case ["stats"]:
                _say(**arena.stats())
            case _:
                break
    for task in sitting:
        task.cancel()
    await arena.stop()
    loop.remove_reader(sys.stdin)
    _say(**arena.stats())


async def _played(arena: LoneArena) -> None:
    began = time.monotonic()
    record = await arena.play()
    _say(played=arena.ended, seconds=time.monotonic() - began, record=str(record))


def _say(**what: object) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201  # the parent reads it


if __name__ == "__main__":
    asyncio.run(_serve(Course.read(sys.argv[1])))
