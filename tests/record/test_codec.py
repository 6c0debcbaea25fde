"""Tests of entries as bytes."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from record_matches import Behaviour, match_spec, write_match

from euchre_arena.record.v1 import record_pb2
from euchre_engine import PRESETS, ActionKind, Card, Seat, Suit, unflatten
from euchre_server.record.codec import UnreadableEntry, decode, encode
from euchre_server.record.entries import Entry, MatchOpened, MatchResumed
from euchre_server.record.reader import read_record
from euchre_server.referee.facts import (
    Acted,
    Actor,
    Faulted,
    FaultKind,
    RejectReason,
    SeatChange,
    SeatChanged,
    Times,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from euchre_server.record.entries import RecordFact

SEATS = st.integers(0, 6).map(Seat)
MS = st.integers(0, 2**62)
ACTIONS = st.builds(
    lambda kind, suit, bid, cards: unflatten(
        kind,
        suit,
        bid,
        cards if kind in {ActionKind.KEEP, ActionKind.SWAP} else cards[:1],
    ),
    st.sampled_from(ActionKind),
    st.sampled_from(Suit),
    st.integers(1, 99),
    st.lists(st.sampled_from(Card), min_size=1, max_size=6, unique=True),
)
ACTED = st.builds(
    Acted,
    seat=SEATS,
    action=ACTIONS,
    actor=st.sampled_from(Actor),
    decision_id=st.integers(0, 2**31 - 1),
    written_ms=st.none() | MS,
    charged_ms=MS,
    bank_left_ms=MS,
    grace_used_ms=MS,
    think_ms=st.none() | MS,
    annotation=st.text(max_size=20),
    asked_ms=st.none() | MS,
    started_ms=st.none() | MS,
    round_trip_ms=st.none() | MS,
    stalled_ms=st.none() | MS,
)
TIMES = st.builds(
    Times,
    asked_ms=st.none() | MS,
    written_ms=st.none() | MS,
    started_ms=st.none() | MS,
    round_trip_ms=st.none() | MS,
    stalled_ms=st.none() | MS,
    grace_used_ms=MS,
    charged_ms=MS,
)
FAULTED = st.builds(
    Faulted,
    seat=SEATS,
    kind=st.sampled_from(FaultKind),
    fault_count=st.integers(0, 1000),
    decision_id=st.integers(0, 1000),
    reason=st.none() | st.sampled_from(RejectReason),
    text=st.text(max_size=20),
    raw=st.binary(max_size=20),
    times=st.none() | TIMES,
)
CHANGED = st.builds(
    SeatChanged,
    seat=SEATS,
    change=st.sampled_from(SeatChange),
    session_epoch=st.integers(0, 1000),
)


@given(st.one_of(ACTED, FAULTED, CHANGED), st.integers(1, 2**40), st.integers(1, 2**20), MS)
def test_facts_come_back_as_they_went(
    fact: RecordFact, number: int, table_number: int, at_ms: int
) -> None:
    """Whatever a fact holds, its bytes give it again, with number, table and time."""
    read = decode(encode(number, table_number, at_ms, fact))

    assert Entry(number=number, table_number=table_number, at_ms=at_ms, fact=fact) == read


RESUMED = MatchResumed(arena_version="1", resumed_unix_ms=1_790_000_000_000, cut_bytes=7)
OPENED = MatchOpened(
    match_id="m1",
    arena_version="1",
    started_unix_ms=1,
    commitment=b"c",
    specification=b"{}",
    public_seed=True,
    bot_names=("ann", "bob"),
    setup=b'{"bots":[]}',
)


@pytest.mark.parametrize("fact", [RESUMED, OPENED])
def test_entries_of_the_match_come_back_as_they_went(fact: RecordFact) -> None:
    """What says how a match is run, and that it went on, is read as it was written."""
    assert fact == decode(encode(1, 0, 5, fact)).fact


@pytest.mark.parametrize("preset", PRESETS)
def test_every_entry_of_a_match_is_written_as_it_was_read(tmp_path: Path, preset: str) -> None:
    """Decoding and encoding an entry of any kind gives its bytes again."""
    behaviour = Behaviour(illegal=0.05, timeout=0.02, stalled=0.05, note="ÿ")
    path = write_match(tmp_path, match_spec(preset, boards=1), behaviour=behaviour)

    for entry in read_record(path):
        again = encode(
            entry.number,
            entry.table_number,
            entry.at_ms,
            entry.fact,
            play_hash=entry.play_hash,
            chain_hash=entry.chain_hash,
        )
        assert entry.payload == again


@given(st.binary(max_size=60))
def test_random_bytes_are_refused_or_read_but_never_crash(data: bytes) -> None:
    """Only the one documented error escapes, whatever the bytes."""
    with contextlib.suppress(UnreadableEntry):
        decode(data)


def _no_kind(message: Any) -> None:  # noqa: ANN401  # a protobuf message, by attribute
    message.acted.action.kind = 0


def _no_actor(message: Any) -> None:  # noqa: ANN401
    message.acted.actor = 0


def _unknown_actor(message: Any) -> None:  # noqa: ANN401
    message.acted.actor = 9


def _no_card(message: Any) -> None:  # noqa: ANN401
    message.acted.action.cards[:] = [0]


def _large_card(message: Any) -> None:  # noqa: ANN401
    message.acted.action.cards[:] = [54]


def _far_seat(message: Any) -> None:  # noqa: ANN401
    message.acted.seat = 7


def _nothing(message: Any) -> None:  # noqa: ANN401
    message.ClearField("acted")


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (_no_kind, "action"),
        (_no_actor, "actor is 0"),
        (_unknown_actor, "actor is 9"),
        (_no_card, "action"),
        (_large_card, "action"),
        (_far_seat, "7 is no seat"),
        (_nothing, "no fact"),
    ],
)
def test_what_the_format_does_not_allow_is_refused_by_name(
    spoil: Callable[[Any], None], named: str
) -> None:
    """Unset and unknown values are errors that name the field."""
    fact = Acted(
        seat=Seat(1),
        action=unflatten(ActionKind.PLAY, cards=[Card["JD"]]),
        actor=Actor.BOT,
        decision_id=3,
        written_ms=1,
        charged_ms=2,
        bank_left_ms=3,
    )
    message = record_pb2.RecordEntry.FromString(encode(1, 1, 0, fact))
    spoil(message)

    with pytest.raises(UnreadableEntry, match=named):
        decode(message.SerializeToString())


def test_old_rulesets_stay_as_they_were_listed(tmp_path: Path) -> None:
    """A table keeps the options that its record lists, so that old play hashes stay good."""
    path = write_match(tmp_path, match_spec(boards=1))
    opened: Any = next(e.fact for e in read_record(path) if e.table_number)
    shorter = replace(opened, options=opened.options[:5])

    read = decode(encode(2, 1, 0, shorter)).fact

    assert shorter == read
