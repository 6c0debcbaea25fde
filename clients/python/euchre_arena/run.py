"""Owns a bot's process: where the arena is, what the process ends with, what a person reads then.

Must not know the protocol.
"""

import asyncio
import importlib.metadata
import math
import os
import re
import sys
import traceback

import euchre_arena._quiet  # noqa: F401 - before anything that imports grpc
from euchre_arena.bot import Bot, Decide, FunctionBot
from euchre_arena.dial import Address, play
from euchre_arena.errors import ArenaError, BotError, BotExitError, SetupError
from euchre_arena.games import Game
from euchre_arena.redial import Redial
from euchre_arena.session import Introduction
from euchre_arena.tls import Tls, tls_from

__all__ = ["address_from", "introduction_of", "redial_from", "run"]

_SERVER, _TOKEN, _NAME = "EUCHRE_ARENA_SERVER", "EUCHRE_ARENA_TOKEN", "EUCHRE_ARENA_BOT"
_RECONNECT = "EUCHRE_ARENA_RECONNECT_WITHIN_S"
_VIEW_MODE = "EUCHRE_ARENA_VIEW_MODE"
# Host names, IPv6 in brackets, and gRPC's own ways to write either; no URLs.
_ADDRESS = re.compile(r"(?:(?:dns|ipv4|ipv6):\S+|\[[^\s\[\]]+\]|[^\s:/\[\]]+):([0-9]{1,5})")
_LAST_PORT = 65_535
_LARGEST = 2**31 - 1
_LONGEST_PATH = 107  # of a Unix socket


def run(
    bot: Bot | type[Bot] | Decide,
    *,
    server: str | None = None,
    token: str | None = None,
    name: str | None = None,
    dial_timeout_s: float = 10.0,
    reconnect_within_s: float | None = None,
    view_mode: str | None = None,
    tls_ca: str | None = None,
    tls_cert: str | None = None,
    tls_key: str | None = None,
) -> None:
    """Plays in an arena until it says goodbye. Call it last: on failure it ends the process.

    Exit status: 1 when the connection is lost and does not come back, the arena ends the session
    (for faults, or since another instance of the bot took over), or the bot's own code fails (its
    traceback is shown, with the decision); 2 when something is missing, the arena is not reached,
    or it refuses the bot; 130 when interrupted. A `sys.exit` in the bot's code ends with its own.

    Args:
        bot: A `Bot`, a subclass of it, or a function from a decision to an action.
        server: The arena's address; by default the environment's EUCHRE_ARENA_SERVER.
        token: The bot's token; by default EUCHRE_ARENA_TOKEN.
        name: The bot's name; by default EUCHRE_ARENA_BOT, else what the token was made for.
        dial_timeout_s: For how long to dial until the arena says welcome, the first time.
        reconnect_within_s: For how long to dial again when the connection is lost; 0 means not at
            all. By default the environment's EUCHRE_ARENA_RECONNECT_WITHIN_S, else 30.
        view_mode: How views travel, `full` or `lean`; the bot sees no difference. By default the
            environment's EUCHRE_ARENA_VIEW_MODE, else the bot's own `view_mode`.
        tls_ca: A file with the certificate of whoever vouches for the arena, or `public` for the
            well-known ones; by default EUCHRE_ARENA_TLS_CA. Without it there is no TLS.
        tls_cert: A file with the bot's own certificate, where the arena asks for one; by default
            EUCHRE_ARENA_TLS_CERT.
        tls_key: A file with its key; by default EUCHRE_ARENA_TLS_KEY.

    Raises:
        SystemExit: The session failed.
    """
    player = _as_bot(bot)
    try:
        address = address_from(
            server=server,
            token=token,
            dial_timeout_s=dial_timeout_s,
            tls=tls_from(ca=tls_ca, certificate=tls_cert, key=tls_key),
        )
        name = name if name is not None else os.environ.get(_NAME, "")
        redial = redial_from(reconnect_within_s)
        introduction = introduction_of(player, name, view_mode=view_mode)
        asyncio.run(play(player, address, introduction, redial=redial))
    except BotExitError as error:
        sys.exit(error.code)
    except ArenaError as error:
        if isinstance(error, BotError) and error.__cause__:
            traceback.print_exception(error.__cause__)
        sys.stderr.write(f"euchre-arena: {error}\n")
        sys.exit(error.exit_status)
    except KeyboardInterrupt:
        sys.stderr.write("euchre-arena: interrupted\n")
        sys.exit(130)


def address_from(
    *, server: str | None, token: str | None, dial_timeout_s: float, tls: Tls | None = None
) -> Address:
    """Returns where to dial, with what is not given taken from the environment.

    Raises:
        SetupError: A part is missing, or is no address or no token.
    """
    server = server or os.environ.get(_SERVER, "")
    token = token or os.environ.get(_TOKEN, "")
    missing = [name for name, value in ((_SERVER, server), (_TOKEN, token)) if not value]
    if missing:
        raise SetupError(
            f"{' and '.join(missing)} not set; an arena sets them for the bots that it starts, "
            "for others it prints address and token"
        )
    if not _is_address(server):
        raise SetupError(
            f"{server!r} is no address; write HOST:PORT, such as 127.0.0.1:50051 "
            "or [::1]:50051, or unix:PATH"
        )
    return Address(server=server, token=token, dial_timeout_s=dial_timeout_s, tls=tls)


def _is_address(server: str) -> bool:
    """Returns whether dialling it could ever succeed, as far as its text tells."""
    if server.startswith("unix:"):
        path = server.removeprefix("unix:").removeprefix("//")
        return 0 < len(path.encode(errors="surrogateescape")) <= _LONGEST_PATH
    match = _ADDRESS.fullmatch(server)
    return match is not None and 0 < int(match[1]) <= _LAST_PORT


def redial_from(within_s: float | None) -> Redial:
    """Returns how to dial again, taken from the environment if it is not given.

    Raises:
        SetupError: It is not a number of seconds.
    """
    text = os.environ.get(_RECONNECT, "") if within_s is None else str(within_s)
    if not text:
        return Redial()
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise SetupError(
            f"{text!r} is no time to reconnect within; give seconds, such as 30, or 0 for not "
            f"at all (reconnect_within_s, or {_RECONNECT})"
        )
    return Redial(within_s=seconds)


def introduction_of(bot: Bot, name: str, *, view_mode: str | None = None) -> Introduction:
    """Returns what a bot says of itself, with a view mode from the environment if none is given.

    Raises:
        SetupError: The view mode is none, or an attribute of the bot's class is of a wrong kind.
    """
    _check(bot)
    mode = view_mode or os.environ.get(_VIEW_MODE, "") or bot.view_mode
    if mode not in {"full", "lean"}:
        raise SetupError(
            f"{mode!r} is no view mode; choose full or lean (view_mode, or {_VIEW_MODE})"
        )
    return Introduction(
        bot_name=name,
        bot_version=bot.version,
        client_library=f"euchre-arena-python {importlib.metadata.version('euchre-arena')}",
        max_tables=bot.max_tables,
        max_open_decisions=bot.max_open_decisions,
        games=bot.games,
        is_lean=mode == "lean",
    )


def _check(bot: Bot) -> None:
    """Makes sure that what a bot's class says of it can be told to the arena."""
    name = type(bot).__name__
    if not isinstance(bot.version, str):
        raise SetupError(f"{name}.version is {bot.version!r}; it must be a text, such as '1'")
    games = bot.games
    is_many = isinstance(games, tuple | list | set | frozenset)
    if not is_many or not all(isinstance(game, Game) for game in games):
        raise SetupError(
            f"{name}.games is {games!r}; it must be a tuple of games, such as (Game.TWO_HANDED,)"
        )
    numbers: dict[str, object] = {
        "max_tables": bot.max_tables,
        "max_open_decisions": bot.max_open_decisions,
    }
    for key, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= _LARGEST:
            raise SetupError(
                f"{name}.{key} is {number!r}; it must be a whole number from 0 to {_LARGEST}"
            )


def _as_bot(bot: Bot | type[Bot] | Decide) -> Bot:
    if isinstance(bot, Bot):
        return bot
    if isinstance(bot, type):
        made: Bot = bot()
        return made
    if callable(bot):
        return FunctionBot(bot)
    raise TypeError(f"run() takes a Bot or a function, not {bot!r}")
