"""The engine agrees with the naive second engine on the wider family.

Owns the comparison on Railroad, Hasenpfeffer, Pepper and Napoleon (docs/family.md): hands worked
out by hand, random hands over random rulesets, and odd options.
"""

from random import Random
from typing import Any

import pytest
from family_worked_napoleon import NAPOLEON_HANDS
from family_worked_railroad import RAILROAD_HANDS
from family_worked_teams import HASENPFEFFER_HANDS, PEPPER_HANDS
from naive_family_rules import FAMILY, family_option_values, family_rules
from naive_family_score import largest_result, smallest_result
from naive_rules import BadRules
from naive_writing import part_of
from second_compare import compare_random_hand, compare_written_hand, engine_play
from second_family import random_family_rules
from second_family_tally import family_must_reach
from second_tally import Tally

import euchre_engine

WORKED = [*HASENPFEFFER_HANDS, *PEPPER_HANDS, *NAPOLEON_HANDS, *RAILROAD_HANDS]
EVERY_DAY = {"railroad": 2_000, "hasenpfeffer": 1_500, "pepper": 1_500, "napoleon": 2_500}
CHUNK = 2_000
CHUNKS = 25


@pytest.mark.parametrize(
    ("hand", "expected"), [row[1:] for row in WORKED], ids=[row[0] for row in WORKED]
)
def test_worked_hand(hand: dict[str, Any], expected: dict[str, Any]) -> None:
    """A hand worked out from docs/family.md stands as written, and both engines agree on it."""
    compare_written_hand(hand)
    wanted = {key: value for key, value in expected.items() if key != "upcard_status"}

    assert wanted == part_of(engine_play(hand), wanted)


@pytest.mark.parametrize("game", FAMILY)
def test_random_hands(game: str) -> None:
    """On random hands that meet every phase, option value and result row, both agree."""
    tally: Tally = Tally()
    for number in range(EVERY_DAY[game]):
        compare_random_hand(Random(number), game, tally, views=number % 8 == 0)

    assert [] == [what for what in family_must_reach(game) if not tally[what]]


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("game", FAMILY)
def test_many_random_hands(game: str, chunk: int) -> None:
    """On many more random hands, with the views of every one, both agree."""
    first = 1_000_000 + chunk * CHUNK
    for number in range(first, first + CHUNK):
        compare_random_hand(Random(number), game, Tally())


@pytest.mark.parametrize("game", FAMILY)
def test_effective_options(game: str) -> None:
    """A preset has the options and defaults of docs/family.md section 1, and no others."""
    rules = euchre_engine.make_ruleset(game)
    effective = {**dict(rules.options), "preset": rules.preset, "seats": rules.seat_count}

    assert family_rules(game) == effective


@pytest.mark.parametrize("game", FAMILY)
def test_extreme_results(game: str) -> None:
    """The largest and the smallest result of a hand are those of docs/family.md section 1."""
    for number in range(300):
        given = random_family_rules(Random(number), game)
        rules: Any = euchre_engine.ruleset_from_json(given)
        naive = family_rules(given)

        assert largest_result(naive) == rules.largest_hand_result, given
        assert smallest_result(naive) == rules.smallest_hand_result, given


@pytest.mark.parametrize("game", FAMILY)
def test_odd_options(game: str) -> None:
    """Both engines refuse the same options and values, and the engine names the offending one."""
    names = sorted({name for other in FAMILY for name in family_option_values(other)})
    odd = [True, False, -1, 0, 1, 2, 3, 5, 6, 7, 8, 24, "25", "28", "52", "", None, 1.0, "3-3"]
    odd += ["once", "bid", "all_tricks", "makers_first", "as_nap", "left_of_dealer_first"]
    for name in [*names, "colour", ""]:
        for value in odd:
            try:
                expected = family_rules({"preset": game, name: value})[name]
            except BadRules as bad:
                (key,) = bad.args
                with pytest.raises(euchre_engine.RulesetError) as refusal:
                    euchre_engine.make_ruleset(game, {name: value})
                assert key == refusal.value.key
            else:
                assert expected == euchre_engine.make_ruleset(game, {name: value}).options[name]
