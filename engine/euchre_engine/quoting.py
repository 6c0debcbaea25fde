"""Owns how foreign values are quoted in error messages: short, on one line, and never failing."""

from __future__ import annotations

import difflib
import reprlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["did_you_mean", "quoted"]

_LONGEST = 60
_MOST_BITS = 128  # Python refuses to print integers of several thousand digits


class _Brief(reprlib.Repr):
    """Cuts long and deep values, and writes the words of JSON."""

    def repr_int(self, x: int, _level: int) -> str:
        if x.bit_length() > _MOST_BITS:
            return f"an integer of {x.bit_length()} bits"
        return str(x)

    def repr_bool(self, x: bool, _level: int) -> str:  # noqa: FBT001  # reprlib's signature
        return "true" if x else "false"

    def repr_NoneType(self, _x: None, _level: int) -> str:  # noqa: N802  # reprlib's naming scheme
        return "null"


_brief = _Brief()
_brief.maxstring = _brief.maxother = _LONGEST
_brief.maxlevel = 2


def quoted(value: object) -> str:
    """Returns a short text for any value that came from outside."""
    return _brief.repr(value)


def did_you_mean(word: str, choices: Iterable[str], *, cutoff: float = 0.6) -> str:
    """Returns `` (did you mean 'x'?)`` for choices that close to a word, else an empty text."""
    close = difflib.get_close_matches(word[:_LONGEST], list(choices), n=2, cutoff=cutoff)
    return f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""
