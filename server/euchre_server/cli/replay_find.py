"""Owns which file a RECORD on the command line means."""

from __future__ import annotations

from pathlib import Path

import click

from euchre_server.cli.parsed import Folder
from euchre_server.record.entries import RecordError
from euchre_server.record.reader import records_in
from euchre_server.record.store import StoreError
from euchre_server.record.summary import first_entry

__all__ = ["data_option", "find_record"]

_LISTED = 5

data_option = click.option(
    "--data",
    type=Folder(),
    default=Path("data"),
    show_default=True,
    help="The data folder.",
)


def find_record(record: str | None, data: Path) -> Path:
    """Returns the file that is meant.

    Args:
        record: A path, a match id, the beginning of one; None for the newest match.
        data: The data folder.

    Raises:
        StoreError: No file is meant, or several are.
    """
    if record is None:
        return _newest(data)
    if not record:
        raise StoreError("RECORD is empty; name a file or a match id, or leave it out")
    if Path(record).exists():
        return Path(record)
    records = records_in(data)
    exact = [path for path in records if record in (path.stem, path.name)]
    found = exact or [path for path in records if path.stem.startswith(record)]
    if len(found) == 1:
        return found[0]
    if found:
        some = ", ".join(path.stem for path in found[:_LISTED])
        more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        raise StoreError(f"{record} begins the names of several matches: {some}{more}")
    raise StoreError(
        f"there is no record {record}: no such file, and no match in {data} is called so"
    )


def _newest(data: Path) -> Path:
    started = []
    for path in records_in(data):
        try:
            started.append((first_entry(path).started_unix_ms, path))
        except RecordError:
            continue
    if not started:
        raise StoreError(f"there are no records in {data}; name a file, or a folder with --data")
    return max(started)[1]
