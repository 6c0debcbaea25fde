"""Owns ``euchre-arena matches``: matches of a serving arena, made, looked at and stopped from here.

Must not know what a match is: the arena judges what is asked, in the words that ``match`` uses.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from euchre_arena.errors import ArenaError, LostError
from euchre_arena.matches import MatchClient, MatchRefusedError
from euchre_arena.run import address_from
from euchre_arena.tls import tls_from
from euchre_server.cli.failure import CommandFailed, ExitStatus
from euchre_server.cli.game_options import check_length, game_options, wait_options
from euchre_server.cli.matches_report import (
    Watching,
    print_cancelled,
    print_list,
    print_match,
)
from euchre_server.cli.option_group import option_group
from euchre_server.cli.parsed import Count
from euchre_server.cli.unheard import reader_may_leave
from euchre_server.hosting.bot_plan import split_bot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from euchre_arena.dial import Address

__all__ = ["matches_group"]

_DIAL_S: Final = 10.0
_STATES: Final = ("queued", "playing", "finished", "stopped", "resting")
_STATUS: Final = {"finished": ExitStatus.DONE, "stopped": ExitStatus.FINDING}


@click.group("matches")
def matches_group() -> None:
    """Make, look at and stop matches of an arena that serves.

    Where it is and who you are is said by EUCHRE_ARENA_SERVER and EUCHRE_ARENA_TOKEN, or by
    options.

    \b
    euchre-arena matches create --bot rules --bot ann=remote --bot bob=remote --watch
    euchre-arena matches list
    """  # noqa: D301  # a backspace, not a backslash, tells click to keep the lines apart


_arena_options = option_group(
    click.option(
        "--server",
        metavar="HOST:PORT",
        help="The arena. [default: the environment's EUCHRE_ARENA_SERVER]",
    ),
    click.option(
        "--token-file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="A file with your token. [default: the environment's EUCHRE_ARENA_TOKEN]",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print JSON."),
)
"""Which arena is called, and by whom."""


@matches_group.command("create")
@game_options(
    "SPEC is the name of a house bot, or `remote` for one that dials with a token of that NAME."
)
@wait_options
@click.option(
    "--request-id",
    metavar="TEXT",
    help="Repeat a call with the same one, and no second match is made. [default: a new one]",
)
@click.option("--watch", is_flag=True, help="Watch the match until it is over.")
@_arena_options
@click.pass_context
def create_command(context: click.Context, /, **options: Any) -> None:  # noqa: ANN401  # click's
    """Create a match."""
    check_length(options)

    async def create(client: MatchClient) -> int:
        as_json = options["as_json"]
        try:
            match = await client.create(
                rules=options["rules"],
                bots=[split_bot(text) for text in options["bot_texts"]],
                boards=options["boards"],
                games=options["games"],
                seed=options["seed"],
                seatings=options["seatings"],
                tables=options["tables"],
                clock=asdict(options["clock"]),
                policy=options["policy"],
                join_within_ms=options["join_within_ms"],
                remote_within_ms=options["remote_within_ms"],
                request_id=options["request_id"],
            )
        except MatchRefusedError as refused:
            raise CommandFailed(re.sub(r"\brequest_id\b", "--request-id", str(refused))) from None
        if as_json and not options["watch"]:
            click.echo(_json(match))
        else:  # whoever is interrupted while he watches knows which match goes on
            again = " (it had been created before)" if match["repeated_request"] else ""
            click.echo(f"{match['match_id']}{again}", err=as_json)
        if options["watch"]:
            return await _watch(client, match["match_id"], as_json=as_json)
        return ExitStatus.DONE

    context.exit(_call(create, options))


@matches_group.command("list")
@click.option(
    "--state",
    "states",
    type=click.Choice(_STATES),
    multiple=True,
    help="Only matches in this state; repeat it for several.",
)
@click.option("--limit", type=Count(1), help="So many at most.")
@_arena_options
@click.pass_context
def list_command(context: click.Context, /, **options: Any) -> None:  # noqa: ANN401  # click's
    """List matches, the newest first."""

    async def list_matches(client: MatchClient) -> int:
        found: list[dict[str, Any]] = []
        async for match in client.list_matches(*options["states"]):
            found.append(match)
            if len(found) == options["limit"]:
                break
        if options["as_json"]:
            click.echo(_json(found))
        else:
            print_list(found)
        return ExitStatus.DONE

    context.exit(_call(list_matches, options))


@matches_group.command("show")
@click.argument("match_id")
@_arena_options
@click.pass_context
def show_command(context: click.Context, /, match_id: str, **options: Any) -> None:  # noqa: ANN401  # click's
    """Show how a match stands."""

    async def show(client: MatchClient) -> int:
        _print(await client.get(match_id), as_json=options["as_json"])
        return ExitStatus.DONE

    context.exit(_call(show, options))


@matches_group.command("cancel")
@click.argument("match_id")
@_arena_options
@click.pass_context
def cancel_command(context: click.Context, /, match_id: str, **options: Any) -> None:  # noqa: ANN401  # click's
    """Stop a match; what was played is kept."""

    async def cancel(client: MatchClient) -> int:
        before = await client.get(match_id)
        match = await client.cancel(match_id)
        if options["as_json"]:
            click.echo(_json(match))
        else:
            print_cancelled(before, match)
        return ExitStatus.DONE

    context.exit(_call(cancel, options))


@matches_group.command("watch")
@click.argument("match_id")
@click.option(
    "--hands",
    is_flag=True,
    help="With --json: the hands of boards whose deals are not used any more, too.",
)
@_arena_options
@click.pass_context
def watch_command(context: click.Context, /, match_id: str, **options: Any) -> None:  # noqa: ANN401  # click's
    """Watch a match until it is over, and show its result.

    Exit status: 0 when it was played to its end, 1 when it was stopped, 3 when it rests before,
    the arena stops or is lost, or nobody reads the JSON any more.
    """
    if options["hands"] and not options["as_json"]:
        raise click.UsageError("--hands needs --json: hands are printed in no other form")

    async def watch(client: MatchClient) -> int:
        return await _watch(client, match_id, as_json=options["as_json"], hands=options["hands"])

    context.exit(_call(watch, options))


async def _watch(client: MatchClient, match_id: str, *, as_json: bool, hands: bool = False) -> int:
    """Returns the exit status of a match that is watched until it goes on no more.

    Raises:
        CommandFailed: The arena is lost before.
    """
    last: dict[str, Any] = {}
    try:
        with Watching(quiet=as_json) as watching:
            async for last in client.watch(match_id, hands=hands):
                if as_json:
                    click.echo(json.dumps(last, ensure_ascii=False))
                watching.tell(last)
    except LostError as error:
        raise CommandFailed(str(error), ExitStatus.UNDECIDED) from None
    except BrokenPipeError:  # nobody reads on, so nobody watches
        with reader_may_leave():
            sys.stdout.flush()
    if not as_json:
        with reader_may_leave():
            print_match(last)
    return _STATUS.get(last.get("state", ""), ExitStatus.UNDECIDED)


def _call(doing: Callable[[MatchClient], Awaitable[int]], options: dict[str, Any]) -> int:
    """Returns the exit status of what is done with the arena that the options name.

    Raises:
        CommandFailed: There is no such arena, or it refuses.
    """

    async def call(address: Address) -> int:
        async with MatchClient(address) as client:
            return await doing(client)

    try:
        return asyncio.run(call(_address(options)))
    except ArenaError as error:
        raise CommandFailed(str(error)) from None


def _address(options: dict[str, Any]) -> Address:
    token = os.environ.get("EUCHRE_ARENA_TOKEN", "")
    if options["token_file"] is not None:
        token = options["token_file"].read_text(errors="replace").strip()
    if not token:
        raise CommandFailed(
            "you need an operator's or an onlooker's token: set EUCHRE_ARENA_TOKEN, or give "
            "--token-file; whoever runs the arena makes one with `euchre-arena token create`"
        )
    server = options["server"] or os.environ.get("EUCHRE_ARENA_SERVER", "")
    if not server:
        raise CommandFailed("where is the arena? set EUCHRE_ARENA_SERVER, or give --server")
    return address_from(
        server=server,
        token=token,
        dial_timeout_s=_DIAL_S,
        tls=tls_from(ca=None, certificate=None, key=None),
    )


def _print(match: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(_json(match))
    else:
        print_match(match)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
