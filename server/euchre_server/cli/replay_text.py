"""Owns how records look in a list, and what is said of a match above its hands."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from euchre_server.record.entries import MatchResumed, RecordError
from euchre_server.record.show import columns
from euchre_server.record.summary import RecordState, Summary, counted_points
from euchre_server.record.tables import tables_of
from euchre_server.referee.facts import Blame

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from euchre_server.record.entries import Entry

__all__ = ["listing", "overview"]

_BOARDS_SHOWN = 12
_LARGEST_READ_THROUGH = 16 << 20

_STATES = {
    RecordState.SEALED: "sealed",
    RecordState.STOPPED: "sealed, stopped before its end",
    RecordState.RUNNING: "unsealed, still being played",
    RecordState.UNSEALED: "unsealed, cut off before its end",
    RecordState.DAMAGED: "damaged",
    RecordState.SEALED_DAMAGED: "sealed but damaged",
}


def listing(rows: Iterable[tuple[Path, Summary | RecordError]]) -> str:
    """Returns records as a table, those that cannot be read included."""
    lines: list[tuple[str, ...]] = [("match", "when (UTC)", "state", "rules", "played", "points")]
    for path, found in rows:
        if isinstance(found, RecordError):
            lines.append((path.stem, "", "damaged", str(found), "", ""))
        else:
            lines.append(
                (
                    _called(path, found),
                    _when(found),
                    found.state.value,
                    found.rules,
                    _played(found),
                    ", ".join(f"{bot} {points}" for bot, points in found.points.items()),
                )
            )
    return "\n".join(line.rstrip() for line in columns(lines))


def _called(path: Path, found: Summary) -> str:
    """Returns the match id, with the file's name where that is another."""
    match_id = found.opened.match_id
    return match_id if path.stem == match_id else f"{match_id} ({path.name})"


def overview(summary: Summary, entries: Iterable[Entry]) -> str:
    """Returns what a match is about, and its boards.

    Args:
        summary: The match.
        entries: Its entries, read for the boards unless the record is large.
    """
    rows = [
        ("match", summary.opened.match_id),
        ("when", f"{_when(summary)} UTC"),
        ("state", _STATES[summary.state] + (f": {summary.damage}" if summary.damage else "")),
        ("rules", summary.rules),
        ("played", f"{_played(summary)}, {summary.decisions} decisions"),
        ("points", ", ".join(f"{bot} {points}" for bot, points in summary.points.items())),
        ("record", str(summary.path)),
    ]
    lines = [*columns(rows), ""]
    if summary.path.stat().st_size <= _LARGEST_READ_THROUGH:
        read = list(entries)
        lines += _resumptions(summary, read)
        lines += _boards(summary, read)
    return "\n".join(line.rstrip() for line in lines)


def _resumptions(summary: Summary, entries: Iterable[Entry]) -> Iterator[str]:
    """Yields when another arena went on with the match, after the one before was killed."""
    said = False
    for entry in entries:
        if isinstance(entry.fact, MatchResumed):
            later = entry.fact.resumed_unix_ms - summary.opened.started_unix_ms
            yield f"Its arena was killed; another went on {max(0, later) // 1000} s after the start"
            said = True
    if said:
        yield ""


def _boards(summary: Summary, entries: Iterable[Entry]) -> Iterator[str]:
    """Yields the points of each bot on the first boards, over all seatings."""
    points: dict[int, dict[str, int]] = {}
    void: set[int] = set()
    for table in tables_of(entries):
        board = points.setdefault(table.opened.board, dict.fromkeys(summary.opened.bot_names, 0))
        for bot, score in counted_points(table).items():
            board[bot] += score
        if table.ended is not None and table.ended.blame is Blame.ARENA:
            void.add(table.opened.board)
    if not points:
        return
    names = summary.opened.bot_names
    shown = sorted(points)[:_BOARDS_SHOWN]
    rows = [(summary.mode, *names)]
    rows += [
        (str(board), *("void" if board in void else str(points[board][name]) for name in names))
        for board in shown
    ]
    yield "Points over all seatings"
    yield from columns(rows, right=range(len(names) + 1))
    if len(points) > len(shown):
        yield f"  ... and {len(points) - len(shown)} more"
    yield ""


def _when(summary: Summary) -> str:
    try:
        moment = datetime.fromtimestamp(summary.opened.started_unix_ms / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return "?"
    return f"{moment:%Y-%m-%d %H:%M}"


def _played(summary: Summary) -> str:
    begun = f" and {summary.boards_incomplete} incomplete" if summary.boards_incomplete else ""
    return f"{_count(summary.boards, summary.mode)}{begun}, {_count(summary.hands, 'hand')}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
