"""Measures what a flood from one bot does to the others' decisions.

    python tests/bench/bench_flood.py [SECONDS [KIND ...]]

Two bots in this process play, the arena runs in a process of its own, and so does whoever floods
it. The latency is that of the arena: from an answer to the table's next question. Calm and flooded
spells take turns, since the machine's speed drifts; only the ratio counts. The arena has a core of
its own where there are two: what is measured is the arena, not who gets the processor.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from arena_process import ArenaProcess
from flooder import KINDS
from instant_bots import InstantBot, Latencies

FLOODER = str(Path(__file__).parent.parent / "support" / "flooder.py")
SPELLS = 5
AT_ONCE = 8
WORST = 1.5
MANY = 1_000_000


async def spell(seen: Latencies, seconds: float) -> tuple[float, float, float]:
    """Returns the median and the 99th percentile in milliseconds, and decisions a second."""
    seen.seconds.clear()
    await asyncio.sleep(seconds)
    rate = len(seen.seconds) / seconds
    return seen.percentile(0.5), seen.percentile(0.99), rate


async def flooded(
    kind: str, arena: ArenaProcess, seen: Latencies, seconds: float
) -> tuple[float, float, float]:
    """Returns the same while somebody floods."""
    process = await asyncio.create_subprocess_exec(
        *("nice", "-n", "19", sys.executable, FLOODER),
        *(kind, arena.address, arena.tokens["vandal"]),
        stdin=asyncio.subprocess.PIPE,
        # Linux shares the processor out by session: in ours it would take our share, not its own.
        start_new_session=True,
    )
    try:
        await asyncio.sleep(0.5)
        return await spell(seen, seconds)
    finally:
        process.kill()
        await process.wait()


async def measure(seconds: float, kinds: list[str]) -> None:
    """Prints both, for each kind of flood."""
    if len(cores := sorted(os.sched_getaffinity(0))) > 1:
        os.sched_setaffinity(0, set(cores[1:]))
    with tempfile.TemporaryDirectory() as folder:
        course: dict[str, Any] = {"boards": MANY, "at_once": AT_ONCE, "others": ["vandal"]}
        async with ArenaProcess(folder=folder, **course) as arena:
            os.sched_setaffinity(arena.pid, {cores[0]})
            seen = Latencies()
            bots = [
                InstantBot(arena.address, arena.tokens[name], max_open=AT_ONCE, seen=seen)
                for name in ("bot0", "bot1")
            ]
            playing = [asyncio.create_task(bot.play()) for bot in bots]
            await arena.joined()
            await arena.tell("play")
            await spell(seen, 1.0)
            heads = f"{'p50':>9} {'p99':>7} {'/s':>7}"
            print(f"{'':10} {heads} calm {heads} flooded")  # noqa: T201  # printing is its job
            for kind in kinds:
                calm, flood = [], []
                for _ in range(SPELLS):
                    calm.append(await spell(seen, seconds))
                    flood.append(await flooded(kind, arena, seen, seconds))
                c50, c99, cps = (median(column) for column in zip(*calm, strict=True))
                f50, f99, fps = (median(column) for column in zip(*flood, strict=True))
                print(  # noqa: T201  # as above
                    f"{kind:10} {c50:6.1f} ms {c99:7.1f} {cps:7.0f}      {f50:6.1f} ms {f99:7.1f} "
                    f"{fps:7.0f} p99 x {f99 / c99:.2f} (at most {WORST})"
                )
            for task in playing:
                task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*playing)


def main() -> None:
    """Measures."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    asyncio.run(measure(seconds, sys.argv[2:] or list(KINDS)))


if __name__ == "__main__":
    main()
