"""Owns what an option can take as its value: yes or no, a number, a word, a seat.

A kind reads a typed value (from JSON or a program) strictly, and a text (from a command line)
without asking for quotes. It says in words what it takes; who asked and why is not its business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enum import StrEnum

__all__ = ["INTEGER_CEILING", "Flag", "Integer", "Kind", "OptionValue", "SeatOrSeeded", "Word"]

OptionValue = bool | int | str

INTEGER_CEILING = 1_000_000
"""The largest integer an option takes, so that every score fits a 32-bit field."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,20}", re.ASCII)
_YES_NO = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    @property
    def words(self) -> str:
        """Returns what is taken, in words."""
        return "true or false"

    @property
    def choices(self) -> tuple[str, ...]:
        """Returns the texts that are taken, where they can be listed."""
        return ("true", "false")

    def check(self, value: object) -> bool | None:
        """Returns the value that a typed value stands for, None if it is refused."""
        return value if isinstance(value, bool) else None

    def read(self, text: str) -> bool | None:
        """Returns the value that a text stands for, None if it is refused."""
        return _YES_NO.get(text.lower())


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer in a closed range."""

    low: int
    high: int = INTEGER_CEILING

    @property
    def words(self) -> str:
        """Returns what is taken, in words."""
        return f"an integer from {self.low} to {self.high}"

    @property
    def choices(self) -> tuple[str, ...]:
        """Returns the texts that are taken, where they can be listed."""
        return ()

    def check(self, value: object) -> int | None:
        """Returns the value that a typed value stands for, None if it is refused."""
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        return value if self.low <= value <= self.high else None

    def read(self, text: str) -> int | None:
        """Returns the value that a text stands for, None if it is refused."""
        return self.check(int(text)) if _INTEGER.fullmatch(text) else None


@dataclass(frozen=True, slots=True)
class Word:
    """One of a closed set of words."""

    allowed: tuple[StrEnum, ...]
    numbers: bool = False
    """The words are numerals, and a number is accepted for one."""

    @property
    def words(self) -> str:
        """Returns what is taken, in words."""
        return f"one of {', '.join(self.allowed)}"

    @property
    def choices(self) -> tuple[str, ...]:
        """Returns the texts that are taken, where they can be listed."""
        return tuple(word.value for word in self.allowed)

    def check(self, value: object) -> StrEnum | None:
        """Returns the value that a typed value stands for, None if it is refused."""
        if self.numbers and isinstance(value, int) and not isinstance(value, bool):
            return next((word for word in self.allowed if int(word) == value), None)
        return self.read(value) if isinstance(value, str) else None

    def read(self, text: str) -> StrEnum | None:
        """Returns the value that a text stands for, None if it is refused."""
        return next((word for word in self.allowed if word == text), None)


@dataclass(frozen=True, slots=True)
class SeatOrSeeded:
    """The word ``seeded`` or a seat number."""

    seat_count: int
    less: str = ""
    """The option, if any, that says how many of these seats there are."""

    @property
    def words(self) -> str:
        """Returns what is taken, in words."""
        less = f", less than {self.less}" if self.less else ""
        return f"'seeded' or a seat number from 0 to {self.seat_count - 1}{less}"

    @property
    def choices(self) -> tuple[str, ...]:
        """Returns the texts that are taken, where they can be listed."""
        return ("seeded", *map(str, range(self.seat_count)))

    def check(self, value: object) -> int | str | None:
        """Returns the value that a typed value stands for, None if it is refused."""
        return "seeded" if value == "seeded" else self._seats.check(value)

    def read(self, text: str) -> int | str | None:
        """Returns the value that a text stands for, None if it is refused."""
        return "seeded" if text == "seeded" else self._seats.read(text)

    @property
    def _seats(self) -> Integer:
        return Integer(0, self.seat_count - 1)


Kind = Flag | Integer | Word | SeatOrSeeded
"""What an option takes: ``check`` reads a typed value and ``read`` a text, both None if refused."""
