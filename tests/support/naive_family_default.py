"""The naive second engine, the wider family: the default action, and why an answer is refused.

Owns "Default actions" and the refusals of docs/family.md section 1. Must not know
``euchre_engine``.
"""

from naive_default import default_text
from naive_family_cards import highest_card, lowest_card
from naive_family_hand import has_bowers, legal_in_family
from naive_family_railroad import is_legal_in_railroad
from naive_table import Table

__all__ = ["family_default", "refusal_reason"]

# Which kinds of action a phase knows (sections 2-5).
KINDS = {
    "BID": ["pass", "bid"],
    "NAME": ["name"],
    "BURY": ["bury"],
    "BEST": ["best"],
    "PLAY": ["play"],
}


def family_default(table: Table) -> str:
    """Returns the default action of the seat to act, as a text."""
    phase = table["phase"]
    railroad = table["rules"]["preset"] == "railroad"
    if railroad and phase == "BURY":
        return "pass"
    if railroad and phase == "BEST":
        return "best " + highest_card(table["hands"][table["to_act"]], table["trump"])
    if railroad:
        return default_text(table)
    legal = legal_in_family(table)
    if phase in {"BID", "NAME"}:
        return legal[0]  # pass or the lowest bid; name C
    verb = legal[0].split(" ")[0]
    cards = [text.split(" ")[1] for text in legal]
    return f"{verb} {lowest_card(cards, table['trump'], bowers=has_bowers(table))}"


def refusal_reason(table: Table, text: str) -> str | None:
    """Returns why an illegal text is refused; None if it is legal, or the phase is four-handed's.

    Only for texts that can be read.
    """
    railroad = table["rules"]["preset"] == "railroad"
    if railroad and is_legal_in_railroad(table, text):
        return None
    if not railroad and text in legal_in_family(table):
        return None
    verb = text.split(" ", maxsplit=1)[0]
    phase = table["phase"]
    if phase not in KINDS:
        return None
    declines_best = railroad and phase == "BURY" and verb == "pass"
    if verb not in KINDS[phase] and not declines_best:
        return "WRONG_PHASE"
    if phase == "BID":
        return "BID_NOT_ALLOWED"
    if phase == "NAME":
        return "SUIT_NOT_ALLOWED"
    card = text.removeprefix(verb + " ")
    return "MUST_FOLLOW" if card in table["hands"][table["to_act"]] else "NOT_IN_HAND"
