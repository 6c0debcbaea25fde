"""Owns ``euchre-arena token``: who may come to a server of this data folder, and for what.

A token is printed once, when it is made, on stdout alone; whatever else is said goes to stderr.
"""

from __future__ import annotations

import json
import re
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import click

from euchre_server.cli.failure import CommandFailed
from euchre_server.cli.replay_find import data_option
from euchre_server.record.show import columns
from euchre_server.session.access import Role
from euchre_server.session.token_store import TokenStore, TokenStoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from euchre_server.session.auth import Secret
    from euchre_server.session.token_store import StoredToken

__all__ = ["token_group"]

_SPAN: Final = re.compile(r"(\d{1,6})\s*([hdw])", re.ASCII)
_SECONDS: Final = {"h": 3_600, "d": 86_400, "w": 7 * 86_400}


@click.group("token")
def token_group() -> None:
    """Make, list and revoke tokens: who may come to the arena.

    A bot's token lets it play under the token's name, an operator's makes and cancels matches, an
    onlooker's looks at them. A running server takes note of every change by itself.
    """


@token_group.command("create")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    required=True,
    help="What the token is for.",
)
@click.option("--owner", metavar="TEXT", help="Whose bot it is.")
@click.option(
    "--expires",
    metavar="WHEN",
    help="When it ends to be good: after 12h, 30d or 4w, or at a date such as 2027-01-31 or "
    "2027-01-31T18:00, UTC. [default: never]",
)
@click.option("--replace", is_flag=True, help="Take the place of an earlier token of NAME.")
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def create_command(
    name: str,
    role: str,
    owner: str | None,
    expires: str | None,
    data: Path,
    *,
    replace: bool,
    as_json: bool,
) -> None:
    """Make a token for NAME and print it, this once: only a hash of it is kept."""
    expires_unix = None if expires is None else _moment(expires, time.time())
    if sys.__stdout__ is None:  # as the process was started: `main` has put nothing in its place
        raise CommandFailed("no token is made: there is no stdout to print it on")

    def show(token: Secret) -> None:
        made = {"name": name, "role": role, "expires": _date(expires_unix)}
        text = json.dumps({**made, "token": token.reveal()}, indent=2, ensure_ascii=False)
        try:
            click.echo(text if as_json else token.reveal())  # it flushes: what fails, fails here
        except OSError as error:
            raise OSError(error.errno, f"{error.strerror}; no token is made") from None

    with _store_errors():
        TokenStore(data).create(
            name,
            Role(role),
            owner=owner,
            expires_unix=expires_unix,
            replace=replace,
            hand_over=show,
        )
    if as_json:
        return
    until = "until it is revoked" if expires_unix is None else f"until {_date(expires_unix)}"
    click.echo(
        f"this is the token of {name!r}, role {role}, good {until}; it cannot be shown again. Its "
        "holder sets it as EUCHRE_ARENA_TOKEN",
        err=True,
    )


@token_group.command("list")
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def list_command(data: Path, *, as_json: bool) -> None:
    """List who has a token; the tokens themselves nobody can list."""
    with _store_errors():
        tokens = TokenStore(data).tokens()
    rows = [_row(token, time.time()) for token in tokens]
    if as_json:
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    elif rows:
        heads = ("name", "role", "owner", "created", "expires", "state")
        lines = [heads, *(tuple(row[head] or "" for head in heads) for row in rows)]
        click.echo("\n".join(line.rstrip() for line in columns(lines)))
    else:
        click.echo(f"no tokens in {data} yet")


@token_group.command("revoke")
@click.argument("name")
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def revoke_command(name: str, data: Path, *, as_json: bool) -> None:
    """Take NAME's token away: nobody comes in with it any more.

    A running arena ends the session of a bot that came with it, within seconds.
    """
    with _store_errors():
        revoked = TokenStore(data).revoke(name)
    if as_json:
        click.echo(json.dumps({"name": name, "role": revoked.role.value, "revoked": True}))
    else:
        click.echo(f"the token of {name!r}, role {revoked.role}, is revoked")


def _row(token: StoredToken, now_unix: float) -> dict[str, str | None]:
    return {
        "name": token.name,
        "role": token.role.value,
        "owner": token.owner,
        "created": _date(token.created_unix),
        "expires": _date(token.expires_unix),
        "state": "good" if token.is_good(now_unix) else "expired",
    }


def _date(unix: int | None) -> str | None:
    return None if unix is None else f"{datetime.fromtimestamp(unix, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _moment(text: str, now_unix: float) -> int:
    """Returns the moment that a text means.

    Raises:
        click.BadParameter: It means none, or one that has passed.
    """
    span = _SPAN.fullmatch(text.strip())
    try:
        if span is not None:
            moment = int(now_unix) + int(span[1]) * _SECONDS[span[2]]
        else:
            given = datetime.fromisoformat(text.strip())
            moment = int((given if given.tzinfo else given.replace(tzinfo=UTC)).timestamp())
        datetime.fromtimestamp(moment, UTC)
    except (ValueError, OverflowError):
        raise click.BadParameter(
            f"{text!r} is no time; write 12h, 30d, 4w, or a date such as 2027-01-31",
            param_hint="'--expires'",
        ) from None
    if moment <= now_unix:
        raise click.BadParameter(f"{text!r} has passed already", param_hint="'--expires'")
    return moment


@contextmanager
def _store_errors() -> Iterator[None]:
    try:
        yield
    except TokenStoreError as error:
        raise CommandFailed(str(error)) from None
