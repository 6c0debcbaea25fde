"""Owns the playing of one leg's tables: so many open at once, until none is left.

Must not know processes, tokens or what the results amount to.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from euchre_server.hosting.seams import Room
    from euchre_server.referee.result import TableResult
    from euchre_server.referee.spec import TableSpec

__all__ = ["LegPlay"]


class LegPlay:
    """Keeps tables open; each result makes room for the next table."""

    def __init__(
        self,
        tables: Iterator[TableSpec],
        *,
        at_once: int,
        room: Room,
        open_table: Callable[[TableSpec], asyncio.Future[TableResult]],
        on_result: Callable[[TableResult], None],
    ) -> None:
        """Prepares a leg.

        Args:
            tables: The tables, in the order of the schedule; the next is asked for when there is
                room for it.
            at_once: How many to keep open, at most.
            room: Asked before each of them.
            open_table: Opens one.
            on_result: Is told of each that has ended.
        """
        self._tables = tables
        self._next: TableSpec | None = None
        self._open_count = 0
        self._at_once = at_once
        self._room = room
        self._open_table = open_table
        self._on_result = on_result
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def play(self) -> None:
        """Plays to the end, or until its tables rest.

        Raises:
            Exception: Whatever a table failed with; no further one was opened.
        """
        self._next = next(self._tables, None)
        self._fill()
        await self._over

    def open_no_more(self) -> None:
        """Lets the open tables end, without opening others."""
        self._next = None
        self._room.withdraw()
        self._fill()

    def _fill(self) -> None:
        """Opens what there is room for; called again when there may be more."""
        try:
            while self._next is not None and self._open_count < self._at_once:
                if not self._room.take(self._fill):
                    break
                spec, self._next = self._next, None
                self._open_count += 1
                self._open_table(spec).add_done_callback(self._ended)
                self._next = next(self._tables, None)
        except BaseException as error:  # noqa: BLE001  # nobody else would hear of it
            self._failed(error)
        if self._next is None and not self._open_count and not self._over.done():
            self._over.set_result(None)

    def _ended(self, table: asyncio.Future[TableResult]) -> None:
        self._open_count -= 1
        self._room.give()
        if table.cancelled():  # it rests, and so does the leg
            self.open_no_more()
            return
        try:
            self._on_result(table.result())
        except BaseException as error:  # noqa: BLE001  # nobody else would hear of it
            self._failed(error)
        self._fill()

    def _failed(self, error: BaseException) -> None:
        self._next = None
        self._room.withdraw()
        if not self._over.done():
            self._over.set_exception(error)
