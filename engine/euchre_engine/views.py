"""What each seat may know of a hand, and the onlookers (RULES.md and docs/family.md, section 6).

Owns the one door through which cards leave a state. A view is built up from what its audience
knows; nothing is made by taking secrets out of a whole.
Must not know who asks or why, nor of reveals after the game: that is the referee's business.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from euchre_engine.actions import (
    ALONE,
    DECLINE,
    ORDER,
    PASS,
    TAKE,
    TOGETHER,
    WITH_DUMMY,
    Action,
    ActionKind,
    FlatAction,
    Play,
    flat,
    text_of,
)
from euchre_engine.cards import Card, Seat, Suit, cards_in
from euchre_engine.scoring import outcome
from euchre_engine.state import Log, Phase, State, Trick, UpcardStatus

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PUBLIC", "Audience", "HistoryItem", "Public", "View", "view_for"]


class Public(Enum):
    """The audience that is no seat."""

    PUBLIC = "public"


PUBLIC: Final = Public.PUBLIC
Audience = Seat | Public


class HistoryItem(NamedTuple):
    """One action as its audience knows it; a hidden one names no cards."""

    seat: Seat
    kind: ActionKind
    suit: Suit | None
    bid: int
    cards: tuple[Card, ...]

    @property
    def card(self) -> Card | None:
        """Returns the card of an action that names exactly one, if it is known."""
        return self.cards[0] if len(self.cards) == 1 else None

    def __str__(self) -> str:
        return text_of(FlatAction(self.kind, self.suit, self.bid, self.cards))


class View(NamedTuple):
    """A hand as one audience knows it."""

    seat: Seat | None
    """Whose view; None for onlookers."""
    phase: Phase
    to_act: Seat | None
    dealer: Seat
    hand_number: int
    redeals: int
    scores: tuple[int, ...]
    """Before the hand, and with its points once it is done."""
    points: tuple[int, ...] | None
    """Of this hand, by seat; None until it is done."""
    hand: tuple[Card, ...]
    card_counts: tuple[int, ...]
    upcard: Card | None
    upcard_status: UpcardStatus
    trump: Suit | None
    maker: Seat | None
    alone: tuple[Seat, ...]
    sitting_out: tuple[Seat, ...]
    dummy: tuple[Card, ...]
    """The dummy as dealt, for the maker from the moment he may see it; else empty."""
    discarded: tuple[Card, ...]
    """What this seat itself put away."""
    contract: int | None
    """The number of the bid that won, once bidding is over."""
    widow: tuple[Card, ...]
    """The widow, for the maker from the moment he has taken it; else empty."""
    best_card: Card | None
    """The card that this seat gave its lone partner, or got from its partner when alone."""
    history: tuple[HistoryItem, ...]
    tricks: tuple[Trick, ...]
    """The finished ones."""
    trick: Trick | None
    """The one in progress."""
    tricks_won: tuple[int, ...]


_HIDDEN: Final = frozenset(
    {ActionKind.DISCARD, ActionKind.KEEP, ActionKind.SWAP, ActionKind.BURY, ActionKind.BEST}
)
"""Actions whose cards only the seat that took them knows."""


def view_for(state: State, audience: Audience) -> View:
    """Returns what a seat, or an onlooker (`PUBLIC`), may know."""
    deal, contract = state.deal, state.contract
    seat = None if isinstance(audience, Public) else audience
    result = outcome(state)
    phase, unplayed = state.phase, ~state.played
    hand: tuple[Card, ...] = ()
    dummy: tuple[Card, ...] = ()
    discarded: tuple[Card, ...] = ()
    widow: tuple[Card, ...] = ()
    best_card: Card | None = None
    if seat is not None:
        # A dealer who names trump blind has not looked at his cards yet (RULES.md section 4).
        if phase is not Phase.NAME_BLIND or seat != deal.dealer:
            hand = state.hand(seat)
        if contract.dummy_open and seat == contract.maker:
            dummy = state.dummy
        discarded = cards_in(contract.away[seat])
        if contract.widow_open and seat == contract.maker and deal.widow is not None:
            widow = (deal.widow,)
        if contract.best:
            best_card = contract.best[seat]
    return View(  # not by keyword: with so many fields that takes thrice as long
        seat,
        phase,
        state.to_act,
        deal.dealer,
        deal.hand_number,
        deal.redeals,
        result.scores if result else deal.scores,
        result.points if result else None,
        hand,
        tuple([(held & unplayed).bit_count() for held in state.held]),
        deal.upcard,
        contract.upcard_status,
        contract.trump,
        contract.maker,
        contract.alone,
        contract.sitting_out,
        dummy,
        discarded,
        state.bid,
        widow,
        best_card,
        _history(state.log, seat),
        tuple(map(_trick, state.finished)),
        state.trick,
        state.tricks_won,
    )


def _history(log: Log | None, seat: Seat | None) -> tuple[HistoryItem, ...]:
    """Returns all actions in order, as a seat or, for None, an onlooker knows them."""
    items = []
    while log is not None:
        log, actor, action = log
        if isinstance(action, Play):
            item = _PLAYED[actor][action.card]
        else:
            item = _PLAIN[actor].get(action.kind) or _as_known(actor, action, seat)
        items.append(item)
    items.reverse()
    return tuple(items)


def _as_known(actor: Seat, action: Action, seat: Seat | None) -> HistoryItem:
    whole = _whole(actor, action)
    if whole.kind not in _HIDDEN or actor == seat:
        return whole
    if whole.kind is ActionKind.BEST and seat is not None and (actor - seat) % 2 == 0:
        return whole  # both partners know the card
    return HistoryItem(actor, whole.kind, whole.suit, whole.bid, ())


@lru_cache(maxsize=4096)
def _whole(actor: Seat, action: Action) -> HistoryItem:
    return HistoryItem(actor, *flat(action))


# Most items of a history name nothing, or a card played: they are made once, for every seat.
_SEATS = tuple(map(Seat, range(7)))
_PLAYED = tuple(
    {card: HistoryItem(seat, ActionKind.PLAY, None, 0, (card,)) for card in Card} for seat in _SEATS
)
_PLAIN = tuple(
    {
        action.kind: HistoryItem(seat, action.kind, None, 0, ())
        for action in (PASS, ORDER, TAKE, DECLINE, ALONE, WITH_DUMMY, TOGETHER)
    }
    for seat in _SEATS
)
_trick: Callable[[tuple[Seat, tuple[Card, ...], Seat]], Trick] = partial(tuple.__new__, Trick)
