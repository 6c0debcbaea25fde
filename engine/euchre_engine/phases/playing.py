"""The tricks: PLAY, and DONE after them (RULES.md sections 1-4).

Owns who leads, who follows whom, which cards follow, and who takes a trick.
Must not know what the tricks are worth, beyond asking whether anything can still change.

This is the hot path: plain tuples and masks, one state built a card.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from euchre_engine.actions import PLAYS, Action, Play
from euchre_engine.cards import Card, Seat, cards_in
from euchre_engine.errors import ActionError, Reason
from euchre_engine.option_values import AloneLead, BothAloneLeader
from euchre_engine.phases.steps import actor, advance, maker_of, not_allowed, wrong_phase
from euchre_engine.scoring import is_settled
from euchre_engine.state import Phase, PhaseRule, State, Step, Trick
from euchre_engine.trumps import TRUMPS

if TYPE_CHECKING:
    from euchre_engine.trumps import TrumpTable

__all__ = ["DONE", "PLAY"]

_TRICKS = 5


def _open_play(state: State, place: int) -> State:
    deal, contract = state.deal, state.contract
    next_seat = _next_active(deal.rules.seat_count, contract.sitting_out)
    leader = _first_leader(state, next_seat)
    return state._replace(
        contract=contract._replace(
            players=deal.rules.seat_count - len(contract.sitting_out), next_seat=next_seat
        ),
        place=place,
        to_act=leader,
        leader=leader,
    )


@lru_cache(maxsize=64)
def _next_active(seat_count: int, sitting_out: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Returns by seat the next seat clockwise that plays."""
    active = [seat for seat in range(seat_count) if seat not in sitting_out]
    return tuple(
        Seat(next((other for other in active if other > seat), active[0]))
        for seat in range(seat_count)
    )


def _first_leader(state: State, next_seat: tuple[Seat, ...]) -> Seat:
    """Returns who leads to the first trick."""
    rules, contract = state.deal.rules, state.contract
    maker = maker_of(state)
    left_of_dealer = next_seat[state.deal.dealer]
    match contract.alone:
        case ():
            return left_of_dealer
        case (loner,):
            if rules.alone_lead is AloneLead.LEFT_OF_LONER:
                return next_seat[loner]
            return left_of_dealer
        case loners:
            match rules.both_alone_leader:
                case BothAloneLeader.LEFT_OF_MAKER:
                    return next_seat[maker]
                case BothAloneLeader.LEFT_OF_DEFENDER:
                    return next_seat[next(seat for seat in loners if seat != maker)]
                case BothAloneLeader.LEFT_OF_DEALER:
                    return left_of_dealer


def _table(state: State) -> TrumpTable:
    trump = state.contract.trump
    assert trump is not None, "trump is fixed before play"  # noqa: S101  # for types
    return TRUMPS[trump]


def _playable(state: State) -> int:
    """Returns the cards that may be played, as a mask: those that follow, else all."""
    hand = state.held[actor(state)] & ~state.played
    if state.on_table:
        return hand & _table(state).follow[state.on_table[0]] or hand
    return hand


@lru_cache(maxsize=1 << 16)
def _plays(mask: int) -> tuple[Action, ...]:
    return tuple(PLAYS[card] for card in cards_in(mask))


def _legal_play(state: State) -> tuple[Action, ...]:
    return _plays(_playable(state))


def _act_play(state: State, action: Action) -> State:
    deal, contract, place, seat, held, played, leader, on_table, finished, log = state
    if not isinstance(action, Play) or seat is None or leader is None:
        raise wrong_phase(state, action)
    card = action.card
    if not _playable(state) >> card & 1:
        raise _refusal(state, card, held[seat] & ~played)

    on_table = (*on_table, card)
    played |= 1 << card
    log = (*log, Step(seat, action))
    if len(on_table) < contract.players:
        seat = contract.next_seat[seat]
        return State(deal, contract, place, seat, held, played, leader, on_table, finished, log)

    powers = _table(state).power[on_table[0]]
    heights = [powers[played_card] for played_card in on_table]
    winner = leader
    for _ in range(heights.index(max(heights))):
        winner = contract.next_seat[winner]
    finished = (*finished, Trick(leader, on_table, winner))
    after = State(deal, contract, place, winner, held, played, winner, (), finished, log)
    over = len(finished) == _TRICKS or (deal.rules.end_hand_early and is_settled(after))
    return advance(after) if over else after


def _refusal(state: State, card: Card, hand: int) -> ActionError:
    """Returns why a card may not be played."""
    if not hand >> card & 1:
        return not_allowed(state, Reason.NOT_IN_HAND, f"{card} is not in hand")
    return not_allowed(
        state,
        Reason.MUST_FOLLOW,
        f"{card} does not follow {state.on_table[0]}, which can be followed",
    )


def _open_done(state: State, place: int) -> State:
    return state._replace(place=place, to_act=None, leader=None)


def _legal_done(_: State) -> tuple[Action, ...]:
    return ()


def _act_done(state: State, action: Action) -> State:
    raise wrong_phase(state, action)


PLAY = PhaseRule(Phase.PLAY, _open_play, _legal_play, _act_play)
DONE = PhaseRule(Phase.DONE, _open_done, _legal_done, _act_done)
