"""Owns the finding of a board's hands in a record that is still being written.

Where each table's entries lie is learnt in one pass over the record, which goes on from where it
stood when it is asked again. Hands are given with all cards open where the option `reveal` lets
them be shown, else as the public saw them; whether a board may be shown at all is not judged here.
Must not know who asks.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

from euchre_engine.option_values import Reveal
from euchre_server.record.entries import RecordError, TableOpened
from euchre_server.record.export import seen_object
from euchre_server.record.reader import read_span
from euchre_server.record.redact import PUBLIC, REVEALED, redact
from euchre_server.record.tables import tables_of
from euchre_server.referee.facts import TableEnded
from euchre_server.session import PublicHand

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from euchre_server.record.entries import Entry

__all__ = ["Shelf"]


class Shelf:
    """The hands of one record."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read_to = 0
        self._spans: dict[int, tuple[int, int]] = {}  # by table: where it begins and ends
        self._begun: dict[int, tuple[int, int]] = {}  # by table: its board, and where it begins
        self._tables: defaultdict[int, list[int]] = defaultdict(list)  # by board

    def hands_of(self, board: int) -> list[PublicHand]:
        """Returns the hands of a board whose tables have ended, as everybody may know them now.

        Raises:
            RecordError: The record cannot be read.
        """
        self._catch_up()
        return [hand for table in sorted(self._tables[board]) for hand in self._hands(table)]

    def _catch_up(self) -> None:
        for start, end, entry in read_span(self._path, self._read_to):
            number = entry.table_number
            if isinstance(entry.fact, TableOpened):
                self._begun[number] = (entry.fact.board, start)
            elif isinstance(entry.fact, TableEnded) and number in self._begun:
                board, begin = self._begun.pop(number)
                self._spans[number] = (begin, end)
                self._tables[board].append(number)
            self._read_to = end

    def _hands(self, table: int) -> Iterator[PublicHand]:
        for play in tables_of(self._entries(table)):
            # A board is released when its games are over, so both ways to reveal come to the same.
            hidden = play.opened.rules.reveal is Reveal.NEVER
            for hand in play.hands:
                seen = redact(play, hand, PUBLIC if hidden else REVEALED)
                yield PublicHand(
                    board=play.opened.board,
                    seating=play.opened.seating,
                    hand_number=hand.started.hand_number,
                    json=json.dumps(
                        seen_object(seen) | {"match": self._path.stem}, ensure_ascii=False
                    ),
                )

    def _entries(self, table: int) -> Iterator[Entry]:
        begin, end = self._spans[table]
        for _, stop, entry in read_span(self._path, begin):
            if entry.table_number == table:
                yield entry
            if stop >= end:
                return
        raise RecordError(f"the end of table {table} is not where it was")
