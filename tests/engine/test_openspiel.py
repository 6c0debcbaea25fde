"""Four-handed play agrees with OpenSpiel's ``euchre`` where the rules coincide.

OpenSpiel is a development-time oracle and no dependency: the long tests play random hands in both
engines where ``open_spiel`` is installed, and are skipped where it is not. The others compare with
what was counted with it once, and with the one hand that it publishes.

The rules coincide with ours under the preset ``four-handed`` as it stands, whatever
``stick_the_dealer`` says; ``defend_alone`` is ``always`` for their ``allow_lone_defender``, and
``never`` without it. ``DIFFERENT`` lists the rules that part from theirs, and is tested too.
Known differences, and what becomes of each:

* They ask the maker whether he plays alone after the dealer's discard, we before it. Hands of ours
  are asked in their order here; nothing is left out.
* If the dealer's partner orders and plays alone, their dealer discards and then sits out; ours
  leaves the up-card where it is (RULES.md section 8). What he may discard is compared with what he
  could if the maker did not play alone; the discard itself is left out, and counted.
* Their points are zero-sum: they are compared with the difference between our two teams.
* Their header promises four points for a euchre without a trick; their scorer gives two. It is
  compared with our default, two.
* A lone defender's euchre is worth four there, as in our four-handed games (two in the three-handed
  ones, which they do not have).
* They deal one card at a time, beginning with the dealer, and have no order among the three cards
  left: hands are compared, not decks.
* They play single hands with 24 cards: no target, no redeals, no joker, no farmer's hand.
* Their observation tensors are not compared: what a seat may know is tested with twin deals.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from openspiel_euchre import (
    CHANCE_STEPS,
    TheirHand,
    compare_hand,
    line_counts,
    our_hand,
    random_deal,
)

from euchre_engine import Ruleset, apply, make_ruleset, outcome, parse_action
from euchre_engine.perft import perft

if TYPE_CHECKING:
    from collections.abc import Callable

Switches = dict[str, bool]
"""Their options."""
PUBLISHED: Switches = {"stick_the_dealer": True, "allow_lone_defender": False}

# The actions of OpenSpiel's integration_tests/playthroughs/euchre.txt, in its numbers, and all the
# questions that it shows: after how many actions, who is asked, what is legal.
PLAYTHROUGH = (
    *(1, 6, 0, 11, 21, 8, 19, 7, 14, 3, 22, 4, 15, 23, 13, 2, 20, 17, 16, 18, 12, 5),
    *(24, 24, 24, 24, 27, 29, 16, 4, 8, 0, 2, 3, 11, 23, 19, 6, 22, 18, 13, 7, 17),
)
QUESTIONS = [
    (22, 2, [24, 26]),
    (23, 3, [24, 26]),
    (24, 0, [24, 26]),
    (25, 1, [24, 26]),
    (26, 2, [24, 25, 27, 28]),
    (27, 2, [29, 30]),
    (29, 3, [4]),
    (30, 1, [8]),
    (32, 3, [2, 7, 11, 18]),
    (33, 1, [3, 6, 17, 23]),
]

# Counted with OpenSpiel from the same deal, the dealer sticking and no lone defender, at depths
# from 1 on: from the first bid, and from the first card after the first seat ordered, the lowest
# card was discarded and nobody went alone.
FROM_BIDDING = (2, 7, 17, 67, 179, 342, 808, 1852, 3854, 8788, 16617, 33510, 66272, 107518)
FROM_PLAY = (
    *(5, 11, 13, 18, 72, 102, 140, 264, 792, 1276, 1668, 3192, 6384, 8884, 10740),
    *(15424, 15424, 15424, 15424, 15424),
)

DEALS = 10_000
LEAST = 10
"""How often each ending must have been met."""
ENDINGS = [
    "+1 with nobody alone",
    "+2 with nobody alone",
    "+1 with maker alone",
    "+4 with maker alone",
]
ENDINGS_UNDEFENDED = ["-2 with nobody alone", "-2 with maker alone"]
ENDINGS_DEFENDED = [
    *("+1 with defender alone", "+2 with defender alone", "-4 with defender alone"),
    *("+1 with both alone", "+4 with both alone", "-4 with both alone"),
]

# Rules that part from OpenSpiel's where its dealer sticks and its defenders may play alone.
DIFFERENT: list[tuple[str, object]] = [
    ("stick_the_dealer", False),
    ("allow_turned_down_suit", True),
    ("dealer_pickup", "optional"),
    ("may_discard_upcard", True),
    ("maker_alone", False),
    ("defend_alone", "vs_lone_maker_only"),
    ("defend_alone", "never"),
    ("defender_alone_order", "left_of_maker"),
    ("alone_lead", "left_of_loner"),
    ("both_alone_leader", "left_of_maker"),
    ("both_alone_leader", "left_of_defender"),
    ("alone_march_points", 3),
    ("alone_make_points", 2),
    ("alone_euchred_points", 4),
    ("lone_defender_march_points", 2),
    ("lone_defender_euchre_points", 2),
    ("defender_march_points", 4),
    ("min_trump_to_call", 1),
    ("canadian_loner", True),
    ("farmers_hand", "three_swap"),
    ("end_hand_early", True),
]


@pytest.fixture
def new_hand() -> Callable[[Switches, list[int]], TheirHand]:
    """Deals a hand in OpenSpiel."""
    pyspiel = pytest.importorskip(
        "pyspiel", reason="OpenSpiel is not installed: .venv/bin/pip install open_spiel"
    )

    def deal_hand(switches: Switches, deal: list[int]) -> TheirHand:
        hand: TheirHand = pyspiel.load_game("euchre", switches).new_initial_state()
        for step in deal:
            hand.apply_action(step)
        return hand

    return deal_hand


def rules_of(switches: Switches, **options: object) -> Ruleset:
    """Returns the rules of ours that coincide with theirs, save for the options given."""
    coinciding = {
        "stick_the_dealer": switches["stick_the_dealer"],
        "defend_alone": "always" if switches["allow_lone_defender"] else "never",
        "deal_pattern": "ones",
    }
    return make_ruleset("four-handed", coinciding | options)


@pytest.mark.long
@pytest.mark.parametrize("lone_defender", [False, True], ids=["undefended", "defended"])
@pytest.mark.parametrize("stick", [False, True], ids=["free", "stuck"])
def test_random_hands(
    new_hand: Callable[[Switches, list[int]], TheirHand], *, stick: bool, lone_defender: bool
) -> None:
    """Turns, legal sets, tricks and points agree on random hands that meet every ending."""
    switches = {"stick_the_dealer": stick, "allow_lone_defender": lone_defender}
    rng = Random(str(switches))
    rules = rules_of(switches)
    tally: Counter[str] = Counter()
    differences = []
    for _ in range(DEALS):
        deal = random_deal(rng)
        theirs = new_hand(switches, deal)
        differences.append(compare_hand(our_hand(rules, deal), theirs, rng, tally))

    assert [None] * DEALS == differences
    assert DEALS == tally["hands"]
    must_meet = ENDINGS_DEFENDED if lone_defender else ENDINGS_UNDEFENDED
    assert [] == [ending for ending in ENDINGS + must_meet if tally[ending] < LEAST]
    assert (not stick) == (tally["passed out"] >= LEAST)
    assert LEAST <= tally["left out"] <= tally["decisions"] / 100


@pytest.mark.long
@pytest.mark.parametrize(("option", "value"), DIFFERENT)
def test_other_rules_differ(
    new_hand: Callable[[Switches, list[int]], TheirHand], option: str, value: object
) -> None:
    """A rule that parts from theirs is noticed, so that agreement means something."""
    switches = {"stick_the_dealer": True, "allow_lone_defender": True}
    rng = Random(option)
    rules = rules_of(switches, **{option: value})
    deals = (random_deal(rng) for _ in range(DEALS))

    assert any(
        compare_hand(our_hand(rules, deal), new_hand(switches, deal), rng, Counter())
        for deal in deals
    )


def test_published_hand() -> None:
    """The one hand that OpenSpiel publishes goes the same way here, with the same points."""
    hand = our_hand(rules_of(PUBLISHED), PLAYTHROUGH[:CHANCE_STEPS])
    asked = []
    for done, number in enumerate(PLAYTHROUGH[CHANCE_STEPS:], CHANCE_STEPS):
        asked.append((done, hand.seat, sorted(hand.legal)))
        hand = hand.after(hand.legal[number])

    shown = [done for done, _, _ in QUESTIONS]
    assert QUESTIONS == [question for question in asked if question[0] in shown]
    result = outcome(hand.state)
    assert result is not None
    assert (0, 2, 0, 2) == result.points


def test_perft_from_bidding() -> None:
    """From the first bid there are as many lines, in their order, as OpenSpiel counts."""
    hand = our_hand(rules_of(PUBLISHED), PLAYTHROUGH[:CHANCE_STEPS])

    assert list(FROM_BIDDING) == line_counts(hand, len(FROM_BIDDING))


def test_perft_from_play() -> None:
    """From the first card there are as many lines as OpenSpiel counts, to the end of the hand."""
    state = our_hand(rules_of(PUBLISHED), PLAYTHROUGH[:CHANCE_STEPS]).state
    for text in ("order", "together", "discard 9S"):
        state = apply(state, parse_action(text))

    assert list(FROM_PLAY) == [perft(state, depth) for depth in range(1, len(FROM_PLAY) + 1)]
