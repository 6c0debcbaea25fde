"""Owns the way from the bytes of an entry to a record's values.

Strict: what the format does not allow is refused with the name of the field. Must not know files,
frames or hashes of entries.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar, assert_never

from google.protobuf.message import DecodeError

from euchre_arena.record.v1 import record_pb2 as record
from euchre_engine import Card, EngineError, Seat, Suit, make_ruleset, unflatten
from euchre_server.record.codec.enums import GAMES, POLICIES
from euchre_server.record.entries import (
    BotSeated,
    Entry,
    MatchOpened,
    MatchResumed,
    MatchSealed,
    RecordFact,
    TableOpened,
)
from euchre_server.referee.facts import (
    Acted,
    Actor,
    Blame,
    EndCause,
    Faulted,
    FaultKind,
    HandEnded,
    HandStarted,
    RejectReason,
    SeatChange,
    SeatChanged,
    Stalled,
    TableEnded,
    Times,
)
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableMode

if TYPE_CHECKING:
    from collections.abc import Iterable
    from enum import IntEnum

    from euchre_arena.v1 import rules_pb2
    from euchre_engine import Ruleset
    from euchre_engine.option_kinds import OptionValue

__all__ = ["UnreadableEntry", "decode"]

_POLICY_OF: Final = {number: kind for kind, number in POLICIES.items()}


class UnreadableEntry(Exception):  # noqa: N818  # named by what was found
    """Bytes that are no entry; the message says which field is wrong."""


def decode(payload: bytes) -> Entry:
    """Returns the entry that the bytes hold.

    Raises:
        UnreadableEntry: The bytes are no entry, or a field holds what the format does not allow.
    """
    try:
        message = record.RecordEntry.FromString(payload)
    except DecodeError:
        raise UnreadableEntry("its bytes are no protobuf message of a record") from None
    arm = message.WhichOneof("fact")
    play_hash = chain_hash = b""
    fact: RecordFact
    match arm:
        case "acted":
            fact = _read_acted(message.acted)
        case "seat_changed":
            changed = message.seat_changed
            fact = SeatChanged(
                seat=_seat(changed.seat),
                change=_member(SeatChange, changed.change, "change"),
                session_epoch=changed.session_epoch,
            )
        case "hand_started":
            started = message.hand_started
            fact = HandStarted(
                hand_number=started.hand_number,
                dealer=_seat(started.dealer),
                deck=tuple(_members(Card, started.deck, "deck")),
                scores=tuple(started.scores),
                redeals=started.redeals,
            )
        case "faulted":
            fact = _read_faulted(message.faulted)
        case "stalled":
            fact = Stalled(stalled_ms=message.stalled.stalled_ms)
        case "hand_ended":
            ended = message.hand_ended
            play_hash, chain_hash = ended.play_hash, ended.chain_hash
            fact = HandEnded(
                hand_number=ended.hand_number,
                points=tuple(ended.points),
                scores=tuple(ended.scores),
                tricks_won=tuple(ended.tricks_won),
                passed_out=ended.passed_out,
            )
        case "table_ended":
            chain_hash = message.table_ended.chain_hash
            fact = _read_table_ended(message.table_ended)
        case "match_opened":
            opened = message.match_opened
            fact = MatchOpened(
                match_id=opened.match_id,
                arena_version=opened.arena_version,
                started_unix_ms=opened.started_unix_ms,
                commitment=opened.commitment,
                specification=opened.specification,
                public_seed=opened.public_seed,
                bot_names=tuple(opened.bot_names),
                setup=opened.setup,
            )
        case "match_resumed":
            resumed = message.match_resumed
            fact = MatchResumed(
                arena_version=resumed.arena_version,
                resumed_unix_ms=resumed.resumed_unix_ms,
                cut_bytes=resumed.cut_bytes,
            )
        case "bot_seated":
            seated = message.bot_seated
            fact = BotSeated(
                bot_name=seated.bot_name,
                leg=seated.leg,
                bot_version=seated.bot_version,
                client_library=seated.client_library,
                source=seated.source,
                isolation=seated.isolation,
            )
        case "table_opened":
            fact = _read_table_opened(message.table_opened)
        case "match_sealed":
            sealed = message.match_sealed
            fact = MatchSealed(
                secret=sealed.secret,
                table_hashes=tuple(sealed.table_hashes),
                result=sealed.result,
                complete=sealed.complete,
            )
        case None:
            raise UnreadableEntry("it holds no fact of a kind that this arena knows")
        case _:
            assert_never(arm)
    return Entry(
        number=message.number,
        table_number=message.table_number,
        at_ms=message.at_ms,
        fact=fact,
        play_hash=play_hash,
        chain_hash=chain_hash,
        payload=payload,
    )


_E = TypeVar("_E", bound="IntEnum")


def _member(kind: type[_E], number: int, field: str) -> _E:
    try:
        return kind(number)
    except ValueError:
        raise UnreadableEntry(f"{field} is {number}, which stands for nothing") from None


def _members(kind: type[_E], numbers: Iterable[int], field: str) -> Iterable[_E]:
    return (_member(kind, number, field) for number in numbers)


def _seat(number: int) -> Seat:
    if not 0 <= number < 7:
        raise UnreadableEntry(f"{number} is no seat")
    return Seat(number)


def _read_acted(message: record.Acted) -> Acted:
    action = message.action
    try:
        read = unflatten(action.kind, action.suit, action.bid, action.cards)
    except EngineError as error:
        raise UnreadableEntry(f"action: {error}") from None
    return Acted(
        seat=_seat(message.seat),
        action=read,
        actor=_member(Actor, message.actor, "actor"),
        decision_id=message.decision_id,
        written_ms=message.written_ms if message.HasField("written_ms") else None,
        charged_ms=message.charged_ms,
        bank_left_ms=message.bank_left_ms,
        grace_used_ms=message.grace_used_ms,
        think_ms=message.think_ms if message.HasField("think_ms") else None,
        annotation=message.annotation,
        asked_ms=message.asked_ms if message.HasField("asked_ms") else None,
        started_ms=message.started_ms if message.HasField("started_ms") else None,
        round_trip_ms=message.round_trip_ms if message.HasField("round_trip_ms") else None,
        stalled_ms=message.stalled_ms if message.HasField("stalled_ms") else None,
    )


def _read_faulted(message: record.Faulted) -> Faulted:
    reason = message.reason
    return Faulted(
        seat=_seat(message.seat),
        kind=_member(FaultKind, message.kind, "kind"),
        fault_count=message.fault_count,
        decision_id=message.decision_id,
        reason=_member(RejectReason, reason, "reason") if reason else None,
        text=message.text,
        raw=message.raw,
        times=_read_times(message.times) if message.HasField("times") else None,
    )


def _read_times(message: record.Times) -> Times:
    return Times(
        asked_ms=message.asked_ms if message.HasField("asked_ms") else None,
        written_ms=message.written_ms if message.HasField("written_ms") else None,
        started_ms=message.started_ms if message.HasField("started_ms") else None,
        round_trip_ms=message.round_trip_ms if message.HasField("round_trip_ms") else None,
        stalled_ms=message.stalled_ms if message.HasField("stalled_ms") else None,
        grace_used_ms=message.grace_used_ms,
        charged_ms=message.charged_ms,
    )


def _read_table_ended(message: record.TableEnded) -> TableEnded:
    return TableEnded(
        scores=tuple(message.scores),
        winners=tuple(map(_seat, message.winners)),
        cause=_member(EndCause, message.cause, "cause"),
        blame=_member(Blame, message.blame, "blame"),
        blamed_seat=_seat(message.blamed_seat) if message.HasField("blamed_seat") else None,
        rated=message.rated,
    )


def _read_table_opened(message: record.TableOpened) -> TableOpened:
    options = tuple(map(_option, message.ruleset.options))
    rules = _rules(message.ruleset.preset, options)
    if message.ruleset.game != GAMES[rules.game] or message.ruleset.seat_count != rules.seat_count:
        raise UnreadableEntry(f"game or seat_count do not fit the preset {rules.preset}")
    if len(message.bot_names) != rules.seat_count or len(message.bot_seeds) != rules.seat_count:
        raise UnreadableEntry(f"bot_names and bot_seeds must be {rules.seat_count} each")
    if message.first_dealer not in rules.seats:
        raise UnreadableEntry(f"first_dealer is {message.first_dealer}, which is no seat")
    suits = tuple(_members(Suit, message.relabelling, "relabelling"))
    if len(suits) != 4 or len(set(suits)) != 4:
        raise UnreadableEntry("relabelling is not the four suits in some order")
    policy = message.fault_policy
    if policy.kind not in _POLICY_OF:
        raise UnreadableEntry(f"fault_policy.kind is {policy.kind}, which stands for nothing")
    clock = message.clock
    try:
        return TableOpened(
            table_id=message.table_id,
            rules=rules,
            bots=tuple(message.bot_names),
            mode=TableMode.BOARD if message.board_hand else TableMode.GAME,
            board=message.board,
            seating=message.seating,
            first_dealer=Seat(message.first_dealer),
            relabelling=suits,
            clock=ClockSpec(
                budget_ms=clock.budget_ms,
                bank_ms=clock.bank_ms,
                increment_ms=clock.increment_ms,
                grace_ms=clock.grace_ms,
                first_ms=clock.first_ms,
            ),
            policy=FaultPolicy(kind=_POLICY_OF[policy.kind], fault_limit=policy.fault_limit),
            bot_seeds=tuple(message.bot_seeds),
            join_within_ms=message.join_within_ms,
            options=options,
        )
    except ValueError as error:
        raise UnreadableEntry(str(error)) from None


def _option(message: rules_pb2.RuleOption) -> tuple[str, OptionValue]:
    match message.WhichOneof("value"):
        case "flag":
            return message.name, message.flag
        case "number":
            return message.name, message.number
        case "text":
            return message.name, message.text
        case None:
            raise UnreadableEntry(f"option {message.name} has no value")
        case other:
            assert_never(other)


@lru_cache(maxsize=64)  # every table of a match has the same rules
def _rules(preset: str, options: tuple[tuple[str, OptionValue], ...]) -> Ruleset:
    try:
        return make_ruleset(preset, dict(options))
    except EngineError as error:
        raise UnreadableEntry(f"ruleset: {error}") from None
