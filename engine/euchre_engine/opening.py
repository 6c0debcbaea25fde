"""The beginning of a hand: checking a deal, dealing it out, asking the first question.

Owns the deck-to-hand map (RULES.md section 5, section 4 on the maps, docs/family.md).
Must not know how a deck was shuffled.
"""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from euchre_engine.cards import JOKER, Card, Rank, Seat, Suit, mask_of
from euchre_engine.errors import PositionError
from euchre_engine.option_values import DealPattern, DummySeat, FarmersHand
from euchre_engine.phases import flow_of
from euchre_engine.phases.steps import advance, finish
from euchre_engine.state import Contract, Deal, State, UpcardStatus, build

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from euchre_engine.variants import Ruleset

__all__ = ["DealMap", "deal_map", "start_hand"]

_LARGEST_SCORE = 1_000_000


class DealMap(NamedTuple):
    """Which places of the deck go where; the rest is buried."""

    hands: tuple[tuple[int, ...], ...]
    """By seat."""
    dummy: tuple[int, ...]
    """Empty in games without one."""
    rest: int
    """The first place after the hands: the up-card's or the widow's, where there is one."""
    order: tuple[Seat, ...]
    """All seats from the dealer's left to the dealer."""
    picks: tuple[Callable[[Sequence[int]], tuple[int, ...]], ...]
    """By seat: takes what lies at its places."""


def deal_map(rules: Ruleset, dealer: Seat) -> DealMap:
    """Returns where each card of the deck goes."""
    dummy_seat = rules.dummy_seat if rules.has_dummy else None
    return _deal_map(rules.seat_count, rules.hand_size, dealer, rules.deal_pattern, dummy_seat)


@lru_cache(maxsize=256)
def _deal_map(
    seat_count: int,
    hand_size: int,
    dealer: Seat,
    pattern: DealPattern,
    dummy_seat: DummySeat | None,
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
    for sizes in _rounds(pattern, hand_size):
        for index, place in enumerate(order):
            size = sizes[index % len(sizes)]
            got[place] += range(top, top + size)
            top += size
    hands = tuple(tuple(got[seat]) for seat in sorted(seats))
    return DealMap(
        hands=hands,
        dummy=tuple(got.get(None, ())),
        rest=top,
        order=seats,
        picks=tuple(itemgetter(*places) for places in hands),
    )


def _rounds(pattern: DealPattern, hand_size: int) -> tuple[tuple[int, ...], ...]:
    """Returns by round the sizes of the packets, which repeat along the dealing order."""
    match pattern:
        case DealPattern.THREE_TWO:
            return ((3, 2), (2, 3))
        case DealPattern.TWO_THREE:
            return ((2, 3), (3, 2))
        case DealPattern.THREES:
            return ((3,), (3,))
        case DealPattern.ONES:
            return ((1,),) * hand_size


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
    bits = [1 << card for card in deck]
    _check(rules, dealer, deck, bits, before, redeals=redeals, hand_number=hand_number)
    where = deal_map(rules, dealer)
    after_hands = deck[where.rest :]
    upcard = after_hands[0] if rules.has_upcard else None
    widow = after_hands[0] if rules.has_widow else None
    hands = tuple([sum(pick(bits)) for pick in where.picks])
    deal = Deal(
        rules=rules,
        dealer=dealer,
        hand_number=hand_number,
        redeals=redeals,
        scores=before,
        deck=deck,
        hands=hands,
        dummy=sum([bits[place] for place in where.dummy]) if where.dummy else 0,
        buried=after_hands if upcard is None and widow is None else after_hands[1:],
        upcard=upcard,
        upcard_suit=_upcard_suit(rules, upcard),
        widow=widow,
        order=where.order,
        flow=flow_of(rules.game, rules.exchange_timing),
    )
    status = UpcardStatus.NONE if upcard is None else UpcardStatus.FACE_UP
    contract = _nothing_fixed(rules.seat_count, status)
    state = build((deal, contract, -1, None, hands, 0, None, (), (), None, 0))
    return finish(state) if _is_misdeal(deal) else advance(state)


@lru_cache(maxsize=16)
def _nothing_fixed(seat_count: int, status: UpcardStatus) -> Contract:
    return Contract(away=(0,) * seat_count, upcard_status=status)


def _upcard_suit(rules: Ruleset, upcard: Card | None) -> Suit | None:
    if upcard is None:
        return None
    return rules.joker_upcard.suit if upcard is JOKER else upcard.suit


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
    bits: list[int],
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
    # So many single bits add up to this mask only if each of its bits is there once.
    if len(deck) != len(rules.deck_cards) or sum(bits) != _deck_mask(rules.deck_cards):
        raise PositionError(_deck_fault(rules, deck), key="deck")
    if len(scores) != rules.seat_count:
        raise PositionError(
            f"scores must be {rules.seat_count} numbers, one a seat, not {len(scores)}",
            key="scores",
        )
    if min(scores) < 0 and not rules.scores_fall:
        raise PositionError(f"scores must not be negative, as in {list(scores)}", key="scores")
    if max(map(abs, scores)) > _LARGEST_SCORE:
        raise PositionError(
            f"scores must not be beyond {_LARGEST_SCORE:,}, as in {list(scores)}", key="scores"
        )
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
