"""Random hands over random rulesets of the wider family, for the comparison of two engines.

Owns what is drawn in Railroad, Hasenpfeffer, Pepper and Napoleon: options, decks (bent so that
rare things happen), scores, and the choices at the table; hands of the other games come from
``second_generator``. Everything comes from the `random.Random` that is handed in. It knows the
naive engine only.
"""

from random import Random
from typing import Any

import second_generator
from naive_cards import JOKER, SUITS, deal_packets
from naive_family_cards import ALL_RANKS, deal_six, family_deck, lowest_card, suit_of, suit_order
from naive_family_hand import has_bowers
from naive_family_rules import FAMILY, family_option_values, family_rules
from naive_games import legal_texts
from naive_table import Table
from second_generator import Style, random_value

__all__ = ["choose", "random_family_rules", "random_hand", "random_text"]

SHARES = [0.0, 0.15, 0.5, 0.8]
BY_STRENGTH = [JOKER, *(rank + suit for rank in ALL_RANKS for suit in SUITS)]


def random_hand(rng: Random, preset: str) -> dict[str, Any]:
    """Returns a hand object of DESIGN.md section 8 without actions."""
    if preset not in FAMILY:
        return second_generator.random_hand(rng, preset)
    given = random_family_rules(rng, preset)
    rules = family_rules(given)
    dealer = rng.randrange(rules["seats"])
    if preset == "railroad":
        deck = second_generator.random_deck(rng, rules, dealer)
    else:
        deck = random_family_deck(rng, rules)
    return {
        "rules": given,
        "dealer": dealer,
        "deck": deck,
        "scores": random_family_scores(rng, rules),
        "redeals": rng.choice([0, 0, 0, 1, 2, 3]),
        "hand": rng.randint(1, min(3, rules["max_hands"])),
        "actions": [],
    }


def random_family_rules(rng: Random, game: str) -> dict[str, Any]:
    """Returns a preset with none, a few, or many of its options changed."""
    given: dict[str, Any] = {"preset": game}
    share = rng.choice(SHARES)
    if game == "napoleon" and rng.random() < 0.8:
        given["players"] = rng.randint(2, 7)
    players = given.get("players", 5 if game == "napoleon" else 4)
    for name, values in family_option_values(game, players).items():
        if name != "players" and rng.random() < share:
            given[name] = random_value(rng, name, values)
    if game == "napoleon":
        if 5 * players > int(given.get("deck", "52")):
            given["deck"] = "52"
        if rng.random() < 0.3:
            given.update({"wellington": True, "blucher": True})
        elif not given.get("wellington", False):
            given.pop("blucher", None)
    return given


def random_family_scores(rng: Random, rules: dict[str, Any]) -> list[int]:
    """Returns scores before a hand, often close to the end of the game, at times beyond it."""
    target = rules["target"]
    lowest = target - rng.choice([1, 4, 12, 60])
    highest = target + 3 if rng.random() < 0.1 else target - 1
    if rules["preset"] == "railroad":
        lowest = max(0, lowest)
        lowest = 0 if rng.random() < 0.3 else lowest
    seats = rules["seats"]
    scores = [rng.randint(lowest, highest) for _ in range(seats)]
    if rng.random() < 0.2:
        scores = [target + rng.choice([-1, 0, 2])] * seats  # level
    if rules["preset"] != "napoleon":
        scores[2:] = scores[:2]
    return scores


def random_family_deck(rng: Random, rules: dict[str, Any]) -> list[str]:
    """Returns a shuffled deck; often one place gets the best or the lowest cards there are."""
    deck = family_deck(rules["deck"])
    rng.shuffle(deck)
    indexes = [str(index) for index in range(len(deck))]
    if rules["preset"] == "napoleon":
        by_place = deal_packets(indexes, rules["seats"], rules["deal_pattern"])
    else:
        by_place = deal_six(indexes, rules["deal_pattern"])
    wanted: list[str] = []
    bend = rng.random()
    if bend < 0.4:
        suit = rng.choice(SUITS)
        bowers = rules["preset"] != "napoleon"
        wanted = suit_order(suit, suit, bowers=bowers)[: rng.choice([3, 5, 7])]
    elif bend < 0.6:
        wanted = list(reversed(BY_STRENGTH))
    second_generator.put_into(deck, wanted, [int(index) for index in rng.choice(by_place)])
    if JOKER in deck and rng.random() < 0.15:
        second_generator.put_into(deck, [JOKER], [24])  # the widow
    return deck


def choose(rng: Random, table: Table, style: Style) -> str:
    """Returns a legal action text for the seat to act."""
    phase = table["phase"]
    game = table["rules"]["preset"]
    if game not in FAMILY or (game == "railroad" and phase not in {"BURY", "BEST"}):
        return second_generator.choose(rng, table, style)
    legal = legal_texts(table)
    if phase == "BID":
        return chosen_bid(rng, legal, style)
    if phase == "NAME" and rng.random() < 0.7:
        return chosen_name(rng, table, legal)
    if phase == "PLAY" and table["to_act"] % 4 in style.strong:
        return "play " + chosen_card(table, [text.removeprefix("play ") for text in legal])
    return rng.choice(legal)


def chosen_bid(rng: Random, legal: list[str], style: Style) -> str:
    """Returns a bid or a pass: the highest, the next or any, as often as the seats pass."""
    bids = [text for text in legal if text != "pass"]
    if not bids or ("pass" in legal and rng.random() < style.passes):
        return legal[0]
    return rng.choice([bids[0], bids[-1], rng.choice(bids)])


def chosen_name(rng: Random, table: Table, legal: list[str]) -> str:
    """Returns the trump of which the maker holds most, at times none at all."""
    if "name NT" in legal and rng.random() < 0.3:
        return "name NT"
    hand = table["hands"][table["to_act"]]
    held = {
        suit: len([card for card in hand if suit_of(card, suit, bowers=True) == suit])
        for suit in SUITS
    }
    return "name " + max(SUITS, key=lambda suit: held[suit])


def chosen_card(table: Table, cards: list[str]) -> str:
    """Returns the strongest card, in a misère the lowest; before a trump the longest suit's."""
    trump = table["trump"]
    bowers = has_bowers(table)
    if table["rules"]["preset"] == "napoleon" and table["contract"] == 8:
        return lowest_card(cards, None, bowers=False)
    printed = [card[1] for card in cards]
    if trump is None:
        return min(cards, key=lambda card: (-printed.count(card[1]), BY_STRENGTH.index(card)))
    strength = suit_order(trump, trump, bowers=bowers) + BY_STRENGTH
    return min(cards, key=strength.index)


def random_text(rng: Random, table: Table) -> str:
    """Returns an action text that need not be legal, nor even readable."""
    game = table["rules"]["preset"]
    if game not in FAMILY or (game == "railroad" and rng.random() < 0.3):
        return second_generator.random_text(rng, table)
    kind = rng.randrange(8)
    if kind == 0:
        junk = ["", "bid", "bid x", "bid -1", "bid 3 4", "name", "name X", "bury", "best XX"]
        return rng.choice(junk)
    if kind in {1, 2}:
        return f"bid {rng.randint(0, 9)}"
    if kind == 3:
        return "name " + rng.choice([*SUITS, "NT"])
    if kind == 4:
        return rng.choice(["pass", "order", "take", "alone", "together", "call S", "with_dummy"])
    held: list[str] = table["hands"][table["to_act"]]
    cards = family_deck(rng.choice([table["rules"]["deck"], "52"]))
    card = rng.choice(rng.choice([held, held, cards]) or cards)
    return rng.choice(["play ", "bury ", "best ", "discard "]) + card
