"""Hands of Napoleon worked out by hand, with the standing they must reach.

Owns rows written from docs/family.md sections 1 and 5 alone; both engines can be
held to them, so nothing here may come from a run of either. It knows no engine.
"""

from family_writing import NO_BIDS_YET, PASSES, done, napoleon
from naive_writing import Worked, asks, cards

__all__ = ["NAPOLEON_HANDS"]

NAP = "pass, bid 2, bid 3, bid 8, bid 4, bid 5"
NAPOLEON_HANDS: list[Worked] = [
    ("N: the bids by rank", napoleon(""), asks("BID", 0, NAP, **NO_BIDS_YET)),
    ("N: misère over three", napoleon("bid 3"), asks("BID", 1, "pass, bid 8, bid 4, bid 5")),
    ("N: four over misère", napoleon("bid 8"), asks("BID", 1, "pass, bid 4, bid 5")),
    ("N: nothing over Nap", napoleon("bid 5"), asks("BID", 1, "pass")),
    ("N wellington", napoleon("bid 5", wellington=True), asks("BID", 1, "pass, bid 6")),
    (
        "N wellington: over nothing but Nap",
        napoleon("bid 4", wellington=True),
        asks("BID", 1, "pass, bid 5"),
    ),
    ("N wellington: not at once", napoleon("", wellington=True), asks("BID", 0, NAP)),
    (
        "N wellington: no Blücher of itself",
        napoleon("bid 5, bid 6", wellington=True),
        asks("BID", 2, "pass"),
    ),
    (
        "N blucher",
        napoleon("bid 5, bid 6", wellington=True, blucher=True),
        asks("BID", 2, "pass, bid 7"),
    ),
    (
        "N blucher: over nothing but a Wellington",
        napoleon("bid 5", wellington=True, blucher=True),
        asks("BID", 1, "pass, bid 6"),
    ),
    (
        "N blucher: a Nap that was passed on is still the highest",
        napoleon("bid 5, pass", wellington=True, blucher=True),
        asks("BID", 2, "pass, bid 6"),
    ),
    (
        "N: nothing over a Blücher",
        napoleon("bid 5, bid 6, bid 7", wellington=True, blucher=True),
        asks("BID", 3, "pass"),
    ),
    (
        "N minimum_bid",
        napoleon("", minimum_bid=3),
        asks("BID", 0, "pass, bid 3, bid 8, bid 4, bid 5"),
    ),
    (
        "N misere=false",
        napoleon("", misere=False),
        asks("BID", 0, "pass, bid 2, bid 3, bid 4, bid 5"),
    ),
    ("N: all pass", napoleon(PASSES), done(0)),
    (
        "N stick: one is enough",
        napoleon("pass, pass, pass", stick_the_dealer=True),
        asks("BID", 3, "bid 1, bid 2, bid 3, bid 8, bid 4, bid 5"),
    ),
    (
        "N stick, minimum_bid",
        napoleon("pass, pass, pass", stick_the_dealer=True, minimum_bid=3),
        asks("BID", 3, "bid 1, bid 3, bid 8, bid 4, bid 5"),
    ),
    (
        "N stick: not after a bid",
        napoleon("pass, bid 4, pass", stick_the_dealer=True),
        asks("BID", 3, "pass, bid 5"),
    ),
    (
        "N stick: bid 1 stands",
        napoleon("pass, pass, pass, bid 1", stick_the_dealer=True),
        asks("PLAY", 3, "play JC, play KD, play 9D, play 8H, play JS", contract=1, maker=3),
    ),
    (
        "N: one turn each, the highest bidder leads",
        napoleon("bid 2, pass, bid 3, pass"),
        asks(
            "PLAY",
            2,
            "play QC, play AH, play KH, play QH, play 9S",
            contract=3,
            maker=2,
            trump=None,
        ),
    ),
    (
        "N: the first card makes trump",
        napoleon("bid 2, pass, bid 3, pass", "9S"),
        asks("PLAY", 3, "play JS", trump="S"),
    ),
    (
        "N: the other jack of the colour is no trump",
        napoleon("pass, pass, pass, bid 2", "KD"),
        asks("PLAY", 0, "play JD", trump="D"),
    ),
    (
        "N: the ace of trump beats its jack",
        napoleon("pass, pass, pass, bid 2", "JS 8S AS 9S"),
        asks("PLAY", 1, "play AD, play QD, play TD, play QS", trump="S"),
    ),
    (
        "N: and takes the maker's lead",
        napoleon("bid 2, pass, pass, pass", "JD AD QC 9D"),
        asks("PLAY", 1, "play QD, play TD, play AS, play QS", trump="D"),
    ),
    (
        "N misère: no trump to the end",
        napoleon("bid 8, pass, pass, pass", "8S"),
        asks("PLAY", 1, "play AS, play QS", trump=None, contract=8),
    ),
    (
        "N 3-2",
        napoleon("", deal_pattern="3-2"),
        {
            "views": {
                0: {"hand": cards("AD AH QH 9H 8H")},
                1: {"hand": cards("TC 9D JH QS 9S")},
                2: {"hand": cards("JC KD TD KH 8S")},
                3: {"hand": cards("QC QD JD AS JS")},
            }
        },
    ),
    (
        "N: may stop when the maker has what he bid",
        napoleon("pass, pass, bid 2, pass", "AH 8H 9H TD KH 9D JH QD", end_hand_early=True),
        {"phase": "DONE", "points": [-2, -2, 6, -2], "game_over": False},
    ),
    (
        "N: else all five are played",
        napoleon("pass, pass, bid 2, pass", "AH 8H 9H TD KH 9D JH QD"),
        {"phase": "PLAY", "points": None},
    ),
    (
        "N: may stop when he cannot reach it",
        napoleon("bid 5, pass, pass, pass", "8S AS 9S JS", end_hand_early=True),
        {"phase": "DONE", "points": [-15, 5, 5, 5], "scores": [-15, 5, 5, 5]},
    ),
    (
        "N: but not while he can",
        napoleon("bid 4, pass, pass, pass", "8S AS 9S JS", end_hand_early=True),
        {"phase": "PLAY", "to_act": 1, "points": None},
    ),
    (
        "N: may stop when misère has a trick",
        napoleon("pass, pass, bid 8, pass", "AH 8H 9H TD", end_hand_early=True),
        {"phase": "DONE", "points": [3, 3, -9, 3]},
    ),
    (
        "N: misère goes on while it has none",
        napoleon("bid 8, pass, pass, pass", "8S AS 9S JS", end_hand_early=True),
        {"phase": "PLAY", "to_act": 1, "points": None},
    ),
]
