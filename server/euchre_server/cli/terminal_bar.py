"""Owns a bar that shows progress where stderr is a terminal; must not know what is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from rich.progress import ProgressColumn

__all__ = ["TerminalBar"]


class TerminalBar:
    """Shows a bar as long as its context lasts; elsewhere it has a console alone."""

    def __init__(self, *columns: ProgressColumn, wanted: bool) -> None:
        """Prepares to show.

        Args:
            columns: What stands in the bar's line.
            wanted: Whether there is to be a bar, if there is a terminal.
        """
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
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
