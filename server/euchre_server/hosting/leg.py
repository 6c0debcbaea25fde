"""Owns the playing of one leg's tables: so many open at once, until none is left.

Must not know processes, tokens or what the results amount to.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
        open_table: Callable[[TableSpec], asyncio.Future[TableResult]],
        on_result: Callable[[TableResult], None],
    ) -> None:
        """Prepares a leg.

        Args:
            tables: The tables, in the order of the schedule; the next is asked for when there is
                room for it.
            at_once: How many to keep open.
            open_table: Opens one.
            on_result: Is told of each that has ended.
        """
        self._tables: Iterator[TableSpec] | None = tables
        self._room = at_once
        self._at_once = at_once
        self._open_table = open_table
        self._on_result = on_result
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def play(self) -> None:
        """Plays to the end.

        Raises:
            Exception: Whatever a table failed with; no further one was opened.
        """
        self._fill()
        await self._over

    def open_no_more(self) -> None:
        """Lets the open tables end, without opening others."""
        self._tables = None

    def _fill(self) -> None:
        while self._room and self._tables is not None:
            spec = next(self._tables, None)
            if spec is None:
                self._tables = None
                break
            self._room -= 1
            self._open_table(spec).add_done_callback(self._ended)
        if self._room == self._at_once and not self._over.done():
            self._over.set_result(None)

    def _ended(self, table: asyncio.Future[TableResult]) -> None:
        self._room += 1
        try:
            self._on_result(table.result())
            self._fill()
        except BaseException as error:  # noqa: BLE001  # nobody else would hear of it
            self._tables = None
            if not self._over.done():
                self._over.set_exception(error)
