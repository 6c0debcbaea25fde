"""Hands worked out by hand from RULES.md, as hand objects with the standing they must reach.

Owns G1-G6 of RULES.md section 7 and four-handed hands written in the same way. Both engines are
held to them, so nothing here may come from a run of either.
"""

from naive_writing import (
    G1_DECK,
    G2_DECK,
    G3_DECK,
    G4_DECK,
    THREE_DECK,
    Worked,
    four,
    hand,
    plays,
    team,
)

__all__ = ["G3", "WORKED_HANDS"]

G1 = ["order", "decline", *plays("JC 9S KS AS KC TS KD 9H TD TC")]
G2 = [
    *["order", "take", "discard 9D", "with_dummy", "together", "together"],
    "keep AC KC QC TC KH",
    *plays("AC JC 9C AD JD KC QC 9S JS AS TC TH KH KD QS"),
]
G3 = [
    *["pass"] * 5,
    *["call C", "with_dummy", "together", "alone", "keep AC TC 9C AS AD"],
    *plays("AC JC KC 9C QC TC KS AS AD JD"),
]
G4 = [
    *["pass", "order", "take", "discard TS", "alone", "together", "alone"],
    *plays("JD 9D JH QD TD TH KH QS KC AS"),
]
ONLY_TWO_PLAY_FIVE = plays("JS AC JC KC AS AD KS KD QS AH")


# Dealer 3 takes TS and throws TH. All follow as they must; seat 0 has nothing but trumps.
ALL_FOUR_FIVE = plays("JS AC 9C TS JC KC TC QC AS AD 9D QD KS KD TD KH QS AH 9H QH")
# Seat 2 sits out.
NOT_SEAT_2_FIVE = plays("JS AC TS JC KC QC AS AD QD KS KD KH QS AH QH")
# Trump S, KS with the dealer, who threw JD. Seat 0 takes three, then 1 takes 9C and 9D.
ALL_FOUR_THREE = plays("JS QC TC KS JC KC TD JH AS KD 9H QH 9C AC TH KH AD QD AH 9D")
NOT_SEAT_2_THREE = plays("JS QC KS JC KC JH AS KD QH 9C AC KH AD AH 9D")

WORKED_HANDS: list[Worked] = [
    (
        "G1 two-handed",
        hand("two-handed", 1, G1_DECK, G1),
        {"points": [1, 0], "trump": "S", "maker": 0, "next_dealer": 0, "scores": [1, 0]},
    ),
    (
        "G2 three-handed, dummy",
        hand("three-handed", 2, G2_DECK, G2),
        {"points": [1, 0, 0], "trump": "C", "maker": 0, "alone": [], "next_dealer": 0},
    ),
    (
        "G3 round 2, defender alone",
        hand("three-handed", 2, G3_DECK, G3),
        {"points": [2, 2, 0], "maker": 2, "alone": [1], "sitting_out": [0]},
    ),
    (
        "G4 both alone",
        hand("three-handed", 2, G4_DECK, G4),
        {"points": [4, 0, 4], "maker": 1, "alone": [1, 2], "sitting_out": [0]},
    ),
    (
        "G5 three-handed, all pass",
        hand("three-handed", 2, G3_DECK, ["pass"] * 6),
        {"phase": "DONE", "points": [0, 0, 0], "next_dealer": 0, "game_over": False},
    ),
    (
        "G5 two-handed, all pass",
        hand("two-handed", 1, G1_DECK, ["pass"] * 4),
        {"phase": "DONE", "points": [0, 0], "next_dealer": 0, "game_over": False},
    ),
    (
        # M is seat 2 of G3, whose defenders get 2 each: 3/8/8 becomes 3/10/10
        "G6 level at ten is not over",
        hand("three-handed", 2, G3_DECK, G3, scores=[8, 8, 3]),
        {"scores": [10, 10, 3], "game_over": False, "winners": [], "next_dealer": 0},
    ),
    (
        "G6 the highest of three wins",
        hand("three-handed", 2, G3_DECK, G3, scores=[9, 8, 9]),
        {"scores": [11, 10, 9], "game_over": True, "winners": [0], "next_dealer": None},
    ),
    (
        "bonus preset changes no defender's points",
        hand("three-handed-bonus", 2, G4_DECK, G4),
        {"points": [4, 0, 4]},
    ),
    (
        "four-handed, makers take five together",
        four(["order", "together", "discard TH", *ALL_FOUR_FIVE]),
        {"points": team(2, 0), "maker": 0, "alone": [], "sitting_out": [], "next_dealer": 0},
    ),
    (
        "four-handed, alone five",
        four(["order", "alone", "discard TH", *NOT_SEAT_2_FIVE]),
        {"points": team(4, 0), "alone": [0], "sitting_out": [2]},
    ),
    (
        "four-handed, alone five, its points an option",
        four(["order", "alone", "discard TH", *NOT_SEAT_2_FIVE], alone_march_points=5),
        {"points": team(5, 0)},
    ),
    (
        "four-handed, makers take three",
        four(["order", "together", "discard JD", *ALL_FOUR_THREE], THREE_DECK),
        {"points": team(1, 0)},
    ),
    (
        "four-handed, alone three",
        four(["order", "alone", "discard JD", *NOT_SEAT_2_THREE], THREE_DECK),
        {"points": team(1, 0), "sitting_out": [2]},
    ),
    (
        "four-handed, alone three, its points an option",
        four(["order", "alone", "discard JD", *NOT_SEAT_2_THREE], THREE_DECK, alone_make_points=2),
        {"points": team(2, 0)},
    ),
    (
        "four-handed, euchre by five tricks",
        four(["pass", "order", "together", "discard TH", *ALL_FOUR_FIVE]),
        {"points": team(2, 0), "maker": 1},
    ),
    (
        "four-handed, euchre by five tricks, its points an option",
        four(["pass", "order", "together", "discard TH", *ALL_FOUR_FIVE], defender_march_points=3),
        {"points": team(3, 0)},
    ),
    (
        "four-handed, euchre by three tricks",
        four(
            ["pass", "order", "together", "discard JD", *ALL_FOUR_THREE],
            THREE_DECK,
            defender_march_points=3,
        ),
        {"points": team(2, 0), "maker": 1},
    ),
    (
        "four-handed, a lone defender's euchre by five",
        four(
            ["pass", "order", "together", "discard TH", "alone", *NOT_SEAT_2_FIVE],
            defend_alone="always",
        ),
        {"points": team(4, 0), "alone": [0], "sitting_out": [2]},
    ),
    (
        "four-handed, a lone defender's euchre by three",
        four(
            ["pass", "order", "together", "discard JD", "alone", *NOT_SEAT_2_THREE],
            THREE_DECK,
            defend_alone="always",
            lone_defender_march_points=7,
        ),
        {"points": team(4, 0), "alone": [0], "sitting_out": [2]},
    ),
    (
        "four-handed, the dealer's partner alone: the dealer sits out, the card is dead",
        four(["pass", "order", "alone", *plays("JS AC 9C JC KC TC AS AD 9D KS KD TD QS AH 9H")]),
        {"points": team(2, 0), "maker": 1, "alone": [1], "sitting_out": [3], "trump": "S"},
    ),
    (
        "four-handed, a lone maker euchred, its points an option",
        four(
            ["pass", "order", "alone", *plays("JS AC 9C JC KC TC AS AD 9D KS KD TD QS AH 9H")],
            alone_euchred_points=6,
        ),
        {"points": team(6, 0)},
    ),
    (
        "four-handed, both alone",
        four(
            ["pass", "order", "alone", "alone", *ONLY_TWO_PLAY_FIVE],
            defend_alone="vs_lone_maker_only",
            lone_defender_march_points=5,
        ),
        {"points": team(5, 0), "alone": [0, 1], "sitting_out": [2, 3]},
    ),
    (
        "four-handed, Canadian loner",
        four(
            ["pass", "order", "together", "together", "play JS"],
            THREE_DECK,
            defend_alone="always",
            canadian_loner=True,
        ),
        {"phase": "PLAY", "maker": 1, "alone": [1], "sitting_out": [3], "to_act": 1},
    ),
    (
        "four-handed, all pass",
        four(["pass"] * 8),
        {"phase": "DONE", "points": [0, 0, 0, 0], "next_dealer": 0},
    ),
    (
        "four-handed, 10 to 9 ends the game for both of a team",
        {**four(["order", "together", "discard TH", *ALL_FOUR_FIVE]), "scores": [8, 9, 8, 9]},
        {"scores": [10, 9, 10, 9], "winners": [0, 2], "game_over": True, "next_dealer": None},
    ),
]
