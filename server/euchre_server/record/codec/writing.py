"""Owns the way from a record's values to the bytes of an entry. Must not know files or frames."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, assert_never

from euchre_arena.record.v1 import record_pb2 as record
from euchre_arena.v1 import action_pb2, rules_pb2
from euchre_engine import flat
from euchre_server.record.codec.enums import GAMES, POLICIES
from euchre_server.record.entries import (
    BotSeated,
    MatchOpened,
    MatchResumed,
    MatchSealed,
    TableOpened,
)
from euchre_server.referee.facts import (
    Acted,
    Faulted,
    HandEnded,
    HandStarted,
    SeatChanged,
    Stalled,
    TableEnded,
)
from euchre_server.referee.spec import TableMode

if TYPE_CHECKING:
    from euchre_engine import Action, Ruleset
    from euchre_engine.option_kinds import OptionValue
    from euchre_server.record.entries import RecordFact

__all__ = ["encode"]


def encode(
    number: int,
    table_number: int,
    at_ms: int,
    fact: RecordFact,
    *,
    play_hash: bytes = b"",
    chain_hash: bytes = b"",
) -> bytes:
    """Returns an entry as bytes.

    Args:
        number: The entry's number in the file.
        table_number: The table's, 0 for the match.
        at_ms: When it happened.
        fact: What is recorded.
        play_hash: Kept with the end of a hand.
        chain_hash: Kept with the end of a hand or table.
    """
    entry = record.RecordEntry(number=number, table_number=table_number, at_ms=at_ms)
    match fact:
        case Acted():  # by far the most frequent, so it comes first
            _write_acted(entry.acted, fact)
        case SeatChanged():
            entry.seat_changed.seat = fact.seat
            entry.seat_changed.change = fact.change  # type: ignore[assignment]  # same numbers
            entry.seat_changed.session_epoch = fact.session_epoch
        case HandStarted():
            _write_hand_started(entry.hand_started, fact)
        case Faulted():
            _write_faulted(entry.faulted, fact)
        case Stalled():
            entry.stalled.stalled_ms = fact.stalled_ms
        case HandEnded():
            _write_hand_ended(entry.hand_ended, fact)
            entry.hand_ended.play_hash = play_hash
            entry.hand_ended.chain_hash = chain_hash
        case TableEnded():
            _write_table_ended(entry.table_ended, fact)
            entry.table_ended.chain_hash = chain_hash
        case MatchOpened():
            _write_match_opened(entry.match_opened, fact)
        case MatchResumed():
            entry.match_resumed.arena_version = fact.arena_version
            entry.match_resumed.resumed_unix_ms = fact.resumed_unix_ms
            entry.match_resumed.cut_bytes = fact.cut_bytes
        case BotSeated():
            _write_bot_seated(entry.bot_seated, fact)
        case TableOpened():
            _write_table_opened(entry.table_opened, fact)
        case MatchSealed():
            entry.match_sealed.secret = fact.secret
            entry.match_sealed.table_hashes.extend(fact.table_hashes)
            entry.match_sealed.result = fact.result
            entry.match_sealed.complete = fact.complete
        case _:
            assert_never(fact)
    return entry.SerializeToString()


@lru_cache(maxsize=4096)  # a match repeats its few hundred actions all the time
def _action_message(action: Action) -> action_pb2.Action:
    kind, suit, bid, cards = flat(action)
    message = action_pb2.Action(kind=kind, bid=bid, cards=cards)  # type: ignore[arg-type]
    if suit is not None:
        message.suit = suit  # type: ignore[assignment]  # same numbers
    return message


@lru_cache(maxsize=16)
def _ruleset_message(
    rules: Ruleset, options: tuple[tuple[str, OptionValue], ...]
) -> rules_pb2.Ruleset:
    message = rules_pb2.Ruleset(
        preset=rules.preset, game=GAMES[rules.game], seat_count=rules.seat_count
    )
    for name, value in options:
        option = message.options.add(name=name)
        if isinstance(value, bool):
            option.flag = value
        elif isinstance(value, int):
            option.number = value
        else:
            option.text = value
    return message


def _write_acted(message: record.Acted, fact: Acted) -> None:
    message.seat = fact.seat
    message.action.CopyFrom(_action_message(fact.action))
    message.actor = fact.actor  # type: ignore[assignment]  # same numbers
    message.decision_id = fact.decision_id
    if fact.written_ms is not None:
        message.written_ms = fact.written_ms
    message.charged_ms = fact.charged_ms
    message.bank_left_ms = fact.bank_left_ms
    if fact.think_ms is not None:
        message.think_ms = fact.think_ms
    if fact.annotation:
        message.annotation = fact.annotation
    message.grace_used_ms = fact.grace_used_ms
    if fact.asked_ms is not None:
        message.asked_ms = fact.asked_ms
    if fact.started_ms is not None:
        message.started_ms = fact.started_ms
    if fact.round_trip_ms is not None:
        message.round_trip_ms = fact.round_trip_ms
    if fact.stalled_ms is not None:
        message.stalled_ms = fact.stalled_ms


def _write_hand_started(message: record.HandStarted, fact: HandStarted) -> None:
    message.hand_number = fact.hand_number
    message.dealer = fact.dealer
    message.deck.extend(fact.deck)  # type: ignore[arg-type]  # same numbers
    message.scores.extend(fact.scores)
    message.redeals = fact.redeals


def _write_hand_ended(message: record.HandEnded, fact: HandEnded) -> None:
    message.hand_number = fact.hand_number
    message.points.extend(fact.points)
    message.scores.extend(fact.scores)
    message.tricks_won.extend(fact.tricks_won)
    message.passed_out = fact.passed_out


def _write_match_opened(message: record.MatchOpened, fact: MatchOpened) -> None:
    message.match_id = fact.match_id
    message.arena_version = fact.arena_version
    message.started_unix_ms = fact.started_unix_ms
    message.commitment = fact.commitment
    message.specification = fact.specification
    message.public_seed = fact.public_seed
    message.bot_names.extend(fact.bot_names)
    message.setup = fact.setup


def _write_bot_seated(message: record.BotSeated, fact: BotSeated) -> None:
    message.bot_name = fact.bot_name
    message.leg = fact.leg
    message.bot_version = fact.bot_version
    message.client_library = fact.client_library
    message.source = fact.source
    message.isolation = fact.isolation


def _write_faulted(message: record.Faulted, fact: Faulted) -> None:
    message.seat = fact.seat
    message.kind = fact.kind  # type: ignore[assignment]  # same numbers
    message.decision_id = fact.decision_id
    message.reason = fact.reason or 0  # type: ignore[assignment]  # same numbers
    message.text = fact.text
    message.raw = fact.raw
    message.fault_count = fact.fault_count
    if fact.times is not None:
        message.times.CopyFrom(record.Times(**fact.times._asdict()))  # None leaves a field unset


def _write_table_ended(message: record.TableEnded, fact: TableEnded) -> None:
    message.scores.extend(fact.scores)
    message.winners.extend(fact.winners)
    message.cause = fact.cause  # type: ignore[assignment]  # same numbers
    message.blame = fact.blame  # type: ignore[assignment]  # same numbers
    if fact.blamed_seat is not None:
        message.blamed_seat = fact.blamed_seat
    message.rated = fact.rated


def _write_table_opened(message: record.TableOpened, fact: TableOpened) -> None:
    message.table_id = fact.table_id
    message.ruleset.CopyFrom(_ruleset_message(fact.rules, fact.options))
    message.bot_names.extend(fact.bots)
    message.board_hand = fact.mode is TableMode.BOARD
    message.board = fact.board
    message.seating = fact.seating
    message.first_dealer = fact.first_dealer
    message.relabelling.extend(fact.relabelling)  # type: ignore[arg-type]  # same numbers
    message.clock.budget_ms = fact.clock.budget_ms
    message.clock.bank_ms = fact.clock.bank_ms
    message.clock.increment_ms = fact.clock.increment_ms
    message.clock.grace_ms = fact.clock.grace_ms
    message.clock.first_ms = fact.clock.first_ms
    message.fault_policy.kind = POLICIES[fact.policy.kind]
    message.fault_policy.fault_limit = fact.policy.fault_limit
    message.bot_seeds.extend(fact.bot_seeds)
    message.join_within_ms = fact.join_within_ms
