"""Owns the wire form of what the referee says to a seat.

Decisions are the hot path, so they are put together by hand from parts that are kept: a table's id,
each action's bytes. Everything else goes through the generated classes.
Must not know sessions; what a seat may see was settled when the message was made.
"""

from functools import lru_cache
from typing import assert_never

from euchre_arena.v1 import action_pb2, rules_pb2, table_pb2
from euchre_engine import Action, Choose, Ruleset, Seat, flat
from euchre_server.referee.facts import TableEnded
from euchre_server.referee.outputs import (
    Ask,
    Closed,
    GameOver,
    HandOver,
    Message,
    Reject,
    Seated,
    Spent,
    TimedOut,
)
from euchre_server.referee.spec import ClockSpec, FaultPolicy, PolicyKind, TableSpec
from euchre_server.session.wire.encoding import number_field, sized, sized_field, varint
from euchre_server.session.wire.frames import enum_value, game_number, said
from euchre_server.session.wire.views import view_bytes

__all__ = [
    "POLICY_KINDS",
    "clock_message",
    "closed_by_arena",
    "decision",
    "policy_message",
    "rejected",
    "ruleset_bytes",
    "seat_message",
    "unknown_table",
]


def seat_message(spec: TableSpec, seat: Seat, message: Message) -> bytes:
    """Returns a message of the referee to a seat."""
    table_id = spec.table_id
    match message:
        case Ask():
            return decision(table_id, message, _VIEW + sized(view_bytes(message.view)))
        case HandOver(view, scores, last):
            rest = table_pb2.HandEnded(table_id=table_id, scores=scores).SerializeToString()
            if last is not None:
                rest += _HAND_ENDED_LAST + sized(_spent(last))
            return said("hand_ended", rest + _HAND_ENDED_VIEW + sized(view_bytes(view)))
        case TimedOut():
            timed_out = table_pb2.TimedOut(
                table_id=table_id,
                decision_id=message.decision_id,
                played=None if message.played is None else _action(message.played),
                charged_ms=message.charged_ms,
                bank_left_ms=message.bank_left_ms,
                fault_count=message.fault_count,
            )
            return said("timed_out", timed_out.SerializeToString())
        case GameOver(scores, winners, carry, game_worth):
            over = table_pb2.GameEnded(
                table_id=table_id,
                scores=scores,
                winners=winners,
                carry=carry if any(carry) else (),
                game_worth=game_worth,
            )
            return said("game_ended", over.SerializeToString())
        case Closed(ending):
            return _closed(table_id, ending)
        case Seated():
            return said("table_opened", _table_opened(spec, seat))
        case _:
            assert_never(message)


def rejected(table_id: str, refusal: Reject) -> bytes:
    """Returns the refusal of an answer."""
    legal = refusal.legal
    body = table_pb2.Rejected(
        table_id=table_id,
        decision_id=refusal.decision_id,
        reason=enum_value(refusal.reason),
        text=refusal.text,
        legal=() if isinstance(legal, Choose) else map(_action, legal),
        choose=_choose(legal) if isinstance(legal, Choose) else None,
        time_left_ms=refusal.time_left_ms,
        fault_count=refusal.fault_count,
        charged_ms=refusal.charged_ms,
        bank_left_ms=refusal.bank_left_ms,
    )
    return said("rejected", body.SerializeToString())


def closed_by_arena(table_id: str) -> bytes:
    """Returns the end of a table of which nothing is known for certain any more."""
    body = table_pb2.TableClosed(
        table_id=table_id,
        cause=table_pb2.END_CAUSE_ARENA_FAULT,
        blame=table_pb2.BLAME_ARENA,
    )
    return said("table_closed", body.SerializeToString())


def unknown_table(table_id: str, decision_id: int) -> bytes:
    """Returns the refusal of an answer about a table at which the session holds no seat."""
    body = table_pb2.Rejected(
        table_id=table_id,
        decision_id=decision_id,
        reason=table_pb2.REJECT_REASON_UNKNOWN_TABLE,
        text="this session holds no seat at such a table, or the table is over",
    )
    return said("rejected", body.SerializeToString())


# Decisions

_D = table_pb2.Decision
_TABLE_ID = sized_field(_D.TABLE_ID_FIELD_NUMBER)
_DECISION_ID = number_field(_D.DECISION_ID_FIELD_NUMBER)
_TIME_LEFT = number_field(_D.TIME_LEFT_MS_FIELD_NUMBER)
_BANK_LEFT = number_field(_D.BANK_LEFT_MS_FIELD_NUMBER)
_VIEW = sized_field(_D.VIEW_FIELD_NUMBER)
_LEGAL = sized_field(_D.LEGAL_FIELD_NUMBER)
_CHOOSE = sized_field(_D.CHOOSE_FIELD_NUMBER)
_LAST = sized_field(_D.LAST_FIELD_NUMBER)
_DEFAULT_COUNT = number_field(_D.DEFAULT_COUNT_FIELD_NUMBER)
_HAND_ENDED_VIEW = sized_field(table_pb2.HandEnded.VIEW_FIELD_NUMBER)
_HAND_ENDED_LAST = sized_field(table_pb2.HandEnded.LAST_FIELD_NUMBER)
_S = table_pb2.TimeSpent
_SPENT_DECISION = number_field(_S.DECISION_ID_FIELD_NUMBER)
_SPENT_BY_CLOCK = number_field(_S.BY_CLOCK_FIELD_NUMBER) + varint(1)
_SPENT_CHARGED = number_field(_S.CHARGED_MS_FIELD_NUMBER)
_SPENT_GRACE = number_field(_S.GRACE_USED_MS_FIELD_NUMBER)
_SPENT_STALLED = number_field(_S.STALLED_MS_FIELD_NUMBER)
_SPENT_ROUND_TRIP = number_field(_S.ROUND_TRIP_MS_FIELD_NUMBER)


def decision(table_id: str, ask: Ask, seen: bytes) -> bytes:
    """Returns a question; `seen` is the field, or the fields, that tell what the seat knows."""
    legal = ask.legal
    if isinstance(legal, Choose):
        choices = _CHOOSE + sized(_choose(legal).SerializeToString())
    else:
        choices = b"".join([_legal_field(action) for action in legal])
    body = b"".join(
        (
            _TABLE_ID,
            sized(table_id.encode()),
            _DECISION_ID,
            varint(ask.decision_id),
            _TIME_LEFT,
            varint(ask.time_left_ms),
            _BANK_LEFT,
            varint(ask.bank_left_ms),
            seen,
            choices,
            b"" if ask.last is None else _LAST + sized(_spent(ask.last)),
            _DEFAULT_COUNT + varint(ask.default_count) if ask.default_count else b"",
        )
    )
    return said("decision", body)


def _spent(spent: Spent) -> bytes:
    parts = [_SPENT_DECISION, varint(spent.decision_id)]
    if spent.by_clock:
        parts.append(_SPENT_BY_CLOCK)
    if spent.charged_ms:
        parts += _SPENT_CHARGED, varint(spent.charged_ms)
    if spent.grace_used_ms:
        parts += _SPENT_GRACE, varint(spent.grace_used_ms)
    if spent.stalled_ms is not None:
        parts += _SPENT_STALLED, varint(spent.stalled_ms)
    if spent.round_trip_ms is not None:
        parts += _SPENT_ROUND_TRIP, varint(spent.round_trip_ms)
    return b"".join(parts)


@lru_cache(maxsize=1024)
def _legal_field(action: Action) -> bytes:
    return _LEGAL + sized(_action(action).SerializeToString())


def _action(action: Action) -> action_pb2.Action:
    row = flat(action)
    return action_pb2.Action(
        kind=enum_value(row.kind),
        suit=enum_value(row.suit or 0),
        bid=row.bid,
        cards=map(enum_value, row.cards),
    )


def _choose(choice: Choose) -> action_pb2.Choose:
    return action_pb2.Choose(
        kind=enum_value(choice.kind), count=choice.count, pool=map(enum_value, choice.pool)
    )


# Tables


def _table_opened(spec: TableSpec, seat: Seat) -> bytes:
    own = table_pb2.TableOpened(
        table_id=spec.table_id,
        seat=seat,
        commitment=spec.commitment,
        bot_seed=spec.bot_seeds[seat],
    )
    common = _told_alike(spec.bots, spec.clock, spec.policy)
    return own.SerializeToString() + common + _RULESET + sized(ruleset_bytes(spec.rules))


@lru_cache(maxsize=256)
def _told_alike(bots: tuple[str, ...], clock: ClockSpec, policy: FaultPolicy) -> bytes:
    """Returns the fields of TableOpened that are alike for many tables, and at each for all."""
    return table_pb2.TableOpened(
        seats=[table_pb2.SeatName(seat=seat, bot_name=name) for seat, name in enumerate(bots)],
        clock=clock_message(clock),
        fault_policy=policy_message(policy),
    ).SerializeToString()


@lru_cache(maxsize=16)  # all seats of a table are told the same, one after the other
def _closed(table_id: str, ending: TableEnded) -> bytes:
    closed = table_pb2.TableClosed(
        table_id=table_id,
        scores=ending.scores,
        winners=ending.winners,
        cause=enum_value(ending.cause),
        blame=enum_value(ending.blame),
        blamed_seat=ending.blamed_seat,
        rated=ending.rated,
    )
    return said("table_closed", closed.SerializeToString())


_RULESET = sized_field(table_pb2.TableOpened.RULESET_FIELD_NUMBER)
POLICY_KINDS = {
    PolicyKind.LENIENT: table_pb2.FAULT_POLICY_KIND_LENIENT,
    PolicyKind.STRICT: table_pb2.FAULT_POLICY_KIND_STRICT,
}


def clock_message(clock: ClockSpec) -> table_pb2.Clock:
    """Returns a clock as bots and onlookers are told of it."""
    return table_pb2.Clock(
        budget_ms=clock.budget_ms,
        bank_ms=clock.bank_ms,
        increment_ms=clock.increment_ms,
        grace_ms=clock.grace_ms,
        first_ms=clock.first_ms,
    )


def policy_message(policy: FaultPolicy) -> table_pb2.FaultPolicy:
    """Returns a fault policy, likewise."""
    return table_pb2.FaultPolicy(kind=POLICY_KINDS[policy.kind], fault_limit=policy.fault_limit)


@lru_cache(maxsize=64)
def ruleset_bytes(rules: Ruleset) -> bytes:
    """Returns the message that holds a ruleset, as bytes."""
    return rules_pb2.Ruleset(
        preset=rules.preset,
        game=game_number(rules.game),
        seat_count=rules.seat_count,
        options=[_option(name, value) for name, value in rules.options.items()],
    ).SerializeToString()


def _option(name: str, value: bool | int | str) -> rules_pb2.RuleOption:  # noqa: FBT001  # a value
    match value:
        case bool():
            return rules_pb2.RuleOption(name=name, flag=value)
        case int():
            return rules_pb2.RuleOption(name=name, number=value)
        case _:
            return rules_pb2.RuleOption(name=name, text=str(value))
