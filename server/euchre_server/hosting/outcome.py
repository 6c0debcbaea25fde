"""Owns what is said of a match when it has been played: who played, and how it went.

Must not know how it is played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_server.launch.isolation import Isolation
from euchre_server.match.result import BotIdentity, match_result

if TYPE_CHECKING:
    from pathlib import Path

    from euchre_server.hosting.runner import MatchRunner

__all__ = ["forfeits_of", "identities_of", "result_of_match"]


def identities_of(runner: MatchRunner) -> tuple[BotIdentity, ...]:
    """Returns what plays under each name."""
    isolations = [bot.isolation(runner.launcher.confinement) for bot in runner.bots]
    return tuple(
        BotIdentity(
            bot=bot.name,
            source=bot.source,
            isolation=isolation,
            # Without isolation a process can keep notes on the disk.
            memory_excluded=isolation == Isolation.BWRAP,
        )
        for bot, isolation in zip(runner.bots, isolations, strict=True)
    )


def forfeits_of(runner: MatchRunner) -> str:
    """Returns a sentence about bots that did not come, be it for a later leg; empty without any."""
    absent = " and ".join(runner.failed_bots)
    return f"{absent} did not come and forfeited every table from then on" if absent else ""


def result_of_match(runner: MatchRunner, record: Path) -> dict[str, object]:
    """Returns the object that says how a match went.

    Args:
        runner: Who has played it.
        record: Its record.
    """
    result = match_result(
        runner.spec,
        runner.tally,
        match_id=runner.match_id,
        record=str(record),
        seconds=runner.seconds,
        complete=runner.complete,
        bots=identities_of(runner),
    )
    result["usage"] = [
        {"bot": name, "cpu_seconds": round(used.cpu_s, 1), "memory_bytes": used.memory}
        for name, used in runner.launcher.used.items()
    ]
    return result
