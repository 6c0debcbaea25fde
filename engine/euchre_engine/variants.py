"""Owns rulesets: the presets, and one validated set of options made ready for the engine.

A `Ruleset` is checked when it is made, so that no other code has to. It turns the options of
`options.OPTIONS` into typed attributes, since the engine reads them at every step.
It knows nothing of states, phases or points on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from euchre_engine import option_values as values
from euchre_engine.cards import Card, Seat
from euchre_engine.errors import RulesetError
from euchre_engine.games import GAMES, Game
from euchre_engine.options import OPTION_BY_NAME, OPTIONS
from euchre_engine.points import points_of
from euchre_engine.quoting import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from euchre_engine.option_kinds import OptionValue
    from euchre_engine.options import OptionSpec
    from euchre_engine.points import HandResult

__all__ = ["PRESETS", "Preset", "Ruleset", "make_ruleset", "parse_ruleset", "ruleset_from_json"]


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
        )
    }
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ruleset:
    """One complete, valid set of rules; equal to another of the same preset and options.

    Make one with `make_ruleset`, `parse_ruleset` or `ruleset_from_json`.
    An option that does not apply to the game reads as one that changes nothing.
    """

    preset: str
    game: Game
    options: Mapping[str, OptionValue]
    """All options that apply to the game, in the order of the table, as they are written."""

    # What follows from the game and the options together.
    seat_count: int
    seats: tuple[Seat, ...]
    has_dummy: bool
    has_partners: bool
    deck_cards: tuple[Card, ...]
    """Every card of the deck in canonical order: clubs, diamonds, hearts, spades, each low to high,
    then the joker."""
    has_joker: bool
    points: Mapping[HandResult, int]
    """What each result is worth; only those that can come about."""
    largest_hand_result: int
    """The most points that one seat can get from one hand."""

    # The options.
    deck: values.Deck
    target: int
    stick_the_dealer: bool
    allow_turned_down_suit: bool
    dealer_pickup: values.DealerPickup
    may_discard_upcard: bool
    dealer_dummy_discard: values.DealerDummyDiscard
    alone_decision: values.AloneDecision
    exchange_timing: values.ExchangeTiming
    maker_alone: bool
    defend_alone: values.DefendAlone
    defender_alone_order: values.DefenderAloneOrder
    alone_lead: values.AloneLead
    both_alone_leader: values.BothAloneLeader
    alone_march_points: int
    alone_make_points: int
    alone_euchred_points: int
    lone_defender_scores: values.LoneDefenderScores
    lone_defender_march_points: int
    lone_defender_euchre_points: int
    defender_march_points: int
    two_handed_four_tricks: int
    tie_rule: values.TieRule
    end_hand_early: bool
    joker_upcard: values.JokerUpcard
    dummy_seat: values.DummySeat
    deal_pattern: values.DealPattern
    redeal_dealer: values.RedealDealer
    first_dealer: Seat | None
    """None: drawn from the match secret."""
    min_trump_to_call: int
    max_consecutive_redeals: int
    max_hands: int
    reveal: values.Reveal
    canadian_loner: bool
    farmers_hand: values.FarmersHand

    def to_json(self) -> dict[str, OptionValue]:
        """Returns the preset and every option, as `ruleset_from_json` reads them."""
        return {"preset": self.preset, **{name: _plain(v) for name, v in self.options.items()}}

    def __str__(self) -> str:
        """Returns the command line form: the preset and the options that differ from it."""
        usual = _defaults(PRESETS[self.preset])
        changed = (
            f"{name}={str(value).lower() if isinstance(value, bool) else value}"
            for name, value in self.options.items()
            if value != usual[name]
        )
        return ",".join((self.preset, *changed))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ruleset):
            return NotImplemented
        return (self.preset, self.options) == (other.preset, other.options)

    def __hash__(self) -> int:
        return hash((self.preset, tuple(self.options.values())))

    def __reduce__(self) -> tuple[object, ...]:
        return make_ruleset, (self.preset, dict(self.options))


def make_ruleset(preset: str, options: Mapping[str, object] | None = None) -> Ruleset:
    """Returns the ruleset of a preset with some options changed.

    Args:
        preset: A name of `PRESETS`.
        options: Typed values by option name.

    Raises:
        RulesetError: The preset is unknown, or an option is unknown, does not apply to the game
            or has a value that is not allowed; ``key`` names it.
    """
    chosen = _preset(preset)
    effective = _defaults(chosen)
    for name, value in (options or {}).items():
        spec = _applicable(name, chosen.game)
        read = spec.kinds[chosen.game].check(value)
        effective[spec.name] = _accepted(spec, chosen.game, value, read)
    return _ruleset(chosen, effective)


def parse_ruleset(text: str) -> Ruleset:
    """Returns the ruleset of a command line text such as ``three-handed,target=15,deck=32``.

    Raises:
        RulesetError: As `make_ruleset`, or an option is given twice or without a value.
    """
    name, *assignments = (part.strip() for part in text.split(","))
    chosen = _preset(name)
    effective = _defaults(chosen)
    seen: set[str] = set()
    for assignment in assignments:
        key, equals, written = (part.strip() for part in assignment.partition("="))
        spec = _applicable(key, chosen.game)
        if not equals:
            raise RulesetError(f"option {key} has no value; write {key}=VALUE", key=key)
        if key in seen:
            raise RulesetError(f"option {key} is given twice", key=key)
        seen.add(key)
        effective[key] = _accepted(
            spec, chosen.game, written, spec.kinds[chosen.game].read(written)
        )
    return _ruleset(chosen, effective)


def ruleset_from_json(value: object) -> Ruleset:
    """Returns the ruleset of a preset name, or of an object with ``preset`` and options.

    Raises:
        RulesetError: As `make_ruleset`, or the value is neither.
    """
    match value:
        case str():
            return make_ruleset(value)
        case {"preset": str(preset), **options}:
            return make_ruleset(preset, {str(name): given for name, given in options.items()})
        case {"preset": other}:
            raise RulesetError(
                f"preset must be a name, one of {', '.join(PRESETS)}, not {quoted(other)}",
                key="preset",
            )
        case {}:
            raise RulesetError(
                f"preset is missing; it must be one of {', '.join(PRESETS)}", key="preset"
            )
        case _:
            raise RulesetError(
                "rules must be a preset name or an object with preset and options, "
                f"not {quoted(value)}",
                key="rules",
            )


def _preset(name: str) -> Preset:
    preset = PRESETS.get(name)
    if preset is None:
        raise RulesetError(
            f"there is no preset {quoted(name)}{did_you_mean(name, PRESETS)}; "
            f"presets: {', '.join(PRESETS)}",
            key="preset",
        )
    return preset


def _defaults(preset: Preset) -> dict[str, OptionValue]:
    """Returns all options that apply to the preset's game, in the order of the table."""
    game = preset.game
    return {
        spec.name: preset.changes.get(spec.name, spec.defaults[game])
        for spec in OPTIONS
        if game in spec.kinds
    }


def _applicable(name: str, game: Game) -> OptionSpec:
    """Returns the row of an option that applies to a game."""
    spec = OPTION_BY_NAME.get(name)
    if spec is None:
        names = [spec.name for spec in OPTIONS if game in spec.kinds]
        hint = did_you_mean(name, names) or f"; options of {game} play: {', '.join(names)}"
        raise RulesetError(f"there is no option {quoted(name)}{hint}", key=name)
    if game not in spec.kinds:
        raise RulesetError(
            f"option {name} applies to {', '.join(spec.games)} play, not to {game}", key=name
        )
    return spec


def _accepted(
    spec: OptionSpec, game: Game, written: object, read: OptionValue | None
) -> OptionValue:
    """Returns the value read, if it could be."""
    if read is None:
        kind = spec.kinds[game]
        hint = did_you_mean(written, kind.choices) if isinstance(written, str) else ""
        raise RulesetError(
            f"option {spec.name} must be {kind.words} in {game} play, not {quoted(written)}{hint}",
            key=spec.name,
        )
    return read


def _plain(value: OptionValue) -> OptionValue:
    """Returns a word as a plain text, other values as they are."""
    return str(value) if isinstance(value, str) else value


def _ruleset(preset: Preset, options: dict[str, OptionValue]) -> Ruleset:
    """Returns the ruleset of checked options."""
    game = GAMES[preset.game]
    read = {spec.name: options.get(spec.name, spec.idle) for spec in OPTIONS}
    first = read.pop("first_dealer")
    deck = cast("values.Deck", read["deck"])
    points = points_of(preset.game, options)
    # The table's kinds have checked every value; the field types say the same once more.
    typed = cast("dict[str, Any]", read)
    return Ruleset(
        preset=preset.name,
        game=preset.game,
        options=MappingProxyType(options),
        seat_count=game.seat_count,
        seats=tuple(Seat(n) for n in range(game.seat_count)),
        has_dummy=game.has_dummy,
        has_partners=game.has_partners,
        deck_cards=_deck_cards(deck),
        has_joker=deck in _JOKER_DECKS,
        points=MappingProxyType(points),
        largest_hand_result=max(points.values()),
        first_dealer=Seat(first) if isinstance(first, int) else None,
        **typed,
    )


_JOKER_DECKS = frozenset({values.Deck.NINES_JOKER, values.Deck.SEVENS_JOKER})
_LOWEST_RANK = {
    values.Deck.NINES: 9,
    values.Deck.NINES_JOKER: 9,
    values.Deck.EIGHTS: 8,
    values.Deck.SEVENS: 7,
    values.Deck.SEVENS_JOKER: 7,
}


def _deck_cards(deck: values.Deck) -> tuple[Card, ...]:
    """Returns the cards of a deck in ascending card number, which puts the joker last."""
    lowest = _LOWEST_RANK[deck]
    return tuple(
        card
        for card in sorted(Card)
        if (deck in _JOKER_DECKS if card is Card.JK else card.rank >= lowest)
    )
