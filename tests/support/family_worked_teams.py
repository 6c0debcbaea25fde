"""Hands of Hasenpfeffer and Pepper worked out by hand, with the standing they must reach.

Owns rows written from docs/family.md sections 1, 3, 4 and 6 alone; both engines can be
held to them, so nothing here may come from a run of either. It knows no engine.
"""

from family_writing import (
    ALL_SIX,
    JOKER_WIDOW,
    NO_BIDS_YET,
    PASSES,
    SUITS,
    done,
    hasenpfeffer,
    pepper,
)
from naive_writing import Worked, asks, cards

__all__ = ["HASENPFEFFER_HANDS", "PEPPER_HANDS"]

HASENPFEFFER_HANDS: list[Worked] = [
    (
        "H: the dealer's left bids first",
        hasenpfeffer(""),
        asks("BID", 0, f"pass, {ALL_SIX}", upcard_status="none", **NO_BIDS_YET),
    ),
    (
        "H: only higher bids",
        hasenpfeffer("bid 3"),
        asks("BID", 1, "pass, bid 4, bid 5, bid 6", **NO_BIDS_YET),
    ),
    ("H: any jump", hasenpfeffer("bid 1, bid 5"), asks("BID", 2, "pass, bid 6")),
    ("H: all are asked after six", hasenpfeffer("bid 6"), asks("BID", 1, "pass")),
    ("H: to the last", hasenpfeffer("bid 6, pass, pass"), asks("BID", 3, "pass", **NO_BIDS_YET)),
    (
        "H: three passes in a row end it",
        hasenpfeffer("bid 6, pass, pass, pass"),
        asks("NAME", 0, SUITS, contract=6, maker=0, trump=None),
    ),
    (
        "H rounds: a lone bid of the dealer",
        hasenpfeffer("pass, pass, pass, bid 1, pass, pass, pass"),
        asks("NAME", 3, SUITS, contract=1, maker=3),
    ),
    (
        "H rounds: who passed comes back",
        hasenpfeffer("pass, pass, bid 2, pass, pass, bid 3"),
        asks("BID", 2, "pass, bid 4, bid 5, bid 6"),
    ),
    (
        "H rounds: three passes, not in a row",
        hasenpfeffer("bid 1, pass, pass, bid 2, pass, pass"),
        asks("BID", 2, "pass, bid 3, bid 4, bid 5, bid 6"),
    ),
    (
        "H once: the dealer's turn is the last",
        hasenpfeffer("pass, bid 2, pass, bid 4", bidding="once"),
        asks("NAME", 3, SUITS, contract=4, maker=3),
    ),
    (
        "H once: three passes do not cut it short",
        hasenpfeffer("bid 2, pass, pass", bidding="once"),
        asks("BID", 3, "pass, bid 3, bid 4, bid 5, bid 6"),
    ),
    (
        "H once: the first bid stands",
        hasenpfeffer("bid 2, pass, pass, pass", bidding="once"),
        asks("NAME", 0, SUITS, contract=2, maker=0),
    ),
    (
        "H minimum_bid",
        hasenpfeffer("", minimum_bid=3),
        asks("BID", 0, "pass, bid 3, bid 4, bid 5, bid 6"),
    ),
    (
        "H: all pass, the joker's holder",
        hasenpfeffer(PASSES),
        asks("BID", 1, "bid 3", **NO_BIDS_YET),
    ),
    (
        "H: he bids 3 whatever minimum_bid",
        hasenpfeffer(PASSES, minimum_bid=5),
        asks("BID", 1, "bid 3"),
    ),
    ("H once: he is asked too", hasenpfeffer(PASSES, bidding="once"), asks("BID", 1, "bid 3")),
    (
        "H: his bid ends bidding",
        hasenpfeffer(f"{PASSES}, bid 3"),
        asks("NAME", 1, SUITS, contract=3, maker=1),
    ),
    (
        "H once: his bid ends bidding",
        hasenpfeffer(f"{PASSES}, bid 3", bidding="once"),
        asks("NAME", 1, SUITS, contract=3, maker=1),
    ),
    ("H: joker in the widow", hasenpfeffer(PASSES, JOKER_WIDOW), done(0)),
    (
        "H: joker in the widow, the same deals",
        hasenpfeffer(PASSES, JOKER_WIDOW, redeal_dealer="same"),
        done(3),
    ),
    (
        "H stick",
        hasenpfeffer("pass, pass, pass", stick_the_dealer=True),
        asks("BID", 3, ALL_SIX),
    ),
    (
        "H stick: minimum_bid holds for him",
        hasenpfeffer("pass, pass, pass", stick_the_dealer=True, minimum_bid=5),
        asks("BID", 3, "bid 5, bid 6"),
    ),
    (
        "H stick: his bid may be outbid",
        hasenpfeffer("pass, pass, pass, bid 2", stick_the_dealer=True),
        asks("BID", 0, "pass, bid 3, bid 4, bid 5, bid 6"),
    ),
    (
        "H stick: only when all before him passed",
        hasenpfeffer("bid 2, pass, pass", stick_the_dealer=True),
        asks("BID", 3, "pass, bid 3, bid 4, bid 5, bid 6"),
    ),
    (
        "H stick: nobody but the dealer",
        hasenpfeffer("pass, pass", stick_the_dealer=True),
        asks("BID", 2, f"pass, {ALL_SIX}"),
    ),
    (
        "H: stuck by redeals",
        hasenpfeffer("pass, pass, pass", redeals=2, max_consecutive_redeals=2),
        asks("BID", 3, ALL_SIX),
    ),
    (
        "H: one redeal fewer",
        hasenpfeffer("pass, pass, pass", redeals=1, max_consecutive_redeals=2),
        asks("BID", 3, f"pass, {ALL_SIX}"),
    ),
    (
        "H: the widow comes after the name",
        hasenpfeffer("pass, bid 2, pass, pass, pass"),
        asks("NAME", 1, SUITS, views={1: {"hand": cards("JK 9C 9D 9H KS JS"), "widow": []}}),
    ),
    (
        "H: seven cards to bury from, the widow too",
        hasenpfeffer("pass, bid 2, pass, pass, pass, name H"),
        asks(
            "BURY",
            1,
            "bury JK, bury TC, bury 9C, bury 9D, bury 9H, bury KS, bury JS",
            trump="H",
            views={
                1: {"widow": ["TC"], "card_counts": [6, 7, 6, 6]},
                0: {"widow": []},
                3: {"widow": []},
            },
        ),
    ),
    (
        "H: see_widow_first",
        hasenpfeffer("pass, bid 2, pass, pass, pass", see_widow_first=True),
        asks(
            "NAME",
            1,
            SUITS,
            views={
                1: {"hand": cards("JK TC 9C 9D 9H KS JS"), "widow": ["TC"]},
                2: {"widow": [], "card_counts": [6, 7, 6, 6]},
            },
        ),
    ),
    (
        "H see_widow_first: seven cards, not eight, after the name",
        hasenpfeffer("pass, bid 2, pass, pass, pass, name H", see_widow_first=True),
        {"phase": "BURY", "views": {1: {"hand": cards("JK TC 9C 9D 9H KS JS")}}},
    ),
    (
        "H: the joker may be buried; the maker leads",
        hasenpfeffer("pass, bid 2, pass, pass, pass, name S, bury JK"),
        asks(
            "PLAY",
            1,
            "play TC, play 9C, play 9D, play 9H, play KS, play JS",
            alone=[],
            sitting_out=[],
            views={1: {"discarded": ["JK"], "card_counts": [6, 6, 6, 6]}, 3: {"discarded": []}},
        ),
    ),
    (
        "H ones",
        hasenpfeffer("", deal_pattern="ones"),
        {
            "views": {
                0: {"hand": cards("JK AC QC 9C JH TH")},
                1: {"hand": cards("AD KD 9D QH KS TS")},
                2: {"hand": cards("KC JD AH KH AS 9S")},
                3: {"hand": cards("JC QD TD 9H QS JS")},
            }
        },
    ),
]

SEVEN = "bid 1, bid 2, bid 3, bid 4, bid 5, bid 6, bid 7"
PEPPER_HANDS: list[Worked] = [
    ("P: seven bids", pepper(""), asks("BID", 0, f"pass, {SEVEN}", **NO_BIDS_YET)),
    ("P big_pepper=false", pepper("", big_pepper=False), asks("BID", 0, f"pass, {ALL_SIX}")),
    ("P minimum_bid", pepper("", minimum_bid=5), asks("BID", 0, "pass, bid 5, bid 6, bid 7")),
    ("P: big over little pepper", pepper("bid 6"), asks("BID", 1, "pass, bid 7")),
    ("P: nothing over the big one", pepper("bid 7"), asks("BID", 1, "pass")),
    ("P: nothing over the little one", pepper("bid 6", big_pepper=False), asks("BID", 1, "pass")),
    ("P: all pass", pepper(PASSES), done(0)),
    ("P once: all pass", pepper(PASSES, bidding="once"), done(0)),
    ("P stick", pepper("pass, pass, pass", stick_the_dealer=True), asks("BID", 3, SEVEN)),
    (
        "P: always stuck",
        pepper("pass, pass, pass", max_consecutive_redeals=0),
        asks("BID", 3, SEVEN),
    ),
    (
        "P once",
        pepper("bid 1, pass, bid 2, pass", bidding="once"),
        asks("NAME", 2, f"{SUITS}, name NT", contract=2, maker=2),
    ),
    (
        "P rounds",
        pepper("bid 1, pass, bid 2, pass, bid 3, pass, pass, pass"),
        asks("NAME", 0, f"{SUITS}, name NT", contract=3, maker=0),
    ),
    (
        "P no_trump=false",
        pepper("bid 1, pass, pass, pass", no_trump=False),
        asks("NAME", 0, SUITS),
    ),
    (
        "P: the maker leads any card at once",
        pepper("pass, bid 1, pass, pass, pass, name S"),
        asks("PLAY", 1, "play JC, play 9C, play QD, play 9D, play KH, play 9S", trump="S"),
    ),
    (
        "P: the left bower follows trump",
        pepper("bid 1, pass, pass, pass, name S, play JS"),
        asks("PLAY", 1, "play JC, play 9S"),
    ),
    (
        "P no-trump: it does not",
        pepper("bid 1, pass, pass, pass, name NT, play JS"),
        asks("PLAY", 1, "play 9S", trump=None, contract=1),
    ),
    (
        "P no-trump: the king beats the jack",
        pepper("bid 1, pass, pass, pass, name NT, play JS, play 9S, play TS, play KS"),
        asks("PLAY", 3, "play KD, play QH, play JH, play TH, play 9H"),
    ),
    (
        "P 3-3",
        pepper("", deal_pattern="3-3"),
        {
            "views": {
                0: {"hand": cards("9C QD JD AS JS TS")},
                1: {"hand": cards("QC JC KH TH 9H QS")},
                2: {"hand": cards("KC TC AD TD QH JH")},
                3: {"hand": cards("AC KD 9D AH KS 9S")},
            }
        },
    ),
]
