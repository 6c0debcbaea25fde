"""Owns the options that say what is played, which ``match`` and ``matches create`` share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from euchre_server.cli.durations import parse_clock, parse_duration_ms
from euchre_server.cli.option_group import option_group
from euchre_server.cli.parsed import Count, Parsed
from euchre_server.hosting.order import MOST_BOARDS, MOST_TABLES, USUAL_BOARDS, USUAL_TABLES
from euchre_server.match.boards import SeatingScheme
from euchre_server.referee.spec import PolicyKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["check_length", "game_options", "wait_options"]

_F = TypeVar("_F", bound="Callable[..., Any]")


def _seed(text: str) -> str:
    """Returns the text of a seed.

    Raises:
        ValueError: It is empty.
    """
    if not text:
        raise ValueError("it is empty; write a text, or leave the seed out for secret deals")
    return text


def game_options(bot_help: str) -> Callable[[_F], _F]:
    """Returns what adds the options of what is played, by whom, with which clock.

    Args:
        bot_help: What a bot's SPEC can be, as sentences.
    """
    return option_group(
        click.option(
            "--rules",
            metavar="PRESET[,OPTION=VALUE...]",
            default="three-handed",
            show_default=True,
            help="What is played; `euchre-arena rules` lists presets and options. In Napoleon as "
            "many play as there are bots.",
        ),
        click.option(
            "--bot",
            "bot_texts",
            metavar="[NAME=]SPEC",
            multiple=True,
            help=f"A bot; repeat it for each. {bot_help}",
        ),
        click.option(
            "--boards",
            type=Count(1, MOST_BOARDS),
            help=f"Play so many boards, each one deal in every seating. [default: {USUAL_BOARDS}]",
        ),
        click.option(
            "--games",
            type=Count(1, MOST_BOARDS),
            help="Play so many games to the target instead, each one list of deals in every "
            "seating.",
        ),
        click.option(
            "--seed",
            metavar="TEXT",
            type=Parsed("text", _seed),
            help="Repeat the deals of this text; such a match is unrated.",
        ),
        click.option(
            "--seatings",
            type=click.Choice([scheme.value for scheme in SeatingScheme]),
            default=SeatingScheme.ROTATIONS.value,
            show_default=True,
            help="Which seatings a board is played in: each bot in each chair, only the first two "
            "bots changing chairs, or all there are.",
        ),
        click.option(
            "--tables",
            type=Count(1, MOST_TABLES),
            default=USUAL_TABLES,
            show_default=True,
            help="Tables played at once.",
        ),
        click.option(
            "--clock",
            metavar="PART=TIME,...",
            type=Parsed("clock", parse_clock),
            default="budget=500ms,bank=10s,increment=0,grace=50ms,first=5s",
            show_default=True,
            help="The time for a decision, beyond all budgets, added after each answer, of the "
            "round trip that is not charged, and for the first decision.",
        ),
        click.option(
            "--policy",
            type=click.Choice([kind.value for kind in PolicyKind]),
            default=PolicyKind.LENIENT.value,
            show_default=True,
            help="What faults cost: answer again until the time is up, or forfeit at once.",
        ),
    )


def check_length(options: Mapping[str, Any]) -> None:
    """Refuses a match that is to be of so many boards and of so many games.

    Raises:
        click.UsageError: It is.
    """
    if options["boards"] and options["games"]:
        raise click.UsageError("give --boards or --games, not both")


def _wait_ms(text: str) -> int:
    """Returns a time to wait for a bot.

    Raises:
        ValueError: It is none, or it is no time at all.
    """
    milliseconds = parse_duration_ms(text)
    if not milliseconds:
        raise ValueError("a bot needs some time to come: write 1ms to 24h")
    return milliseconds


wait_options = option_group(
    click.option(
        "--join-within",
        "join_within_ms",
        metavar="TIME",
        type=Parsed("duration", _wait_ms),
        default="10s",
        show_default=True,
        help="How long a started bot may take to dial in, and any bot to come to a table.",
    ),
    click.option(
        "--remote-within",
        "remote_within_ms",
        metavar="TIME",
        type=Parsed("duration", _wait_ms),
        default="10m",
        show_default=True,
        help="How long a remote bot may take to dial in.",
    ),
)
"""Adds the options of how long bots are waited for."""
