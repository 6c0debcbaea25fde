"""The tables of docs/family.md, row by row, on the naive second engine.

Owns the rows of results, tie rules, laps and slam, and cards, each written down by hand.
It must not know ``euchre_engine``.
"""

from typing import Any

import naive_family_cards
import naive_family_score
import pytest
from naive_family_rules import family_rules


def table_of(game: str, contract: int | None = None, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - option values
    """Returns a table with what matters for points; the maker is seat 0, the dealer seat 3."""
    rules = family_rules({"preset": game, **options})
    return {"rules": rules, "maker": 0, "dealer": 3, "contract": contract, "number": 1}


@pytest.mark.parametrize(
    ("bid", "tricks", "costs", "points"),
    [
        (4, 4, "bid", [4, 2]),
        (4, 6, "bid", [6, 0]),
        (1, 3, "bid", [3, 3]),
        (6, 6, "all_tricks", [6, 0]),
        (4, 3, "bid", [-4, 3]),
        (4, 0, "bid", [-4, 6]),
        (6, 5, "bid", [-6, 1]),
        (4, 3, "all_tricks", [-6, 3]),
        (1, 0, "all_tricks", [-6, 6]),
    ],
)
@pytest.mark.parametrize("game", ["hasenpfeffer", "pepper"])
def test_points_of_teams(game: str, bid: int, tricks: int, costs: str, points: list[int]) -> None:
    """Sections 3 and 4: a point a trick, or the cost of a failed bid; partners alike."""
    table = table_of(game, bid, failed_bid_costs=costs)

    assert points * 2 == naive_family_score.family_points(table, tricks)


@pytest.mark.parametrize("costs", ["bid", "all_tricks"])
@pytest.mark.parametrize(("tricks", "points"), [(6, [12, 0]), (5, [-12, 1]), (0, [-12, 6])])
def test_big_pepper(costs: str, tricks: int, points: list[int]) -> None:
    """Section 4: big pepper is twelve either way, under both settings."""
    table = table_of("pepper", 7, failed_bid_costs=costs)

    assert points * 2 == naive_family_score.family_points(table, tricks)


@pytest.mark.parametrize(
    ("bid", "tricks", "options", "value"),
    [
        (1, 1, {}, 1),
        (1, 5, {}, 1),  # overtricks pay nothing
        (1, 0, {}, -1),
        (2, 2, {}, 2),
        (2, 1, {}, -2),
        (3, 4, {}, 3),
        (3, 2, {}, -3),
        (4, 4, {}, 4),
        (4, 3, {}, -4),
        (5, 5, {}, 10),
        (5, 4, {}, -5),
        (8, 0, {}, 3),
        (8, 1, {}, -3),
        (8, 0, {"misere_lost_points": 6}, 3),
        (8, 5, {"misere_lost_points": 6}, -6),
        (8, 5, {"misere_lost_points": 0}, 0),
        (6, 5, {"wellington": True}, 20),
        (6, 4, {"wellington": True}, -10),
        (6, 5, {"wellington": True, "overcall_wins": "as_nap"}, 10),
        (6, 4, {"wellington": True, "overcall_wins": "as_nap"}, -10),
        (7, 5, {"wellington": True, "blucher": True}, 30),
        (7, 0, {"wellington": True, "blucher": True}, -15),
        (7, 5, {"wellington": True, "blucher": True, "overcall_wins": "as_nap"}, 10),
        (7, 4, {"wellington": True, "blucher": True, "overcall_wins": "as_nap"}, -15),
    ],
)
@pytest.mark.parametrize("players", [2, 4, 7])
def test_points_of_napoleon(
    players: int, bid: int, tricks: int, options: dict[str, Any], value: int
) -> None:
    """Section 5: every opponent pays the value of the bid, or is paid it."""
    table = table_of("napoleon", bid, players=players, **options)
    points = naive_family_score.family_points(table, tricks)

    assert [(players - 1) * value, *[-value] * (players - 1)] == points


@pytest.mark.parametrize(
    ("rule", "maker", "scores", "winners"),
    [
        ("highest_else_play_on", 0, [30, 29], [0, 2]),
        ("highest_else_play_on", 0, [31, 33], [1, 3]),
        ("highest_else_play_on", 0, [31, 31], []),
        ("highest_else_play_on", 0, [29, -40], []),
        ("makers_first", 0, [31, 33], [0, 2]),
        ("makers_first", 3, [31, 33], [1, 3]),
        ("makers_first", 1, [31, 31], [1, 3]),
        ("makers_first", 0, [29, 33], [1, 3]),
        ("makers_first", None, [31, 33], [1, 3]),
        ("makers_first", None, [31, 31], []),
    ],
)
def test_team_tie_rules(
    rule: str, maker: int | None, scores: list[int], winners: list[int]
) -> None:
    """Section 1, `tie_rule` of teams; the target of Pepper is 30."""
    table = {**table_of("pepper", tie_rule=rule), "maker": maker}

    assert winners == naive_family_score.family_winners(table, scores * 2)


@pytest.mark.parametrize(
    ("rule", "dealer", "scores", "winners"),
    [
        ("highest_else_play_on", 3, [9, 10, 3, -22], [1]),
        ("highest_else_play_on", 3, [10, 10, 3, -23], []),
        ("highest_else_play_on", 3, [12, 10, 13, 0], [2]),
        ("highest_else_play_on", 3, [9, 9, 9, -27], []),
        ("highest_else_shared", 3, [10, 10, 3, -23], [0, 1]),
        ("highest_else_shared", 3, [12, 10, 3, 0], [0]),
        ("any_reaching_shared", 3, [12, 10, 3, 0], [0, 1]),
        ("left_of_dealer_first", 3, [12, 3, 12, 0], [0]),
        ("left_of_dealer_first", 0, [12, 3, 12, 0], [2]),
        ("left_of_dealer_first", 2, [12, 3, 12, 0], [0]),
        ("left_of_dealer_first", 1, [12, 12, 3, 0], [0]),
        ("left_of_dealer_first", 1, [3, 13, 12, 0], [1]),
    ],
)
def test_napoleon_tie_rules(rule: str, dealer: int, scores: list[int], winners: list[int]) -> None:
    """Section 1, `tie_rule` of Napoleon: the first in turn of those level is left of the dealer."""
    table = {**table_of("napoleon", players=4, tie_rule=rule), "dealer": dealer}

    assert winners == naive_family_score.family_winners(table, scores)


@pytest.mark.parametrize(
    ("game", "scores", "winners"),
    [
        ("pepper", [-6, -12, -6, -12], [0, 2]),
        ("hasenpfeffer", [4, 4, 4, 4], [0, 1, 2, 3]),
        ("napoleon", [1, 1, -2, 0], [0, 1]),
    ],
)
def test_last_hand_is_won_by_the_highest(game: str, scores: list[int], winners: list[int]) -> None:
    """Section 1: at `max_hands` the highest total wins, all who share it."""
    players = {"players": 4} if game == "napoleon" else {}
    table = {**table_of(game, max_hands=7, **players), "number": 7}

    assert winners == naive_family_score.family_winners(table, scores)
    assert naive_family_score.family_winners({**table, "number": 6}, scores) == []


@pytest.mark.parametrize(
    ("options", "scores", "winners", "carried", "worth"),
    [
        ({}, [12, 0], [0, 2], [0, 0], 1),
        ({"laps": True}, [12, 3], [0, 2], [2, 0], 1),
        ({"laps": True}, [3, 12], [1, 3], [0, 2], 1),
        ({"laps": True}, [10, 3], [0, 2], [0, 0], 1),
        ({"laps": True, "target": 2}, [5, 1], [0, 2], [1, 0], 1),  # capped below the target
        ({"laps": True, "target": 1}, [4, 0], [0, 2], [0, 0], 1),
        ({"laps": True}, [12, 3], [], [0, 0], 0),
        ({"laps": True}, [4, 3], [0, 2], [0, 0], 1),  # max_hands
        ({"slam": True}, [10, 0], [0, 2], [0, 0], 2),
        ({"slam": True}, [10, 1], [0, 2], [0, 0], 1),
        ({"slam": True}, [0, 11], [1, 3], [0, 0], 2),
        ({"slam": True}, [9, 0], [], [0, 0], 0),
        ({"slam": True}, [0, 0], [0, 1, 2, 3], [0, 0], 1),
    ],
)
def test_laps_and_slam(
    options: dict[str, Any], scores: list[int], winners: list[int], carried: list[int], worth: int
) -> None:
    """Section 2: what the next game begins with, and how many games this one counts."""
    rules = family_rules({"preset": "railroad", **options})
    table = {
        "rules": rules,
        "scores": scores * 2,
        "winners": winners,
        "game_over": winners != [],
    }

    assert carried * 2 == naive_family_score.carry(table)
    assert worth == naive_family_score.game_worth(table)


@pytest.mark.parametrize(
    ("rules", "largest", "smallest"),
    [
        ({"preset": "railroad"}, 4, 0),
        ({"preset": "railroad", "lone_defender_march_points": 9}, 9, 0),
        (
            {"preset": "railroad", "lone_defender_march_points": 9, "defend_alone": "never"},
            4,
            0,
        ),
        ({"preset": "railroad", "maker_alone": False}, 2, 0),
        ({"preset": "hasenpfeffer"}, 6, -6),
        ({"preset": "pepper"}, 12, -12),
        ({"preset": "pepper", "big_pepper": False}, 6, -6),
        ({"preset": "napoleon"}, 40, -20),
        ({"preset": "napoleon", "players": 2}, 10, -10),
        ({"preset": "napoleon", "players": 3, "wellington": True}, 40, -20),
        ({"preset": "napoleon", "wellington": True, "blucher": True}, 120, -60),
        (
            {
                "preset": "napoleon",
                "wellington": True,
                "blucher": True,
                "overcall_wins": "as_nap",
            },
            40,
            -60,
        ),
        ({"preset": "napoleon", "misere_lost_points": 50}, 50, -200),
        ({"preset": "napoleon", "misere_lost_points": 50, "misere": False}, 40, -20),
    ],
)
def test_extreme_results(rules: dict[str, Any], largest: int, smallest: int) -> None:
    """Section 1: the largest and the smallest result of a hand."""
    effective = family_rules(rules)

    assert largest == naive_family_score.largest_result(effective)
    assert smallest == naive_family_score.smallest_result(effective)


@pytest.mark.parametrize(
    ("hand", "led", "trump", "bowers", "legal"),
    [
        ("JC AS", "JS", None, True, "AS"),  # section 7, short cases: no-trump
        ("JC AS", "JS", "S", True, "JC AS"),
        ("JK AS", "9S", "S", True, "JK AS"),
        ("JK AS", "9H", "H", True, "JK"),
        ("JH 2D AS", "9D", "D", False, "2D"),
        ("JH AS", "9D", "D", False, "JH AS"),
        ("2H AS", "AH", None, False, "2H"),
    ],
)
def test_following(hand: str, led: str, trump: str | None, legal: str, *, bowers: bool) -> None:
    """Sections 1, 4 and 5: effective suits with a trump, without one, and without bowers."""
    playable = naive_family_cards.playable_cards(hand.split(), led, trump, bowers=bowers)

    assert legal.split() == playable


@pytest.mark.parametrize(
    ("cards", "trump", "bowers", "winner"),
    [
        ("AS JC JS JK", "S", True, 3),
        ("AS JC KS TS", "S", True, 1),
        ("JD QD AC JH", None, True, 1),  # section 7, P1
        ("TD JD JH AC", None, True, 1),
        ("AS JC KS JS", "S", False, 0),
        ("2D AC KC 3D", "S", False, 3),
        ("AD KD 2S QD", "S", False, 2),
        ("9D TD 2D AH", None, False, 1),
    ],
)
def test_trick(cards: str, trump: str | None, winner: int, *, bowers: bool) -> None:
    """Sections 1, 4 and 5: highest trump, else the highest of the suit led."""
    assert winner == naive_family_cards.winning_place(cards.split(), trump, bowers=bowers)


def test_full_deck() -> None:
    """RULES.md section 1: `52` is every rank of every suit."""
    deck = naive_family_cards.family_deck("52")

    assert len(set(deck)) == 52
    assert deck[:13] == [rank + "C" for rank in "AKQJT98765432"]
