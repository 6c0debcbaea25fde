"""Owns the list of house bots, and the command that runs one."""

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from euchre_arena.bot import Bot
from euchre_arena.bots.random_bot import RandomBot
from euchre_arena.bots.rules_bot import RulesBot
from euchre_arena.run import run

__all__ = ["HOUSE_BOTS", "main"]

HOUSE_BOTS: Final[Mapping[str, type[Bot]]] = MappingProxyType(
    {"random": RandomBot, "rules": RulesBot}
)


def main(arguments: Sequence[str]) -> int:
    """Runs the house bot of that name in an arena.

    Returns:
        The exit status: 0 when the arena said goodbye, 2 when the name is none.

    Raises:
        SystemExit: The session failed; with the statuses of `run`.
    """
    if len(arguments) != 1 or arguments[0] not in HOUSE_BOTS:
        named = f"no house bot {arguments[0]!r}" if len(arguments) == 1 else "name one house bot"
        sys.stderr.write(f"euchre-arena: {named}; choose one of {', '.join(HOUSE_BOTS)}\n")
        return 2
    run(HOUSE_BOTS[arguments[0]])
    return 0
