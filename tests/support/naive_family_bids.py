"""The naive second engine, the wider family: bidding in Hasenpfeffer, Pepper and Napoleon.

Owns which bids there are, which outrank which, whose turn it is, and when bidding is over
(docs/family.md sections 1, 3, 4, 5). Written from the rules alone; must not know
``euchre_engine``.
"""

from naive_cards import JOKER
from naive_table import Table

__all__ = ["book_bid", "legal_bids", "pass_is_barred", "rank_of_bid"]

# section 5: from the lowest to the highest; 8 is misère
NAPOLEON_RANKS = [1, 2, 3, 8, 4, 5, 6, 7]


def rank_of_bid(game: str, bid: int) -> int:
    """Returns where a bid stands among all of its game (sections 4 and 5)."""
    return NAPOLEON_RANKS.index(bid) if game == "napoleon" else bid


def pass_is_barred(table: Table) -> bool:
    """Returns whether the seat to act may not pass (section 1, "Stuck dealer").

    The dealer is the fourth, or last, to speak; all before him passed.
    """
    rules = table["rules"]
    stuck = rules["stick_the_dealer"] or table["redeals"] >= rules["max_consecutive_redeals"]
    last_of_round = len(table["history"]) == rules["seats"] - 1
    return bool(stuck and last_of_round and table["high"] is None)


def offered_bids(table: Table) -> list[int]:
    """Returns the bids of a game in the order of their rank, whatever has been bid."""
    rules = table["rules"]
    if rules["preset"] == "hasenpfeffer":
        return [bid for bid in range(1, 7) if bid >= rules["minimum_bid"]]
    if rules["preset"] == "pepper":
        last = 7 if rules["big_pepper"] else 6
        return [bid for bid in range(1, last + 1) if bid >= rules["minimum_bid"]]
    bids = [1] if pass_is_barred(table) else []
    bids += [2] if rules["minimum_bid"] == 2 else []
    bids += [3]
    bids += [8] if rules["misere"] else []
    bids += [4, 5]
    bids += [6] if rules["wellington"] and table["high"] == 5 else []
    bids += [7] if rules["blucher"] and table["high"] == 6 else []
    return bids


def legal_bids(table: Table) -> list[str]:
    """Returns what the seat to act may say (section 1 "BID"; section 3, the joker's holder)."""
    if table["joker_holder_asked"]:
        return ["bid 3"]
    game = table["rules"]["preset"]
    high = table["high"]
    bids = [
        f"bid {bid}"
        for bid in offered_bids(table)
        if high is None or rank_of_bid(game, bid) > rank_of_bid(game, high)
    ]
    return bids if pass_is_barred(table) else ["pass", *bids]


def book_bid(table: Table, text: str) -> str:
    """Books a pass or a bid of the seat to act, which the history already shows.

    Returns how bidding stands: "goes on", "has a maker" or "passed out".
    """
    rules = table["rules"]
    seat = table["to_act"]
    if text == "pass":
        table["passes_in_a_row"] += 1
    else:
        table["passes_in_a_row"] = 0
        table["high"] = int(text.removeprefix("bid "))
        table["high_seat"] = seat
    everybody_spoke = len(table["history"]) >= rules["seats"]
    if table["high"] is None and everybody_spoke:
        return ask_joker_holder(table)
    one_turn_each = rules["preset"] == "napoleon" or rules["bidding"] == "once"
    if table["joker_holder_asked"]:
        over = True
    elif one_turn_each:
        over = everybody_spoke
    else:
        over = table["high"] is not None and table["passes_in_a_row"] == 3
    if over:
        table["maker"] = table["high_seat"]
        table["contract"] = table["high"]
        return "has a maker"
    table["to_act"] = (seat + 1) % rules["seats"]
    return "goes on"


def ask_joker_holder(table: Table) -> str:
    """Asks who holds the joker after four passes, in Hasenpfeffer (section 3); as `book_bid`."""
    holders = [seat for seat, hand in enumerate(table["hands"]) if JOKER in hand]
    if table["rules"]["preset"] != "hasenpfeffer" or not holders:
        return "passed out"
    table["joker_holder_asked"] = True
    table["to_act"] = holders[0]
    return "goes on"
