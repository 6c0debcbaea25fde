"""Owns the ``--resume`` option: which match it means, and what else may be said beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from euchre_server.cli.failure import CommandFailed
from euchre_server.cli.invoked import invoked
from euchre_server.cli.listen_option import LISTEN_OPTIONS
from euchre_server.cli.replay_find import find_record
from euchre_server.hosting.run_plan import RunPlan
from euchre_server.record.entries import MatchSealed, RecordError
from euchre_server.record.reader import read_last, records_in
from euchre_server.record.resume import check_resumable
from euchre_server.record.store import StoreError
from euchre_server.record.summary import first_entry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from euchre_server.match.spec import MatchSpec
    from euchre_server.record.entries import MatchOpened

__all__ = ["check_alone", "match_to_resume"]

_ALLOWED: Final = LISTEN_OPTIONS | {
    *("resume", "config", "data", "fsync", "as_json", "log_form", "log_level")
}


def check_alone(context: click.Context) -> None:
    """Refuses options that the record of a killed match answers.

    Raises:
        click.UsageError: There is one.
    """
    parameters: Iterable[click.Parameter] = context.command.params
    for parameter in parameters:
        given = context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
        if given and parameter.name not in _ALLOWED:
            raise click.UsageError(
                f"{parameter.opts[0]} cannot be given with --resume: the match goes on as its "
                "record says"
            )


def match_to_resume(text: str, data: Path) -> tuple[Path, MatchOpened, MatchSpec, RunPlan]:
    """Returns the record of a match to go on with, and what it says of the match.

    Args:
        text: A record, a match id or the beginning of one, or a data folder, whose newest unsealed
            match is meant.
        data: The data folder in which ids are looked up.

    Raises:
        CommandFailed: Nothing is named, there is no such match, it is over or being played, or its
            record does not hold what is needed.
    """
    if not text:
        raise CommandFailed(
            "--resume is empty; name a match id, a record, or the data folder for the newest there"
        )
    try:
        folder = Path(text)
        path = _newest_unsealed(folder) if folder.is_dir() else find_record(text, data)
        opened, spec = check_resumable(path)
        plan = RunPlan.from_json(opened.setup)
    except StoreError as error:  # names the file itself
        raise CommandFailed(str(error)) from None
    except RecordError as error:
        raise CommandFailed(f"{path}: {error}") from None
    except ValueError as error:
        raise CommandFailed(f"{path} cannot be gone on with: {error}") from None
    if plan.hosted is not None:
        go_on = invoked("serve", "--data", str(path.parent))
        raise CommandFailed(f"{path} is a served match; go on with it by: {go_on}")
    return path, opened, spec, plan


def _newest_unsealed(folder: Path) -> Path:
    """Returns the newest match that was not finished.

    Raises:
        StoreError: There is none.
    """
    started: list[tuple[int, Path]] = []
    for path in records_in(folder):
        try:
            last = read_last(path)
            if last is None or not isinstance(last.fact, MatchSealed):
                started.append((first_entry(path).started_unix_ms, path))
        except RecordError:
            continue
    if not started:
        raise StoreError(f"there is no unfinished match in {folder}")
    return max(started)[1]
