"""Owns how options that several commands share are added together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["option_group"]

_F = TypeVar("_F", bound="Callable[..., Any]")


def option_group(*options: Callable[[Any], Any]) -> Callable[[_F], _F]:
    """Returns one decorator that adds these options to a command, in this order."""

    def add(command: _F) -> _F:
        for option in reversed(options):
            command = option(command)
        return command

    return add
