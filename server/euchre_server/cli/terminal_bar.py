"""Owns a bar that shows progress where stderr is a terminal; must not know what is counted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress

from euchre_server.cli.unheard import unheard

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from rich.progress import ProgressColumn

__all__ = ["TerminalBar"]


class TerminalBar:
    """Shows a bar as long as its context lasts; elsewhere it has a console alone."""

    def __init__(self, *columns: ProgressColumn, wanted: bool, goes_on: bool = False) -> None:
        """Prepares to show.

        Args:
            columns: What stands in the bar's line.
            wanted: Whether there is to be a bar, if there is a terminal.
            goes_on: Whether what is shown goes on when nobody reads it any more.
        """
        self._console = Console(
            file=unheard(sys.stderr) if goes_on else None,
            stderr=True,
            highlight=False,
            soft_wrap=True,
        )
        self._bar = (
            Progress(*columns, console=self._console, transient=True)
            if self._console.is_terminal and wanted
            else None
        )

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
