"""Owns the types of options that several commands have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Count", "Parsed"]


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


class Count(click.IntRange):
    """A whole number within bounds; click would call it an integer range."""

    name = "whole number"
