"""Owns the one table of options: names, games, values, defaults and effects (RULES.md section 4).

The validator (`variants`), the `rules` command and the rules page all read this table, so that they
cannot disagree. A new game adds its columns to the rows that apply to it, and rows of its own;
those of the wider family stand in `family_options`.
It knows nothing of presets, states or phases: what an option does is written where it is done.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from euchre_engine import option_values as values
from euchre_engine.family_options import FAMILY_OPTIONS, MOST_PLAYERS
from euchre_engine.games import GAMES, Game
from euchre_engine.option_kinds import Flag, Integer, SeatOrSeeded, Word
from euchre_engine.option_spec import row, word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from euchre_engine.option_spec import OptionSpec

__all__ = ["OPTIONS", "OPTION_BY_NAME"]

_2, _3, _4, _R, _H, _P, _N = Game
_EVERY = tuple(Game)
_UPCARD = (_2, _3, _4, _R)
_ALONE = (_3, _4, _R)
_PARTNERS = (_4, _R)

_POINTS = Integer(0)
_PACKETS = Word(tuple(map(values.DealPattern, ("3-2", "2-3", "ones"))))
_SIXES = Word((values.DealPattern.THREES, values.DealPattern.ONES))
_TEAM_TIES = Word((values.TieRule.HIGHEST_ELSE_PLAY_ON, values.TieRule.MAKERS_FIRST))
_CARDS = "Number of cards in the deck: 24 has nine to ace"
_UP_TO_32 = f"{_CARDS}, 28 adds the eights, 32 the sevens too"
_LEVEL = (
    "When the target is reached and several are level at the top, they play on "
    "(highest_else_play_on) or share the win (highest_else_shared), or the first of them left of "
    "the dealer wins (left_of_dealer_first)"
)
_SHARED = "; under any_reaching_shared all who reached the target share the win"
_TIED_TEAMS = (
    "When both teams have reached the target, the higher one wins and level ones play on "
    "(highest_else_play_on), or the makers of the hand after which both have win (makers_first)."
)


def _decks(*names: str) -> Word:
    return Word(tuple(map(values.Deck, names)), numbers=True)


def _ties(*left_out: values.TieRule) -> Word:
    return Word(tuple(rule for rule in values.TieRule if rule not in left_out))


def _seats(count: int | None) -> SeatOrSeeded:
    return SeatOrSeeded(count) if count else SeatOrSeeded(MOST_PLAYERS, less="players")


OPTIONS: tuple[OptionSpec, ...] = (
    row(
        "deck",
        _decks("24", "25", "32", "33"),
        default=values.Deck.NINES,
        sentence=f"{_CARDS}, 32 adds eights and sevens, 25 and 33 are 24 and 32 with the joker.",
        games=_EVERY,
        but={_R: values.Deck.NINES_JOKER, _H: values.Deck.NINES_JOKER, _N: values.Deck.FULL},
        kinds={
            **dict.fromkeys(_PARTNERS, _decks("24", "25", "28", "32", "33")),
            _H: _decks("25"),
            _P: _decks("24"),
            _N: _decks("24", "28", "32", "52"),
        },
        sentences={
            **dict.fromkeys(_PARTNERS, f"{_UP_TO_32}, 25 and 33 are 24 and 32 with the joker."),
            _H: "Number of cards in the deck: 25 has nine to ace and the joker.",
            _P: f"{_CARDS}.",
            _N: f"{_UP_TO_32}, and 52 has two to ace.",
        },
    ),
    row(
        "target",
        Integer(1),
        default=10,
        sentence="A game ends after the hand in which somebody has at least so many points.",
        games=_EVERY,
        but={_P: 30},
    ),
    row(
        "stick_the_dealer",
        Flag(),
        default=False,
        sentence=(
            "The dealer may not pass when everybody before him did and he speaks last, in round two"
            " where there are two rounds."
        ),
        games=_EVERY,
    ),
    row(
        "allow_turned_down_suit",
        Flag(),
        default=False,
        sentence="The suit of the turned-down card may be named in round two.",
        games=_UPCARD,
    ),
    row(
        "dealer_pickup",
        word(values.DealerPickup),
        default=values.DealerPickup.OPTIONAL,
        sentence=(
            "When another player orders the up-card, the dealer may decline it (optional) or "
            "must take it (forced)."
        ),
        games=_UPCARD,
        but=dict.fromkeys(_PARTNERS, values.DealerPickup.FORCED),
    ),
    row(
        "may_discard_upcard",
        Flag(),
        default=False,
        sentence="The dealer may discard the very card that he took.",
        games=_UPCARD,
    ),
    row(
        "dealer_dummy_discard",
        word(values.DealerDummyDiscard),
        default=values.DealerDummyDiscard.SEQUENTIAL,
        sentence=(
            "A dealer who is maker in round one discards before he combines his five cards with"
            " the dummy (sequential), or keeps five of all eleven cards (combined)."
        ),
        games=(_3,),
    ),
    row(
        "alone_decision",
        word(values.AloneDecision),
        default=values.AloneDecision.BEFORE_DUMMY,
        sentence=(
            "The maker decides on going alone before he has seen the dummy (before_dummy) or "
            "after (after_dummy)."
        ),
        games=(_3,),
    ),
    row(
        "exchange_timing",
        word(values.ExchangeTiming),
        default=values.ExchangeTiming.AFTER_DECLARATIONS,
        sentence=(
            "The maker takes his five cards after the defenders have spoken "
            "(after_declarations) or before they are asked (before_defenders)."
        ),
        games=(_3,),
    ),
    row(
        "maker_alone",
        Flag(),
        default=True,
        sentence=(
            "The maker may play alone; without it he is not asked and plays with the dummy or "
            "his partner."
        ),
        games=_ALONE,
        idle=False,
    ),
    row(
        "defend_alone",
        word(values.DefendAlone),
        default=values.DefendAlone.ALWAYS,
        sentence=(
            "A defender may play alone in every hand (always), only against a maker who is "
            "alone (vs_lone_maker_only), or not at all (never)."
        ),
        games=_ALONE,
        but={_4: values.DefendAlone.NEVER, _R: values.DefendAlone.VS_LONE_MAKER_ONLY},
        idle=values.DefendAlone.NEVER,
    ),
    row(
        "defender_alone_order",
        word(values.DefenderAloneOrder),
        default=values.DefenderAloneOrder.BIDDING_ORDER,
        sentence=(
            "The defenders are asked in bidding order, which begins left of the dealer "
            "(bidding_order), or beginning left of the maker (left_of_maker)."
        ),
        games=_ALONE,
    ),
    row(
        "alone_lead",
        word(values.AloneLead),
        default=values.AloneLead.LEFT_OF_LONER,
        sentence=(
            "With one player alone, the first active seat left of him (left_of_loner) or left "
            "of the dealer (left_of_dealer) leads first."
        ),
        games=_ALONE,
        but=dict.fromkeys(_PARTNERS, values.AloneLead.LEFT_OF_DEALER),
    ),
    row(
        "both_alone_leader",
        word(values.BothAloneLeader),
        default=values.BothAloneLeader.LEFT_OF_MAKER,
        sentence=(
            "With the maker and a defender alone, the first active seat left of the maker "
            "(left_of_maker), of that defender (left_of_defender) or of the dealer "
            "(left_of_dealer) leads first."
        ),
        games=_ALONE,
        but=dict.fromkeys(_PARTNERS, values.BothAloneLeader.LEFT_OF_DEALER),
    ),
    row(
        "alone_march_points",
        _POINTS,
        default=3,
        sentence="Points for a maker who is alone and takes all five tricks.",
        games=_ALONE,
        but=dict.fromkeys(_PARTNERS, 4),
    ),
    row(
        "alone_make_points",
        _POINTS,
        default=1,
        sentence="Points for a maker who is alone and takes three or four tricks.",
        games=_ALONE,
    ),
    row(
        "alone_euchred_points",
        _POINTS,
        default=2,
        sentence=(
            "Points for each defender when a maker who is alone takes fewer than three tricks "
            "and no defender is alone."
        ),
        games=_ALONE,
    ),
    row(
        "lone_defender_scores",
        word(values.LoneDefenderScores),
        default=values.LoneDefenderScores.BOTH,
        sentence="A lone defender's success pays both defenders (both) or him only (lone_only).",
        games=(_3,),
    ),
    row(
        "lone_defender_march_points",
        _POINTS,
        default=4,
        sentence="Points when a defender who is alone takes all five tricks.",
        games=_ALONE,
    ),
    row(
        "lone_defender_euchre_points",
        _POINTS,
        default=2,
        sentence="Points when a defender who is alone takes three or four tricks.",
        games=_ALONE,
        but=dict.fromkeys(_PARTNERS, 4),
    ),
    row(
        "defender_march_points",
        _POINTS,
        default=2,
        sentence=(
            "Points for each defender when they take all five tricks together from a maker who "
            "is not alone."
        ),
        games=_ALONE,
    ),
    row(
        "two_handed_four_tricks",
        _POINTS,
        default=1,
        sentence="Points for a maker who takes exactly four tricks.",
        games=(_2,),
    ),
    row(
        "tie_rule",
        _ties(values.TieRule.MAKERS_FIRST),
        default=values.TieRule.HIGHEST_ELSE_PLAY_ON,
        sentence=(
            f"{_LEVEL} or the one who defended alone in that hand, else they play on "
            f"(lone_defender_first){_SHARED}."
        ),
        games=(_3, _H, _P, _N),
        kinds={
            _H: _TEAM_TIES,
            _P: _TEAM_TIES,
            _N: _ties(values.TieRule.MAKERS_FIRST, values.TieRule.LONE_DEFENDER_FIRST),
        },
        sentences={
            **dict.fromkeys((_H, _P), _TIED_TEAMS),
            _N: f"{_LEVEL}{_SHARED}.",
        },
    ),
    row(
        "end_hand_early",
        Flag(),
        default=False,
        sentence="A hand stops after the trick from which no result can change the score.",
        games=(*_UPCARD, _N),
    ),
    row(
        "joker_upcard",
        word(values.JokerUpcard),
        default=values.JokerUpcard.HEARTS,
        sentence=(
            "A joker turned up counts as a heart (hearts), as the suit given (fixed:C, fixed:D,"
            " fixed:H, fixed:S), or makes the dealer name trump before he sees his cards "
            "(dealer_names_blind); without a joker in the deck this has no effect."
        ),
        games=_UPCARD,
        idle=values.JokerUpcard.DEALER_NAMES_BLIND,  # where none is turned up, no suit is special
    ),
    row(
        "dummy_seat",
        word(values.DummySeat),
        default=values.DummySeat.RIGHT_OF_DEALER,
        sentence=(
            "The dummy is dealt its cards just before the dealer (right_of_dealer), opposite "
            "him between the two others (across), or between the last seat and seat 0 "
            "(fixed_chair)."
        ),
        games=(_3,),
    ),
    row(
        "deal_pattern",
        _PACKETS,
        default=values.DealPattern.THREE_TWO,
        sentence=(
            "Cards are dealt in packets of three and two by turns (3-2), of two and three "
            "(2-3), or one at a time (ones)."
        ),
        games=_EVERY,
        but={
            _H: values.DealPattern.THREES,
            _P: values.DealPattern.ONES,
            _N: values.DealPattern.ONES,
        },
        kinds={_H: _SIXES, _P: _SIXES},
        sentences=dict.fromkeys(
            (_H, _P), "Cards are dealt in packets of three (3-3), or one at a time (ones)."
        ),
    ),
    row(
        "redeal_dealer",
        word(values.RedealDealer),
        default=values.RedealDealer.NEXT,
        sentence=(
            "After a hand that everybody passed the next player deals (next), or the same one "
            "again (same)."
        ),
        games=_EVERY,
    ),
    row(
        "first_dealer",
        SeatOrSeeded(2),
        default="seeded",
        sentence="The seat that deals the first hand, or seeded: drawn from the match secret.",
        games=_EVERY,
        kinds={game: _seats(spec.seat_count) for game, spec in GAMES.items()},
    ),
    row(
        "min_trump_to_call",
        Integer(0, 2),
        default=0,
        sentence="Who orders or calls must hold at least so many cards printed in that suit.",
        games=_UPCARD,
    ),
    row(
        "max_consecutive_redeals",
        Integer(0),
        default=50,
        sentence=(
            "The dealer is stuck, as under stick_the_dealer, after so many redeals in a row; 0 "
            "means always."
        ),
        games=_EVERY,
    ),
    row(
        "max_hands",
        Integer(1),
        default=500,
        sentence=(
            "A game ends after so many deals at the latest, and whoever has the highest total wins."
        ),
        games=_EVERY,
    ),
    row(
        "reveal",
        word(values.Reveal),
        default=values.Reveal.AFTER_GAME,
        sentence=(
            "Hidden cards are never shown (never), or may be after the game (after_game) or "
            "after each hand (after_hand), but not while the same deal is still in play "
            "elsewhere."
        ),
        games=_EVERY,
    ),
    *FAMILY_OPTIONS,
)

OPTION_BY_NAME: Mapping[str, OptionSpec] = MappingProxyType({spec.name: spec for spec in OPTIONS})
