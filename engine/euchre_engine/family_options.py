"""Owns the rows of the table of options that only the wider family has.

The wider family is that of RULES.md section 8 and docs/family.md. `options` puts these rows into
the one table, last. It knows nothing of presets, states or phases.
"""

from __future__ import annotations

from euchre_engine import option_values as values
from euchre_engine.games import Game
from euchre_engine.option_kinds import Flag, Integer
from euchre_engine.option_spec import OptionSpec, row, word

__all__ = ["FAMILY_OPTIONS", "MOST_PLAYERS"]

MOST_PLAYERS = 7

_R, _H, _P, _N = Game.RAILROAD, Game.HASENPFEFFER, Game.PEPPER, Game.NAPOLEON

_PARTNERS = (Game.FOUR_HANDED, _R)

FAMILY_OPTIONS: tuple[OptionSpec, ...] = (
    row(
        "canadian_loner",
        Flag(),
        default=False,
        sentence="A dealer's partner who orders the up-card plays alone without being asked.",
        games=_PARTNERS,
    ),
    row(
        "farmers_hand",
        word(values.FarmersHand),
        default=values.FarmersHand.NONE,
        sentence=(
            "Before the bidding, from the dealer's left, exactly three nines or three tens may "
            "be swapped with the three cards under the up-card (three_swap), or cards are dealt"
            " anew whenever somebody holds neither ace nor face card (redeal_no_ace_no_face), "
            "or neither (none)."
        ),
        games=_PARTNERS,
    ),
    row(
        "players",
        Integer(2, MOST_PLAYERS),
        default=5,
        sentence="So many play.",
        games=(_N,),
    ),
    row(
        "call_for_best",
        Flag(),
        default=True,
        sentence=("A player who is alone may bury one card and get one that his partner chooses."),
        games=(_R,),
        idle=False,
    ),
    row(
        "laps",
        Flag(),
        default=False,
        sentence=(
            "The winners' points above the target are their score at the start of the next game."
        ),
        games=(_R,),
    ),
    row(
        "slam",
        Flag(),
        default=False,
        sentence="A game whose losers have no point counts as two games won.",
        games=(_R,),
    ),
    row(
        "bidding",
        word(values.Bidding),
        default=values.Bidding.ROUNDS,
        sentence=(
            "Bidding goes round until three pass in a row (rounds), or every seat has one turn"
            " (once)."
        ),
        games=(_H, _P),
        idle=values.Bidding.ONCE,
    ),
    row(
        "minimum_bid",
        Integer(1, 6),
        default=1,
        sentence="The lowest bid that may be made freely.",
        games=(_H, _P, _N),
        but={_N: 2},
        kinds={_P: Integer(1, 5), _N: Integer(2, 3)},
    ),
    row(
        "failed_bid_costs",
        word(values.FailedBidCosts),
        default=values.FailedBidCosts.BID,
        sentence="A failed bid loses the number that was bid (bid), or six (all_tricks).",
        games=(_H, _P),
        but={_P: values.FailedBidCosts.ALL_TRICKS},
    ),
    row(
        "see_widow_first",
        Flag(),
        default=False,
        sentence="The high bidder takes the widow before he names trump, not after.",
        games=(_H,),
    ),
    row(
        "no_trump",
        Flag(),
        default=True,
        sentence="The high bidder may name no-trump.",
        games=(_P,),
        idle=False,
    ),
    row(
        "big_pepper",
        Flag(),
        default=True,
        sentence="Six tricks may be bid at double stakes.",
        games=(_P,),
        idle=False,
    ),
    row(
        "misere",
        Flag(),
        default=True,
        sentence="A bid to take no trick ranks between three and four.",
        games=(_N,),
        idle=False,
    ),
    row(
        "misere_lost_points",
        Integer(0),
        default=3,
        sentence="What a failed misère pays to each opponent.",
        games=(_N,),
    ),
    row(
        "wellington",
        Flag(),
        default=False,
        sentence="Five tricks may be bid over a Nap at twice its stakes.",
        games=(_N,),
    ),
    row(
        "blucher",
        Flag(),
        default=False,
        sentence="Five tricks may be bid over a Wellington at three times the stakes of a Nap.",
        games=(_N,),
    ),
    row(
        "overcall_wins",
        word(values.OvercallWins),
        default=values.OvercallWins.MULTIPLIED,
        sentence=(
            "A won Wellington or Blücher is paid twice or three times a Nap (multiplied), or only"
            " as a Nap (as_nap); lost ones cost twice or three times either way."
        ),
        games=(_N,),
    ),
)
