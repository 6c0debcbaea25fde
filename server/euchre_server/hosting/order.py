"""Owns what is checked when a match is asked for, however that is done, and how it is opened.

Whatever is wrong is a ValueError with one sentence, the same on the command line and over the
network. Must not know options, messages or processes.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import fields
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from euchre_engine.deal import SECRET_BYTES, secret_from_seed
from euchre_engine.errors import RulesetError
from euchre_engine.variants import parse_ruleset, ruleset_from_json
from euchre_server.hosting.house import house_bot_games
from euchre_server.match.spec import MatchSpec
from euchre_server.record.entries import MatchOpened
from euchre_server.referee.spec import TableMode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from euchre_engine.variants import Ruleset
    from euchre_server.hosting.bot_plan import BotPlan
    from euchre_server.hosting.run_plan import RunPlan
    from euchre_server.match.boards import SeatingScheme
    from euchre_server.referee.spec import ClockSpec, FaultPolicy

__all__ = [
    "LONGEST_MS",
    "MOST_BOARDS",
    "MOST_TABLES",
    "USUAL_BOARDS",
    "USUAL_JOIN_WITHIN_MS",
    "USUAL_REMOTE_WITHIN_MS",
    "USUAL_TABLES",
    "check_house_bots",
    "new_match_id",
    "opening",
    "ordered_match",
    "read_rules",
]

USUAL_BOARDS: Final = 40
MOST_BOARDS: Final = 50_000_000
"""So many that every table's number still fits the record, in all seatings of any game."""
MOST_TABLES: Final = 1024
LONGEST_MS: Final = 24 * 3_600_000
USUAL_TABLES: Final = 4
USUAL_JOIN_WITHIN_MS: Final = 10_000
USUAL_REMOTE_WITHIN_MS: Final = 600_000


def read_rules(rules: str | Mapping[str, object], bot_count: int) -> Ruleset:
    """Returns what is to be played.

    Args:
        rules: As on the command line, or an object of preset and options.
        bot_count: In Napoleon as many play as there are bots.

    Raises:
        ValueError: There are no such rules.
    """
    try:
        if isinstance(rules, str):
            return parse_ruleset(rules, players=bot_count)
        return ruleset_from_json(rules)
    except RulesetError as error:
        raise ValueError(error.message) from None


def ordered_match(
    *,
    rules: Ruleset,
    bots: Sequence[BotPlan],
    boards: int | None,
    games: int | None,
    seed: str | None,
    seatings: SeatingScheme,
    tables: int,
    clock: ClockSpec,
    policy: FaultPolicy,
    join_within_ms: int,
    secret: bytes | None = None,
) -> MatchSpec:
    """Returns a match.

    Args:
        rules: What is played.
        bots: By whom.
        boards: How many boards are played.
        games: Or how many games; neither means the usual number of boards.
        seed: The text that the deals come from; None for secret ones.
        seatings: How bots are seated.
        tables: How many are played at once.
        clock: The clock.
        policy: What faults cost.
        join_within_ms: How long a started bot may take to come.
        secret: Of the deals where there is no seed; a new one unless it is given.

    Raises:
        ValueError: There can be no such match.
    """
    for what, number, most in (
        ("boards", boards, MOST_BOARDS),
        ("games", games, MOST_BOARDS),
        ("tables", tables, MOST_TABLES),
    ):
        if number is not None and not 1 <= number <= most:
            raise ValueError(f"{what} is {number}; it must be 1 to {most:,}")
    for field in fields(clock):
        if getattr(clock, field.name) > LONGEST_MS:
            raise ValueError(f"clock: {field.name} is {getattr(clock, field.name)}; a day is most")
    if seed is not None:
        secret = secret_from_seed(seed)
    return MatchSpec(
        rules=rules,
        bots=tuple(bot.name for bot in bots),
        mode=TableMode.GAME if games else TableMode.BOARD,
        boards=games or boards or USUAL_BOARDS,
        seatings=seatings,
        tables=tables,
        clock=clock,
        policy=policy,
        join_within_ms=join_within_ms,
        secret=secret or secrets.token_bytes(SECRET_BYTES),
        public_seed=seed is not None,
    )


def check_house_bots(rules: Ruleset, bots: Sequence[BotPlan]) -> None:
    """Makes sure that house bots play the game.

    Raises:
        ValueError: One does not.
    """
    for bot in bots:
        if bot.house and rules.game not in (games := house_bot_games(bot.source)):
            raise ValueError(
                f"house bot {bot.source} does not play {rules.game}; it plays {', '.join(games)}"
            )


def new_match_id() -> str:
    """Returns an id that sorts by time and that nobody else has."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


def opening(match_id: str, spec: MatchSpec, plan: RunPlan) -> MatchOpened:
    """Returns the first entry of a match's record."""
    return MatchOpened(
        match_id=match_id,
        arena_version=version("euchre-arena"),
        started_unix_ms=time.time_ns() // 1_000_000,
        commitment=spec.commitment(),
        specification=spec.specification(),
        public_seed=spec.public_seed,
        bot_names=spec.bots,
        setup=plan.to_json(),
    )
