"""Owns the reading of JSON text from outside: what is not plain JSON is an error, never a guess.

Python's own reader takes the last of two equal keys, and numbers that are none (NaN); it fails in
several ways on text that is too deep or has a number too long.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

__all__ = ["read_json"]


def read_json(text: str) -> Any:  # noqa: ANN401  # JSON is any value
    """Returns the value that a JSON text stands for.

    Raises:
        ValueError: The text is no JSON, has a key twice in one object, a number that is not
            finite or is too long to be read, or is nested too deeply; the message says where.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"not readable as JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise ValueError("not readable as JSON: nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the key {twice[:60]!r} stands twice in one object")
    return read


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits is too long")
    return int(digits)


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


_MOST_DIGITS = 300
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)
