"""Owns how a served match is made of what somebody asks for over the network.

It is checked as on the command line, and beside that for what callers may not do. Must not know
protobuf, nor other matches.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from euchre_server.hosting.bot_plan import COMMAND, REMOTE, plan_named_bots
from euchre_server.hosting.house import house_bot_names, unknown_house_bot
from euchre_server.hosting.order import (
    LONGEST_MS,
    USUAL_JOIN_WITHIN_MS,
    USUAL_REMOTE_WITHIN_MS,
    USUAL_TABLES,
    check_house_bots,
    ordered_match,
    read_rules,
)
from euchre_server.hosting.run_plan import Hosted, RunPlan
from euchre_server.launch.command import CommandError
from euchre_server.referee.spec import ClockSpec, FaultPolicy
from euchre_server.session import MatchRefused, Reason

if TYPE_CHECKING:
    from euchre_server.hosting.play import Stage
    from euchre_server.match.spec import MatchSpec
    from euchre_server.session import MatchOrder

__all__ = ["served"]

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)


def served(
    order: MatchOrder, created_by: str, stage: Stage, *, secret: bytes | None = None
) -> tuple[MatchSpec, RunPlan]:
    """Returns the match that an order describes, and how it is run.

    Args:
        order: What is asked for.
        created_by: By whom.
        stage: Where it is to be played.
        secret: Of the deals, where the order has no seed; a new one unless it is given.

    Raises:
        MatchRefused: There can be no such match.
    """
    if not _REQUEST_ID.fullmatch(order.request_id):
        raise MatchRefused(
            Reason.INVALID_MATCH,
            "request_id must be 1 to 64 letters, digits, dots, dashes and underscores",
        )
    join_ms = _wait_of("join_within_ms", order.join_within_ms, USUAL_JOIN_WITHIN_MS)
    remote_ms = _wait_of("remote_within_ms", order.remote_within_ms, USUAL_REMOTE_WITHIN_MS)
    for _, source in order.bots:
        _check_source(source)
    try:
        bots = plan_named_bots([(name or None, source) for name, source in order.bots])
        rules = read_rules(order.rules, len(bots))
        check_house_bots(rules, bots)
        spec = ordered_match(
            rules=rules,
            bots=bots,
            boards=order.boards,
            games=order.games,
            seed=order.seed,
            seatings=order.seatings,
            tables=USUAL_TABLES if order.tables is None else order.tables,
            clock=order.clock or ClockSpec(),
            policy=FaultPolicy.named(order.policy),
            join_within_ms=join_ms,
            secret=secret,
        )
        stage.check(bots)
    except (ValueError, CommandError) as error:
        raise MatchRefused(Reason.INVALID_MATCH, str(error)) from None
    return spec, RunPlan(
        bots=bots,
        isolation=stage.confinement.isolation,
        limits=stage.confinement.limits,
        shared=(),
        remote_within_s=remote_ms / 1000,
        hosted=Hosted(order.request_id, created_by),
    )


def _wait_of(name: str, asked: int | None, usual: int) -> int:
    if asked is None:
        return usual
    if not 1 <= asked <= LONGEST_MS:
        raise MatchRefused(
            Reason.INVALID_MATCH, f"{name} is {asked}; it must be 1 to {LONGEST_MS:,}"
        )
    return asked


def _check_source(source: str) -> None:
    """Makes sure that a bot is one that callers may have played.

    Raises:
        MatchRefused: It is not.
    """
    if source.startswith(COMMAND):
        raise MatchRefused(
            Reason.INVALID_MATCH,
            "a served match starts no programs of its callers: a bot is the name of a "
            f"house bot, or `{REMOTE}`",
        )
    if source and source != REMOTE and source not in house_bot_names():
        raise MatchRefused(
            Reason.INVALID_MATCH,
            f"{unknown_house_bot(source)}; a bot that dials by itself is written NAME={REMOTE}",
        )
