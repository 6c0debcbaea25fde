"""Owns what is said of a match when it has been played: who played, and how it went.

Must not know how it is played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_server.launch.isolation import Isolation
from euchre_server.match.result import BotIdentity, match_result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from euchre_server.hosting.bot_plan import BotPlan
    from euchre_server.hosting.runner import MatchRunner
    from euchre_server.launch.isolation import Confinement

__all__ = ["forfeits_of", "identities_of", "isolation_of", "result_of_match"]


def isolation_of(bot: BotPlan, confinement: Confinement) -> str:
    """Returns how a bot is kept apart, in a word."""
    return "remote" if bot.remote else confinement.isolation.value


def identities_of(bots: Sequence[BotPlan], confinement: Confinement) -> tuple[BotIdentity, ...]:
    """Returns what plays under each name."""
    return tuple(
        BotIdentity(
            bot=bot.name,
            source=bot.source,
            isolation=isolation_of(bot, confinement),
            # Without isolation a process can keep notes on the disk.
            memory_excluded=isolation_of(bot, confinement) == Isolation.BWRAP,
        )
        for bot in bots
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
        bots=runner.identities(),
    )
    result["usage"] = [
        {"bot": name, "cpu_seconds": round(used.cpu_s, 1), "memory_bytes": used.memory}
        for name, used in runner.launcher.used.items()
    ]
    return result
