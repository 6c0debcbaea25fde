"""The arena in a simulated world: the short form of `make simulate`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sim_families import FAMILIES
from sim_run import Summary, command_for, run_seed, run_seeds

from euchre_server.referee.facts import EndCause, FaultKind

SIMULATE = Path(__file__).with_name("simulate.py")
SEEDS = 3
LONG_SEEDS = 60
PHASES = ("BID1", "PICKUP", "DISCARD", "BID2", "ALONE_MAKER", "ALONE_DEFENDER", "EXCHANGE", "PLAY")
OTHER_PHASES = ("NAME_BLIND", "SWAP", "BID", "NAME", "BURY", "BEST")
FAULTS = {
    "cut",
    "half open",
    "stall",
    "slow answer",
    "bot stalls",
    "kill",
    "killed at a write",
    "second instance",
    "slow reader",
    "illegal answer",
    "garbled answer",
    "stale answer",
    "double answer",
    "foreign answer",
    "early answer",
}
"""Faults that must have come in every phase of three-handed play, in the long form."""


def summary_of(family: str, seeds: int) -> Summary:
    """Returns what came of the first seeds of a family; nothing may have been wrong."""
    summary = Summary(family)
    for _, seed, result in run_seeds((family, seed) for seed in range(seeds)):
        summary.add(seed, result)
        assert [] == result.violations, command_for(family, seed)
    return summary


@pytest.mark.parametrize("family", FAMILIES)
def test_whatever_goes_wrong_the_arena_stays_right(family: str) -> None:
    """Record, clocks, faults, secrecy, streams, endings: whatever the first seeds bring."""
    summary = summary_of(family, SEEDS)

    assert summary.tables > SEEDS
    assert bool(FAMILIES[family].wants) == bool(summary.injected.total())


@pytest.mark.long
def test_every_fault_comes_in_every_phase() -> None:
    """The families reach what they are for: each fault often, and each in every phase."""
    summaries = [summary_of(family, LONG_SEEDS) for family in FAMILIES]

    assert [] == [missing for summary in summaries for missing in summary.missing()]
    seen = sum((summary.seen for summary in summaries), start=summaries[0].seen)
    wanted = {
        *(f"{fault} in {phase}" for fault in FAULTS for phase in PHASES),
        *(f"{kind} in {phase}" for kind in ("Answered", "Written") for phase in OTHER_PHASES),
        *(f"ended {cause.name}" for cause in set(EndCause) - {EndCause.STOPPED}),
        *(f"fault {kind.name}" for kind in FaultKind),
        "lean view",
        "resumed into Acted",
    }
    assert [] == sorted(what for what in wanted if not seen[what])


@pytest.mark.parametrize("family", ["storm", "library"])
def test_a_seed_does_the_same_to_the_byte(family: str) -> None:
    """Traces and records of two runs are equal, in one process and in another."""
    first = run_seed(family, 1, tracing=True)
    second = run_seed(family, 1, tracing=True)
    other = subprocess.run(
        [sys.executable, SIMULATE, "--family", family, "--seed", "1", "--trace"],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert len(first.lines) > 100
    assert first.lines == second.lines
    assert first.digest == second.digest
    assert [*first.lines, f"{family} 1: {first.tables} tables, record {first.digest[:16]}"] == (
        other.stdout.splitlines()
    )


def test_a_seed_that_fails_is_told_with_its_command() -> None:
    """What is printed of a failure runs just that seed, and shows its trace."""
    assert "python tests/simulation/simulate.py --family lossy --seed 17 --trace" == command_for(
        "lossy", 17
    )
