"""Hands for the other options of RULES.md section 4, worked out by hand.

Owns the rulings on the dummy, the deal, the farmer's hand and the early end as hand objects with
the standing they must reach; both engines are held to them. `views` in an expected standing names
only the seats and keys that matter.
"""

from naive_worked import G3
from naive_writing import (
    FIVE_DECK,
    G3_DECK,
    THREE_DECK,
    Worked,
    asks,
    cards,
    four,
    hand,
    plays,
    team,
    three,
    two,
)

__all__ = ["OPTION_HANDS"]

SIX_OF_D = cards("9C JD 9D AS QS JS")
SEES_DUMMY = cards("QC TC JH 9H KS")

DUMMY: list[Worked] = [
    (
        "before_dummy: the question comes first",
        three("order, decline"),
        asks("ALONE_MAKER", 0, "alone, with_dummy", views={0: {"dummy": []}}),
    ),
    (
        "after_dummy: he sees it from the question on",
        three("order, decline", alone_decision="after_dummy"),
        {"views": {0: {"dummy": SEES_DUMMY}, 1: {"dummy": []}, 2: {"dummy": []}}},
    ),
    (
        "after_dummy: and for the rest of the hand, also alone",
        three("order, decline, alone, together, together", alone_decision="after_dummy"),
        {"phase": "PLAY", "views": {0: {"dummy": SEES_DUMMY}}},
    ),
    (
        "with_dummy: he sees it while the defenders are asked",
        three("order, decline, with_dummy"),
        asks("ALONE_DEFENDER", 1, "alone, together", views={0: {"dummy": SEES_DUMMY}}),
    ),
    (
        "maker_alone=false: no question",
        three("order, take, discard QS", maker_alone=False),
        {"phase": "ALONE_DEFENDER", "to_act": 1, "views": {0: {"dummy": SEES_DUMMY}}},
    ),
    (
        "maker_alone=false: the pick-up is settled first",
        three("order, take", maker_alone=False),
        {"phase": "DISCARD", "views": {0: {"dummy": []}}},
    ),
    (
        "exchange_timing before_defenders",
        three("order, decline, with_dummy", exchange_timing="before_defenders"),
        asks("EXCHANGE", 0, "keep 5 of AC KC QC TC TD KH QH JH 9H KS"),
    ),
    (
        "the exchange: rejects are the maker's to know",
        three("order, decline, with_dummy, together, together, keep AC KC QC TC KH"),
        {
            "phase": "PLAY",
            "views": {
                0: {"hand": cards("AC KC QC TC KH"), "discarded": cards("TD QH JH 9H KS")},
                1: {"discarded": []},
            },
        },
    ),
    (
        "defend_alone never",
        three("order, decline, with_dummy", defend_alone="never"),
        {"phase": "EXCHANGE"},
    ),
    (
        "defend_alone vs_lone_maker_only: not against one with the dummy",
        three("order, decline, with_dummy", defend_alone="vs_lone_maker_only"),
        {"phase": "EXCHANGE"},
    ),
    (
        "defend_alone vs_lone_maker_only: against a lone one",
        three("order, decline, alone", defend_alone="vs_lone_maker_only"),
        asks("ALONE_DEFENDER", 1, "alone, together"),
    ),
    (
        "bidding_order",
        three("pass, order, decline, alone"),
        asks("ALONE_DEFENDER", 0, "alone, together"),
    ),
    (
        "left_of_maker",
        three("pass, order, decline, alone", defender_alone_order="left_of_maker"),
        asks("ALONE_DEFENDER", 2, "alone, together"),
    ),
    (
        "the second defender is not asked when the first is alone",
        three("order, decline, alone, alone"),
        {"phase": "PLAY", "alone": [0, 1], "sitting_out": [2], "to_act": 1},
    ),
    *(
        (
            f"no questions at all, maker {maker}: the dealer's left leads",
            three(bids, maker_alone=False, defend_alone="never"),
            {"phase": "PLAY", "to_act": 0, "maker": maker},
        )
        for maker, bids in [
            (0, "order, decline, keep AC KC TD KH QH"),
            (1, "pass, order, decline, keep TH AD JC KD 9S"),
            (2, "pass, pass, order, discard QS, keep AS JS JD 9D 9C"),
        ]
    ),
    (
        "sequential: the dealer-maker discards first",
        three("pass, pass, order"),
        asks("DISCARD", 2, "discard AS, discard JS, discard JD, discard 9D, discard QS"),
    ),
    (
        "combined: he is asked holding six",
        three("pass, pass, order", dealer_dummy_discard="combined"),
        asks("ALONE_MAKER", 2, "alone, with_dummy", views={2: {"hand": SIX_OF_D}}),
    ),
    (
        "combined, alone: one of the five original cards at once",
        three("pass, pass, order, alone", dealer_dummy_discard="combined"),
        asks("DISCARD", 2, "discard AS, discard JS, discard JD, discard 9D, discard QS"),
    ),
    (
        "combined, with the dummy: five of eleven, after the declarations",
        three("pass, pass, order, with_dummy, together, together", dealer_dummy_discard="combined"),
        asks("EXCHANGE", 2, "keep 5 of QC TC 9C JD 9D JH 9H AS KS QS JS"),
    ),
    (
        "combined, before_defenders",
        three(
            "pass, pass, order, with_dummy",
            dealer_dummy_discard="combined",
            exchange_timing="before_defenders",
        ),
        {"phase": "EXCHANGE", "to_act": 2},
    ),
    (
        "combined touches nobody but a dealer who is maker",
        three("order, take", dealer_dummy_discard="combined"),
        {"phase": "DISCARD", "to_act": 2},
    ),
]

DEALS: list[Worked] = [
    (
        "2-3",
        two("", deal_pattern="2-3"),
        {"views": {0: {"hand": cards("KD TD KS TS 9S")}, 1: {"hand": cards("KC JC TC 9H AS")}}},
    ),
    (
        "ones",
        two("", deal_pattern="ones"),
        {"views": {0: {"hand": cards("JC TD 9H AS TS")}, 1: {"hand": cards("KC TC KD KS 9S")}}},
    ),
    (
        "across: L X A D",
        three("", dummy_seat="across"),
        {
            "views": {
                0: {"hand": cards("AC KC TD KH QH")},
                1: {"hand": cards("QC TC JH 9H KS")},
                2: {"hand": cards("JD 9D AS QS JS"), "upcard": "9C"},
            }
        },
    ),
    (
        "fixed_chair: X L A D when the last seat deals",
        three("", dummy_seat="fixed_chair"),
        {
            "views": {
                0: {"hand": cards("JC AD KD TH 9S")},
                1: {"hand": cards("QC TC JH 9H KS")},
                2: {"hand": cards("JD 9D AS QS JS")},
            }
        },
    ),
]

FARMER: list[Worked] = [
    (
        "three_swap: from the dealer's left",
        four("", farmers_hand="three_swap"),
        asks("SWAP", 0, "pass"),
    ),
    (
        "three_swap: exactly three nines",
        four("pass, pass", farmers_hand="three_swap"),
        asks("SWAP", 2, "pass, swap 9C 9D 9H"),
    ),
    (
        "three_swap: he gets the three buried cards",
        four("pass, pass, swap 9C 9D 9H, pass", farmers_hand="three_swap"),
        asks("BID1", 0, "pass, order", views={2: {"hand": cards("TC JD TD JH 9S")}}),
    ),
    (
        "redeal_no_ace_no_face: the hand is thrown in",
        four("", farmers_hand="redeal_no_ace_no_face"),
        {"phase": "DONE", "points": [0, 0, 0, 0], "next_dealer": 0, "legal": []},
    ),
    (
        "redeal_no_ace_no_face: not when every hand has one",
        four("", THREE_DECK, farmers_hand="redeal_no_ace_no_face"),
        asks("BID1", 0, "pass, order"),
    ),
]

THREE_LOST = plays("JS AC 9C TS JC KC TC QC AS AD 9D QD")
EARLY: list[Worked] = [
    (
        "end_hand_early: three tricks lost, nothing can change",
        hand(
            {"preset": "four-handed", "end_hand_early": True},
            *(3, FIVE_DECK, ["pass", "order", "together", "discard TH", *THREE_LOST]),
        ),
        {"phase": "DONE", "points": team(2, 0), "maker": 1},
    ),
    (
        "end_hand_early: a march of the defenders is still open",
        hand(
            {"preset": "four-handed", "end_hand_early": True, "defender_march_points": 3},
            *(3, FIVE_DECK, ["pass", "order", "together", "discard TH", *THREE_LOST]),
        ),
        {"phase": "PLAY", "points": None},
    ),
]

# L, the maker, is alone and takes the last three tricks.
LONE_MAKER = [
    *["order", "decline", "alone", "together", "together"],
    *plays("JC JS AC AD 9D TD KD JD KC KH TH AS QH 9S QS"),
]
WORTHLESS = {"alone_make_points": 0, "alone_march_points": 0, "alone_euchred_points": 0}
TIES: list[Worked] = [
    *(
        (
            f"{rule}: level at 12 after a lone maker's hand worth nothing",
            {**three(LONE_MAKER, tie_rule=rule, **WORTHLESS), "scores": [12, 12, 9]},
            {"points": [0, 0, 0], "winners": [], "game_over": False},
        )
        for rule in ("highest_else_play_on", "lone_defender_first")
    ),
    # G3, in which seat 1 defends alone and seats 0 and 1 get 2 each; seat 2 deals.
    *(
        (
            f"{rule}: the defenders of G3 reach the target together",
            hand({"preset": "three-handed", "tie_rule": rule}, *(2, G3_DECK, G3), scores=scores),
            {"winners": winners, "game_over": True},
        )
        for rule, scores, winners in [
            ("highest_else_shared", [8, 8, 9], [0, 1]),
            ("any_reaching_shared", [9, 8, 3], [0, 1]),
            ("left_of_dealer_first", [8, 8, 9], [0]),
            ("lone_defender_first", [8, 8, 9], [1]),
        ]
    ),
]

OPTION_HANDS: list[Worked] = [*TIES, *DUMMY, *DEALS, *FARMER, *EARLY]
