"""Random hands over random rulesets for the comparison of two engines.

Owns what is drawn: presets and options, decks (bent so that rare things happen), scores, and the
choices at the table. Everything comes from the `random.Random` that is handed in. It knows the
naive engine only.
"""

from random import Random
from typing import Any

from naive_cards import HIGH_TO_LOW, SUITS, card_order, deal_packets, deck_cards
from naive_legal import exchange_pool, legal_texts
from naive_rules import AT_LEAST_0, AT_LEAST_1, OPTIONS, PRESETS, effective_rules, option_values
from naive_table import Table, dealing_order

__all__ = ["Style", "choose", "random_hand", "random_style", "random_text"]

INTEGERS = {
    "target": [1, 2, 3, 5, 9, 10, 12],
    "max_hands": [1, 2, 3, 500],
    "max_consecutive_redeals": [0, 1, 2, 50],
}


def random_rules(rng: Random, preset: str) -> dict[str, Any]:
    """Returns a preset with none, a few, or many of its options changed."""
    given: dict[str, Any] = {"preset": preset}
    share = rng.choice([0.0, 0.15, 0.5, 0.8])
    for row in OPTIONS:
        values = option_values(row[0], PRESETS[preset][0])
        if values is not None and rng.random() < share:
            given[row[0]] = random_value(rng, row[0], values)
    return given


def random_value(rng: Random, name: str, values: Any) -> Any:  # noqa: ANN401 - option values
    """Returns one of the values that an option may have."""
    if values in (AT_LEAST_0, AT_LEAST_1):
        return rng.choice(INTEGERS.get(name, list(range(8))))
    return rng.choice(values)


def random_scores(rng: Random, rules: dict[str, Any]) -> list[int]:
    """Returns scores of a game that is not over, often close to its end."""
    target = rules["target"]
    seats = rules["seats"]
    lowest = max(0, target - rng.choice([1, 4, 12]))
    scores = [rng.randint(lowest, target - 1) for _ in range(seats)]
    if seats == 4:
        scores[2:] = scores[:2]
    plays_on = rules.get("tie_rule") in {"highest_else_play_on", "lone_defender_first"}
    if plays_on and rng.random() < 0.15:
        level = target + rng.randint(0, 2)
        scores = [level, level, rng.randint(0, level)]
        rng.shuffle(scores)
    return scores


def random_hand(rng: Random, preset: str) -> dict[str, Any]:
    """Returns a hand object of DESIGN.md section 8 without actions."""
    given = random_rules(rng, preset)
    rules = effective_rules(given)
    dealer = rng.randrange(rules["seats"])
    return {
        "rules": given,
        "dealer": dealer,
        "deck": random_deck(rng, rules, dealer),
        "scores": random_scores(rng, rules),
        "redeals": rng.choice([0, 0, 0, 1, 2, 3]),
        "hand": rng.randint(1, min(3, rules["max_hands"])),
        "actions": [],
    }


def random_deck(rng: Random, rules: dict[str, Any], dealer: int) -> list[str]:
    """Returns a shuffled deck; often one place gets strong, weak or farmer's cards, or JK is up."""
    deck = deck_cards(rules["deck"])
    rng.shuffle(deck)
    places = len(dealing_order(rules, dealer))
    indexes = deal_packets(
        [str(index) for index in range(len(deck))], places, rules["deal_pattern"]
    )
    wanted: list[str] = []
    bend = rng.random()
    if bend < 0.3:
        suit = rng.choice(SUITS)
        wanted = card_order(suit, suit)[: rng.choice([3, 5, 6])]
    elif bend < 0.4:
        wanted = [rank + suit for rank in reversed(HIGH_TO_LOW) for suit in SUITS]
    elif bend < 0.55 and rules["seats"] == 4:
        rank = rng.choice("9T")
        wanted = [rank + suit for suit in SUITS][: rng.choice([3, 4])]
    put_into(deck, wanted, [int(index) for index in rng.choice(indexes)])
    if "JK" in deck and rng.random() < 0.4:
        put_into(deck, ["JK"], [places * 5])
    return deck


def put_into(deck: list[str], wanted: list[str], indexes: list[int]) -> None:
    """Moves wanted cards to the indexes by swapping, in place."""
    held = [card for card in wanted if card in deck]
    for card, index in zip(held, indexes, strict=False):
        other = deck.index(card)
        deck[other], deck[index] = deck[index], deck[other]


class Style:
    """How the seats of one hand choose: how often they pass, go alone, and who plays to win."""

    def __init__(self, rng: Random) -> None:
        self.passes = rng.choice([0.1, 0.5, 0.8, 0.97])
        self.alone = rng.choice([0.05, 0.5, 0.9])
        self.strong = {seat for seat in range(4) if rng.random() < 0.4}


def random_style(rng: Random) -> Style:
    """Returns a way of choosing for one hand."""
    return Style(rng)


def choose(rng: Random, table: Table, style: Style) -> str:
    """Returns a legal action text for the seat to act."""
    legal = legal_texts(table)
    phase = table["phase"]
    if phase == "EXCHANGE":
        return "keep " + " ".join(kept_cards(rng, table, style))
    if "pass" in legal:
        other = [text for text in legal if text != "pass"]
        if phase == "SWAP":
            return rng.choice(other) if other and rng.random() < 0.7 else "pass"
        return "pass" if not other or rng.random() < style.passes else rng.choice(other)
    if "alone" in legal:
        other = [text for text in legal if text != "alone"]
        return "alone" if rng.random() < style.alone else other[0]
    if phase == "PLAY" and table["to_act"] in style.strong:
        trump = table["trump"]
        cards: list[str] = [text.removeprefix("play ") for text in legal]
        strength = card_order(trump, trump) + [
            rank + suit for rank in HIGH_TO_LOW for suit in SUITS
        ]
        strongest: str = min(cards, key=strength.index)
        return "play " + strongest
    return rng.choice(legal)


def kept_cards(rng: Random, table: Table, style: Style) -> list[str]:
    """Returns five cards of the exchange: the best ones, or any."""
    pool = list(exchange_pool(table))
    rng.shuffle(pool)
    if table["maker"] in style.strong:
        trump = table["trump"]
        strength = card_order(trump, trump) + [
            rank + suit for rank in HIGH_TO_LOW for suit in SUITS
        ]
        pool.sort(key=strength.index)
    return pool[:5]


def random_text(rng: Random, table: Table) -> str:
    """Returns an action text that need not be legal, nor even readable; half are near misses."""
    return near_miss(rng, table) if rng.random() < 0.5 else any_text(rng, table)


def near_miss(rng: Random, table: Table) -> str:
    """Returns an action of the kind that is asked for, with cards or suits that may be wrong."""
    phase = table["phase"]
    cards = deck_cards(table["rules"]["deck"])
    held: list[str] = table["hands"][table["to_act"]]
    if phase == "EXCHANGE":
        pool = exchange_pool(table)
        kept = rng.sample(rng.choice([pool, cards]), rng.choice([4, 5, 6]))
        twice = [*rng.sample(pool, 4), rng.choice(pool)]
        return "keep " + " ".join(rng.choice([kept, twice]))
    if phase == "SWAP":
        return "swap " + " ".join(rng.sample(rng.choice([held, cards]), rng.choice([2, 3, 3, 4])))
    if phase == "DISCARD":
        up: str = table["up"]
        return "discard " + rng.choice([up, rng.choice(held), rng.choice(cards)])
    if phase == "PLAY":
        return "play " + rng.choice(rng.choice([held, cards]))
    if phase == "BID1":
        return "order"
    if phase in {"BID2", "NAME_BLIND"}:
        return rng.choice(["pass", *("call " + suit for suit in SUITS)])
    return rng.choice(["take", "decline", "alone", "together", "with_dummy"])


def any_text(rng: Random, table: Table) -> str:
    """Returns an action of any kind, or no action at all."""
    cards = deck_cards(table["rules"]["deck"])
    card = rng.choice(cards)
    return rng.choice(
        [
            rng.choice(["", " ", "pas", "play", "play XX", "call", "call X", "order 9C", "keep"]),
            rng.choice(["pass", "order", "take", "decline", "alone", "together", "with_dummy"]),
            rng.choice(["bury 9C", "bid 3", "name S", "best JD"]),
            "call " + rng.choice(SUITS),
            "play " + card,
            "discard " + card,
            "keep " + " ".join(rng.sample(cards, 5)),
            "swap " + " ".join(rng.sample(cards, 3)),
        ]
    )
