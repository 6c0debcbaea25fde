"""The beginning of a hand: checking a deal, dealing it out, asking the first question.

Owns the deck-to-hand map (RULES.md section 5, and section 4 on the maps).
Must not know how a deck was shuffled.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from euchre_engine.cards import JOKER, Card, Rank, Seat, mask_of
from euchre_engine.errors import PositionError
from euchre_engine.option_values import DealPattern, DummySeat, FarmersHand
from euchre_engine.phases import flow_of
from euchre_engine.phases.steps import advance, finish
from euchre_engine.state import Contract, Deal, State, UpcardStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from euchre_engine.variants import Ruleset

__all__ = ["DealMap", "deal_map", "start_hand"]

_HAND = 5


class DealMap(NamedTuple):
    """Which places of the deck go where; the rest is buried."""

    hands: tuple[tuple[int, ...], ...]
    """By seat."""
    dummy: tuple[int, ...]
    """Empty in games without one."""
    upcard: int
    order: tuple[Seat, ...]
    """All seats from the dealer's left to the dealer."""


def deal_map(rules: Ruleset, dealer: Seat) -> DealMap:
    """Returns where each card of the deck goes."""
    return _deal_map(
        rules.seat_count, dealer, rules.deal_pattern, rules.dummy_seat if rules.has_dummy else None
    )


@lru_cache(maxsize=256)
def _deal_map(
    seat_count: int, dealer: Seat, pattern: DealPattern, dummy_seat: DummySeat | None
) -> DealMap:
    seats = tuple(Seat((dealer + 1 + place) % seat_count) for place in range(seat_count))
    order: list[Seat | None] = list(seats)
    match dummy_seat:
        case None:
            pass
        case DummySeat.RIGHT_OF_DEALER:
            order.insert(seat_count - 1, None)
        case DummySeat.ACROSS:
            order.insert(1, None)
        case DummySeat.FIXED_CHAIR:
            order.insert(order.index(Seat(0)), None)
    got: dict[Seat | None, list[int]] = {place: [] for place in order}
    top = 0
    for sizes in _rounds(pattern):
        for index, place in enumerate(order):
            size = sizes[index % len(sizes)]
            got[place] += range(top, top + size)
            top += size
    return DealMap(
        hands=tuple(tuple(got[seat]) for seat in sorted(seats)),
        dummy=tuple(got.get(None, ())),
        upcard=top,
        order=seats,
    )


def _rounds(pattern: DealPattern) -> tuple[tuple[int, ...], ...]:
    """Returns by round the sizes of the packets, which repeat along the dealing order."""
    match pattern:
        case DealPattern.THREE_TWO:
            return ((3, 2), (2, 3))
        case DealPattern.TWO_THREE:
            return ((2, 3), (3, 2))
        case DealPattern.ONES:
            return ((1,),) * _HAND


def start_hand(
    rules: Ruleset,
    *,
    dealer: Seat,
    deck: Sequence[Card],
    scores: Sequence[int] | None = None,
    redeals: int = 0,
    hand_number: int = 1,
) -> State:
    """Returns the state before the first action of a hand.

    Args:
        rules: The rules of the game.
        dealer: The dealer's seat.
        deck: Every card of the deck in dealing order, the first card dealt first.
        scores: Before the hand, by seat; all zero if left out.
        redeals: How many deals directly before this one went unplayed.
        hand_number: The number of this deal within its game, from 1.

    Raises:
        PositionError: A part does not fit the rules; `key` names it.
    """
    deck = tuple(deck)
    before = (0,) * rules.seat_count if scores is None else tuple(scores)
    _check(rules, dealer, deck, before, redeals=redeals, hand_number=hand_number)
    where = deal_map(rules, dealer)
    upcard = deck[where.upcard]
    bits = [1 << card for card in deck]
    hands = tuple([sum([bits[place] for place in places]) for places in where.hands])
    deal = Deal(
        rules=rules,
        dealer=dealer,
        hand_number=hand_number,
        redeals=redeals,
        scores=before,
        deck=deck,
        hands=hands,
        dummy=sum([bits[place] for place in where.dummy]),
        buried=deck[where.upcard + 1 :],
        upcard=upcard,
        upcard_suit=rules.joker_upcard.suit if upcard is JOKER else upcard.suit,
        order=where.order,
        flow=flow_of(rules.game, rules.exchange_timing),
    )
    contract = Contract(away=(0,) * rules.seat_count, upcard_status=UpcardStatus.FACE_UP)
    state = State(deal, contract, -1, None, hands, 0, None, (), (), None, 0)
    return finish(state) if _is_misdeal(deal) else advance(state)


def _is_misdeal(deal: Deal) -> bool:
    """Returns whether a farmer's hand sends the deal back before anybody is asked."""
    if deal.rules.farmers_hand is not FarmersHand.REDEAL_NO_ACE_NO_FACE:
        return False
    return any(not hand & _HIGH_CARDS for hand in deal.hands)


_HIGH_CARDS = mask_of(card for card in Card if card.rank >= Rank.JACK)


def _check(
    rules: Ruleset,
    dealer: int,
    deck: tuple[Card, ...],
    scores: tuple[int, ...],
    *,
    redeals: int,
    hand_number: int,
) -> None:
    """Raises a PositionError for the first part that does not fit."""
    if dealer not in rules.seats:
        raise PositionError(
            f"dealer must be a seat from 0 to {rules.seat_count - 1}, not {dealer}", key="dealer"
        )
    if len(deck) != len(rules.deck_cards) or mask_of(deck) != _deck_mask(rules.deck_cards):
        raise PositionError(_deck_fault(rules, deck), key="deck")
    if len(scores) != rules.seat_count:
        raise PositionError(
            f"scores must be {rules.seat_count} numbers, one a seat, not {len(scores)}",
            key="scores",
        )
    if min(scores) < 0:
        raise PositionError(f"scores must not be negative, as in {list(scores)}", key="scores")
    if rules.has_partners and scores[:2] != scores[2:]:
        raise PositionError(
            f"partners have the same score: seats 0 and 2, seats 1 and 3, not {list(scores)}",
            key="scores",
        )
    if redeals < 0:
        raise PositionError(f"redeals must not be negative, not {redeals}", key="redeals")
    if hand_number < 1:
        raise PositionError(f"hand_number must be at least 1, not {hand_number}", key="hand_number")


@lru_cache(maxsize=16)
def _deck_mask(cards: tuple[Card, ...]) -> int:
    return mask_of(cards)


def _deck_fault(rules: Ruleset, deck: tuple[Card, ...]) -> str:
    """Returns in words what is wrong with a deck that is no permutation of the right cards."""
    right = rules.deck_cards
    faults = []
    if strange := [card.text for card in deck if card not in right]:
        faults.append(f"{' '.join(strange)} not in it")
    if missing := [card.text for card in right if card not in deck]:
        faults.append(f"{' '.join(missing)} missing")
    if twice := sorted({card.text for card in deck if deck.count(card) > 1}):
        faults.append(f"{' '.join(twice)} more than once")
    return f"deck must be the {len(right)} cards of the {rules.deck} deck, each once: " + "; ".join(
        faults
    )
