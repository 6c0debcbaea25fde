"""Owns what plays under which name: the bots of a match as they are asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from euchre_server.hosting.house import house_bot_command, house_bot_names, unknown_house_bot
from euchre_server.launch.command import CommandError, command_from_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from euchre_server.launch.command import Command
    from euchre_server.launch.isolation import Confinement

__all__ = ["COMMAND", "REMOTE", "BotPlan", "plan_bots", "plan_named_bots", "split_bot"]

COMMAND: Final = "cmd:"
"""How the source of a bot begins that a command line starts."""
REMOTE: Final = "remote"
"""The source of a bot that dials by itself."""

_NAMED: Final = re.compile(r"([^=:/\s]*)=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotPlan:
    """One bot of a match."""

    name: str
    source: str  # as it was given, for the record
    command: Command | None  # None: it is started elsewhere and dials by itself

    @property
    def remote(self) -> bool:
        """Returns whether the bot is started by somebody else."""
        return self.command is None

    @property
    def house(self) -> bool:
        """Returns whether it is a house bot."""
        return self.source in house_bot_names()

    def isolation(self, confinement: Confinement) -> str:
        """Returns how the bot is kept apart where started ones are so confined, in a word."""
        return "remote" if self.remote else confinement.isolation.value


def plan_bots(
    texts: Sequence[str], folders: Mapping[str, Path] | None = None
) -> tuple[BotPlan, ...]:
    """Returns the bots of ``NAME=SPEC`` texts; a bare SPEC names itself, numbered when repeated.

    Args:
        texts: The bots.
        folders: Where commands work that are not to work in the current folder, by bot.

    Raises:
        ValueError: As `plan_named_bots` does.
    """
    return plan_named_bots([_named(text) for text in texts], folders)


def plan_named_bots(
    named: Sequence[tuple[str | None, str]], folders: Mapping[str, Path] | None = None
) -> tuple[BotPlan, ...]:
    """Returns the bots of names and sources, which are taken as they are: a name is no source.

    Args:
        named: The bots; one without a name is called after its source.
        folders: Where commands work that are not to work in the current folder, by bot.

    Raises:
        ValueError: A house bot is unknown, a command cannot be started, or a folder is given for
            a bot that has no command.
    """
    unused = dict(folders or {})
    taken = {name for name, _ in named if name is not None}
    plans = []
    for name, source in named:
        chosen = name if name is not None else _free_name(_usual_name(source), taken)
        taken.add(chosen)
        plans.append(
            BotPlan(
                name=chosen,
                source=source,
                command=_command(chosen, source, unused.pop(chosen, None)),
            )
        )
    for name in unused:
        raise ValueError(f"a folder is given for {name!r}, but there is no such bot")
    return tuple(plans)


def split_bot(text: str) -> tuple[str, str]:
    """Returns the name, which may be empty, and the source of a ``NAME=SPEC`` text."""
    name, source = _named(text)
    return name or "", source


def _named(text: str) -> tuple[str | None, str]:
    found = _NAMED.fullmatch(text)
    if found is not None:
        return found[1], found[2].strip()
    name, equals, source = (part.strip() for part in text.partition("="))
    if equals and not name.startswith(COMMAND) and _is_source(source):
        return name, source  # no name that a bot can have: the match says so
    return None, text.strip()


def _is_source(text: str) -> bool:
    return text == REMOTE or text.startswith(COMMAND) or text in house_bot_names()


def _command(name: str, source: str, folder: Path | None) -> Command | None:
    if folder is not None and not source.startswith(COMMAND):
        raise ValueError(f"bot {name!r} is no {COMMAND}COMMAND LINE, so it has no folder")
    if source == REMOTE:
        return None
    if source.startswith(COMMAND):
        try:
            return command_from_line(source.removeprefix(COMMAND), folder)
        except CommandError as error:
            raise ValueError(f"bot {name!r}: {error}") from None
    if source in house_bot_names():
        return house_bot_command(source)
    if not source:
        raise ValueError(f"bot {name!r} has no SPEC; write {name or 'NAME'}=SPEC")
    raise ValueError(
        f"{unknown_house_bot(source)}; a program of yours is written {COMMAND}COMMAND LINE, "
        f"a bot that dials by itself {REMOTE}"
    )


def _usual_name(source: str) -> str:
    """Returns what a bot is called that was given no name."""
    if not source.startswith(COMMAND):
        return source
    words = source.removeprefix(COMMAND).split()
    files = [word for word in words if not word.startswith("-")]
    stem = PurePath(files[-1]).stem if files else ""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-._")[:24] or "bot"


def _free_name(name: str, taken: set[str]) -> str:
    """Returns the name, with a number behind it where it is taken."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free
