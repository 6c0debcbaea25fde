"""Owns the check that the result in the seal is the one that the tables give.

Intervals, and what a record does not have, are compared only where the record is of the same
version: a later arena may estimate better and tell more, and old records stay good.
"""

from __future__ import annotations

import json
from math import isclose
from typing import TYPE_CHECKING, Any, cast

from euchre_server.match.result import BotIdentity, match_result, sealed_result
from euchre_server.match.spec import canonical_json
from euchre_server.record.verdict import Disagreement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from euchre_server.match.spec import MatchSpec
    from euchre_server.match.tally import Tally
    from euchre_server.record.entries import BotSeated, MatchSealed

__all__ = ["check_result"]

_ESTIMATED = ("intervals", "ci95")
_TOLERANCE = 2e-6  # numbers are rounded to six digits


def check_result(
    spec: MatchSpec,
    tally: Tally,
    sealed: MatchSealed,
    *,
    match_id: str,
    seated: Mapping[str, BotSeated],
    same_version: bool,
) -> None:
    """Checks the sealed result.

    Args:
        spec: The match.
        tally: Its tables, counted again.
        sealed: The seal.
        match_id: The match's id.
        seated: What was recorded of each bot.
        same_version: Whether this arena's version wrote the record.

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
            bots=_identities(spec, seated, found),
        )
    )
    _Comparison(same_version=same_version).compare("result", due, found)
    if same_version and canonical_json(found) != sealed.result:
        raise Disagreement("the result in the seal is not written as this version writes it")


def _identities(
    spec: MatchSpec, seated: Mapping[str, BotSeated], found: Mapping[str, Any]
) -> tuple[BotIdentity, ...]:
    """Returns what plays under each name: as recorded, and what is not recorded as the seal says.

    A bot that never started has no entry of its own, and what a bot may remember has none either.
    """
    rows = found.get("bots")
    said = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return tuple(
        _identity(bot, seated.get(bot), next((row for row in said if row.get("bot") == bot), {}))
        for bot in spec.bots
    )


def _identity(bot: str, seated: BotSeated | None, said: Mapping[str, Any]) -> BotIdentity:
    return BotIdentity(
        bot=bot,
        source=seated.source if seated else str(said.get("source")),
        isolation=seated.isolation if seated else str(said.get("isolation")),
        memory_excluded=said.get("memory") == "excluded",
    )


class _Comparison:
    """Compares what is due with what was found; beyond it an older version may have more."""

    def __init__(self, *, same_version: bool) -> None:
        self._skipped = () if same_version else _ESTIMATED
        self._same_version = same_version

    def compare(self, where: str, due: object, found: object) -> None:
        """Raises `Disagreement` at the first difference."""
        match due:
            case dict():
                if not isinstance(found, dict):
                    raise _other(where, due, found)
                items = cast("Mapping[str, object]", found)
                if self._same_version and items.keys() - due.keys():
                    raise Disagreement(
                        f"{where} in the seal has {sorted(items.keys() - due.keys())}"
                    )
                for name, value in due.items():
                    if name not in self._skipped and (self._same_version or name in items):
                        self.compare(f"{where}.{name}", value, items.get(name))
            case list():
                if not isinstance(found, list):
                    raise _other(where, due, found)
                self.compare(f"the length of {where}", len(due), len(found))
                for index, (value, other) in enumerate(zip(due, found, strict=True)):
                    self.compare(f"{where}[{index}]", value, other)
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
