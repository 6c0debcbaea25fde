"""Owns what is started for a bot: an argument list, checked before anything else happens.

No shell ever reads a command line. Must not know processes, tokens or matches.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Command", "CommandError", "Isolation", "command_from_line", "python_module"]


class CommandError(ValueError):
    """A command line that cannot be started; the text says why."""


class Isolation(StrEnum):
    """How a bot's process is kept apart from the arena, from other bots and from the network."""

    NONE = "none"


@dataclass(frozen=True, slots=True)
class Command:
    """What to start: the program's path and its arguments."""

    argv: tuple[str, ...]

    def __str__(self) -> str:
        return shlex.join(self.argv)


def command_from_line(line: str) -> Command:
    """Returns the command of a line such as ``python3 my_bot.py --fast``, its program found.

    Raises:
        CommandError: The line is empty or has an open quote, or its program does not exist or
            cannot be executed.
    """
    try:
        argv = shlex.split(line)
    except ValueError as error:
        raise CommandError(f"the command line {line!r} cannot be read: {error}") from None
    if not argv:
        raise CommandError("the command line is empty; write cmd:PROGRAM ARGUMENTS")
    return Command((_found(argv[0]), *argv[1:]))


def python_module(module: str, *arguments: str) -> Command:
    """Returns the command that runs a module in this very Python."""
    return Command((sys.executable, "-m", module, *arguments))


def _found(program: str) -> str:
    """Returns the path of a program, as the shell would find it."""
    found = shutil.which(program)
    if found is not None:
        return found
    if os.sep not in program:
        raise CommandError(f"there is no program {program!r} on the search path")
    if not os.path.exists(program):  # noqa: PTH110  # what `which` looks at, before it is a path
        raise CommandError(f"there is no program {program!r}")
    raise CommandError(f"{program!r} is not executable")
