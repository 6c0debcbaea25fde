"""Owns how matches of a serving arena are shown: lists, standings, and a bar for who watches."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import click
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from euchre_server.cli.match_report import print_tables
from euchre_server.cli.terminal_bar import TerminalBar
from euchre_server.record.show import columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.progress import TaskID

__all__ = ["Watching", "print_cancelled", "print_list", "print_match"]


_OVER: Final = ("finished", "stopped")


class Watching(TerminalBar):
    """Shows how a match goes: a bar on a terminal, a line for what is new elsewhere."""

    def __init__(self, *, quiet: bool) -> None:
        """Prepares to show.

        Args:
            quiet: Whether nothing is shown at all.
        """
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed} of {task.total} tables"),
            TimeElapsedColumn(),
            wanted=not quiet,
        )
        self._quiet = quiet
        self._told: set[str] = set()
        self._task: TaskID | None = None

    def tell(self, match: Mapping[str, Any]) -> None:
        """Shows how it stands now."""
        if self._quiet:
            return
        progress = match["progress"]
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task("", total=progress["tables"])
            leg = f", leg {progress['leg']}" if progress["leg"] else ""
            self._bar.update(
                self._task, description=f"{match['state']}{leg}", completed=progress["tables_ended"]
            )
        for sentence in (match["note"], *match["troubles"]):
            if sentence and sentence not in self._told:
                self._told.add(sentence)
                self._console.print(Text(sentence))


def print_list(matches: Sequence[Mapping[str, Any]]) -> None:
    """Prints matches, one a line."""
    if not matches:
        click.echo("no matches", err=True)
        return
    rows = [("match", "created", "state", "rules", "bots", "tables", "by")]
    rows += [
        (
            match["match_id"],
            f"{datetime.fromtimestamp(match['created_unix_ms'] / 1000, UTC):%Y-%m-%d %H:%M}",
            match["state"],
            match["rules"]["preset"],
            " ".join(bot["bot"] for bot in match["bots"]),
            f"{match['progress']['tables_ended']}/{match['progress']['tables']}",
            match["created_by"],
        )
        for match in matches
    ]
    for line in columns(rows):
        click.echo(line)


def print_match(match: Mapping[str, Any]) -> None:
    """Prints how a match stands, with the tables of ``match``."""
    progress = match["progress"]
    unit = f"{match['mode']}s"
    click.echo(
        f"{match['match_id']}: {match['state']}; {match['rules']['preset']}, "
        f"{progress['tables_ended']:,} of {progress['tables']:,} tables ended, "
        f"{progress['tables_open']:,} open; {match['boards']:,} of {match['boards_asked']:,} "
        f"{unit} released"
    )
    if match["note"]:
        click.echo(match["note"])
    if match["standings"]:
        print_tables(match)
    for trouble in match["troubles"]:
        click.echo(trouble)


def print_cancelled(before: Mapping[str, Any], match: Mapping[str, Any]) -> None:
    """Prints what has become of a match that is to be stopped.

    Args:
        before: The match as it stood before.
        match: The match as it stands now.
    """
    match_id, state = match["match_id"], match["state"]
    if before["state"] in _OVER:
        click.echo(f"{match_id} was {before['state']} already; nothing has changed")
    elif state in {"queued", "playing"}:
        click.echo(f"{match_id} is being stopped; what was played is kept")
    else:
        click.echo(f"{match_id}: {state}" + (f"; {match['note']}" if match["note"] else ""))
