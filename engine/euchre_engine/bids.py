"""Owns the bids of the games in which tricks are bid for: order, undertaking and stakes.

The auction offers what stands here, the scorer pays by it, and the `rules` command and the rules
page print it (docs/family.md sections 3-5). It knows nothing of states or of how bidding goes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from euchre_engine.games import Game
from euchre_engine.option_values import FailedBidCosts, OvercallWins

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from euchre_engine.option_kinds import OptionValue

__all__ = ["FORCED_BY_JOKER", "BidSpec", "BidTable", "bids_of"]

FORCED_BY_JOKER: Final = 3
"""What the holder of the joker bids when everybody has passed."""


@dataclass(frozen=True, slots=True)
class BidSpec:
    """One bid. A bidder ranks above all that stand before it in its table."""

    number: int
    """How it is written; beyond the tricks of a hand no more than a name."""
    name: str
    tricks: int
    """How many it takes at least; 0: exactly none, and without trump."""
    won: int | None
    """Points when it is made; None: one for each trick. In Napoleon from each opponent."""
    lost: int
    """Points that it costs when it fails; in Napoleon to each opponent."""
    over: int | None = None
    """The one bid that it may be made over; None: any that ranks below."""


@dataclass(frozen=True, slots=True)
class BidTable:
    """The bids of a ruleset."""

    by_number: Mapping[int, BidSpec]
    """All, in ascending rank."""
    above: Mapping[int, tuple[int, ...]]
    """By the highest bid so far, 0 for none: what may be bid freely."""
    stuck: tuple[int, ...]
    """What a dealer may bid who may not pass."""
    largest: int
    """The most points that a bid can win its bidder, by one opponent in Napoleon."""
    costliest: int
    """The most points that a bid can cost, likewise."""


_NUMERALS: Final = ("one", "two", "three", "four", "five", "six")
_SIX: Final = len(_NUMERALS)
_LITTLE_PEPPER: Final = "little pepper"
_BIG_PEPPER: Final = BidSpec(7, "big pepper", tricks=_SIX, won=12, lost=12)

_NAPOLEON: Final = (
    BidSpec(1, "one", tricks=1, won=1, lost=1),
    BidSpec(2, "two", tricks=2, won=2, lost=2),
    BidSpec(3, "three", tricks=3, won=3, lost=3),
    BidSpec(8, "misère", tricks=0, won=3, lost=3),
    BidSpec(4, "four", tricks=4, won=4, lost=4),
    BidSpec(5, "Nap", tricks=5, won=10, lost=5),
    BidSpec(6, "Wellington", tricks=5, won=20, lost=10, over=5),
    BidSpec(7, "Blücher", tricks=5, won=30, lost=15, over=6),
)
_MISERE, _NAP, _WELLINGTON, _BLUCHER = 8, 5, 6, 7


def bids_of(game: Game, options: Mapping[str, OptionValue]) -> BidTable | None:
    """Returns the bids of a ruleset, None where no tricks are bid for.

    Args:
        game: The game.
        options: The value of every option that applies to it.
    """
    match game:
        case Game.HASENPFEFFER:
            bids = _team_bids(options)
        case Game.PEPPER:
            bids = _team_bids(options)
            bids[-1] = replace(bids[-1], name=_LITTLE_PEPPER)
            if options["big_pepper"]:
                bids.append(_BIG_PEPPER)
        case Game.NAPOLEON:
            bids = _napoleon_bids(options)
        case _:
            return None
    lowest = next(place for place, bid in enumerate(bids) if bid.number == options["minimum_bid"])
    free = bids[lowest:]
    above = {0: _numbers(free)} | {
        bid.number: _numbers(bids[max(place + 1, lowest) :], over=bid.number)
        for place, bid in enumerate(bids)
    }
    first = bids[:1] if game is Game.NAPOLEON and lowest > 0 else []
    return BidTable(
        by_number=MappingProxyType({bid.number: bid for bid in bids}),
        above=MappingProxyType(above),
        stuck=(*_numbers(first), *above[0]),
        largest=max(bid.tricks if bid.won is None else bid.won for bid in free),
        costliest=max(bid.lost for bid in free),
    )


def _numbers(bids: Iterable[BidSpec], over: int = 0) -> tuple[int, ...]:
    return tuple(bid.number for bid in bids if bid.over in (None, over))


def _team_bids(options: Mapping[str, OptionValue]) -> list[BidSpec]:
    """Returns the bids of one to six tricks."""
    all_tricks = options["failed_bid_costs"] == FailedBidCosts.ALL_TRICKS
    return [
        BidSpec(number, name, tricks=number, won=None, lost=_SIX if all_tricks else number)
        for number, name in enumerate(_NUMERALS, start=1)
    ]


def _napoleon_bids(options: Mapping[str, OptionValue]) -> list[BidSpec]:
    offered = {_MISERE: "misere", _WELLINGTON: "wellington", _BLUCHER: "blucher"}
    bids = {
        bid.number: bid
        for bid in _NAPOLEON
        if bid.number not in offered or options[offered[bid.number]]
    }
    if _MISERE in bids:
        bids[_MISERE] = replace(bids[_MISERE], lost=int(options["misere_lost_points"]))
    if options["overcall_wins"] == OvercallWins.AS_NAP:
        for number in {_WELLINGTON, _BLUCHER} & bids.keys():
            bids[number] = replace(bids[number], won=bids[_NAP].won)
    return list(bids.values())
