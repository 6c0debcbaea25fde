"""Owns the types of options that several commands have."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Count", "Folder", "Parsed"]


class Parsed(click.ParamType[object]):
    """An option whose text is read by a function that raises ValueError."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self._read = read

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Returns what the text stands for."""
        if not isinstance(value, str):
            return value
        try:
            return self._read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Folder(click.Path):
    """A folder, which may not exist yet; an empty text would mean the current one."""

    def __init__(self, *, file_okay: bool = True) -> None:
        super().__init__(file_okay=file_okay, path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401  # click's
        """Returns the folder's path."""
        if not os.fspath(value):
            self.fail("it is empty; name a folder, or `.` for the current one", param, ctx)
        return super().convert(value, param, ctx)


class Count(click.IntRange):
    """A whole number within bounds; click would call it an integer range."""

    name = "whole number"
