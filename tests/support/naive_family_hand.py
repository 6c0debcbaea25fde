"""The naive second engine, the wider family: a hand of Hasenpfeffer, Pepper or Napoleon.

Owns the deal and the phases BID, NAME, BURY and PLAY of docs/family.md sections 3, 4 and 5. Written
from the rules alone; it must not know ``euchre_engine``.

Where docs/family.md can be read in two ways, its section "Readings" says how it is read.
"""

from typing import Any

from naive_cards import SUITS, deal_packets
from naive_family_bids import book_bid, legal_bids
from naive_family_cards import deal_six, family_deck, in_print_order, playable_cards, winning_place
from naive_family_rules import family_rules
from naive_family_score import decided_early, family_points, family_winners, makers_tricks
from naive_hand import Refused
from naive_rules import BadRules, Rules
from naive_score import next_deal
from naive_table import Table

__all__ = ["act_in_family", "has_bowers", "legal_in_family", "start_family"]

MOST_POINTS = 1_000_000


def has_bowers(table: Table) -> bool:
    """Returns whether jacks of the trump's colour are bowers: not in Napoleon (section 5)."""
    return bool(table["rules"]["preset"] != "napoleon")


def dealt_hands(rules: Rules, dealer: int, deck: list[str]) -> list[list[str]]:
    """Returns the cards of every seat; s1 is the dealer's left (sections 3, 4, 5, the maps)."""
    seats = rules["seats"]
    if rules["preset"] == "napoleon":
        by_place = deal_packets(deck, seats, rules["deal_pattern"])
    else:
        by_place = deal_six(deck, rules["deal_pattern"])
    hands: list[list[str]] = [[] for _ in range(seats)]
    for place, cards in enumerate(by_place):
        hands[(dealer + 1 + place) % seats] = cards
    return hands


def check_scores(rules: Rules, scores: list[int]) -> None:
    """Checks the scores before a hand (section 1, "Scores may be negative").

    Raises:
        BadRules: they are not one integer a seat in the range, or partners differ.
    """
    right_count = len(scores) == rules["seats"]
    in_range = all(-MOST_POINTS <= score <= MOST_POINTS for score in scores)
    partners_alike = rules["preset"] == "napoleon" or scores[:2] == scores[2:]
    if not (right_count and in_range and partners_alike):
        raise BadRules("scores")


def start_family(
    given: str | dict[str, Any],
    *,
    dealer: int,
    deck: list[str],
    scores: list[int] | None = None,
    redeals: int = 0,
    number: int = 1,
) -> Table:
    """Returns the table after the deal, the first seat asked for a bid.

    Raises:
        BadRules: the ruleset or the scores are not allowed.
    """
    rules = family_rules(given)
    seats = rules["seats"]
    assert sorted(deck) == sorted(family_deck(rules["deck"]))
    before = list(scores) if scores is not None else [0] * seats
    check_scores(rules, before)
    return {
        "rules": rules,
        "dealer": dealer,
        "scores": before,
        "redeals": redeals,
        "number": number,
        "hands": dealt_hands(rules, dealer, deck),
        "widow_card": deck[24] if rules["preset"] == "hasenpfeffer" else None,
        "widow_seen": False,
        "discarded": [[] for _ in range(seats)],
        "history": [],
        "phase": "BID",
        "to_act": (dealer + 1) % seats,
        "high": None,
        "high_seat": None,
        "passes_in_a_row": 0,
        "joker_holder_asked": False,
        "contract": None,
        "maker": None,
        "trump": None,
        "alone": [],
        "sitting": [],
        "tricks": [],
        "trick": None,
        "points": None,
        "game_over": False,
        "winners": [],
        "passed_out": None,
        "next_dealer": None,
        "next_redeals": None,
    }


def legal_in_family(table: Table) -> list[str]:
    """Returns the legal actions in the order of print (section 1, "Order of legal lists")."""
    phase = table["phase"]
    if phase == "DONE":
        return []
    if phase == "BID":
        return legal_bids(table)
    if phase == "NAME":
        no_trump = table["rules"].get("no_trump", False)  # an option of Pepper alone
        return ["name " + suit for suit in [*SUITS, *(["NT"] if no_trump else [])]]
    hand = in_print_order(table["hands"][table["to_act"]])
    if phase == "BURY":
        return ["bury " + card for card in hand]
    led = table["trick"]["cards"][0] if table["trick"] else None
    cards = playable_cards(hand, led, table["trump"], bowers=has_bowers(table))
    return ["play " + card for card in cards]


def act_in_family(table: Table, text: str) -> None:
    """Carries out one action of the seat to act.

    Raises:
        Refused: the action is not legal; the table is unchanged.
    """
    if text not in legal_in_family(table):
        raise Refused(text)
    table["history"].append((table["to_act"], text))
    phase = table["phase"]
    if phase == "BID":
        answer_bid(table, text)
    elif phase == "NAME":
        answer_name(table, text.removeprefix("name "))
    elif phase == "BURY":
        answer_bury(table, text.removeprefix("bury "))
    else:
        answer_play(table, text.removeprefix("play "))


def answer_bid(table: Table, text: str) -> None:
    """Books a pass or a bid and opens what follows when bidding is over (sections 3, 4, 5)."""
    stands = book_bid(table, text)
    if stands == "passed out":
        finish(table, [0] * table["rules"]["seats"], passed_out=True)
    elif stands == "has a maker":
        table["to_act"] = table["maker"]
        table["phase"] = "PLAY" if table["rules"]["preset"] == "napoleon" else "NAME"
        if table["rules"].get("see_widow_first", False):
            take_widow(table)


def take_widow(table: Table) -> None:
    """Gives the maker the widow (section 3)."""
    table["hands"][table["maker"]].append(table["widow_card"])
    table["widow_seen"] = True


def answer_name(table: Table, suit: str) -> None:
    """Books the trump of Hasenpfeffer or Pepper; NT is none (sections 3, 4)."""
    table["trump"] = None if suit == "NT" else suit
    table["phase"] = "PLAY"
    if table["rules"]["preset"] == "hasenpfeffer":
        table["phase"] = "BURY"
        if not table["widow_seen"]:
            take_widow(table)


def answer_bury(table: Table, card: str) -> None:
    """Puts one of the maker's seven cards away (section 3)."""
    table["hands"][table["maker"]].remove(card)
    table["discarded"][table["maker"]].append(card)
    table["phase"] = "PLAY"


def answer_play(table: Table, card: str) -> None:
    """Plays a card; a full trick goes to its winner, who leads next (RULES.md section 1)."""
    rules = table["rules"]
    seat = table["to_act"]
    first_card = table["trick"] is None and not table["tricks"]
    if first_card and rules["preset"] == "napoleon" and table["contract"] != 8:
        table["trump"] = card[1]  # section 5: its suit is trump from that card on
    table["hands"][seat].remove(card)
    if table["trick"] is None:
        table["trick"] = {"leader": seat, "cards": [], "winner": None}
    trick = table["trick"]
    trick["cards"].append(card)
    if len(trick["cards"]) < rules["seats"]:
        table["to_act"] = (seat + 1) % rules["seats"]
        return
    place = winning_place(trick["cards"], table["trump"], bowers=has_bowers(table))
    trick["winner"] = (trick["leader"] + place) % rules["seats"]
    table["tricks"].append(trick)
    table["trick"] = None
    table["to_act"] = trick["winner"]
    all_played = not any(table["hands"])
    if all_played or (rules["preset"] == "napoleon" and decided_early(table)):
        finish(table, family_points(table, makers_tricks(table)), passed_out=False)


def finish(table: Table, points: list[int], *, passed_out: bool) -> None:
    """Books the points and looks whether the game is over (section 1)."""
    table["phase"] = "DONE"
    table["to_act"] = None
    table["points"] = points
    table["scores"] = [old + new for old, new in zip(table["scores"], points, strict=True)]
    table["winners"] = family_winners(table, table["scores"])
    table["game_over"] = table["winners"] != []
    table["passed_out"] = passed_out
    dealer, redeals = next_deal(table, passed_out=passed_out)
    table["next_dealer"] = None if table["game_over"] else dealer
    table["next_redeals"] = redeals
