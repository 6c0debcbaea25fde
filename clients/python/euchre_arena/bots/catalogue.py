"""Owns the list of house bots, and the command that runs one."""

import argparse
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
    """Runs the house bot of that name in an arena, with `--view-mode full` or `lean` if given.

    Returns:
        The exit status: 0 when the arena said goodbye, 2 when the name is none.

    Raises:
        SystemExit: The session failed; with the statuses of `run`.
    """
    parser = argparse.ArgumentParser(prog="python -m euchre_arena.bots", add_help=False)
    parser.add_argument("--view-mode")
    options, names = parser.parse_known_args(arguments)
    if len(names) != 1 or names[0] not in HOUSE_BOTS:
        named = f"no house bot {names[0]!r}" if len(names) == 1 else "name one house bot"
        sys.stderr.write(f"euchre-arena: {named}; choose one of {', '.join(HOUSE_BOTS)}\n")
        return 2
    run(HOUSE_BOTS[names[0]], view_mode=options.view_mode)
    return 0
