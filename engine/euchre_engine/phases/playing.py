"""The tricks: PLAY, and DONE after them (RULES.md sections 1-4, docs/family.md sections 3-5).

Owns who leads, who follows whom, which cards follow, and who takes a trick.
Must not know what the tricks are worth, beyond asking whether anything can still change.

This is the hot path: plain tuples and masks, one state built a card.
"""

from __future__ import annotations

from functools import lru_cache

from euchre_engine.actions import PLAYS, Action, Play
from euchre_engine.cards import JOKER, PRINTED, Card, Seat, Suit, cards_in
from euchre_engine.errors import ActionError, Reason
from euchre_engine.option_values import AloneLead, BothAloneLeader
from euchre_engine.phases.steps import advance, maker_of, not_allowed, wrong_phase
from euchre_engine.scoring import is_settled
from euchre_engine.state import Phase, PhaseRule, Plan, State, build
from euchre_engine.trumps import PLAIN_TRUMPS, TRUMPS

__all__ = ["DONE", "PLAY", "PLAY_LED_TRUMP"]


def _open_play(state: State, place: int) -> State:
    contract, rules = state.contract, state.deal.rules
    plan = _plan(rules.seat_count, contract.sitting_out, contract.trump, rules.has_bowers)
    leader = _first_leader(state, plan.next_seat)
    deal, _, _, _, held, played, _, on_table, finished, log, _ = state
    contract = contract._replace(plan=plan)
    playable = held[leader]
    return build(
        (deal, contract, place, leader, held, played, leader, on_table, finished, log, playable)
    )


@lru_cache(maxsize=256)
def _plan(
    seat_count: int,
    sitting_out: tuple[Seat, ...],
    trump: Suit | None,
    bowers: bool,  # noqa: FBT001  # a key of the cache
) -> Plan:
    """Returns how the tricks go: clockwise, past those who sit out, by the ranking of trump."""
    active = [seat for seat in range(seat_count) if seat not in sitting_out]
    next_seat = tuple(
        Seat(next((other for other in active if other > seat), active[0]))
        for seat in range(seat_count)
    )
    table = (TRUMPS if bowers else PLAIN_TRUMPS)[trump]
    return Plan(
        players=len(active),
        next_seat=next_seat,
        turns=tuple(_turns(Seat(seat), next_seat, len(active)) for seat in range(seat_count)),
        follow=table.follow,
        power=table.power,
    )


def _turns(leader: Seat, next_seat: tuple[Seat, ...], players: int) -> tuple[Seat, ...]:
    """Returns the seats in the order in which they play to a trick."""
    turns = [leader]
    while len(turns) < players:
        turns.append(next_seat[turns[-1]])
    return tuple(turns)


def _first_leader(state: State, next_seat: tuple[Seat, ...]) -> Seat:
    """Returns who leads to the first trick."""
    rules, contract = state.deal.rules, state.contract
    if contract.bid is not None:
        return maker_of(state)
    left_of_dealer = next_seat[state.deal.dealer]
    loners = contract.alone
    if not loners:
        return left_of_dealer
    if len(loners) == 1:
        (loner,) = loners
        if rules.alone_lead is AloneLead.LEFT_OF_LONER:
            return next_seat[loner]
        return left_of_dealer
    maker = maker_of(state)
    match rules.both_alone_leader:
        case BothAloneLeader.LEFT_OF_MAKER:
            return next_seat[maker]
        case BothAloneLeader.LEFT_OF_DEFENDER:
            return next_seat[next(seat for seat in loners if seat != maker)]
        case BothAloneLeader.LEFT_OF_DEALER:
            return left_of_dealer


@lru_cache(maxsize=1 << 16)
def _plays(mask: int) -> tuple[Action, ...]:
    plays: tuple[Action, ...] = ()
    for part in _PARTS:
        if mask & part:
            plays += _plays_of_suit(mask & part)
    return plays


@lru_cache(maxsize=1 << 12)
def _plays_of_suit(mask: int) -> tuple[Action, ...]:
    return tuple(PLAYS[card] for card in cards_in(mask))


_PARTS = (1 << JOKER, *PRINTED.values())


def _legal_play(state: State) -> tuple[Action, ...]:
    return _plays(state.playable)


def _act_play(state: State, action: Action) -> State:
    deal, contract, place, seat, held, played, leader, on_table, finished, log, playable = state
    plan = contract.plan
    if not isinstance(action, Play) or seat is None or leader is None or plan is None:
        raise wrong_phase(state, action)
    card = action.card
    bit = 1 << card
    if not playable & bit:
        raise _refusal(state, card, held[seat] & ~played)
    played |= bit
    on_table = (*on_table, card)
    log = (log, seat, action)

    if len(on_table) < plan.players:
        seat = plan.next_seat[seat]
        hand = held[seat] & ~played
        playable = hand & plan.follow[on_table[0]] or hand
    else:
        best = max(on_table, key=plan.power[on_table[0]].__getitem__)
        seat = plan.turns[leader][on_table.index(best)]
        finished = (*finished, (leader, on_table, seat))
        leader, on_table = seat, ()
        playable = held[seat] & ~played

    after = build(
        (deal, contract, place, seat, held, played, leader, on_table, finished, log, playable)
    )
    if on_table or (playable and not (deal.rules.end_hand_early and is_settled(after))):
        return after
    return advance(after)


def _act_led_trump(state: State, action: Action) -> State:
    """Plays a card; the first one of a hand makes its suit trump, save in a misère."""
    contract = state.contract
    if contract.trump is None and isinstance(action, Play) and _fixes_trump(state, action.card):
        rules, trump = state.deal.rules, action.card.suit
        plan = _plan(rules.seat_count, (), trump, rules.has_bowers)
        state = state._replace(contract=contract._replace(trump=trump, plan=plan))
    return _act_play(state, action)


def _fixes_trump(state: State, card: Card) -> bool:
    bid = state.contract.bid
    return bid is not None and bid.tricks > 0 and bool(state.playable >> card & 1)


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
    deal, contract, _, _, held, played, _, on_table, finished, log, _ = state
    return build((deal, contract, place, None, held, played, None, on_table, finished, log, 0))


def _legal_done(_: State) -> tuple[Action, ...]:
    return ()


def _act_done(state: State, action: Action) -> State:
    raise wrong_phase(state, action)


PLAY = PhaseRule(Phase.PLAY, _open_play, _legal_play, _act_play)
PLAY_LED_TRUMP = PhaseRule(Phase.PLAY, _open_play, _legal_play, _act_led_trump)
DONE = PhaseRule(Phase.DONE, _open_done, _legal_done, _act_done)
