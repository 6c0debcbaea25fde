"""What the tests of isolation share: whether it works here, and bots started in it."""

import asyncio
import contextlib
import json
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import prying_bot
import psutil
import pytest

from euchre_server.launch.command import Command
from euchre_server.launch.isolation import Confinement, IsolationUnavailableError, find_sandbox
from euchre_server.launch.launcher import Launcher
from euchre_server.launch.limits import ProcessLimits
from euchre_server.launch.process import BotProcess, Patience
from euchre_server.launch.runs import RunFolder
from euchre_server.launch.sandbox import Sandbox

__all__ = [
    "QUICK",
    "WHY_NONE",
    "Arena",
    "alive",
    "an_arena",
    "below",
    "needs_bwrap",
    "wait_for_line",
]

QUICK = Patience(leave_s=0.05, terminate_s=2.0, kill_s=5.0)


def _found() -> tuple[Sandbox | None, str]:
    try:
        return find_sandbox(), ""
    except IsolationUnavailableError as error:
        return None, str(error)


_SANDBOX, WHY_NONE = _found()
needs_bwrap = pytest.mark.skipif(_SANDBOX is None, reason=f"no isolation here: {WHY_NONE}")


class Arena:
    """Bots of a test, their sockets, and a data folder that they must not see."""

    def __init__(self, folder: Path, launcher: Launcher, run: RunFolder) -> None:
        self.folder = folder
        self.launcher = launcher
        self.run = run
        self.listening: list[socket.socket] = []

    def start(self, command: Command, *, name: str = "ann", token: str = "sesame") -> BotProcess:  # noqa: S107  # opens nothing
        """Returns a started bot, with a socket to dial."""
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(self.run.socket_of(name)))
        listening.listen()
        self.listening.append(listening)
        return self.launcher.start(name, command, server="127.0.0.1:1", token=token, label="leg1")

    def pry(self, *kinds: str, name: str = "ann", token: str = "sesame") -> BotProcess:  # noqa: S107  # opens nothing
        """Returns a started bot that pries."""
        argv = (sys.executable, prying_bot.__file__, *kinds)
        return self.start(Command(argv, self.folder), name=name, token=token)

    async def pried(self, *kinds: str) -> list[object]:
        """Returns what a bot found that pried and ended."""
        process = self.pry(*kinds)
        async with asyncio.timeout(30):
            status = await process.exited()
        await process.settled_output()
        kept = process.output.path.read_text()
        assert 0 == status, kept
        return [json.loads(line) for line in kept.splitlines()]


@contextlib.asynccontextmanager
async def an_arena(
    tmp_path: Path,
    *,
    isolated: bool = True,
    limits: ProcessLimits | None = None,
    shared: tuple[Path, ...] = (),
) -> AsyncIterator[Arena]:
    """Yields an arena whose working folder holds its data folder, as it usually does."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "match.secret").write_text("the secret of the deals")
    confinement = Confinement(
        sandbox=_SANDBOX if isolated else None,
        limits=limits or ProcessLimits(),
        hidden=(data,),
        shared=shared,
    )
    with RunFolder(tmp_path) as run:
        launcher = Launcher(tmp_path / "output", patience=QUICK, confinement=confinement, run=run)
        arena = Arena(tmp_path, launcher, run)
        try:
            async with launcher:
                yield arena
        finally:
            for listening in arena.listening:
                listening.close()


def below(pid: int) -> list[psutil.Process]:
    """Returns the processes below one, as this machine sees them."""
    return psutil.Process(pid).children(recursive=True)


def alive(processes: Iterable[psutil.Process], within_s: float = 5.0) -> list[psutil.Process]:
    """Returns which of them have not ended in time; the dead that nobody reaped have ended."""
    deadline = time.monotonic() + within_s
    left = list(processes)
    while left := [process for process in left if not _dead(process)]:
        if time.monotonic() > deadline:
            break
        time.sleep(0.01)  # children of others cannot be waited for
    return left


def _dead(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


async def wait_for_line(process: BotProcess, line: str) -> None:
    """Waits until a bot has printed a line: another process cannot set an event of ours."""
    async with asyncio.timeout(30):
        while line not in process.output.tail().splitlines():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
