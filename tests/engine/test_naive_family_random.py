"""Random hands of the wider family on the naive second engine alone.

Owns the promise that the generator meets everything it must, and what holds in every hand whatever
is played (docs/family.md sections 1-6). It must not know ``euchre_engine``.
"""

from random import Random
from typing import Any

import naive_games
import pytest
from naive_family_default import family_default
from naive_family_rules import FAMILY
from naive_family_score import largest_result, smallest_result
from naive_table import Table
from second_family import choose, random_hand, random_text
from second_family_tally import family_must_reach, note_action, note_end, note_rules
from second_generator import random_style
from second_tally import Tally

HANDS = {"railroad": 700, "hasenpfeffer": 700, "pepper": 700, "napoleon": 2_000}


def play_random_hand(rng: Random, game: str, tally: Tally) -> tuple[dict[str, Any], Table]:
    """Plays a random hand; every default is legal and random texts never break anything."""
    hand = random_hand(rng, game)
    style = random_style(rng)
    table = naive_games.start(
        hand["rules"],
        dealer=hand["dealer"],
        deck=hand["deck"],
        scores=hand["scores"],
        redeals=hand["redeals"],
        number=hand["hand"],
    )
    note_rules(tally, table)
    while table["phase"] != "DONE":
        assert naive_games.is_legal(table, family_default(table))
        naive_games.is_legal(table, random_text(rng, table))
        text = choose(rng, table, style)
        note_action(tally, table, text)
        hand["actions"].append(text)
        naive_games.act(table, text)
    note_end(tally, table)
    return hand, table


@pytest.mark.parametrize("game", FAMILY)
def test_generator_meets_everything(game: str) -> None:
    """Random hands meet every option value, phase, result row and ending of a game."""
    tally: Tally = Tally()
    for number in range(HANDS[game]):
        play_random_hand(Random(number), game, tally)

    assert [] == [what for what in family_must_reach(game) if not tally[what]]


@pytest.mark.parametrize("game", FAMILY)
def test_points_stay_in_range(game: str) -> None:
    """Points lie between the smallest and the largest result; sums are those of the tables."""
    for number in range(150):
        hand, table = play_random_hand(Random(number), game, Tally())
        points = table["points"]

        assert max(points) <= largest_result(table["rules"]), hand
        assert min(points) >= smallest_result(table["rules"]), hand
        if game == "napoleon":
            assert sum(points) == 0, hand
        else:
            assert points[:2] == points[2:], hand


@pytest.mark.parametrize("game", FAMILY)
def test_no_card_is_in_two_views(game: str) -> None:
    """Section 6: a card that a seat holds is shown to that seat only, until it is played."""
    for number in range(150):
        hand, table = play_random_hand(Random(number), game, Tally())
        cut = Random(number).randint(0, len(hand["actions"]))
        stands = naive_games.play({**hand, "actions": hand["actions"][:cut]})
        held = [card for view in stands["views"] for card in view["hand"]]

        assert len(set(held)) == len(held), hand
        assert len(table["history"]) == len(hand["actions"])
        for view in stands["views"]:
            own = [*view["hand"], *view["discarded"]]
            given = [view["best_card"]]
            for other in stands["views"]:
                hidden = other["hand"] if other is not view else []
                assert not set(own) & set(hidden), hand
                told = [item["text"] for item in view["history"] if "play" not in item["text"]]
                spoken = {word for text in told for word in text.split(" ")}
                assert not (spoken & set(hidden)) - set(given), hand
