"""Owns the one table of options: names, games, values, defaults and effects (RULES.md section 4).

The validator (`variants`), the `rules` command and the rules page all read this table, so that they
cannot disagree. A new game adds its columns to the rows that apply to it, and rows of its own.
It knows nothing of presets, states or phases: what an option does is written where it is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from euchre_engine import option_values as values
from euchre_engine.games import GAMES, Game
from euchre_engine.option_kinds import Flag, Integer, SeatOrSeeded, Word

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

    from euchre_engine.option_kinds import Kind, OptionValue

__all__ = ["OPTIONS", "OPTION_BY_NAME", "OptionSpec"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionSpec:
    """One option: its column of the table."""

    name: str
    kinds: Mapping[Game, Kind]
    """The games it applies to, with what it takes in each."""
    defaults: Mapping[Game, OptionValue]
    idle: OptionValue
    """What the engine reads where the option does not apply."""
    sentence: str
    """Its effect, for people."""

    @property
    def games(self) -> tuple[Game, ...]:
        """Returns the games that the option applies to."""
        return tuple(self.kinds)


_2, _3, _4 = Game.TWO_HANDED, Game.THREE_HANDED, Game.FOUR_HANDED
_ALL = (_2, _3, _4)


def _row(
    name: str,
    kind: Kind,
    *,
    default: OptionValue,
    sentence: str,
    games: tuple[Game, ...] = _ALL,
    but: Mapping[Game, OptionValue] | None = None,
    idle: OptionValue | None = None,
    kinds: Mapping[Game, Kind] | None = None,
) -> OptionSpec:
    """Returns a row in which all games share kind and default, save those named."""
    return OptionSpec(
        name=name,
        kinds=MappingProxyType({game: (kinds or {}).get(game, kind) for game in games}),
        defaults=MappingProxyType({game: (but or {}).get(game, default) for game in games}),
        idle=default if idle is None else idle,
        sentence=sentence,
    )


def _word(words: type[StrEnum]) -> Word:
    return Word(tuple(words))


_POINTS = Integer(0)
_DECKS = tuple(values.Deck)

OPTIONS: tuple[OptionSpec, ...] = (
    _row(
        "deck",
        Word(tuple(deck for deck in _DECKS if deck is not values.Deck.EIGHTS), numbers=True),
        default=values.Deck.NINES,
        sentence=(
            "Number of cards in the deck: 24 has nine to ace, 28 adds the eights, 32 the sevens"
            " too, and 25 and 33 are 24 and 32 with the joker."
        ),
        kinds={_4: Word(_DECKS, numbers=True)},
    ),
    _row(
        "target",
        Integer(1),
        default=10,
        sentence="A game ends after the hand in which somebody has at least so many points.",
    ),
    _row(
        "stick_the_dealer",
        Flag(),
        default=False,
        sentence="The dealer may not pass in round two when everybody before him did.",
    ),
    _row(
        "allow_turned_down_suit",
        Flag(),
        default=False,
        sentence="The suit of the turned-down card may be named in round two.",
    ),
    _row(
        "dealer_pickup",
        _word(values.DealerPickup),
        default=values.DealerPickup.OPTIONAL,
        sentence=(
            "When another player orders the up-card, the dealer may decline it (optional) or "
            "must take it (forced)."
        ),
        but={_4: values.DealerPickup.FORCED},
    ),
    _row(
        "may_discard_upcard",
        Flag(),
        default=False,
        sentence="The dealer may discard the very card that he took.",
    ),
    _row(
        "dealer_dummy_discard",
        _word(values.DealerDummyDiscard),
        default=values.DealerDummyDiscard.SEQUENTIAL,
        sentence=(
            "A dealer who is maker in round one discards before he combines his five cards with"
            " the dummy (sequential), or keeps five of all eleven cards (combined)."
        ),
        games=(_3,),
    ),
    _row(
        "alone_decision",
        _word(values.AloneDecision),
        default=values.AloneDecision.BEFORE_DUMMY,
        sentence=(
            "The maker decides on going alone before he has seen the dummy (before_dummy) or "
            "after (after_dummy)."
        ),
        games=(_3,),
    ),
    _row(
        "exchange_timing",
        _word(values.ExchangeTiming),
        default=values.ExchangeTiming.AFTER_DECLARATIONS,
        sentence=(
            "The maker takes his five cards after the defenders have spoken "
            "(after_declarations) or before they are asked (before_defenders)."
        ),
        games=(_3,),
    ),
    _row(
        "maker_alone",
        Flag(),
        default=True,
        sentence=(
            "The maker may play alone; without it he is not asked and plays with the dummy or "
            "his partner."
        ),
        games=(_3, _4),
        idle=False,
    ),
    _row(
        "defend_alone",
        _word(values.DefendAlone),
        default=values.DefendAlone.ALWAYS,
        sentence=(
            "A defender may play alone in every hand (always), only against a maker who is "
            "alone (vs_lone_maker_only), or not at all (never)."
        ),
        games=(_3, _4),
        but={_4: values.DefendAlone.NEVER},
        idle=values.DefendAlone.NEVER,
    ),
    _row(
        "defender_alone_order",
        _word(values.DefenderAloneOrder),
        default=values.DefenderAloneOrder.BIDDING_ORDER,
        sentence=(
            "The defenders are asked in bidding order, which begins left of the dealer "
            "(bidding_order), or beginning left of the maker (left_of_maker)."
        ),
        games=(_3, _4),
    ),
    _row(
        "alone_lead",
        _word(values.AloneLead),
        default=values.AloneLead.LEFT_OF_LONER,
        sentence=(
            "With one player alone, the first active seat left of him (left_of_loner) or left "
            "of the dealer (left_of_dealer) leads first."
        ),
        games=(_3, _4),
        but={_4: values.AloneLead.LEFT_OF_DEALER},
    ),
    _row(
        "both_alone_leader",
        _word(values.BothAloneLeader),
        default=values.BothAloneLeader.LEFT_OF_MAKER,
        sentence=(
            "With the maker and a defender alone, the first active seat left of the maker "
            "(left_of_maker), of that defender (left_of_defender) or of the dealer "
            "(left_of_dealer) leads first."
        ),
        games=(_3, _4),
        but={_4: values.BothAloneLeader.LEFT_OF_DEALER},
    ),
    _row(
        "alone_march_points",
        _POINTS,
        default=3,
        sentence="Points for a maker who is alone and takes all five tricks.",
        games=(_3, _4),
        but={_4: 4},
    ),
    _row(
        "alone_make_points",
        _POINTS,
        default=1,
        sentence="Points for a maker who is alone and takes three or four tricks.",
        games=(_3, _4),
    ),
    _row(
        "alone_euchred_points",
        _POINTS,
        default=2,
        sentence=(
            "Points for each defender when a maker who is alone takes fewer than three tricks "
            "and no defender is alone."
        ),
        games=(_3, _4),
    ),
    _row(
        "lone_defender_scores",
        _word(values.LoneDefenderScores),
        default=values.LoneDefenderScores.BOTH,
        sentence="A lone defender's success pays both defenders (both) or him only (lone_only).",
        games=(_3,),
    ),
    _row(
        "lone_defender_march_points",
        _POINTS,
        default=4,
        sentence="Points when a defender who is alone takes all five tricks.",
        games=(_3, _4),
    ),
    _row(
        "lone_defender_euchre_points",
        _POINTS,
        default=2,
        sentence="Points when a defender who is alone takes three or four tricks.",
        games=(_3, _4),
        but={_4: 4},
    ),
    _row(
        "defender_march_points",
        _POINTS,
        default=2,
        sentence=(
            "Points for each defender when they take all five tricks together from a maker who "
            "is not alone."
        ),
        games=(_3, _4),
    ),
    _row(
        "two_handed_four_tricks",
        _POINTS,
        default=1,
        sentence="Points for a maker who takes exactly four tricks.",
        games=(_2,),
    ),
    _row(
        "tie_rule",
        _word(values.TieRule),
        default=values.TieRule.HIGHEST_ELSE_PLAY_ON,
        sentence=(
            "When the target is reached and several are level at the top, they play on "
            "(highest_else_play_on) or share the win (highest_else_shared), or the first of "
            "them left of the dealer wins (left_of_dealer_first) or the one who defended alone "
            "in that hand, else they play on (lone_defender_first); under any_reaching_shared "
            "all who reached the target share the win."
        ),
        games=(_3,),
    ),
    _row(
        "end_hand_early",
        Flag(),
        default=False,
        sentence="A hand stops after the trick from which no result can change the score.",
    ),
    _row(
        "joker_upcard",
        _word(values.JokerUpcard),
        default=values.JokerUpcard.HEARTS,
        sentence=(
            "A joker turned up counts as a heart (hearts), as the suit given (fixed:C, fixed:D,"
            " fixed:H, fixed:S), or makes the dealer name trump before he sees his cards "
            "(dealer_names_blind); without a joker in the deck this has no effect."
        ),
    ),
    _row(
        "dummy_seat",
        _word(values.DummySeat),
        default=values.DummySeat.RIGHT_OF_DEALER,
        sentence=(
            "The dummy is dealt its cards just before the dealer (right_of_dealer), opposite "
            "him between the two others (across), or between the last seat and seat 0 "
            "(fixed_chair)."
        ),
        games=(_3,),
    ),
    _row(
        "deal_pattern",
        _word(values.DealPattern),
        default=values.DealPattern.THREE_TWO,
        sentence=(
            "Cards are dealt in packets of three and two by turns (3-2), of two and three "
            "(2-3), or one at a time (ones)."
        ),
    ),
    _row(
        "redeal_dealer",
        _word(values.RedealDealer),
        default=values.RedealDealer.NEXT,
        sentence=(
            "After a hand that everybody passed the next player deals (next), or the same one "
            "again (same)."
        ),
    ),
    _row(
        "first_dealer",
        SeatOrSeeded(2),
        default="seeded",
        sentence="The seat that deals the first hand, or seeded: drawn from the match secret.",
        kinds={game: SeatOrSeeded(spec.seat_count) for game, spec in GAMES.items()},
    ),
    _row(
        "min_trump_to_call",
        Integer(0, 2),
        default=0,
        sentence="Who orders or calls must hold at least so many cards printed in that suit.",
    ),
    _row(
        "max_consecutive_redeals",
        Integer(0),
        default=50,
        sentence=(
            "The dealer is stuck, as under stick_the_dealer, after so many redeals in a row; 0 "
            "means always."
        ),
    ),
    _row(
        "max_hands",
        Integer(1),
        default=500,
        sentence=(
            "A game ends after so many deals at the latest, and whoever has the highest total wins."
        ),
    ),
    _row(
        "reveal",
        _word(values.Reveal),
        default=values.Reveal.AFTER_GAME,
        sentence=(
            "Hidden cards are never shown (never), or may be after the game (after_game) or "
            "after each hand (after_hand), but not while the same deal is still in play "
            "elsewhere."
        ),
    ),
    _row(
        "canadian_loner",
        Flag(),
        default=False,
        sentence="A dealer's partner who orders the up-card plays alone without being asked.",
        games=(_4,),
    ),
    _row(
        "farmers_hand",
        _word(values.FarmersHand),
        default=values.FarmersHand.NONE,
        sentence=(
            "Before the bidding, from the dealer's left, exactly three nines or three tens may "
            "be swapped with the three cards under the up-card (three_swap), or cards are dealt"
            " anew whenever somebody holds neither ace nor face card (redeal_no_ace_no_face), "
            "or neither (none)."
        ),
        games=(_4,),
    ),
)

OPTION_BY_NAME: Mapping[str, OptionSpec] = MappingProxyType({spec.name: spec for spec in OPTIONS})
