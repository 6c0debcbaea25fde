"""Measures what each durability of a record costs: `--fsync` none, hand and action, in one run.

    python tests/bench/bench_durability.py [BOARDS] [FOLDER]

Matches of three `random` bots are played in turn under each policy, since the speed of a shared
machine and disk drifts; only the ratio to `none` counts. Of a match's time is taken off what a
match of one board takes. FOLDER says which disk; without it that of the working folder is meant.
What an fsync takes there by itself is printed beside.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

POLICIES = ("none", "hand", "action")
TABLES = (1, 16)
ROUNDS = 3


def match(policy: str, boards: int, tables: int, folder: Path) -> tuple[int, float]:
    """Returns decisions and seconds of a match."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "euchre_server.cli.main", "match", "--rules", "three-handed"),
            *("--bot", "a=random", "--bot", "b=random", "--bot", "c=random", "--seed", "bench"),
            *("--boards", str(boards), "--tables", str(tables), "--isolation", "none"),
            *("--fsync", policy, "--data", str(folder), "--json"),
        ],
        stdout=subprocess.PIPE,
        check=True,
    )
    result = json.loads(done.stdout)
    return result["decisions"], result["seconds"]


def rate(policy: str, boards: int, tables: int, folder: Path) -> float:
    """Returns decisions a second, without the start of arena and bots."""
    few, short = match(policy, 1, tables, folder)
    many, long = match(policy, boards, tables, folder)
    return (many - few) / (long - short)


def fsync_ms(folder: Path) -> float:
    """Returns the milliseconds that bringing one entry to this disk takes."""
    with (folder / "fsync").open("ab") as file:
        times = []
        for _ in range(30):
            began = time.perf_counter()
            os.write(file.fileno(), bytes(60))
            os.fsync(file.fileno())
            times.append((time.perf_counter() - began) * 1_000)
    return median(times)


def main() -> None:
    """Prints a row for each policy and number of tables."""
    boards = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    parent = sys.argv[2] if len(sys.argv) > 2 else "."
    with tempfile.TemporaryDirectory(dir=parent, prefix=".bench-") as name:
        folder = Path(name)
        say(f"durability, three-handed, three random bots, {boards} boards")
        say(f"  an entry and its fsync on this disk: {fsync_ms(folder):.2f} ms")
        for tables in TABLES:
            rates: dict[str, list[float]] = {policy: [] for policy in POLICIES}
            for _ in range(ROUNDS):
                for policy in POLICIES:
                    rates[policy].append(rate(policy, boards, tables, folder))
            for policy in POLICIES:
                ratios = [a / b for a, b in zip(rates[policy], rates["none"], strict=True)]
                say(
                    f"  K = {tables:<3} --fsync {policy:<7} {median(rates[policy]):>8,.0f} "
                    f"decisions/s, {median(ratios):.2f} of none"
                )


def say(line: str) -> None:
    """Prints a line."""
    print(line, flush=True)  # noqa: T201  # printing is its job


if __name__ == "__main__":
    main()
