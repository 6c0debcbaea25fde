"""Hands for the options that touch the auction, the up-card and the joker, worked out by hand.

Owns RULES.md section 4's rulings on bidding, pick-up and blind naming as hand objects with the
standing they must reach; both engines are held to them.
"""

from naive_writing import (
    FEW_DECK,
    FIVE_JOKER,
    G1_JOKER,
    G2_JOKER,
    Worked,
    asks,
    cards,
    four,
    three,
    two,
)

__all__ = ["AUCTION_HANDS"]

FIVE_ORIGINAL = "discard TC, discard 9H, discard 9S, discard AS, discard KC"
BLIND = "dealer_names_blind"
ALL_CALLS = "call C, call D, call H, call S"
AUCTION: list[Worked] = [
    ("default BID2", two("pass, pass"), asks("BID2", 0, "pass, call C, call D, call H")),
    (
        "stick_the_dealer: the dealer may not pass",
        two("pass, pass, pass", stick_the_dealer=True),
        asks("BID2", 1, "call C, call D, call H"),
    ),
    (
        "stick_the_dealer: others may",
        two("pass, pass", stick_the_dealer=True),
        asks("BID2", 0, "pass, call C, call D, call H"),
    ),
    (
        "allow_turned_down_suit",
        two("pass, pass", allow_turned_down_suit=True),
        asks("BID2", 0, "pass, " + ALL_CALLS),
    ),
    (
        "min_trump_to_call counts neither the left bower nor the up-card",
        two("", min_trump_to_call=2),
        asks("BID1", 0, "pass, order"),
    ),
    (
        "min_trump_to_call in BID2",
        two("pass, pass", min_trump_to_call=2),
        asks("BID2", 0, "pass, call D"),
    ),
    (
        "min_trump_to_call in BID1: one club of his own and QC up is not two",
        two("", FEW_DECK, min_trump_to_call=2),
        asks("BID1", 0, "pass"),
    ),
    (
        "a stuck dealer for whom no suit qualifies may name every other suit",
        two("pass, pass, pass", FEW_DECK, min_trump_to_call=2, stick_the_dealer=True),
        asks("BID2", 1, "call D, call H, call S"),
    ),
    (
        "a stuck dealer for whom one qualifies may name that",
        two("pass, pass, pass", min_trump_to_call=2, stick_the_dealer=True),
        asks("BID2", 1, "call C"),
    ),
    (
        "max_consecutive_redeals reached: the dealer is stuck",
        {**two("pass, pass, pass", max_consecutive_redeals=2), "redeals": 2},
        asks("BID2", 1, "call C, call D, call H"),
    ),
    (
        "max_consecutive_redeals not reached",
        {**two("pass, pass, pass", max_consecutive_redeals=2), "redeals": 1},
        asks("BID2", 1, "pass, call C, call D, call H"),
    ),
    (
        "max_consecutive_redeals 0 means always",
        two("pass, pass, pass", max_consecutive_redeals=0),
        asks("BID2", 1, "call C, call D, call H"),
    ),
    (
        "redeal_dealer same",
        two("pass, pass, pass, pass", redeal_dealer="same"),
        {"phase": "DONE", "next_dealer": 1, "points": [0, 0]},
    ),
    (
        "max_hands: at the limit the highest total wins, passed out or not",
        {**two("pass, pass, pass, pass", max_hands=3), "hand": 3, "scores": [4, 6]},
        {"game_over": True, "winners": [1], "next_dealer": None},
    ),
    (
        "max_hands: all who share it are winners",
        {**two("pass, pass, pass, pass", max_hands=3), "hand": 3, "scores": [6, 6]},
        {"game_over": True, "winners": [0, 1]},
    ),
]

PICKUP: list[Worked] = [
    ("dealer_pickup optional", two("order"), asks("PICKUP", 1, "take, decline")),
    (
        "dealer_pickup forced",
        two("order", dealer_pickup="forced"),
        asks("DISCARD", 1, FIVE_ORIGINAL, views={0: {"upcard_status": "taken"}}),
    ),
    ("the dealer who orders must take", two("pass, order"), asks("DISCARD", 1, FIVE_ORIGINAL)),
    (
        "may_discard_upcard",
        two("order, take", may_discard_upcard=True),
        asks("DISCARD", 1, FIVE_ORIGINAL + ", discard JS"),
    ),
    (
        "four-handed, dealer_pickup optional: asked after `alone`",
        four("order, together", dealer_pickup="optional"),
        asks("PICKUP", 3, "take, decline"),
    ),
    (
        "four-handed, the partner of a lone maker who deals is not asked",
        four("pass, order, alone", dealer_pickup="optional"),
        {"phase": "PLAY", "views": {0: {"upcard_status": "declined"}}},
    ),
    (
        "four-handed, alone comes directly after the call",
        four("order"),
        asks("ALONE_MAKER", 0, "alone, together", views={0: {"upcard_status": "face_up"}}),
    ),
    (
        "four-handed, defenders are asked after the discard, from the dealer's left",
        four("pass, pass, pass, order, together, discard TH", defend_alone="always"),
        asks("ALONE_DEFENDER", 0, "alone, together"),
    ),
    (
        "four-handed, defender_alone_order left_of_maker",
        four(
            "pass, order, together, discard TH",
            defend_alone="always",
            defender_alone_order="left_of_maker",
        ),
        asks("ALONE_DEFENDER", 2, "alone, together"),
    ),
    (
        "canadian_loner: the dealer's partner orders alone without a question",
        four("pass, order", canadian_loner=True),
        {"phase": "PLAY", "to_act": 0, "alone": [1], "sitting_out": [3]},
    ),
    (
        "canadian_loner is for the first round",
        four("pass, pass, pass, pass, pass, call H", canadian_loner=True),
        asks("ALONE_MAKER", 1, "alone, together"),
    ),
]

JOKER: list[Worked] = [
    ("hearts: ordering makes hearts trump", three("order", G2_JOKER, deck="25"), {"trump": "H"}),
    (
        "hearts: turned down, hearts may not be named",
        three("pass, pass, pass", G2_JOKER, deck="25"),
        asks("BID2", 0, "pass, call C, call D, call S", views={1: {"upcard": "JK"}}),
    ),
    (
        "fixed:S",
        three("pass, pass, pass", G2_JOKER, deck="25", joker_upcard="fixed:S"),
        asks("BID2", 0, "pass, call C, call D, call H"),
    ),
    (
        "blind: all four suits, the dealer's own cards are not in his view",
        three("", G2_JOKER, deck="25", joker_upcard=BLIND, min_trump_to_call=2),
        asks(
            *("NAME_BLIND", 2, ALL_CALLS),
            views={2: {"hand": []}, 0: {"hand": cards("AC KC TD KH QH")}},
        ),
    ),
    (
        "blind: he takes the joker and may not discard it",
        three("call D", G2_JOKER, deck="25", joker_upcard=BLIND, may_discard_upcard=True),
        asks(
            *("DISCARD", 2, "discard AS, discard JS, discard JD, discard 9D, discard QS"),
            views={2: {"hand": cards("JK JD 9D AS QS JS"), "upcard_status": "taken"}},
        ),
    ),
    (
        "blind: declarations follow as usual",
        three("call D, discard QS", G2_JOKER, deck="25", joker_upcard=BLIND),
        asks("ALONE_MAKER", 2, "alone, with_dummy"),
    ),
    (
        "blind, two-handed: N leads after the discard",
        two("call D, discard TC", G1_JOKER, deck="25", joker_upcard=BLIND),
        {"phase": "PLAY", "to_act": 0, "maker": 1, "trump": "D"},
    ),
    (
        "blind, four-handed: alone between the call and the discard, his cards in view",
        four("call H", FIVE_JOKER, deck="25", joker_upcard=BLIND),
        asks("ALONE_MAKER", 3, "alone, together", trump="H"),
    ),
    (
        "blind, four-handed: the discard",
        four("call H, alone", FIVE_JOKER, deck="25", joker_upcard=BLIND),
        asks(
            *("DISCARD", 3, "discard QC, discard QD, discard KH, discard QH, discard TH"),
            sitting_out=[1],
        ),
    ),
]

AUCTION_HANDS: list[Worked] = [*AUCTION, *PICKUP, *JOKER]
