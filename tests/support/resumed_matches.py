"""Whole matches without a network, played by the real runner and recorded by the real writer.

The bots decide as in `resumed_tables`, so that a match that was cut off anywhere can be compared
with one that was not.
"""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import TYPE_CHECKING

from match_arena import FakeArena, FakeObserver
from resumed_tables import Habits, PlayedTable

from euchre_server.hosting.bot_plan import plan_bots
from euchre_server.hosting.outcome import identities_of
from euchre_server.hosting.runner import MatchRunner
from euchre_server.launch.launcher import Launcher
from euchre_server.match.result import match_result, sealed_result
from euchre_server.match.spec import canonical_json
from euchre_server.record.entries import MatchOpened, TableOpened
from euchre_server.record.reader import read_record
from euchre_server.record.resume import resume_record
from euchre_server.record.store import Fsync, RecordWriter
from euchre_server.referee import inputs, opening, result_of
from euchre_server.referee.facts import HandEnded

if TYPE_CHECKING:
    from pathlib import Path

    from euchre_server.match.spec import MatchSpec
    from euchre_server.record.unfinished import Unfinished
    from euchre_server.referee import TableResult, TableState
    from euchre_server.referee.spec import TableSpec

__all__ = ["play_hashes", "play_match", "resume_match"]

VERSION = version("euchre-arena")
WELL = Habits()


async def play_match(folder: Path, spec: MatchSpec, habits: Habits = WELL) -> Path:
    """Returns the sealed record of a match that is played without a break."""
    opened = MatchOpened(
        match_id="m1",
        arena_version=VERSION,
        started_unix_ms=1_790_000_000_000,
        commitment=spec.commitment(),
        specification=spec.specification(),
        public_seed=spec.public_seed,
        bot_names=spec.bots,
    )
    writer = RecordWriter.create(folder, opened, spec.secret, fsync=Fsync.NONE)
    return await _run(writer, spec, None, habits)


async def resume_match(path: Path, habits: Habits = WELL, *, interrupted: bool = False) -> Path:
    """Goes on with an unfinished record until it is sealed; interrupted, it is so at once."""
    writer, begun, _ = resume_record(path, arena_version=VERSION, fsync=Fsync.NONE)
    return await _run(writer, begun.spec, begun, habits, interrupted=interrupted)


def play_hashes(path: Path) -> dict[tuple[int, int], bytes]:
    """Returns the play hash of every hand of a record, by table and hand."""
    return {
        (entry.table_number, entry.fact.hand_number): entry.play_hash
        for entry in read_record(path)
        if isinstance(entry.fact, HandEnded)
    }


async def _run(
    writer: RecordWriter,
    spec: MatchSpec,
    begun: Unfinished | None,
    habits: Habits,
    *,
    interrupted: bool = False,
) -> Path:
    launcher = Launcher(writer.path.parent / "output")
    runner = MatchRunner(
        spec=spec,
        bots=plan_bots([f"{name}=remote" for name in spec.bots]),
        match_id="m1",
        arena=_PlayingArena(writer, habits),
        address="127.0.0.1:1",
        launcher=launcher,
        recorder=writer,
        observer=FakeObserver(),
        begun=begun,
    )
    if interrupted:
        runner.interrupt()
    try:
        await runner.run()
        result = match_result(
            spec,
            runner.tally,
            match_id="m1",
            record=str(writer.path),
            seconds=0.0,
            complete=runner.complete,
            bots=identities_of(runner),
        )
        writer.seal(canonical_json(sealed_result(result)), complete=runner.complete)
    finally:
        writer.close()
    return writer.path


class _PlayingArena(FakeArena):
    """Plays its open tables in turn, one answer of each in every pass of the loop."""

    def __init__(self, writer: RecordWriter, habits: Habits) -> None:
        super().__init__()
        self._writer = writer
        self._habits = habits
        self._playing: list[PlayedTable] = []

    def stop_tables(self) -> None:
        """Ends every open table."""
        for table in self._playing:
            table.feed(inputs.Stopped(table.now))

    def open_table(self, spec: TableSpec) -> asyncio.Future[TableResult]:
        """Begins a table."""
        self._writer.append(spec.number, 0, TableOpened.of(spec))
        return self._play(PlayedTable(opening(spec), self._habits), inputs.Opened(0))

    def resume_table(self, state: TableState, at_ms: int) -> asyncio.Future[TableResult]:
        """Goes on with a table."""
        table = PlayedTable(state, self._habits, now=at_ms)
        return self._play(table, inputs.Resumed(at_ms))

    def _play(self, table: PlayedTable, first: inputs.Input) -> asyncio.Future[TableResult]:
        future: asyncio.Future[TableResult] = asyncio.get_running_loop().create_future()
        table.feed(first)
        table.join()
        self._playing.append(table)
        self._pass(table, future)
        return future

    def _pass(self, table: PlayedTable, future: asyncio.Future[TableResult]) -> None:
        """Records what has happened at a table, and lets the next thing happen."""
        for at, fact in table.facts:
            self._writer.append(table.state.spec.number, at, fact)
        table.facts.clear()
        self._writer.flush()
        result = result_of(table.state)
        if result is not None:
            future.set_result(result)
            return
        table.advance()
        asyncio.get_running_loop().call_soon(self._pass, table, future)
