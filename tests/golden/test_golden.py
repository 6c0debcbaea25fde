"""Tests that recorded games look as they did, and that the golden ones show all there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from golden_games import FOLDER, GOLDEN, golden_tables, golden_text

from euchre_engine import ActionKind, Phase, UpcardStatus
from euchre_server.referee.facts import EndCause, Faulted, FaultKind, RejectReason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from euchre_engine import State
    from euchre_server.record.tables import TablePlay


def tables() -> Iterator[TablePlay]:
    """Yields every table of every golden replay."""
    for name in GOLDEN:
        yield from golden_tables(name)


def states() -> Iterator[State]:
    """Yields every position of every golden replay."""
    for table in tables():
        for hand in table.hands:
            yield from hand.states(table)


def faults() -> Iterator[Faulted]:
    """Yields every fault of every golden replay."""
    for table in tables():
        yield from table.before
        for hand in table.hands:
            yield from (h.fact for h in hand.happenings if isinstance(h.fact, Faulted))


@pytest.mark.parametrize("name", GOLDEN)
def test_replay_is_what_it_was(name: str) -> None:
    """The same deals and players give the same text (`make golden` writes it anew)."""
    assert (FOLDER / f"{name}.txt").read_text() == golden_text(name)


def test_there_is_no_replay_that_nobody_makes() -> None:
    """Every text in the folder is one of those that are compared."""
    assert set(GOLDEN) == {path.stem for path in FOLDER.glob("*.txt")}


# What the golden replays do not show. When something new shows up it leaves these lists.
MISSING_KINDS: set[ActionKind] = set()
MISSING_PHASES: set[Phase] = set()
MISSING_REASONS = {
    RejectReason.UNKNOWN_DECISION,
    RejectReason.UNKNOWN_TABLE,
    RejectReason.BID_NOT_ALLOWED,
}


def test_every_kind_of_action_is_shown() -> None:
    """Each kind of action occurs."""
    shown = {step.action.kind for state in states() for step in state.steps[-1:]}

    assert MISSING_KINDS == set(ActionKind) - shown


def test_every_phase_is_shown() -> None:
    """Each phase occurs."""
    assert MISSING_PHASES == set(Phase) - {state.phase for state in states()}


def test_every_fate_of_the_upcard_is_shown() -> None:
    """The up-card is taken, left, and turned down."""
    assert set() == set(UpcardStatus) - {state.upcard_status for state in states()} - {
        UpcardStatus.NONE
    }


def test_every_ending_is_shown() -> None:
    """Each cause for the end of a table occurs."""
    assert set() == set(EndCause) - {table.ended.cause for table in tables() if table.ended}


def test_every_kind_of_fault_is_shown() -> None:
    """Each kind of fault occurs."""
    assert set() == set(FaultKind) - {fault.kind for fault in faults()}


def test_every_reason_of_a_refusal_is_shown() -> None:
    """Each reason for a refusal occurs, but for those that no table gives."""
    assert MISSING_REASONS == set(RejectReason) - {fault.reason for fault in faults()}


def test_hands_end_in_every_way() -> None:
    """Hands are made, lost, played alone, defended alone, and passed out."""
    ended = [state for state in states() if state.phase is Phase.DONE]

    passed_out = [state for state in ended if state.maker is None]
    lone_makers = [state for state in ended if state.maker in state.alone]
    lone_defenders = [state for state in ended if set(state.alone) - {state.maker}]
    assert passed_out
    assert lone_makers
    assert lone_defenders
