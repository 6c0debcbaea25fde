"""Many short legs with new streams each, some of which are cut: does the arena's process grow?

    python tests/support/soak.py HANDS [SEED]    prints a line every so often, and the findings

Every leg is two bots that dial, play a hundred hands and are told goodbye. A tenth of the streams
are cut at a random decision: half by the bot, which cancels its call, half on the wire, which ends
the connection with whatever is on its way. They dial again with their resume token.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from dataclasses import dataclass
from random import Random
from typing import Any

from arena_process import ArenaProcess
from cut_wire import wired
from instant_bots import InstantBot, Latencies

__all__ = ["HANDS_A_LEG", "Findings", "soak"]

HANDS_A_LEG = 100
CUT = 0.1
CLOCK = {"budget_ms": 60_000, "first_ms": 60_000}
LIMITS = {"max_dials": 1_000_000, "dials_per_second": 1_000}


@dataclass
class Findings:
    """What the arena's process held, and what was done to it.

    Attributes:
        before: Before the first leg.
        warm: When a tenth of the legs was played.
        after: After the last leg, with nobody there.
        left: When it had stopped.
    """

    before: dict[str, Any]
    warm: dict[str, Any]
    after: dict[str, Any]
    left: dict[str, Any]
    streams: int = 0
    cut: int = 0

    @property
    def grown(self) -> int:
        """Returns by how many bytes the process grew after the warm-up."""
        grown: int = self.after["rss"] - self.warm["rss"]
        return grown


async def soak(hands: int, *, seed: int = 1, loud: bool = False) -> Findings:
    """Plays so many hands, and returns what was found."""
    legs = max(2, hands // HANDS_A_LEG)
    random = Random(seed)
    streams = cut = 0
    with tempfile.TemporaryDirectory() as folder:
        course: dict[str, Any] = {
            "folder": folder,
            "boards": HANDS_A_LEG // 2,
            "at_once": 8,
            "clock": CLOCK,
            "limits": LIMITS,
            "fault_limit": 1_000,
            "keep": False,
        }
        async with ArenaProcess(**course) as arena, wired(arena.address) as wire:
            before = warm = await arena.ask("stats")
            for leg in range(1, legs + 1):
                bots = [
                    _bot(arena, name, random, wire.address, wire.cut) for name in ("bot0", "bot1")
                ]
                cut += sum(bot.to_be_cut for bot in bots)
                playing = asyncio.gather(*(bot.play() for bot in bots))
                await arena.ask("play")
                await playing
                streams += sum(bot.dials for bot in bots)
                if leg == max(1, legs // 10):
                    warm = await arena.ask("stats")
                if loud and leg % 50 == 0:
                    now = await arena.ask("stats")
                    print(leg * HANDS_A_LEG, "hands", now["rss"] >> 10, "KiB", flush=True)  # noqa: T201  # when run by hand
            after = await arena.ask("stats")
            left = await arena.stop()
    return Findings(before, warm, after, left, streams, cut)


def _bot(arena: ArenaProcess, name: str, random: Random, wire: str, cut: Any) -> InstantBot:  # noqa: ANN401  # a method
    """Returns a bot, which is cut once where chance wants it so."""
    after = random.randint(1, 400) if random.random() < CUT else 0
    on_the_wire = random.random() < 0.5 and after > 0
    return InstantBot(
        wire if on_the_wire else arena.address,
        arena.tokens[name],
        max_open=8,
        seen=Latencies(),
        cut_after=after,
        cut=cut if on_the_wire else None,
    )


def main() -> None:
    """Soaks, and prints what was found."""
    hands = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    found = asyncio.run(soak(hands, seed=seed, loud=True))
    print(  # noqa: T201  # printing is its job
        f"{hands:,} hands, {found.streams:,} streams, {found.cut:,} of them cut; grown by "
        f"{found.grown / (1 << 20):.1f} MiB since the warm-up\nafter {found.after}\n"
        f"left {found.left}"
    )


if __name__ == "__main__":
    main()
