"""Tests of the check of faults and of what they led to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from record_forge import first, forge
from record_matches import Behaviour, match_spec, write_match

from euchre_engine import Seat
from euchre_server.record.checking import verify_file
from euchre_server.record.reader import read_record
from euchre_server.record.verdict import FindingKind
from euchre_server.referee.facts import (
    Acted,
    EndCause,
    Faulted,
    FaultKind,
    RejectReason,
    SeatChange,
    SeatChanged,
    Stalled,
    TableEnded,
)
from euchre_server.referee.spec import FaultPolicy

if TYPE_CHECKING:
    from pathlib import Path

    from euchre_server.record.entries import RecordFact

Change = Callable[[Any], "RecordFact | None"]


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a good record with faults of several kinds and a low limit."""
    behaviour = Behaviour(timeout=0.1, illegal=0.1, stalled=0.1)
    spec = match_spec(boards=6, policy=FaultPolicy(fault_limit=3))
    return write_match(tmp_path_factory.mktemp("faulty"), spec, behaviour=behaviour)


def _kind(
    kind: FaultKind, change: Callable[[Faulted], Faulted | None]
) -> Callable[[Any], RecordFact | None]:
    done = False

    def changed(fact: Faulted) -> Faulted | None:
        nonlocal done
        if done or fact.kind is not kind:
            return fact
        done = True
        return change(fact)

    return changed


FAULT_FORGERIES: dict[str, tuple[type[RecordFact], Change, str]] = {
    "fault count": (
        Faulted,
        _kind(FaultKind.TIMEOUT, lambda f: replace(f, fault_count=f.fault_count + 1)),
        "fault_count is",
    ),
    "time-out of another": (
        Faulted,
        _kind(FaultKind.TIMEOUT, lambda f: replace(f, seat=Seat((f.seat + 1) % 3))),
        "",
    ),
    "time-out of another decision": (
        Faulted,
        _kind(FaultKind.TIMEOUT, lambda f: replace(f, decision_id=f.decision_id + 1)),
        "decision is",
    ),
    "time-out left out": (Faulted, _kind(FaultKind.TIMEOUT, lambda _: None), ""),
    "reason": (
        Faulted,
        _kind(FaultKind.ILLEGAL, lambda f: replace(f, reason=RejectReason.BID_NOT_ALLOWED)),
        "reason is BID_NOT_ALLOWED",
    ),
    "fault of nobody": (
        Faulted,
        _kind(FaultKind.ILLEGAL, lambda f: replace(f, seat=Seat(5))),
        "there is no seat 5",
    ),
    "stall": (Stalled, lambda f: replace(f, stalled_ms=0), "stalled_ms is 0"),
}


@pytest.mark.parametrize("name", FAULT_FORGERIES)
def test_forged_fault_is_found(faulty: Path, name: str) -> None:
    """Faults and their counts are followed, and what they led to."""
    kind, change, words = FAULT_FORGERIES[name]
    every = change if kind is Faulted else None

    forged = forge(
        faulty,
        first(kind, change)
        if every is None
        else lambda entry: (
            (entry.fact,)
            if not isinstance(entry.fact, kind)
            else tuple(fact for fact in (every(entry.fact),) if fact is not None)
        ),
    )
    verdict = verify_file(forged)

    assert verdict.finding is not None
    assert FindingKind.DISAGREES is verdict.finding.kind
    assert words in verdict.finding.what


def test_refusal_of_a_legal_answer_is_found(faulty: Path) -> None:
    """A refusal that the rules do not ask for is the arena's error and is named."""
    entries = list(read_record(faulty))
    refused = next(
        e for e in entries if isinstance(e.fact, Faulted) and e.fact.kind is FaultKind.ILLEGAL
    )
    number = refused.number
    legal = next(
        e.fact.action
        for e in entries[number:]
        if isinstance(e.fact, Acted) and e.table_number == refused.table_number
    )

    def change(entry: Any) -> tuple[RecordFact, ...]:  # noqa: ANN401
        if entry.number != number:
            return (entry.fact,)
        return (replace(entry.fact, raw=str(legal).encode()),)

    verdict = verify_file(forge(faulty, change))

    assert verdict.finding is not None
    assert number == verdict.finding.entry
    assert "was refused although the rules allow it" in verdict.finding.what


def test_table_cannot_go_on_after_the_fault_limit(faulty: Path) -> None:
    """The fault that reaches the limit ends the table."""
    ended = next(
        entry
        for entry in read_record(faulty)
        if isinstance(entry.fact, TableEnded) and entry.fact.cause is EndCause.FAULTS
    )
    stalled = Stalled(stalled_ms=5)

    verdict = verify_file(
        forge(faulty, lambda e: (stalled, e.fact) if e.number == ended.number else (e.fact,))
    )

    assert verdict.finding is not None
    assert "had reached 3 faults, which ends the table" in verdict.finding.what


def test_forfeit_that_pays_the_offender_is_found(faulty: Path) -> None:
    """A forfeit never pays: the scores of one are worked out again."""

    def pay(entry: Any) -> tuple[RecordFact, ...]:  # noqa: ANN401
        fact = entry.fact
        if isinstance(fact, TableEnded) and fact.cause is EndCause.FAULTS:
            return (replace(fact, scores=(4, 4, 4)),)
        return (fact,)

    verdict = verify_file(forge(faulty, pay))

    assert verdict.finding is not None
    assert "scores is 4 4 4" in verdict.finding.what


def test_seat_that_left_cannot_act_up_again(tmp_path: Path) -> None:
    """Who has gone for good does not come back."""
    path = write_match(tmp_path, match_spec(boards=3), behaviour=Behaviour(left=0.05))
    left = next(
        entry
        for entry in read_record(path)
        if isinstance(entry.fact, SeatChanged) and entry.fact.change is SeatChange.LEFT
    )
    gone: Any = left.fact
    back = replace(gone, change=SeatChange.JOINED, session_epoch=9)

    verdict = verify_file(
        forge(path, lambda e: (e.fact, back) if e.number == left.number else (e.fact,))
    )

    assert verdict.finding is not None
    assert "had gone for good" in verdict.finding.what
