"""Tests that verify finds times of a decision that cannot all be true."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from record_forge import first, forge
from record_matches import Behaviour, match_spec, write_match

from euchre_server.record.checking import verify_file
from euchre_server.record.reader import read_record
from euchre_server.referee.facts import Acted, Faulted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _acted(**changes: int) -> Callable[[Acted], Acted]:
    """Returns a change that adds so much to times of an action."""
    return lambda fact: fact._replace(
        **{name: getattr(fact, name) + more for name, more in changes.items()}
    )


def _of_fault(fact: Faulted) -> Faulted:
    assert fact.times is not None
    return replace(fact, times=fact.times._replace(stalled_ms=77))


LIES = {
    "a stall that was none": (_acted(stalled_ms=1), "the time counted is"),
    "a clock that began earlier": (_acted(started_ms=-1), "the time counted is"),
    "grace instead of a charge": (_acted(charged_ms=-1, grace_used_ms=1), "grace_used_ms is 3"),
    "asked after it was put": (_acted(asked_ms=5_000), "in another order"),
    "put before it came up": (_acted(written_ms=-50), "in another order"),
}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a small sealed record with stalls, time-outs and refusals in it."""
    behaviour = Behaviour(stalled=0.1, timeout=0.1, illegal=0.2)
    return write_match(tmp_path_factory.mktemp("good"), match_spec(boards=1), behaviour=behaviour)


@pytest.mark.parametrize("lie", LIES)
def test_times_that_do_not_add_up_are_found(good: Path, lie: str) -> None:
    """Charged, grace and stalls are all the time that passed, and moments are in order."""
    change, told = LIES[lie]

    # The first decisions take so little time that nothing is left to lie about.
    finding = verify_file(forge(good, first(Acted, change, skip=4)))

    assert not finding.is_good
    assert told in str(finding)


def test_times_of_a_fault_must_add_up_too(good: Path) -> None:
    """What a fault says of the open decision's time is checked in the same way."""
    about = [
        entry.fact
        for entry in read_record(good)
        if isinstance(entry.fact, Faulted) and entry.fact.times is not None
    ]

    finding = verify_file(forge(good, first(Faulted, _of_fault)))

    assert about
    assert verify_file(good).is_good
    assert "the time counted is" in str(finding)
