"""Served matches and their arena's end: killed after any entry, or drained; the next goes on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from resumed_matches import play_hashes
from served import AutoBot, ServedArena, an_order, until

from euchre_server.hosting.players import Players
from euchre_server.record import reader
from euchre_server.record.chain import HEADER_BYTES, OVERHEAD_BYTES
from euchre_server.record.checking import verify_file
from euchre_server.record.entries import MatchResumed
from euchre_server.record.reader import read_record
from euchre_server.record.store import read_secret
from euchre_server.session import GoodbyeReason, MatchRefused, MatchState, Reason


def _records(folder: Path) -> list[Path]:
    return list(folder.glob("*.euchre"))


def _record(folder: Path) -> Path:
    (record,) = _records(folder)
    return record


# Recovery


def _ends(path: Path) -> list[int]:
    """Returns where each entry of a record ends."""
    ends, at = [], HEADER_BYTES
    for entry in read_record(path):
        at += OVERHEAD_BYTES + len(entry.payload)
        ends.append(at)
    return ends


async def _whole(folder: Path, **changes: Any) -> tuple[Path, bytes]:  # noqa: ANN401  # an order's
    """Returns the record of a match that nobody kills, and its secret."""
    async with ServedArena(folder) as arena:
        arena.bot("ann"), arena.bot("bob")
        created = await arena.host.create(an_order(**changes), "me")
        secret = read_secret(folder / f"{created.match.match_id}.euchre")
        await arena.played()
    return _record(folder), secret


@pytest.mark.parametrize(
    ("changes", "every"),
    [
        pytest.param({"boards": 1}, 1, id="boards"),
        pytest.param({"boards": 4, "tables": 3}, 1, id="more boards", marks=pytest.mark.long),
        pytest.param({"boards": None, "games": 1, "rules": "two-handed,target=5"}, 13, id="games"),
        pytest.param(
            {"boards": None, "games": 1, "rules": "two-handed,target=5"},
            1,
            id="games everywhere",
            marks=pytest.mark.long,
        ),
    ],
)
async def test_an_arena_killed_after_any_entry_goes_on_alike(
    tmp_path: Path, changes: dict[str, Any], every: int
) -> None:
    """The next start finishes the match with the same hands, and its record verifies."""
    whole, secret = await _whole(tmp_path / "whole", **changes)
    hashes, data = play_hashes(whole), whole.read_bytes()

    for length in _ends(whole)[:-1:every]:
        folder = tmp_path / str(length)
        folder.mkdir()
        cut = folder / whole.name
        cut.write_bytes(data[:length])
        cut.with_suffix(".secret").write_text(secret.hex())
        async with ServedArena(folder) as arena:
            arena.bot("ann"), arena.bot("bob")
            assert [MatchState.FINISHED] == await arena.played(), length
            again = await arena.host.create(an_order(**changes), "me")
        assert again.repeated
        assert verify_file(cut).is_good, length
        assert hashes == play_hashes(cut)
        assert 1 == sum(isinstance(entry.fact, MatchResumed) for entry in read_record(cut))


async def test_what_is_over_is_known_after_a_restart(tmp_path: Path) -> None:
    """A finished match is listed with its result, and nothing of it is played again."""
    await _whole(tmp_path)
    before = _record(tmp_path).read_bytes()

    async with ServedArena(tmp_path) as arena:
        page = await arena.host.list_matches(page_size=0, page_token="", states=frozenset())
        (listed,) = page.matches
        shown = await arena.host.get(listed.match_id)

    assert MatchState.FINISHED is listed.state
    assert (6, 3) == (shown.progress.tables_ended, shown.progress.boards_released)
    assert 6 == sum(row.tables for row in shown.standings) // 2
    assert before == _record(tmp_path).read_bytes()


async def test_a_kill_right_after_the_seal_leaves_nothing_behind(tmp_path: Path) -> None:
    """The secret's own file goes at the next start: the seal holds it."""
    whole, secret = await _whole(tmp_path)
    left = [whole.with_suffix(suffix) for suffix in (".secret", ".reserve")]
    for path in left:
        path.write_text(secret.hex())

    async with ServedArena(tmp_path) as arena:
        states = [match.state for match in arena.host.matches.values()]

    assert [MatchState.FINISHED] == states
    assert [False, False] == [path.exists() for path in left]
    assert verify_file(whole).is_good


async def test_a_seal_of_any_length_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of a very long match does not fit what is looked at from the end of the file."""
    await _whole(tmp_path)
    monkeypatch.setattr(reader, "_SEARCHED_BYTES", (100,))

    async with ServedArena(tmp_path) as arena:
        (match_id,) = arena.host.matches
        shown = await arena.host.get(match_id)

    assert (MatchState.FINISHED, 2) == (shown.state, len(shown.standings))


async def test_a_damaged_record_rests_and_stops_nobody(tmp_path: Path) -> None:
    """What cannot be gone on with is listed with the reason; other matches are played."""
    whole, secret = await _whole(tmp_path)
    first_end, *_, end = _ends(whole)[:-2]
    damaged = bytearray(whole.read_bytes()[:end])
    damaged[first_end + OVERHEAD_BYTES] ^= 1
    whole.write_bytes(damaged)
    whole.with_suffix(".secret").write_text(secret.hex())

    async with ServedArena(tmp_path) as arena:
        arena.bot("ann"), arena.bot("bob")
        created = await arena.host.create(an_order("r2"), "me")
        assert [MatchState.FINISHED] == await arena.played(created.match.match_id)
        shown = await arena.host.get(whole.stem)

    assert MatchState.RESTING is shown.state
    assert "checksum" in shown.note


async def _half_played(folder: Path) -> str:
    """Leaves a match behind whose bots are not waited for for long; returns its id."""
    async with ServedArena(folder) as arena:
        ann = arena.bot("ann")
        arena.bot("bob")
        created = await arena.host.create(an_order(boards=8, remote_within_ms=200), "me")
        await until(lambda: ann.answers >= 20)
        await arena.host.drain(10)
    return created.match.match_id


async def test_a_match_rests_to_which_none_of_its_bots_comes_back(tmp_path: Path) -> None:
    """What was played is not given up for that: the next start that finds them goes on."""
    whole, _ = await _whole(tmp_path / "whole", boards=8)
    folder = tmp_path / "left"
    match_id = await _half_played(folder)

    async with ServedArena(folder) as arena:
        assert [MatchState.RESTING] == await arena.played()
        shown = await arena.host.get(match_id)

    assert shown.note == (
        "none of its bots came to go on with it; "
        "it is tried again when the arena is started the next time"
    )
    assert 0 < shown.progress.tables_ended < 16
    assert "unsealed" in str(verify_file(_record(folder)))
    async with ServedArena(folder) as arena:
        arena.bot("ann"), arena.bot("bob")
        assert [MatchState.FINISHED] == await arena.played()
    assert play_hashes(whole) == play_hashes(_record(folder))
    assert verify_file(_record(folder)).is_good


async def test_a_deserted_match_can_be_cancelled(tmp_path: Path) -> None:
    """It is sealed with what was played, without a restart."""
    match_id = await _half_played(tmp_path)

    async with ServedArena(tmp_path) as arena:
        assert [MatchState.RESTING] == await arena.played()
        stopped = await arena.host.cancel(match_id)

    assert MatchState.STOPPED is stopped.state
    assert verify_file(_record(tmp_path)).is_good


async def test_a_match_can_be_cancelled_while_it_is_deserted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until its bots have been let go it does not rest yet: it is sealed as soon as it does."""
    match_id = await _half_played(tmp_path)
    leaving, left = asyncio.Event(), asyncio.Event()
    let_go = Players.let_go

    async def slowly(players: Players, reason: GoodbyeReason, text: str, *, last: bool) -> None:
        leaving.set()
        await left.wait()
        await let_go(players, reason, text, last=last)

    monkeypatch.setattr(Players, "let_go", slowly)
    async with ServedArena(tmp_path) as arena:
        await leaving.wait()
        before = await arena.host.get(match_id)
        cancelling = asyncio.create_task(arena.host.cancel(match_id))
        await until(lambda: arena.host.matches[match_id].cancelled)
        left.set()
        stopped = await cancelling

    assert (MatchState.PLAYING, MatchState.STOPPED) == (before.state, stopped.state)
    assert verify_file(_record(tmp_path)).is_good


async def test_a_match_of_which_nothing_was_played_is_over(tmp_path: Path) -> None:
    """There is nothing to go on with where nobody ever came."""
    async with ServedArena(tmp_path) as arena:
        created = await arena.host.create(an_order(remote_within_ms=50), "me")
        assert [MatchState.STOPPED] == await arena.played()
        shown = await arena.host.get(created.match.match_id)

    assert "none of its bots ever came" == shown.note


# Draining


async def test_draining_finishes_hands_and_leaves_the_rest(tmp_path: Path) -> None:
    """Hands in play are played out, no other is begun, and the next start goes on."""
    whole, _ = await _whole(tmp_path / "whole", boards=8)
    folder = tmp_path / "drained"
    async with ServedArena(folder) as arena:
        ann: AutoBot = arena.bot("ann")
        arena.bot("bob")
        created = await arena.host.create(an_order(boards=8), "me")
        await until(lambda: ann.answers >= 5)
        opened = ann.kinds().count("table_opened")
        await arena.host.drain(10)
        with pytest.raises(MatchRefused, match="the arena is stopping") as refused:
            await arena.host.create(an_order("r2"), "me")
        shown = await arena.host.get(created.match.match_id)

    assert (MatchState.RESTING, 0) == (shown.state, shown.progress.tables_open)
    assert Reason.DRAINING is refused.value.reason
    assert opened == ann.kinds().count("table_opened") == ann.kinds().count("table_closed")
    async with ServedArena(folder) as arena:
        arena.bot("ann"), arena.bot("bob")
        assert [MatchState.FINISHED] == await arena.played()
    assert play_hashes(whole) == play_hashes(_record(folder))
    assert verify_file(_record(folder)).is_good


async def test_a_game_drains_between_two_hands(tmp_path: Path) -> None:
    """A game in play rests after its hand, with its scores, and is played on by the next arena."""
    changes: dict[str, Any] = {"boards": None, "games": 2}
    whole, _ = await _whole(tmp_path / "whole", **changes)
    folder = tmp_path / "drained"
    async with ServedArena(folder) as arena:
        ann = arena.bot("ann")
        arena.bot("bob")
        await arena.host.create(an_order(**changes), "me")
        await until(lambda: ann.kinds().count("hand_ended") >= 2)
        await arena.host.drain(10)
        closed = ann.kinds().count("table_closed")

    assert 0 == closed
    async with ServedArena(folder) as arena:
        arena.bot("ann"), arena.bot("bob")
        assert [MatchState.FINISHED] == await arena.played()
    assert play_hashes(whole) == play_hashes(_record(folder))
    assert verify_file(_record(folder)).is_good


async def test_draining_has_a_bound(tmp_path: Path) -> None:
    """A bot that does not answer keeps nobody; its hand is played on by the next arena."""
    whole, _ = await _whole(tmp_path / "whole")
    folder = tmp_path / "drained"
    async with ServedArena(folder) as arena:
        ann = arena.bot("ann")
        arena.bot("bob")
        ann.held = True
        await arena.host.create(an_order(), "me")
        await until(lambda: "decision" in ann.kinds())
        await arena.host.drain(0.05)

    async with ServedArena(folder) as arena:
        arena.bot("ann"), arena.bot("bob")
        assert [MatchState.FINISHED] == await arena.played()
    assert play_hashes(whole) == play_hashes(_record(folder))
