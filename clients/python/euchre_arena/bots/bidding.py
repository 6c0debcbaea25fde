"""Owns what to say before the play: order, call, take, alone.

Must not know the play of the cards.
"""

from dataclasses import dataclass
from typing import Final

from euchre_arena.actions import Action, ActionKind
from euchre_arena.bots.holding import best_discard, best_holding, value
from euchre_arena.bots.knowledge import Knowledge, deck_of
from euchre_arena.cards import Suit
from euchre_arena.decision import Decision
from euchre_arena.games import Game
from euchre_arena.trumps import trumps_for
from euchre_arena.view import View

__all__ = ["call_or_pass", "defender_alone", "maker_alone", "order_or_pass", "take_or_decline"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """How many tricks a hand must be worth before trump is made, by `worth`.

    Found by playing both branches of many thousand decisions to the end: from here on, bidding
    gains points on passing. Three-handed they are low, since the dummy's five cards come on top.

    Attributes:
        dealer: In the first round, for the dealer, who takes the card.
        to_partner: In the first round, when a partner deals.
        to_opponent: In the first round, when an opponent deals and gets the card.
        call: In the second round, by place after the dealer; the dealer himself last.
        alone: For playing without dummy or partner, where that pays.
        defend_alone: For defending without the other defender.
    """

    dealer: float
    to_partner: float
    to_opponent: float
    call: tuple[float, ...]
    alone: float
    defend_alone: float


_NEVER: Final = 9.0
THRESHOLDS: Final = {
    Game.TWO_HANDED: Thresholds(
        dealer=2.1,
        to_partner=_NEVER,
        to_opponent=4.2,
        call=(2.0, 2.2),
        alone=_NEVER,
        defend_alone=_NEVER,
    ),
    Game.THREE_HANDED: Thresholds(
        dealer=-0.9,
        to_partner=_NEVER,
        to_opponent=-0.2,
        call=(-1.0, -0.8, -0.8),
        alone=3.0,
        defend_alone=2.6,
    ),
    Game.FOUR_HANDED: Thresholds(
        dealer=2.8,
        to_partner=2.85,
        to_opponent=3.9,
        call=(2.7, 2.6, 2.6, 2.6),
        alone=3.75,
        defend_alone=3.0,
    ),
    Game.RAILROAD: Thresholds(
        dealer=2.8,
        to_partner=2.85,
        to_opponent=3.9,
        call=(2.7, 2.6, 2.6, 2.6),
        alone=3.0,
        defend_alone=2.5,
    ),
}


def order_or_pass(decision: Decision) -> Action:
    """Returns whether to make the up-card's suit trump."""
    suit = upcard_suit(decision)
    if ActionKind.ORDER not in {action.kind for action in decision.legal} or suit is None:
        return Action.pass_turn()
    view = decision.view
    wanted = THRESHOLDS[view.game]
    if view.is_dealer:
        enough = wanted.dealer
    elif view.is_my_partner(view.dealer):
        enough = wanted.to_partner
    else:
        enough = wanted.to_opponent
    if order_value(decision, suit) + _haste(decision) >= enough:
        return Action.order()
    return _pass_if_legal(decision, Action.order())


def order_value(decision: Decision, suit: Suit) -> float:
    """Returns about how many tricks this seat takes after it has ordered."""
    view = decision.view
    known = Knowledge(view, deck_of(decision.table), trumps_for(suit, bowers=view.game.has_bowers))
    if view.upcard is None or view.is_my_partner(view.dealer):
        return value(known, view.hand)
    if view.is_dealer:
        hand = (*view.hand, view.upcard)
        away = best_discard(known, hand, view.hand)
        return value(known, [card for card in hand if card is not away])
    known.out.append(view.upcard)
    return value(known, view.hand)


def call_or_pass(decision: Decision) -> Action:
    """Returns whether to name a suit, and which."""
    view = decision.view
    calls = decision.legal.of_kind(ActionKind.CALL)
    if not view.hand or not calls:  # blind, or no suit that may be named
        return decision.legal[0]
    best = max(calls, key=lambda call: call_value(decision, call.suit))
    enough = THRESHOLDS[view.game].call[_place(view)]
    if call_value(decision, best.suit) + _haste(decision) >= enough:
        return best
    return _pass_if_legal(decision, best)


def call_value(decision: Decision, suit: Suit | None) -> float:
    """Returns about how many tricks this seat takes after it has named the suit."""
    view = decision.view
    known = Knowledge(view, deck_of(decision.table), trumps_for(suit, bowers=view.game.has_bowers))
    return value(known, view.hand)


def take_or_decline(decision: Decision) -> Action:
    """Returns whether the dealer takes the ordered card."""
    view = decision.view
    known = Knowledge(view, deck_of(decision.table))
    if view.upcard is None:
        return decision.legal[0]
    hand = (*view.hand, view.upcard)
    away = best_discard(known, hand, view.hand)
    with_it = value(known, [card for card in hand if card is not away])
    return Action.take() if with_it >= value(known, view.hand) else Action.decline()


def maker_alone(decision: Decision) -> Action:
    """Returns whether the maker does without dummy or partner."""
    view, options = decision.view, decision.table.rules.options
    other = decision.legal[1] if decision.legal[0].kind is ActionKind.ALONE else decision.legal[0]
    march = options["alone_march_points"]
    if int(march) <= (2 if view.game.has_teams else 3):
        return other
    known = Knowledge(view, deck_of(decision.table))
    hand = best_holding(known, view.hand, 5)  # six, where the dealer discards afterwards
    alone = value(known, hand) >= THRESHOLDS[view.game].alone
    return Action.alone() if alone else other


def defender_alone(decision: Decision) -> Action:
    """Returns whether a defender does without the other one."""
    view = decision.view
    worth = value(Knowledge(view, deck_of(decision.table)), view.hand)
    if worth >= THRESHOLDS[view.game].defend_alone:
        return Action.alone()
    return Action.together()


def upcard_suit(decision: Decision) -> Suit | None:
    """Returns the suit that the up-card stands for in the first round."""
    upcard = decision.view.upcard
    if upcard is None:
        return None
    if upcard.suit is not None:
        return upcard.suit
    mode = str(decision.table.rules.options["joker_upcard"])
    return Suit[mode.removeprefix("fixed:")[:1].upper()]


def _place(view: View) -> int:
    """Returns the own place in the bidding order, 0 for the dealer's left."""
    return (view.seat - view.dealer - 1) % view.seat_count


def _haste(decision: Decision) -> float:
    """Returns by how much the score makes a bid worth more, or less when it is negative."""
    view = decision.view
    target = int(decision.table.rules.options["target"])
    needs = target - view.scores[view.seat]
    others = [
        target - score
        for seat, score in enumerate(view.scores)
        if seat != view.seat and not (view.game.has_teams and view.is_my_partner(seat))
    ]
    closest = min(others)
    if needs <= 1:
        return 0.2  # one point ends the game
    if closest <= 2:
        return -0.2  # being euchred would end it
    return 0.0


def _pass_if_legal(decision: Decision, otherwise: Action) -> Action:
    passing = Action.pass_turn()
    return passing if passing in decision.legal else otherwise
