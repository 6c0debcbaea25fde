"""What may lie in the data folder of an arena: links to nothing, copies, files that are gone."""

import shutil
from pathlib import Path

from served import ServedArena, an_order

from euchre_server.record.checking import verify_file
from euchre_server.session import MatchState


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
