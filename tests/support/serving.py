"""`euchre-arena serve` as a process, with bots of processes of their own that dial it."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil

from euchre_arena.dial import Address
from euchre_arena.matches import MatchClient
from euchre_server.record.summary import first_entry
from euchre_server.session.access import Role
from euchre_server.session.token_store import TokenStore

__all__ = ["Serving"]

_ARENA = (sys.executable, "-m", "euchre_server.cli.main")
_PATIENCE_S = 60


def _a_free_port() -> int:
    """Returns a port at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


class Serving:
    """An arena that may be killed and started again, on one port and one data folder.

    A context, at whose end no process is left.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        folder.mkdir(exist_ok=True)
        self.data = folder / "data"
        self.address = f"127.0.0.1:{_a_free_port()}"
        self._options = options
        self._folder = folder
        self._arena: subprocess.Popen[str] | None = None
        self._bots: dict[str, subprocess.Popen[bytes]] = {}
        self._tokens = TokenStore(self.data)
        self.operator = self.token("operator", Role.OPERATOR)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        for bot in self._bots.values():
            bot.kill()
            bot.wait()

    def token(self, name: str, role: Role) -> str:
        """Returns a new token."""
        self.data.mkdir(mode=0o700, exist_ok=True)
        return self._tokens.create(name, role).reveal()

    def start(self, *options: str) -> None:
        """Starts the arena, with further options, and waits until it listens."""
        _, _, port = self.address.rpartition(":")
        with (self._folder / "arena.err").open("a") as errors:
            self._arena = subprocess.Popen(
                [
                    *_ARENA,
                    *("serve", "--data", str(self.data), "--port", port, "--json"),
                    *("--isolation", "none", "--log-level", "warning", *self._options, *options),
                ],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert "listening" == self.event()["event"]

    def event(self) -> dict[str, Any]:
        """Returns the next event that the arena tells; empty when it has ended."""
        assert self._arena is not None
        assert self._arena.stdout is not None
        line = self._arena.stdout.readline()
        found: dict[str, Any] = json.loads(line) if line else {}
        return found

    def bot(self, name: str, house_bot: str) -> None:
        """Starts a bot that dials with a token of its own, and again for as long as it takes."""
        environment = os.environ | {
            "EUCHRE_ARENA_SERVER": self.address,
            "EUCHRE_ARENA_TOKEN": self.token(name, Role.BOT),
            "EUCHRE_ARENA_RECONNECT_WITHIN_S": "120",
        }
        with (self._folder / f"{name}.err").open("a") as errors:
            self._bots[name] = subprocess.Popen(
                [sys.executable, "-m", "euchre_arena.bots", house_bot],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )

    def said(self, name: str) -> str:
        """Returns what a bot, or the arena, has printed as errors."""
        return (self._folder / f"{name}.err").read_text()

    def _all_said(self) -> dict[str, str]:
        ended = None if self._arena is None else self._arena.poll()
        return {name: self.said(name) for name in ("arena", *self._bots)} | {"ended": str(ended)}

    def kill(self) -> None:
        """Kills the arena as the kernel would, and house bots that it could not end any more."""
        arena, self._arena = self._arena, None
        if arena is None:
            return
        started = psutil.Process(arena.pid).children(recursive=True) if arena.poll() is None else []
        arena.kill()
        arena.communicate()
        for process in started:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        psutil.wait_procs(started)

    def signal(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Sends the arena a signal."""
        assert self._arena is not None
        self._arena.send_signal(number)

    def ended(self) -> int:
        """Waits for the arena to end, and returns its exit status."""
        arena, self._arena = self._arena, None
        assert arena is not None
        arena.communicate(timeout=_PATIENCE_S)
        return arena.returncode

    def create(self, request_id: str, **order: Any) -> dict[str, Any]:  # noqa: ANN401  # the client's
        """Returns a match that was created."""

        async def create() -> dict[str, Any]:
            async with self._client() as client:
                return await client.create(request_id=request_id, **order)

        return asyncio.run(create())

    def end_of(self, match_id: str) -> dict[str, Any]:
        """Waits until a match is played no more, and returns how it stands."""

        async def watch() -> dict[str, Any]:
            async with self._client() as client:
                return [update async for update in client.watch(match_id)][-1]

        return asyncio.run(watch())

    def _client(self) -> MatchClient:
        return MatchClient(Address(server=self.address, token=self.operator))

    def records(self) -> list[Path]:
        """Returns all records, in the order in which their matches were created."""
        return sorted(
            self.data.glob("*.euchre"), key=lambda path: first_entry(path).started_unix_ms
        )

    def wait_until_grown(self, size: int) -> None:
        """Waits until the records together hold so many bytes, or none of them is unfinished.

        They grow in another process, which cannot set an event of ours.
        """
        deadline = time.monotonic() + _PATIENCE_S
        while sum(path.stat().st_size for path in self.data.glob("*.euchre")) < size:
            if not any(self.data.glob("*.secret")):
                return
            assert time.monotonic() < deadline, f"nothing was played: {self._all_said()}"
            time.sleep(0.002)
