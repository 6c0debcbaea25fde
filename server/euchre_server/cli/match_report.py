"""Owns how a match is shown to a person: the line at its start, its progress, its tables.

Everything on the way goes to stderr, as log events where those are for a machine; the result to
stdout. Must not know how a match is run.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from euchre_server.cli.terminal_bar import TerminalBar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.progress import TaskID
    from structlog.typing import FilteringBoundLogger

    from euchre_server.match.schedule import Leg
    from euchre_server.match.spec import MatchSpec
    from euchre_server.match.tally import Tally

__all__ = ["Narrator", "print_result", "print_tables"]

_FILE_WIDTH: Final = 120
_RATE_EVERY_S: Final = 0.5
_MIB: Final = 1 << 20


class Narrator(TerminalBar):
    """Tells how a match goes: a bar on a terminal, a line a leg elsewhere, or only troubles."""

    def __init__(
        self,
        spec: MatchSpec,
        *,
        quiet: bool,
        log: FilteringBoundLogger | None = None,
        played: int = 0,
        tls: bool = False,
    ) -> None:
        """Prepares to tell.

        Args:
            spec: The match.
            quiet: Whether to tell troubles only.
            log: Where all is told instead, as events; None to print it.
            played: How many tables were played before the match was gone on with.
            tls: Whether who dials must do it with TLS.
        """
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn(f"{{task.fields[boards]}} of {{task.fields[all]}} {spec.mode.value}s"),
            TextColumn("{task.fields[rate]} decisions/s"),
            TimeElapsedColumn(),
            wanted=not quiet and log is None,
            goes_on=True,
        )
        self._spec = spec
        self._quiet = quiet
        self._log = log
        self._tls = tls
        self._seatings = spec.field.seating_count
        self._legs = self._seatings
        self._ended = played
        self._rate_at = time.monotonic()
        self._rate_from = 0
        self._task: TaskID | None = None

    def leg_began(self, leg: Leg) -> None:
        """Shows which leg is being played."""
        self._legs = max(self._legs, -(-leg.number // self._seatings) * self._seatings)
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task(
                    "", total=self._spec.boards * self._seatings, boards=0, rate="-", all=0
                )
            self._bar.update(
                self._task,
                description=f"leg {leg.number} of {self._legs}",
                all=self._spec.boards,
            )
        elif not self._quiet:
            many = _many(len(leg.boards), self._spec.mode.value)
            self._say(f"leg {leg.number} of {self._legs}: {many}", logging.INFO)

    def table_ended(self, tally: Tally, board: int) -> None:
        """Counts a table."""
        del board
        self._ended += 1
        if self._bar is None or self._task is None:
            return
        self._bar.update(self._task, completed=self._ended, boards=tally.complete_count)
        now = time.monotonic()
        if now - self._rate_at >= _RATE_EVERY_S:
            rate = (tally.decision_count - self._rate_from) / (now - self._rate_at)
            self._rate_at, self._rate_from = now, tally.decision_count
            self._bar.update(self._task, rate=f"{rate:,.0f}")

    def remote_awaited(self, player: str, address: str, token: str) -> None:
        """Prints, once, what the owner of a remote bot needs."""
        trusted = " EUCHRE_ARENA_TLS_CA=FILE, this arena's CA: see docs/operations.md"
        self._say(
            f"waiting for bot {player!r}; start it with EUCHRE_ARENA_SERVER={address} "
            f"EUCHRE_ARENA_TOKEN={token} EUCHRE_ARENA_BOT={player}{trusted if self._tls else ''}"
        )

    def not_isolated(self, why: str) -> None:
        """Says, once, that bots run without isolation though nobody asked for that."""
        if not self._quiet:
            self._say(f"bots run without isolation: {why}; see docs/isolation.md")

    def trouble(self, sentence: str, output: str) -> None:
        """Prints what went wrong with a bot, and what it printed last."""
        self._say("\n".join([sentence, *(f"  | {line}" for line in output.splitlines())]))

    def tell(self, sentence: str) -> None:
        """Prints a sentence of the program itself."""
        self._say(sentence if self._log is not None else f"euchre-arena: {sentence}")

    def _say(self, text: str, level: int = logging.WARNING) -> None:
        if self._log is not None:
            self._log.log(level, text)
        else:
            self._console.print(Text(text))


def print_result(result: Mapping[str, Any], *, show_command: str) -> None:
    """Prints the result of a match as tables.

    Args:
        result: The object of `match_result`.
        show_command: The command that shows the record.
    """
    console = _console()
    console.print(Text(_headline(result)))
    print_tables(result)
    for line in _remarks(result):
        console.print(Text(line), soft_wrap=True)
    console.print(Text(f"record: {result['record']}"), soft_wrap=True)
    console.print(Text(f"show it: {show_command}"), soft_wrap=True)


def print_tables(result: Mapping[str, Any]) -> None:
    """Prints the standings and comparisons of a result."""
    console = _console()
    console.print(_standings_table(result))
    console.print(_comparison_table(result))


def _console() -> Console:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _FILE_WIDTH
    return console


def _headline(result: Mapping[str, Any]) -> str:
    return (
        f"{result['rules']['preset']}: {_many(result['boards'], result['mode'])} in every seating, "
        f"{_many(result['hands'], 'hand')}, {_many(result['decisions'], 'decision')} "
        f"in {result['seconds']:.1f} s"
    )


def _standings_table(result: Mapping[str, Any]) -> Table:
    table = Table("bot", title="Standings", title_justify="left")
    for heading in ("hands", "points", "points a hand", "95 % interval", "won", "faults"):
        table.add_column(heading, justify="right")
    table.add_column("isolation")
    table.add_column("memory")
    for row in result["standings"]:
        table.add_row(
            Text(row["bot"]),
            f"{row['hands']:,}",
            f"{row['points']:,}",
            _number(row["points_per_hand"]),
            _interval(row["ci95"]),
            f"{row['wins']:,}",
            _faults(row["faults"]),
            row["isolation"],
            row["memory"],
        )
    return table


def _comparison_table(result: Mapping[str, Any]) -> Table:
    together = len(result["comparisons"]) > 1
    unit = "board" if result["mode"] == "board" else "game"
    table = Table("pair", title=f"Difference in points a {unit}")
    table.title_justify = "left"
    heading = "95 % interval, all pairs" if together else "95 % interval"
    for name in ("difference", heading, f"{unit}s"):
        table.add_column(name, justify="right")
    for row in result["comparisons"]:
        table.add_row(
            Text(f"{row['a']} - {row['b']}"),
            _number(row["mean_per_board"], signed=True),
            _interval(row["ci95"], signed=True),
            f"{row['boards']:,}",
        )
    return table


def _remarks(result: Mapping[str, Any]) -> list[str]:
    unit = "board" if result["mode"] == "board" else "game"
    remarks = [f"a {unit}'s points are those of all its seatings together"]
    if result["boards_void"]:
        listed = ", ".join(map(str, result["boards_void"]))
        remarks.append(f"void, since the arena failed: {unit}s {listed}")
    if result["boards_incomplete"]:
        one = result["boards_incomplete"] == 1
        remarks.append(
            f"{_many(result['boards_incomplete'], unit)} {'was' if one else 'were'} not played in "
            f"every seating; {'it counts' if one else 'they count'} in the standings, not in the "
            "comparisons"
        )
    if result["public_seed"]:
        remarks.append("unrated: the deals come from a seed that others may know")
    elif not result["rated"]:
        remarks.append("unrated: the budget for a decision is under 50 ms")
    remarks += [
        f"{row['bot']} computed for {row['cpu_seconds']:,.1f} s and held at most "
        f"{row['memory_bytes'] / _MIB:,.0f} MiB in memory"
        for row in result["usage"]
    ]
    return remarks


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _faults(faults: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in faults.items() if number) or "none"


def _number(value: float | None, *, signed: bool = False) -> str:
    if value is None:
        return "-"
    return f"{value:+.3f}" if signed else f"{value:.3f}"


def _interval(ends: Sequence[float] | None, *, signed: bool = False) -> str:
    if ends is None:
        return "-"
    return " to ".join(_number(end, signed=signed) for end in ends)
