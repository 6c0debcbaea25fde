"""Owns ``euchre-arena match``: its options, and what they say together.

Whatever is wrong with them is told before anything is made or started.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from euchre_server.cli.config import ConfiguredCommand, flag_only
from euchre_server.cli.fsync_option import fsync_option
from euchre_server.cli.game_options import check_length, game_options, wait_options
from euchre_server.cli.interrupts import INTERRUPTS
from euchre_server.cli.isolation_option import isolation_options, parse_folders, read_isolation
from euchre_server.cli.listen_option import listen_options, read_listening
from euchre_server.cli.log_options import log_options, read_log
from euchre_server.cli.logs import LogForm, LogLevel
from euchre_server.cli.match_setup import MatchSetup, run_match
from euchre_server.cli.parsed import Folder
from euchre_server.cli.resume_option import check_alone, match_to_resume
from euchre_server.hosting.bot_plan import plan_bots
from euchre_server.hosting.order import (
    new_match_id,
    ordered_match,
    read_rules,
)
from euchre_server.hosting.run_plan import RunPlan
from euchre_server.match.boards import SeatingScheme
from euchre_server.record.store import Fsync
from euchre_server.referee.spec import FaultPolicy

if TYPE_CHECKING:
    from euchre_engine.variants import Ruleset

__all__ = ["match_command"]


@click.command("match", cls=ConfiguredCommand)
@flag_only(
    "--resume",
    metavar="RECORD",
    help="Go on with a match whose arena was killed, as its record says: a match id, a record, or "
    "the data folder for the newest one there.",
)
@game_options(
    "SPEC is the name of a house bot, `cmd:COMMAND LINE` for a program to be started, or `remote` "
    "for one that dials by itself."
)
@isolation_options("started bots")
@click.option(
    "--folder",
    "folder_texts",
    metavar="NAME=FOLDER",
    multiple=True,
    help="Where a `cmd:` bot works, which is what it sees of your files when isolated; repeat it "
    "for each. [default: the current folder]",
)
@click.option(
    "--share",
    "shared",
    metavar="PATH",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="A file or folder that all isolated bots may read besides; repeat it for each.",
)
@click.option(
    "--data",
    type=Folder(),
    default="data",
    show_default=True,
    help="The folder for records and for what bots print.",
)
@fsync_option
@listen_options
@wait_options
@flag_only("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@log_options(LogLevel.WARNING)
@click.pass_context
def match_command(context: click.Context, /, **options: Any) -> None:  # noqa: ANN401  # click's
    """Let bots play a match and compare them.

    Every bot is a process of its own that dials the arena. Each deal is played in every seating,
    so that luck cancels out; intervals are over deals. The match is recorded as it is played.

    \b
    euchre-arena match --bot rules --bot random --bot random --boards 200
    euchre-arena match --rules two-handed --bot mine="cmd:python3 my_bot.py" --bot rules
    euchre-arena match --resume data
    """  # noqa: D301  # a backspace, not a backslash, tells click to keep the lines apart
    if options["resume"] is not None:
        check_alone(context)
        setup = _resumed(options)
    else:
        setup = _read(options)
    with INTERRUPTS.held():
        status = asyncio.run(run_match(setup, INTERRUPTS))
    context.exit(status)


def _rules(text: str, bot_count: int) -> Ruleset:
    try:
        return read_rules(text, bot_count)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--rules'") from None


def _resumed(options: dict[str, Any]) -> MatchSetup:
    """Returns a setup that goes on with a killed match."""
    path, opened, spec, plan = match_to_resume(options["resume"], options["data"])
    return MatchSetup(
        match_id=opened.match_id,
        resumes=path,
        spec=spec,
        plan=plan,
        data=path.parent,
        **_shown(options),
    )


def _shown(options: dict[str, Any]) -> dict[str, Any]:
    """Returns what may differ each time that a match is run."""
    return {
        "listening": read_listening(options),
        "fsync": Fsync(options["fsync"]),
        "as_json": options["as_json"],
        "log_form": LogForm(options["log_form"]),
        "log": read_log(options),
    }


def _read(options: dict[str, Any]) -> MatchSetup:
    """Returns what the options say.

    Raises:
        click.UsageError: They contradict each other, or describe no possible match.
    """
    check_length(options)
    try:
        bots = plan_bots(options["bot_texts"], parse_folders(options["folder_texts"]))
        spec = ordered_match(
            rules=_rules(options["rules"], len(bots)),
            bots=bots,
            boards=options["boards"],
            games=options["games"],
            seed=options["seed"],
            seatings=SeatingScheme(options["seatings"]),
            tables=options["tables"],
            clock=options["clock"],
            policy=FaultPolicy.named(options["policy"]),
            join_within_ms=options["join_within_ms"],
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return MatchSetup(
        match_id=new_match_id(),
        resumes=None,
        spec=spec,
        plan=RunPlan(
            bots=bots,
            isolation=read_isolation(options),
            limits=options["limits"],
            shared=options["shared"],
            remote_within_s=options["remote_within_ms"] / 1000,
        ),
        data=options["data"],
        **_shown(options),
    )
