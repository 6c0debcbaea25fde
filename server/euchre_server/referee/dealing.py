"""Owns which cards a table's hand is played with (DESIGN.md section 7).

Must not know the table's state: the deck follows from the spec and the hand's number.
"""

from functools import lru_cache

from euchre_engine import Card, Suit
from euchre_engine.deal import shuffle
from euchre_engine.relabel import Relabelling
from euchre_server.referee.spec import TableSpec

__all__ = ["deck_of"]


def deck_of(spec: TableSpec, hand_number: int) -> tuple[Card, ...]:
    """Returns the deck of a hand as dealt at this table: shuffled, then with its suits relabelled.

    Every seating of a board has the same deck but for the relabelling.
    """
    deck = shuffle(spec.deal_key, board=spec.board, hand=hand_number, cards=spec.rules.deck_cards)
    return _relabelling(spec.relabelling).cards(deck)


@lru_cache(maxsize=32)
def _relabelling(images: tuple[Suit, Suit, Suit, Suit]) -> Relabelling:
    return Relabelling(images)  # it keeps a table of all cards, so one of each is kept
