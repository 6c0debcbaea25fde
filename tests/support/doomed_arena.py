"""An arena that starts one isolated bot and waits to be killed.

Run as `doomed_arena.py FOLDER KIND...`, the kinds being those of `unruly_bot`.
"""

import asyncio
import sys
from pathlib import Path

import unruly_bot
from isolated import an_arena, wait_for_line

from euchre_server.launch.command import Command


async def _run(folder: Path, *kinds: str) -> None:
    async with an_arena(folder) as arena:
        argv = (sys.executable, unruly_bot.__file__, "/tmp/pids", *kinds)  # noqa: S108
        process = arena.start(Command(argv, folder))
        await wait_for_line(process, "hello")
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await process.exited()


if __name__ == "__main__":
    asyncio.run(_run(Path(sys.argv[1]), *sys.argv[2:]))
