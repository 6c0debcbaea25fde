"""Owns rulesets: one validated set of options made ready for the engine.

A `Ruleset` is checked when it is made, so that no other code has to. It turns the options of
`options.OPTIONS` into typed attributes, since the engine reads them at every step.
It knows nothing of states, phases or points on the table; presets stand in `presets`.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from euchre_engine.bids import bids_of
from euchre_engine.cards import Seat
from euchre_engine.decks import JOKER_DECKS, cards_of
from euchre_engine.errors import RulesetError
from euchre_engine.games import GAMES
from euchre_engine.options import OPTION_BY_NAME, OPTIONS
from euchre_engine.points import points_of
from euchre_engine.presets import PRESETS, Preset
from euchre_engine.quoting import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from euchre_engine import option_values as values
    from euchre_engine.bids import BidTable
    from euchre_engine.cards import Card
    from euchre_engine.games import Game
    from euchre_engine.option_kinds import OptionValue
    from euchre_engine.option_spec import OptionSpec
    from euchre_engine.points import HandResult

__all__ = ["PRESETS", "Preset", "Ruleset", "make_ruleset", "parse_ruleset", "ruleset_from_json"]


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
    hand_size: int
    has_upcard: bool
    has_dummy: bool
    has_widow: bool
    has_partners: bool
    has_bowers: bool
    scores_fall: bool
    """A hand can cost points, so that scores may be negative."""
    deck_cards: tuple[Card, ...]
    """Every card of the deck in canonical order: clubs, diamonds, hearts, spades, each low to high,
    then the joker."""
    has_joker: bool
    points: Mapping[HandResult, int]
    """What each result is worth; only those that can come about. Empty where tricks are bid for."""
    bids: BidTable | None
    """The bids for tricks; None in games without."""
    largest_hand_result: int
    """The most points that one seat can get from one hand."""
    smallest_hand_result: int
    """The fewest points, 0 or less, that one seat can get from one hand."""

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
    players: int
    call_for_best: bool
    laps: bool
    slam: bool
    bidding: values.Bidding
    minimum_bid: int
    failed_bid_costs: values.FailedBidCosts
    see_widow_first: bool
    no_trump: bool
    big_pepper: bool
    misere: bool
    misere_lost_points: int
    wellington: bool
    blucher: bool
    overcall_wins: values.OvercallWins

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


def parse_ruleset(text: str, *, players: int | None = None) -> Ruleset:
    """Returns the ruleset of a command line text such as ``three-handed,target=15,deck=32``.

    Args:
        text: The preset, and options to change.
        players: How many play, for a game in which an option says it and the text does not.

    Raises:
        RulesetError: As `make_ruleset`, or an option is given twice or without a value.
    """
    name, *assignments = (part.strip() for part in text.split(","))
    chosen = _preset(name)
    effective = _defaults(chosen)
    if players is not None and "players" in effective:
        spec = _applicable("players", chosen.game)
        read = spec.kinds[chosen.game].check(players)
        effective["players"] = _accepted(spec, chosen.game, players, read)
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
    """Returns the ruleset of checked options.

    Raises:
        RulesetError: Two of them cannot stand together.
    """
    game = GAMES[preset.game]
    read = {spec.name: options.get(spec.name, spec.idle) for spec in OPTIONS}
    seat_count = game.seat_count or cast("int", read["players"])
    read["players"] = seat_count
    first = read.pop("first_dealer")
    deck = cast("values.Deck", read["deck"])
    _check_together(preset.game, options, seat_count)
    points = points_of(preset.game, options)
    bids = bids_of(preset.game, options)
    largest, smallest = _extremes(
        points, bids, opponents=0 if game.has_partners else seat_count - 1
    )
    # The table's kinds have checked every value; the field types say the same once more.
    typed = cast("dict[str, Any]", read)
    return Ruleset(
        preset=preset.name,
        game=preset.game,
        options=MappingProxyType(options),
        seat_count=seat_count,
        seats=tuple(Seat(n) for n in range(seat_count)),
        hand_size=game.hand_size,
        has_upcard=game.has_upcard,
        has_dummy=game.has_dummy,
        has_widow=game.has_widow,
        has_partners=game.has_partners,
        has_bowers=game.has_bowers,
        scores_fall=game.scores_fall,
        deck_cards=cards_of(deck),
        has_joker=deck in JOKER_DECKS,
        points=MappingProxyType(points),
        bids=bids,
        largest_hand_result=largest,
        smallest_hand_result=smallest,
        first_dealer=Seat(first) if isinstance(first, int) else None,
        **typed,
    )


def _extremes(
    points: Mapping[HandResult, int], bids: BidTable | None, *, opponents: int
) -> tuple[int, int]:
    """Returns the most and the fewest points that a hand can give a seat.

    Args:
        points: The points by result; empty where tricks are bid for.
        bids: The bids for tricks.
        opponents: How many pay or are paid by one bidder; 0 where teams score for themselves.
    """
    if bids is None:
        return max(points.values()), 0
    if not opponents:
        return bids.largest, -bids.costliest
    return (
        max(opponents * bids.largest, bids.costliest),
        -max(opponents * bids.costliest, bids.largest),
    )


def _check_together(game: Game, options: Mapping[str, OptionValue], seat_count: int) -> None:
    """Raises a RulesetError if values that are allowed each cannot stand together."""
    dealt = seat_count * GAMES[game].hand_size
    if dealt > int(options["deck"]):
        raise RulesetError(
            f"option deck must have at least the {dealt} cards that {seat_count} players of {game}"
            f" are dealt, not {options['deck']}",
            key="deck",
        )
    first = options["first_dealer"]
    if isinstance(first, int) and first >= seat_count:
        raise RulesetError(
            f"option first_dealer must be 'seeded' or a seat number from 0 to {seat_count - 1}"
            f" with {seat_count} players, not {first}",
            key="first_dealer",
        )
    if options.get("blucher") and not options["wellington"]:
        raise RulesetError(
            "option blucher needs wellington=true, the bid that a Blücher is made over",
            key="blucher",
        )
