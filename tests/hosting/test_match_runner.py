"""The course of a match over an arena without a network: legs, failures, voids, interrupts."""

import asyncio
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from match_arena import FakeArena, FakeObserver, FakeRecorder, a_launcher, a_session, drawn
from match_results import a_match, a_result

from euchre_engine.games import Game
from euchre_server.hosting.bot_plan import BotPlan, plan_bots
from euchre_server.hosting.outcome import identities_of
from euchre_server.hosting.runner import MatchRunner
from euchre_server.launch.process import Patience
from euchre_server.match.spec import MatchSpec
from euchre_server.record.entries import BotSeated
from euchre_server.referee.facts import Blame, EndCause
from euchre_server.referee.result import TableResult
from euchre_server.referee.spec import TableSpec
from euchre_server.session import GoodbyeReason, RecorderFailed

SLEEPER = f"cmd:{shutil.which('sleep')} 600"


def _children() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))


def _soon(doing: Callable[[], None], *, in_s: float = 0) -> None:
    asyncio.get_running_loop().call_later(in_s, doing)


class _Match:
    """A match to be run, with everything that it needs."""

    def __init__(
        self,
        tmp_path: Path,
        arena: FakeArena,
        *,
        sources: Sequence[str] = (SLEEPER, SLEEPER),
        spec: MatchSpec | None = None,
        remote_within_s: float = 600,
    ) -> None:
        self.spec = spec or a_match("two-handed", ("ann", "bob"), boards=3)
        self.arena = arena
        self.observer = FakeObserver()
        self.recorder = FakeRecorder()
        self.launcher = a_launcher(tmp_path / "output")
        bots: tuple[BotPlan, ...] = plan_bots(
            [f"{name}={source}" for name, source in zip(self.spec.bots, sources, strict=True)]
        )
        self.runner = MatchRunner(
            spec=self.spec,
            bots=bots,
            match_id="m1",
            arena=arena,
            address="127.0.0.1:1",
            launcher=self.launcher,
            recorder=self.recorder,
            observer=self.observer,
            remote_within_s=remote_within_s,
        )

    async def run(self) -> None:
        """Runs it; nothing that it started is left."""
        before = _children()
        async with self.launcher:
            await self.runner.run()
        assert before == _children()


async def test_every_table_is_played_once_leg_by_leg(tmp_path: Path) -> None:
    """Tables open in the order of the schedule, and every bot is new in each leg."""
    match = _Match(tmp_path, FakeArena())

    await match.run()

    assert list(range(1, 7)) == [table.number for table in match.arena.opened]
    assert [1, 1, 1, 2, 2, 2] == [table.seating for table in match.arena.opened]
    assert match.runner.complete
    assert 3 == match.runner.tally.complete_count
    assert 6 == match.observer.tables
    assert 2 == match.arena.log.count("expect ann")
    assert [("ann", 1), ("bob", 1), ("ann", 2), ("bob", 2)] == [
        (fact.bot_name, fact.leg) for _, fact in match.recorder.facts if isinstance(fact, BotSeated)
    ]


async def test_bots_are_told_the_end_before_they_are_dismissed(tmp_path: Path) -> None:
    """The match's end is announced, then every bot is dismissed and forgotten."""
    match = _Match(tmp_path, FakeArena())

    await match.run()

    assert [
        "announce m1 ['ann', 'bob']",
        "dismiss ann DONE",
        "dismiss bob DONE",
        "forget ann",
        "forget bob",
    ] == match.arena.log[-5:]


@pytest.mark.parametrize(("tables", "bot_holds", "most"), [(4, 99, 4), (4, 2, 2), (1, 99, 1)])
async def test_no_more_tables_are_open_than_agreed(
    tmp_path: Path, tables: int, bot_holds: int, most: int
) -> None:
    """The number of tables at once is the match's, or what the smallest bot holds."""
    spec = replace(a_match("two-handed", ("ann", "bob"), boards=10), tables=tables)
    arena = FakeArena(sessions={"bob": a_session("bob", max_tables=bot_holds)})
    match = _Match(tmp_path, arena, spec=spec)

    await match.run()

    assert most == arena.most_open
    assert 20 == len(arena.opened)


async def test_a_bot_that_exits_at_start_forfeits_everything(tmp_path: Path) -> None:
    """It is told once, with what it printed, and never started again (B75)."""
    source = "cmd:sh -c 'echo out of cards; exit 3'"
    match = _Match(tmp_path, FakeArena(absent={"bob"}), sources=(SLEEPER, source))

    await match.run()

    why = "it exited with status 3 before it dialled in"
    assert [f"bot 'bob' could not be started: {why}"] == match.observer.troubles
    assert ["out of cards"] == match.observer.outputs
    assert 2 == match.arena.log.count(f"died bob: {why}")
    assert 1 == match.arena.log.count("expect bob")
    assert ["bob"] == match.runner.failed_bots
    assert 6 == len(match.arena.opened)
    assert match.runner.complete


async def test_a_bot_that_never_dials_in_is_given_up(tmp_path: Path) -> None:
    """Its time to join is bounded, and its process ends."""
    spec = replace(a_match("two-handed", ("ann", "bob")), join_within_ms=50)
    match = _Match(tmp_path, FakeArena(absent={"bob"}), spec=spec)

    await match.run()

    assert [
        "bot 'bob' could not be started: it did not dial in within 0.05 s"
    ] == match.observer.troubles
    assert match.runner.complete


async def test_a_remote_bot_that_never_comes_was_not_started(tmp_path: Path) -> None:
    """It is told apart from one that the arena could not start."""
    match = _Match(
        tmp_path,
        FakeArena(absent={"bob"}),
        sources=(SLEEPER, "remote"),
        remote_within_s=0.05,
    )

    await match.run()

    assert ["bot 'bob' did not come: it did not dial in within 0.05 s"] == match.observer.troubles


async def test_what_the_arena_knows_of_an_absent_bot_is_told(tmp_path: Path) -> None:
    """A bot that was refused is not said to have never come."""
    spec = replace(a_match("two-handed", ("ann", "bob")), join_within_ms=50)
    absences = {"ann": "the arena refused it: bad", "bob": "it connected, but sent no Hello"}
    arena = FakeArena(absent={"ann", "bob"}, absences=absences)
    match = _Match(tmp_path, arena, spec=spec, sources=("cmd:true", SLEEPER))

    await match.run()

    exited, silent = sorted(match.observer.troubles)
    assert exited == (
        "bot 'ann' could not be started: it exited with status 0 before it was let in: "
        "the arena refused it: bad"
    )
    assert silent == (
        "bot 'bob' could not be started: it was not let in within 0.05 s: "
        "it connected, but sent no Hello"
    )


async def test_a_program_that_cannot_be_executed_is_told(tmp_path: Path) -> None:
    """What the system refuses to run is a bot that could not be started."""
    script = tmp_path / "bot"
    script.write_bytes(b"\x7fELFnot really")
    script.chmod(0o700)
    match = _Match(tmp_path, FakeArena(), sources=(SLEEPER, f"cmd:{script}"))

    await match.run()

    assert 1 == len(match.observer.troubles)
    assert "Exec format error" in match.observer.troubles[0]


async def test_a_bot_that_does_not_play_the_game_is_refused(tmp_path: Path) -> None:
    """A bot says which games it plays; it is not asked to play another."""
    only = a_session("bob", games=frozenset({Game.THREE_HANDED}))
    match = _Match(tmp_path, FakeArena(sessions={"bob": only}))

    await match.run()

    assert ["bob"] == match.runner.failed_bots
    assert "dismiss bob REFUSED" in match.arena.log
    assert ["bot 'bob' could not be started: it does not play two-handed"] == (
        match.observer.troubles
    )


async def test_nothing_is_played_when_no_bot_could_be_started(tmp_path: Path) -> None:
    """A match of nobody ends at once and is not complete."""
    match = _Match(tmp_path, FakeArena(absent={"ann", "bob"}), sources=("cmd:true", "cmd:true"))

    await match.run()

    assert [] == match.arena.opened
    assert not match.runner.complete


async def test_a_crash_is_told_and_the_next_leg_has_a_new_process(tmp_path: Path) -> None:
    """The arena hears at once of a process that ends while its leg is played."""
    arena = FakeArena()
    gone = asyncio.Event()
    source = f"cmd:{sys.executable} -c 'import time; time.sleep(0.3); print(\"oh\"); exit(5)'"
    match = _Match(tmp_path, arena, sources=(SLEEPER, source))
    resting: list[TableSpec] = []

    def play(table: TableSpec) -> TableResult | None:
        if gone.is_set() or table.seating == 2:
            return drawn(table)
        resting.append(table)
        return None

    def died(bot_name: str, text: str) -> None:
        FakeArena.bot_died(arena, bot_name, text)
        gone.set()
        for table in resting:
            arena._end(table)

    arena.play = play
    arena.bot_died = died  # type: ignore[method-assign]  # to end the tables that wait

    await match.run()

    assert "died bob: its process exited with status 5" in arena.log
    assert ["bot 'bob' is gone: its process exited with status 5"] == match.observer.troubles
    assert ["oh"] == match.observer.outputs
    assert "dismiss bob REFUSED" in arena.log
    assert 2 == arena.log.count("expect bob")
    assert [] == match.runner.failed_bots


async def test_void_boards_are_replaced(tmp_path: Path) -> None:
    """A board that the arena spoils is not played on; a reserve board takes its place."""
    spoiled = {2}

    def play(table: TableSpec) -> TableResult:
        if table.number in spoiled:
            zeros = tuple(0 for _ in table.bots)
            return a_result(table, zeros, cause=EndCause.ARENA_FAULT, blame=Blame.ARENA, winners=())
        return drawn(table)

    match = _Match(tmp_path, FakeArena(play=play))

    await match.run()

    assert {1: 2, 2: 1, 3: 2, 4: 2} == Counter(table.board for table in match.arena.opened)
    assert [1, 2, 3, 4] == [leg.number for leg in match.observer.legs]
    assert 3 == match.runner.tally.complete_count
    assert match.runner.complete


async def test_an_interrupt_ends_open_tables_and_keeps_the_rest(tmp_path: Path) -> None:
    """What was played counts, nothing further is opened, every process ends."""
    arena = FakeArena(play=lambda table: drawn(table) if table.number < 3 else None)
    spec = replace(a_match("two-handed", ("ann", "bob")), tables=2)
    match = _Match(tmp_path, arena, spec=spec)

    def interrupt(table: TableSpec) -> None:
        if table.number == 3:
            asyncio.get_running_loop().call_soon(match.runner.interrupt)

    arena.on_open = interrupt

    await match.run()

    assert match.runner.interrupted
    assert not match.runner.complete
    assert 2 == sum(len(board.tables) for board in match.runner.tally.boards())
    assert {table.number for table in arena.opened} - {1, 2} == {
        row.table.table for row in match.runner.tally.excluded()
    }
    assert [1] == [leg.number for leg in match.observer.legs]


async def test_a_deserted_match_stays_so(tmp_path: Path) -> None:
    """A match half played, to which nobody comes, rests: also if it is interrupted after that."""
    spec = replace(a_match("two-handed", ("ann", "bob")), join_within_ms=50)
    arena = FakeArena()
    match = _Match(tmp_path, arena, spec=spec)
    arena.on_open = lambda _: arena.absent.update(spec.bots)  # from the next leg on
    dismiss = arena.dismiss

    async def dismissed(bot_name: str, reason: GoodbyeReason, text: str) -> None:
        if match.runner.deserted:
            match.runner.interrupt()
        await dismiss(bot_name, reason, text)

    arena.dismiss = dismissed  # type: ignore[method-assign]  # to come at the end

    await match.run()

    assert (True, True) == (match.runner.deserted, match.runner.interrupted)
    assert {1} == {table.seating for table in arena.opened}
    assert "announce m1 ['ann', 'bob']" not in arena.log


async def test_a_second_interrupt_kills_bots(tmp_path: Path) -> None:
    """It comes while they are being ended, and nobody's patience matters any more."""
    arena = FakeArena(play=lambda _: None)
    match = _Match(tmp_path, arena)
    match.launcher.patience = Patience(leave_s=600, terminate_s=600)
    arena.on_open = lambda _: _soon(match.runner.interrupt)
    forget = arena.forget

    def forgotten(bot_name: str) -> None:
        forget(bot_name)  # after its goodbye: the next is its process
        _soon(match.runner.interrupt, in_s=0.05)

    arena.forget = forgotten  # type: ignore[method-assign]  # to come in the middle of its end

    async with asyncio.timeout(30):
        await match.run()

    assert match.runner.interrupted
    assert not match.runner.complete


async def test_a_second_interrupt_waits_for_no_goodbye(tmp_path: Path) -> None:
    """A bot that does not hang up is killed, too."""
    arena = FakeArena(play=lambda _: None)
    match = _Match(tmp_path, arena)
    match.launcher.patience = Patience(leave_s=600, terminate_s=600)
    arena.on_open = lambda _: _soon(match.runner.interrupt)

    async def dismissed(bot_name: str, reason: GoodbyeReason, text: str) -> None:
        del bot_name, reason, text
        _soon(match.runner.interrupt)
        await asyncio.Event().wait()

    arena.dismiss = dismissed  # type: ignore[method-assign]  # a goodbye that nobody reads

    async with asyncio.timeout(30):
        await match.run()

    assert {"forget ann", "forget bob"} <= set(arena.log)


async def test_an_interrupt_while_bots_start_is_heard(tmp_path: Path) -> None:
    """Nobody waits for a bot's time to join when the match was stopped."""
    match = _Match(tmp_path, FakeArena(absent={"ann", "bob"}))
    asyncio.get_running_loop().call_later(0.05, match.runner.interrupt)

    async with asyncio.timeout(5):
        await match.run()

    assert [] == match.arena.opened
    assert [] == match.observer.troubles


async def test_a_remote_bot_is_announced_once_and_keeps_its_session(tmp_path: Path) -> None:
    """It dials by itself, and is dismissed only when the match is over."""
    match = _Match(tmp_path, FakeArena(), sources=(SLEEPER, "remote"))

    await match.run()

    assert [("bob", "127.0.0.1:1")] == match.observer.remotes
    assert 1 == match.arena.log.count("expect bob")
    assert 1 == match.arena.log.count("dismiss bob DONE")
    assert [False, False] == [bot.memory_excluded for bot in identities_of(match.runner)]
    assert ["none", "remote"] == [bot.isolation for bot in identities_of(match.runner)]


async def test_a_record_that_fails_ends_the_match(tmp_path: Path) -> None:
    """What cannot be recorded is not played; the failure comes out, the bots end."""
    arena = FakeArena(play=lambda table: RecorderFailed("disk full") if table.number > 1 else None)
    match = _Match(tmp_path, arena)
    before = _children()

    with pytest.raises(RecorderFailed, match="disk full"):
        await match.run()

    assert "dismiss ann DONE" in arena.log
    assert before == _children()


async def test_where_one_bot_cannot_be_let_in_nobody_waits_for_the_others(tmp_path: Path) -> None:
    """What the arena itself fails with comes out, and nothing of the match goes on."""
    match = _Match(tmp_path, FakeArena(absent={"ann"}), sources=("remote", SLEEPER))
    (tmp_path / "output").write_text("no folder for what bots print")
    before = asyncio.all_tasks()

    with pytest.raises(FileExistsError):
        await match.run()

    assert before == asyncio.all_tasks()
