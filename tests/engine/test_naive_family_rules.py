"""The options of docs/family.md on the naive second engine.

Owns the defaults, the refused rulesets, `players` and the scores before a hand, each written down
by hand. It must not know ``euchre_engine``.
"""

from typing import Any

import pytest
from family_writing import H1_DECK, N3_DECK, P1_DECK, R2_DECK
from naive_family_rules import FAMILY, family_rules, rules_with_players
from naive_games import start
from naive_rules import BadRules

DEFAULTS: dict[str, dict[str, Any]] = {
    "railroad": {
        "deck": "25",
        "target": 10,
        "stick_the_dealer": False,
        "allow_turned_down_suit": False,
        "dealer_pickup": "forced",
        "may_discard_upcard": False,
        "maker_alone": True,
        "defend_alone": "vs_lone_maker_only",
        "defender_alone_order": "bidding_order",
        "alone_lead": "left_of_dealer",
        "both_alone_leader": "left_of_dealer",
        "alone_march_points": 4,
        "alone_make_points": 1,
        "alone_euchred_points": 2,
        "lone_defender_march_points": 4,
        "lone_defender_euchre_points": 4,
        "defender_march_points": 2,
        "end_hand_early": False,
        "joker_upcard": "hearts",
        "deal_pattern": "3-2",
        "redeal_dealer": "next",
        "first_dealer": "seeded",
        "min_trump_to_call": 0,
        "max_consecutive_redeals": 50,
        "max_hands": 500,
        "reveal": "after_game",
        "canadian_loner": False,
        "farmers_hand": "none",
        "call_for_best": True,
        "laps": False,
        "slam": False,
    },
    "hasenpfeffer": {
        "deck": "25",
        "target": 10,
        "stick_the_dealer": False,
        "deal_pattern": "3-3",
        "tie_rule": "highest_else_play_on",
        "redeal_dealer": "next",
        "first_dealer": "seeded",
        "max_consecutive_redeals": 50,
        "max_hands": 500,
        "reveal": "after_game",
        "bidding": "rounds",
        "minimum_bid": 1,
        "failed_bid_costs": "bid",
        "see_widow_first": False,
    },
    "pepper": {
        "deck": "24",
        "target": 30,
        "stick_the_dealer": False,
        "deal_pattern": "ones",
        "tie_rule": "highest_else_play_on",
        "redeal_dealer": "next",
        "first_dealer": "seeded",
        "max_consecutive_redeals": 50,
        "max_hands": 500,
        "reveal": "after_game",
        "bidding": "rounds",
        "minimum_bid": 1,
        "failed_bid_costs": "all_tricks",
        "no_trump": True,
        "big_pepper": True,
    },
    "napoleon": {
        "players": 5,
        "deck": "52",
        "target": 10,
        "stick_the_dealer": False,
        "deal_pattern": "ones",
        "tie_rule": "highest_else_play_on",
        "end_hand_early": False,
        "redeal_dealer": "next",
        "first_dealer": "seeded",
        "max_consecutive_redeals": 50,
        "max_hands": 500,
        "reveal": "after_game",
        "minimum_bid": 2,
        "misere": True,
        "misere_lost_points": 3,
        "wellington": False,
        "blucher": False,
        "overcall_wins": "multiplied",
    },
}


@pytest.mark.parametrize("game", FAMILY)
def test_defaults(game: str) -> None:
    """Section 1: the options that apply to a game, with their defaults."""
    seats = 5 if game == "napoleon" else 4

    assert {**DEFAULTS[game], "preset": game, "seats": seats} == family_rules(game)


@pytest.mark.parametrize(
    ("rules", "key"),
    [
        ({"preset": "railroad", "tie_rule": "highest_else_play_on"}, "tie_rule"),
        ({"preset": "railroad", "deal_pattern": "3-3"}, "deal_pattern"),
        ({"preset": "railroad", "bidding": "once"}, "bidding"),
        ({"preset": "hasenpfeffer", "deck": "24"}, "deck"),
        ({"preset": "hasenpfeffer", "end_hand_early": False}, "end_hand_early"),
        ({"preset": "hasenpfeffer", "minimum_bid": 7}, "minimum_bid"),
        ({"preset": "hasenpfeffer", "minimum_bid": 0}, "minimum_bid"),
        ({"preset": "hasenpfeffer", "deal_pattern": "3-2"}, "deal_pattern"),
        ({"preset": "hasenpfeffer", "no_trump": True}, "no_trump"),
        ({"preset": "hasenpfeffer", "tie_rule": "highest_else_shared"}, "tie_rule"),
        ({"preset": "hasenpfeffer", "joker_upcard": "hearts"}, "joker_upcard"),
        ({"preset": "pepper", "deck": "25"}, "deck"),
        ({"preset": "pepper", "minimum_bid": 6}, "minimum_bid"),
        ({"preset": "pepper", "see_widow_first": True}, "see_widow_first"),
        ({"preset": "pepper", "maker_alone": True}, "maker_alone"),
        ({"preset": "napoleon", "minimum_bid": 1}, "minimum_bid"),
        ({"preset": "napoleon", "minimum_bid": 4}, "minimum_bid"),
        ({"preset": "napoleon", "players": 8}, "players"),
        ({"preset": "napoleon", "players": 1}, "players"),
        ({"preset": "napoleon", "players": True}, "players"),
        ({"preset": "napoleon", "players": 5, "deck": "24"}, "deck"),
        ({"preset": "napoleon", "players": 6, "deck": "28"}, "deck"),
        ({"preset": "napoleon", "players": 7, "deck": "32"}, "deck"),
        ({"preset": "napoleon", "deck": "25"}, "deck"),
        ({"preset": "napoleon", "blucher": True}, "blucher"),
        ({"preset": "napoleon", "tie_rule": "makers_first"}, "tie_rule"),
        ({"preset": "napoleon", "failed_bid_costs": "bid"}, "failed_bid_costs"),
        ({"preset": "napoleon", "misere_lost_points": -1}, "misere_lost_points"),
        ({"preset": "napoleon", "players": 3, "first_dealer": 3}, "first_dealer"),
        ({"preset": "pepper", "players": 4}, "players"),
    ],
)
def test_bad_rules(rules: dict[str, Any], key: str) -> None:
    """Section 1: an option of another game, or a wrong value, is an error that names it."""
    with pytest.raises(BadRules) as refused:
        family_rules(rules)

    assert (key,) == refused.value.args


@pytest.mark.parametrize(
    ("rules", "players", "seats"),
    [
        ("napoleon", 3, 3),
        ("napoleon", None, 5),
        ({"preset": "napoleon", "players": 4}, None, 4),
        ({"preset": "napoleon", "players": 4}, 4, 4),
        ({"preset": "napoleon", "players": 4, "deck": "24"}, 4, 4),
        ("pepper", 4, 4),
    ],
)
def test_players_of_a_hand(rules: str | dict[str, Any], players: int | None, seats: int) -> None:
    """Section 1: the key `players` of a hand object sets the option."""
    assert seats == family_rules(rules_with_players(rules, players))["seats"]


@pytest.mark.parametrize(
    ("rules", "players"),
    [({"preset": "napoleon", "players": 4}, 5), ("pepper", 3), ("railroad", 2)],
)
def test_players_that_contradict(rules: str | dict[str, Any], players: int) -> None:
    """Section 1: `players` that differs from the option or the game is an error that names it."""
    with pytest.raises(BadRules, match="players"):
        rules_with_players(rules, players)


@pytest.mark.parametrize(
    ("rules", "deck", "scores"),
    [
        ("railroad", R2_DECK, [-1, 0, -1, 0]),
        ("railroad", R2_DECK, [1, 0, 2, 0]),
        ("hasenpfeffer", H1_DECK, [1, 0, 1]),
        ("hasenpfeffer", H1_DECK, [1, 0, 1, 2]),
        ("pepper", P1_DECK, [1_000_001, 0, 1_000_001, 0]),
        ({"preset": "napoleon", "players": 4, "deck": "28"}, N3_DECK, [-1_000_001, 0, 0, 0]),
    ],
)
def test_bad_scores(rules: str | dict[str, Any], deck: str, scores: list[int]) -> None:
    """Section 1: scores are one integer a seat, partners alike, in a range."""
    with pytest.raises(BadRules, match="scores"):
        start(rules, dealer=3, deck=deck.split(), scores=scores)


@pytest.mark.parametrize(
    ("rules", "deck", "scores"),
    [
        ("railroad", R2_DECK, [12, 0, 12, 0]),
        ("hasenpfeffer", H1_DECK, [-1_000_000, 40, -1_000_000, 40]),
        ({"preset": "napoleon", "players": 4, "deck": "28"}, N3_DECK, [-3, 1_000_000, 7, 0]),
    ],
)
def test_good_scores(rules: str | dict[str, Any], deck: str, scores: list[int]) -> None:
    """Section 1: scores may be negative but in Railroad, above the target, and need no sum."""
    table = start(rules, dealer=3, deck=deck.split(), scores=scores)

    assert scores == table["scores"]
