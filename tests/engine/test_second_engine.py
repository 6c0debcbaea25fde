"""The engine agrees with the naive second engine of the tests.

Owns the comparison of two engines that share no code, on hands worked out by hand and on random
hands over random rulesets of every game (RULES.md sections 1-5 and 8). How a hand is compared is
in ``second_compare``; what a run must have met is in ``second_tally``.
"""

from random import Random
from typing import Any

import pytest
from naive_rules import AT_LEAST_0, AT_LEAST_1, OPTIONS, PRESETS, BadRules, effective_rules
from naive_worked import WORKED_HANDS
from naive_worked_auction import AUCTION_HANDS
from naive_worked_options import OPTION_HANDS
from naive_writing import part_of
from second_compare import compare_random_hand, compare_written_hand, engine_play
from second_tally import Tally, must_reach

import euchre_engine

WORKED = [*WORKED_HANDS, *AUCTION_HANDS, *OPTION_HANDS]
EVERY_DAY = {2: 5_000, 3: 8_000, 4: 7_000}
CHUNK = 2_000
CHUNKS = 100


def compare_numbered(numbers: range, presets: list[str], tally: Tally, *, views_every: int) -> None:
    """Compares random hands, each from a seed of its own, the presets by turns."""
    for number in numbers:
        preset = presets[number % len(presets)]
        compare_random_hand(Random(number), preset, tally, views=number % views_every == 0)


@pytest.mark.parametrize(
    ("hand", "expected"), [row[1:] for row in WORKED], ids=[row[0] for row in WORKED]
)
def test_worked_hand(hand: dict[str, Any], expected: dict[str, Any]) -> None:
    """A hand worked out from RULES.md stands as written, and both engines agree on the way."""
    compare_written_hand(hand)

    assert expected == part_of(engine_play(hand), expected)


@pytest.mark.parametrize("seats", EVERY_DAY)
def test_random_hands(seats: int) -> None:
    """On 20,000 random hands that meet every phase, option value and points row, both agree."""
    tally: Tally = Tally()
    presets = [name for name, (count, _) in PRESETS.items() if count == seats]
    compare_numbered(range(EVERY_DAY[seats]), presets, tally, views_every=8)

    assert [] == [what for what in must_reach(seats) if not tally[what]]


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_random_hands(chunk: int) -> None:
    """On 200,000 more random hands, with the views of every one, both agree."""
    first = 1_000_000 + chunk * CHUNK
    compare_numbered(range(first, first + CHUNK), list(PRESETS), Tally(), views_every=1)


def test_effective_options() -> None:
    """Every preset has the options and defaults of RULES.md section 4, and no others."""
    for preset in PRESETS:
        naive = effective_rules(preset)
        rules = euchre_engine.make_ruleset(preset)

        assert naive == {**dict(rules.options), "preset": rules.preset, "seats": rules.seat_count}


def odd_values(rng: Random) -> list[tuple[str, Any]]:
    """Returns options of any game with values that may or may not do."""
    odd = [True, False, -1, 0, 1, 2, 3, 4, 24, 28, 32, 52, "24", "28", "52", "none", "hearts", ""]
    odd += ["fixed:C", "fixed:X", "ones", "never", None, 1.0, [], "True", "maker"]
    for row in OPTIONS:
        if row[1] not in (AT_LEAST_0, AT_LEAST_1):
            odd += row[1]
    names = [*(row[0] for row in OPTIONS), "colour", "Target", ""]
    return [(rng.choice(names), rng.choice(odd)) for _ in range(3_000)]


@pytest.mark.parametrize("preset", PRESETS)
def test_odd_options(preset: str) -> None:
    """Both engines refuse the same options and values, and the engine names the offending one."""
    for name, value in odd_values(Random(preset)):
        try:
            expected = effective_rules({"preset": preset, name: value})[name]
        except BadRules:
            with pytest.raises(euchre_engine.RulesetError) as refusal:
                euchre_engine.make_ruleset(preset, {name: value})
            assert name == refusal.value.key
        else:
            assert expected == euchre_engine.make_ruleset(preset, {name: value}).options[name]
