"""Owns the object that says how a match went: `match --json`, and the result in the record.

Every number in it is finite; what was not measured is null. Must not know files or terminals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from euchre_server.match.standings import comparisons, standings
from euchre_server.match.statistics import ERROR_RATE
from euchre_server.referee.facts import FaultKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from euchre_server.match.spec import MatchSpec
    from euchre_server.match.standings import Comparison, Standing
    from euchre_server.match.statistics import Estimate
    from euchre_server.match.tally import Excluded, Tally

__all__ = ["BotIdentity", "match_result", "sealed_result"]

_DIGITS: Final = 6
_OF_ONE_RUN: Final = ("record", "seconds", "usage")


@dataclass(frozen=True, slots=True, kw_only=True)
class BotIdentity:
    """Says which program played under a name, and whether it could remember a deal."""

    bot: str
    source: str
    isolation: str
    memory_excluded: bool


def match_result(
    spec: MatchSpec,
    tally: Tally,
    *,
    match_id: str,
    record: str,
    seconds: float,
    complete: bool,
    bots: tuple[BotIdentity, ...],
) -> dict[str, object]:
    """Returns the object that `match --json` prints (DESIGN.md section 10)."""
    boards = list(tally.boards())
    complete_count = len(tally.complete_boards())
    ranked = standings(spec, tally)
    pairs = comparisons(spec, tally)
    trust = {bot.bot: _trust(bot) for bot in bots}
    return {
        "match_id": match_id,
        "record": record,
        "rules": spec.rules.to_json(),
        "mode": spec.mode.value,
        "seatings": spec.seatings.value,
        "boards": complete_count,
        "boards_asked": spec.boards,
        "boards_incomplete": len(boards) - complete_count,
        "boards_void": sorted(tally.void),
        "hands": sum(board.hands for board in boards),
        "decisions": sum(table.decisions for board in boards for table in board.tables),
        "seconds": round(seconds, 3),
        "complete": complete,
        "rated": spec.rated,
        "public_seed": spec.public_seed,
        "commitment": spec.commitment().hex(),
        "bots": [_identity(bot) for bot in bots],
        "standings": [_standing(row) | trust.get(row.bot, {}) for row in ranked],
        "comparisons": [_comparison(row) for row in pairs],
        "intervals": {
            "level": 1 - ERROR_RATE,
            "standings": "each alone",
            "comparisons": f"all {len(pairs)} together (Bonferroni)" if len(pairs) > 1 else "alone",
        },
        "excluded": [_excluded(spec, row) for row in tally.excluded()],
    }


def sealed_result(result: Mapping[str, object]) -> dict[str, object]:
    """Returns the part of a result that the record keeps: without times and places."""
    return {name: value for name, value in result.items() if name not in _OF_ONE_RUN}


def _identity(bot: BotIdentity) -> dict[str, object]:
    return {
        "bot": bot.bot,
        "source": bot.source,
        **_trust(bot),
    }


def _trust(bot: BotIdentity) -> dict[str, object]:
    """Returns what the result of a bot rests on."""
    return {
        "isolation": bot.isolation,
        "memory": "excluded" if bot.memory_excluded else "not excluded",
    }


def _standing(row: Standing) -> dict[str, object]:
    return {
        "bot": row.bot,
        "hands": row.hands,
        "points": row.points,
        "points_per_hand": _value(row.per_hand),
        "ci95": _interval(row.per_hand),
        "wins": row.wins,
        "tables": row.tables,
        "faults": {kind.name.lower(): row.faults.get(kind, 0) for kind in FaultKind},
    }


def _comparison(row: Comparison) -> dict[str, object]:
    return {
        "a": row.a,
        "b": row.b,
        "mean_per_board": _value(row.per_board),
        "ci95": _interval(row.per_board),
        "boards": row.boards,
    }


def _excluded(spec: MatchSpec, row: Excluded) -> dict[str, object]:
    return {
        "table": row.table.table,
        "board": row.board,
        "seating": row.table.seating,
        "reason": row.reason.value,
        "cause": row.table.cause.name.lower(),
        "scores": dict(zip(spec.bots, row.table.scores, strict=True)),
    }


def _value(estimate: Estimate | None) -> float | None:
    return None if estimate is None else round(estimate.value, _DIGITS)


def _interval(estimate: Estimate | None) -> list[float] | None:
    if estimate is None:
        return None
    return [round(estimate.low, _DIGITS), round(estimate.high, _DIGITS)]
