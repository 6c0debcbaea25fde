"""Hands of Railroad worked out by hand, with the standing they must reach.

Owns rows written from docs/family.md sections 2 and 6 alone; both engines can be
held to them, so nothing here may come from a run of either. It knows no engine.
"""

from family_writing import R1_DECK, done, railroad
from naive_writing import Worked, asks, cards

__all__ = ["RAILROAD_HANDS"]

BURY_0 = "pass, bury KH, bury 9H, bury AS, bury QS, bury 9S"
BURY_1 = "pass, bury JK, bury KC, bury TC, bury TD, bury 9D"
ORDER_ALONE = "order, alone, discard 9C"
RAILROAD_HANDS: list[Worked] = [
    (
        "R: deal and first bid",
        railroad(""),
        asks(
            "BID1",
            0,
            "pass, order",
            contract=None,
            carry=[0, 0, 0, 0],
            game_worth=0,
            views={1: {"hand": cards("JK KC TC TD 9D"), "upcard": "QD", "best_card": None}},
        ),
    ),
    (
        "R: the joker up is a heart",
        railroad("order", R1_DECK),
        {"trump": "H", "phase": "ALONE_MAKER"},
    ),
    (
        "R dealer_names_blind",
        railroad("", R1_DECK, joker_upcard="dealer_names_blind"),
        asks("NAME_BLIND", 3, "call C, call D, call H, call S", views={3: {"hand": []}}),
    ),
    ("R: the discard comes before the call", railroad("order, alone"), {"phase": "DISCARD"}),
    ("R: the lone maker may bury a card", railroad(ORDER_ALONE), asks("BURY", 0, BURY_0)),
    (
        "R: he plays with what he has",
        railroad(f"{ORDER_ALONE}, pass"),
        asks("ALONE_DEFENDER", 1, "alone, together", views={0: {"card_counts": [5, 5, 5, 5]}}),
    ),
    (
        "R: his partner gives any of five",
        railroad(f"{ORDER_ALONE}, bury 9H"),
        asks("BEST", 2, "best JC, best AD, best KS, best JS, best TS", sitting_out=[2]),
    ),
    (
        "R: then the defenders are asked",
        railroad(f"{ORDER_ALONE}, bury 9H, best AD"),
        asks(
            "ALONE_DEFENDER",
            1,
            "alone, together",
            views={
                0: {"hand": cards("AD KH AS QS 9S"), "discarded": ["9H"], "best_card": "AD"},
                1: {"discarded": [], "best_card": None, "card_counts": [5, 5, 4, 5]},
                2: {"hand": cards("JC KS JS TS"), "discarded": [], "best_card": "AD"},
                3: {"discarded": ["9C"], "best_card": None},
            },
        ),
    ),
    (
        "R: the lone defender may bury too",
        railroad(f"{ORDER_ALONE}, bury 9H, best AD, alone"),
        asks("BURY", 1, BURY_1, alone=[0, 1], sitting_out=[2, 3]),
    ),
    (
        "R: and gets a card of his partner, then they play",
        railroad(f"{ORDER_ALONE}, bury 9H, best AD, alone, bury TC, best QD"),
        asks(
            "PLAY",
            0,
            "play AD, play KH, play AS, play QS, play 9S",
            views={
                0: {"best_card": "AD"},
                1: {"hand": cards("JK KC QD TD 9D"), "best_card": "QD", "discarded": ["TC"]},
                2: {"best_card": "AD", "card_counts": [5, 5, 4, 4]},
                3: {"best_card": "QD", "discarded": ["9C"], "upcard_status": "taken"},
            },
        ),
    ),
    (
        "R: the lone defender plays with what he has",
        railroad(f"{ORDER_ALONE}, pass, together, alone, pass"),
        asks("PLAY", 0, "play KH, play 9H, play AS, play QS, play 9S", sitting_out=[1, 2]),
    ),
    (
        "R: nobody defends alone",
        railroad(f"{ORDER_ALONE}, pass, together, together"),
        {"phase": "PLAY", "to_act": 0, "alone": [0], "sitting_out": [2]},
    ),
    (
        "R call_for_best=false",
        railroad(ORDER_ALONE, call_for_best=False),
        asks("ALONE_DEFENDER", 1, "alone, together"),
    ),
    (
        "R call_for_best=false, a lone defender",
        railroad(f"{ORDER_ALONE}, alone", call_for_best=False),
        {"phase": "PLAY", "to_act": 0},
    ),
    (
        "R defend_alone=never",
        railroad(f"{ORDER_ALONE}, bury 9H, best AD", defend_alone="never"),
        {"phase": "PLAY", "to_act": 0},
    ),
    (
        "R: not against a maker with his partner",
        railroad("order, together, discard 9C"),
        {"phase": "PLAY", "to_act": 0, "alone": []},
    ),
    (
        "R defend_alone=always: a call against a maker who is not alone",
        railroad("order, together, discard 9C, alone", defend_alone="always"),
        asks("BURY", 1, BURY_1, alone=[1], sitting_out=[3]),
    ),
    (
        "R maker_alone=false",
        railroad("order, discard 9C", maker_alone=False),
        {"phase": "PLAY", "alone": []},
    ),
    (
        "R left_of_maker",
        railroad("pass, order, alone, bury TC, best JH", defender_alone_order="left_of_maker"),
        asks("ALONE_DEFENDER", 2, "alone, together"),
    ),
    (
        "R: the dealer takes, discards, then may bury again",
        railroad("pass, pass, pass, order, alone, discard 9C"),
        asks("BURY", 3, "pass, bury KD, bury QD, bury QH, bury JH, bury TH"),
    ),
    (
        "R: both are among what he put away",
        railroad("pass, pass, pass, order, alone, discard 9C, bury QD, best TD"),
        {
            "phase": "ALONE_DEFENDER",
            "views": {
                3: {"hand": cards("KD TD QH JH TH"), "discarded": cards("9C QD")},
                1: {"hand": cards("JK KC TC 9D"), "discarded": []},
            },
        },
    ),
    (
        "R: the dealer's partner alone, no pick-up",
        railroad("pass, order, alone"),
        asks("BURY", 1, BURY_1, views={3: {"upcard_status": "declined", "card_counts": [5] * 4}}),
    ),
    (
        "R: the dead up-card is not among the dealer's",
        railroad("pass, order, alone, bury TC"),
        asks("BEST", 3, "best 9C, best KD, best QH, best JH, best TH"),
    ),
    (
        "R canadian_loner: asked without a question about alone",
        railroad("pass, order", canadian_loner=True),
        asks("BURY", 1, BURY_1, alone=[1]),
    ),
    (
        "R canadian_loner with maker_alone=false",
        railroad("pass, order", canadian_loner=True, maker_alone=False),
        asks("BURY", 1, BURY_1, alone=[1]),
    ),
    (
        "R: a lone caller in the second round",
        railroad("pass, pass, pass, pass, call S, alone"),
        asks("BURY", 0, BURY_0, trump="S"),
    ),
    (
        "R blind: alone, discard, then the call",
        railroad("call H, alone, discard TS", R1_DECK, joker_upcard="dealer_names_blind"),
        asks("BURY", 3, "pass, bury JK, bury KC, bury AH, bury QH, bury QS"),
    ),
    (
        "R stick",
        railroad("pass, pass, pass, pass, pass, pass, pass", stick_the_dealer=True),
        asks("BID2", 3, "call C, call H, call S"),
    ),
    (
        "R: passed out",
        railroad("pass, pass, pass, pass, pass, pass, pass, pass"),
        {**done(0), "carry": [0, 0, 0, 0], "game_worth": 0},
    ),
]
