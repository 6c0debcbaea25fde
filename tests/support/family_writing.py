"""Short ways of writing hands of the wider family down.

Owns the decks that the hands worked out by hand share, and how a hand of each game is written. It
knows no engine.
"""

from typing import Any

from naive_writing import hand, plays

__all__ = [
    "ALL_SIX",
    "H1_DECK",
    "JOKER_WIDOW",
    "N3_DECK",
    "NO_BIDS_YET",
    "P1_DECK",
    "PASSES",
    "R1_DECK",
    "R2_DECK",
    "SUITS",
    "done",
    "hasenpfeffer",
    "napoleon",
    "pepper",
    "railroad",
]

# Dealer 3. 0 QC TS KH JH KD AH, 1 9H 9C KS JS JK 9D, 2 KC TD TH JD QD AC, 3 QH 9S QS AD AS JC,
# widow TC.
H1_DECK = "QC TS KH 9H 9C KS KC TD TH QH 9S QS JH KD AH JS JK 9D JD QD AC AD AS JC TC"
# The same, but seat 1 has TC and the joker is the widow.
JOKER_WIDOW = H1_DECK.replace("TC", "xx").replace("JK", "TC").replace("xx", "JK")
# Dealer 3, ones. 0 AS QC TC JS QS TD, 1 QD KH 9S 9C JC 9D, 2 JD KC AH TS AD AC,
# 3 9H QH KS TH JH KD.
P1_DECK = "AS QD JD 9H QC KH KC QH TC 9S AH KS JS 9C TS TH QS JC AD JH TD 9D AC KD"
# Dealer 3, 28 cards. 0 9H TC JD JH 8S, 1 AD TD AS QS QD, 2 AH KH QH 9S QC, 3 9D KD 8H JC JS.
N3_DECK = "9H AD AH 9D TC TD KH KD JD AS QH 8H JH QS 9S JC 8S QD QC JS KS 8D KC 9C TS TH 8C AC"
# Dealer 3. 0 AS KH 9H 9S QS, 1 TC TD KC JK 9D, 2 KS JC TS JS AD, 3 KD JH QH 9C TH, up QD.
R2_DECK = "AS KH 9H TC TD KS JC TS KD JH 9S QS KC JK 9D JS AD QH 9C TH QD JD QC AC AH"
# Dealer 3. 0 TH KH 9H 9S AS, 1 9D KS KD AD JD, 2 JH QC TC JS AC, 3 AH QH KC QS TS, up JK.
R1_DECK = "TH KH 9H 9D KS JH QC TC AH QH 9S AS KD AD JD JS AC KC QS TS JK 9C TD JC QD"


def written(text: str) -> list[str]:
    """Returns action texts that were written with commas between."""
    return [action.strip() for action in text.split(",") if action.strip()]


def hasenpfeffer(
    actions: str,
    cards: str = H1_DECK,
    /,
    *,
    redeals: int = 0,
    **options: Any,  # noqa: ANN401 - JSON
) -> dict[str, Any]:
    """Returns a hand of Hasenpfeffer with dealer 3."""
    rules = {"preset": "hasenpfeffer", **options}
    return hand(rules, 3, cards, written(actions), redeals=redeals)


def pepper(actions: str, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Returns a hand of Pepper with dealer 3 on the deck of P1."""
    return hand({"preset": "pepper", **options}, 3, P1_DECK, written(actions))


def napoleon(actions: str, played: str = "", /, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Returns a hand of Napoleon, four players, dealer 3, on the deck of N3."""
    rules = {"preset": "napoleon", "players": 4, "deck": "28", **options}
    return hand(rules, 3, N3_DECK, written(actions) + plays(played))


def railroad(actions: str, cards: str = R2_DECK, /, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Returns a hand of Railroad with dealer 3."""
    return hand({"preset": "railroad", **options}, 3, cards, written(actions))


def done(next_dealer: int) -> dict[str, Any]:
    """Returns an expected standing of a hand that was passed out."""
    return {
        "phase": "DONE",
        "to_act": None,
        "legal": [],
        "maker": None,
        "contract": None,
        "points": [0, 0, 0, 0],
        "scores": [0, 0, 0, 0],
        "game_over": False,
        "next_dealer": next_dealer,
    }


NO_BIDS_YET = {"maker": None, "contract": None, "trump": None}
ALL_SIX = "bid 1, bid 2, bid 3, bid 4, bid 5, bid 6"
SUITS = "name C, name D, name H, name S"
PASSES = "pass, pass, pass, pass"
