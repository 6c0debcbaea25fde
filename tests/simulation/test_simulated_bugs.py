"""Planted bugs are found by the simulation.

Owns the proof that its checks see something: each bug of `sim_mutants` is put into the arena, and
some seed of one of its families must notice.
"""

from __future__ import annotations

import pytest
from sim_families import FAMILIES
from sim_mutants import MUTANTS, SimMutant, planted, source_of
from sim_run import run_seed

FEWEST = 15
SEEDS = 60
"""Within how many seeds of its families a bug is found."""
QUICK_SEEDS = 2
NAMES = [mutant.bug for mutant in MUTANTS]


def found(mutant: SimMutant, seeds: int) -> str | None:
    """Returns what the first seed that notices a bug says of it; None where none does."""
    for seed in range(seeds):
        for family in mutant.families:
            with planted(mutant):
                violations = run_seed(family, seed).violations
            if violations:
                return violations[0]
    return None


def test_there_are_enough_bugs() -> None:
    """There are at least fifteen, each told apart by its name, each with a family that exists."""
    assert len(MUTANTS) == len(set(NAMES))
    assert len(MUTANTS) >= FEWEST
    assert {family for mutant in MUTANTS for family in mutant.families} <= set(FAMILIES)


@pytest.mark.parametrize("mutant", MUTANTS, ids=NAMES)
def test_a_bug_can_be_planted(mutant: SimMutant) -> None:
    """Its place occurs exactly once in the function as it is, which is itself again afterwards."""
    text = source_of(mutant.place)
    with planted(mutant):
        pass

    assert 1 == text.count(mutant.old)
    assert mutant.old != mutant.new
    assert text == source_of(mutant.place)


def test_most_bugs_are_found_by_the_first_seeds() -> None:
    """Two seeds of each family find two thirds of them."""
    missed = [mutant.bug for mutant in MUTANTS if found(mutant, QUICK_SEEDS) is None]

    assert len(missed) * 3 <= len(MUTANTS), missed


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=NAMES)
def test_every_bug_is_found(mutant: SimMutant) -> None:
    """A planted bug is noticed within so many seeds."""
    assert found(mutant, SEEDS) is not None
