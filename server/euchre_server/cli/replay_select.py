"""Owns which hands of a record a command is about."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from euchre_server.record.tables import tables_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from euchre_server.record.entries import Entry
    from euchre_server.record.tables import HandPlay, TablePlay

__all__ = ["Selection"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A choice of hands; what is None is not restricted."""

    board: int | None = None
    game: int | None = None
    seating: int | None = None
    table: int | None = None
    hand: int | None = None

    @property
    def is_empty(self) -> bool:
        """Returns whether nothing was chosen."""
        return not any(self._chosen())

    def tables(self, entries: Iterable[Entry]) -> Iterator[TablePlay]:
        """Yields the tables that hands are chosen from.

        Raises:
            RecordError: As the entries do.
        """
        return filter(self._wants, tables_of(entries))

    def hands(self, table: TablePlay) -> Iterator[HandPlay]:
        """Yields the hands chosen of one of these tables."""
        return (hand for hand in table.hands if self.hand in (None, hand.started.hand_number))

    def _wants(self, table: TablePlay) -> bool:
        return (
            self.board in (None, table.board)
            and self.game in (None, table.game)
            and self.seating in (None, table.opened.seating)
            and self.table in (None, table.number)
        )

    def _chosen(self) -> Iterator[str]:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                yield f"{field.name} {value}"

    def __str__(self) -> str:
        return ", ".join(self._chosen())
