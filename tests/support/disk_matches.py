"""Whole matches on a disk that fails: the real server, runner and record, bots in the same loop.

Owns the faults of the disk, and what was told to whom, so that it can be held against what is on
the disk afterwards. The bots decide by what they are asked alone: a match that went on after a
fault is played as one that had none.
"""

from __future__ import annotations

import asyncio
import errno
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from arenas import FakeBot
from session_fakes import FakeClock, answer_to, capturing_logger

from euchre_arena.v1 import table_pb2
from euchre_arena.v1.arena_service_pb2 import Hello
from euchre_server.hosting.bot_plan import plan_bots
from euchre_server.hosting.outcome import result_of_match
from euchre_server.hosting.runner import MatchRunner
from euchre_server.launch.launcher import Launcher
from euchre_server.match.result import sealed_result
from euchre_server.match.spec import canonical_json
from euchre_server.record import store, sync
from euchre_server.record.entries import MatchOpened, TableOpened
from euchre_server.record.reader import read_record
from euchre_server.record.reserve import RESERVE_SUFFIX
from euchre_server.record.resume import resume_record
from euchre_server.record.store import RECORD_SUFFIX, Fsync, RecordWriter, StoreError
from euchre_server.referee.facts import (
    Acted,
    EndCause,
    Faulted,
    FaultKind,
    HandEnded,
    TableEnded,
)
from euchre_server.session import ArenaServer, Party, RecorderFailed
from euchre_server.session.names import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from euchre_server.match.schedule import Leg
    from euchre_server.match.spec import MatchSpec
    from euchre_server.match.tally import Tally
    from euchre_server.record.unfinished import Unfinished

__all__ = ["Disk", "Played", "begin", "go_on", "untold"]

MATCH_ID = "m1"
FULL = OSError(errno.ENOSPC, "No space left on device")
BROKEN = OSError(errno.EIO, "Input/output error")


@dataclass(slots=True)
class Disk:
    """Stands for the module `os` where records are written, and fails when it is told to."""

    fails_at: int | None = None
    """The first write of a record's entries that fails, counted from 1."""
    error: OSError = FULL
    reserve_helps: bool = True
    """Whether a full disk has room again once the reserve beside the record is gone."""
    short: bool = False
    """Whether the failing write takes half of what it is given first."""
    sync_fails_at: int | None = None
    """The first sync that fails."""
    writes: int = 0
    syncs: int = 0
    _paths: dict[int, str] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the module has
        return getattr(os, name)

    def open(self, path: str | Path, flags: int, mode: int = 0o777) -> int:
        """Opens a file."""
        number = os.open(path, flags, mode)
        self._paths[number] = str(path)
        return number

    def write(self, number: int, data: bytes) -> int:
        """Writes what there is room for."""
        path = self._paths.get(number, "")
        if not path.endswith(RECORD_SUFFIX):
            return os.write(number, data)
        self.writes += 1
        if self.fails_at is None or self.writes < self.fails_at or self._has_room(path):
            return os.write(number, data)
        if self.short and self.writes == self.fails_at:
            return os.write(number, data[: len(data) // 2])
        raise self.error

    def fsync(self, number: int) -> None:
        """Brings to the disk what was written."""
        self.syncs += 1
        if self.sync_fails_at is not None and self.syncs >= self.sync_fails_at:
            raise BROKEN
        os.fsync(number)

    def _has_room(self, path: str) -> bool:
        reserve = path.removesuffix(RECORD_SUFFIX) + RESERVE_SUFFIX
        return self.error is FULL and self.reserve_helps and not os.path.exists(reserve)  # noqa: PTH110  # as text


@dataclass(slots=True)
class Played:
    """A match as far as it went."""

    record: Path
    error: Exception | None = None
    told: list[Any] = field(default_factory=list)
    """Every message of every bot about a table."""

    @property
    def closed(self) -> dict[str, int]:
        """Returns how each table was told to have ended."""
        return {m.table_id: m.cause for m in self.told if isinstance(m, table_pb2.TableClosed)}


async def begin(folder: Path, spec: MatchSpec, disk: Disk, *, fsync: Fsync = Fsync.NONE) -> Played:
    """Plays a match to its end, or until the disk fails."""
    opened = MatchOpened(
        match_id=MATCH_ID,
        arena_version="1",
        started_unix_ms=1_790_000_000_000,
        commitment=spec.commitment(),
        specification=spec.specification(),
        public_seed=spec.public_seed,
        bot_names=spec.bots,
    )
    with patch.object(store, "os", disk), patch.object(sync, "os", disk):
        writer = RecordWriter.create(folder, opened, spec.secret, fsync=fsync)
        return await _run(writer, spec, None)


async def go_on(record: Path, disk: Disk | None = None) -> Played:
    """Goes on with a match whose disk has failed."""
    with patch.object(store, "os", disk or os):
        writer, begun, _ = resume_record(record, arena_version="1", fsync=Fsync.NONE)
        return await _run(writer, begun.spec, begun)


async def _run(writer: RecordWriter, spec: MatchSpec, begun: Unfinished | None) -> Played:
    logger, _ = capturing_logger()
    arena = ArenaServer(instance_id="arena", logger=logger, clock=FakeClock())
    arena._driver.start()
    played = Played(writer.path)
    bots = _Bots(arena, writer, played)
    runner = MatchRunner(
        spec=spec,
        bots=plan_bots([f"{name}=remote" for name in spec.bots]),
        match_id=MATCH_ID,
        arena=Party(arena, match_id=MATCH_ID, players=spec.players, recorder=writer),
        address="127.0.0.1:1",
        launcher=Launcher(writer.path.parent / "output"),
        recorder=writer,
        observer=bots,
        begun=begun,
    )
    playing = asyncio.create_task(bots.play())
    try:
        await runner.run()
        result = canonical_json(sealed_result(result_of_match(runner, writer.path)))
        writer.seal(result, complete=runner.complete)
    except (RecorderFailed, StoreError) as error:
        played.error = error
    finally:
        playing.cancel()
    try:
        writer.close()
    except StoreError as error:
        played.error = played.error or error
    bots.read()
    return played


class _Bots:
    """All bots of a match, and the observer that is told where they are to dial."""

    def __init__(self, arena: ArenaServer, writer: RecordWriter, played: Played) -> None:
        self._arena = arena
        self._writer = writer
        self._played = played
        self._bots: list[FakeBot] = []

    async def play(self) -> None:
        """Lets the bots answer whatever they are asked."""
        while True:
            self.read()
            await asyncio.sleep(0)

    def read(self) -> None:
        """Lets every bot read and answer, as the listener would let it."""
        for bot in list(self._bots):
            for journal, table_ids in bot.conversation.take_journals().items():
                kept = journal.recorder.durable()
                try:
                    kept.result()
                except OSError as error:
                    bot.conversation.not_kept(journal, table_ids, error)
            for message in bot.read():
                kind = str(message.WhichOneof("message"))
                body = getattr(message, kind)
                if kind == "goodbye":
                    self._bots.remove(bot)
                    bot.conversation.lost()
                    self._arena.hung_up(bot.conversation)
                elif "table_id" in body.DESCRIPTOR.fields_by_name:
                    self._played.told.append(body)
                if kind == "decision":
                    bot.say(answer_to(body))

    def remote_awaited(self, player: str, address: str, token: str) -> None:
        """Dials in."""
        del address, token
        bot = FakeBot(self._arena.converse(key_of(MATCH_ID, player), lambda: None))
        self._bots.append(bot)
        bot.say(Hello(protocol_version=1, max_open_decisions=3))

    def leg_began(self, leg: Leg) -> None:
        """Takes no notice."""

    def table_ended(self, tally: Tally, board: int) -> None:
        """Takes no notice."""

    def trouble(self, sentence: str, output: str) -> None:
        """Fails: these bots make none."""
        raise AssertionError(sentence + output)


def untold(played: Iterable[Played], record: Path) -> list[str]:
    """Returns what bots were told that the record does not hold."""
    tables: dict[int, str] = {}
    acts: dict[tuple[str, int], int] = {}
    ended: dict[str, EndCause] = {}
    timed_out: set[tuple[str, int]] = set()
    hand: dict[str, int] = {}
    hands: set[tuple[str, int]] = set()
    for entry in read_record(record):
        table = tables.get(entry.table_number, "")
        match entry.fact:
            case TableOpened(table_id=table_id):
                tables[entry.table_number] = table_id
            case Acted():
                key = table, hand.get(table, 0) + 1
                acts[key] = acts.get(key, 0) + 1
            case HandEnded(hand_number=number):
                hand[table] = number
                hands.add((table, number))
            case Faulted(kind=FaultKind.TIMEOUT, decision_id=number):
                timed_out.add((table, number))
            case TableEnded(cause=cause):
                ended[table] = cause
            case _:
                pass
    missing = []
    for message in (message for part in played for message in part.told):
        match message:
            case table_pb2.Decision(table_id=table):
                key = table, message.view.hand_number
                if acts.get(key, 0) < len(message.view.history_seats):
                    missing.append(f"a view of {key}")
            case table_pb2.HandEnded(table_id=table):
                if (table, message.view.hand_number) not in hands:
                    missing.append(f"the end of a hand of {table}")
            case table_pb2.TimedOut(table_id=table, decision_id=number):
                if (table, number) not in timed_out:
                    missing.append(f"a time-out at {table}")
            case table_pb2.TableClosed(table_id=table):
                told = EndCause(message.cause)
                if told is not EndCause.ARENA_FAULT and ended.get(table) is not told:
                    missing.append(f"the end of {table}")
            case table_pb2.TableOpened(table_id=table):
                if table not in tables.values():
                    missing.append(f"the opening of {table}")
            case _:
                pass
    return missing
