"""What may lie in the data folder of an arena: links to nothing, copies, files that are gone."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from record_forge import first, forge
from served import ServedArena, an_order, until

from euchre_server.hosting import host
from euchre_server.hosting.cancelled import is_marked
from euchre_server.record.chain import HEADER_BYTES, OVERHEAD_BYTES
from euchre_server.record.checking import verify_file
from euchre_server.record.entries import MatchOpened
from euchre_server.record.store import RecordWriter, StoreError
from euchre_server.session import MatchRefused, MatchSnapshot, MatchState, Reason


async def _resting(folder: Path) -> Path:
    """Returns the record of a match that nobody has played yet."""
    async with ServedArena(folder) as arena:
        created = await arena.host.create(an_order(boards=1), "me")
    return folder / f"{created.match.match_id}.euchre"


def _passed_over(arena: ServedArena) -> list[tuple[str, str]]:
    """Returns what the log tells of files that are taken for no match: names, and why."""
    return [
        (Path(entry["record"]).name, entry["why"])
        for entry in arena.logs.entries
        if entry["event"] == "record passed over"
    ]


async def test_a_link_to_nothing_stops_no_arena(tmp_path: Path) -> None:
    """The log names it; matches are played."""
    record = await _resting(tmp_path)
    (tmp_path / "gone.euchre").symlink_to(tmp_path / "nothing")

    async with ServedArena(tmp_path) as arena:
        arena.bot("ann"), arena.bot("bob")
        states = await arena.played()

    assert [MatchState.FINISHED] == states
    assert verify_file(record).is_good
    ((name, why),) = _passed_over(arena)
    assert ("gone.euchre", True) == (name, why.endswith("no such file or directory"))


async def test_a_record_whose_opening_is_damaged_stops_no_arena(tmp_path: Path) -> None:
    """Nobody knows whose match it was: the log says what is wrong, and no match is listed."""
    record = await _resting(tmp_path)
    damaged = bytearray(record.read_bytes())
    damaged[HEADER_BYTES + OVERHEAD_BYTES] ^= 1
    record.write_bytes(damaged)

    async with ServedArena(tmp_path) as arena:
        listed = list(arena.host.matches)

    assert [] == listed
    ((name, why),) = _passed_over(arena)
    assert (record.name, True) == (name, "its checksum is wrong" in why)
    assert damaged == record.read_bytes()


async def test_a_record_of_another_version_of_the_arena_stops_no_arena(tmp_path: Path) -> None:
    """What match it is of cannot be read here: the log says so, and nothing becomes of it."""
    record = await _resting(tmp_path)

    def newer(opened: MatchOpened) -> MatchOpened:
        return replace(opened, specification=b'{"format":2}')

    forged = forge(record, first(MatchOpened, newer))
    record.unlink()

    async with ServedArena(tmp_path) as arena:
        listed = list(arena.host.matches)

    assert [] == listed
    assert [(forged.name, "the specification is none of format 1")] == _passed_over(arena)


async def test_a_copy_of_a_record_does_not_take_its_place(tmp_path: Path) -> None:
    """The file with the name of the match is gone on with, whatever the others are called."""
    record = await _resting(tmp_path)
    for name in ("0", "z"):
        shutil.copy(record, tmp_path / f"{name}.euchre")

    async with ServedArena(tmp_path) as arena:
        arena.bot("ann"), arena.bot("bob")
        states = await arena.played()

    assert [MatchState.FINISHED] == states
    assert verify_file(record).is_good
    assert {"0.euchre", "z.euchre"} == {name for name, _ in _passed_over(arena)}


# What cannot be gone on with


async def _part_played(folder: Path) -> Path:
    """Returns the record of a match of which two of six tables have ended."""
    async with ServedArena(folder) as arena:
        bots = [arena.bot("ann"), arena.bot("bob")]
        created = await arena.host.create(an_order(tables=1), "me")
        (match,) = arena.host.matches.values()
        await until(lambda: match.tally.ended_count == 2)
        for bot in bots:
            bot.held = True
    return folder / f"{created.match.match_id}.euchre"


async def _shown(arena: ServedArena) -> MatchSnapshot:
    """Returns how the only match stands."""
    (match_id,) = arena.host.matches
    return await arena.host.get(match_id)


def _damage(record: Path) -> None:
    data = bytearray(record.read_bytes())
    data[-10] ^= 1
    record.write_bytes(data)


def _lose_the_secret(record: Path) -> None:
    record.with_suffix(".secret").unlink()


BREAKS = pytest.mark.parametrize("break_it", [_damage, _lose_the_secret])


@BREAKS
async def test_what_cannot_be_gone_on_with_says_so_and_what_was_played(
    tmp_path: Path, break_it: Callable[[Path], None]
) -> None:
    """It does not promise to go on by itself, and its readable tables are counted."""
    record = await _part_played(tmp_path)
    break_it(record)

    async with ServedArena(tmp_path) as arena:
        shown = await _shown(arena)

    assert (MatchState.RESTING, 2) == (shown.state, shown.progress.tables_ended)
    assert "it goes on when its files are restored from a copy" in shown.note
    assert "tried again" not in shown.note


@BREAKS
async def test_what_cannot_be_gone_on_with_can_be_given_up(
    tmp_path: Path, break_it: Callable[[Path], None]
) -> None:
    """Cancelled it is over, here and after a restart; its record stays as it was."""
    record = await _part_played(tmp_path)
    break_it(record)
    before = record.read_bytes()

    shown = []
    async with ServedArena(tmp_path) as arena:
        shown.append(await arena.host.cancel(record.stem))
    async with ServedArena(tmp_path) as arena:
        shown.append(await _shown(arena))

    for seen in shown:
        assert (MatchState.STOPPED, 2) == (seen.state, seen.progress.tables_ended)
        assert seen.note.startswith("cancelled; its record cannot be sealed: ")
    assert before == record.read_bytes()


async def test_a_record_removed_in_play_is_told_as_a_failure(tmp_path: Path) -> None:
    """The match is not finished, a warning says why, and its secret is kept."""
    async with ServedArena(tmp_path) as arena:
        ann = arena.bot("ann")
        arena.bot("bob")
        ann.held = True
        created = await arena.host.create(an_order(boards=1), "me")
        record = tmp_path / f"{created.match.match_id}.euchre"
        await until(lambda: "decision" in ann.kinds())
        record.unlink()
        ann.let_go()
        states = await arena.played()
        shown = await _shown(arena)
        given_up = await arena.host.cancel(record.stem)

    assert [MatchState.RESTING] == states
    assert "it was removed or replaced" in shown.note
    assert "warning" in [
        entry["log_level"] for entry in arena.logs.entries if entry.get("note") == shown.note
    ]
    assert record.with_suffix(".secret").exists()
    assert MatchState.STOPPED is given_up.state


# Cancelling on a disk that fails


def _no_room(*_: object, **__: object) -> None:
    raise StoreError("no space left on device")


async def _at_rest_on_a_full_disk(arena: ServedArena, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the record of a match that has come to rest while it was played."""
    ann = arena.bot("ann")
    arena.bot("bob")
    ann.held = True
    created = await arena.host.create(an_order(), "me")
    await until(lambda: "decision" in ann.kinds())
    (match,) = arena.host.matches.values()
    monkeypatch.setattr(match.writer, "flush", _no_room)
    monkeypatch.setattr(RecordWriter, "keep_reserve", _no_room)
    ann.let_go()
    assert [MatchState.RESTING] == await arena.played()
    return arena.data / f"{created.match.match_id}.euchre"


async def test_a_match_cancelled_at_rest_is_sealed_at_once_where_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk was full, and is no more."""
    async with ServedArena(tmp_path) as arena:
        record = await _at_rest_on_a_full_disk(arena, monkeypatch)
        monkeypatch.undo()
        shown = await arena.host.cancel(record.stem)

    assert MatchState.STOPPED is shown.state
    assert verify_file(record).is_good
    assert not is_marked(record)


async def test_a_match_cancelled_on_a_full_disk_is_sealed_by_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so, and is not played on."""
    async with ServedArena(tmp_path) as arena:
        record = await _at_rest_on_a_full_disk(arena, monkeypatch)
        cancelled_now = await arena.host.cancel(record.stem)
    monkeypatch.undo()
    async with ServedArena(tmp_path) as arena:
        ann, _ = arena.bot("ann"), arena.bot("bob")
        states = await arena.played()

    assert MatchState.RESTING is cancelled_now.state
    assert cancelled_now.note.startswith("cancelled; it is sealed when the arena is started")
    assert [MatchState.STOPPED] == states
    assert "hand_ended" not in ann.kinds()
    assert verify_file(record).is_good


async def test_a_cancel_that_cannot_be_kept_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason; the match rests as before, and the next start goes on with it."""
    async with ServedArena(tmp_path) as arena:
        record = await _at_rest_on_a_full_disk(arena, monkeypatch)
        monkeypatch.setattr(host, "mark", _no_room)
        with pytest.raises(MatchRefused, match="cannot be cancelled now: no space left") as refused:
            await arena.host.cancel(record.stem)
    monkeypatch.undo()
    async with ServedArena(tmp_path) as arena:
        arena.bot("ann"), arena.bot("bob")
        states = await arena.played()

    assert Reason.NOT_RECORDED is refused.value.reason
    assert [MatchState.FINISHED] == states
