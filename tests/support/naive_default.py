"""The naive second engine, part 8: the default action of DESIGN.md section 5, rule 4.

Owns what is played for a seat whose clock ran out. It must not know ``euchre_engine``.
"""

from naive_cards import SUITS, canonical, card_order, effective_suit
from naive_legal import legal_discards, legal_texts
from naive_table import Table

__all__ = ["default_text"]


def lowest(cards: list[str], trump: str) -> str:
    """Returns the default card: plain before trump, lowest in its effective suit, then C D H S."""
    plain = [card for card in cards if effective_suit(card, trump) != trump]
    if not plain:
        return [card for card in card_order(trump, trump) if card in cards][-1]
    for rank in "789TJQKA":
        for suit in SUITS:
            if rank + suit in plain:
                return rank + suit
    raise AssertionError(cards)


def default_text(table: Table) -> str:
    """Returns the default action of the seat to act, as a text."""
    legal = legal_texts(table)
    phase = table["phase"]
    if phase in {"SWAP", "BID1", "BID2", "NAME_BLIND"}:
        calls = [text for text in ["call C", "call D", "call H", "call S"] if text in legal]
        return "pass" if "pass" in legal else calls[0]
    if phase == "PICKUP":
        return "decline"
    if phase == "ALONE_MAKER":
        return "with_dummy" if "with_dummy" in legal else "together"
    if phase == "ALONE_DEFENDER":
        return "together"
    if phase == "EXCHANGE":
        own = table["hands"][table["maker"]]
        if len(own) == 6:  # five of eleven: also the card just taken may go (section 4)
            discard = lowest(own, table["trump"])
            own = [card for card in own if card != discard]
        return "keep " + " ".join(canonical(own))
    if phase == "DISCARD":
        return "discard " + lowest(legal_discards(table), table["trump"])
    playable = [text.removeprefix("play ") for text in legal]
    return "play " + lowest(playable, table["trump"])
