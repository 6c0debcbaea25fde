"""The order of the phases in each game: one row of data a game.

Owns nothing but that order. A phase that has nothing to ask in a hand passes it on by itself, so a
row names all phases that a game can have.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from euchre_engine.games import Game
from euchre_engine.option_values import ExchangeTiming
from euchre_engine.phases.auction import BID, NAME
from euchre_engine.phases.bidding import BID1, BID2, NAME_BLIND
from euchre_engine.phases.calling import BEST, BURY_BY_DEFENDER, BURY_BY_MAKER
from euchre_engine.phases.declaring import ALONE_DEFENDER, ALONE_MAKER
from euchre_engine.phases.exchange import EXCHANGE, SWAP
from euchre_engine.phases.pickup import DISCARD, PICKUP
from euchre_engine.phases.playing import DONE, PLAY, PLAY_LED_TRUMP
from euchre_engine.phases.widow import BURY_FOR_WIDOW

if TYPE_CHECKING:
    from euchre_engine.state import PhaseRule

__all__ = ["flow_of"]


@lru_cache(maxsize=64)
def flow_of(game: Game, exchange_timing: ExchangeTiming) -> tuple[PhaseRule, ...]:
    """Returns the phases of a hand in order; the last one is DONE."""
    match game:
        case Game.TWO_HANDED:
            return (NAME_BLIND, BID1, BID2, PICKUP, DISCARD, PLAY, DONE)
        case Game.THREE_HANDED:
            last = (
                (EXCHANGE, ALONE_DEFENDER)
                if exchange_timing is ExchangeTiming.BEFORE_DEFENDERS
                else (ALONE_DEFENDER, EXCHANGE)
            )
            # DISCARD stands twice: `combined` lets the dealer decide on alone with six cards.
            bidding = (NAME_BLIND, BID1, BID2, PICKUP, DISCARD, ALONE_MAKER, DISCARD)
            return (*bidding, *last, PLAY, DONE)
        case Game.FOUR_HANDED:
            declared = (SWAP, NAME_BLIND, BID1, BID2, ALONE_MAKER)
            return (*declared, PICKUP, DISCARD, ALONE_DEFENDER, PLAY, DONE)
        case Game.RAILROAD:
            declared = (SWAP, NAME_BLIND, BID1, BID2, ALONE_MAKER)
            calls = (BURY_BY_MAKER, BEST, ALONE_DEFENDER, BURY_BY_DEFENDER, BEST)
            return (*declared, PICKUP, DISCARD, *calls, PLAY, DONE)
        case Game.HASENPFEFFER:
            return (BID, NAME, BURY_FOR_WIDOW, PLAY, DONE)
        case Game.PEPPER:
            return (BID, NAME, PLAY, DONE)
        case Game.NAPOLEON:
            return (BID, PLAY_LED_TRUMP, DONE)
