"""Owns the options that say how bots are kept apart: level, limits, folders."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from euchre_engine.quoting import did_you_mean, quoted
from euchre_server.cli.durations import parse_duration_ms
from euchre_server.cli.failure import CommandFailed
from euchre_server.cli.option_group import option_group
from euchre_server.cli.parsed import Parsed
from euchre_server.launch.isolation import Isolation, IsolationUnavailableError, find_sandbox
from euchre_server.launch.limits import ProcessLimits, in_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from euchre_server.launch.sandbox import Sandbox

__all__ = [
    "USUAL_LIMITS",
    "chosen_sandbox",
    "isolation_options",
    "parse_folders",
    "parse_limits",
    "read_isolation",
]

_F = TypeVar("_F", bound="Callable[..., Any]")

_SIZE: Final = re.compile(r"(\d{1,12}(?:\.\d+)?)\s*([kmgt])b?", re.ASCII)
_UNITS: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_NONE: Final = "none"
_SECONDS: Final = "cpu"
_COUNTS: Final = ("processes", "files")
_PARTS: Final = tuple(field.name.removesuffix("_s") for field in fields(ProcessLimits))


def parse_limits(text: str) -> ProcessLimits:
    """Returns the limits of a text such as ``memory=2g,cpu=1h``; what is not given is usual.

    Raises:
        ValueError: A part is unknown, given twice, or has no value that it can have.
    """
    given: dict[str, int | None] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name not in _PARTS:
            raise ValueError(
                f"there is no limit {quoted(name)}{did_you_mean(name, _PARTS)}; "
                f"there are {', '.join(_PARTS)}"
            )
        key = f"{name}_s" if name == _SECONDS else name
        if key in given:
            raise ValueError(f"{name} is given twice")
        given[key] = None if value == _NONE else _limit(name, value.lower())
    return ProcessLimits(**given)


def _limit(name: str, value: str) -> int:
    """Returns what a limit is set to.

    Raises:
        ValueError: It is none.
    """
    if name == _SECONDS:
        seconds, rest = divmod(parse_duration_ms(value), 1000)
        if rest or not seconds:
            raise ValueError(f"{name}={value} is no whole number of seconds; write {name}=90s")
        return seconds
    if name in _COUNTS:
        if not value.isascii() or not value.isdigit() or int(value) < 1:
            raise ValueError(f"{name}={value} is no number; write {name}=256 or {name}={_NONE}")
        return int(value)
    found = _SIZE.fullmatch(value)
    size = int(float(found[1]) * _UNITS[found[2]]) if found is not None else 0
    if not size:
        raise ValueError(f"{name}={value} is no size; write {name}=512m, {name}=2g or {name}=none")
    return size


def _written(limits: ProcessLimits) -> str:
    parts = []
    for name, field in zip(_PARTS, fields(ProcessLimits), strict=True):
        value: int | None = getattr(limits, field.name)
        if value is None:
            parts.append(f"{name}={_NONE}")
        elif name == _SECONDS:
            parts.append(f"{name}={value}s")
        else:
            parts.append(f"{name}={value if name in _COUNTS else in_bytes(value)}")
    return ",".join(parts)


USUAL_LIMITS: Final = _written(ProcessLimits())
"""The limits unless others are given, as `parse_limits` reads them."""


def isolation_options(bots: str) -> Callable[[_F], _F]:
    """Returns what adds the options of level and limits, which ``match`` and ``serve`` share.

    Args:
        bots: Which bots are kept apart, in words.
    """
    return option_group(
        click.option(
            "--isolation",
            type=click.Choice([level.value for level in Isolation]),
            help=f"How {bots} are kept apart: not at all, or in bubblewrap, without network, with "
            "read-only files and nothing of the data folder. [default: bwrap where it works, else "
            "none]",
        ),
        click.option(
            "--limits",
            metavar="PART=LIMIT,...",
            type=Parsed("limits", parse_limits),
            default=USUAL_LIMITS,
            show_default=True,
            help="What each of them may use; `none` for no limit.",
        ),
    )


def read_isolation(options: Mapping[str, Any]) -> Isolation | None:
    """Returns the level that is asked for; None for the strongest that works here."""
    return None if options["isolation"] is None else Isolation(options["isolation"])


def parse_folders(texts: Iterable[str]) -> dict[str, Path]:
    """Returns the working folders of ``NAME=FOLDER`` texts.

    Raises:
        ValueError: A text is no such pair, a name is given twice, or there is no such folder.
    """
    folders: dict[str, Path] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or not name or not path:
            raise ValueError(f"{quoted(text)} is no folder of a bot; write NAME=FOLDER")
        if name in folders:
            raise ValueError(f"bot {name!r} is given two folders")
        if not Path(path).is_dir():
            raise ValueError(f"bot {name!r}: there is no folder {quoted(path)}")
        folders[name] = Path(path).absolute()
    return folders


def chosen_sandbox(
    wanted: Isolation | None, *, resumed: bool = False
) -> tuple[Sandbox | None, str | None]:
    """Returns what bots are to run in, and why in nothing where nobody asked for that.

    Args:
        wanted: The level; None for the strongest that works here.
        resumed: Whether a match goes on that was begun with this level.

    Raises:
        CommandFailed: The level that was asked for does not work here.
    """
    if wanted is Isolation.NONE:
        return None, None
    try:
        return find_sandbox(), None
    except IsolationUnavailableError as error:
        if wanted is None:
            return None, str(error)
        if resumed:
            raise CommandFailed(
                f"{error}; the match was begun with isolated bots, and goes on with no others"
            ) from None
        raise CommandFailed(
            f"{error}; with --isolation none bots run as you, with all that you may do"
        ) from None
