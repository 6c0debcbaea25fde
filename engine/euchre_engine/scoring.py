"""Who gets how much for a hand, and whether the game is over.

Owns the way from tricks to a `HandResult`, from there to points by seat, and the end of a game
(RULES.md sections 2, 3, 4 and 8; docs/family.md). The numbers themselves stand in `points`, and in
`bids` where tricks are bid for.
Must not know cards: a result follows from trick counts and the contract alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from euchre_engine.games import Game
from euchre_engine.option_values import LoneDefenderScores, RedealDealer, TieRule
from euchre_engine.points import POINTS, HandResult
from euchre_engine.state import Phase

if TYPE_CHECKING:
    from euchre_engine.bids import BidSpec
    from euchre_engine.cards import Seat
    from euchre_engine.state import Contract, Deal, State
    from euchre_engine.variants import Ruleset

__all__ = ["Outcome", "is_settled", "outcome"]

_TRICKS = 5  # of the games whose results have names
_MAKING = 3

_PAID_TO_MAKER = frozenset(row.result for row in POINTS if row.to_maker)
_OF_LONE_DEFENDER = frozenset({HandResult.LONE_DEFENDER_EUCHRE, HandResult.LONE_DEFENDER_MARCH})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a finished hand did to the game."""

    points: tuple[int, ...]
    """By seat; partners alike."""
    scores: tuple[int, ...]
    """After the hand, by seat."""
    passed_out: bool
    """Nobody played: no trump was fixed."""
    game_over: bool
    winners: tuple[Seat, ...]
    """Empty before the end of the game."""
    next_dealer: Seat | None
    """None at the end of the game."""
    next_redeals: int
    """How many deals directly before the next one went unplayed."""
    carry: tuple[int, ...]
    """By seat: the scores with which the next game of the same players begins (`laps`)."""
    game_worth: int
    """How many games this one counts for, two where it was a `slam`; 0 before its end."""


def outcome(state: State) -> Outcome | None:
    """Returns what the hand did to the game, None until it is done."""
    if state.phase is not Phase.DONE:
        return None
    deal = state.deal
    rules = deal.rules
    passed_out = state.contract.maker is None
    points = (
        (0,) * rules.seat_count
        if passed_out
        else _points(rules, state.contract, _maker_tricks(state))
    )
    scores = tuple(map(sum, zip(deal.scores, points, strict=True)))
    winners = _winners(deal, state.contract, scores)
    stays = passed_out and rules.redeal_dealer is RedealDealer.SAME
    return Outcome(
        points=points,
        scores=scores,
        passed_out=passed_out,
        game_over=bool(winners),
        winners=winners,
        next_dealer=None if winners else deal.dealer if stays else deal.order[0],
        next_redeals=deal.redeals + 1 if passed_out else 0,
        carry=_carry(rules, scores, winners),
        game_worth=_game_worth(rules, scores, winners),
    )


def is_settled(state: State) -> bool:
    """Returns whether the tricks still to come cannot change the points of a hand in play."""
    won = _maker_tricks(state)
    rules, contract = state.deal.rules, state.contract
    left = rules.hand_size - len(state.finished)
    return len({_points(rules, contract, won + more) for more in range(left + 1)}) == 1


def _maker_tricks(state: State) -> int:
    """Returns the number of tricks won by the maker's side."""
    side = _maker_side(state.deal.rules, state.contract)
    return sum(winner in side for _, _, winner in state.finished)


def _maker_side(rules: Ruleset, contract: Contract) -> tuple[Seat, ...]:
    maker = contract.maker
    assert maker is not None, "points are counted only where trump was fixed"  # noqa: S101
    return tuple(seat for seat in rules.seats if _same_side(rules, seat, maker))


def _same_side(rules: Ruleset, one: Seat, other: Seat) -> bool:
    return one == other or (rules.has_partners and (one - other) % 2 == 0)


def _points(rules: Ruleset, contract: Contract, maker_tricks: int) -> tuple[int, ...]:
    """Returns the points by seat for so many tricks of the maker's side."""
    if contract.bid is not None:
        return _bid_points(rules, contract, contract.bid, maker_tricks)
    result = _result(rules, contract, maker_tricks)
    worth = rules.points[result]
    side = _maker_side(rules, contract)
    if result in _PAID_TO_MAKER:
        paid = side
    elif result in _OF_LONE_DEFENDER and rules.lone_defender_scores is LoneDefenderScores.LONE_ONLY:
        paid = tuple(seat for seat in contract.alone if seat not in side)
    else:
        paid = tuple(seat for seat in rules.seats if seat not in side)
    return tuple(worth if seat in paid else 0 for seat in rules.seats)


def _result(rules: Ruleset, contract: Contract, maker_tricks: int) -> HandResult:
    """Returns the row of the points table that a hand came to."""
    maker_alone = contract.maker in contract.alone
    defender_alone = len(contract.alone) > maker_alone
    if maker_tricks == _TRICKS:
        return HandResult.ALONE_MARCH if maker_alone else HandResult.MARCH
    if maker_tricks >= _MAKING:
        if maker_alone:
            return HandResult.ALONE_MAKE
        if rules.game is Game.TWO_HANDED and maker_tricks > _MAKING:
            return HandResult.FOUR_TRICKS
        return HandResult.MAKE
    if defender_alone:
        swept = maker_tricks == 0
        return HandResult.LONE_DEFENDER_MARCH if swept else HandResult.LONE_DEFENDER_EUCHRE
    if maker_alone:
        return HandResult.ALONE_EUCHRE
    if maker_tricks == 0 and HandResult.DEFENDER_MARCH in rules.points:
        return HandResult.DEFENDER_MARCH
    return HandResult.EUCHRE


def _bid_points(
    rules: Ruleset, contract: Contract, bid: BidSpec, maker_tricks: int
) -> tuple[int, ...]:
    """Returns the points by seat where tricks were bid for (docs/family.md sections 3-5)."""
    made = maker_tricks >= bid.tricks if bid.tricks else maker_tricks == 0
    gain = maker_tricks if bid.won is None else bid.won
    value = gain if made else -bid.lost
    if rules.has_partners:
        others = rules.hand_size - maker_tricks
    else:
        value, others = value * (rules.seat_count - 1), -value
    side = _maker_side(rules, contract)
    return tuple(value if seat in side else others for seat in rules.seats)


def _carry(rules: Ruleset, scores: tuple[int, ...], winners: tuple[Seat, ...]) -> tuple[int, ...]:
    """Returns what is left over the target, less than a whole game, and never less than nothing."""
    if not rules.laps:
        return (0,) * rules.seat_count
    most = rules.target - 1
    return tuple(
        max(0, min(scores[seat] - rules.target, most)) if seat in winners else 0
        for seat in rules.seats
    )


def _game_worth(rules: Ruleset, scores: tuple[int, ...], winners: tuple[Seat, ...]) -> int:
    """Returns 0 while the game goes on, else 1, or 2 where those who lost have no point."""
    if not winners:
        return 0
    losers = [scores[seat] for seat in rules.seats if seat not in winners]
    return 2 if rules.slam and losers and not any(losers) else 1


def _winners(deal: Deal, contract: Contract, scores: tuple[int, ...]) -> tuple[Seat, ...]:
    """Returns who has won the game with these scores; empty: it goes on."""
    rules = deal.rules
    best = max(scores)
    level = tuple(seat for seat in rules.seats if scores[seat] == best)
    winners = _by_tie_rule(deal, contract, scores, level) if best >= rules.target else ()
    if not winners and deal.hand_number >= rules.max_hands:
        return level
    return winners


def _by_tie_rule(
    deal: Deal, contract: Contract, scores: tuple[int, ...], level: tuple[Seat, ...]
) -> tuple[Seat, ...]:
    """Returns who wins when the target is reached; `level` are those with the highest total."""
    rules = deal.rules
    if rules.has_partners:
        both = min(scores) >= rules.target
        if both and rules.tie_rule is TieRule.MAKERS_FIRST and contract.maker is not None:
            return _maker_side(rules, contract)
        return level if len(level) < rules.seat_count else ()
    match rules.tie_rule:
        case TieRule.ANY_REACHING_SHARED:
            return tuple(seat for seat in rules.seats if scores[seat] >= rules.target)
        case _ if len(level) == 1:
            return level
        case TieRule.HIGHEST_ELSE_PLAY_ON:
            return ()
        case TieRule.HIGHEST_ELSE_SHARED:
            return level
        case TieRule.LEFT_OF_DEALER_FIRST:
            return (next(seat for seat in deal.order if seat in level),)
        case TieRule.LONE_DEFENDER_FIRST:
            return tuple(
                seat for seat in level if seat in contract.alone and seat != contract.maker
            )
        case TieRule.MAKERS_FIRST:
            return ()  # of team games alone
        case _:
            assert_never(rules.tie_rule)
