"""Owns how durations are written on the command line, and clocks made of them."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Final

from euchre_engine.quoting import did_you_mean, quoted
from euchre_server.referee.spec import ClockSpec

__all__ = ["parse_clock", "parse_duration_ms"]

_UNITS_MS: Final = {"ms": 1, "s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000}
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)", re.ASCII)
_LONGEST_MS: Final = 24 * 3_600_000
_PARTS: Final = tuple(field.name.removesuffix("_ms") for field in fields(ClockSpec))


def parse_duration_ms(text: str) -> int:
    """Returns the milliseconds of a text such as ``500ms``, ``1.5s``, ``30m``, ``1h`` or ``0``.

    Raises:
        ValueError: It is no duration, not a whole number of milliseconds, or over a day.
    """
    if text.strip() == "0":
        return 0
    found = _DURATION.fullmatch(text.strip().lower())
    if found is None or found[2] not in _UNITS_MS:
        raise ValueError(f"{quoted(text)} is no duration; write 500ms, 2s, 1m, 1h or 0")
    milliseconds = float(found[1]) * _UNITS_MS[found[2]]
    if milliseconds > _LONGEST_MS:
        raise ValueError(f"{quoted(text)} is longer than a day")
    if not milliseconds.is_integer():
        raise ValueError(f"{quoted(text)} is not a whole number of milliseconds")
    return int(milliseconds)


def parse_clock(text: str) -> ClockSpec:
    """Returns the clock of a text such as ``budget=500ms,bank=10s``; what is not given is usual.

    Raises:
        ValueError: There is no part, one is unknown, given twice, without a value or no duration,
            or the clock cannot be.
    """
    given: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name not in _PARTS:
            raise ValueError(
                f"a clock has no {quoted(name)}{did_you_mean(name, _PARTS)}; "
                f"it has {', '.join(_PARTS)}"
            )
        if not equals:
            raise ValueError(f"{name} has no value; write {name}=500ms")
        if f"{name}_ms" in given:
            raise ValueError(f"{name} is given twice")
        given[f"{name}_ms"] = parse_duration_ms(value)
    if not given:
        raise ValueError("it is empty; write a part such as budget=500ms, or leave the clock out")
    return ClockSpec(**given)
