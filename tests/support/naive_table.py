"""The naive second engine, part 3: the table, who sits where, who leads.

Owns the deal (RULES.md section 4 "Maps", sections 5 and 8), the orders of seats and the first
leader. Written from RULES.md alone; it must not know ``euchre_engine``.

A table is a plain dict; ``dealt_table`` shows all its keys.
"""

from typing import Any

from naive_cards import deal_packets, deck_cards
from naive_rules import Rules, effective_rules

__all__ = [
    "Table",
    "bidding_order",
    "dealing_order",
    "dealt_table",
    "first_leader",
    "is_defender",
    "next_active",
    "seats_from_left_of",
    "upcard_suit",
]

Table = dict[str, Any]


def dealing_order(rules: Rules, dealer: int) -> list[int | None]:
    """Returns who gets the packets, from the dealer's left; None is the dummy (ruling "Maps")."""
    seats = rules["seats"]
    players: list[int | None] = [(dealer + step) % seats for step in range(1, seats + 1)]
    if seats != 3:
        return players
    left, across, own = players
    if rules["dummy_seat"] == "right_of_dealer":
        return [left, across, None, own]
    if rules["dummy_seat"] == "across":
        return [left, None, across, own]
    # fixed_chair: the chairs are 0 1 2 dummy, whoever deals
    chairs: list[int | None] = [0, 1, 2, None]
    return chairs[dealer + 1 :] + chairs[: dealer + 1]


def dealt_table(
    given: str | dict[str, Any],
    *,
    dealer: int,
    deck: list[str],
    scores: list[int] | None = None,
    redeals: int = 0,
    number: int = 1,
) -> Table:
    """Returns the table after the deal and the turning of the up-card, no phase open yet."""
    rules = effective_rules(given)
    seats = rules["seats"]
    assert sorted(deck) == sorted(deck_cards(rules["deck"]))
    order = dealing_order(rules, dealer)
    dealt = len(order) * 5
    hands: list[list[str]] = [[] for _ in range(seats)]
    dummy: list[str] = []
    for place, cards in zip(
        order, deal_packets(deck, len(order), rules["deal_pattern"]), strict=True
    ):
        if place is None:
            dummy = cards
        else:
            hands[place] = cards
    table: Table = {
        "rules": rules,
        "dealer": dealer,
        "scores": list(scores) if scores is not None else [0] * seats,
        "redeals": redeals,
        "number": number,
        "hands": hands,
        "dummy": dummy,
        "sees_dummy": False,
        "up": deck[dealt],
        "up_status": "face_up",
        "three_buried": deck[dealt + 1 : dealt + 4],
        "discarded": [[] for _ in range(seats)],
        "history": [],
        "phase": None,
        "to_act": None,
        "waiting": [],
        "to_come": [],
        "trump": None,
        "maker": None,
        "called_blind": False,
        "with_dummy": False,
        "alone": [],
        "sitting": [],
        "tricks": [],
        "trick": None,
        "points": None,
        "game_over": False,
        "winners": [],
        "next_dealer": None,
        "next_redeals": None,
    }
    return table


def bidding_order(table: Table) -> list[int]:
    """Returns all seats from the dealer's left, the dealer last (sections 2, 3, 8)."""
    seats = table["rules"]["seats"]
    return [(table["dealer"] + step) % seats for step in range(1, seats + 1)]


def seats_from_left_of(table: Table, seat: int) -> list[int]:
    """Returns all seats clockwise from the left of one; that one is last (section 1)."""
    seats = table["rules"]["seats"]
    return [(seat + step) % seats for step in range(1, seats + 1)]


def is_defender(table: Table, seat: int) -> bool:
    """Returns whether a seat plays against the maker (sections 3, 8)."""
    if table["rules"]["seats"] == 4:
        return bool(seat % 2 != table["maker"] % 2)
    return bool(seat != table["maker"])


def next_active(table: Table, seat: int) -> int:
    """Returns the next seat clockwise that does not sit out (sections 1, 3)."""
    after = seats_from_left_of(table, seat)
    return next(other for other in after if other not in table["sitting"])


def first_leader(table: Table) -> int:
    """Returns who leads first (sections 2, 3, 8; `alone_lead`, `both_alone_leader`)."""
    rules = table["rules"]
    alone = table["alone"]
    if len(alone) == 0:
        return next_active(table, table["dealer"])
    if len(alone) == 1:
        if rules["alone_lead"] == "left_of_loner":
            return next_active(table, alone[0])
        return next_active(table, table["dealer"])
    defender = next(seat for seat in alone if seat != table["maker"])
    if rules["both_alone_leader"] == "left_of_maker":
        return next_active(table, table["maker"])
    if rules["both_alone_leader"] == "left_of_defender":
        return next_active(table, defender)
    return next_active(table, table["dealer"])


def upcard_suit(table: Table) -> str:
    """Returns the suit that the up-card stands for (section 5, "Joker turned up")."""
    if table["up"] != "JK":
        return str(table["up"][1])
    mode = table["rules"]["joker_upcard"]
    return "H" if mode == "hearts" else str(mode[-1])
