"""Owns the check that the result in the seal is the one that the tables give.

Compares what was counted and averaged, not the intervals around it: a later arena may estimate
those better, and old records stay good.
"""

from __future__ import annotations

import json
from math import isclose
from typing import TYPE_CHECKING, cast

from euchre_server.match.result import match_result, sealed_result
from euchre_server.record.verdict import Disagreement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from euchre_server.match.spec import MatchSpec
    from euchre_server.match.tally import Tally
    from euchre_server.record.entries import MatchSealed

__all__ = ["check_result"]

_NOT_COMPARED = ("bots", "intervals", "ci95")
_TOLERANCE = 2e-6  # numbers are rounded to six digits


def check_result(spec: MatchSpec, tally: Tally, sealed: MatchSealed, *, match_id: str) -> None:
    """Checks the sealed result.

    Args:
        spec: The match.
        tally: Its tables, counted again.
        sealed: The seal.
        match_id: The match's id.

    Raises:
        Disagreement: The result is no JSON object, or a number in it is another.
    """
    try:
        found = json.loads(sealed.result)
    except ValueError:
        raise Disagreement("the result in the seal is no JSON") from None
    if not isinstance(found, dict):
        raise Disagreement("the result in the seal is no object")
    due = sealed_result(
        match_result(
            spec,
            tally,
            match_id=match_id,
            record="",
            seconds=0.0,
            complete=sealed.complete,
            bots=(),
        )
    )
    _compare("result", due, found)


def _compare(where: str, due: object, found: object) -> None:
    """Compares what is due with what was found; what the result has beyond it is let be."""
    match due:
        case dict():
            items = cast("Mapping[str, object]", found) if isinstance(found, dict) else {}
            for name, value in due.items():
                if name not in _NOT_COMPARED:
                    _compare(f"{where}.{name}", value, items.get(name))
        case list():
            rows = found if isinstance(found, list) else []
            _compare(f"the length of {where}", len(due), len(rows))
            for index, (value, other) in enumerate(zip(due, rows, strict=True)):
                _compare(f"{where}[{index}]", value, other)
        case float():
            if not isinstance(found, (int, float)) or not isclose(
                due, found, rel_tol=0, abs_tol=_TOLERANCE
            ):
                raise _other(where, due, found)
        case _:
            if due != found or isinstance(due, bool) != isinstance(found, bool):
                raise _other(where, due, found)


def _other(where: str, due: object, found: object) -> Disagreement:
    return Disagreement(f"{where} in the seal is {found!r}, the tables give {due!r}")
