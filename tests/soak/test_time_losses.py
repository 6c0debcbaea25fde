"""Bots that answer at once lose nothing on time, however many tables are open (C-12)."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from arena_process import ArenaProcess, bots_process

from euchre_server.match.spec import SMALLEST_RATED_BUDGET_MS
from euchre_server.session import Limits

SMALLEST = {
    "budget_ms": SMALLEST_RATED_BUDGET_MS,
    "first_ms": SMALLEST_RATED_BUDGET_MS,
    "bank_ms": 0,
}
"""The smallest rated clock: no bank, and no more for the first decision. Grace is as usual."""
MOST_LOAD_A_CORE = 1
"""Beyond it bots and arena wait for the processor, and a bot has fifty milliseconds only."""
ATTEMPTS = 3
"""What the arena itself does wrong is there every time; what others do to the machine is not."""


async def played(folder: Path, *, boards: int, at_once: int, max_open: int) -> dict[str, Any]:
    """Returns what the arena counted in a match of two bots in a process of their own."""
    course: dict[str, Any] = {"folder": str(folder), "boards": boards, "at_once": at_once}
    async with ArenaProcess(clock=SMALLEST, keep=False, **course) as arena:
        tokens = [arena.tokens[name] for name in ("bot0", "bot1")]
        bots = asyncio.create_task(bots_process(arena.address, tokens, max_open=max_open))
        await arena.ask("play")
        await bots
        return await arena.stop()


def assert_no_time_was_lost(counted: dict[str, Any]) -> None:
    """There was no fault, unless the machine was too busy for bots to answer at once."""
    load = os.getloadavg()[0]
    if counted["faults"] and load > MOST_LOAD_A_CORE * (os.cpu_count() or 1):
        # A bot that waits fifty milliseconds for the processor is late, whatever the arena does.
        pytest.skip(f"the machine is overloaded, its load is {load:.0f}: {counted['faults']}")
    assert {} == counted["faults"]


async def test_instant_bots_lose_nothing_on_time(tmp_path: Path) -> None:
    """A hundred tables at once, fifty milliseconds a decision, no bank: not one fault."""
    for attempt in range(ATTEMPTS):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        counted = await played(folder, boards=60, at_once=120, max_open=16)
        if not counted["faults"]:
            break

    assert_no_time_was_lost(counted)
    assert (120, ["PLAYED"]) == (counted["ended"], counted["causes"])
    assert counted["most_tables"] > 40


@pytest.mark.long
async def test_twenty_thousand_hands_at_as_many_tables_as_may_be(tmp_path: Path) -> None:
    """Ten thousand tables at once, the most that a bot may have: not one fault in 20,000 hands."""
    most = Limits().max_tables
    counted = await played(tmp_path, boards=10_000, at_once=most, max_open=16)

    assert_no_time_was_lost(counted)
    assert (20_000, ["PLAYED"]) == (counted["ended"], counted["causes"])
    assert counted["most_tables"] > most // 10
