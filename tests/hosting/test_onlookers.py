"""What onlookers are told: nothing of a deal that a table anywhere on the arena still uses."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from served import ServedArena, an_order, until

from euchre_server.hosting import hosted
from euchre_server.hosting.host import HostLimits
from euchre_server.match.spec import MatchSpec
from euchre_server.match.standings import Standing, standings
from euchre_server.match.tally import Tally
from euchre_server.session import MatchRefused, MatchState, MatchUpdate, Reason
from euchre_server.session.wire import match_update


async def _watched(arena: ServedArena, match_id: str, **options: Any) -> list[MatchUpdate]:  # noqa: ANN401  # watch's own
    updates = arena.host.watch(match_id, **({"interval_ms": None, "hands": True} | options))
    return [update async for update in updates]


async def test_standings_count_released_boards_only(tmp_path: Path) -> None:
    """In the first leg nothing is told but how many tables have ended."""
    async with ServedArena(tmp_path) as arena:
        ann = arena.bot("ann")
        arena.bot("bob")
        ann.held = True
        created = await arena.host.create(an_order(boards=4, tables=4), "me")
        await until(lambda: ann.kinds().count("decision") > 1)
        ann.let_go()
        await until(lambda: arena.host.matches[created.match.match_id].leg == 2)
        ann.held = True
        between = await arena.host.get(created.match.match_id)
        ann.let_go()
        await arena.played()
        end = await arena.host.get(created.match.match_id)

    assert (4, 0) == (between.progress.tables_ended, between.progress.boards_released)
    assert [0, 0, 0, 0] == [number for r in between.standings for number in (r.hands, r.points)]
    assert (8, 4) == (end.progress.tables_ended, end.progress.boards_released)
    assert [8, 8] == [row.hands for row in end.standings]


async def test_a_match_of_the_same_seed_keeps_all_back(tmp_path: Path) -> None:
    """As long as another match may be dealt the boards, not even a finished one shows them."""
    async with ServedArena(tmp_path) as arena:
        arena.bot("ann"), arena.bot("bob")
        waiting = await arena.host.create(
            an_order("r2", bots=(("eve", "remote"), ("bob", "remote"))), "me"
        )
        created = await arena.host.create(an_order("r1"), "me")
        await arena.played(created.match.match_id)
        before = await _watched(arena, created.match.match_id)
        arena.bot("eve")
        await arena.played(waiting.match.match_id)
        after = await arena.host.get(created.match.match_id)

    (update,) = before
    assert MatchState.FINISHED is update.match.state
    assert (0, 3, (), (), ()) == (
        update.match.progress.boards_released,
        update.match.progress.boards_withheld,
        update.match.standings,
        update.match.comparisons,
        update.hands,
    )
    assert "another match that is not over shares the deals" in update.match.note
    assert (3, 0, 2) == (
        after.progress.boards_released,
        after.progress.boards_withheld,
        len(after.standings),
    )


async def test_a_restart_keeps_back_what_an_unfinished_match_uses(tmp_path: Path) -> None:
    """The next arena knows it before it shows anything."""
    async with ServedArena(tmp_path) as arena:
        arena.bot("ann"), arena.bot("bob")
        await arena.host.create(an_order("r2", bots=(("eve", "remote"), ("bob", "remote"))), "me")
        created = await arena.host.create(an_order("r1"), "me")
        await arena.played(created.match.match_id)

    async with ServedArena(tmp_path) as arena:
        shown = await arena.host.get(created.match.match_id)

    assert ((), 3) == (shown.standings, shown.progress.boards_withheld)


def _cards_shown(hand: dict[str, Any]) -> int:
    """Returns how many cards are shown as they lay after the deal, the up-card among them."""
    return len([card for held in (*hand["dealt"], hand["buried"]) for card in held or ()]) + 1


@pytest.mark.parametrize(
    ("reveal", "seen_by"),
    [("never", "public"), ("after_game", "revealed"), ("after_hand", "revealed")],
)
async def test_released_hands_are_told_as_the_rules_let_them_be(
    tmp_path: Path, reveal: str, seen_by: str
) -> None:
    """All seatings of a board together: with every card, or without those that nobody had seen."""
    async with ServedArena(tmp_path) as arena:
        ann = arena.bot("ann")
        arena.bot("bob")
        ann.held = True
        order = an_order(rules=f"two-handed,reveal={reveal}", boards=3)
        created = await arena.host.create(order, "me")
        watching = asyncio.create_task(_watched(arena, created.match.match_id, interval_ms=200))
        await until(lambda: "decision" in ann.kinds())
        ann.let_go()
        updates = await watching

    hands = [hand for update in updates for hand in update.hands]
    seen = [json.loads(hand.json) for hand in hands]
    assert [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] == sorted(
        (hand.board, hand.seating) for hand in hands
    )
    assert {created.match.match_id} == {hand["match"] for hand in seen}
    assert {seen_by} == {hand["seen_by"] for hand in seen}
    assert {24 if seen_by == "revealed" else 1} == {_cards_shown(hand) for hand in seen}
    assert 0 == sum(update.boards_skipped for update in updates)


async def test_onlookers_share_one_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a long match it takes a while: it is made once for what is released, whoever looks."""
    counted: list[MatchSpec] = []

    def count(spec: MatchSpec, tally: Tally) -> list[Standing]:
        counted.append(spec)
        return standings(spec, tally)

    monkeypatch.setattr(hosted, "standings", count)
    async with ServedArena(tmp_path) as arena:
        created = await arena.host.create(an_order(), "me")
        match_id = created.match.match_id
        shown = await asyncio.gather(*(arena.host.get(match_id) for _ in range(5)))

    assert 1 == len(counted)
    assert {("ann", "bob")} == {tuple(row.bot for row in each.standings) for each in shown}


async def _told_before_release(folder: Path, seed: str) -> list[bytes]:
    """Returns what a watcher is told up to the end of the first leg, of deals from this seed."""
    async with ServedArena(folder) as arena:
        ann = arena.bot("ann")
        arena.bot("bob")
        created = await arena.host.create(an_order(boards=2, seed=seed), "me")
        match = arena.host.matches[created.match.match_id]
        told = []
        for leg in (1, 2):
            await until(lambda leg=leg: match.leg == leg)  # type: ignore[misc]  # bound now
            ann.held = True
            (update,) = [
                await anext(arena.host.watch(match.match_id, interval_ms=None, hands=True))
            ]
            message = match_update(update)
            message.match.ClearField("match_id")
            message.match.ClearField("commitment")
            message.match.ClearField("created_unix_ms")
            message.match.ClearField("progress")
            told.append(message.SerializeToString(deterministic=True))
            ann.let_go()
        await arena.played()
        return told


async def test_other_deals_are_told_alike_until_they_are_released(tmp_path: Path) -> None:
    """Of two matches that differ in their deals alone, watchers are told the same bytes."""
    one, other = [await _told_before_release(tmp_path / seed, seed) for seed in ("one", "another")]

    assert one == other


async def test_watchers_are_told_the_end_and_then_let_go(tmp_path: Path) -> None:
    """The last update says how it ended; nobody is kept by a match that goes on no more."""
    async with ServedArena(tmp_path) as arena:
        arena.bot("ann"), arena.bot("bob")
        created = await arena.host.create(an_order(boards=1), "me")
        updates = await _watched(arena, created.match.match_id)
        again = await _watched(arena, created.match.match_id)
        left = arena.host.matches[created.match.match_id].watcher_count

    assert MatchState.FINISHED is updates[-1].match.state
    assert 1 == len(again)
    assert 0 == left


async def test_watchers_are_told_that_the_arena_stops_before_it_does(tmp_path: Path) -> None:
    """However seldom they want to be told, they hear that the match rests, and have gone then."""
    async with ServedArena(tmp_path) as arena:
        created = await arena.host.create(an_order(boards=1), "me")
        match = arena.host.matches[created.match.match_id]
        watching = asyncio.create_task(_watched(arena, match.match_id, interval_ms=60_000))
        await until(lambda: match.watcher_count == 1)
        await arena.host.stop()
        left = match.watcher_count

        assert (0, MatchState.RESTING) == (left, (await watching)[-1].match.state)


async def test_a_slow_watcher_is_told_of_few_boards_at_once(tmp_path: Path) -> None:
    """What does not fit one update is counted, not kept."""
    async with ServedArena(tmp_path) as arena:
        ann = arena.bot("ann")
        arena.bot("bob")
        ann.held = True
        created = await arena.host.create(an_order(boards=30), "me")
        updates = arena.host.watch(created.match.match_id, interval_ms=200, hands=True)
        first = await anext(updates)
        ann.let_go()
        await arena.played()
        rest = [update async for update in updates]

    boards = [{hand.board for hand in update.hands} for update in rest]
    assert () == first.hands
    assert max(map(len, boards)) <= 8
    assert 30 == sum(map(len, boards)) + sum(update.boards_skipped for update in rest)


async def test_only_so_many_may_watch(tmp_path: Path) -> None:
    """Another is refused with the reason, and let in when one has left."""
    async with ServedArena(tmp_path, HostLimits(watchers=1)) as arena:
        created = await arena.host.create(an_order(), "me")
        match_id = created.match.match_id
        first = arena.host.watch(match_id, interval_ms=None, hands=False)
        await anext(first)
        with pytest.raises(MatchRefused, match="1 callers watch already") as refused:
            arena.host.watch(match_id, interval_ms=None, hands=False)
        await first.aclose()
        await anext(arena.host.watch(match_id, interval_ms=None, hands=False))

    assert Reason.TOO_MANY_WATCHERS is refused.value.reason


async def test_the_log_tells_no_seed_and_no_card(tmp_path: Path) -> None:
    """Neither do troubles and notes."""
    async with ServedArena(tmp_path) as arena:
        arena.bot("ann"), arena.bot("bob")
        await arena.host.create(an_order(seed="sesame"), "me")
        await arena.played()
        logged = repr(arena.logs.entries)
        held = repr(arena.host)

    assert "sesame" not in logged + held
    assert "deck" not in logged
