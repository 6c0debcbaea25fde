"""Owns the rows of data that tell one game from another, options apart.

A game is a row: how many play, what each is dealt, whether a card is turned up, a dummy or a widow
lies on the table, and who are partners (RULES.md sections 2, 3 and 8; docs/family.md).
It knows nothing of options, presets, states or phases.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["GAMES", "Game", "GameSpec"]


class Game(StrEnum):
    """The games that can be played; the value is the name that people read."""

    TWO_HANDED = "two-handed"
    THREE_HANDED = "three-handed"
    FOUR_HANDED = "four-handed"
    RAILROAD = "railroad"
    HASENPFEFFER = "hasenpfeffer"
    PEPPER = "pepper"
    NAPOLEON = "napoleon"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSpec:
    """What is fixed about one game."""

    seat_count: int | None
    """None: the option `players` says it."""
    hand_size: int = 5
    has_upcard: bool = True
    """A card is turned up after the deal."""
    has_dummy: bool = False
    """Five cards lie face down for the maker."""
    has_widow: bool = False
    """One card lies face down for the maker."""
    has_partners: bool = False
    """Seats 0 and 2 play together against seats 1 and 3."""
    has_bowers: bool = True
    """The jacks of trump's colour are the highest trumps."""
    scores_fall: bool = False
    """A hand can cost points."""


GAMES: Mapping[Game, GameSpec] = MappingProxyType(
    {
        Game.TWO_HANDED: GameSpec(seat_count=2),
        Game.THREE_HANDED: GameSpec(seat_count=3, has_dummy=True),
        Game.FOUR_HANDED: GameSpec(seat_count=4, has_partners=True),
        Game.RAILROAD: GameSpec(seat_count=4, has_partners=True),
        Game.HASENPFEFFER: GameSpec(
            seat_count=4,
            hand_size=6,
            has_upcard=False,
            has_widow=True,
            has_partners=True,
            scores_fall=True,
        ),
        Game.PEPPER: GameSpec(
            seat_count=4,
            hand_size=6,
            has_upcard=False,
            has_partners=True,
            scores_fall=True,
        ),
        Game.NAPOLEON: GameSpec(
            seat_count=None,
            has_upcard=False,
            has_bowers=False,
            scores_fall=True,
        ),
    }
)
