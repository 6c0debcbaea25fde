"""Owns the playing of one leg's tables: so many open at once, until none is left.

When the arena lags, no table is opened beside others: what is open becomes less until it keeps up.
Many are opened a few at a time, so that the opening itself makes no lag.
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

_AT_A_TIME = 4
_LOOK_AGAIN_S = 0.1


class LegPlay:
    """Keeps tables open; each result makes room for the next table."""

    def __init__(
        self,
        tables: Iterator[TableSpec],
        *,
        at_once: int,
        room: Room,
        is_lagging: Callable[[], bool],
        open_table: Callable[[TableSpec], asyncio.Future[TableResult]],
        on_result: Callable[[TableResult], None],
    ) -> None:
        """Prepares a leg.

        Args:
            tables: The tables, in the order of the schedule; the next is asked for when there is
                room for it.
            at_once: How many to keep open, at most.
            room: Asked before each of them.
            is_lagging: Tells whether the arena has been late of late.
            open_table: Opens one.
            on_result: Is told of each that has ended.
        """
        self._tables = tables
        self._next: TableSpec | None = None
        self._open_count = 0
        self._at_once = at_once
        self._room = room
        self._is_lagging = is_lagging
        self._again: asyncio.Handle | None = None
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

    def _later(self, delay_s: float) -> None:
        """Looks again whether more can be opened, after a while."""
        if self._again is None:
            self._again = asyncio.get_running_loop().call_later(delay_s, self._look_again)

    def _look_again(self) -> None:
        self._again = None
        self._fill()

    def _fill(self) -> None:
        """Opens what there is room for; called again when there may be more."""
        few = _AT_A_TIME
        try:
            while self._next is not None and self._open_count < self._at_once:
                if not few:
                    self._later(0)
                    break
                if self._open_count and self._is_lagging():
                    self._later(_LOOK_AGAIN_S)
                    break
                few -= 1
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
