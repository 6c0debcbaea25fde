"""Owns ``euchre-arena serve``: its options, and the life of an arena that hosts matches.

The order of setting up is that of what can be refused: data folder, isolation, port. A first
signal drains, a second stops at once and kills bots. Must not know how matches go.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import secrets
import sys
import tempfile
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import click

from euchre_server.cli.config import ConfiguredCommand, flag_only, print_settings
from euchre_server.cli.durations import parse_duration_ms
from euchre_server.cli.failure import CommandFailed, ExitStatus
from euchre_server.cli.fsync_option import fsync_option
from euchre_server.cli.interrupts import INTERRUPTS
from euchre_server.cli.isolation_option import chosen_sandbox, isolation_options, read_isolation
from euchre_server.cli.listen_option import check_host, listen_options, read_listening
from euchre_server.cli.log_options import log_options, read_log
from euchre_server.cli.logs import LogForm, LogLevel
from euchre_server.cli.parsed import Count, Folder, Parsed
from euchre_server.cli.unheard import unheard
from euchre_server.hosting.host import Host, HostLimits
from euchre_server.hosting.play import Stage
from euchre_server.launch.isolation import Confinement
from euchre_server.launch.runs import RunFolder
from euchre_server.launch.tree import subreaper
from euchre_server.operations.metrics import MetricsError, MetricsPage
from euchre_server.record.store import Fsync, StoreError
from euchre_server.session import (
    AddressInUse,
    ArenaServer,
    TokenStore,
    TokenStoreError,
    is_loopback,
    match_service,
)
from euchre_server.session.match_messages import MatchState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from structlog.typing import FilteringBoundLogger

    from euchre_server.cli.interrupts import Interrupts
    from euchre_server.cli.listen_option import Listening

__all__ = ["serve_command"]

_STOP_GRACE_S: Final = 2.0
_LOCK: Final = "serve.lock"
_USUAL: Final = HostLimits()


@click.command("serve", cls=ConfiguredCommand)
@click.option(
    "--data",
    type=Folder(),
    default="data",
    show_default=True,
    help="The folder for records, tokens and what house bots print. Unfinished matches in it are "
    "gone on with.",
)
@fsync_option
@listen_options
@isolation_options("house bots")
@click.option(
    "--matches-at-once",
    type=Count(1, 10_000),
    default=_USUAL.playing,
    show_default=True,
    help="Matches played side by side; others wait for their turn.",
)
@click.option(
    "--drain-within",
    "drain_within_ms",
    metavar="TIME",
    type=Parsed("duration", parse_duration_ms),
    default="60s",
    show_default=True,
    help="How long hands in play may take to finish when the arena is told to stop (SIGTERM).",
)
@click.option(
    "--redial-after",
    "redial_after_ms",
    metavar="TIME",
    type=Parsed("duration", parse_duration_ms),
    default="5s",
    show_default=True,
    help="When bots are told to come back, when the arena stops.",
)
@click.option(
    "--metrics-port",
    type=Count(0, 65535),
    help="The port of a page for Prometheus, 0 for any free one. [default: no page]",
)
@click.option(
    "--metrics-host",
    default="127.0.0.1",
    show_default=True,
    help="The address of that page, which needs no token.",
)
@flag_only(
    "--check-config",
    "only_check",
    is_flag=True,
    help="Print all settings and where each came from, check them, and end.",
)
@flag_only("--json", "as_json", is_flag=True, help="Print what happens as JSON, an object a line.")
@log_options(LogLevel.INFO)
@click.pass_context
def serve_command(context: click.Context, /, **options: Any) -> None:  # noqa: ANN401  # click's
    """Host matches for bots that dial in, until told to stop.

    Operators create matches with `euchre-arena matches create`; bots, operators and onlookers need
    tokens, see `euchre-arena token`. What was being played when an arena stopped or was killed,
    the next one with the same data folder goes on with.

    \b
    euchre-arena token create me --role operator
    euchre-arena serve --port 50051
    euchre-arena serve --config arena.toml --check-config
    """  # noqa: D301  # a backspace, not a backslash, tells click to keep the lines apart
    listening = read_listening(options)
    _check(options)
    if options["only_check"]:
        _check_folder(options["data"])
        sandbox, _ = chosen_sandbox(read_isolation(options))
        in_force = {
            "isolation": Confinement(sandbox=sandbox).isolation,
            "reflection": listening.reflection,
        }
        print_settings(context, in_force, as_json=options["as_json"])
        context.exit(ExitStatus.DONE)
    log = read_log(options)
    with INTERRUPTS.held():
        asyncio.run(_serve(options, listening, log, INTERRUPTS))
    context.exit(ExitStatus.DONE)


def _check(options: dict[str, Any]) -> None:
    """Refuses what would only be found when it is needed.

    Raises:
        CommandFailed: The tokens cannot be read.
        click.UsageError: The metrics would be shown to others.
    """
    host = options["metrics_host"]
    if options["metrics_port"] is not None:
        check_host(host, "--metrics-host", "--metrics-port")
    if options["metrics_port"] is not None and not (options["insecure"] or is_loopback(host)):
        raise click.UsageError(
            f"will not show metrics on {host}: whoever reaches it could read them; choose a "
            "loopback address, or say --insecure if something else protects the way"
        )
    if options["data"].exists() and not options["data"].is_dir():
        raise click.UsageError(f"the data folder {options['data']} is no folder")
    try:
        TokenStore(options["data"]).tokens()
    except TokenStoreError as error:
        raise CommandFailed(str(error)) from None


async def _serve(
    options: dict[str, Any], listening: Listening, log: FilteringBoundLogger, interrupts: Interrupts
) -> None:
    """Hosts matches until a signal comes.

    Raises:
        CommandFailed: The data folder, the port or the isolation cannot be had.
    """
    data: Path = options["data"]
    with _locked(data), subreaper(), _run_folder(log) as run:
        sandbox, why_none = await asyncio.to_thread(chosen_sandbox, read_isolation(options))
        if why_none is not None:
            log.warning("house bots run without isolation", reason=why_none)
        by_socket = sandbox is not None or listening.tls is not None
        arena = ArenaServer(instance_id=secrets.token_hex(8), logger=log, tokens=TokenStore(data))
        confinement = Confinement(sandbox=sandbox, limits=options["limits"], hidden=(data,))
        stage = Stage(
            arena=arena,
            data=data,
            confinement=confinement,
            run=run,
            by_socket=by_socket,
            fsync=Fsync(options["fsync"]),
        )
        host = Host(
            data=data,
            stage=stage,
            log=log,
            limits=HostLimits(playing=options["matches_at_once"]),
        )
        in_log = LogForm(options["log_form"]) is LogForm.JSON
        tell = _told(log if in_log else None, as_json=options["as_json"])
        page = MetricsPage(arena.readings, lambda: _states(host))
        try:
            if options["metrics_port"] is not None:
                shown = await page.start(options["metrics_host"], options["metrics_port"])
                tell("metrics", f"metrics at http://{shown}/metrics", address=shown)
            await host.learn()
            address = await arena.start(
                listening.host,
                listening.port,
                sockets=(run.socket_of(""),) if by_socket else (),
                services=(match_service(host),),
                tls=listening.tls,
                insecure=listening.insecure,
                reflection=listening.reflection,
            )
        except (AddressInUse, MetricsError, StoreError) as error:
            await page.stop()
            await host.stop()
            raise CommandFailed(str(error)) from None
        host.begin(address)
        tell("listening", f"listening at {address}", address=address)
        signals = asyncio.Queue[None]()
        with interrupts.told(lambda: signals.put_nowait(None), asyncio.get_running_loop()):
            await signals.get()
            tell("draining", "stopping: hands in play are finished; a second signal kills bots")
            await arena.not_serving()
            await _drained(host, signals, options["drain_within_ms"] / 1000)
            await arena.stop(_STOP_GRACE_S, redial_after_ms=options["redial_after_ms"])
            await page.stop()
        unfinished = sum(not match.state.is_over for match in host.matches.values())
        many = "1 match rests" if unfinished == 1 else f"{unfinished} matches rest"
        tell("stopped", f"stopped; {many} until the next start", unfinished=unfinished)


def _states(host: Host) -> Counter[str]:
    """Returns how many matches are in each state, those without any included."""
    states = Counter({state.name.lower(): 0 for state in MatchState})
    states.update(match.state.name.lower() for match in host.matches.values())
    return states


async def _drained(host: Host, signals: asyncio.Queue[None], within_s: float) -> None:
    """Returns when hands in play are finished, the time is over, or a second signal has come."""
    drain = asyncio.create_task(host.drain(within_s))
    again = asyncio.create_task(signals.get())
    await asyncio.wait({drain, again}, return_when=asyncio.FIRST_COMPLETED)
    again.cancel()
    if not drain.done():
        await host.stop(hurry=True)
    await drain


def _told(log: FilteringBoundLogger | None, *, as_json: bool) -> Callable[..., None]:
    """Returns what tells an event: as JSON on stdout, in the log, or as a sentence on stderr."""

    def tell(event: str, sentence: str, **details: object) -> None:
        if as_json:
            click.echo(json.dumps({"event": event, **details}), file=unheard(sys.stdout))
        elif log is not None:
            log.info("serving", state=event, **details)
        else:
            click.echo(f"euchre-arena: {sentence}", file=unheard(sys.stderr))

    return tell


@contextlib.contextmanager
def _used(what: str) -> Iterator[None]:
    """Tells what cannot be used.

    Raises:
        CommandFailed: It cannot.
    """
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise CommandFailed(f"cannot use {what}: {why}") from None


def _check_folder(data: Path) -> None:
    """Makes sure that `_locked` would find or could make the data folder, and leaves no trace.

    Raises:
        CommandFailed: It could not.
    """
    whole = data.absolute()
    nearest = next(folder for folder in (whole, *whole.parents) if folder.exists())
    with _used(f"the data folder {data}"):
        tempfile.TemporaryFile(dir=nearest).close()
    if (data / _LOCK).exists():
        with _used(f"{data / _LOCK}"):
            os.close(os.open(data / _LOCK, os.O_RDWR))


@contextlib.contextmanager
def _locked(data: Path) -> Iterator[None]:
    """Keeps a second arena from the data folder; makes it where it does not exist.

    Raises:
        CommandFailed: It cannot be used, or another arena does.
    """
    with _used(f"the data folder {data}"):
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _used(f"{data / _LOCK}"):
        lock = os.open(data / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise CommandFailed(
            f"another arena serves the data folder {data}, or is stopping"
        ) from None
    finally:
        os.close(lock)


@contextlib.contextmanager
def _run_folder(log: FilteringBoundLogger) -> Iterator[RunFolder]:
    try:
        run = RunFolder(one_socket=True)
    except OSError as error:
        raise CommandFailed(f"cannot make a folder for temporary files: {error}") from None
    for label in run.removed:
        log.info("cleaned up after an interrupted arena", label=label)
    with run:
        yield run
