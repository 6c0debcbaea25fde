"""Owns one bot process from its start to the end of everything that it started.

Must not know the network, tables, or what the bot is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from euchre_server.launch.command import CommandError
from euchre_server.launch.output import OutputLog
from euchre_server.launch.tree import kill_all, tree_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from euchre_server.launch.command import Command

__all__ = ["BotProcess", "Patience"]

_OUTPUT_END_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """States how long a process may take over each step of its end, in seconds."""

    leave_s: float = 2.0  # to exit by itself, having been told that it is no longer needed
    terminate_s: float = 2.0  # to exit after SIGTERM
    kill_s: float = 5.0  # for the kernel to end what was killed


class BotProcess:
    """A started bot, leader of a session of its own."""

    def __init__(self, name: str, popen: subprocess.Popen[bytes], output: OutputLog) -> None:
        """Begins to watch for the exit; use `start`."""
        self.name = name
        self.output = output
        self._popen = popen
        self._loop = asyncio.get_running_loop()
        self._exited: asyncio.Future[int] = self._loop.create_future()
        # A thread, since it works on every platform and hears of the exit whoever holds the pipe.
        self._watcher = threading.Thread(target=self._watch, name=f"watch {name}", daemon=True)
        self._watcher.start()

    @classmethod
    def start(
        cls,
        name: str,
        command: Command,
        *,
        environment: Mapping[str, str],
        output: Path,
        hide: tuple[str, ...] = (),
    ) -> BotProcess:
        """Returns the process of a command.

        Args:
            name: What to call it.
            command: The program and its arguments.
            environment: All of its environment.
            output: Where to keep what it prints.
            hide: Secrets that are not to be kept with it.

        Raises:
            CommandError: The program could not be executed.
        """
        reading, writing = os.pipe()
        try:
            # Never preexec_fn: it is not safe beside gRPC's threads (FACTS).
            popen = subprocess.Popen(  # noqa: S603  # running the operator's command is the purpose
                command.argv,
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=subprocess.STDOUT,
                env=dict(environment),
                close_fds=True,
                start_new_session=True,
            )
        except OSError as error:
            os.close(reading)
            raise CommandError(f"cannot run {command}: {error.strerror}") from None
        finally:
            os.close(writing)
        return cls(name, popen, OutputLog(output, reading, hide=hide))

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
        status = self._exited.result()
        if status >= 0:
            return f"exited with status {status}"
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(-status).name}"
        return f"was ended by signal {-status}"

    async def stop(self, patience: Patience) -> list[int]:
        """Ends the process and its tree: lets it leave, asks it to, then kills.

        Returns the pids that could not be ended, which ought to be none.
        """
        before = await asyncio.to_thread(tree_of, self.pid)
        if not await self._left_within(patience.leave_s):
            self._signal_group(signal.SIGTERM)
            await self._left_within(patience.terminate_s)
        self._signal_group(signal.SIGKILL)
        left = await asyncio.to_thread(
            kill_all,
            lambda: tree_of(self.pid, before),
            reaped_elsewhere=(self.pid,),
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

    async def _left_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.exited()
        return not self.running

    def _signal_group(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def _watch(self) -> None:
        status = self._popen.wait()
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody asks any more
            self._loop.call_soon_threadsafe(self._tell, status)

    def _tell(self, status: int) -> None:
        if not self._exited.done():
            self._exited.set_result(status)
