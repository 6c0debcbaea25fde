"""What isolated bots see, reach and leave behind; where bubblewrap does not work, nothing is."""

import errno
import socket
import subprocess
import sys
from pathlib import Path

import doomed_arena
import psutil
import pytest
import unruly_bot
from isolated import QUICK, alive, an_arena, below, needs_bwrap, wait_for_line

from euchre_server.launch.command import Command, CommandError
from euchre_server.launch.limits import ProcessLimits

pytestmark = needs_bwrap

MIB = 1 << 20


def _unruly(folder: Path, *kinds: str) -> Command:
    return Command((sys.executable, unruly_bot.__file__, "/tmp/pids", *kinds), folder)  # noqa: S108  # of the sandbox


async def test_a_bot_has_no_variables_but_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the arena's environment only PATH, LANG and how views travel are passed on."""
    monkeypatch.setenv("ARENA_SECRET", "hush")
    monkeypatch.setenv("EUCHRE_ARENA_VIEW_MODE", "lean")
    monkeypatch.setenv("LANG", "C.UTF-8")

    async with an_arena(tmp_path) as arena:
        label = arena.run.label
        (variables,) = await arena.pried("variables")

    assert isinstance(variables, dict)
    variables.pop("PATH")
    variables.pop("LC_CTYPE", None)  # Python sets it for itself
    assert {
        "LANG": "C.UTF-8",
        "HOME": "/tmp/home",  # noqa: S108  # of the sandbox
        "PWD": str(tmp_path),
        "EUCHRE_ARENA_SERVER": "unix:/run/euchre-arena/arena.sock",
        "EUCHRE_ARENA_TOKEN": "[hidden]",
        "EUCHRE_ARENA_BOT": "ann",
        "EUCHRE_ARENA_VIEW_MODE": "lean",
        "EUCHRE_ARENA_RUN": label,
    } == variables


async def test_no_environment_of_others_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the arena's secrets nor another bot's token are in any process that a bot sees."""
    monkeypatch.setenv("ARENA_SECRET", "hush")

    async with an_arena(tmp_path) as arena:
        arena.pry("stay", name="bob", token="token-of-bob")  # noqa: S106  # opens nothing
        environments, processes = await arena.pried("environments", "processes")

    assert isinstance(environments, list)
    assert isinstance(processes, list)
    assert len(environments) == len(processes) <= 3
    for environment in environments:
        assert "hush" not in environment
        assert "token-of-bob" not in environment
        assert "PYTEST_CURRENT_TEST" not in environment


async def test_the_data_folder_is_not_there(tmp_path: Path) -> None:
    """Though it lies in the bot's working folder, it is empty; nothing else of the run is seen."""
    async with an_arena(tmp_path) as arena:
        found = await arena.pried(
            f"read={tmp_path}/data",
            f"read={tmp_path}/data/match.secret",
            f"read={arena.run.path}",
            "read=/run/euchre-arena",
            "read=/etc/shadow",
            f"read={Path.home()}/.ssh",
        )

    assert [
        [],
        "FileNotFoundError",
        [],
        ["arena.sock"],
        "FileNotFoundError",
        "FileNotFoundError",
    ] == found


async def test_a_linked_data_folder_is_not_there_either(tmp_path: Path) -> None:
    """What is reached by two names is hidden under both."""
    async with an_arena(tmp_path) as arena:
        (tmp_path / "alias").symlink_to("data")
        found = await arena.pried(f"read={tmp_path}/alias")

    assert [[]] == found


async def test_only_its_own_temporary_folders_can_be_written(tmp_path: Path) -> None:
    """Files of the machine, of the bot and of the sandbox itself are read-only."""
    roots = f"/:/usr:/etc:/run:/dev:/tmp:{tmp_path}:{tmp_path}/data:{Path(__file__).parent}"

    async with an_arena(tmp_path) as arena:
        (found,) = await arena.pried(f"written={roots}")

    assert isinstance(found, list)
    # The folders that lead to the bot's own, where that lies in /tmp, are the sandbox's too.
    ways = (*tmp_path.parents, *Path(__file__).parents)
    leading = {str(folder) for folder in ways} - {"/tmp"}  # noqa: S108
    assert {"/dev/shm", "/tmp", "/tmp/home"} == set(found) - leading  # noqa: S108


async def test_there_is_no_network_but_the_arena(tmp_path: Path) -> None:
    """A port of this machine cannot be reached; the arena's socket can."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        async with an_arena(tmp_path) as arena:
            found = await arena.pried(f"network={server.getsockname()[1]}", "arena")

    assert ["ConnectionRefusedError", "connected"] == found


async def test_a_bot_cannot_make_namespaces(tmp_path: Path) -> None:
    """It cannot gain rights in a namespace of its own."""
    async with an_arena(tmp_path) as arena:
        (status,) = await arena.pried("namespace")

    assert 0 != status


async def test_a_bot_is_the_same_person_everywhere(tmp_path: Path) -> None:
    """User, home and machine do not tell where the arena runs; the working folder does not move."""
    async with an_arena(tmp_path) as arena:
        (person,) = await arena.pried("person")

    assert [1000, "/tmp/home", "/tmp/home", "euchre-bot", str(tmp_path)] == person  # noqa: S108


async def test_shared_files_can_be_read(tmp_path: Path) -> None:
    """What the operator shares is there, under its own name."""
    own, elsewhere = tmp_path / "own", tmp_path / "elsewhere"
    own.mkdir()
    elsewhere.mkdir()
    (elsewhere / "model").write_text("weights")

    async with an_arena(own, shared=(elsewhere,)) as arena:
        found = await arena.pried(f"read={elsewhere}/model", f"read={tmp_path}")

    assert ["weights", ["elsewhere", "own"]] == found


@pytest.mark.skipif(
    not Path("/etc/alternatives/awk").exists(), reason="this system has no /etc/alternatives"
)
async def test_programs_behind_links_of_the_system_start(tmp_path: Path) -> None:
    """A command may be one of Debian's links to links, as `java` is."""
    async with an_arena(tmp_path) as arena:
        process = arena.start(Command(("/usr/bin/awk", 'BEGIN { print "here" }'), tmp_path))
        await process.exited()

    assert ["here"] == process.output.tail().splitlines()


async def test_the_disk_is_small(tmp_path: Path) -> None:
    """What fills /tmp or shared memory gets an error, and the machine's disk is not touched."""
    async with an_arena(tmp_path, limits=ProcessLimits(disk=4 * MIB)) as arena:
        found = await arena.pried("fill=/tmp", "fill=/dev/shm")

    assert [[4 * MIB, str(errno.ENOSPC)]] * 2 == found


@pytest.mark.parametrize(
    "kinds",
    [
        (),
        ("stubborn",),
        ("child", "setsid", "daemon", "daemon", "stubborn"),
    ],
    ids="-".join,
)
async def test_nothing_of_an_isolated_bot_survives(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    """Children, sessions and daemons end with the sandbox."""
    async with an_arena(tmp_path) as arena:
        process = arena.start(_unruly(tmp_path, *kinds, "hello"))
        await wait_for_line(process, "hello")
        processes = [psutil.Process(process.pid), *below(process.pid)]

        left = await arena.launcher.stop_all()

    assert len(processes) >= 3 + len(kinds) - ("stubborn" in kinds)
    assert [] == left
    assert [] == alive(processes)


async def test_what_an_isolated_bot_left_ends_when_it_exits(tmp_path: Path) -> None:
    """A daemon does not outlive its bot for a moment."""
    async with an_arena(tmp_path) as arena:
        process = arena.start(_unruly(tmp_path, "daemon", "setsid", "child", "exit"))
        found = below(process.pid)

        assert 3 == await process.exited()
        assert "exited with status 3" == process.exit_text()
        assert [] == alive(found)


async def test_an_isolated_bot_is_asked_to_end(tmp_path: Path) -> None:
    """The signal reaches the bot itself, which may say its last words."""
    async with an_arena(tmp_path) as arena:
        process = arena.start(_unruly(tmp_path, "polite", "hello"))
        await wait_for_line(process, "hello")

        await process.stop(QUICK)

    assert "exited with status 0" == process.exit_text()
    assert ["hello", "bye"] == process.output.tail().splitlines()


async def test_an_isolated_crash_is_told(tmp_path: Path) -> None:
    """The signal that ended a bot has its name, though the sandbox ended by itself."""
    async with an_arena(tmp_path) as arena:
        process = arena.start(_unruly(tmp_path, "crash"))
        await process.exited()

    assert "was ended by SIGSEGV" == process.exit_text()


def test_the_kernel_kills_isolated_bots_with_the_arena(tmp_path: Path) -> None:
    """Nothing survives even an arena that was ended by SIGKILL."""
    arguments = (str(tmp_path), "child", "setsid", "daemon", "stubborn", "hello")
    with subprocess.Popen(
        [sys.executable, doomed_arena.__file__, *arguments], stdout=subprocess.PIPE, text=True
    ) as arena:
        assert arena.stdout is not None
        assert "ready\n" == arena.stdout.readline()
        processes = below(arena.pid)
        arena.kill()
    left = alive(processes)
    for process in left:
        process.kill()

    assert len(processes) >= 6
    assert [] == left


async def test_a_bot_in_the_data_folder_is_refused(tmp_path: Path) -> None:
    """It could not run without seeing what it must not, and the sentence says so."""
    async with an_arena(tmp_path) as arena:
        with pytest.raises(CommandError, match=r"which lies in .*/data: no isolated bot may see"):
            arena.launcher.check("ann", Command((sys.executable,), tmp_path / "data"))
