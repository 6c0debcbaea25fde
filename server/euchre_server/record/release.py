"""Owns which deals of an unfinished match may be shown: those that no table will play any more.

Until every table that plays a deal has ended nothing of it may be told, since the same cards wait
for others (DESIGN.md section 7). Must not know files or who asks.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from euchre_server.record.entries import TableOpened
from euchre_server.referee.facts import Blame, EndCause, TableEnded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from euchre_server.record.entries import Entry

__all__ = ["Released", "released_boards"]


class Released(NamedTuple):
    """The boards, or games, of a match that has begun them."""

    boards: frozenset[int]
    """Those whose deals may be shown."""
    withheld: frozenset[int]


def released_boards(entries: Iterable[Entry], seating_count: int) -> Released:
    """Returns which deals may be shown while a match is not over.

    Those that were played in every seating, or are void: then their other tables are left out.

    Args:
        entries: The record of the match, as far as it goes.
        seating_count: How many tables play each deal.

    Raises:
        RecordError: As the entries do.
    """
    board_of: dict[int, int] = {}
    still_open: Counter[int] = Counter()
    ended: Counter[int] = Counter()
    void: set[int] = set()
    for entry in entries:
        match entry.fact:
            case TableOpened(board=board):
                board_of[entry.table_number] = board
                still_open[board] += 1
            case TableEnded() as ending if entry.table_number in board_of:
                board = board_of[entry.table_number]
                still_open[board] -= 1
                ended[board] += ending.cause is not EndCause.STOPPED
                if ending.blame is Blame.ARENA:
                    void.add(board)
            case _:
                pass
    released = frozenset(
        board
        for board, count in ended.items()
        if not still_open[board] and (count >= seating_count or board in void)
    )
    return Released(released, frozenset(still_open) - released)
