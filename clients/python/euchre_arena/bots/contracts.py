"""Owns the thumbs of the games in which tricks are bid: bid, name trump, bury, give the best card.

Must not know the play of the cards.
"""

from dataclasses import dataclass
from typing import Final

from euchre_arena.actions import Action, ActionKind
from euchre_arena.bots.holding import best_discard, value
from euchre_arena.bots.knowledge import Knowledge, deck_of
from euchre_arena.cards import Suit
from euchre_arena.decision import Decision
from euchre_arena.games import Game
from euchre_arena.trumps import trumps_for
from euchre_arena.view import View

__all__ = [
    "best_card",
    "bid_or_pass",
    "bury_or_pass",
    "is_misere",
    "name_trump",
    "trump_to_lead",
]

_MISERE: Final = 8  # Napoleon's bid to take no trick
_HAND: Final = {Game.HASENPFEFFER: 6, Game.PEPPER: 6, Game.NAPOLEON: 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """By how much a hand must be worth more than a bid before the bid is made.

    Attributes:
        some: For a bid of less than all tricks.
        all: For a bid of all tricks.
    """

    some: float
    all: float


MARGINS: Final = {
    Game.HASENPFEFFER: Margins(some=0.0, all=0.0),
    Game.PEPPER: Margins(some=0.2, all=0.0),
    Game.NAPOLEON: Margins(some=-0.6, all=-0.6),
}
_PARTNER_WITHOUT_TRUMP: Final = 1.2


def bid_or_pass(decision: Decision) -> Action:
    """Returns a bid that the hand is worth, or a pass.

    The lowest such bid where every trick counts; the highest where only the bid itself is paid.
    """
    game = decision.view.game
    margins = MARGINS[game]
    worth = max(_trump_value(decision, suit) for suit in _suits(decision))
    bids = decision.legal.of_kind(ActionKind.BID)
    for action in reversed(bids) if game is Game.NAPOLEON else bids:
        if game is Game.NAPOLEON and action.bid == _MISERE:
            wanted = _can_lose_all(decision)
        elif action.bid > _HAND[game]:  # all tricks at higher stakes
            wanted = False
        else:
            margin = margins.all if action.bid == _HAND[game] else margins.some
            wanted = worth >= action.bid + margin
        if wanted:
            return action
    passing = Action.pass_turn()
    return passing if passing in decision.legal else bids[0]


def name_trump(decision: Decision) -> Action:
    """Returns the suit, or no-trump, in which the hand is worth most."""
    return max(decision.legal, key=lambda action: _trump_value(decision, action.suit))


def trump_to_lead(decision: Decision) -> Suit:
    """Returns the suit that Napoleon's maker should make trump by leading it."""
    suits = {card.suit for card in decision.view.hand if card.suit}
    return max(sorted(suits), key=lambda suit: _trump_value(decision, suit))


def is_misere(view: View) -> bool:
    """Returns whether the maker has undertaken to take no trick."""
    if view.game is not Game.NAPOLEON:
        return False
    bids = [item.bid for item in view.history if item.kind is ActionKind.BID]
    return bids[-1:] == [_MISERE]


def bury_or_pass(decision: Decision) -> Action:
    """Returns what to bury: the card that is missed least, or nothing if every card is sure."""
    view = decision.view
    known = Knowledge(view, deck_of(decision.table))
    passing = Action.pass_turn()
    if passing in decision.legal and all(map(known.is_boss, view.hand)):
        return passing
    allowed = [action.cards[0] for action in decision.legal.of_kind(ActionKind.BURY)]
    return Action.bury(best_discard(known, view.hand, allowed))


def best_card(decision: Decision) -> Action:
    """Returns the card that helps a lone partner most: the highest trump, else the highest card."""
    height = decision.view.trumps.height
    return max(decision.legal, key=lambda action: height(action.cards[0]))


def _suits(decision: Decision) -> list[Suit | None]:
    without = [None] if decision.table.rules.options.get("no_trump") else []
    return [*Suit, *without]


def _trump_value(decision: Decision, suit: Suit | None) -> float:
    """Returns about how many tricks the maker's side takes with this trump; None is no-trump."""
    view = decision.view
    known = Knowledge(view, deck_of(decision.table), trumps_for(suit, bowers=view.game.has_bowers))
    hand = view.hand
    if suit is None:
        return _PARTNER_WITHOUT_TRUMP + sum(map(known.is_boss, hand))
    if len(hand) > _HAND[view.game]:  # the widow is among them
        away = best_discard(known, hand, hand)
        hand = tuple(card for card in hand if card is not away)
    return value(known, hand)


def _can_lose_all(decision: Decision) -> bool:
    """Returns whether the hand may hope to take no trick: low cards all over."""
    lowest = min(card.rank for card in deck_of(decision.table))
    ranks = [card.rank - lowest for card in decision.view.hand]
    return max(ranks) <= 6 and sum(ranks) <= 15
