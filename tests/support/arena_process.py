"""An arena in a process of its own (`lone_arena`), as whoever started it talks to it."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["ArenaProcess", "bots_process"]

_HERE = Path(__file__).parent
_LINE = 1 << 20


class ArenaProcess:
    """Starts an arena, and asks it things."""

    def __init__(
        self,
        errors: IO[bytes] | None = None,
        **course: Any,  # noqa: ANN401  # as `lone_arena.Course` takes it
    ) -> None:
        """Makes an arena that is not started yet; errors go to ours unless a file is given."""
        self._errors = errors
        self.address = ""
        self.tokens: dict[str, str] = {}
        self.pid = 0
        self._course = course
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        """Starts it."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *(str(_HERE / "lone_arena.py"), json.dumps(self._course)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._errors,
            limit=_LINE,
        )
        told = await self._answer()
        self.address, self.tokens = told["address"], told["tokens"]
        self.pid = told["pid"]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends it, whatever happened."""
        process = self._process
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()

    async def joined(self) -> None:
        """Waits until all bots of the match are there."""
        await self.ask("open 0")

    async def ask(self, line: str) -> dict[str, Any]:
        """Sends a line, and returns what comes back."""
        await self.tell(line)
        return await self._answer()

    async def tell(self, line: str) -> None:
        """Sends a line."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        await self._process.stdin.drain()

    async def stop(self) -> dict[str, Any]:
        """Lets it end, and returns what was left then."""
        left = await self.ask("stop")
        assert self._process is not None
        await self._process.wait()
        return left

    async def _answer(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise AssertionError("the arena's process has ended")
        told: dict[str, Any] = json.loads(line)
        return told


async def bots_process(address: str, tokens: list[str], *, max_open: int) -> dict[str, Any]:
    """Lets instant bots play in a process of their own until goodbye; returns what they saw."""
    config = {"address": address, "tokens": tokens, "open": max_open}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *(str(_HERE / "instant_bots.py"), json.dumps(config)),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        out, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    seen: dict[str, Any] = json.loads(out)
    return seen
