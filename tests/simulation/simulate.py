"""Runs simulated matches in which things go wrong, and says whether anything was.

    python tests/simulation/simulate.py                       # 10,000 tables over all families
    python tests/simulation/simulate.py --family lossy --seed 17 --trace
    python tests/simulation/simulate.py --family storm --first 1000 --seeds 500 --json

The same seed does the same to the byte, wherever it is run. Exit status: 0 nothing was wrong, 1
something was, 2 wrong use.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from sim_families import FAMILIES
from sim_run import Summary, command_for, run_seed, run_seeds

_EVERY_S = 10.0


def main() -> int:
    """Runs what the command line asks for; returns the exit status."""
    options = _options()
    families = options.family or list(FAMILIES)
    if options.seed is not None:
        return _one(families, options.seed, tracing=options.trace)
    summaries = {family: Summary(family) for family in families}
    began = told = time.monotonic()
    rows = _rows(families, options.first, options.seeds)
    for family, seed, result in run_seeds(rows, jobs=options.jobs):
        summaries[family].add(seed, result)
        if result.violations:
            _tell_failure(family, seed, result.violations)
        tables = sum(summary.tables for summary in summaries.values())
        if time.monotonic() - told > _EVERY_S:
            told = time.monotonic()
            print(f"{tables} tables, {told - began:.0f} s", file=sys.stderr, flush=True)  # noqa: T201
        whole_round = family == families[-1]
        if options.seeds is None and whole_round and tables >= options.tables:
            break
    seconds = time.monotonic() - began
    if options.json:
        found = [summary.to_json() for summary in summaries.values()]
        print(json.dumps({"seconds": round(seconds, 1), "families": found}))  # noqa: T201
    else:
        _tell(list(summaries.values()), seconds)
    failed = any(summary.failures or summary.missing() for summary in summaries.values())
    return 1 if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--family", action="append", choices=list(FAMILIES))
    parser.add_argument("--seed", type=int, help="this seed alone")
    parser.add_argument("--trace", action="store_true", help="show what happens in it")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, help="how many seeds of each family")
    parser.add_argument("--tables", type=int, default=10_000, help="or how many tables at least")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _rows(families: list[str], first: int, seeds: int | None) -> Iterator[tuple[str, int]]:
    seed = first
    while seeds is None or seed < first + seeds:
        for family in families:
            yield family, seed
        seed += 1


def _one(families: list[str], seed: int, *, tracing: bool) -> int:
    failed = False
    for family in families:
        result = run_seed(family, seed, tracing=tracing)
        for line in result.lines:
            print(line)  # noqa: T201
        failed |= bool(result.violations)
        print(f"{family} {seed}: {result.tables} tables, record {result.digest[:16]}")  # noqa: T201
        for violation in result.violations:
            print(f"  {violation}")  # noqa: T201
    return int(failed)


def _tell_failure(family: str, seed: int, violations: list[str]) -> None:
    print(f"{family} {seed}: {violations[0]}", file=sys.stderr)  # noqa: T201
    print(f"  {command_for(family, seed)}", file=sys.stderr, flush=True)  # noqa: T201


def _tell(summaries: list[Summary], seconds: float) -> None:
    print(f"{'family':14} {'seeds':>6} {'tables':>7} {'hands =':>8} {'wrong':>6}  injected")  # noqa: T201
    for summary in summaries:
        injected = ", ".join(f"{n} {what}" for what, n in sorted(summary.injected.items()) if n)
        print(  # noqa: T201
            f"{summary.family:14} {summary.seeds:6} {summary.tables:7} {summary.compared:8} "
            f"{len(summary.failures):6}  {injected}"
        )
        for missing in summary.missing():
            print(f"{'':14} too rare: {missing}")  # noqa: T201
    tables = sum(summary.tables for summary in summaries)
    simulated = sum(summary.simulated_ms for summary in summaries) / 60_000
    print(f"{tables} tables, {simulated:.0f} simulated minutes, {seconds:.0f} s")  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
