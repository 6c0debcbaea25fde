"""The table of options, the presets and the rulesets made of them (RULES.md section 4)."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import pytest

from euchre_engine import JOKER, Card
from euchre_engine import option_values as values
from euchre_engine.games import GAMES, Game
from euchre_engine.option_kinds import Word
from euchre_engine.options import OPTION_BY_NAME, OPTIONS
from euchre_engine.points import POINTS, HandResult, points_table
from euchre_engine.variants import (
    PRESETS,
    Ruleset,
    make_ruleset,
    parse_ruleset,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from euchre_engine.option_kinds import OptionValue

# RULES.md section 4 and docs/family.md section 1, column by column: option, games, and the defaults
# of two-, three- and four-handed play, Railroad, Hasenpfeffer, Pepper and Napoleon.
LAW: Mapping[str, tuple[OptionValue | None, ...]] = {
    "deck": ("24", "24", "24", "25", "25", "24", "52"),
    "target": (10, 10, 10, 10, 10, 30, 10),
    "stick_the_dealer": (False, False, False, False, False, False, False),
    "allow_turned_down_suit": (False, False, False, False, None, None, None),
    "dealer_pickup": ("optional", "optional", "forced", "forced", None, None, None),
    "may_discard_upcard": (False, False, False, False, None, None, None),
    "dealer_dummy_discard": (None, "sequential", None, None, None, None, None),
    "alone_decision": (None, "before_dummy", None, None, None, None, None),
    "exchange_timing": (None, "after_declarations", None, None, None, None, None),
    "maker_alone": (None, True, True, True, None, None, None),
    "defend_alone": (None, "always", "never", "vs_lone_maker_only", None, None, None),
    "defender_alone_order": (
        None,
        "bidding_order",
        "bidding_order",
        "bidding_order",
        None,
        None,
        None,
    ),
    "alone_lead": (None, "left_of_loner", "left_of_dealer", "left_of_dealer", None, None, None),
    "both_alone_leader": (
        None,
        "left_of_maker",
        "left_of_dealer",
        "left_of_dealer",
        None,
        None,
        None,
    ),
    "alone_march_points": (None, 3, 4, 4, None, None, None),
    "alone_make_points": (None, 1, 1, 1, None, None, None),
    "alone_euchred_points": (None, 2, 2, 2, None, None, None),
    "lone_defender_scores": (None, "both", None, None, None, None, None),
    "lone_defender_march_points": (None, 4, 4, 4, None, None, None),
    "lone_defender_euchre_points": (None, 2, 4, 4, None, None, None),
    "defender_march_points": (None, 2, 2, 2, None, None, None),
    "two_handed_four_tricks": (1, None, None, None, None, None, None),
    "tie_rule": (
        None,
        "highest_else_play_on",
        None,
        None,
        "highest_else_play_on",
        "highest_else_play_on",
        "highest_else_play_on",
    ),
    "end_hand_early": (False, False, False, False, None, None, False),
    "joker_upcard": ("hearts", "hearts", "hearts", "hearts", None, None, None),
    "dummy_seat": (None, "right_of_dealer", None, None, None, None, None),
    "deal_pattern": ("3-2", "3-2", "3-2", "3-2", "3-3", "ones", "ones"),
    "redeal_dealer": ("next", "next", "next", "next", "next", "next", "next"),
    "first_dealer": ("seeded", "seeded", "seeded", "seeded", "seeded", "seeded", "seeded"),
    "min_trump_to_call": (0, 0, 0, 0, None, None, None),
    "max_consecutive_redeals": (50, 50, 50, 50, 50, 50, 50),
    "max_hands": (500, 500, 500, 500, 500, 500, 500),
    "reveal": (
        "after_game",
        "after_game",
        "after_game",
        "after_game",
        "after_game",
        "after_game",
        "after_game",
    ),
    "canadian_loner": (None, None, False, False, None, None, None),
    "farmers_hand": (None, None, "none", "none", None, None, None),
    "players": (None, None, None, None, None, None, 5),
    "call_for_best": (None, None, None, True, None, None, None),
    "laps": (None, None, None, False, None, None, None),
    "slam": (None, None, None, False, None, None, None),
    "bidding": (None, None, None, None, "rounds", "rounds", None),
    "minimum_bid": (None, None, None, None, 1, 1, 2),
    "failed_bid_costs": (None, None, None, None, "bid", "all_tricks", None),
    "see_widow_first": (None, None, None, None, False, None, None),
    "no_trump": (None, None, None, None, None, True, None),
    "big_pepper": (None, None, None, None, None, True, None),
    "misere": (None, None, None, None, None, None, True),
    "misere_lost_points": (None, None, None, None, None, None, 3),
    "wellington": (None, None, None, None, None, None, False),
    "blucher": (None, None, None, None, None, None, False),
    "overcall_wins": (None, None, None, None, None, None, "multiplied"),
}
COLUMN = {game: column for column, game in enumerate(Game)}


def test_options_are_those_of_the_law() -> None:
    """The table has the options of RULES.md section 4, in that order."""
    assert [spec.name for spec in OPTIONS] == list(LAW)
    assert list(OPTION_BY_NAME) == list(LAW)


@pytest.mark.parametrize("name", LAW)
def test_defaults_and_games_are_those_of_the_law(name: str) -> None:
    """Every option applies to the games of the law and has its default there."""
    spec = OPTION_BY_NAME[name]
    expected = {game: LAW[name][n] for game, n in COLUMN.items() if LAW[name][n] is not None}

    assert dict(spec.defaults) == expected
    assert spec.games == tuple(expected)


@pytest.mark.parametrize("name", LAW)
def test_defaults_are_allowed_values(name: str) -> None:
    """Each default, and what the engine reads elsewhere, is a value that the option takes."""
    spec = OPTION_BY_NAME[name]

    checked = {game: spec.kinds[game].check(value) for game, value in spec.defaults.items()}
    assert checked == dict(spec.defaults)
    assert any(kind.check(spec.idle) == spec.idle for kind in spec.kinds.values())


@pytest.mark.parametrize("name", LAW)
def test_every_option_is_explained_in_one_sentence(name: str) -> None:
    """The effect is one sentence, and names the words that the option takes in a game, no other."""
    spec = OPTION_BY_NAME[name]
    every = {
        word for kind in spec.kinds.values() if isinstance(kind, Word) for word in kind.choices
    }

    for game, kind in spec.kinds.items():
        taken = set(kind.choices) if isinstance(kind, Word) else set()
        named = set(re.findall(r"[\w:-]+", spec.sentences[game]))
        assert re.fullmatch(r"[A-Z][^.]*\.", spec.sentences[game])
        assert taken - named == set()
        assert {word for word in every - taken if word in named} == set()


def test_ruleset_has_an_attribute_for_each_option() -> None:
    """The engine reads every option as an attribute, with the value that was written."""
    fields = [field.name for field in dataclasses.fields(Ruleset)]

    assert [name for name in fields if name in LAW] == list(LAW)
    rules = make_ruleset("three-handed")
    attributes = {name: getattr(rules, name) for name in rules.options if name != "first_dealer"}
    assert attributes == {n: v for n, v in rules.options.items() if n != "first_dealer"}


@pytest.mark.parametrize(
    ("name", "game", "changes"),
    [
        ("two-handed", Game.TWO_HANDED, {}),
        ("three-handed", Game.THREE_HANDED, {}),
        ("three-handed-bonus", Game.THREE_HANDED, {"alone_march_points": 6}),
        ("four-handed", Game.FOUR_HANDED, {}),
        ("british", Game.FOUR_HANDED, {"deck": "25", "joker_upcard": "dealer_names_blind"}),
        (
            "british-two-handed",
            Game.TWO_HANDED,
            {"deck": "25", "joker_upcard": "dealer_names_blind"},
        ),
        (
            "british-three-handed",
            Game.THREE_HANDED,
            {"deck": "25", "joker_upcard": "dealer_names_blind"},
        ),
        ("railroad", Game.RAILROAD, {}),
        ("hasenpfeffer", Game.HASENPFEFFER, {}),
        ("pepper", Game.PEPPER, {}),
        ("napoleon", Game.NAPOLEON, {}),
    ],
)
def test_presets(name: str, game: Game, changes: dict[str, OptionValue]) -> None:
    """Each preset is its game with exactly the stated changes."""
    rules = make_ruleset(name)

    assert (rules.preset, rules.game) == (name, game)
    assert dict(rules.options) == {
        option: changes.get(option, defaults[COLUMN[game]])
        for option, defaults in LAW.items()
        if defaults[COLUMN[game]] is not None
    }


def test_no_other_presets() -> None:
    """The presets are those eleven."""
    assert list(PRESETS) == [
        "two-handed",
        "three-handed",
        "three-handed-bonus",
        "four-handed",
        "british",
        "british-two-handed",
        "british-three-handed",
        "railroad",
        "hasenpfeffer",
        "pepper",
        "napoleon",
    ]


def test_what_does_not_apply_changes_nothing() -> None:
    """An option of other games reads as one without effect: nobody is alone in two-handed play."""
    rules = make_ruleset("two-handed")

    assert (rules.maker_alone, rules.defend_alone) == (False, values.DefendAlone.NEVER)
    assert (rules.canadian_loner, rules.farmers_hand) == (False, values.FarmersHand.NONE)


@pytest.mark.parametrize(
    ("deck", "count", "lowest", "joker"),
    [
        ("24", 24, "9C", False),
        ("25", 25, "9C", True),
        ("28", 28, "8C", False),
        ("32", 32, "7C", False),
        ("33", 33, "7C", True),
    ],
)
def test_decks(deck: str, count: int, lowest: str, *, joker: bool) -> None:
    """Each deck has its cards, from the lowest club up, the joker last."""
    rules = make_ruleset("four-handed", {"deck": deck})

    assert len(rules.deck_cards) == len(set(rules.deck_cards)) == count
    assert rules.deck_cards[0] is Card[lowest]
    assert list(rules.deck_cards) == sorted(rules.deck_cards)
    assert (rules.has_joker, JOKER in rules.deck_cards) == (joker, joker)


@pytest.mark.parametrize(
    ("text", "largest"),
    [
        ("two-handed", 2),
        ("two-handed,two_handed_four_tricks=3", 3),
        ("three-handed", 4),
        ("three-handed-bonus", 6),
        ("three-handed-bonus,maker_alone=false", 4),
        ("three-handed,defend_alone=never", 3),
        ("three-handed,maker_alone=false,defend_alone=vs_lone_maker_only", 3),
        ("three-handed,defender_march_points=9", 9),
        ("three-handed,alone_euchred_points=7", 7),
        ("four-handed", 4),
        ("four-handed,maker_alone=false", 2),
        ("four-handed,maker_alone=false,canadian_loner=true", 4),
        ("four-handed,maker_alone=false,defend_alone=always", 4),
        ("four-handed,lone_defender_euchre_points=8", 4),
        ("four-handed,lone_defender_euchre_points=8,defend_alone=vs_lone_maker_only", 8),
    ],
)
def test_largest_hand_result(text: str, largest: int) -> None:
    """The largest result counts only what can come about under the ruleset."""
    assert parse_ruleset(text).largest_hand_result == largest


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("two-handed", {"make": 1, "four_tricks": 1, "march": 2, "euchre": 2}),
        (
            "three-handed",
            {
                "make": 1,
                "march": 3,
                "alone_make": 1,
                "alone_march": 3,
                "euchre": 2,
                "alone_euchre": 2,
                "defender_march": 2,
                "lone_defender_euchre": 2,
                "lone_defender_march": 4,
            },
        ),
        (
            "british",
            {
                "make": 1,
                "march": 2,
                "alone_make": 1,
                "alone_march": 4,
                "euchre": 2,
                "alone_euchre": 2,
                "defender_march": 2,
            },
        ),
    ],
)
def test_points(preset: str, expected: dict[str, int]) -> None:
    """The points of each result are those of RULES.md sections 2, 3 and 8."""
    assert dict(make_ruleset(preset).points) == expected


def test_points_table_has_a_row_for_each_result() -> None:
    """Every result has one row a game, every option that a row names applies to its game."""
    rows = [(row.result, game) for row in POINTS for game in row.worth]
    named = [(w, game) for row in POINTS for game, w in row.worth.items() if isinstance(w, str)]

    assert len(set(rows)) == len(rows)
    assert {result for result, _ in rows} == set(HandResult)
    assert all(game in OPTION_BY_NAME[option].kinds for option, game in named)


def test_points_table_for_people() -> None:
    """The table names points, payee and reason; loners have rows only where there can be any."""
    assert points_table(make_ruleset("two-handed")) == [
        (1, "the maker", "the maker takes three tricks"),
        (1, "the maker", "the maker takes four tricks"),
        (2, "the maker", "the maker takes all five tricks"),
        (2, "the defender", "the maker takes fewer than three tricks"),
    ]
    lone_only = parse_ruleset("three-handed,lone_defender_scores=lone_only,maker_alone=false")
    assert points_table(lone_only)[-1] == (
        4,
        "the lone defender",
        "a defender, alone, takes all five tricks",
    )
    assert [row[1] for row in points_table(make_ruleset("british"))] == [
        *["each maker"] * 4,
        *["each defender"] * 3,
    ]


@pytest.mark.parametrize(
    ("text", "suit"),
    [
        ("hearts", "H"),
        ("fixed:C", "C"),
        ("fixed:D", "D"),
        ("fixed:H", "H"),
        ("fixed:S", "S"),
        ("dealer_names_blind", "None"),
    ],
)
def test_suit_of_a_joker_turned_up(text: str, suit: str) -> None:
    """Each value of joker_upcard says which suit the joker counts as."""
    assert str(values.JokerUpcard(text).suit) == suit


def test_seats_follow_from_the_game() -> None:
    """The seats are numbered from 0; in Napoleon an option says how many play."""
    assert {game: make_ruleset(game.value).seats for game in GAMES} == {
        Game.TWO_HANDED: (0, 1),
        Game.THREE_HANDED: (0, 1, 2),
        Game.FOUR_HANDED: (0, 1, 2, 3),
        Game.RAILROAD: (0, 1, 2, 3),
        Game.HASENPFEFFER: (0, 1, 2, 3),
        Game.PEPPER: (0, 1, 2, 3),
        Game.NAPOLEON: (0, 1, 2, 3, 4),
    }
    assert parse_ruleset("napoleon,players=7").seats == (0, 1, 2, 3, 4, 5, 6)
