"""Owns what the arena knows of house bots: their names, and how to start one.

They are bots of the Python client, started as processes like any other.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from euchre_engine.games import Game
from euchre_engine.quoting import did_you_mean, quoted
from euchre_server.launch.command import Command, python_module

__all__ = ["house_bot_command", "house_bot_games", "house_bot_names", "unknown_house_bot"]

_MODULE: Final = "euchre_arena.bots"


@lru_cache(maxsize=1)
def house_bot_names() -> tuple[str, ...]:
    """Returns the names of all house bots."""
    from euchre_arena.bots.catalogue import HOUSE_BOTS  # noqa: PLC0415  # brings gRPC along

    return tuple(HOUSE_BOTS)


def house_bot_games(name: str) -> tuple[Game, ...]:
    """Returns the games that a house bot plays."""
    from euchre_arena.bots.catalogue import HOUSE_BOTS  # noqa: PLC0415  # brings gRPC along

    played = HOUSE_BOTS[name].games
    return tuple(Game[game.name] for game in played) or tuple(Game)


def house_bot_command(name: str) -> Command:
    """Returns what starts a house bot."""
    return python_module(_MODULE, name)


def unknown_house_bot(name: str) -> str:
    """Returns the sentence about a name that no house bot has."""
    names = house_bot_names()
    return (
        f"there is no house bot {quoted(name)}{did_you_mean(name, names)}; "
        f"house bots: {', '.join(names)}"
    )
