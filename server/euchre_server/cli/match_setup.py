"""Owns the life of everything that a match needs: record, server, processes, signals, result.

The order of setting up is that of what can be refused: data folder, port, bots. Whatever happens,
no process is left and nothing recorded is lost. Must not know options.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

import click

from euchre_server.cli.failure import CommandFailed, ExitStatus
from euchre_server.cli.invoked import invoked
from euchre_server.cli.isolation_option import chosen_sandbox
from euchre_server.cli.logs import LogForm
from euchre_server.cli.match_report import Narrator, print_result
from euchre_server.cli.unheard import reader_may_leave
from euchre_server.hosting.order import check_house_bots, opening
from euchre_server.hosting.outcome import forfeits_of, result_of_match
from euchre_server.hosting.runner import MatchRunner
from euchre_server.launch.command import CommandError, HiddenError
from euchre_server.launch.isolation import Confinement, Isolation
from euchre_server.launch.launcher import Launcher
from euchre_server.launch.runs import RunFolder
from euchre_server.match.result import sealed_result
from euchre_server.match.spec import canonical_json
from euchre_server.record.entries import RecordError
from euchre_server.record.resume import resume_record
from euchre_server.record.store import RECORD_SUFFIX, SECRET_SUFFIX, RecordWriter, StoreError
from euchre_server.session import AddressInUse, ArenaServer, Party, RecorderFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from structlog.typing import FilteringBoundLogger

    from euchre_server.cli.interrupts import Interrupts
    from euchre_server.cli.listen_option import Listening
    from euchre_server.hosting.run_plan import RunPlan
    from euchre_server.match.spec import MatchSpec
    from euchre_server.record.store import Fsync
    from euchre_server.record.unfinished import Unfinished

__all__ = ["MatchSetup", "run_match"]

_STOP_GRACE_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSetup:
    """All that a match is to be run with."""

    match_id: str
    resumes: Path | None  # the record of a killed match that goes on
    spec: MatchSpec
    plan: RunPlan
    data: Path
    fsync: Fsync
    listening: Listening
    as_json: bool
    log_form: LogForm
    log: FilteringBoundLogger

    def narrator(self, played: int) -> Narrator:
        """Returns who tells how the match goes.

        Args:
            played: How many tables were played before it was gone on with.
        """
        return Narrator(
            self.spec,
            quiet=self.as_json,
            log=self.log if self.log_form is LogForm.JSON else None,
            played=played,
            tls=self.listening.tls is not None,
        )


async def run_match(setup: MatchSetup, interrupts: Interrupts) -> ExitStatus:
    """Plays a match, seals its record and prints its result.

    Args:
        setup: The match.
        interrupts: Held while it is set up, and told to it from then on.

    Raises:
        CommandFailed: The data folder or the port cannot be used, the disk failed on the way, no
            bot could go on with it, or it was interrupted before there was a record of it.
    """
    asyncio.get_running_loop().set_exception_handler(_quietly(setup.log))
    plan = setup.plan
    with _not_begun(interrupts):
        sandbox, why_none = chosen_sandbox(
            plan.isolation if _started(setup) else Isolation.NONE, resumed=setup.resumes is not None
        )
    confinement = Confinement(
        sandbox=sandbox, limits=plan.limits, hidden=(setup.data,), shared=plan.shared
    )
    # A bot that is started here needs no certificate of ours, nor one of its own.
    by_socket = sandbox is not None or setup.listening.tls is not None
    with _run_folder(setup) as run:
        launcher = Launcher(
            setup.data / f"{setup.match_id}.output",
            confinement=confinement,
            run=run,
            by_socket=by_socket,
        )
        with _not_begun(interrupts):
            _check_bots(setup, launcher)
        sockets = tuple(map(run.socket_of, _started(setup))) if by_socket else ()
        try:
            kept = replace(plan, isolation=confinement.isolation)
            writer, begun = _open_record(setup, kept)
            try:
                runner = await _play(
                    setup,
                    writer,
                    begun,
                    launcher,
                    interrupts,
                    sockets=sockets,
                    why_none=why_none,
                )
                if runner.deserted:
                    raise _rests("none of its bots came to go on with it", setup)
                return _finish(setup, runner, writer)
            finally:
                writer.close()
        except (StoreError, RecorderFailed) as error:
            raise _rests(str(error), setup) from None


async def _play(
    setup: MatchSetup,
    writer: RecordWriter,
    begun: Unfinished | None,
    launcher: Launcher,
    interrupts: Interrupts,
    *,
    sockets: Sequence[Path],
    why_none: str | None,
) -> MatchRunner:
    """Returns the runner of a match that was played, or stopped."""
    played = 0 if begun is None else len(begun.ended)
    with setup.narrator(played) as narrator:
        if why_none is not None:
            narrator.not_isolated(why_none)
        async with _serving(setup, sockets, writer) as (arena, address), launcher:
            party = Party(
                arena, match_id=setup.match_id, players=setup.spec.players, recorder=writer
            )
            runner = MatchRunner(
                spec=setup.spec,
                bots=setup.plan.bots,
                match_id=setup.match_id,
                arena=party,
                address=address,
                launcher=launcher,
                recorder=writer,
                observer=narrator,
                remote_within_s=setup.plan.remote_within_s,
                begun=begun,
            )

            def interrupt() -> None:
                if not runner.interrupted:
                    narrator.tell("interrupted: the match ends here; once more kills its bots")
                runner.interrupt()

            with interrupts.told(interrupt, asyncio.get_running_loop()):
                await runner.run()
            return runner


def _started(setup: MatchSetup) -> list[str]:
    """Returns the players that are started here, not by somebody else."""
    return [
        player
        for place, player in enumerate(setup.spec.players)
        if not setup.plan.bots[place % len(setup.plan.bots)].remote
    ]


def _run_folder(setup: MatchSetup) -> RunFolder:
    try:
        run = RunFolder()
    except OSError as error:
        raise CommandFailed(f"cannot make a folder for temporary files: {error}") from None
    for label in run.removed:
        setup.log.info("cleaned up after an interrupted arena", label=label)
    return run


def _check_bots(setup: MatchSetup, launcher: Launcher) -> None:
    """Refuses a match with a bot that does not play its game, or cannot run isolated."""
    try:
        check_house_bots(setup.spec.rules, setup.plan.bots)
    except ValueError as error:
        raise CommandFailed(str(error)) from None
    for bot in setup.plan.bots:
        if bot.command is not None:
            try:
                launcher.check(bot.name, bot.command)
            except HiddenError as error:
                ways = "choose another --data" + (
                    "" if bot.house else ", or keep the bot elsewhere"
                )
                raise CommandFailed(f"bot {bot.name!r}: {error}; {ways}") from None
            except CommandError as error:
                raise CommandFailed(f"bot {bot.name!r}: {error}") from None


@contextlib.asynccontextmanager
async def _serving(
    setup: MatchSetup, sockets: Sequence[Path], writer: RecordWriter
) -> AsyncIterator[tuple[ArenaServer, str]]:
    arena = ArenaServer(instance_id=secrets.token_hex(8), logger=setup.log)
    try:
        listening = setup.listening
        address = await arena.start(
            listening.host,
            listening.port,
            sockets=sockets,
            tls=listening.tls,
            insecure=listening.insecure,
            reflection=listening.reflection,
        )
    except AddressInUse as error:
        if setup.resumes is None:
            _discard(writer)
        raise CommandFailed(str(error)) from None
    try:
        yield arena, address
    finally:
        await arena.stop(_STOP_GRACE_S)


def _rests(why: str, setup: MatchSetup) -> CommandFailed:
    """Returns what is said of a match that somebody may go on with."""
    record = setup.data / f"{setup.match_id}{RECORD_SUFFIX}"
    return CommandFailed(
        f"{why}; the match ends here, what was played is kept. "
        f"Once that is mended, go on with: {invoked('match', '--resume', str(record))}"
    )


def _finish(setup: MatchSetup, runner: MatchRunner, writer: RecordWriter) -> ExitStatus:
    """Seals the record and prints the result; returns the exit status."""
    result = result_of_match(runner, writer.path)
    writer.seal(canonical_json(sealed_result(result)), complete=runner.complete)
    with reader_may_leave():
        _print(result, as_json=setup.as_json)
    if runner.interrupted:
        setup.narrator(0).tell(_how_far(result, setup.spec))
        return ExitStatus.INTERRUPTED
    if forfeits := forfeits_of(runner):
        setup.narrator(0).tell(forfeits)
        return ExitStatus.MISUSE
    return ExitStatus.DONE


def _print(result: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        show = invoked("replay", "show", str(result["record"]))
        print_result(result, show_command=show)


def _how_far(result: Mapping[str, Any], spec: MatchSpec) -> str:
    tables = sum(row["tables"] for row in result["standings"][:1])
    unit = "boards" if result["mode"] == "board" else "games"
    return (
        f"interrupted after {tables:,} of {spec.boards * spec.field.seating_count:,} tables, "
        f"{result['boards']:,} of {spec.boards:,} {unit} complete; what was played is kept"
    )


def _open_record(setup: MatchSetup, plan: RunPlan) -> tuple[RecordWriter, Unfinished | None]:
    """Returns a writer, and how the match stands if another arena began it."""
    try:
        if setup.resumes is None:
            first = opening(setup.match_id, setup.spec, plan)
            writer = RecordWriter.create(setup.data, first, setup.spec.secret, fsync=setup.fsync)
            return writer, None
        writer, begun, cut = resume_record(
            setup.resumes, arena_version=version("euchre-arena"), fsync=setup.fsync
        )
    except StoreError as error:  # names the file itself
        raise CommandFailed(str(error)) from None
    except RecordError as error:
        raise CommandFailed(f"{setup.resumes}: {error}") from None
    if cut:
        setup.narrator(0).tell(f"the record ended inside an entry; {cut} bytes of it were cut off")
    if not setup.as_json:
        setup.narrator(0).tell(
            f"going on with {setup.match_id}: {len(begun.ended):,} tables were played, "
            f"{len(begun.open):,} go on where they stood"
        )
    return writer, begun


def _discard(writer: RecordWriter) -> None:
    """Takes back a record that nothing came of."""
    writer.close()
    for path in (writer.path, writer.path.with_suffix(SECRET_SUFFIX)):
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def _not_begun(interrupts: Interrupts) -> Iterator[None]:
    """Says of an interrupted setting up just that, whatever else went wrong with it.

    Bubblewrap's trial fails with the Ctrl-C of a terminal, for one.
    """
    try:
        yield
    except CommandFailed:
        if not interrupts.count:
            raise
    if interrupts.count:
        raise CommandFailed(
            "interrupted before the match began; nothing was recorded", ExitStatus.INTERRUPTED
        )


def _quietly(log: FilteringBoundLogger) -> Any:  # noqa: ANN401  # asyncio's type is not public
    """Returns a handler that logs what nobody awaited, without a traceback."""

    def handle(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        log.error("unhandled", message=context["message"], exc_info=error)

    return handle
