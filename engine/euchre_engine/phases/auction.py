"""Bidding for tricks: BID, and NAME by the high bidder (docs/family.md sections 1 and 3-5).

Owns whose turn it is, when bidding ends, who must bid, and which trump may be named.
What a bid undertakes and which ones rank above it stands in `bids`. Must not know how it is played.
"""

from __future__ import annotations

from functools import lru_cache

from euchre_engine.actions import NAMES, PASS, Action, Bid, Name, Pass
from euchre_engine.bids import FORCED_BY_JOKER, BidTable
from euchre_engine.cards import JOKER, Seat, Suit
from euchre_engine.errors import Reason
from euchre_engine.option_values import Bidding
from euchre_engine.phases.steps import (
    acted,
    actor,
    advance,
    ask,
    finish,
    maker_of,
    not_allowed,
    settled,
    wrong_phase,
)
from euchre_engine.phases.widow import with_widow
from euchre_engine.state import Auction, Phase, PhaseRule, State

__all__ = ["BID", "NAME"]

_SUITS = tuple(NAMES[suit] for suit in Suit)
_SUITS_AND_NONE = (*_SUITS, NAMES[None])


def _open_bid(state: State, place: int) -> State:
    state = settled(state, contract=state.contract._replace(auction=Auction()))
    return ask(state, place, state.deal.order[0])


def _legal_bid(state: State) -> tuple[Action, ...]:
    return _offers(*_open_to(state))


def _open_to(state: State) -> tuple[tuple[int, ...], bool]:
    """Returns the numbers that the bidder may bid, and whether he may pass."""
    auction, bids = _auction_of(state)
    if auction.forced:
        return (FORCED_BY_JOKER,), False
    deal = state.deal
    is_last = not auction.high and auction.turns == len(deal.order) - 1
    if is_last and (
        deal.rules.stick_the_dealer or deal.redeals >= deal.rules.max_consecutive_redeals
    ):
        return bids.stuck, False
    return bids.above[auction.high], True


def _auction_of(state: State) -> tuple[Auction, BidTable]:
    auction, bids = state.contract.auction, state.deal.rules.bids
    assert auction is not None, "bidding has begun"  # noqa: S101  # for types
    assert bids is not None, "a game in which tricks are bid for has bids"  # noqa: S101  # for types
    return auction, bids


@lru_cache(maxsize=256)
def _offers(
    numbers: tuple[int, ...],
    may_pass: bool,  # noqa: FBT001  # a key of the cache
) -> tuple[Action, ...]:
    bids = tuple(map(Bid, numbers))
    return (PASS, *bids) if may_pass else bids


def _act_bid(state: State, action: Action) -> State:
    if not isinstance(action, (Bid, Pass)):
        raise wrong_phase(state, action)
    if action not in _legal_bid(state):
        raise not_allowed(state, Reason.BID_NOT_ALLOWED, f"{action} is not open to this seat")
    auction, _ = _auction_of(state)
    match action:
        case Pass():
            auction = auction._replace(turns=auction.turns + 1, passes=auction.passes + 1)
        case Bid(number):
            auction = auction._replace(
                turns=auction.turns + 1, passes=0, high=number, bidder=actor(state)
            )
    return _after_turn(state, action, auction)


def _after_turn(state: State, action: Action, auction: Auction) -> State:
    """Returns the state in which bidding goes on, has ended, or has come to nothing."""
    deal = state.deal
    contract = state.contract._replace(auction=auction)
    if not _is_over(state, auction):
        seat = deal.order[auction.turns % len(deal.order)]
        return acted(state, action, contract=contract, next_to_act=seat)
    if auction.bidder is not None:
        _, bids = _auction_of(state)
        return advance(
            acted(
                state,
                action,
                contract=contract._replace(maker=auction.bidder, bid=bids.by_number[auction.high]),
            )
        )
    holder = _joker_holder(state)
    if holder is None:
        return finish(acted(state, action, contract=contract))
    contract = contract._replace(auction=auction._replace(forced=True))
    return acted(state, action, contract=contract, next_to_act=holder)


def _is_over(state: State, auction: Auction) -> bool:
    deal = state.deal
    seats = len(deal.order)
    if deal.rules.bidding is Bidding.ONCE or auction.forced:
        return auction.turns >= seats
    others = seats if auction.bidder is None else seats - 1
    return auction.passes == others


def _joker_holder(state: State) -> Seat | None:
    """Returns who must bid when everybody has passed; None where nobody has the joker."""
    holders = (seat for seat in state.deal.rules.seats if state.held[seat] >> JOKER & 1)
    return next(holders, None)


def _open_name(state: State, place: int) -> State:
    if state.deal.rules.see_widow_first:
        state = with_widow(state)
    return ask(state, place, maker_of(state))


def _legal_name(state: State) -> tuple[Action, ...]:
    return _SUITS_AND_NONE if state.deal.rules.no_trump else _SUITS


def _act_name(state: State, action: Action) -> State:
    if not isinstance(action, Name):
        raise wrong_phase(state, action)
    if action not in _legal_name(state):
        raise not_allowed(state, Reason.SUIT_NOT_ALLOWED, "trump must be a suit")
    contract = state.contract._replace(trump=action.suit)
    return advance(acted(state, action, contract=contract))


BID = PhaseRule(Phase.BID, _open_bid, _legal_bid, _act_bid)
NAME = PhaseRule(Phase.NAME, _open_name, _legal_name, _act_name)
