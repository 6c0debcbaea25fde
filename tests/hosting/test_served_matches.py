"""Matches of a host: created once, played side by side, cancelled, taken up by the next arena."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from resumed_matches import play_hashes
from served import AutoBot, ServedArena, an_order, until

from euchre_server.cli.main import main
from euchre_server.hosting.cancelled import is_marked
from euchre_server.hosting.host import HostLimits
from euchre_server.record.checking import verify_file
from euchre_server.referee.spec import ClockSpec
from euchre_server.session import MatchRefused, MatchState, Reason


def _records(folder: Path) -> list[Path]:
    return list(folder.glob("*.euchre"))


def _record(folder: Path) -> Path:
    (record,) = _records(folder)
    return record


async def test_a_created_match_is_played_to_its_seal(tmp_path: Path) -> None:
    """Connected bots play it; its record verifies, and its bots stay for other matches."""
    async with ServedArena(tmp_path) as arena:
        ann, _ = arena.bot("ann"), arena.bot("bob")
        created = await arena.host.create(an_order(), "me")

        assert [MatchState.FINISHED] == await arena.played()
        shown = await arena.host.get(created.match.match_id)

    assert verify_file(_record(tmp_path)).is_good
    assert ("me", 6, 3, 0) == (
        shown.created_by,
        shown.progress.tables_ended,
        shown.progress.boards_released,
        shown.progress.boards_withheld,
    )
    assert {"ann", "bob"} == {row.bot for row in shown.standings}
    assert 1 == ann.kinds().count("match_ended")
    assert "goodbye" not in ann.kinds()


async def test_a_repeated_order_makes_no_second_match(tmp_path: Path) -> None:
    """Also after a restart, and when it is over; another order of the same id is refused."""
    async with ServedArena(tmp_path) as arena:
        first = await arena.host.create(an_order(), "me")
        again = await arena.host.create(an_order(), "me")
    async with ServedArena(tmp_path) as arena:
        arena.bot("ann"), arena.bot("bob")
        later = await arena.host.create(an_order(), "me")
        await arena.played()
        over = await arena.host.create(an_order(), "me")
        with pytest.raises(MatchRefused, match=r"created match .* which is another") as refused:
            await arena.host.create(an_order(seed="other"), "me")

    ids = {each.match.match_id for each in (first, again, later, over)}
    assert 1 == len(ids) == len(_records(tmp_path))
    assert [False, True, True, True] == [e.repeated for e in (first, again, later, over)]
    assert Reason.REQUEST_ID_REUSED is refused.value.reason


async def test_a_caller_who_hangs_up_leaves_a_whole_match(tmp_path: Path) -> None:
    """It is made once, and the repeated call finds it."""
    async with ServedArena(tmp_path) as arena:
        call = asyncio.create_task(arena.host.create(an_order(), "me"))
        await until(lambda: len(_records(tmp_path)) == 1)
        call.cancel()
        again = await arena.host.create(an_order(), "me")

    assert again.repeated
    assert 1 == len(_records(tmp_path))


async def test_a_repeated_order_of_secret_deals_is_the_same(tmp_path: Path) -> None:
    """Without a seed nobody could say the deals again."""
    async with ServedArena(tmp_path) as arena:
        first = await arena.host.create(an_order(seed=None), "me")
        again = await arena.host.create(an_order(seed=None), "you")

    assert first.match.match_id == again.match.match_id
    assert not first.match.public_seed


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"bots": (("ann", "cmd:ls"), ("bob", "remote"))}, "starts no programs of its callers"),
        ({"bots": (("cmd:touch #", "rules"), ("bob", "remote"))}, "'cmd:touch #' is no bot name"),
        ({"bots": (("ann", "ruels"), ("bob", "remote"))}, "there is no house bot 'ruels'"),
        ({"rules": "to-handed"}, "there is no preset 'to-handed'"),
        ({"rules": {"preset": "two-handed", "target": -1}}, "target"),
        ({"bots": (("ann", "remote"),)}, "two-handed"),
        ({"boards": 0}, "boards is 0; it must be 1 to"),
        ({"tables": 2_000}, "tables is 2000; it must be 1 to"),
        ({"request_id": "a b"}, "request_id must be"),
        ({"join_within_ms": 0}, "join_within_ms is 0"),
        ({"clock": ClockSpec(bank_ms=2**62)}, "bank_ms is .*; a day is most"),
    ],
)
async def test_what_cannot_be_played_is_refused(
    tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    """With the sentence of the command line; nothing is recorded."""
    order = replace(an_order(), **changes)

    async with ServedArena(tmp_path) as arena:
        with pytest.raises(MatchRefused, match=sentence) as refused:
            await arena.host.create(order, "me")

    assert Reason.INVALID_MATCH is refused.value.reason
    assert [] == _records(tmp_path)


async def test_matches_side_by_side_keep_records_of_their_own(tmp_path: Path) -> None:
    """One connection of each bot sits in several matches at once; each is played as if alone."""
    async with ServedArena(tmp_path / "alone") as arena:
        arena.bot("ann"), arena.bot("bob")
        await arena.host.create(an_order(), "me")
        await arena.played()
    async with ServedArena(tmp_path / "together") as arena:
        arena.bot("ann"), arena.bot("bob")
        for number in range(5):
            await arena.host.create(an_order(f"r{number}"), "me")
        states = await arena.played()

    alone = play_hashes(_record(tmp_path / "alone"))
    records = _records(tmp_path / "together")
    assert [MatchState.FINISHED] * 5 == states
    assert [alone] * 5 == [play_hashes(record) for record in records]
    assert all(verify_file(record).is_good for record in records)


async def test_matches_wait_for_their_turn(tmp_path: Path) -> None:
    """No more are played at once than the host takes; the others are queued, and not too many."""
    async with ServedArena(tmp_path, HostLimits(playing=1, waiting=1)) as arena:
        ann, bob = arena.bot("ann"), arena.bot("bob")
        ann.held = True
        first = await arena.host.create(an_order("r1"), "me")
        second = await arena.host.create(an_order("r2"), "me")
        await until(lambda: "decision" in ann.kinds())
        with pytest.raises(MatchRefused, match="2 matches are played or wait already") as refused:
            await arena.host.create(an_order("r3"), "me")
        states = [arena.host.matches[e.match.match_id].state for e in (first, second)]
        ann.let_go()

        assert [MatchState.FINISHED] * 2 == await arena.played()

    assert [MatchState.PLAYING, MatchState.QUEUED] == states
    assert Reason.TOO_MANY_MATCHES is refused.value.reason
    assert "goodbye" not in bob.kinds()


async def test_a_bot_that_does_not_come_forfeits(tmp_path: Path) -> None:
    """It is waited for so long and told as absent; another match of the same bot may go well."""
    async with ServedArena(tmp_path) as arena:
        arena.bot("ann")
        first = await arena.host.create(an_order(remote_within_ms=50), "me")
        assert [MatchState.FINISHED] == await arena.played()
        late = await arena.host.get(first.match.match_id)
        bob = arena.bot("bob")
        second = await arena.host.create(an_order("r2"), "me")
        assert [MatchState.FINISHED] == await arena.played(second.match.match_id)
        well = await arena.host.get(second.match.match_id)

    assert "bob did not come and forfeited every table from then on" == late.note
    assert 1 == len(late.troubles)
    assert ("", ()) == (well.note, well.troubles)
    assert bob.answers > 0


async def test_a_cancelled_match_keeps_what_was_played(tmp_path: Path) -> None:
    """Its open tables end without a result; its record is sealed. Cancelling again is no error."""
    async with ServedArena(tmp_path) as arena:
        ann = arena.bot("ann")
        arena.bot("bob")
        ann.held = True
        created = await arena.host.create(an_order(), "me")
        other = await arena.host.create(an_order("r2", boards=1), "me")
        await until(lambda: ann.kinds().count("decision") >= 3)

        await arena.host.cancel(created.match.match_id)
        assert [MatchState.STOPPED] == await arena.played(created.match.match_id)
        ann.let_go()
        assert [MatchState.FINISHED] == await arena.played(other.match.match_id)
        again = await arena.host.cancel(created.match.match_id)

    assert MatchState.STOPPED is again.state
    assert "cancelled; what was played is kept" == again.note
    assert verify_file(tmp_path / f"{created.match.match_id}.euchre").is_good


async def test_a_caller_who_hangs_up_has_cancelled_all_the_same(tmp_path: Path) -> None:
    """Else the match would be played on, and be stopped by the next start."""
    async with ServedArena(tmp_path) as arena:
        created = await arena.host.create(an_order(), "me")
        match = arena.host.matches[created.match.match_id]
        call = asyncio.create_task(arena.host.cancel(match.match_id))
        await until(lambda: is_marked(match.known.path))
        call.cancel()
        states = await arena.played()

    assert call.cancelled()
    assert [MatchState.STOPPED] == states


async def test_a_record_that_fails_ends_its_own_match_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match rests and says why; the other one, of the same bots, is finished."""
    async with ServedArena(tmp_path) as arena:
        ann = arena.bot("ann")
        arena.bot("bob")
        ann.held = True
        failing = await arena.host.create(an_order("r1"), "me")
        other = await arena.host.create(an_order("r2", seed="other"), "me")
        await until(lambda: ann.kinds().count("decision") >= 4)
        writer = arena.host.matches[failing.match.match_id].writer
        assert writer is not None

        def full() -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(writer, "flush", full)
        ann.let_go()
        states = await arena.played(failing.match.match_id, other.match.match_id)
        shown = await arena.host.get(failing.match.match_id)
        monkeypatch.undo()

    assert [MatchState.RESTING, MatchState.FINISHED] == states
    assert "No space left on device" in shown.note
    assert verify_file(tmp_path / f"{other.match.match_id}.euchre").is_good
    async with ServedArena(tmp_path) as arena:
        arena.bot("ann"), arena.bot("bob")
        assert {MatchState.FINISHED} == set(await arena.played())
    assert verify_file(tmp_path / f"{failing.match.match_id}.euchre").is_good


async def test_partners_are_two_sessions_of_one_bot(tmp_path: Path) -> None:
    """The second chair of a connected bot dials with a token of its own, and sees its own cards."""
    async with ServedArena(tmp_path) as arena:
        bots = [arena.bot(name) for name in ("ann", "bob", "ann/2", "bob/2")]
        await arena.host.create(an_order(rules="four-handed", boards=1), "me")
        assert [MatchState.FINISHED] == await arena.played()

    assert verify_file(_record(tmp_path)).is_good
    assert all(bot.answers > 0 for bot in bots)


async def test_a_bot_that_comes_back_plays_on_in_all_of_its_matches(tmp_path: Path) -> None:
    """One new session takes all seats over; other bots notice nothing."""
    async with ServedArena(tmp_path) as arena:
        ann = arena.bot("ann")
        arena.bot("bob")
        for number in range(3):
            await arena.host.create(an_order(f"r{number}", seed=f"s{number}"), "me")
        await until(lambda: ann.answers >= 10)
        ann.lose()
        AutoBot(arena.server, "ann")
        states = await arena.played()

    assert [MatchState.FINISHED] * 3 == states
    assert all(verify_file(record).is_good for record in _records(tmp_path))


async def test_a_bot_shares_its_tables_between_matches(tmp_path: Path) -> None:
    """It never holds more than it said, whoever asks."""
    async with ServedArena(tmp_path) as arena:
        ann = arena.bot("ann", max_tables=3)
        arena.bot("bob")
        ann.held = True
        for number in range(3):
            await arena.host.create(an_order(f"r{number}", seed=f"s{number}"), "me")
        matches = list(arena.host.matches.values())
        await until(lambda: all(match.state is MatchState.PLAYING for match in matches))
        await until(lambda: ann.kinds().count("table_opened") >= 3)
        ann.let_go()
        states = await arena.played()

    opened = closed = most = 0
    for kind in ann.kinds():
        opened += kind == "table_opened"
        closed += kind == "table_closed"
        most = max(most, opened - closed)
    assert 3 == most
    assert [MatchState.FINISHED] * 3 == states


async def test_a_match_that_is_drained_as_it_begins_rests(tmp_path: Path) -> None:
    """It is neither lost nor taken for cancelled."""
    async with ServedArena(tmp_path) as arena:
        await arena.host.create(an_order(), "me")
        await arena.host.drain(5)
        resting = [match.state for match in arena.host.matches.values()]
    async with ServedArena(tmp_path) as arena:
        arena.bot("ann"), arena.bot("bob")
        assert [MatchState.FINISHED] == await arena.played()

    assert [MatchState.RESTING] == resting


async def test_a_served_match_is_not_resumed_by_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what goes on with it."""
    async with ServedArena(tmp_path) as arena:
        await arena.host.create(an_order(), "me")

    with pytest.raises(SystemExit):
        main(("match", "--resume", str(tmp_path)))

    assert f"is a served match; go on with it by: euchre-arena serve --data {tmp_path}" in (
        capsys.readouterr().err
    )
