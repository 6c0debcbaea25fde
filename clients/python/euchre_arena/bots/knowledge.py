"""Owns what follows from a view for a player who counts: cards still out, voids, sure winners.

Must not know what to do about it.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from euchre_arena.cards import JOKER, Card, Suit
from euchre_arena.trumps import Trumps
from euchre_arena.view import UpcardStatus, View

if TYPE_CHECKING:
    from euchre_arena.games import Table

__all__ = ["Knowledge", "deck_of"]

_LOWEST: Final = {"24": 9, "25": 9, "28": 8, "32": 7, "33": 7, "52": 2}
_WITH_JOKER: Final = ("25", "33")


def deck_of(table: "Table") -> tuple[Card, ...]:
    """Returns the cards that the table plays with."""
    return _deck(str(table.rules.options["deck"]))


@lru_cache(maxsize=8)
def _deck(name: str) -> tuple[Card, ...]:
    return tuple(
        card
        for card in Card
        if (name in _WITH_JOKER if card is JOKER else card.rank >= _LOWEST[name])
    )


class Knowledge:
    """What one seat can work out for itself.

    Attributes:
        view: The view that it comes from.
        trumps: What cards are worth.
        hand: The own cards.
        out: The cards that may still be held against this seat.
    """

    def __init__(self, view: View, deck: Iterable[Card], trumps: Trumps | None = None) -> None:
        self.view = view
        self.trumps = trumps or view.trumps
        self.hand = view.hand
        gone = {*view.hand, *view.dummy, *view.discarded}
        self._voids: set[tuple[int, Suit | None]] = set()
        for trick in (*view.tricks, view.trick) if view.trick else view.tricks:
            gone.update(trick.cards)
            led = self.trumps.suit_of(trick.plays[0].card)
            self._voids |= {
                (played.seat, led)
                for played in trick.plays
                if self.trumps.suit_of(played.card) is not led
            }
        if view.upcard and view.upcard_status is not UpcardStatus.TAKEN:
            gone.add(view.upcard)
        self.out = [card for card in deck if card not in gone]

    def above(self, card: Card) -> int:
        """Returns how many cards of its suit that are out are higher."""
        suit, height = self.trumps.suit_of(card), self.trumps.height(card)
        return sum(
            1
            for other in self.out
            if self.trumps.suit_of(other) is suit and self.trumps.height(other) > height
        )

    def is_boss(self, card: Card) -> bool:
        """Returns whether no card of its suit that is out is higher."""
        return self.above(card) == 0

    def trumps_out(self) -> int:
        """Returns how many trumps may be held against this seat."""
        return sum(map(self.trumps.is_trump, self.out))

    def is_void(self, seat: int, suit: Suit | None) -> bool:
        """Returns whether the seat has shown that it has no card of the suit."""
        return (seat, suit) in self._voids

    def opponents(self) -> list[int]:
        """Returns the active seats on the other side."""
        view = self.view
        return [
            seat
            for seat in range(view.seat_count)
            if seat not in view.sitting_out and seat != view.seat and not view.is_my_partner(seat)
        ]

    def to_follow(self) -> list[int]:
        """Returns the seats that still play to this trick after the own one."""
        view = self.view
        done = {view.seat}
        if view.trick:
            done |= {played.seat for played in view.trick.plays}
        return [
            seat
            for seat in range(view.seat_count)
            if seat not in done and seat not in view.sitting_out
        ]
