"""Owns what a bot may know about a hand, as objects made only when they are asked for.

Must not know more than the arena's view says: nothing is remembered from one view to the next.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final

from euchre_arena.actions import ActionKind
from euchre_arena.cards import Card, Suit, cards_from_numbers
from euchre_arena.games import Game
from euchre_arena.trumps import Trumps, trumps_for
from euchre_arena.v1 import view_pb2

__all__ = ["HistoryItem", "Phase", "Played", "Trick", "UpcardStatus", "View"]


class Phase(IntEnum):
    """The phases of a hand; the numbers are the protocol's."""

    NAME_BLIND = 1
    BID1 = 2
    PICKUP = 3
    DISCARD = 4
    BID2 = 5
    ALONE_MAKER = 6
    ALONE_DEFENDER = 7
    EXCHANGE = 8
    PLAY = 9
    DONE = 10
    SWAP = 11
    BID = 12
    NAME = 13
    BURY = 14
    BEST = 15


class UpcardStatus(IntEnum):
    """Where the turned card is; NONE where the game turns no card."""

    NONE = 0
    FACE_UP = 1
    TAKEN = 2
    DECLINED = 3
    TURNED_DOWN = 4


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """One action of the hand, as everybody may know it: cards put away are never shown."""

    seat: int
    kind: ActionKind
    suit: Suit | None = None
    card: Card | None = None
    bid: int = 0

    def __str__(self) -> str:
        what = self.suit or self.card or self.bid
        return f"{self.seat} {self.kind}" + (f" {what}" if what else "")


@dataclass(frozen=True, slots=True)
class Played:
    """A card that a seat played to a trick."""

    seat: int
    card: Card

    def __str__(self) -> str:
        return f"{self.seat} {self.card}"


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick: who led, what was played in order, who won; `winner` is None while it lasts."""

    leader: int
    plays: tuple[Played, ...]
    winner: int | None

    @property
    def cards(self) -> tuple[Card, ...]:
        """Returns the cards in the order played."""
        return tuple(played.card for played in self.plays)


_PLAY: Final[int] = ActionKind.PLAY
_OF_SUIT: Final = (ActionKind.CALL, ActionKind.NAME)
_OF_CARD: Final = (ActionKind.PLAY, ActionKind.BEST)


class View:
    """Everything that this seat may know about the hand in play. Lists "per seat" begin at seat 0.

    Attributes:
        game: The game played.
    """

    def __init__(self, message: view_pb2.View, game: Game) -> None:
        self._message = message
        self.game = game

    @property
    def seat(self) -> int:
        """Returns the own seat."""
        return self._message.seat

    @property
    def phase(self) -> Phase:
        """Returns the phase of the hand."""
        return Phase(self._message.phase)

    @property
    def to_act(self) -> int | None:
        """Returns the seat to act; None when the hand is over."""
        return self._message.to_act if self._message.HasField("to_act") else None

    @property
    def dealer(self) -> int:
        """Returns the dealer's seat."""
        return self._message.dealer

    @property
    def hand_number(self) -> int:
        """Returns the number of the hand at this table, from 1."""
        return self._message.hand_number

    @property
    def redeals(self) -> int:
        """Returns how many hands were passed out directly before this one."""
        return self._message.redeals

    @cached_property
    def hand(self) -> tuple[Card, ...]:
        """Returns the own cards."""
        return cards_from_numbers(self._message.hand)

    @property
    def card_counts(self) -> tuple[int, ...]:
        """Returns how many cards each seat holds."""
        return tuple(self._message.card_counts)

    @property
    def seat_count(self) -> int:
        """Returns the number of seats."""
        return len(self._message.card_counts)

    @cached_property
    def upcard(self) -> Card | None:
        """Returns the turned card; None where none is turned."""
        number = self._message.upcard
        return cards_from_numbers((number,))[0] if number else None

    @property
    def upcard_status(self) -> UpcardStatus:
        """Returns where the turned card is."""
        return UpcardStatus(self._message.upcard_status)

    @cached_property
    def dummy(self) -> tuple[Card, ...]:
        """Returns the dummy's cards as dealt: for the maker, once he may see them, else empty."""
        return cards_from_numbers(self._message.dummy)

    @cached_property
    def discarded(self) -> tuple[Card, ...]:
        """Returns the cards that this seat itself put away."""
        return cards_from_numbers(self._message.discarded)

    @property
    def contract(self) -> int:
        """Returns the number of the winning bid; 0 where there is none."""
        return self._message.contract

    @cached_property
    def widow(self) -> tuple[Card, ...]:
        """Returns the widow's cards: for the maker, once he may see them, else empty."""
        return cards_from_numbers(self._message.widow)

    @cached_property
    def best_card(self) -> Card | None:
        """Returns the card given to a lone partner, for giver and receiver."""
        number = self._message.best_card
        return cards_from_numbers((number,))[0] if number else None

    @cached_property
    def history(self) -> tuple[HistoryItem, ...]:
        """Returns every action of the hand so far, oldest first."""
        return tuple(
            map(
                _history_item,
                self._message.history_seats,
                self._message.history_kinds,
                self._message.history_values,
            )
        )

    @cached_property
    def tricks(self) -> tuple[Trick, ...]:
        """Returns the finished tricks."""
        message = self._message
        history = zip(
            message.history_seats, message.history_kinds, message.history_values, strict=True
        )
        plays = [
            Played(seat, cards_from_numbers((card,))[0])
            for seat, kind, card in history
            if kind == _PLAY
        ]
        size = self.seat_count - len(message.sitting_out)
        return tuple(
            Trick(leader, tuple(plays[size * place : size * (place + 1)]), winner)
            for place, (leader, winner) in enumerate(
                # The trick in progress has a leader and no winner yet.
                zip(message.trick_leaders, message.trick_winners, strict=False)
            )
        )

    @cached_property
    def trick(self) -> Trick | None:
        """Returns the trick in progress; None between tricks and before the play."""
        message = self._message
        if not message.trick_cards:
            return None
        cards = cards_from_numbers(message.trick_cards)
        plays = tuple(map(Played, message.trick_seats, cards))
        return Trick(plays[0].seat, plays, None)

    @property
    def trump(self) -> Suit | None:
        """Returns trump; None before it is fixed, and where there is none."""
        return Suit(self._message.trump) if self._message.trump else None

    @property
    def maker(self) -> int | None:
        """Returns the maker's seat; None before there is one."""
        return self._message.maker if self._message.HasField("maker") else None

    @property
    def alone(self) -> tuple[int, ...]:
        """Returns the seats that play alone."""
        return tuple(self._message.alone)

    @property
    def sitting_out(self) -> tuple[int, ...]:
        """Returns the seats whose cards lie face down for this hand."""
        return tuple(self._message.sitting_out)

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """Returns the tricks won, per seat."""
        return tuple(self._message.tricks_won)

    @property
    def scores(self) -> tuple[int, ...]:
        """Returns the scores before this hand, per seat; partners have the same."""
        return tuple(self._message.scores)

    @property
    def points(self) -> tuple[int, ...] | None:
        """Returns the points of this hand, per seat; None until it is over."""
        return tuple(self._message.points) or None

    @cached_property
    def trumps(self) -> Trumps:
        """Returns what cards are worth in this hand, bowers and all."""
        return trumps_for(self.trump, bowers=self.game.has_bowers)

    @property
    def is_dealer(self) -> bool:
        """Returns whether this seat deals."""
        return self.seat == self.dealer

    @property
    def is_maker(self) -> bool:
        """Returns whether this seat is the maker."""
        return self.seat == self.maker

    def is_my_partner(self, seat: int) -> bool:
        """Returns whether that other seat is on this seat's side.

        In team games the seat across. Elsewhere all defenders are partners against the maker, so
        nobody has a partner before there is one.
        """
        if seat == self.seat:
            return False
        if self.game.has_teams:
            return (seat - self.seat) % 2 == 0
        maker = self.maker
        return maker is not None and maker not in (seat, self.seat)

    def __str__(self) -> str:
        parts = [
            f"seat {self.seat}",
            f"dealer {self.dealer}",
            self.phase.name,
            f"hand {' '.join(map(str, self.hand)) or '-'}",
        ]
        if self.upcard:
            parts.append(f"up-card {self.upcard} {self.upcard_status.name.lower()}")
        if self.dummy:
            parts.append(f"dummy {' '.join(map(str, self.dummy))}")
        if self.trump:
            parts.append(f"trump {self.trump}")
        if self.maker is not None:
            parts.append(f"maker {self.maker}")
        parts.append(f"history {'; '.join(map(str, self.history)) or '-'}")
        return ", ".join(parts)


def _history_item(seat: int, kind: int, value: int) -> HistoryItem:
    named = ActionKind(kind)
    if not value:
        return HistoryItem(seat, named)
    if named in _OF_CARD:
        return HistoryItem(seat, named, card=cards_from_numbers((value,))[0])
    if named in _OF_SUIT:
        return HistoryItem(seat, named, suit=Suit(value))
    return HistoryItem(seat, named, bid=value)
