"""Owns all bot processes of one arena, and the promise that none survives it.

Must not know tables or results.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING, Final, Self

from euchre_server.launch.isolation import Confinement
from euchre_server.launch.limits import Usage
from euchre_server.launch.process import BotProcess, Patience
from euchre_server.launch.rlimits import limit_process
from euchre_server.launch.runs import LABEL_VARIABLE
from euchre_server.launch.sandbox import SOCKET_ADDRESS, sandbox_environment
from euchre_server.launch.tree import adopted_by_us, kill_all, reap_adopted, subreaper
from euchre_server.launch.watch import Watch

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from euchre_server.launch.command import Command
    from euchre_server.launch.runs import RunFolder

__all__ = ["BOT_VARIABLE", "SERVER_VARIABLE", "TOKEN_VARIABLE", "Launcher"]

SERVER_VARIABLE: Final = "EUCHRE_ARENA_SERVER"
TOKEN_VARIABLE: Final = "EUCHRE_ARENA_TOKEN"  # noqa: S105  # a variable's name
BOT_VARIABLE: Final = "EUCHRE_ARENA_BOT"

_OURS: Final = tuple(f"EUCHRE_ARENA_{part}_" for part in ("TLS", "SERVE", "MATCH"))
"""What variables begin with that say how the arena, or a client beside it, is set up."""


class Launcher:
    """Starts bots and ends them; an async context, at whose end nothing of them is left."""

    def __init__(
        self,
        output_folder: Path,
        *,
        patience: Patience | None = None,
        confinement: Confinement | None = None,
        run: RunFolder | None = None,
        by_socket: bool = False,
        alone: bool = True,
    ) -> None:
        """Makes a launcher.

        Args:
            output_folder: Where the bots' output is kept; made when the first one starts.
            patience: How long bots may take to end.
            confinement: How bots are kept apart; not at all, unless it is given.
            run: The folder with this arena's sockets; isolated bots need one.
            by_socket: Whether bots that are not isolated dial its sockets too.
            alone: Whether all that is started by this process is started here, so that whatever
                has left its bot's session must be this launcher's to end. Otherwise somebody else
                must have made this process the `subreaper`, for as long as any bot runs, and no bot
                may be started without a sandbox that leaves daemons, which could be anybody's:
                house bots leave none.
        """
        self.patience = patience or Patience()
        self.confinement = confinement or Confinement()
        self._folder = output_folder
        self._run = run
        self._by_socket = by_socket
        self._alone = alone
        self._watch = Watch(self.confinement.limits)
        self._processes: list[BotProcess] = []
        self.used: dict[str, Usage] = {}
        """What bots that have ended used: the most memory at once, and all of the computing."""
        self._context = contextlib.ExitStack()
        self._others: tuple[int, ...] = ()

    async def __aenter__(self) -> Self:
        self._others = tuple(process.pid for process in adopted_by_us())
        if self._alone:
            self._context.enter_context(subreaper())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            await self.stop_all()
        finally:
            self._watch.close()
            self._context.close()

    def check(self, name: str, command: Command) -> None:
        """Finds out whether a command could run as bots are kept apart here.

        Raises:
            CommandError: It could not, and why.
        """
        self._argv(name, command)

    def start(
        self, name: str, command: Command, *, server: str, token: str, label: str
    ) -> BotProcess:
        """Returns a started bot, told by its environment where to dial and who it is.

        Args:
            name: The bot's name.
            command: What to start.
            server: The arena's address.
            token: The bot's token.
            label: What its output is called beside its name, such as the leg.

        Raises:
            CommandError: The program could not be executed.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        isolated = self.confinement.sandbox is not None
        environment = {
            **(sandbox_environment(os.environ) if isolated else _inherited()),
            SERVER_VARIABLE: SOCKET_ADDRESS if isolated else self._address(name, server),
            TOKEN_VARIABLE: token,
            BOT_VARIABLE: name,
        }
        if self._run is not None:
            environment[LABEL_VARIABLE] = self._run.label
        process = BotProcess.start(
            name,
            self._argv(name, command),
            environment=environment,
            # No bot's own name has a plus: not to be that of a bot ann-2 if ann has two chairs.
            output=self._folder / f"{name.replace('/', '+')}.{label}.log",
            folder=None if isolated else command.folder,
            hide=(token,),
            sandboxed=isolated,
        )
        if not isolated:
            limit_process(process.pid, self.confinement.limits)
        self._processes.append(process)
        self._watch.add(process)
        return process

    async def stop_all(self, hurry: asyncio.Event | None = None) -> list[int]:
        """Ends every bot, then whatever else they left behind.

        Returns the pids that could not be ended, which ought to be none.

        Args:
            hurry: Once it is set, bots are given no more time: they are killed.
        """
        processes, self._processes = self._processes, []
        await asyncio.gather(*(process.stop(self.patience, hurry) for process in processes))
        left: list[int] = []
        if self._alone:
            left = await asyncio.to_thread(
                kill_all,
                lambda: adopted_by_us(self._others),
                within_s=self.patience.kill_s,
            )
        else:
            await asyncio.to_thread(reap_adopted)
        for process in processes:
            self._add_up(process)
        with contextlib.suppress(OSError):
            self._folder.rmdir()  # only where nobody printed anything
        return left

    def _add_up(self, process: BotProcess) -> None:
        before = self.used.get(process.name, Usage())
        together = Usage(cpu_s=before.cpu_s + process.used.cpu_s)
        self.used[process.name] = before.most(process.used).most(together)

    def _address(self, name: str, server: str) -> str:
        """Returns where a bot that is not isolated dials."""
        if self._by_socket and self._run is not None:
            return f"unix:{self._run.socket_of(name)}"
        return server

    def _argv(self, name: str, command: Command) -> tuple[str, ...]:
        """Returns what really runs: the command, in its sandbox where there is one."""
        sandbox = self.confinement.sandbox
        if sandbox is None:
            return command.argv
        if self._run is None:
            raise ValueError("isolated bots need the folder of a run")
        return sandbox.argv(
            command,
            limits=self.confinement.limits,
            socket=self._run.socket_of(name),
            users=self._run.users,
            hidden=(*self.confinement.hidden, self._run.path),
            shared=self.confinement.shared,
        )


def _inherited() -> dict[str, str]:
    """Returns the arena's own environment, but for what says where its keys are."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
