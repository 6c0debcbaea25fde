"""Owns the wire form of the match service. Nothing is judged here but what has no value of ours."""

from collections.abc import Mapping
from typing import Any

from euchre_arena.v1 import match_service_pb2 as pb
from euchre_arena.v1 import rules_pb2, table_pb2
from euchre_server.match.boards import SeatingScheme
from euchre_server.match.standings import Comparison, Standing
from euchre_server.match.statistics import Estimate
from euchre_server.referee.facts import FaultKind
from euchre_server.referee.spec import ClockSpec
from euchre_server.session.match_messages import (
    Created,
    MatchOrder,
    MatchPage,
    MatchRefused,
    MatchSnapshot,
    MatchState,
    MatchUpdate,
)
from euchre_server.session.refusal import Reason
from euchre_server.session.wire.tables import (
    POLICY_KINDS,
    clock_message,
    policy_message,
    ruleset_bytes,
)

__all__ = [
    "match_answer",
    "match_created",
    "match_page",
    "match_update",
    "read_order",
    "read_states",
]

_SEATINGS = {
    pb.SEATINGS_ROTATIONS: SeatingScheme.ROTATIONS,
    pb.SEATINGS_SWAP: SeatingScheme.SWAP,
    pb.SEATINGS_ALL: SeatingScheme.ALL,
}
_SEATINGS_OF = {scheme: number for number, scheme in _SEATINGS.items()}
_POLICIES = {number: kind for kind, number in POLICY_KINDS.items()}


def read_order(request: pb.CreateMatchRequest) -> MatchOrder:
    """Returns the match that is asked for.

    Raises:
        MatchRefused: It cannot be understood.
    """
    rules: str | Mapping[str, object]
    match request.WhichOneof("rules"):
        case "rules_text":
            rules = request.rules_text
        case "ruleset":
            rules = _rules(request.ruleset)
        case _:
            raise _bad("rules are missing: set rules_text or ruleset")
    length = request.WhichOneof("length")
    return MatchOrder(
        request_id=request.request_id,
        rules=rules,
        bots=tuple((bot.name, bot.source) for bot in request.bots),
        boards=request.boards if length == "boards" else None,
        games=request.games if length == "games" else None,
        seed=request.seed if request.HasField("seed") else None,
        seatings=_named(_SEATINGS, request.seatings or pb.SEATINGS_ROTATIONS, "seatings"),
        tables=request.tables or None,
        clock=_clock(request.clock) if request.HasField("clock") else None,
        policy=_named(
            _POLICIES, request.policy or table_pb2.FAULT_POLICY_KIND_LENIENT, "fault policy"
        ),
        join_within_ms=request.join_within_ms if request.HasField("join_within_ms") else None,
        remote_within_ms=request.remote_within_ms if request.HasField("remote_within_ms") else None,
    )


def read_states(request: pb.ListMatchesRequest) -> frozenset[MatchState]:
    """Returns the states that are asked for.

    Raises:
        MatchRefused: There is no such state.
    """
    try:
        return frozenset(MatchState(number) for number in request.states)
    except ValueError:
        raise _bad("states has a state that this arena does not know") from None


def match_answer(snapshot: MatchSnapshot) -> pb.Match:
    """Returns the message."""
    message = pb.Match(
        match_id=snapshot.match_id,
        state=_number(snapshot.state),
        note=snapshot.note,
        ruleset=rules_pb2.Ruleset.FromString(ruleset_bytes(snapshot.rules)),
        bots=[pb.MatchBot(name=bot.name, source=bot.source) for bot in snapshot.bots],
        seatings=_SEATINGS_OF[snapshot.seatings],
        tables=snapshot.tables,
        clock=clock_message(snapshot.clock),
        policy=policy_message(snapshot.policy),
        rated=snapshot.rated,
        public_seed=snapshot.public_seed,
        commitment=snapshot.commitment,
        created_unix_ms=snapshot.created_unix_ms,
        created_by=snapshot.created_by,
        progress=pb.MatchProgress(
            table_count=snapshot.progress.table_count,
            tables_ended=snapshot.progress.tables_ended,
            tables_open=snapshot.progress.tables_open,
            boards_released=snapshot.progress.boards_released,
            boards_withheld=snapshot.progress.boards_withheld,
            leg=snapshot.progress.leg,
            resumptions=snapshot.progress.resumptions,
        ),
        standings=[_standing(snapshot, row) for row in snapshot.standings],
        comparisons=[_comparison(row) for row in snapshot.comparisons],
        troubles=snapshot.troubles,
    )
    if snapshot.is_games:
        message.games = snapshot.boards
    else:
        message.boards = snapshot.boards
    return message


def match_created(created: Created) -> pb.CreateMatchResponse:
    """Returns the message."""
    return pb.CreateMatchResponse(
        match=match_answer(created.match), repeated_request=created.repeated
    )


def match_page(page: MatchPage) -> pb.ListMatchesResponse:
    """Returns the message."""
    return pb.ListMatchesResponse(
        matches=map(match_answer, page.matches), next_page_token=page.next_page_token
    )


def match_update(update: MatchUpdate) -> pb.WatchMatchResponse:
    """Returns the message."""
    return pb.WatchMatchResponse(
        match=match_answer(update.match),
        hands=[
            pb.PublicHand(
                board=hand.board,
                seating=hand.seating,
                hand_number=hand.hand_number,
                hand_json=hand.json,
            )
            for hand in update.hands
        ],
        boards_skipped=update.boards_skipped,
    )


def _rules(message: rules_pb2.Ruleset) -> dict[str, object]:
    rules: dict[str, object] = {"preset": message.preset}
    for option in message.options:
        arm = option.WhichOneof("value")
        if arm is None:
            raise _bad(f"option {option.name!r} of the ruleset has no value")
        if option.name in rules:
            raise _bad(f"option {option.name!r} of the ruleset is given twice")
        rules[option.name] = getattr(option, arm)
    return rules


def _clock(message: table_pb2.Clock) -> ClockSpec:
    try:
        return ClockSpec(
            budget_ms=message.budget_ms,
            bank_ms=message.bank_ms,
            increment_ms=message.increment_ms,
            grace_ms=message.grace_ms,
            first_ms=message.first_ms,
        )
    except ValueError as error:
        raise _bad(f"clock: {error}") from None


def _standing(snapshot: MatchSnapshot, row: Standing) -> pb.MatchStanding:
    faults = snapshot.faults.get(row.bot, {})
    return pb.MatchStanding(
        bot_name=row.bot,
        hand_count=row.hands,
        points=row.points,
        points_per_hand=_estimate(row.per_hand),
        wins=row.wins,
        memory_excluded=any(bot.name == row.bot and bot.memory_excluded for bot in snapshot.bots),
        faults=pb.FaultCounts(**{kind.name.lower(): faults.get(kind, 0) for kind in FaultKind}),
    )


def _comparison(row: Comparison) -> pb.MatchComparison:
    return pb.MatchComparison(
        a=row.a, b=row.b, mean_per_board=_estimate(row.per_board), boards=row.boards
    )


def _estimate(estimate: Estimate | None) -> pb.Estimate | None:
    if estimate is None:
        return None
    return pb.Estimate(value=estimate.value, low=estimate.low, high=estimate.high)


def _named(names: Mapping[Any, Any], number: int, what: str) -> Any:  # noqa: ANN401  # an enum's
    if number not in names:
        raise _bad(f"this arena knows no {what} of the number {number}")
    return names[number]


def _number(value: int) -> Any:  # noqa: ANN401  # the stub has an enum type of its own
    return int(value)


def _bad(message: str) -> MatchRefused:
    return MatchRefused(Reason.INVALID_MATCH, message)
