"""Owns ``euchre-arena replay``: list, show, verify and export what was recorded.

Finds records, hands them to `record/`, prints what comes back. It judges nothing itself.
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

import click

from euchre_server.cli.failure import CommandFailed, ExitStatus
from euchre_server.cli.invoked import invoked
from euchre_server.cli.parsed import Count
from euchre_server.cli.replay_find import data_option, find_record
from euchre_server.cli.replay_output import check_output, export_file, output_option
from euchre_server.cli.replay_release import Release, unfinished_option
from euchre_server.cli.replay_select import Selection
from euchre_server.cli.replay_text import listing, overview
from euchre_server.cli.unheard import reader_may_leave
from euchre_server.record.checking import verify_file
from euchre_server.record.entries import RecordDamaged, RecordError, RecordTorn
from euchre_server.record.export import export_lines, seen_object
from euchre_server.record.reader import read_record, records_in
from euchre_server.record.redact import PUBLIC, REFEREE, SeenHand, redact
from euchre_server.record.show import hand_text, undealt_text
from euchre_server.record.store import StoreError
from euchre_server.record.summary import RecordState, summarise
from euchre_server.record.tables import tables_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from euchre_engine import Seat
    from euchre_server.record.entries import Entry
    from euchre_server.record.redact import Audience
    from euchre_server.record.summary import Summary
    from euchre_server.record.tables import TablePlay

__all__ = ["replay_group"]

_BETWEEN = "\n" + "-" * 72 + "\n\n"


@click.group("replay")
def replay_group() -> None:
    """List, show, check and export recorded matches.

    A RECORD is a file, a match id or the beginning of one; without it the newest is meant.
    """


@replay_group.command("list")
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def list_command(data: Path, *, as_json: bool) -> None:
    """List the matches in the data folder, the newest first."""
    with _record_errors(data):
        if not data.is_dir():
            raise StoreError(f"there is no data folder {data}; name yours with --data DIR")
        rows = [_summary_or_error(path) for path in records_in(data)]
    if as_json:
        click.echo(json.dumps([_listed(path, found) for path, found in rows], indent=2))
    elif rows:
        _say(listing(rows))
    else:
        click.echo(f"no records in {data} yet")


@replay_group.command("show")
@click.argument("record", required=False)
@data_option
@click.option("--board", type=Count(1), help="Only this board.")
@click.option("--game", type=Count(1), help="Only this game.")
@click.option("--seating", type=Count(1), help="Only this seating of a board.")
@click.option("--table", type=Count(1), help="Only this table.")
@click.option("--hand", type=Count(1), help="Only this hand of a game.")
@click.option("--seat", type=Count(0), help="Only what this seat knew.")
@click.option("--public", is_flag=True, help="Only what an onlooker knew.")
@unfinished_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def show_command(
    context: click.Context,
    record: str | None,
    data: Path,
    *,
    board: int | None,
    game: int | None,
    seating: int | None,
    table: int | None,
    hand: int | None,
    seat: Seat | None,
    public: bool,
    unfinished: bool,
    as_json: bool,
) -> None:
    """Show hands: the deal, the bidding, every trick, and what it counted.

    Without a choice of board, game, table or hand: what the match is about, and its first hand.
    """
    if public and seat is not None:
        raise click.UsageError("choose --seat or --public, not both")
    audience: Audience = PUBLIC if public else REFEREE if seat is None else seat
    selection = Selection(board=board, game=game, seating=seating, table=table, hand=hand)
    path = _found(record, data)
    with _record_errors(path):
        summary = summarise(path)
        release = Release.of(summary, _good_entries(summary), unfinished=unfinished)
        tables = release.of_tables(selection.tables(_good_entries(summary)))
        shown = _shown(tables, selection, audience)
        if selection.is_empty:
            first = list(islice(shown, 1))
            shown = iter(first)
        _note_state(summary, release)
        if as_json:
            hands = [seen_object(seen) for seen in shown if isinstance(seen, SeenHand)]
            click.echo(json.dumps({"match": summary.to_json(), "hands": hands}, indent=2))
            context.exit(_status(summary))
        if selection.is_empty:
            entries = release.of_entries(_good_entries(summary))
            another = _show_words(path, first, unfinished=unfinished)
            _say("\n".join([overview(summary, entries), *another, ""]))
        count = 0
        for count, seen in enumerate(shown, 1):
            text = hand_text(seen) if isinstance(seen, SeenHand) else undealt_text(seen)
            _say(_BETWEEN + text if count > 1 else text)
        if not count and release.withheld:
            raise CommandFailed(release.words(selection))
        if not count and not selection.is_empty:
            raise CommandFailed(
                f"{summary.opened.match_id} has no hand at {selection}; "
                f"see what it has with: {invoked('replay', 'show', str(path))}"
            )
    context.exit(_status(summary))


@replay_group.command("verify")
@click.argument("records", metavar="[RECORD]...", nargs=-1)
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a record.")
@click.pass_context
def verify_command(
    context: click.Context, records: tuple[str, ...], data: Path, *, as_json: bool
) -> None:
    """Deal, rule and score everything again from the file alone.

    Names the first entry that disagrees. Exit status 0: all is as recorded; 1: it is not, or the
    record was never sealed; 2: there is no such file.
    """
    worst = ExitStatus.DONE
    for record in records or (None,):
        try:
            path = _found(record, data)
            with _record_errors(path):
                verdict = verify_file(path)
        except CommandFailed as error:
            if len(records) < 2:  # one record: this is how the command ends
                raise
            click.echo(f"{record}: {error.message}", err=True)
            worst = max(worst, error.status)
            continue
        with reader_may_leave():
            if as_json:
                click.echo(json.dumps({"record": str(path), **verdict.to_json()}))
            else:
                click.echo(f"{path}: {verdict}")
        worst = max(worst, ExitStatus.DONE if verdict.is_good else ExitStatus.FINDING)
    context.exit(worst)


@replay_group.command("export")
@click.argument("record", required=False)
@data_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl"]),
    default="jsonl",
    show_default=True,
    help="One JSON object a line, one line a hand.",
)
@output_option
@unfinished_option
@click.option("--json", "as_json", is_flag=True, help="The same as --format jsonl.")
@click.pass_context
def export_command(
    context: click.Context,
    record: str | None,
    data: Path,
    *,
    form: str,
    output: Path | None,
    unfinished: bool,
    as_json: bool,
) -> None:
    """Write every hand of a match for other programs, hidden cards and all."""
    del form, as_json  # there is one form so far
    path = _found(record, data)
    with _record_errors(path):
        check_output(output, path)
        summary = summarise(path)
        release = Release.of(summary, _good_entries(summary), unfinished=unfinished)
        tables = release.of_tables(tables_of(_good_entries(summary)))
        _note_state(summary, release)
        with export_file(output, whole=summary.damage is None) as file:
            for line in export_lines(tables):
                file.write(json.dumps(line) + "\n")
    context.exit(_status(summary))


@contextmanager
def _record_errors(path: Path) -> Iterator[None]:
    """Turns what is wrong with a record into one sentence, which names it, and its exit status."""
    try:
        yield
    except StoreError as error:
        raise CommandFailed(str(error)) from None
    except RecordError as error:
        raise CommandFailed(f"{path}: {error}", ExitStatus.FINDING) from None


def _found(record: str | None, data: Path) -> Path:
    with _record_errors(data):
        return find_record(record, data)


def _good_entries(summary: Summary) -> Iterator[Entry]:
    """Yields the entries of a record up to where its writer was cut off, or to known damage."""
    try:
        yield from read_record(summary.path)
    except RecordTorn:
        return
    except RecordDamaged:
        if summary.damage is None:
            raise


def _status(summary: Summary) -> ExitStatus:
    """Returns how a command ends that gave what is good of a record."""
    return ExitStatus.DONE if summary.damage is None else ExitStatus.FINDING


def _note_state(summary: Summary, release: Release) -> None:
    """Says on standard error that a record is not finished, or damaged, and what is left out."""
    match summary.state:
        case RecordState.RUNNING:
            said = "unsealed: the match is still being played"
        case RecordState.UNSEALED:
            said = "unsealed: the match was cut off before its end"
        case RecordState.DAMAGED | RecordState.SEALED_DAMAGED:
            said = f"{summary.state.value}: {summary.damage}"
        case _:
            return
    more = "; deals that are not over are left out" if release.withheld else ""
    click.echo(f"{summary.opened.match_id} is {said}{more}", err=True)


def _shown(
    tables: Iterable[TablePlay], selection: Selection, audience: Audience
) -> Iterator[SeenHand | TablePlay]:
    """Yields the hands chosen, and the tables at which none was dealt."""
    for table in tables:
        knows = _checked(audience, table.opened.rules.seat_count)
        for hand in selection.hands(table):
            yield redact(table, hand, knows)
        if not table.hands and selection.hand is None:
            yield table


def _show_words(
    path: Path, first: Iterable[SeenHand | TablePlay], *, unfinished: bool
) -> Iterator[str]:
    """Yields how more of a record is seen, by the first table that may be."""
    for seen in first:
        table = seen.table if isinstance(seen, SeenHand) else seen
        which = f"--game {table.game}" if table.board is None else f"--board {table.board}"
        show = f"{which} --seating {table.opened.seating}{' --unfinished' if unfinished else ''}"
        yield f"One of them: {invoked('replay', 'show', str(path))} {show}"
        yield "As a seat knew it: add --seat 0, 1 ..."


def _checked(audience: Audience, seat_count: int) -> Audience:
    if isinstance(audience, int) and audience >= seat_count:
        raise CommandFailed(f"there is no seat {audience}; seats are 0 to {seat_count - 1}")
    return audience


def _summary_or_error(path: Path) -> tuple[Path, Summary | RecordError]:
    try:
        return path, summarise(path)
    except RecordError as error:
        return path, error


def _listed(path: Path, found: Summary | RecordError) -> dict[str, object]:
    if isinstance(found, RecordError):
        return {"record": str(path), "match_id": None, "state": "damaged", "error": str(found)}
    return found.to_json()


def _say(text: str) -> None:
    """Prints a text, whatever letters the terminal has."""
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "replace").decode(encoding))
