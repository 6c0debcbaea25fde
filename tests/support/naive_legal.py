"""The naive second engine, part 5: what may be done in each phase.

Owns the legal actions of RULES.md sections 2, 3, 4 and 8 as texts. Written from RULES.md alone;
it must not know ``euchre_engine``.
"""

from itertools import combinations

from naive_cards import SUITS, canonical, cards_to_follow, farmer_swaps, printed_in_suit
from naive_table import Table, upcard_suit

__all__ = [
    "enough_trump",
    "every_keep",
    "exchange_pool",
    "is_legal",
    "is_stuck",
    "legal_discards",
    "legal_texts",
    "suits_of_second_round",
]


def enough_trump(table: Table, seat: int, suit: str) -> bool:
    """Returns whether `min_trump_to_call` lets a seat order or call a suit (section 4, ruling)."""
    held = printed_in_suit(table["hands"][seat], suit)
    return held >= int(table["rules"]["min_trump_to_call"])


def suits_of_second_round(table: Table) -> list[str]:
    """Returns the suits that may be named in BID2 (section 2; `allow_turned_down_suit`)."""
    if table["rules"]["allow_turned_down_suit"]:
        return SUITS
    return [suit for suit in SUITS if suit != upcard_suit(table)]


def is_stuck(table: Table) -> bool:
    """Returns whether the dealer may not pass (`stick_the_dealer`, `max_consecutive_redeals`)."""
    rules = table["rules"]
    return bool(rules["stick_the_dealer"]) or table["redeals"] >= rules["max_consecutive_redeals"]


def legal_in_first_round(table: Table) -> list[str]:
    """Returns the bids of BID1 (sections 2, 3)."""
    if enough_trump(table, table["to_act"], upcard_suit(table)):
        return ["pass", "order"]
    return ["pass"]


def legal_in_second_round(table: Table) -> list[str]:
    """Returns the bids of BID2 (sections 2, 3; rulings on stick and `min_trump_to_call`)."""
    seat = table["to_act"]
    suits = suits_of_second_round(table)
    calls = ["call " + suit for suit in suits if enough_trump(table, seat, suit)]
    if seat == table["dealer"] and is_stuck(table):
        return calls or ["call " + suit for suit in suits]
    return ["pass", *calls]


def legal_discards(table: Table) -> list[str]:
    """Returns what the dealer may discard (section 2 DISCARD; `may_discard_upcard`; blind)."""
    six = table["hands"][table["dealer"]]
    if table["rules"]["may_discard_upcard"] and not table["called_blind"]:
        return list(six)
    return [card for card in six if card != table["up"]]


def exchange_pool(table: Table) -> list[str]:
    """Returns the cards of which the maker keeps five: ten, or eleven when `combined`."""
    return canonical(table["hands"][table["maker"]] + table["dummy"])


def legal_texts(table: Table) -> list[str]:
    """Returns the legal actions; the exchange is the one text `keep 5 of ...`."""
    phase = table["phase"]
    seat = table["to_act"]
    if phase == "DONE":
        return []
    if phase == "NAME_BLIND":  # section 4, ruling "Blind naming": always all four
        return ["call " + suit for suit in SUITS]
    if phase == "SWAP":
        swaps = farmer_swaps(table["hands"][seat])
        return ["pass", *("swap " + " ".join(canonical(cards)) for cards in swaps)]
    if phase == "BID1":
        return legal_in_first_round(table)
    if phase == "BID2":
        return legal_in_second_round(table)
    if phase == "PICKUP":
        return ["take", "decline"]
    if phase == "DISCARD":
        return ["discard " + card for card in legal_discards(table)]
    if phase == "ALONE_MAKER":
        return ["alone", "with_dummy" if table["rules"]["seats"] == 3 else "together"]
    if phase == "ALONE_DEFENDER":
        return ["alone", "together"]
    if phase == "EXCHANGE":
        return ["keep 5 of " + " ".join(exchange_pool(table))]
    led = table["trick"]["cards"][0] if table["trick"] else None
    playable = cards_to_follow(table["hands"][seat], led, table["trump"])
    return ["play " + card for card in playable]


def is_legal(table: Table, text: str) -> bool:
    """Returns whether an action text is legal now; cards of `keep` and `swap` in any order."""
    legal = legal_texts(table)
    words = text.split(" ")
    if words[0] == "keep" and table["phase"] == "EXCHANGE":
        kept = words[1:]
        pool = exchange_pool(table)
        return len(kept) == 5 and len(set(kept)) == 5 and all(card in pool for card in kept)
    if words[0] == "swap" and len(words) == 4:
        same = [set(words) == set(other.split(" ")) for other in legal]
        return any(same)
    return text in legal and not text.startswith("keep")


def every_keep(table: Table) -> list[str]:
    """Returns all choices of the exchange as texts: 252 of ten cards, 462 of eleven (section 3)."""
    return ["keep " + " ".join(kept) for kept in combinations(exchange_pool(table), 5)]
