"""Owns one bot process from its start to the end of everything that it started.

Must not know the network, tables, or what the bot is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from euchre_server.launch.command import CommandError
from euchre_server.launch.limits import Usage
from euchre_server.launch.output import OutputLog
from euchre_server.launch.tree import descendants_of, exit_status, kill_all, started, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["BotProcess", "Patience"]

_OUTPUT_END_S: Final = 1.0
_SIGNALLED: Final = 128
_OF_LIMITS: Final = {
    signal.SIGXCPU: ", having passed its limit of computing time",
    signal.SIGXFSZ: ", having passed its limit for the size of a file",
}
_FIRST_TO_GO: Final = "500"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """States how long a process may take over each step of its end, in seconds."""

    leave_s: float = 2.0  # to exit by itself, having been told that it is no longer needed
    terminate_s: float = 2.0  # to exit after SIGTERM
    kill_s: float = 5.0  # for the kernel to end what was killed


class BotProcess:
    """A started bot, leader of a session of its own."""

    def __init__(
        self, name: str, popen: subprocess.Popen[bytes], output: OutputLog, *, sandboxed: bool
    ) -> None:
        """Begins to watch for the exit; use `start`."""
        self.name = name
        self.output = output
        self._popen = popen
        self._sandboxed = sandboxed
        self._condemned: str | None = None
        self._identity = psutil.Process(popen.pid)  # before anybody can reap it
        self.used = Usage()
        """The most that it was seen to use."""
        self._loop = asyncio.get_running_loop()
        self._exited: asyncio.Future[int] = self._loop.create_future()
        # A thread, since it works on every platform and hears of the exit whoever holds the pipe.
        self._watcher = threading.Thread(target=self._watch, name=f"watch {name}", daemon=True)
        self._watcher.start()

    @classmethod
    def start(
        cls,
        name: str,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str],
        output: Path,
        folder: Path | None = None,
        hide: tuple[str, ...] = (),
        sandboxed: bool = False,
    ) -> BotProcess:
        """Returns the process of an argument list.

        To be called in a thread that lives as long as the arena: a sandbox ends with it.

        Args:
            name: What to call it.
            argv: The program and its arguments.
            environment: All of its environment.
            output: Where to keep what it prints.
            folder: Where it works; the arena's own folder unless another is given.
            hide: Secrets that are not to be kept with it.
            sandboxed: Whether the program is a sandbox, with the bot in it.

        Raises:
            CommandError: The program could not be executed.
        """
        reading, writing = os.pipe()
        try:
            # Never preexec_fn: it is not safe beside gRPC's threads (FACTS).
            popen = started(
                lambda: subprocess.Popen(  # noqa: S603  # running the operator's command is the purpose
                    argv,
                    stdin=subprocess.DEVNULL,
                    stdout=writing,
                    stderr=subprocess.STDOUT,
                    env=dict(environment),
                    cwd=folder,
                    close_fds=True,
                    start_new_session=True,
                )
            )
        except OSError as error:
            os.close(reading)
            raise CommandError(f"cannot run {shlex.join(argv)}: {error.strerror}") from None
        finally:
            os.close(writing)
        # When the machine's memory runs out the kernel is to take a bot, never the arena.
        with contextlib.suppress(OSError):
            Path(f"/proc/{popen.pid}/oom_score_adj").write_text(_FIRST_TO_GO)
        return cls(name, popen, OutputLog(output, reading, hide=hide), sandboxed=sandboxed)

    @property
    def pid(self) -> int:
        """Returns the process id, which is that of its group and session too."""
        return self._popen.pid

    @property
    def running(self) -> bool:
        """Returns whether the process itself, its children apart, is still there."""
        return not self._exited.done()

    async def exited(self) -> int:
        """Waits for the exit; returns its status, negative for a signal."""
        return await asyncio.shield(self._exited)

    def exit_text(self) -> str:
        """Returns how the process ended, for people."""
        if self.running:
            return "is running"
        if self._condemned is not None:
            return f"was ended by the arena: {self._condemned}"
        status = self._exited.result()
        if self._sandboxed and status > _SIGNALLED:  # as bubblewrap tells of a signal
            status = _SIGNALLED - status
        if status >= 0:
            return f"exited with status {status}"
        with contextlib.suppress(ValueError):
            number = signal.Signals(-status)
            return f"was ended by {number.name}{_OF_LIMITS.get(number, '')}"
        return f"was ended by signal {-status}"

    def tree(self) -> list[psutil.Process]:
        """Returns the process and all below it; nothing once it has ended."""
        found = descendants_of(self.pid)
        # In this order: had its number gone to another program, that one's tree would be found.
        return found if self._identity.is_running() else []

    def condemn(self, why: str, found: Iterable[psutil.Process]) -> None:
        """Kills the process for what it did; may be called in any thread.

        Args:
            why: What it did, for people.
            found: The processes of its tree.
        """
        if self._condemned is None:
            self._condemned = why
        for process in found:  # parents first, or they would start new ones
            with contextlib.suppress(psutil.Error):
                process.kill()

    async def stop(self, patience: Patience, hurry: asyncio.Event | None = None) -> list[int]:
        """Ends the process and its tree: lets it leave, asks it to, then kills.

        Returns the pids that could not be ended, which ought to be none.

        Args:
            patience: How long it may take.
            hurry: When it is set, the patience has come to its end.
        """
        before = await asyncio.to_thread(tree_of, self.pid)
        hurried = asyncio.create_task((hurry or asyncio.Event()).wait())
        try:
            if not await self._left_within(patience.leave_s, hurried):
                await asyncio.to_thread(self._ask_to_end)
                await self._left_within(patience.terminate_s, hurried)
        finally:
            hurried.cancel()
        # Once it has ended its number may be another's; on Linux the tree has all that it left.
        if self.running or sys.platform != "linux":
            self._signal_group(signal.SIGKILL)
        left = await asyncio.to_thread(
            kill_all,
            lambda: tree_of(self.pid, before),
            within_s=patience.kill_s,
        )
        if self.pid not in left:
            await self.exited()
        await self.settled_output()
        return left

    async def settled_output(self) -> str:
        """Returns the last lines printed, once the bot's own are surely all there."""
        await asyncio.to_thread(self.output.finish, _OUTPUT_END_S)
        return self.output.tail()

    async def _left_within(self, seconds: float, hurried: asyncio.Task[object]) -> bool:
        await asyncio.wait(
            (self._exited, hurried), timeout=seconds, return_when=asyncio.FIRST_COMPLETED
        )
        return not self.running

    def _ask_to_end(self) -> None:
        if not self._sandboxed:
            self._signal_group(signal.SIGTERM)
            return
        # Not the sandbox itself, which would take the bot with it at once; its first process within
        # is deaf to this signal.
        for process in self.tree():
            if process.pid != self.pid:
                with contextlib.suppress(psutil.Error):
                    process.terminate()

    def _signal_group(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def _watch(self) -> None:
        status = exit_status(self._popen)
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody asks any more
            self._loop.call_soon_threadsafe(self._tell, status)

    def _tell(self, status: int) -> None:
        if not self._exited.done():
            self._exited.set_result(status)
