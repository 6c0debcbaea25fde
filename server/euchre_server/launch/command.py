"""Owns what is started for a bot: an argument list and its folder, checked before anything happens.

No shell ever reads a command line. Must not know processes, tokens or matches.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Command", "CommandError", "HiddenError", "command_from_line", "python_module"]


class CommandError(ValueError):
    """A command line that cannot be started; the text says why."""


class HiddenError(CommandError):
    """A command that needs what no isolated bot may see."""


@dataclass(frozen=True, slots=True)
class Command:
    """What to start: the program's path and its arguments.

    Attributes:
        argv: The program and its arguments.
        folder: The folder that it works in; None where it needs none.
    """

    argv: tuple[str, ...]
    folder: Path | None = None

    def __str__(self) -> str:
        return shlex.join(self.argv)


def command_from_line(line: str, folder: Path | None = None) -> Command:
    """Returns the command of a line such as ``python3 my_bot.py --fast``, its program found.

    Args:
        line: The command line.
        folder: Where it works; the current folder unless another is given.

    Raises:
        CommandError: The line is empty or has an open quote, its folder is none, or its program
            does not exist or cannot be executed.
    """
    chosen = Path.cwd() if folder is None else folder.absolute()
    if not chosen.is_dir():
        raise CommandError(f"there is no folder {str(chosen)!r}")
    try:
        argv = shlex.split(line)
    except ValueError as error:
        raise CommandError(f"the command line {line!r} cannot be read: {error}") from None
    if not argv:
        raise CommandError("the command line is empty; write cmd:PROGRAM ARGUMENTS")
    return Command((_found(argv[0], chosen), *argv[1:]), chosen)


def python_module(module: str, *arguments: str) -> Command:
    """Returns the command that runs a module in this very Python."""
    return Command((sys.executable, "-m", module, *arguments))


def _found(program: str, folder: Path) -> str:
    """Returns the path of a program, as a shell in that folder would find it."""
    path = os.path.normpath(folder / program) if os.sep in program else program
    found = shutil.which(path)
    if found is not None:
        return str(Path(found).absolute())
    if os.sep not in program:
        raise CommandError(f"there is no program {program!r} on the search path")
    if not os.path.exists(path):  # noqa: PTH110  # what `which` looks at, before it is a path
        raise CommandError(f"there is no program {program!r}")
    if os.path.isdir(path):  # noqa: PTH112  # likewise
        raise CommandError(f"{program!r} is a folder, not a program")
    raise CommandError(f"{program!r} is not executable")
