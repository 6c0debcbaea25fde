"""Bot processes: environment, output, exits, and that nothing of them survives (B70, C-22)."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
import unruly_bot

from euchre_server.launch.command import Command, CommandError
from euchre_server.launch.launcher import Launcher
from euchre_server.launch.process import BotProcess, Patience
from euchre_server.launch.tree import exit_status, kill_all, reap_adopted, started, subreaper

SCRIPT = unruly_bot.__file__
TOKEN = "sesame"  # noqa: S105  # opens nothing
QUICK = Patience(leave_s=0.05, terminate_s=1.0, kill_s=5.0)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a subreaper")


@pytest_asyncio.fixture
async def launcher(tmp_path: Path) -> AsyncIterator[Launcher]:
    """Yields a launcher that writes into the test's folder."""
    async with Launcher(tmp_path / "output", patience=QUICK) as launcher:
        yield launcher


def _start(launcher: Launcher, tmp_path: Path, *kinds: str, name: str = "ann") -> BotProcess:
    command = Command((sys.executable, SCRIPT, str(tmp_path / name), *kinds))
    return launcher.start(name, command, server="127.0.0.1:1", token=TOKEN, label="leg1")


async def _ready(tmp_path: Path, name: str = "ann") -> None:
    async with asyncio.timeout(30):
        while not (tmp_path / f"{name}.ready").exists():  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # another process cannot set an event of ours


def _pids(tmp_path: Path, name: str = "ann") -> list[int]:
    return [int(line) for line in (tmp_path / name).read_text().split()]


def _alive(pids: list[int]) -> list[int]:
    alive = []
    for pid in pids:
        try:
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                alive.append(pid)
        except psutil.NoSuchProcess:
            continue
    return alive


@pytest.mark.parametrize(
    "kinds",
    [
        (),
        ("stubborn",),
        ("child",),
        ("setsid",),
        ("daemon",),
        ("child", "setsid", "daemon", "daemon", "stubborn"),
    ],
    ids="-".join,
)
async def test_nothing_that_a_bot_started_survives(
    launcher: Launcher, tmp_path: Path, kinds: tuple[str, ...]
) -> None:
    """Children, children in sessions of their own and daemons all end with the bot."""
    _start(launcher, tmp_path, *kinds)
    await _ready(tmp_path)
    pids = _pids(tmp_path)

    left = await launcher.stop_all()

    assert len(kinds) - ("stubborn" in kinds) + 1 == len(pids)
    assert [] == left
    assert [] == _alive(pids)


async def test_who_is_hurried_is_killed_at_once(tmp_path: Path) -> None:
    """However patient the launcher is, also when it has begun to wait."""
    endless = Patience(leave_s=600, terminate_s=600)
    hurry = asyncio.Event()
    async with Launcher(tmp_path / "output", patience=endless) as launcher:
        process = _start(launcher, tmp_path, "child", "daemon", "stubborn")
        await _ready(tmp_path)
        asyncio.get_running_loop().call_later(0.05, hurry.set)
        async with asyncio.timeout(30):
            left = await launcher.stop_all(hurry)

    assert [] == left
    assert [] == _alive(_pids(tmp_path))
    assert "was ended by SIGKILL" == process.exit_text()


async def test_what_a_dead_bot_left_behind_is_ended_too(launcher: Launcher, tmp_path: Path) -> None:
    """A bot that exits by itself may have left a daemon; it ends with the match."""
    process = _start(launcher, tmp_path, "daemon", "setsid", "child", "exit")
    assert 3 == await process.exited()

    await launcher.stop_all()

    assert 4 == len(_pids(tmp_path))
    assert [] == _alive(_pids(tmp_path))


async def test_the_number_of_a_bot_that_has_ended_is_nobodys(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hours later another program may have it, and a group of its own: no signal goes there."""
    signalled: list[int] = []
    monkeypatch.setattr(os, "killpg", lambda group, _: signalled.append(group))
    process = _start(launcher, tmp_path, "daemon", "setsid", "child", "exit")
    await process.exited()

    await launcher.stop_all()

    assert [] == signalled
    assert [] == _alive(_pids(tmp_path))


async def test_stopping_one_bot_leaves_the_others(launcher: Launcher, tmp_path: Path) -> None:
    """Only the tree of the bot that is stopped ends."""
    ann = _start(launcher, tmp_path, "child", "setsid")
    bob = _start(launcher, tmp_path, "child", "setsid", name="bob")
    await _ready(tmp_path)
    await _ready(tmp_path, "bob")

    await ann.stop(QUICK)

    assert [] == _alive(_pids(tmp_path))
    assert _pids(tmp_path, "bob") == _alive(_pids(tmp_path, "bob"))
    assert bob.running


def _sleepers() -> tuple[subprocess.Popen[bytes], subprocess.Popen[bytes]]:
    same_session = subprocess.Popen(unruly_bot.SLEEP)
    return same_session, subprocess.Popen(unruly_bot.SLEEP, start_new_session=True)


async def test_processes_that_are_not_bots_are_left_alone(tmp_path: Path) -> None:
    """Neither our own children nor sessions from before the launcher are touched."""
    same_session, own_session = _sleepers()
    try:
        async with Launcher(tmp_path / "output", patience=QUICK) as launcher:
            _start(launcher, tmp_path, "daemon")
            await _ready(tmp_path)

        assert [] == _alive(_pids(tmp_path))
        assert [None, None] == [same_session.poll(), own_session.poll()]
    finally:
        for process in (same_session, own_session):
            process.kill()
            process.wait()


async def test_no_zombie_is_left(launcher: Launcher, tmp_path: Path) -> None:
    """Whatever was adopted has been reaped."""
    process = _start(launcher, tmp_path, "daemon", "setsid", "exit")
    await process.exited()

    await launcher.stop_all()

    gone = [pid for pid in _pids(tmp_path) if not psutil.pid_exists(pid)]
    assert _pids(tmp_path) == gone


async def test_the_dead_of_any_bot_are_reaped_and_the_living_left(tmp_path: Path) -> None:
    """Beside other launchers, one that stops takes no process of theirs, but for the dead."""
    with subreaper():
        async with Launcher(tmp_path / "other", patience=QUICK) as other:
            for name in ("ann", "bob"):
                await _start(other, tmp_path, "daemon", "setsid", "exit", name=name).exited()
            daemons = [pid for pid in _pids(tmp_path) if psutil.pid_exists(pid)]
            for pid in daemons:
                psutil.Process(pid).kill()
                _wait_until_dead(pid)

            async with Launcher(tmp_path / "output", patience=QUICK, alone=False):
                pass

            assert [True] * len(daemons) == [not psutil.pid_exists(pid) for pid in daemons]
            assert _pids(tmp_path, "bob")[1:] == _alive(_pids(tmp_path, "bob"))


def test_an_exit_that_is_waited_for_is_not_taken() -> None:
    """Whoever reaps the dead meanwhile, a bot's exit status is its own."""
    argv = [sys.executable, "-Sc", "raise SystemExit(7)"]
    popen = started(lambda: subprocess.Popen(argv, start_new_session=True))
    _wait_until_dead(popen.pid)

    reap_adopted()

    assert 7 == exit_status(popen)


def _wait_until_dead(child: int) -> None:
    """Waits for the end of a child, and leaves its exit status to others."""
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)


def test_what_one_look_misses_is_killed() -> None:
    """A process that loses its parent while the list is made may be in neither's place."""
    missed = started(lambda: subprocess.Popen(unruly_bot.SLEEP))
    try:
        looks = iter([[], [psutil.Process(missed.pid)]])

        left = kill_all(lambda: next(looks, []), within_s=5.0)

        assert ([], []) == (left, list(looks))
    finally:
        missed.kill()
    assert -signal.SIGKILL == exit_status(missed)


async def test_a_bot_is_told_where_to_dial_and_who_it_is(
    launcher: Launcher, tmp_path: Path
) -> None:
    """Three variables are set; the token is not kept with the output."""
    process = _start(launcher, tmp_path, "environment", "exit")
    await process.exited()

    tail = await process.settled_output()

    assert ["SERVER 127.0.0.1:1", "TOKEN [hidden]", "BOT ann"] == tail.splitlines()
    assert TOKEN not in process.output.path.read_text()


async def test_exits_are_told(launcher: Launcher, tmp_path: Path) -> None:
    """A status and a signal each have their words."""
    ann = _start(launcher, tmp_path, "exit")
    bob = _start(launcher, tmp_path, "crash", name="bob")

    await asyncio.gather(ann.exited(), bob.exited())

    assert "exited with status 3" == ann.exit_text()
    assert "was ended by SIGSEGV" == bob.exit_text()


async def test_a_polite_bot_is_not_killed(launcher: Launcher, tmp_path: Path) -> None:
    """SIGTERM comes first, and is enough for a program that does not ignore it."""
    process = _start(launcher, tmp_path)
    await _ready(tmp_path)

    await launcher.stop_all()

    assert "was ended by SIGTERM" == process.exit_text()


async def test_a_flood_is_cut_in_the_middle(launcher: Launcher, tmp_path: Path) -> None:
    """Beginning and end are kept, what was left out is counted, and the bot is not blocked."""
    process = _start(launcher, tmp_path, "hello", "flood", "exit")

    await process.exited()
    tail = await process.settled_output()

    kept = process.output.path.read_text()
    assert kept.startswith("hello\nxxx")
    assert kept.endswith("the end\n")
    assert "bytes left out]" in kept
    assert len(kept) < 640 * 1024
    assert "the end" == tail.splitlines()[-1]


async def test_silence_leaves_no_file(launcher: Launcher, tmp_path: Path) -> None:
    """An empty file tells nobody anything."""
    process = _start(launcher, tmp_path, "exit")
    await process.exited()

    await launcher.stop_all()

    assert not (tmp_path / "output").exists()


async def test_no_two_bots_share_a_file(launcher: Launcher) -> None:
    """The second chair of ann is not the bot ann-2."""
    names = ("ann/2", "ann-2")
    argv = (sys.executable, "-Sc", "import os; print(os.environ['EUCHRE_ARENA_BOT'])")
    bots = [
        launcher.start(name, Command(argv), server="x", token=TOKEN, label="leg1") for name in names
    ]

    assert list(names) == [(await bot.exited(), await bot.settled_output())[1] for bot in bots]
    assert [f"{name}\n" for name in names] == [bot.output.path.read_text() for bot in bots]


async def test_what_cannot_be_executed_is_an_error(launcher: Launcher, tmp_path: Path) -> None:
    """A file that is no program is refused in one sentence, and no handle stays open."""
    script = tmp_path / "bot"
    script.write_bytes(b"\x7fELFnot really")
    script.chmod(0o700)
    handles = len(os.listdir("/proc/self/fd"))  # noqa: PTH208  # as short

    with pytest.raises(CommandError, match=r"cannot run .*bot: Exec format error"):
        launcher.start("ann", Command((str(script),)), server="x", token=TOKEN, label="leg1")

    assert handles == len(os.listdir("/proc/self/fd"))  # noqa: PTH208  # as short
