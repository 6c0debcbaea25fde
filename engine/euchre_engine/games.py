"""Owns the rows of data that tell one game from another, options apart.

A game is a row: how many play, whether a dummy lies on the table, and who are partners (RULES.md
sections 2, 3 and 8).
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSpec:
    """What is fixed about one game."""

    seat_count: int
    has_dummy: bool
    """Five cards lie face down for the maker."""
    has_partners: bool
    """Seats 0 and 2 play together against seats 1 and 3."""


GAMES: Mapping[Game, GameSpec] = MappingProxyType(
    {
        Game.TWO_HANDED: GameSpec(
            seat_count=2,
            has_dummy=False,
            has_partners=False,
        ),
        Game.THREE_HANDED: GameSpec(
            seat_count=3,
            has_dummy=True,
            has_partners=False,
        ),
        Game.FOUR_HANDED: GameSpec(
            seat_count=4,
            has_dummy=False,
            has_partners=True,
        ),
    }
)
