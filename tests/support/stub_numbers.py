"""Plain numbers where generated classes want types of their own."""

from typing import Any

__all__ = ["number"]


def number(value: object) -> Any:  # noqa: ANN401  # stubs have a type of their own for each enum
    """Returns a number to be used where the stubs want their own type."""
    return value
