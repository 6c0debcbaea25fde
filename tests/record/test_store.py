"""Tests of the files of a record that is being written."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from record_matches import STARTED_UNIX_MS, match_spec, play_table

from euchre_server.match.schedule import Schedule
from euchre_server.record.entries import MatchOpened, MatchSealed, TableOpened
from euchre_server.record.reader import is_being_written, read_last, read_record
from euchre_server.record.store import Fsync, RecordWriter, StoreError, read_secret
from euchre_server.referee.facts import HandEnded, TableEnded

if TYPE_CHECKING:
    from pathlib import Path

    from euchre_server.record.entries import RecordFact

SPEC = match_spec(boards=2)


def opening(match_id: str = "m1") -> MatchOpened:
    """Returns the opening of a match."""
    return MatchOpened(
        match_id=match_id,
        arena_version="0.1.0",
        started_unix_ms=STARTED_UNIX_MS,
        commitment=SPEC.commitment(),
        specification=SPEC.specification(),
        public_seed=False,
        bot_names=SPEC.bots,
    )


def create(folder: Path, fsync: Fsync = Fsync.NONE) -> RecordWriter:
    """Returns the writer of a new record."""
    return RecordWriter.create(folder, opening(), SPEC.secret, fsync=fsync)


def table_facts() -> list[tuple[int, RecordFact]]:
    """Returns all facts of a table, the opening included."""
    from random import Random  # noqa: PLC0415

    schedule = Schedule(SPEC)
    table = next(schedule.tables(next(schedule.legs(schedule.first_round()))))
    return [(0, TableOpened.of(table)), *play_table(table, Random(1))[0]]


def count(path: Path) -> int:
    """Returns how many entries a record has."""
    return sum(1 for _ in read_record(path))


def test_new_record_holds_its_opening_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    """Folder, record and secret are the owner's alone, whatever the umask."""
    old = os.umask(0)
    try:
        writer = create(tmp_path / "deep" / "data")
    finally:
        os.umask(old)

    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (writer.path.parent, writer.path, writer.path.with_suffix(".secret"))
    }
    assert {"data": 0o700, "m1.euchre": 0o600, "m1.secret": 0o600} == modes
    assert [opening()] == [entry.fact for entry in read_record(writer.path)]
    writer.close()


def test_appended_entries_are_in_the_file_only_after_a_flush(tmp_path: Path) -> None:
    """Appending only buffers; one flush writes all of it."""
    writer = create(tmp_path)
    facts = table_facts()

    for at_ms, fact in facts:
        writer.append(1, at_ms, fact)
    before = count(writer.path)
    writer.flush()

    assert (1, 1 + len(facts)) == (before, count(writer.path))
    writer.close()


def test_secret_lies_beside_the_record_until_the_seal(tmp_path: Path) -> None:
    """A restarted arena finds the secret; once sealed it stands in the record alone."""
    writer = create(tmp_path)
    beside = read_secret(writer.path)

    writer.seal(b"{}", complete=False, at_ms=5)

    assert SPEC.secret == beside
    assert [writer.path] == list(tmp_path.iterdir())
    last = read_last(writer.path)
    assert last is not None
    assert isinstance(last.fact, MatchSealed)
    assert (SPEC.secret, False, b"{}") == (
        last.fact.secret,
        last.fact.complete,
        last.fact.result,
    )


def test_closing_without_a_seal_keeps_record_and_secret(tmp_path: Path) -> None:
    """A stopped arena loses nothing that was appended."""
    writer = create(tmp_path)
    for at_ms, fact in table_facts():
        writer.append(1, at_ms, fact)

    writer.close()
    writer.close()

    assert 1 + len(table_facts()) == count(writer.path)
    assert SPEC.secret == read_secret(writer.path)


def test_record_is_never_written_over(tmp_path: Path) -> None:
    """A second match of the same id is refused, and the first record stays."""
    create(tmp_path).close()
    before = (tmp_path / "m1.euchre").read_bytes()

    with pytest.raises(StoreError, match="file exists"):
        create(tmp_path)

    assert before == (tmp_path / "m1.euchre").read_bytes()
    assert SPEC.secret == read_secret(tmp_path / "m1.euchre")


@pytest.mark.parametrize("match_id", ["", "../x", "a/b", ".hidden", "a b", "x" * 101, "a\n"])
def test_match_id_must_be_a_file_name(tmp_path: Path, match_id: str) -> None:
    """An id that is no plain file name is refused before any file is made."""
    with pytest.raises(StoreError, match="cannot be a file name"):
        RecordWriter.create(tmp_path, opening(match_id), SPEC.secret)

    assert not list(tmp_path.iterdir())


def test_folder_that_cannot_be_made_gets_one_sentence(tmp_path: Path) -> None:
    """A file where the data folder should be is named, with the reason."""
    (tmp_path / "data").write_text("a file")

    with pytest.raises(StoreError, match=r"^cannot make the data folder .*/data: file exists$"):
        create(tmp_path / "data")


def test_folder_that_cannot_be_written_gets_one_sentence() -> None:
    """A folder in which no file can be made is named, with the reason."""
    from pathlib import Path  # noqa: PLC0415

    with pytest.raises(StoreError, match=r"^cannot make /proc/m1\.secret: "):
        create(Path("/proc"))


def test_full_disk_stops_the_writer_and_loses_nothing_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an interrupted write left is taken back; every later flush says why."""
    writer = create(tmp_path)
    facts = table_facts()
    for at_ms, fact in facts[:5]:
        writer.append(1, at_ms, fact)
    writer.flush()
    real, calls = os.write, 0

    def short_write(descriptor: int, data: bytes) -> int:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(descriptor, data[:33])

    monkeypatch.setattr(os, "write", short_write)
    for at_ms, fact in facts[5:]:
        writer.append(1, at_ms, fact)

    for _ in range(2):
        with pytest.raises(
            StoreError, match=r"^cannot write the record .*: no space left on device$"
        ):
            writer.flush()
    with pytest.raises(StoreError):
        writer.seal(b"{}", complete=True)
    monkeypatch.undo()
    writer.close()

    assert 6 == count(writer.path)
    assert SPEC.secret == read_secret(writer.path)


def test_ended_table_takes_no_more_facts(tmp_path: Path) -> None:
    """A fact after the end of its table is a programming error, not an entry."""
    writer = create(tmp_path)
    facts = table_facts()
    for at_ms, fact in facts:
        writer.append(1, at_ms, fact)

    with pytest.raises(ValueError, match="table 1 has ended"):
        writer.append(1, 0, facts[-1][1])
    writer.close()


class _Disk:
    """Stands in for fsync: counts, waits on request, fails on request."""

    def __init__(self) -> None:
        self.calls = 0
        self.started = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()
        self.error: OSError | None = None

    def fsync(self, _descriptor: int) -> None:
        self.calls += 1
        self.started.set()
        assert self.go_on.wait(10)
        if self.error is not None:
            raise self.error


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> _Disk:
    """Puts a disk that is watched in the place of the real one."""
    watched = _Disk()
    monkeypatch.setattr(os, "fsync", watched.fsync)
    return watched


def test_policy_none_never_syncs_while_playing(tmp_path: Path, disk: _Disk) -> None:
    """Under `none` only the making of the files and the seal touch the disk."""
    writer = create(tmp_path)
    made = disk.calls

    for at_ms, fact in table_facts():
        writer.append(1, at_ms, fact)
        writer.flush()

    assert writer.durable().done()
    assert made == disk.calls
    writer.close()


def test_policy_hand_syncs_when_a_hand_or_table_ended(tmp_path: Path, disk: _Disk) -> None:
    """Under `hand` a flush asks for a sync exactly when it holds the end of a hand or table."""
    writer = create(tmp_path, Fsync.HAND)
    made = disk.calls

    for at_ms, fact in table_facts():
        disk.started.clear()
        writer.append(1, at_ms, fact)
        writer.flush()
        if isinstance(fact, (HandEnded, TableEnded)):
            assert disk.started.wait(10)
    synced = disk.calls - made
    writer.close()

    assert 2 == synced


def test_policy_action_syncs_once_for_all_who_wait(tmp_path: Path, disk: _Disk) -> None:
    """Requests made while the disk is busy share the next sync, off the caller's thread."""
    writer = create(tmp_path, Fsync.ACTION)
    made = disk.calls
    disk.go_on.clear()
    disk.started.clear()
    waiting = [writer.durable()]
    assert disk.started.wait(10)

    waiting += [writer.durable() for _ in range(20)]
    states = [future.done() for future in waiting]
    disk.go_on.set()
    for future in waiting:
        future.result(timeout=10)

    assert [False] * 21 == states
    assert 2 == disk.calls - made
    writer.close()


def test_disk_that_fails_to_sync_stops_the_writer(tmp_path: Path, disk: _Disk) -> None:
    """After a failed sync nothing is called safe any more."""
    writer = create(tmp_path, Fsync.ACTION)
    disk.error = OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(OSError, match="Input/output error"):
        writer.durable().result(timeout=10)
    with pytest.raises(StoreError, match=r"^cannot sync the record .*: input/output error$"):
        writer.flush()
    with pytest.raises(OSError, match="Input/output error"):
        writer.durable().result(timeout=10)
    disk.error = None
    writer.close()


def test_writer_holds_its_record(tmp_path: Path) -> None:
    """Others can tell a match that is being played from one that was cut off."""
    writer = create(tmp_path)
    while_open = is_being_written(writer.path)
    writer.close()

    assert (True, False) == (while_open, is_being_written(writer.path))


def test_kill_loses_nothing_that_was_flushed(tmp_path: Path) -> None:
    """A process killed right after a flush leaves every entry of it."""
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from euchre_server.record.entries import MatchOpened, BotSeated\n"
        "from euchre_server.record.store import RecordWriter\n"
        "opened = MatchOpened(match_id='m1', arena_version='', started_unix_ms=0, commitment=b'',"
        " specification=b'', public_seed=False, bot_names=())\n"
        "writer = RecordWriter.create(Path(sys.argv[1]), opened, bytes(32), fsync='none')\n"
        "seated = BotSeated(bot_name='a', leg=1, bot_version='', client_library='', source='',"
        " isolation='')\n"
        "for number in range(1000):\n"
        "    writer.append(0, number, seated)\n"
        "    if number == 799:\n"
        "        writer.flush()\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )

    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False, timeout=60)

    assert -signal.SIGKILL == done.returncode
    assert 801 == count(tmp_path / "m1.euchre")
    assert not is_being_written(tmp_path / "m1.euchre")
