"""Planted faults in the rules are noticed by the tests.

Owns the proof that the worked hands and the second engine find faults: each fault of
``engine_mutants`` is written into a copy of the engine, and the hunt must find it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from engine_mutants import MUTANTS, PLANTED_IN_FAMILY, Mutant

import euchre_engine

ENGINE = Path(euchre_engine.__file__).parent
SUPPORT = Path(__file__).parents[1] / "support"
FEWEST = 60
FEWEST_IN_FAMILY = 40
RANDOM_HANDS = 5_000
NOTICED = 1


def hunt(package_root: Path, *games: str) -> subprocess.CompletedProcess[str]:
    """Hunts for differences with the engine under a folder, in a process of its own."""
    path = os.pathsep.join([str(package_root), str(SUPPORT)])
    return subprocess.run(
        [sys.executable, SUPPORT / "hunt_mutant.py", str(RANDOM_HANDS), *games],
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def planted(mutant: Mutant, root: Path) -> Path:
    """Returns a folder with a copy of the engine in which the fault is planted."""
    copy = root / "euchre_engine"
    shutil.copytree(ENGINE, copy, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    place = copy / mutant.file
    place.write_text(place.read_text().replace(mutant.old, mutant.new))
    return root


def test_there_are_enough_faults() -> None:
    """There are at least sixty faults, each told apart by its name."""
    names = {mutant.fault for mutant in MUTANTS}

    assert len(MUTANTS) == len(names)
    assert len(names) >= FEWEST
    assert len(PLANTED_IN_FAMILY) >= FEWEST_IN_FAMILY


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.fault for mutant in MUTANTS])
def test_fault_can_be_planted(mutant: Mutant) -> None:
    """The place of a fault occurs exactly once in the engine as it is."""
    text = (ENGINE / mutant.file).read_text()

    assert text.count(mutant.old) == 1
    assert mutant.new != mutant.old


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.fault for mutant in MUTANTS])
def test_fault_is_noticed(mutant: Mutant, tmp_path: Path) -> None:
    """A planted fault is noticed by a worked hand or by the second engine."""
    games = ("family",) if mutant in PLANTED_IN_FAMILY else ()
    result = hunt(planted(mutant, tmp_path), *games)

    assert result.returncode == NOTICED, result.stdout + result.stderr
