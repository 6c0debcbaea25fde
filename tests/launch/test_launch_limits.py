"""Limits of what a bot may use: set, watched, and told when they end a bot."""

import asyncio
import errno
import platform
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from isolated import an_arena, needs_bwrap

from euchre_server.launch.limits import UNLIMITED, ProcessLimits, Usage, excess, in_bytes
from euchre_server.launch.rlimits import limited

pytestmark = pytest.mark.skipif(shutil.which("prlimit") is None, reason="there is no prlimit")

MIB = 1 << 20
LEVELS = pytest.mark.parametrize(
    "isolated", [False, pytest.param(True, marks=needs_bwrap)], ids=["none", "bwrap"]
)


async def _ended(tmp_path: Path, *kinds: str, isolated: bool, limits: ProcessLimits) -> str:
    """Returns how a bot that takes too much was ended."""
    async with an_arena(tmp_path, isolated=isolated, limits=limits) as arena:
        process = arena.pry(*kinds)
        async with asyncio.timeout(30):
            await process.exited()
        return process.exit_text()


@LEVELS
async def test_a_bot_that_eats_memory_is_ended(tmp_path: Path, *, isolated: bool) -> None:
    """The cause names what it held and the limit."""
    text = await _ended(tmp_path, "eat", isolated=isolated, limits=ProcessLimits(memory=120 * MIB))

    assert text.startswith("was ended by the arena: it held ")
    assert text.endswith(" in memory; the limit is memory=120m")


@LEVELS
async def test_a_bot_that_starts_processes_is_ended(tmp_path: Path, *, isolated: bool) -> None:
    """Whether the kernel refuses more or the arena sees too many, there are never many."""
    limits = ProcessLimits(processes=40)

    async with an_arena(tmp_path, isolated=isolated, limits=limits) as arena:
        process = arena.pry("fork")
        async with asyncio.timeout(30):
            await process.exited()
        await arena.launcher.stop_all()

        told = process.exit_text()

    refused = process.output.tail() == '"BlockingIOError"'
    assert refused or told.endswith("processes and threads; the limit is processes=40")


@LEVELS
async def test_a_bot_that_computes_for_ever_is_ended(tmp_path: Path, *, isolated: bool) -> None:
    """The kernel's own limit and the watch say the same."""
    text = await _ended(tmp_path, "burn", isolated=isolated, limits=ProcessLimits(cpu_s=1))

    assert text in {
        "was ended by SIGXCPU, having passed its limit of computing time",
        "was ended by the arena: it computed for 1 s; the limit is cpu=1s",
    }


@LEVELS
async def test_files_do_not_grow_over_their_limit(tmp_path: Path, *, isolated: bool) -> None:
    """Writing on is an error, not the end of the machine's disk."""
    target = "/tmp" if isolated else str(tmp_path)  # noqa: S108  # of the sandbox

    async with an_arena(
        tmp_path, isolated=isolated, limits=ProcessLimits(filesize=3 * MIB)
    ) as arena:
        found = await arena.pried(f"fill={target}")

    assert [[3 * MIB, str(errno.EFBIG)]] == found


@LEVELS
async def test_a_bot_within_its_limits_is_left_alone(tmp_path: Path, *, isolated: bool) -> None:
    """The usual limits do not touch a small program."""
    async with an_arena(tmp_path, isolated=isolated) as arena:
        assert [list] == [type(found) for found in await arena.pried("processes")]


async def test_what_bots_used_is_added_up(tmp_path: Path) -> None:
    """The most memory at once, and the computing of all processes that a bot had in turn."""
    async with an_arena(tmp_path, isolated=False, limits=ProcessLimits(cpu_s=1)) as arena:
        for _ in range(2):
            process = arena.pry("burn", name=f"ann{len(arena.listening)}")
            process.name = "ann"
            async with asyncio.timeout(30):
                await process.exited()
            await arena.launcher.stop_all()

        (used,) = arena.launcher.used.values()

    assert used.cpu_s > 1
    assert used.memory > MIB


def test_each_limit_is_told_by_its_own_sentence() -> None:
    """The first that was passed is named, with both numbers."""
    limits = ProcessLimits(memory=2048, processes=3, cpu_s=60)
    small = Usage(memory=2048, processes=3, cpu_s=60)

    assert None is excess(small, limits)
    assert "it held 2.5k in memory; the limit is memory=2k" == excess(
        Usage(memory=2560, processes=4, cpu_s=0), limits
    )
    assert "it had 4 processes and threads; the limit is processes=3" == excess(
        Usage(memory=0, processes=4, cpu_s=61), limits
    )
    assert "it computed for 61 s; the limit is cpu=60s" == excess(
        Usage(memory=0, processes=0, cpu_s=61), limits
    )


def test_no_limit_is_never_passed() -> None:
    """None means none."""
    assert None is excess(Usage(memory=1 << 50, processes=1 << 30, cpu_s=1e9), UNLIMITED)
    assert ("bot", "--x") == limited(("bot", "--x"), UNLIMITED)


def test_limits_stay_within_what_the_arena_itself_may() -> None:
    """A limit that is higher than the arena's own is that one: it could not be raised."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    argv = limited(("bot",), ProcessLimits(files=hard + 1))

    assert f"--nofile={hard}:{hard}" in argv


def test_processes_are_counted_where_the_kernel_counts_them_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An older kernel would count those of the whole user, so it is not asked to."""
    limits = ProcessLimits(processes=7)
    for release, found in (("6.1.0-18-amd64", True), ("5.14.0", True), ("5.4.0-1-x", False)):
        monkeypatch.setattr(platform, "release", lambda release=release: release)

        assert found == any(option.startswith("--nproc=") for option in limited(("bot",), limits))


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (1023, "1023"), (1536, "1.5k"), (120 * MIB, "120m"), (2 << 30, "2g")],
)
def test_sizes_are_short(number: int, text: str) -> None:
    """The unit is the largest that fits."""
    assert text == in_bytes(number)


def test_the_limits_are_really_set() -> None:
    """What runs in the end finds them."""
    script = "import resource as r; print(r.getrlimit(r.RLIMIT_CORE), r.getrlimit(r.RLIMIT_FSIZE))"
    argv = limited((sys.executable, "-c", script), ProcessLimits(filesize=MIB))

    ended = subprocess.run(argv, capture_output=True, text=True, check=True)

    assert "(0, 0) (1048576, 1048576)\n" == ended.stdout
