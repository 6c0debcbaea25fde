"""Runs seeds of families of simulated matches, and counts what was injected and seen.

Owns the summary over many seeds. Must not know what a family is made of.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import TYPE_CHECKING

from sim_families import FAMILIES, setting_of
from sim_match import Result, run_match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ENOUGH_SEEDS = 50
"""With fewer, a fault may be missing by chance."""

__all__ = ["Summary", "command_for", "run_seed", "run_seeds"]


@dataclass(slots=True)
class Summary:
    """What came of the seeds of one family."""

    family: str
    seeds: int = 0
    tables: int = 0
    compared: int = 0
    simulated_ms: float = 0.0
    injected: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    failures: dict[int, list[str]] = field(default_factory=dict)
    """The seeds in which something was wrong, and what."""

    def add(self, seed: int, result: Result) -> None:
        """Counts a seed."""
        self.seeds += 1
        self.tables += result.tables
        self.compared += result.compared
        self.simulated_ms += result.simulated_ms
        self.injected.update(result.injected)
        self.seen.update(result.seen)
        if result.violations:
            self.failures[seed] = result.violations

    def missing(self) -> list[str]:
        """Returns the faults that should have been injected more often, in so many seeds."""
        if self.seeds < _ENOUGH_SEEDS:
            return []
        return [
            f"{fault}: {self.injected[fault]} in {self.seeds} seeds"
            for fault, often in FAMILIES[self.family].wants.items()
            if self.injected[fault] * 100 < often * self.seeds
        ]

    def to_json(self) -> dict[str, object]:
        """Returns it as an object."""
        return {
            "family": self.family,
            "seeds": self.seeds,
            "tables": self.tables,
            "hands_compared": self.compared,
            "simulated_seconds": round(self.simulated_ms / 1000, 1),
            "injected": dict(sorted(self.injected.items())),
            "seen": dict(sorted(self.seen.items())),
            "failures": {str(seed): found for seed, found in sorted(self.failures.items())},
            "missing": self.missing(),
        }


def command_for(family: str, seed: int) -> str:
    """Returns the command that runs just this seed, and shows what happens in it."""
    return f"python tests/simulation/simulate.py --family {family} --seed {seed} --trace"


def run_seed(family: str, seed: int, *, tracing: bool = False) -> Result:
    """Returns what comes of a seed."""
    return run_match(setting_of(family, seed), f"{family} {seed}", tracing=tracing)


def run_seeds(
    rows: Iterable[tuple[str, int]], *, jobs: int = 1
) -> Iterator[tuple[str, int, Result]]:
    """Yields what comes of families' seeds, in this order.

    Args:
        rows: Families and seeds.
        jobs: How many processes to use; each seed is run by one of them alone.
    """
    if jobs == 1:
        for family, seed in rows:
            yield family, seed, run_seed(family, seed)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(_run_row, rows, chunksize=4)


def _run_row(row: tuple[str, int]) -> tuple[str, int, Result]:
    family, seed = row
    return family, seed, run_seed(family, seed)
