"""Short ways of writing hands and expected standings down.

Owns the notation of the tables of hands worked out by hand, and the decks that they share. It
knows no engine.
"""

from typing import Any

__all__ = [
    "FEW_DECK",
    "FIVE_DECK",
    "FIVE_JOKER",
    "G1_DECK",
    "G1_JOKER",
    "G2_DECK",
    "G2_JOKER",
    "G3_DECK",
    "G4_DECK",
    "THREE_DECK",
    "Worked",
    "asks",
    "cards",
    "four",
    "hand",
    "part_of",
    "plays",
    "team",
    "three",
    "two",
]

Worked = tuple[str, dict[str, Any], dict[str, Any]]

G1_DECK = "TS KS JC TC 9H KD TD 9S AS KC JS 9D QH 9C JH QC JD AH AC QS AD QD TH KH"
G2_DECK = "AC KC QH TH AD JH KS QC AS JS TD KH JC KD 9S 9H TC JD 9D QS 9C TS QD AH"
G3_DECK = "KH QS TH KC JD TD KD TC 9C AS JS 9H JC KS QC AD 9D QD QH AC 9S JH TS AH"
G4_DECK = "QH AC 9S AS TH KD AH AD JH KH TC 9H QS 9D QD JC KS KC TS TD JD 9C QC JS"

# Four-handed, 3-2, dealer 3: seat 0 JS JC AS KS QS, seat 1 AC KC AD KD AH,
# seat 2 9C TC 9D TD 9H, seat 3 QC QD KH QH TH; up TS; buried 9S JD JH.
FIVE_DECK = "JS JC AS AC KC 9C TC 9D QC QD KS QS AD KD AH TD 9H KH QH TH TS 9S JD JH"
# The same with seat 0 JS JC AS 9C 9D, seat 1 AC KC QC AD KD, seat 2 TC TD 9H TH QD,
# seat 3 JH QH KH AH JD; up KS; buried QS TS 9S.
THREE_DECK = "JS JC AS AC KC TC TD 9H JH QH 9C 9D QC AD KD TH QD KH AH JD KS QS TS 9S"

# G1: N (0) TS KS JC KD TD, D (1) TC 9H 9S AS KC, up JS.
# G2: L (0) AC KC QH TD KH, A (1) TH AD JC KD 9S, X JH KS QC 9H TC, D (2) AS JS JD 9D QS, up 9C.
# The same with the joker turned up; the former up-card is the last card of the deck.
G1_JOKER = G1_DECK.replace("JS", "JK") + " JS"
G2_JOKER = G2_DECK.replace("9C", "JK") + " 9C"
FIVE_JOKER = FIVE_DECK.replace("TS", "JK") + " TS"
# N TS KS JC KD AS, D TC 9H 9S TD KC, up QC: no two cards of a suit that D may name.
FEW_DECK = "TS KS JC TC 9H KD AS 9S TD KC QC 9D QH 9C JH JS JD AH AC QS AD QD TH KH"


def hand(rules: Any, dealer: int, deck: str, actions: list[str], **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Returns a hand object of DESIGN.md section 8."""
    return {"rules": rules, "dealer": dealer, "deck": deck.split(), "actions": actions, **more}


def part_of(standing: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Returns what an expected standing speaks of; legal texts in the order it names them."""
    part = {key: standing[key] for key in wanted}
    if sorted(wanted.get("legal", [])) == sorted(part.get("legal", [])):
        part["legal"] = wanted.get("legal", [])
    if "views" in wanted:
        part["views"] = {
            seat: {key: standing["views"][seat][key] for key in keys}
            for seat, keys in wanted["views"].items()
        }
    return {key: part[key] for key in wanted}


def plays(text: str) -> list[str]:
    """Returns play actions for cards written one after the other."""
    return ["play " + card for card in text.split()]


def team(points: int, number: int) -> list[int]:
    """Returns points per seat for team 0 (seats 0, 2) or team 1 (seats 1, 3)."""
    return [points if seat % 2 == number else 0 for seat in range(4)]


def two(actions: str | list[str], cards: str = G1_DECK, /, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Returns a two-handed hand with dealer 1; actions separated by commas."""
    return hand({"preset": "two-handed", **options}, 1, cards, written(actions))


def three(actions: str | list[str], cards: str = G2_DECK, /, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Returns a three-handed hand with dealer 2; actions separated by commas."""
    return hand({"preset": "three-handed", **options}, 2, cards, written(actions))


def four(actions: str | list[str], cards: str = FIVE_DECK, /, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Returns a four-handed hand with dealer 3; actions separated by commas."""
    return hand({"preset": "four-handed", **options}, 3, cards, written(actions))


def written(actions: str | list[str]) -> list[str]:
    """Returns action texts that were written with commas between, or one by one."""
    if isinstance(actions, list):
        return actions
    return [text.strip() for text in actions.split(",") if text.strip()]


def asks(phase: str, seat: int, legal: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Returns an expected standing in which a seat is asked."""
    return {"phase": phase, "to_act": seat, "legal": written(legal), **more}


def cards(text: str) -> list[str]:
    """Returns card texts."""
    return text.split()
