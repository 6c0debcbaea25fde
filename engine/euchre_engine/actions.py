"""The actions: one frozen value a kind, their texts and their flat form.

Owns the written form of every action (RULES.md section 7) and its reading; reading never guesses.
Must not know whether an action is allowed anywhere: that is the business of the phases.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from euchre_engine.cards import Card, Suit, card_from_text, in_order, suit_from_text
from euchre_engine.errors import Reason, UnreadableAction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = [
    "ALONE",
    "BESTS",
    "BURIES",
    "CALLS",
    "DECLINE",
    "DISCARDS",
    "NAMES",
    "ORDER",
    "PASS",
    "PLAYS",
    "TAKE",
    "TOGETHER",
    "WITH_DUMMY",
    "Action",
    "ActionKind",
    "Alone",
    "Best",
    "Bid",
    "Bury",
    "Call",
    "Decline",
    "Discard",
    "FlatAction",
    "Keep",
    "Name",
    "Order",
    "Pass",
    "Play",
    "Swap",
    "Take",
    "Together",
    "WithDummy",
    "flat",
    "parse_action",
    "text_of",
    "unflatten",
]


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

    @property
    def word(self) -> str:
        """Returns the first word of the action's text."""
        return self.name.lower()


class _Written:
    """Gives an action its text: the word of its kind, then what it names."""

    __slots__ = ()
    kind: ClassVar[ActionKind]

    def __str__(self) -> str:
        return text_of(flat(self))  # type: ignore[arg-type]  # each subclass is an Action


@dataclass(frozen=True, slots=True)
class Pass(_Written):
    """Declines to bid, to swap, or to call for a partner's best card."""

    kind: ClassVar[ActionKind] = ActionKind.PASS


@dataclass(frozen=True, slots=True)
class Order(_Written):
    """Makes the up-card's suit trump."""

    kind: ClassVar[ActionKind] = ActionKind.ORDER


@dataclass(frozen=True, slots=True)
class Call(_Written):
    """Makes a suit of one's choice trump."""

    suit: Suit
    kind: ClassVar[ActionKind] = ActionKind.CALL


@dataclass(frozen=True, slots=True)
class Take(_Written):
    """Takes the up-card."""

    kind: ClassVar[ActionKind] = ActionKind.TAKE


@dataclass(frozen=True, slots=True)
class Decline(_Written):
    """Leaves the up-card."""

    kind: ClassVar[ActionKind] = ActionKind.DECLINE


@dataclass(frozen=True, slots=True)
class Discard(_Written):
    """Puts one card away."""

    card: Card
    kind: ClassVar[ActionKind] = ActionKind.DISCARD


@dataclass(frozen=True, slots=True)
class Alone(_Written):
    """Plays without dummy, partner or fellow defender."""

    kind: ClassVar[ActionKind] = ActionKind.ALONE


@dataclass(frozen=True, slots=True)
class WithDummy(_Written):
    """Plays with the dummy's help."""

    kind: ClassVar[ActionKind] = ActionKind.WITH_DUMMY


@dataclass(frozen=True, slots=True)
class Together(_Written):
    """Plays with the partner or fellow defender."""

    kind: ClassVar[ActionKind] = ActionKind.TOGETHER


@dataclass(frozen=True, slots=True)
class Keep(_Written):
    """Keeps these cards of all that were to choose from; listed in the canonical order."""

    cards: tuple[Card, ...]
    kind: ClassVar[ActionKind] = ActionKind.KEEP

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", in_order(self.cards))


@dataclass(frozen=True, slots=True)
class Play(_Written):
    """Plays a card to the trick."""

    card: Card
    kind: ClassVar[ActionKind] = ActionKind.PLAY


@dataclass(frozen=True, slots=True)
class Swap(_Written):
    """Swaps these cards for buried ones; listed in the canonical order."""

    cards: tuple[Card, ...]
    kind: ClassVar[ActionKind] = ActionKind.SWAP

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", in_order(self.cards))


@dataclass(frozen=True, slots=True)
class Bid(_Written):
    """Bids so many tricks, or what the number stands for in the game."""

    number: int
    kind: ClassVar[ActionKind] = ActionKind.BID


@dataclass(frozen=True, slots=True)
class Name(_Written):
    """Names the trump of a bid that was won; without a suit, no trump."""

    suit: Suit | None
    kind: ClassVar[ActionKind] = ActionKind.NAME


@dataclass(frozen=True, slots=True)
class Bury(_Written):
    """Puts away one card after taking the widow, or before a partner gives his best one."""

    card: Card
    kind: ClassVar[ActionKind] = ActionKind.BURY


@dataclass(frozen=True, slots=True)
class Best(_Written):
    """Gives one card to a partner who plays alone."""

    card: Card
    kind: ClassVar[ActionKind] = ActionKind.BEST


Action = (
    Pass
    | Order
    | Call
    | Take
    | Decline
    | Discard
    | Alone
    | WithDummy
    | Together
    | Keep
    | Play
    | Swap
    | Bid
    | Name
    | Bury
    | Best
)

# Actions are values, so one object of each serves everybody. The card tables are indexed by card.
PASS: Final = Pass()
ORDER: Final = Order()
TAKE: Final = Take()
DECLINE: Final = Decline()
ALONE: Final = Alone()
WITH_DUMMY: Final = WithDummy()
TOGETHER: Final = Together()
CALLS: Final = {suit: Call(suit) for suit in Suit}
PLAYS: Final = {card: Play(card) for card in Card}
DISCARDS: Final = {card: Discard(card) for card in Card}
BURIES: Final = {card: Bury(card) for card in Card}
BESTS: Final = {card: Best(card) for card in Card}
_NO_TRUMP: Final = "NT"
NAMES: Final = {suit: Name(suit) for suit in (*Suit, None)}


class FlatAction(NamedTuple):
    """An action as the protocol carries it: one shape for all kinds."""

    kind: ActionKind
    suit: Suit | None = None
    bid: int = 0
    cards: tuple[Card, ...] = ()


def text_of(row: FlatAction) -> str:
    """Returns the text of an action, or of as much of it as is known."""
    parts = [row.kind.word]
    if row.suit is not None:
        parts.append(row.suit.name)
    elif row.kind is ActionKind.NAME:
        parts.append(_NO_TRUMP)
    if row.bid:
        parts.append(str(row.bid))
    return " ".join([*parts, *(card.text for card in row.cards)])


def flat(action: Action) -> FlatAction:
    """Returns the action in its flat form."""
    match action:
        case Call(suit) | Name(suit):
            return FlatAction(action.kind, suit=suit)
        case Bid(number):
            return FlatAction(action.kind, bid=number)
        case Play(card) | Discard(card) | Bury(card) | Best(card):
            return FlatAction(action.kind, cards=(card,))
        case Keep(cards) | Swap(cards):
            return FlatAction(action.kind, cards=cards)
        case _:
            return FlatAction(action.kind)


_PLAIN: Final[dict[ActionKind, Action]] = {
    action.kind: action for action in (PASS, ORDER, TAKE, DECLINE, ALONE, WITH_DUMMY, TOGETHER)
}
_OF_SUIT: Final[dict[ActionKind, Mapping[Suit, Action]]] = {
    ActionKind.CALL: CALLS,
    ActionKind.NAME: {suit: NAMES[suit] for suit in Suit},
}
_OF_CARD: Final[dict[ActionKind, Callable[[Card], Action]]] = {
    ActionKind.PLAY: PLAYS.__getitem__,
    ActionKind.DISCARD: DISCARDS.__getitem__,
    ActionKind.BURY: BURIES.__getitem__,
    ActionKind.BEST: BESTS.__getitem__,
}
_OF_CARDS: Final[dict[ActionKind, Callable[[tuple[Card, ...]], Action]]] = {
    ActionKind.KEEP: Keep,
    ActionKind.SWAP: Swap,
}


def unflatten(
    kind: int, suit: int | None = None, bid: int = 0, cards: Iterable[int] = ()
) -> Action:
    """Returns the action of a flat form; parts that its kind does not use change nothing.

    Args:
        kind: An `ActionKind` by number.
        suit: A `Suit` by number; None or 0 where there is none.
        bid: The number bid; 0 where there is none.
        cards: `Card` numbers.

    Raises:
        UnreadableAction: A number stands for nothing, or a part that the kind needs is missing.
    """
    try:
        named = ActionKind(kind)
    except ValueError:
        what = f"{kind} is no kind of action" if kind else "no kind of action is set"
        raise _unreadable(f"{what}: kinds go from 1 to 16") from None
    if named in _PLAIN:
        return _PLAIN[named]
    if named in _OF_SUIT:
        if named is ActionKind.NAME and not suit:
            return NAMES[None]
        if suit not in (1, 2, 3, 4):
            raise _unreadable(f"{named.word} needs a suit from 1 to 4, not {suit or 0}")
        return _OF_SUIT[named][Suit(suit)]
    if named is ActionKind.BID:
        return _bid(bid)
    numbers = tuple(cards)
    for number in numbers:
        if not 1 <= number <= 53:
            raise _unreadable(f"{number} is no card: cards go from 1 to 53")
    return _with_cards(named, tuple(map(Card, numbers)))


def parse_action(text: str) -> Action:
    """Returns the action of a text such as `play JD`; single spaces, upper-case cards and suits.

    Raises:
        UnreadableAction: The text is none of the texts of an action.
    """
    word, *rest = text.split(" ")
    kind = _KIND_OF_WORD.get(word)
    if kind is None:
        raise _unreadable(
            f"{text[:60]!r} is no action: it begins with one of {', '.join(_KIND_OF_WORD)}"
        )
    try:
        if kind in _PLAIN:
            if rest:
                raise _unreadable(f"{word} stands alone, without {' '.join(rest)[:60]!r}")
            return _PLAIN[kind]
        if kind is ActionKind.NAME and rest == [_NO_TRUMP]:
            return NAMES[None]
        if kind in _OF_SUIT:
            return _OF_SUIT[kind][suit_from_text(" ".join(rest))]
        if kind is ActionKind.BID:
            number = " ".join(rest)
            return _bid(int(number) if number.isascii() and number.isdigit() else 0)
        return _with_cards(kind, tuple(map(card_from_text, rest)))
    except UnreadableAction:
        raise
    except ValueError as error:
        raise _unreadable(f"{text[:60]!r}: {error}") from None


_KIND_OF_WORD: Final = {kind.word: kind for kind in ActionKind}


def _bid(number: int) -> Bid:
    if not 1 <= number <= 99:
        raise _unreadable("bid needs a number from 1 to 99")
    return Bid(number)


def _with_cards(kind: ActionKind, cards: tuple[Card, ...]) -> Action:
    if kind in _OF_CARD:
        if len(cards) != 1:
            raise _unreadable(f"{kind.word} needs exactly one card, not {len(cards)}")
        return _OF_CARD[kind](cards[0])
    if not 1 <= len(cards) <= 53:
        raise _unreadable(f"{kind.word} needs 1 to 53 cards, not {len(cards)}")
    return _OF_CARDS[kind](cards)


def _unreadable(message: str) -> UnreadableAction:
    return UnreadableAction(Reason.UNREADABLE, message)
