"""Ten thousand open tables over gRPC: what they cost, and one stream that comes back to them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from arena_process import ArenaProcess
from instant_bots import ThinkingBot

TABLES = 10_000
CLOCK = {"budget_ms": 1_800_000, "first_ms": 1_800_000}
GIB = 1 << 30


@pytest.mark.long
async def test_ten_thousand_tables_fit_into_a_gibibyte_and_onto_one_stream(tmp_path: Path) -> None:
    """All in mid-hand; a bot whose stream breaks is told of every one before its first ping."""
    course: dict[str, Any] = {"folder": str(tmp_path), "boards": TABLES, "clock": CLOCK}
    limits = {"max_open_decisions": TABLES}
    async with ArenaProcess(limits=limits, **course) as arena:
        bots = [
            ThinkingBot(arena.address, arena.tokens[name], max_open=TABLES, cut_after=cut)
            for name, cut in (("bot0", TABLES), ("bot1", 0))
        ]
        playing = asyncio.gather(*(bot.play() for bot in bots))
        await arena.ask(f"open {TABLES}")
        async with asyncio.timeout(120):
            while len(bots[0].opened) < 2:  # noqa: ASYNC110  # it dials again of itself
                await asyncio.sleep(0.1)
            await bots[0].caught_up.wait()
        counted = await arena.ask("stats")
        await arena.stop()
        await playing

    assert (TABLES, TABLES) == (counted["tables"], bots[0].opened[1])
    assert counted["rss"] < GIB
