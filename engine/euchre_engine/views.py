"""What each seat may know of a hand, and the onlookers (RULES.md section 6).

Owns the one door through which cards leave a state. A view is built up from what its audience
knows; nothing is made by taking secrets out of a whole.
Must not know who asks or why, nor of reveals after the game: that is the referee's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from euchre_engine.actions import Action, ActionKind, flat
from euchre_engine.cards import Card, Seat, Suit, cards_in
from euchre_engine.scoring import outcome
from euchre_engine.state import Phase, State, Trick, UpcardStatus

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
        parts = [self.kind.word]
        if self.suit is not None:
            parts.append(self.suit.name)
        if self.bid:
            parts.append(str(self.bid))
        return " ".join([*parts, *(card.text for card in self.cards)])


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
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
    hand: tuple[Card, ...] = ()
    dummy: tuple[Card, ...] = ()
    discarded: tuple[Card, ...] = ()
    if seat is not None:
        # A dealer who names trump blind has not looked at his cards yet (RULES.md section 4).
        if state.phase is not Phase.NAME_BLIND or seat != deal.dealer:
            hand = state.hand(seat)
        if contract.dummy_open and seat == contract.maker:
            dummy = state.dummy
        discarded = cards_in(contract.away[seat])
    return View(
        seat=seat,
        phase=state.phase,
        to_act=state.to_act,
        dealer=deal.dealer,
        hand_number=deal.hand_number,
        redeals=deal.redeals,
        scores=result.scores if result else deal.scores,
        points=result.points if result else None,
        hand=hand,
        card_counts=tuple((held & ~state.played).bit_count() for held in state.held),
        upcard=deal.upcard,
        upcard_status=contract.upcard_status,
        trump=contract.trump,
        maker=contract.maker,
        alone=contract.alone,
        sitting_out=contract.sitting_out,
        dummy=dummy,
        discarded=discarded,
        history=tuple([_as_known(step.seat, step.action, seat) for step in state.steps]),
        tricks=state.finished_tricks,
        trick=state.trick,
        tricks_won=state.tricks_won,
    )


def _as_known(actor: Seat, action: Action, seat: Seat | None) -> HistoryItem:
    row = flat(action)
    cards = row.cards if actor == seat or row.kind not in _HIDDEN else ()
    return HistoryItem(actor, row.kind, row.suit, row.bid, cards)
