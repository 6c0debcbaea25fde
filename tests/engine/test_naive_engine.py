"""The naive second engine, held to what RULES.md works out by hand.

Owns the promise that the engine which judges the real one is itself right where people have
written down what is right. It must not know ``euchre_engine``.
"""

from typing import Any

import naive_cards
import naive_hand
import naive_score
import naive_standing
import naive_table
import pytest
from naive_default import default_text
from naive_rules import BadRules, effective_rules
from naive_worked import WORKED_HANDS
from naive_worked_auction import AUCTION_HANDS
from naive_worked_options import OPTION_HANDS
from naive_writing import G1_DECK, G2_DECK, part_of

WORKED = [*WORKED_HANDS, *AUCTION_HANDS, *OPTION_HANDS]


@pytest.mark.parametrize(
    ("hand", "expected"), [row[1:] for row in WORKED], ids=[row[0] for row in WORKED]
)
def test_worked_hand(hand: dict[str, Any], expected: dict[str, Any]) -> None:
    """A hand worked out in RULES.md section 7, or in its manner, stands as written."""
    standing = naive_standing.play(hand)

    assert "error" not in standing
    assert expected == part_of(standing, expected)


def test_g1_tells_who_won_each_trick() -> None:
    """G1: N, D, D-led N, N, N win in turn, N with four."""
    standing = naive_standing.play(WORKED_HANDS[0][1])

    assert [trick["winner"] for trick in standing["tricks"]] == [0, 1, 0, 0, 0]
    assert [trick["leader"] for trick in standing["tricks"]] == [0, 0, 1, 0, 0]


@pytest.mark.parametrize(
    ("row", "index", "legal"),
    [
        (0, 3, {"play 9S", "play AS"}),  # left bower led
        (0, 7, {"play TS", "play KD", "play TD"}),  # void in clubs although dealt JC
        (1, 15, {"play JS"}),  # his only legal card is the left bower
        (3, 10, {"play QD"}),  # JH is a trump led
    ],
)
def test_forced_cards(row: int, index: int, legal: set[str]) -> None:
    """The forced plays that section 7 points out are forced."""
    hand = WORKED_HANDS[row][1]
    standing = naive_standing.play({**hand, "actions": hand["actions"][:index]})

    assert legal == set(standing["legal"])


def test_first_leaders_of_worked_hands() -> None:
    """G3 and G4 are led by the dealer: left of the lone defender, left of the maker."""
    leaders = [naive_standing.play(WORKED_HANDS[row][1])["tricks"][0]["leader"] for row in (2, 3)]

    assert leaders == [2, 2]


def table_in_play(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any key of a table
    """Returns a three-handed table with what matters for a leader or for points."""
    preset = changes.pop("preset", "three-handed")
    options = changes.pop("options", {})
    rules = effective_rules({"preset": preset, **options})
    table = {"rules": rules, "dealer": 2, "maker": 0, "alone": [], "sitting": [], "tricks": []}
    return {**table, **changes}


@pytest.mark.parametrize(
    ("maker", "alone", "sitting", "options", "leader"),
    [
        (1, [], [], {}, 0),
        (0, [0], [], {}, 1),
        (1, [1], [], {}, 2),
        (2, [2], [], {}, 0),
        (1, [1], [], {"alone_lead": "left_of_dealer"}, 0),
        (2, [1], [0], {}, 2),
        (1, [0], [2], {}, 1),
        (0, [1], [2], {}, 0),
        (1, [2], [0], {"alone_lead": "left_of_dealer"}, 1),
        (1, [1, 2], [0], {}, 2),
        (2, [2, 1], [0], {}, 1),
        (1, [1, 2], [0], {"both_alone_leader": "left_of_defender"}, 1),
        (2, [2, 1], [0], {"both_alone_leader": "left_of_dealer"}, 1),
    ],
)
def test_first_leader(
    maker: int, alone: list[int], sitting: list[int], options: dict[str, str], leader: int
) -> None:
    """Section 3's table of first leaders, with the options of section 4; the dealer is seat 2."""
    table = table_in_play(maker=maker, alone=alone, sitting=sitting, options=options)

    assert leader == naive_table.first_leader(table)


@pytest.mark.parametrize(
    ("tricks", "alone", "options", "points"),
    [
        (5, [], {}, [3, 0, 0]),
        (4, [], {}, [1, 0, 0]),
        (3, [], {}, [1, 0, 0]),
        (2, [], {}, [0, 2, 2]),
        (0, [], {}, [0, 2, 2]),
        (0, [], {"defender_march_points": 5}, [0, 5, 5]),
        (1, [], {"defender_march_points": 5}, [0, 2, 2]),
        (5, [0], {}, [3, 0, 0]),
        (5, [0], {"preset": "three-handed-bonus"}, [6, 0, 0]),
        (5, [], {"preset": "three-handed-bonus"}, [3, 0, 0]),
        (3, [0], {"alone_make_points": 2}, [2, 0, 0]),
        (0, [0], {}, [0, 2, 2]),
        (0, [0], {"alone_euchred_points": 3, "defender_march_points": 5}, [0, 3, 3]),
        (2, [1], {}, [0, 2, 2]),
        (0, [1], {}, [0, 4, 4]),
        (0, [0, 1], {"alone_euchred_points": 3}, [0, 4, 4]),
        (1, [0, 2], {"alone_euchred_points": 3}, [0, 2, 2]),
        (1, [2], {"lone_defender_scores": "lone_only"}, [0, 0, 2]),
        (0, [2], {"lone_defender_scores": "lone_only"}, [0, 0, 4]),
        (3, [2], {"lone_defender_scores": "lone_only"}, [1, 0, 0]),
        (0, [0], {"lone_defender_scores": "lone_only"}, [0, 2, 2]),
    ],
)
def test_three_handed_points(
    tricks: int, alone: list[int], options: dict[str, Any], points: list[int]
) -> None:
    """Section 3's points table with the options of section 4; the maker is seat 0."""
    changed = dict(options)
    preset = changed.pop("preset", "three-handed")
    table = table_in_play(preset=preset, options=changed, alone=alone)

    assert points == naive_score.points_of_hand(table, tricks)


@pytest.mark.parametrize(
    ("tricks", "options", "points"),
    [
        (5, {}, [2, 0]),
        (4, {}, [1, 0]),
        (4, {"two_handed_four_tricks": 2}, [2, 0]),
        (3, {"two_handed_four_tricks": 2}, [1, 0]),
        (2, {}, [0, 2]),
        (0, {}, [0, 2]),
    ],
)
def test_two_handed_points(tricks: int, options: dict[str, Any], points: list[int]) -> None:
    """Section 2's points; the maker is seat 0."""
    table = table_in_play(preset="two-handed", options=options)

    assert points == naive_score.points_of_hand(table, tricks)


@pytest.mark.parametrize(
    ("rule", "scores", "alone", "winners"),
    [
        ("highest_else_play_on", [3, 10, 10], [1], []),
        ("highest_else_play_on", [9, 11, 10], [], [1]),
        ("highest_else_shared", [3, 10, 10], [], [1, 2]),
        ("highest_else_shared", [3, 11, 10], [], [1]),
        ("any_reaching_shared", [3, 11, 10], [], [1, 2]),
        ("left_of_dealer_first", [3, 10, 10], [], [1]),
        ("left_of_dealer_first", [10, 3, 10], [], [0]),
        ("left_of_dealer_first", [10, 3, 11], [], [2]),
        ("lone_defender_first", [3, 10, 10], [2], [2]),
        ("lone_defender_first", [3, 10, 10], [], []),
        ("lone_defender_first", [10, 10, 3], [0], []),
        ("lone_defender_first", [10, 3, 9], [2], [0]),
    ],
)
def test_tie_rules(rule: str, scores: list[int], alone: list[int], winners: list[int]) -> None:
    """Section 4's tie rules; the dealer is seat 2, the maker seat 0."""
    table = table_in_play(options={"tie_rule": rule}, alone=alone, number=1)

    assert winners == naive_score.winners_of_game(table, scores)


def test_last_hand_is_won_by_the_highest() -> None:
    """`max_hands`: at the limit the highest total wins, all who share it are winners."""
    table = table_in_play(options={"max_hands": 7}, number=7)

    assert naive_score.winners_of_game(table, [4, 3, 4]) == [0, 2]
    assert naive_score.winners_of_game({**table, "number": 6}, [4, 3, 4]) == []


@pytest.mark.parametrize(
    ("pattern", "places", "hands"),
    [
        ("3-2", 2, ["abcfg", "dehij"]),
        ("2-3", 2, ["abfgh", "cdeij"]),
        ("ones", 2, ["acegi", "bdfhj"]),
        ("3-2", 4, ["abckl", "demno", "fghpq", "ijrst"]),
        ("2-3", 4, ["abklm", "cdeno", "fgpqr", "hijst"]),
        ("ones", 4, ["aeimq", "bfjnr", "cgkos", "dhlpt"]),
    ],
)
def test_packets(pattern: str, places: int, hands: list[str]) -> None:
    """Section 4, "Maps": packets alternate by place in the dealing order."""
    dealt = naive_cards.deal_packets(list("abcdefghijklmnopqrstuvwx"), places, pattern)

    assert hands == ["".join(hand) for hand in dealt]


@pytest.mark.parametrize(
    ("seat", "dealer", "order"),
    [
        ("right_of_dealer", 2, [0, 1, None, 2]),
        ("right_of_dealer", 0, [1, 2, None, 0]),
        ("across", 2, [0, None, 1, 2]),
        ("across", 1, [2, None, 0, 1]),
        ("fixed_chair", 2, [None, 0, 1, 2]),
        ("fixed_chair", 1, [2, None, 0, 1]),
        ("fixed_chair", 0, [1, 2, None, 0]),
    ],
)
def test_dealing_order(seat: str, dealer: int, order: list[int | None]) -> None:
    """Section 4, "Maps": the dummy is dealt to where it sits."""
    rules = effective_rules({"preset": "three-handed", "dummy_seat": seat})

    assert order == naive_table.dealing_order(rules, dealer)


@pytest.mark.parametrize(
    ("hand", "led", "trump", "legal"),
    [
        ("JD AC KC", "9H", "H", "JD"),  # CASES.md B03
        ("AD AS", "TD", "S", "AD"),  # B04
        ("JK AD", "TD", "S", "AD"),  # B06
        ("JK AD", "9S", "S", "JK"),
        ("9S AD", "JK", "S", "9S"),
        ("JC TC AD", "9C", "S", "TC"),  # B10
        ("JC AD", "9C", "S", "JC AD"),
    ],
)
def test_following(hand: str, led: str, trump: str, legal: str) -> None:
    """Section 1, "Following", in the cases of CASES.md."""
    assert legal.split() == naive_cards.cards_to_follow(hand.split(), led, trump)


@pytest.mark.parametrize(
    ("cards", "trump", "winner"),
    [
        ("AH JD JH", "H", 2),  # B01
        ("AH JD KH", "H", 1),
        ("JC JS JK", "S", 2),
        ("AD 9C AC", "S", 0),
        ("9C AD TC", "S", 2),
        ("9C 9S AC", "S", 1),
    ],
)
def test_trick(cards: str, trump: str, winner: int) -> None:
    """Section 1, "Trick": the highest trump, else the highest of the suit led."""
    assert winner == naive_cards.trick_winner(cards.split(), trump)


@pytest.mark.parametrize(
    "rules",
    [
        "cutthroat",
        {"preset": "two-handed", "maker_alone": False},
        {"preset": "three-handed", "deck": "28"},
        {"preset": "three-handed", "target": 0},
        {"preset": "three-handed", "target": True},
        {"preset": "three-handed", "canadian_loner": True},
        {"preset": "four-handed", "tie_rule": "highest_else_shared"},
        {"preset": "three-handed", "min_trump_to_call": 3},
        {"preset": "three-handed", "first_dealer": 3},
        {"preset": "three-handed", "colour": "red"},
    ],
)
def test_bad_rules(rules: str | dict[str, Any]) -> None:
    """Section 4: an unknown option, one of another game, or a wrong value is an error."""
    with pytest.raises(BadRules):
        effective_rules(rules)


def test_default_actions_of_a_two_handed_hand() -> None:
    """DESIGN.md section 5 rule 4: pass; then the lowest plain card of TC 9H 9S AS KC, trump S."""
    table = naive_hand.start("two-handed", dealer=1, deck=G1_DECK.split())

    assert default_text(table) == "pass"
    naive_hand.act(table, "order")
    assert default_text(table) == "decline"
    naive_hand.act(table, "take")
    assert default_text(table) == "discard 9H"


def test_default_actions_of_a_three_handed_hand() -> None:
    """DESIGN.md section 5 rule 4 in every phase of G2."""
    table = naive_hand.start("three-handed", dealer=2, deck=G2_DECK.split())
    for text, default in [
        ("order", "pass"),
        ("take", "decline"),
        ("discard 9D", "discard 9D"),
        ("with_dummy", "with_dummy"),
        ("together", "together"),
        ("together", "together"),
        ("keep AC KC QC TC KH", "keep AC KC TD KH QH"),  # his own five
    ]:
        assert default == default_text(table)
        naive_hand.act(table, text)

    assert default_text(table) == "play KH"
