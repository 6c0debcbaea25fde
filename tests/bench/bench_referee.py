"""Measures the referee: steps a second over real games, on one core.

    python tests/bench/bench_referee.py [SECONDS]

Whole games to the target are played once with random legal answers, then their inputs are stepped
through again and again: what is measured is `step` alone.
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from tables import Referee, table_spec

from euchre_server.referee import opening, step
from euchre_server.referee.inputs import Input
from euchre_server.referee.spec import TableMode, TableSpec

GAMES = 12


def recorded_games(rules: str) -> list[tuple[TableSpec, list[Input]]]:
    """Returns a few games with all their inputs."""
    chooser = random.Random(1)
    games = []
    for number in range(1, GAMES + 1):
        table = Referee(table_spec(rules, mode=TableMode.GAME, board=number))
        table.open()
        table.play_on(0, lambda ask: ask.legal[chooser.randrange(len(ask.legal))])
        games.append((table.spec, table.inputs))
    return games


def steps_per_second(rules: str, seconds: float) -> float:
    """Returns how many steps are taken in a second of processor time."""
    games = recorded_games(rules)
    steps = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for spec, inputs in games:
            state = opening(spec)
            for event in inputs:
                state, _ = step(state, event)
            steps += len(inputs)
    return steps / spent


def main() -> None:
    """Prints steps a second for the base games."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    for rules in ("two-handed", "three-handed"):
        rate = steps_per_second(rules, seconds)
        print(f"{rules:14} {rate:10,.0f} steps/s")  # noqa: T201  # printing is its job


if __name__ == "__main__":
    main()
