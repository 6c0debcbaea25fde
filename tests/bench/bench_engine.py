"""Measures how many random legal decisions a second the engine plays: legal set, pick, apply.

Whole hands count, the deal's checks included; only the shuffles are made beforehand.
Run it as a script; `make bench` calls it.
"""

from __future__ import annotations

import argparse
import random
import time

from euchre_engine import Card, Ruleset, Seat, apply, legal_actions, make_ruleset, start_hand

PRESETS = (
    "two-handed",
    "three-handed",
    "four-handed",
    "british-three-handed",
    "railroad",
    "hasenpfeffer",
    "pepper",
    "napoleon",
)


def random_decks(rules: Ruleset, count: int, seed: int) -> list[tuple[Card, ...]]:
    """Returns so many shuffled decks."""
    draw = random.Random(seed)
    return [tuple(draw.sample(rules.deck_cards, len(rules.deck_cards))) for _ in range(count)]


def decisions_per_second(rules: Ruleset, *, hands: int, seed: int = 1) -> float:
    """Returns the number of random legal decisions played in one second of processor time."""
    decks = random_decks(rules, hands, seed)
    draw = random.Random(seed).random
    decisions = 0
    start = time.process_time()  # other programs on the machine do not count
    for number, deck in enumerate(decks):
        state = start_hand(rules, dealer=Seat(number % rules.seat_count), deck=deck)
        while legal := legal_actions(state):
            state = apply(state, legal[int(draw() * len(legal))])
            decisions += 1
    return decisions / (time.process_time() - start)


def main() -> None:
    """Prints the best and the median of several runs for each game."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--hands", type=int, default=4000, help="hands a run")
    parser.add_argument("--runs", type=int, default=5, help="runs a game")
    arguments = parser.parse_args()
    for preset in PRESETS:
        rules = make_ruleset(preset)
        runs = sorted(
            decisions_per_second(rules, hands=arguments.hands) for _ in range(arguments.runs)
        )
        best, median = runs[-1], runs[len(runs) // 2]
        print(  # noqa: T201  # what a script is for
            f"{preset:22} {best:9,.0f} decisions/s at best, {median:9,.0f} in the median"
        )


if __name__ == "__main__":
    main()
