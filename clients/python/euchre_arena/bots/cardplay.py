"""Owns which card to play to a trick.

Must not know bidding, nor more of the hand than `Knowledge` has worked out.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from euchre_arena.bots.knowledge import Knowledge
from euchre_arena.cards import Card, Suit

if TYPE_CHECKING:
    from euchre_arena.view import Played, View

__all__ = ["choose_card", "choose_misere_card"]


def choose_card(known: Knowledge, cards: Sequence[Card]) -> Card:
    """Returns the one of these legal cards to play."""
    if len(cards) == 1:
        return cards[0]
    trick = known.view.trick
    if trick is None:
        return _lead(known, cards)
    place = known.trumps.winner(trick.cards)
    return _follow(known, cards, trick.plays[place])


def choose_misere_card(view: "View", cards: Sequence[Card]) -> Card:
    """Returns the card to play when the maker must not take a trick: he ducks, the others too."""
    height = view.trumps.height
    trick = view.trick
    if trick is None:
        return min(cards, key=height)
    if not view.is_maker and view.maker not in {played.seat for played in trick.plays}:
        return min(cards, key=height)  # the maker has still to get under it
    best = trick.cards[view.trumps.winner(trick.cards)]
    under = [card for card in cards if not view.trumps.beats(card, best)]
    return max(under or cards, key=height)


def _lead(known: Knowledge, cards: Sequence[Card]) -> Card:
    view, trumps = known.view, known.trumps
    own_trumps = sorted(filter(trumps.is_trump, cards), key=trumps.height)
    plain = [card for card in cards if not trumps.is_trump(card)]
    opponents = known.opponents()
    can_draw = known.trumps_out() > 0 and not all(
        known.is_void(seat, trumps.trump) for seat in opponents
    )
    ours = view.is_maker or (view.maker is not None and view.is_my_partner(view.maker))
    attacks = view.is_maker or (ours and view.game.has_teams) or view.seat in view.alone
    if attacks and own_trumps and can_draw:
        top = own_trumps[-1]
        if known.is_boss(top) or len(own_trumps) > 2:
            return top
    sure = [card for card in plain if known.is_boss(card)]
    if sure:
        return max(sure, key=lambda card: _safety(known, card, opponents))
    if not plain:
        return own_trumps[-1] if known.is_boss(own_trumps[-1]) else own_trumps[0]
    if not attacks and own_trumps and can_draw and len(own_trumps) == len(cards) - 1:
        return own_trumps[-1]
    return min(plain, key=lambda card: _lead_cost(known, card, own_trumps))


def _safety(known: Knowledge, card: Card, opponents: Sequence[int]) -> tuple[int, int]:
    """Returns how likely a top plain card is to pass untrumped, as a number to compare."""
    suit = known.trumps.suit_of(card)
    voids = sum(
        1
        for seat in opponents
        if known.is_void(seat, suit) and not known.is_void(seat, known.trumps.trump)
    )
    return (-voids, _count_out(known, suit))


def _lead_cost(known: Knowledge, card: Card, own_trumps: Sequence[Card]) -> tuple[int, int]:
    suit = known.trumps.suit_of(card)
    length = sum(1 for other in known.hand if known.trumps.suit_of(other) is suit)
    # A single card opens a suit for ruffing; without trumps a long suit may come to something.
    shape = length if own_trumps else -length
    return (shape, known.trumps.height(card))


def _follow(known: Knowledge, cards: Sequence[Card], best: "Played") -> Card:
    trumps = known.trumps
    winning = sorted((c for c in cards if trumps.beats(c, best.card)), key=trumps.height)
    after = known.to_follow()
    threats = [seat for seat in after if not known.view.is_my_partner(seat)]
    if not winning:
        return _throw_away(known, cards)
    if known.view.is_my_partner(best.seat) and not _can_be_beaten(known, best.card, threats):
        return _throw_away(known, cards)
    if not threats:
        return winning[0]
    if known.view.is_my_partner(best.seat) and not known.is_boss(winning[-1]):
        return _throw_away(known, cards)
    led = known.view.trick.plays[0].card if known.view.trick else best.card
    if trumps.is_trump(winning[0]) and not trumps.is_trump(led):
        return winning[0]
    return winning[-1] if known.is_boss(winning[-1]) else winning[0]


def _can_be_beaten(known: Knowledge, card: Card, threats: Sequence[int]) -> bool:
    """Returns whether one of these seats may hold a card that takes the trick from this one."""
    trumps = known.trumps
    trick = known.view.trick
    led: Suit | None = trumps.suit_of(trick.plays[0].card if trick else card)
    higher = [other for other in known.out if trumps.beats(other, card)]
    for seat in threats:
        for other in higher:
            suit = trumps.suit_of(other)
            if known.is_void(seat, suit):
                continue
            if suit is led or known.is_void(seat, led) or _count_out(known, led) == 0:
                return True
    return False


def _throw_away(known: Knowledge, cards: Sequence[Card]) -> Card:
    """Returns the card that is missed least: no trump, no sure winner, from a short suit."""
    return min(cards, key=lambda card: _loss(known, card))


def _loss(known: Knowledge, card: Card) -> tuple[bool, bool, int, int]:
    trumps = known.trumps
    suit = trumps.suit_of(card)
    length = sum(1 for other in known.hand if trumps.suit_of(other) is suit)
    is_sure = known.is_boss(card) and not trumps.is_trump(card)
    return (
        trumps.is_trump(card),
        is_sure,
        trumps.height(card) if length > 1 else 0,
        trumps.height(card),
    )


def _count_out(known: Knowledge, suit: Suit | None) -> int:
    return sum(1 for card in known.out if known.trumps.suit_of(card) is suit)
