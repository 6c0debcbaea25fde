"""A disk that fails under a match: nothing acknowledged is lost, and the match can go on.

At every write of a match's record the disk is full, or fails, at once or after half of the bytes;
or what was written cannot be brought to the disk. The rest is the real thing: server, runner,
record. The bots choose by what they are asked, so that matches can be compared.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from disk_matches import BROKEN, FULL, Disk, Played, begin, go_on, untold
from record_matches import match_spec
from resumed_matches import play_hashes

from euchre_arena.v1 import table_pb2
from euchre_server.record.checking import verify_file
from euchre_server.record.entries import RecordError, TableOpened
from euchre_server.record.reader import read_record
from euchre_server.record.reserve import RESERVE_BYTES, RESERVE_SUFFIX
from euchre_server.record.store import Fsync, RecordWriter, StoreError
from euchre_server.referee.facts import EndCause, TableEnded
from euchre_server.session import RecorderFailed
from euchre_server.session.books import Books
from euchre_server.session.outbox import Outbox

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from euchre_server.session.tables import Table

SPEC = match_spec("two-handed", boards=2, tables=2)
FIRST, LAST = 3, 56
"""The writes of the record after its first entry, up to the seal."""
SYNCS = 40
KINDS = {
    "full": Disk(error=FULL),
    "full after half": Disk(error=FULL, short=True),
    "broken": Disk(error=BROKEN),
    "broken after half": Disk(error=BROKEN, short=True),
}
Hashes = dict[tuple[int, int], bytes]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Hashes:
    """Returns the play hashes of the match on a sound disk."""
    disk = Disk()
    played = asyncio.run(begin(tmp_path_factory.mktemp("unbroken"), SPEC, disk))
    assert disk.writes == LAST
    return play_hashes(played.record)


def void_tables(record: Path) -> set[int]:
    """Returns the tables that ended by the arena's fault, and those of the same boards."""
    boards: dict[int, int] = {}
    void: set[int] = set()
    for entry in read_record(record):
        if isinstance(entry.fact, TableOpened):
            boards[entry.table_number] = entry.fact.board
        elif isinstance(entry.fact, TableEnded) and entry.fact.cause is EndCause.ARENA_FAULT:
            void.add(boards[entry.table_number])
    # Two seatings of two boards: tables 1 and 3, 2 and 4.
    return {number for number in range(1, 5) if 2 - number % 2 in void}


def left_hanging(played: Played) -> set[str]:
    """Returns the tables of which bots have heard, but not that they are over."""
    opened = {m.table_id for m in played.told if isinstance(m, table_pb2.TableOpened)}
    return opened - played.closed.keys()


def left_in(folder: Path) -> set[str]:
    """Returns what kinds of files there are."""
    return {path.suffix for path in folder.iterdir()}


async def check(folder: Path, disk: Disk, unbroken: Hashes, fsync: Fsync = Fsync.NONE) -> None:
    """Plays a match until its disk fails, and goes on with it on a sound one."""
    played = await begin(folder, SPEC, disk, fsync=fsync)
    verdict = str(verify_file(played.record))
    sealed = verdict.startswith("good: sealed")

    assert sealed or played.error is not None
    assert sealed or (verdict.startswith("unsealed, ") and "then" not in verdict)
    assert [] == untold([played], played.record)
    assert set() == left_hanging(played)
    left = left_in(folder)
    assert {".euchre"} == left - {".secret"}
    assert sealed or ".secret" in left  # it may be gone if all that failed came after the seal
    assert played.error is not None or ".secret" not in left

    if not sealed:
        after = await go_on(played.record)
        assert after.error is None
        assert [] == untold([played, after], played.record)
    assert str(verify_file(played.record)).startswith("good: sealed")
    hashes, void = play_hashes(played.record), void_tables(played.record)
    assert disk.error is FULL or not void
    assert {key: kept for key, kept in unbroken.items() if key[0] not in void} == {
        key: kept for key, kept in hashes.items() if key[0] not in void and key[0] <= 4
    }


@pytest.mark.parametrize("at", range(FIRST, LAST + 1, 3))
async def test_a_disk_that_fails_costs_nothing_that_was_told(
    at: int, tmp_path: Path, unbroken: Hashes
) -> None:
    """What was told is in the record, all tables are told to be over, the match goes on."""
    kind = list(KINDS.values())[at // 3 % len(KINDS)]
    disk = Disk(fails_at=at, error=kind.error, short=kind.short)
    await check(tmp_path / "data", disk, unbroken)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", range(FIRST, LAST + 1))
async def test_a_disk_that_fails_anywhere_costs_nothing_that_was_told(
    at: int, kind: str, tmp_path: Path, unbroken: Hashes
) -> None:
    """The same at every write, in every way."""
    disk = Disk(fails_at=at, error=KINDS[kind].error, short=KINDS[kind].short)
    await check(tmp_path / "data", disk, unbroken)


@pytest.mark.parametrize("fsync", [Fsync.ACTION, Fsync.HAND])
@pytest.mark.parametrize("at", range(5, SYNCS, 11))
async def test_what_cannot_be_synced_is_not_told(
    at: int, fsync: Fsync, tmp_path: Path, unbroken: Hashes
) -> None:
    """A sync that fails ends the match; under `action` nothing of it was told."""
    await check(tmp_path / "data", Disk(error=BROKEN, sync_fails_at=at), unbroken, fsync)


@pytest.mark.long
@pytest.mark.parametrize("fsync", [Fsync.ACTION, Fsync.HAND])
@pytest.mark.parametrize("at", range(5, SYNCS))
async def test_no_sync_that_fails_costs_what_was_told(
    at: int, fsync: Fsync, tmp_path: Path, unbroken: Hashes
) -> None:
    """The same at every sync."""
    await check(tmp_path / "data", Disk(error=BROKEN, sync_fails_at=at), unbroken, fsync)


async def test_on_a_full_disk_the_ends_are_recorded(tmp_path: Path) -> None:
    """The room that is kept beside the record takes the ends of all open tables."""
    played = await begin(tmp_path, SPEC, Disk(fails_at=LAST // 2))

    ends = [e.fact for e in read_record(played.record) if isinstance(e.fact, TableEnded)]
    opened = [e for e in read_record(played.record) if isinstance(e.fact, TableOpened)]
    assert len(opened) == len(ends)
    assert EndCause.ARENA_FAULT in {end.cause for end in ends}
    assert table_pb2.END_CAUSE_ARENA_FAULT in played.closed.values()
    assert "no space left on device" in str(played.error)


async def test_a_full_disk_without_the_reserve_is_like_a_broken_one(
    tmp_path: Path, unbroken: Hashes
) -> None:
    """Where even that room cannot be had the bots are told, and the match goes on as it stood."""
    disk = Disk(fails_at=LAST // 2, error=FULL, reserve_helps=False)
    played = await begin(tmp_path, SPEC, disk)

    assert set() == left_hanging(played)
    assert set() == void_tables(played.record)
    after = await go_on(played.record)
    assert after.error is None
    assert unbroken == play_hashes(played.record)


@pytest.mark.parametrize("at", [1, 2])
async def test_a_match_does_not_begin_on_a_full_disk(at: int, tmp_path: Path) -> None:
    """It is refused in a sentence, and leaves nothing behind."""
    with pytest.raises(StoreError, match="no space left on device"):
        await begin(tmp_path, SPEC, Disk(fails_at=at, error=OSError(28, "No space left on device")))

    assert set() == left_in(tmp_path)


async def test_the_reserve_is_there_while_the_match_is_played(tmp_path: Path) -> None:
    """It takes as many bytes of the disk as it says, readable by its owner alone."""
    sizes = []

    class Watched(Disk):
        def write(self, number: int, data: bytes) -> int:
            for reserve in tmp_path.glob(f"*{RESERVE_SUFFIX}"):
                stat = reserve.stat()
                sizes.append((stat.st_size, stat.st_mode & 0o777))
                assert stat.st_blocks * 512 >= RESERVE_BYTES
            return Disk.write(self, number, data)

    await begin(tmp_path, SPEC, Watched())

    assert {(RESERVE_BYTES, 0o600)} == set(sizes)


# --- the checks can fail --------------------------------------------------------------------------


def _tell_what_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the failed write was to record is told all the same."""
    monkeypatch.setattr(Outbox, "drop", lambda *_: False)


def _leave_bots_hanging(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables fail, but no bot is told."""

    def silent(_: Books, table: Table, *__: object) -> list[object]:
        table.result.set_exception(RecorderFailed("silence"))
        return []

    monkeypatch.setattr(Books, "_close", silent)


def _leave_half_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a failed write left behind stays, and the next follows it."""
    monkeypatch.setattr(RecordWriter, "_take_back", lambda _: True)


def _write_on_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables go on as if nothing had happened."""
    monkeypatch.setattr(Books, "fail", lambda *_: None)


@pytest.mark.parametrize(
    "plant",
    [_tell_what_is_not_kept, _leave_bots_hanging, _leave_half_an_entry, _write_on_after_a_fault],
)
async def test_planted_faults_are_noticed(
    plant: Callable[[pytest.MonkeyPatch], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    unbroken: Hashes,
) -> None:
    """A server or record that does not do what is promised is found out."""
    plant(monkeypatch)

    with pytest.raises((AssertionError, RecordError, TimeoutError)):
        async with asyncio.timeout(20):
            await _fail_in_many_ways(tmp_path, unbroken)


async def _fail_in_many_ways(folder: Path, unbroken: Hashes) -> None:
    for at in range(FIRST, LAST, 7):
        for name, kind in KINDS.items():
            disk = Disk(fails_at=at, error=kind.error, short=kind.short)
            await check(folder / f"{at} {name}", disk, unbroken)
