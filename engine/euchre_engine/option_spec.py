"""Owns what a row of the table of options is, and how rows are written down.

The rows themselves stand in `options` and `family_options`. It knows no single option.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from euchre_engine.option_kinds import Word

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

    from euchre_engine.games import Game
    from euchre_engine.option_kinds import Kind, OptionValue

__all__ = ["OptionSpec", "row", "word"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionSpec:
    """One option: its row of the table."""

    name: str
    kinds: Mapping[Game, Kind]
    """The games it applies to, with what it takes in each."""
    defaults: Mapping[Game, OptionValue]
    idle: OptionValue
    """What the engine reads where the option does not apply."""
    sentences: Mapping[Game, str]
    """Its effect in each of those games, for people."""

    @property
    def games(self) -> tuple[Game, ...]:
        """Returns the games that the option applies to."""
        return tuple(self.kinds)


def row(
    name: str,
    kind: Kind,
    *,
    default: OptionValue,
    sentence: str,
    games: tuple[Game, ...],
    but: Mapping[Game, OptionValue] | None = None,
    idle: OptionValue | None = None,
    kinds: Mapping[Game, Kind] | None = None,
    sentences: Mapping[Game, str] | None = None,
) -> OptionSpec:
    """Returns a row in which all games share kind, default and sentence, save those named."""
    return OptionSpec(
        name=name,
        kinds=MappingProxyType({game: (kinds or {}).get(game, kind) for game in games}),
        defaults=MappingProxyType({game: (but or {}).get(game, default) for game in games}),
        idle=default if idle is None else idle,
        sentences=MappingProxyType({game: (sentences or {}).get(game, sentence) for game in games}),
    )


def word(words: type[StrEnum]) -> Word:
    """Returns the kind that takes any word of a set."""
    return Word(tuple(words))
