"""Makes the test vectors of every game: `python tests/vectors/make.py [--check]`.

Owns the choice of hands: those worked out by hand from the rules, then random ones, as few as show
all that `vector_cover` asks for, and some that are simply played out. The same engine gives the
same files.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

from drawn_hands import presets_of  # noqa: E402  # the path is set above
from naive_worked import WORKED_HANDS  # noqa: E402
from naive_worked_auction import AUCTION_HANDS  # noqa: E402
from naive_worked_options import OPTION_HANDS  # noqa: E402
from vector_cover import candidate, must_cover, shown_by  # noqa: E402
from vector_lines import line_of  # noqa: E402

from euchre_engine.games import Game  # noqa: E402
from euchre_engine.notation import (  # noqa: E402
    HandRecord,
    RefusedAction,
    hand_from_json,
    replay,
)
from euchre_engine.state import Phase  # noqa: E402

WORKED_FAMILY = HERE.parent / "golden" / "family_hands.jsonl"
CHOSEN_FROM = range(1500)
"""The random hands whose every phase, action, refusal and ending is shown by those chosen."""
PLAYED_OUT = 30
"""So many hands more are played to their end, for the tricks."""


def main() -> int:
    """Returns the exit status: 0 done, 1 a file is stale, or something is shown by no hand."""
    parser = argparse.ArgumentParser(description="Make the test vectors of every game.")
    parser.add_argument("--check", action="store_true", help="write nothing; report stale files")
    arguments = parser.parse_args()
    status = 0
    for game in Game:
        hands, missing = _chosen(game)
        for what in sorted(missing):
            sys.stdout.write(f"no hand shows {what}\n")
            status = 1
        lines = [json.dumps(line_of(*hand), separators=(",", ":")) + "\n" for hand in hands]
        text = "".join(lines)
        path = HERE / f"{game}.jsonl"
        if not arguments.check:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{path.name}: {len(lines)} hands, {len(text):,} bytes\n")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.stdout.write(f"{path.name} is stale: run python tests/vectors/make.py\n")
            status = 1
    return status


def worked_hands(game: Game) -> list[tuple[str, HandRecord]]:
    """Returns the hands of a game that people worked out from the rules, with their names."""
    rows: list[tuple[str, dict[str, Any]]] = [
        (row[0], row[1]) for row in (*WORKED_HANDS, *AUCTION_HANDS, *OPTION_HANDS)
    ]
    for line in WORKED_FAMILY.read_text(encoding="utf-8").splitlines():
        hand = json.loads(line)
        rows.append(
            (hand["name"], {key: hand[key] for key in hand if key not in ("name", "expect")})
        )
    presets = presets_of(game)
    return [(name, hand_from_json(hand)) for name, hand in rows if _preset(hand) in presets]


def _preset(hand: dict[str, Any]) -> str:
    rules = hand["rules"]
    return str(rules if isinstance(rules, str) else rules["preset"])


def _chosen(game: Game) -> tuple[list[tuple[str, HandRecord]], set[str]]:
    """Returns the hands of a game with their names, and what none of them shows."""
    chosen = worked_hands(game)
    missing = must_cover(game, CHOSEN_FROM)
    for _, hand in chosen:
        missing -= shown_by(hand, missing)
    pool = {number: candidate(game, number) for number in CHOSEN_FROM}
    shown = {number: shown_by(hand, missing) & missing for number, hand in pool.items()}
    numbers: list[int] = []
    while any(shown.values()):
        # The most of what is missing for the number of steps that it takes to show it.
        best = max(shown, key=lambda number: len(shown[number]) / (len(pool[number].actions) + 3))
        missing -= shown[best]
        numbers.append(best)
        shown = {number: what & missing for number, what in shown.items()}
    played_out = [number for number in pool if number not in numbers and _is_done(pool[number])]
    numbers += played_out[:PLAYED_OUT]
    return [*chosen, *((f"random {number}", pool[number]) for number in sorted(numbers))], missing


def _is_done(hand: HandRecord) -> bool:
    """Returns whether a hand was played to its end."""
    try:
        state = replay(hand)
    except RefusedAction:
        return False
    return state.phase is Phase.DONE and state.maker is not None


if __name__ == "__main__":
    sys.exit(main())
