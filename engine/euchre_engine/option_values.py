"""Owns the closed sets of words that options take as values (RULES.md section 4, docs/family.md).

The value of each member is the text that rulesets, records and messages carry.
Which option takes which set, and what each means, stands in `options`.
"""

from __future__ import annotations

from enum import StrEnum

from euchre_engine.cards import Suit

__all__ = [
    "AloneDecision",
    "AloneLead",
    "Bidding",
    "BothAloneLeader",
    "DealPattern",
    "DealerDummyDiscard",
    "DealerPickup",
    "Deck",
    "DefendAlone",
    "DefenderAloneOrder",
    "DummySeat",
    "ExchangeTiming",
    "FailedBidCosts",
    "FarmersHand",
    "JokerUpcard",
    "LoneDefenderScores",
    "OvercallWins",
    "RedealDealer",
    "Reveal",
    "TieRule",
]


class Deck(StrEnum):
    """The decks, named by their number of cards; the odd ones hold the joker."""

    NINES = "24"
    NINES_JOKER = "25"
    EIGHTS = "28"
    SEVENS = "32"
    SEVENS_JOKER = "33"
    FULL = "52"


class DealerPickup(StrEnum):
    """Whether the dealer may leave an up-card that somebody else ordered."""

    OPTIONAL = "optional"
    FORCED = "forced"


class DealerDummyDiscard(StrEnum):
    """How a dealer who is maker in round one comes from eleven cards to five."""

    SEQUENTIAL = "sequential"
    COMBINED = "combined"


class AloneDecision(StrEnum):
    """When the maker decides on going alone."""

    BEFORE_DUMMY = "before_dummy"
    AFTER_DUMMY = "after_dummy"


class ExchangeTiming(StrEnum):
    """When the maker combines his hand with the dummy."""

    AFTER_DECLARATIONS = "after_declarations"
    BEFORE_DEFENDERS = "before_defenders"


class DefendAlone(StrEnum):
    """When a defender may play alone."""

    ALWAYS = "always"
    VS_LONE_MAKER_ONLY = "vs_lone_maker_only"
    NEVER = "never"


class DefenderAloneOrder(StrEnum):
    """In which order the defenders are asked."""

    BIDDING_ORDER = "bidding_order"
    LEFT_OF_MAKER = "left_of_maker"


class AloneLead(StrEnum):
    """Who leads first when exactly one player is alone."""

    LEFT_OF_LONER = "left_of_loner"
    LEFT_OF_DEALER = "left_of_dealer"


class BothAloneLeader(StrEnum):
    """Who leads first when the maker and a defender are alone."""

    LEFT_OF_MAKER = "left_of_maker"
    LEFT_OF_DEFENDER = "left_of_defender"
    LEFT_OF_DEALER = "left_of_dealer"


class LoneDefenderScores(StrEnum):
    """Who is paid for a lone defender's success."""

    BOTH = "both"
    LONE_ONLY = "lone_only"


class TieRule(StrEnum):
    """What happens when the target is reached."""

    HIGHEST_ELSE_PLAY_ON = "highest_else_play_on"
    HIGHEST_ELSE_SHARED = "highest_else_shared"
    ANY_REACHING_SHARED = "any_reaching_shared"
    LEFT_OF_DEALER_FIRST = "left_of_dealer_first"
    LONE_DEFENDER_FIRST = "lone_defender_first"
    MAKERS_FIRST = "makers_first"


class JokerUpcard(StrEnum):
    """What a joker turned up stands for."""

    HEARTS = "hearts"
    FIXED_C = "fixed:C"
    FIXED_D = "fixed:D"
    FIXED_H = "fixed:H"
    FIXED_S = "fixed:S"
    DEALER_NAMES_BLIND = "dealer_names_blind"

    @property
    def suit(self) -> Suit | None:
        """Returns the suit that the joker counts as in bidding, None when the dealer names it."""
        match self:
            case JokerUpcard.DEALER_NAMES_BLIND:
                return None
            case JokerUpcard.HEARTS:
                return Suit.H
            case _:
                return Suit[self.value[-1]]


class DummySeat(StrEnum):
    """Where the dummy sits when cards are dealt."""

    RIGHT_OF_DEALER = "right_of_dealer"
    ACROSS = "across"
    FIXED_CHAIR = "fixed_chair"


class DealPattern(StrEnum):
    """The packets in which cards are dealt."""

    THREE_TWO = "3-2"
    TWO_THREE = "2-3"
    THREES = "3-3"
    ONES = "ones"


class RedealDealer(StrEnum):
    """Who deals after a hand that nobody played."""

    NEXT = "next"
    SAME = "same"


class Reveal(StrEnum):
    """When hidden cards may be shown."""

    NEVER = "never"
    AFTER_GAME = "after_game"
    AFTER_HAND = "after_hand"


class FarmersHand(StrEnum):
    """What a hand of small cards may do before the bidding."""

    NONE = "none"
    THREE_SWAP = "three_swap"
    REDEAL_NO_ACE_NO_FACE = "redeal_no_ace_no_face"


class Bidding(StrEnum):
    """How long a number of tricks is bid for."""

    ROUNDS = "rounds"
    ONCE = "once"


class FailedBidCosts(StrEnum):
    """What makers lose who take fewer tricks than they bid."""

    BID = "bid"
    ALL_TRICKS = "all_tricks"


class OvercallWins(StrEnum):
    """What a Wellington or Blücher pays when it is made."""

    MULTIPLIED = "multiplied"
    AS_NAP = "as_nap"
