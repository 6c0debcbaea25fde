"""Owns the presets: the named rulesets that everybody starts from.

What an option does, and what it is where a preset does not change it, stands in `options`.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from euchre_engine import option_values as values
from euchre_engine.games import Game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from euchre_engine.option_kinds import OptionValue

__all__ = ["PRESETS", "Preset"]


@dataclass(frozen=True, slots=True)
class Preset:
    """A named ruleset: a game and the options in which it differs from that game's defaults."""

    name: str
    game: Game
    changes: Mapping[str, OptionValue]
    sentence: str


_BRITISH = {"deck": values.Deck.NINES_JOKER, "joker_upcard": values.JokerUpcard.DEALER_NAMES_BLIND}

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset(
                "two-handed",
                Game.TWO_HANDED,
                {},
                "Two players, five cards each; nobody plays alone.",
            ),
            Preset(
                "three-handed",
                Game.THREE_HANDED,
                {},
                "Cutthroat: the maker, alone or with a dummy, against both others.",
            ),
            Preset(
                "three-handed-bonus",
                Game.THREE_HANDED,
                {"alone_march_points": 6},
                "Cutthroat in which all five tricks alone are worth twice as much.",
            ),
            Preset(
                "four-handed",
                Game.FOUR_HANDED,
                {},
                "Standard Euchre: two against two, seats 0 and 2 against seats 1 and 3.",
            ),
            Preset(
                "british",
                Game.FOUR_HANDED,
                _BRITISH,
                "Four-handed with 25 cards; the joker, called Benny, is the highest trump.",
            ),
            Preset(
                "british-two-handed",
                Game.TWO_HANDED,
                _BRITISH,
                "Two-handed with Benny, the joker, as the highest trump.",
            ),
            Preset(
                "british-three-handed",
                Game.THREE_HANDED,
                _BRITISH,
                "Cutthroat with Benny, the joker, as the highest trump.",
            ),
            Preset(
                "railroad",
                Game.RAILROAD,
                {},
                "Four-handed made fast: the joker on top, and a partner's best card for a loner.",
            ),
            Preset(
                "hasenpfeffer",
                Game.HASENPFEFFER,
                {},
                "Two against two bid for six tricks; the high bidder names trump, takes a widow.",
            ),
            Preset(
                "pepper",
                Game.PEPPER,
                {},
                "Two against two bid for six tricks, in a suit or without trump, all cards dealt.",
            ),
            Preset(
                "napoleon",
                Game.NAPOLEON,
                {},
                "Two to seven players; one plays for what he bid against all others. No bowers.",
            ),
        )
    }
)
