"""Arenas that serve and are killed, or told to stop: the next start goes on with all matches."""

import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from isolated import needs_bwrap
from resumed_matches import play_hashes
from serving import Serving

from euchre_server.record.checking import verify_file
from euchre_server.record.entries import BotSeated, MatchResumed
from euchre_server.record.reader import read_record
from euchre_server.referee.facts import TableEnded

# Nobody may run out of time on a busy machine: the clock would play, at other moments each time.
ORDER: dict[str, Any] = {
    "rules": "two-handed",
    "bots": [("ann", "remote"), ("bob", "remote")],
    "clock": {"budget_ms": 60_000, "first_ms": 60_000, "bank_ms": 0},
    "join_within_ms": 60_000,
    "boards": 8,
}
BYTES_A_BOARD = 3_000
Hashes = list[dict[tuple[int, int], bytes]]


def _start(folder: Path) -> Serving:
    """Returns an arena with two matches that have been created, and their two bots."""
    arena = Serving(folder, "--redial-after", "100ms")
    arena.start()
    arena.bot("ann", "rules")
    arena.bot("bob", "random")
    for number in range(2):
        arena.create(f"r{number}", **ORDER, seed=f"kill {number}")
    return arena


def _finish(arena: Serving) -> Hashes:
    """Waits for all matches, and returns what was played, each record verified."""
    for record in arena.records():
        end = arena.end_of(record.stem)
        assert "finished" == end["state"], end
    for record in arena.records():
        verdict = verify_file(record)
        assert verdict.is_good, str(verdict)
    assert "Traceback" not in arena.said("arena")
    return [play_hashes(record) for record in arena.records()]


def _kill_often(arena: Serving, chance: random.Random, *, kills: int, size: int) -> int:
    """Kills an arena at random instants until its matches are over; returns how often."""
    for number in range(kills):
        now = sum(path.stat().st_size for path in arena.records())
        arena.wait_until_grown(now + 1 + chance.randrange(2 * size // (kills + 1)))
        if not any(arena.data.glob("*.secret")):
            return number
        arena.kill()
        arena.start()
    return kills


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Hashes:
    """Returns what is played when nobody kills the arena."""
    with _start(tmp_path_factory.mktemp("unbroken")) as arena:
        return _finish(arena)


def test_a_killed_arena_goes_on_with_every_match(tmp_path: Path, unbroken: Hashes) -> None:
    """Its bots come back by themselves, and play what they would have played."""
    seed = time.time_ns()
    with _start(tmp_path) as arena:
        kills = _kill_often(arena, random.Random(seed), kills=2, size=2 * 8 * BYTES_A_BOARD)
        assert unbroken == _finish(arena), f"seed {seed}"
        again = arena.create("r0", **ORDER, seed="kill 0")
        resumptions = [
            sum(isinstance(entry.fact, MatchResumed) for entry in read_record(record))
            for record in arena.records()
        ]

    assert 0 < max(resumptions) <= kills  # a kill may come after the last seal
    assert (True, arena.records()[0].stem) == (again["repeated_request"], again["match_id"])


@pytest.mark.long
def test_fifty_kills_change_nothing(tmp_path: Path, unbroken: Hashes) -> None:
    """Whatever the instants, every match is played as without a kill."""
    seed = time.time_ns()
    chance, kills, runs = random.Random(seed), 0, 0
    while kills < 50:
        runs += 1
        with _start(tmp_path / str(runs)) as arena:
            kills += _kill_often(arena, chance, kills=12, size=2 * 8 * BYTES_A_BOARD)
            assert unbroken == _finish(arena), f"seed {seed}, run {runs}"


def test_a_stopped_arena_goes_on_where_it_stopped(tmp_path: Path, unbroken: Hashes) -> None:
    """SIGTERM: hands in play are finished, bots are told when to come back, and do; exit 0."""
    with _start(tmp_path) as arena:
        arena.wait_until_grown(14_000)
        arena.signal()
        told = [arena.event(), arena.event()]
        status = arena.ended()
        left = [str(verify_file(record)) for record in arena.records()]
        arena.start()
        hashes = _finish(arena)
        ann = arena.said("ann")

    assert [("draining", None), ("stopped", 2)] == [
        (event["event"], event.get("unfinished")) for event in told
    ]
    assert 0 == status
    assert all("unsealed" in verdict for verdict in left)
    assert unbroken == hashes
    assert 1 == ann.count("the arena stops for a while: the arena is stopping")
    assert 1 == ann.count("connected again as ann")


def test_a_second_signal_stops_at_once(tmp_path: Path) -> None:
    """Hands in play are not waited for; the match stays as it was, to be gone on with."""
    with Serving(tmp_path) as arena:
        arena.start()
        arena.create("r1", **ORDER, remote_within_ms=3_600_000)
        arena.signal(signal.SIGINT)
        arena.signal(signal.SIGTERM)
        events = [arena.event()["event"] for _ in range(2)]
        status = arena.ended()
        state = str(verify_file(arena.records()[0]))

    assert ["draining", "stopped"] == events
    assert 0 == status
    assert "unsealed" in state


@needs_bwrap
def test_a_match_goes_on_with_bots_that_are_isolated_as_before(tmp_path: Path) -> None:
    """What its record and its result say of a bot holds from its first table to its last."""
    order = ORDER | {"bots": [("ann", "rules"), ("bob", "random")]}
    with Serving(tmp_path) as arena:
        arena.start()
        arena.create("r", **order)
        arena.wait_until_grown(BYTES_A_BOARD)
        arena.kill()
        (record,) = arena.records()
        begun = sum(isinstance(entry.fact, TableEnded) for entry in read_record(record))
        arena.start("--isolation", "bwrap")
        end = arena.end_of(record.stem)

    facts = [entry.fact for entry in read_record(record)]
    assert begun < 16
    assert {"none"} == {fact.isolation for fact in facts if isinstance(fact, BotSeated)}
    assert verify_file(record).is_good
    assert {"not excluded"} == {row["memory"] for row in end["standings"]}
