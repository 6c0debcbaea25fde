"""Owns the bot that plays by rules of thumb: which thumb for which phase.

Must not look at anything but the decision: the same decision gets the same answer.
"""

from typing import Final

from euchre_arena.actions import Action, ActionKind
from euchre_arena.bot import Bot
from euchre_arena.bots import bidding, contracts
from euchre_arena.bots.cardplay import choose_card, choose_misere_card
from euchre_arena.bots.holding import best_discard, best_holding
from euchre_arena.bots.knowledge import Knowledge, deck_of
from euchre_arena.decision import Decision
from euchre_arena.games import Game
from euchre_arena.legal import Choose
from euchre_arena.trumps import trumps_for
from euchre_arena.view import Phase

__all__ = ["RulesBot"]


class RulesBot(Bot):
    """Plays every game of the family soundly, without looking ahead."""

    version = "1"
    max_open_decisions = 32

    def decide(self, decision: Decision) -> Action:
        """Returns one of the legal actions."""
        return _THUMBS[decision.phase](decision)


def _discard(decision: Decision) -> Action:
    view = decision.view
    known = Knowledge(view, deck_of(decision.table))
    allowed = [action.cards[0] for action in decision.legal]
    return Action.discard(best_discard(known, view.hand, allowed))


def _exchange(decision: Decision) -> Action:
    known = Knowledge(decision.view, deck_of(decision.table))
    legal = decision.legal
    if not isinstance(legal, Choose):
        return legal[0]
    return Action.keep(best_holding(known, legal.pool, legal.size))


def _play(decision: Decision) -> Action:
    view = decision.view
    cards = [action.cards[0] for action in decision.legal]
    if contracts.is_misere(view):
        return Action.play(choose_misere_card(view, cards))
    trumps = view.trumps
    if view.game is Game.NAPOLEON and view.trump is None:
        # The maker's first card makes trump.
        trumps = trumps_for(contracts.trump_to_lead(decision), bowers=False)
    return Action.play(choose_card(Knowledge(view, deck_of(decision.table), trumps), cards))


def _swap(decision: Decision) -> Action:
    """Three nines or tens are never missed."""
    swaps = decision.legal.of_kind(ActionKind.SWAP)
    return swaps[0] if swaps else decision.legal[0]


_THUMBS: Final = {
    Phase.NAME_BLIND: bidding.call_or_pass,
    Phase.BID1: bidding.order_or_pass,
    Phase.BID2: bidding.call_or_pass,
    Phase.PICKUP: bidding.take_or_decline,
    Phase.DISCARD: _discard,
    Phase.ALONE_MAKER: bidding.maker_alone,
    Phase.ALONE_DEFENDER: bidding.defender_alone,
    Phase.EXCHANGE: _exchange,
    Phase.PLAY: _play,
    Phase.SWAP: _swap,
    Phase.BID: contracts.bid_or_pass,
    Phase.NAME: contracts.name_trump,
    Phase.BURY: contracts.bury_or_pass,
    Phase.BEST: contracts.best_card,
}
