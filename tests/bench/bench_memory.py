"""Measures what an open table costs the arena's process in memory.

    python tests/bench/bench_memory.py [TABLES [RULES]]

The arena runs in a process of its own, with a real record. The bots answer the first question that
they are asked at each table and then think, so that every table stands in the middle of a hand.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from arena_process import ArenaProcess
from instant_bots import ThinkingBot

if TYPE_CHECKING:
    from typing import Any

MIB = 1 << 20
CLOCK = {"budget_ms": 1_800_000, "first_ms": 1_800_000}
FLOOR_MIB = 1024


async def measured(tables: int, rules: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns what the process holds before and while so many tables are open."""
    with tempfile.TemporaryDirectory() as folder:
        limits = {"max_open_decisions": tables}
        course: dict[str, Any] = {
            "rules": rules,
            "boards": tables,
            "clock": CLOCK,
            "limits": limits,
        }
        async with ArenaProcess(folder=folder, **course) as arena:
            bots = [
                ThinkingBot(arena.address, token, max_open=tables)
                for token in arena.tokens.values()
            ]
            playing = [asyncio.create_task(bot.play()) for bot in bots]
            await arena.joined()
            before = await arena.ask("stats")
            await arena.ask(f"open {tables}")
            answered = 0
            while True:  # until nobody is asked any more
                await asyncio.sleep(1)
                after = await arena.ask("stats")
                if after["decisions"] == answered:
                    break
                answered = after["decisions"]
            await arena.stop()
            await asyncio.gather(*playing)
    return before, after


def main() -> None:
    """Prints what was measured."""
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    rules = sys.argv[2] if len(sys.argv) > 2 else "three-handed"
    before, after = asyncio.run(measured(tables, rules))
    grown = after["rss"] - before["rss"]
    print(  # noqa: T201  # printing is its job
        f"{after['tables']:,} {rules} tables, {after['decisions']:,} decisions played: "
        f"{after['rss'] / MIB:.0f} MiB, of them {grown / MIB:.0f} for tables, "
        f"{grown / tables / 1024:.1f} KiB a table (at most {FLOOR_MIB} MiB for 10,000)"
    )


if __name__ == "__main__":
    main()
