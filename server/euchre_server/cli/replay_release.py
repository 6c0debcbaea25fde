"""Owns what ``replay`` leaves out of a match that is not over: deals that are still played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from euchre_server.cli.failure import CommandFailed
from euchre_server.record.entries import TableOpened
from euchre_server.record.reader import is_being_written
from euchre_server.record.release import released_boards
from euchre_server.record.store import has_secret
from euchre_server.record.summary import RecordState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from euchre_server.cli.replay_select import Selection
    from euchre_server.record.entries import Entry
    from euchre_server.record.summary import Summary
    from euchre_server.record.tables import TablePlay

__all__ = ["Release", "unfinished_option"]

_OVER: Final = (RecordState.SEALED, RecordState.STOPPED, RecordState.SEALED_DAMAGED)
"""Any other match may go on, a damaged one when its record is restored from a copy."""

unfinished_option = click.option(
    "--unfinished",
    is_flag=True,
    help="Also the deals of a match that was cut off which would be played again if it went on.",
)


@dataclass(frozen=True, slots=True)
class Release:
    """Which deals of a record may be shown."""

    summary: Summary
    shown: frozenset[int] | None = None
    """Their boards; None for all. The record may grow meanwhile: no other is shown."""
    withheld: frozenset[int] = frozenset()
    """Those of the others."""

    @classmethod
    def of(cls, summary: Summary, entries: Iterable[Entry], *, unfinished: bool) -> Release:
        """Returns what may be shown of a record.

        Args:
            summary: The record.
            entries: What is good of it; read only where the match is not over.
            unfinished: Whether somebody asked for all of a match that was cut off.

        Raises:
            CommandFailed: Somebody did, and the match is still being played.
        """
        over = summary.state in _OVER
        playing = not over and is_being_written(summary.path)
        if playing and unfinished:
            raise CommandFailed(
                f"{summary.opened.match_id} is still being played: what its tables have yet to "
                "play is shown to nobody; leave --unfinished out"
            )
        cut_off = not over and has_secret(summary.path)
        if unfinished or not (playing or cut_off):
            return cls(summary)
        return cls(summary, *released_boards(entries, summary.seatings))

    def of_tables(self, tables: Iterable[TablePlay]) -> Iterator[TablePlay]:
        """Yields the tables that may be shown."""
        return (table for table in tables if self._shows(table.opened.board))

    def of_entries(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yields the entries of the match and of the tables that may be shown."""
        left_out: set[int] = set()
        for entry in entries:
            if isinstance(entry.fact, TableOpened) and not self._shows(entry.fact.board):
                left_out.add(entry.table_number)
            if entry.table_number not in left_out:
                yield entry

    def _shows(self, board: int) -> bool:
        return self.shown is None or board in self.shown

    def words(self, selection: Selection) -> str:
        """Returns why nothing of a choice is shown."""
        what = f"{selection} of it" if str(selection) else "it"
        sentence = (
            f"{self.summary.opened.match_id} is not over: {what} is shown when every table that "
            "plays the same deal has ended"
        )
        if self.summary.state is not RecordState.RUNNING:
            sentence += "; if the match will never go on, add --unfinished"
        return sentence
