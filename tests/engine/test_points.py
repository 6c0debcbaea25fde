"""Points by result, and the end of a game (RULES.md sections 2-4 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from written_hands import dealt, play, play_anything

from euchre_engine import Outcome, Seat, make_ruleset, outcome
from euchre_engine.scoring import _points
from euchre_engine.state import Contract

if TYPE_CHECKING:
    from collections.abc import Mapping


def points(
    preset: str,
    tricks: int,
    options: Mapping[str, object] | None = None,
    *,
    maker: int = 0,
    alone: tuple[int, ...] = (),
) -> tuple[int, ...]:
    """Returns the points by seat for so many tricks of the maker's side."""
    rules = make_ruleset(preset, options)
    contract = Contract(away=(), maker=Seat(maker), alone=tuple(map(Seat, alone)), sitting_out=())
    return _points(rules, contract, tricks)


TWO_HANDED = [(0, 2), (0, 2), (0, 2), (1, 0), (1, 0), (2, 0)]
"""By the maker's tricks: RULES.md section 2, seat 0 maker."""


@pytest.mark.parametrize(("tricks", "expected"), list(enumerate(TWO_HANDED)))
def test_two_handed(tricks: int, expected: tuple[int, int]) -> None:
    """Three or four tricks are worth 1, five 2, fewer than three 2 to the defender."""
    assert expected == points("two-handed", tricks)
    assert expected[::-1] == points("two-handed", tricks, maker=1)


def test_two_handed_four_tricks() -> None:
    """`two_handed_four_tricks` sets what exactly four are worth, and nothing else."""
    by_tricks = [points("two-handed", n, {"two_handed_four_tricks": 5}) for n in range(6)]

    assert [*TWO_HANDED[:4], (5, 0), TWO_HANDED[5]] == by_tricks


THREE_HANDED = {
    # who is alone (0 is the maker): points by the maker's tricks, RULES.md section 3
    (): [(0, 2, 2), (0, 2, 2), (0, 2, 2), (1, 0, 0), (1, 0, 0), (3, 0, 0)],
    (0,): [(0, 2, 2), (0, 2, 2), (0, 2, 2), (1, 0, 0), (1, 0, 0), (3, 0, 0)],
    (1,): [(0, 4, 4), (0, 2, 2), (0, 2, 2), (1, 0, 0), (1, 0, 0), (3, 0, 0)],
    (0, 2): [(0, 4, 4), (0, 2, 2), (0, 2, 2), (1, 0, 0), (1, 0, 0), (3, 0, 0)],
}


@pytest.mark.parametrize("alone", THREE_HANDED)
def test_three_handed(alone: tuple[int, ...]) -> None:
    """The table of RULES.md section 3 holds whoever is alone; a sitter is paid like the loner."""
    assert THREE_HANDED[alone] == [points("three-handed", n, alone=alone) for n in range(6)]


FOUR_HANDED = {
    # who is alone (0 is the maker): points by the maker's tricks, RULES.md section 8
    (): [(0, 2), (0, 2), (0, 2), (1, 0), (1, 0), (2, 0)],
    (0,): [(0, 2), (0, 2), (0, 2), (1, 0), (1, 0), (4, 0)],
    (1,): [(0, 4), (0, 4), (0, 4), (1, 0), (1, 0), (2, 0)],
    (0, 3): [(0, 4), (0, 4), (0, 4), (1, 0), (1, 0), (4, 0)],
}


@pytest.mark.parametrize("preset", ["four-handed", "british"])
@pytest.mark.parametrize("alone", FOUR_HANDED)
def test_four_handed(preset: str, alone: tuple[int, ...]) -> None:
    """Partners score alike: 1, 2, alone 4, euchre 2, a lone defender's euchre 4."""
    expected = [by_team * 2 for by_team in FOUR_HANDED[alone]]

    rules = {"defend_alone": "always"}
    assert expected == [points(preset, n, rules, alone=alone) for n in range(6)]
    across = tuple((seat + 2) % 4 for seat in alone)
    assert expected == [points(preset, n, rules, maker=2, alone=across) for n in range(6)]


def test_bonus_preset_pays_the_lone_march() -> None:
    """`three-handed-bonus` gives 6 for all five tricks alone, and is else alike."""
    for alone, expected in THREE_HANDED.items():
        paid = [points("three-handed-bonus", n, alone=alone) for n in range(6)]
        assert [*expected[:5], (6, 0, 0) if 0 in alone else (3, 0, 0)] == paid


NUMBERS = {
    "alone_march_points": 11,
    "alone_make_points": 12,
    "alone_euchred_points": 13,
    "lone_defender_march_points": 14,
    "lone_defender_euchre_points": 15,
    "defender_march_points": 16,
}


@pytest.mark.parametrize(
    ("alone", "by_tricks"),
    [
        ((), [(0, 16), (0, 2), (0, 2), (1, 0), (1, 0), (None, 0)]),
        ((0,), [(0, 13), (0, 13), (0, 13), (12, 0), (12, 0), (11, 0)]),
        ((1,), [(0, 14), (0, 15), (0, 15), (1, 0), (1, 0), (None, 0)]),
        ((0, 1), [(0, 14), (0, 15), (0, 15), (12, 0), (12, 0), (11, 0)]),
    ],
)
@pytest.mark.parametrize(("preset", "march"), [("three-handed", 3), ("four-handed", 2)])
def test_points_options(
    preset: str, march: int, alone: tuple[int, ...], by_tricks: list[tuple[int | None, int]]
) -> None:
    """Each points option pays for its own result: a lone defender's first, then a lone maker's."""
    numbers = {**NUMBERS, "defend_alone": "always"}
    expected = [(march if maker is None else maker, defender) for maker, defender in by_tricks]

    assert expected == [points(preset, n, numbers, alone=alone)[:2] for n in range(6)]


def test_lone_only() -> None:
    """`lone_only` leaves the sitting defender unpaid for the lone one's success, and only then."""
    options = {"lone_defender_scores": "lone_only"}

    assert (0, 0, 4) == points("three-handed", 0, options, alone=(0, 2))
    assert (0, 2, 0) == points("three-handed", 2, options, alone=(1,))
    assert (0, 2, 2) == points("three-handed", 2, options, alone=(0,))
    assert (0, 2, 2) == points("three-handed", 0, options)


# --- the end of a game ----------------------------------------------------------------------------

LOSER = {0: "9C 9D 9S TC TD", 1: "JH JD AH KH QH", 2: "AS KS QS AC KC"}


def euchred(
    scores: tuple[int, int, int], said: str = "with_dummy, together, together", **given: object
) -> Outcome:
    """Returns the outcome of a three-handed hand, dealer 2, in which maker 0 takes no trick."""
    state = dealt(
        "three-handed",
        LOSER,
        up="9H",
        dummy="TH TS JS JC QC",
        dealer=2,
        scores=scores,
        **given,  # type: ignore[arg-type]
    )
    state = play(state, "order, decline", said)
    if said.endswith("together") and said.startswith("with"):
        state = play(state, "keep 9C 9D 9S TC TD")
    result = outcome(play_anything(state))
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("rule", "scores", "winners"),
    [
        ("highest_else_play_on", (3, 8, 8), ()),
        ("highest_else_play_on", (3, 8, 9), (2,)),
        ("highest_else_play_on", (3, 7, 7), ()),
        ("highest_else_play_on", (11, 8, 8), (0,)),
        ("highest_else_shared", (3, 8, 8), (1, 2)),
        ("highest_else_shared", (10, 8, 8), (0, 1, 2)),
        ("highest_else_shared", (3, 8, 9), (2,)),
        ("any_reaching_shared", (3, 8, 9), (1, 2)),
        ("any_reaching_shared", (3, 7, 9), (2,)),
        ("any_reaching_shared", (3, 7, 7), ()),
        ("left_of_dealer_first", (3, 8, 8), (1,)),
        ("left_of_dealer_first", (10, 8, 8), (0,)),
        ("left_of_dealer_first", (3, 8, 9), (2,)),
        ("lone_defender_first", (3, 8, 8), ()),
        ("lone_defender_first", (3, 8, 9), (2,)),
    ],
)
def test_tie_rules(rule: str, scores: tuple[int, int, int], winners: tuple[int, ...]) -> None:
    """Each tie rule ends the game for those it names, after seats 1 and 2 scored two each."""
    result = euchred(scores, tie_rule=rule)

    assert (winners, bool(winners)) == (result.winners, result.game_over)
    assert (None if winners else 0) == result.next_dealer


@pytest.mark.parametrize(("said", "winner"), [("alone, alone", 1), ("alone, together, alone", 2)])
def test_lone_defender_first(said: str, winner: int) -> None:
    """`lone_defender_first` gives a tie to the defender who was alone in the hand just played."""
    result = euchred((0, 9, 9), said, tie_rule="lone_defender_first", lone_defender_euchre_points=4)

    assert (winner,) == result.winners


def test_target_is_reached_by_the_last_point_only() -> None:
    """One point short of the target is not the end; the target itself is."""
    assert not euchred((0, 7, 3)).game_over
    assert (1,) == euchred((0, 8, 3)).winners
    assert (1,) == euchred((0, 3, 1), target=5).winners


@pytest.mark.parametrize(
    ("number", "scores", "winners"),
    [(6, (0, 5, 3), ()), (7, (0, 5, 3), (1,)), (7, (7, 5, 3), (0, 1)), (8, (1, 1, 1), (1, 2))],
)
def test_max_hands(number: int, scores: tuple[int, int, int], winners: tuple[int, ...]) -> None:
    """At the last deal allowed the highest total wins, and all who share it are winners."""
    assert winners == euchred(scores, hand_number=number, max_hands=7).winners


def test_max_hands_counts_unplayed_deals() -> None:
    """A deal that everybody passed counts towards `max_hands` like any other."""
    state = dealt("two-handed", {}, dealer=1, hand_number=3, max_hands=3, scores=(4, 4))
    result = outcome(play(state, "pass, pass, pass, pass"))
    assert result is not None

    assert (True, True, (0, 1)) == (result.passed_out, result.game_over, result.winners)


@pytest.mark.parametrize(("mode", "dealer"), [("next", 0), ("same", 1)])
def test_redeal_dealer(mode: str, dealer: int) -> None:
    """`redeal_dealer` decides who deals after a hand that nobody played, and only then."""
    state = dealt("two-handed", {}, up="9H", dealer=1, redeal_dealer=mode, redeals=4)
    passed = outcome(play(state, "pass, pass, pass, pass"))
    played = outcome(play_anything(play(state, "order")))
    assert passed is not None
    assert played is not None

    assert (dealer, 5) == (passed.next_dealer, passed.next_redeals)
    assert (0, 0) == (played.next_dealer, played.next_redeals)


def test_no_outcome_before_the_end() -> None:
    """A hand that is not done has no outcome."""
    assert outcome(dealt("two-handed", {}, dealer=1)) is None


def test_partners_win_together() -> None:
    """A four-handed game is won by both partners, by the last hand's points."""
    state = dealt(
        "four-handed",
        {0: "JS JC AS KS QS"},
        up="9S",
        dealer=3,
        scores=(9, 9, 9, 9),
    )
    result = outcome(play_anything(play(state, "order, together")))
    assert result is not None

    assert ((11, 9, 11, 9), (0, 2)) == (result.scores, result.winners)
