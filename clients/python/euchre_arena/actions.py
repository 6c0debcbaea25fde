"""Owns the actions of a bot: one flat value for all kinds, its text, and its form on the wire.

Must not know which actions are legal: the arena says so with every decision.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from euchre_arena.cards import Card, Suit, cards_from_numbers, in_order
from euchre_arena.v1 import action_pb2

__all__ = ["Action", "ActionKind", "action_from_wire", "write_action"]


class ActionKind(IntEnum):
    """The kinds of action; the numbers are the protocol's."""

    PASS = 1
    ORDER = 2
    CALL = 3
    TAKE = 4
    DECLINE = 5
    DISCARD = 6
    ALONE = 7
    WITH_DUMMY = 8
    TOGETHER = 9
    KEEP = 10
    PLAY = 11
    SWAP = 12
    BID = 13
    NAME = 14
    BURY = 15
    BEST = 16

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Action:
    """What a seat does. Made by the class methods, or taken from `decision.legal`.

    Attributes:
        kind: What is done; decides which of the others mean anything.
        suit: The suit of CALL and NAME; None with NAME is no-trump.
        bid: The number of BID.
        cards: The card of DISCARD, PLAY, BURY and BEST, the cards of KEEP and SWAP.
    """

    kind: ActionKind
    suit: Suit | None = None
    bid: int = 0
    cards: tuple[Card, ...] = ()

    @classmethod
    def pass_turn(cls) -> "Action":
        """Passes."""
        return cls(ActionKind.PASS)

    @classmethod
    def order(cls) -> "Action":
        """Orders the up-card into the dealer's hand."""
        return cls(ActionKind.ORDER)

    @classmethod
    def call(cls, suit: Suit) -> "Action":
        """Names trump."""
        return cls(ActionKind.CALL, suit=suit)

    @classmethod
    def take(cls) -> "Action":
        """Takes the up-card."""
        return cls(ActionKind.TAKE)

    @classmethod
    def decline(cls) -> "Action":
        """Leaves the up-card."""
        return cls(ActionKind.DECLINE)

    @classmethod
    def discard(cls, card: Card) -> "Action":
        """Puts a card away, as dealer."""
        return cls(ActionKind.DISCARD, cards=(card,))

    @classmethod
    def alone(cls) -> "Action":
        """Plays alone."""
        return cls(ActionKind.ALONE)

    @classmethod
    def with_dummy(cls) -> "Action":
        """Uses the dummy."""
        return cls(ActionKind.WITH_DUMMY)

    @classmethod
    def together(cls) -> "Action":
        """Does not play alone."""
        return cls(ActionKind.TOGETHER)

    @classmethod
    def keep(cls, cards: Iterable[Card]) -> "Action":
        """Keeps these cards, in any order, and buries the rest."""
        return cls(ActionKind.KEEP, cards=in_order(cards))

    @classmethod
    def play(cls, card: Card) -> "Action":
        """Plays a card to the trick."""
        return cls(ActionKind.PLAY, cards=(card,))

    @classmethod
    def swap(cls, cards: Iterable[Card]) -> "Action":
        """Swaps these cards for the buried ones."""
        return cls(ActionKind.SWAP, cards=in_order(cards))

    @classmethod
    def bidding(cls, number: int) -> "Action":
        """Bids a number."""
        return cls(ActionKind.BID, bid=number)

    @classmethod
    def name_trump(cls, suit: Suit | None) -> "Action":
        """Names trump after a won bid; None is no-trump."""
        return cls(ActionKind.NAME, suit=suit)

    @classmethod
    def bury(cls, card: Card) -> "Action":
        """Buries a card."""
        return cls(ActionKind.BURY, cards=(card,))

    @classmethod
    def best(cls, card: Card) -> "Action":
        """Gives a card to a partner who plays alone."""
        return cls(ActionKind.BEST, cards=(card,))

    @classmethod
    def parse(cls, text: str) -> "Action":
        """Returns the action of a text such as `play JD`: the reverse of `text`.

        Raises:
            ValueError: The text is no action; the message says why.
        """
        word, *rest = text.split()
        try:
            kind = ActionKind[word.upper()]
            least, most = _PARTS.get(kind, (0, 0))
            if not least <= len(rest) <= most:
                raise ValueError(f"{text!r} is no action: {kind} stands with {least} to {most}")
            if kind is ActionKind.NAME and rest == ["NT"]:
                return cls(kind)
            if kind in _SUITED:
                return cls(kind, suit=Suit[rest[0]])
            if kind is ActionKind.BID:
                return cls(kind, bid=int(rest[0]))
            return cls(kind, cards=in_order(Card[card] for card in rest))
        except KeyError as error:
            raise ValueError(f"{text!r} is no action: {error} is not known") from None

    @property
    def card(self) -> Card | None:
        """Returns the first card of the action; None when it has none."""
        return self.cards[0] if self.cards else None

    @property
    def text(self) -> str:
        """Returns the action as it is written in records: `order`, `call S`, `play JD`."""
        words = [str(self.kind)]
        if self.kind in _SUITED:
            words.append(self.suit.name if self.suit else "NT")
        if self.bid:
            words.append(str(self.bid))
        return " ".join([*words, *(card.text for card in self.cards)])

    def __str__(self) -> str:
        return self.text


_SUITED: Final = (ActionKind.CALL, ActionKind.NAME)
# How many words follow that of the kind, at least and at most; none where nothing stands here.
_PARTS: Final = {
    ActionKind.CALL: (1, 1),
    ActionKind.NAME: (1, 1),
    ActionKind.BID: (1, 1),
    ActionKind.PLAY: (1, 1),
    ActionKind.DISCARD: (1, 1),
    ActionKind.BURY: (1, 1),
    ActionKind.BEST: (1, 1),
    ActionKind.KEEP: (1, 53),
    ActionKind.SWAP: (1, 53),
}

# Most actions that travel are one of these few hundred, so they are made once.
_PLAIN: Final = {int(kind): Action(kind) for kind in ActionKind}
_ONE_CARD: Final = {
    int(kind): (_PLAIN[kind], *(Action(kind, cards=(card,)) for card in Card))
    for kind in (ActionKind.PLAY, ActionKind.DISCARD, ActionKind.BURY, ActionKind.BEST)
}


def action_from_wire(message: action_pb2.Action) -> Action:
    """Returns the action that a message of the arena stands for.

    Raises:
        ValueError: The kind is none that this version of the client knows.
    """
    kind, cards = message.kind, message.cards
    if len(cards) == 1 and kind in _ONE_CARD:
        return _ONE_CARD[kind][cards[0]]
    if not (cards or message.suit or message.bid) and kind in _PLAIN:
        return _PLAIN[kind]
    return Action(
        ActionKind(kind),
        suit=Suit(message.suit) if message.suit else None,
        bid=message.bid,
        cards=in_order(cards_from_numbers(cards)),
    )


def write_action(action: Action, message: action_pb2.Action) -> None:
    """Writes the action into an empty message."""
    message.kind = action.kind.value  # type: ignore[assignment]  # the numbers are the same
    if action.suit:
        message.suit = action.suit.value  # type: ignore[assignment]
    if action.bid:
        message.bid = action.bid
    if action.cards:
        message.cards.extend(action.cards)  # type: ignore[arg-type]
