"""Draws rulesets and hands for property tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from euchre_engine.cards import Seat
from euchre_engine.errors import RulesetError
from euchre_engine.hand import apply, legal_actions
from euchre_engine.opening import start_hand
from euchre_engine.option_kinds import Flag, Integer, SeatOrSeeded, Word
from euchre_engine.options import OPTIONS
from euchre_engine.variants import PRESETS, Ruleset, make_ruleset

if TYPE_CHECKING:
    from euchre_engine.option_kinds import Kind, OptionValue
    from euchre_engine.state import State

__all__ = ["rulesets", "states"]


def _values_of(kind: Kind) -> st.SearchStrategy[OptionValue]:
    """Returns values that a kind takes."""
    match kind:
        case Flag():
            return st.booleans()
        case Integer(low, high):
            return st.integers(low, high)
        case Word(allowed):
            return st.sampled_from([word.value for word in allowed])
        case SeatOrSeeded(seat_count):
            return st.one_of(st.just("seeded"), st.integers(0, seat_count - 1))


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Draws any valid ruleset."""
    preset = PRESETS[draw(st.sampled_from(list(PRESETS)))]
    kinds = {spec.name: spec.kinds[preset.game] for spec in OPTIONS if preset.game in spec.kinds}
    names = draw(st.lists(st.sampled_from(list(kinds)), unique=True))
    chosen = {name: draw(_values_of(kinds[name])) for name in names}
    while True:
        try:
            return make_ruleset(preset.name, chosen)
        except RulesetError as error:  # two options that cannot stand together
            del chosen[error.key]


@st.composite
def states(draw: st.DrawFn) -> State:
    """Draws any state that some legal actions lead to."""
    rules = draw(rulesets())
    scores = draw(st.lists(st.integers(0, 12), min_size=2, max_size=2))
    state = start_hand(
        rules,
        dealer=Seat(draw(st.integers(0, rules.seat_count - 1))),
        deck=draw(st.permutations(rules.deck_cards)),
        scores=(scores * 4)[: rules.seat_count],
        redeals=draw(st.integers(0, 3)),
        hand_number=draw(st.integers(1, 3)),
    )
    # One number a step, taken modulo the number of legal actions, shrinks better than a choice.
    for number in draw(st.lists(st.integers(0, 10_000), max_size=40)):
        legal = legal_actions(state)
        if not legal:
            break
        state = apply(state, legal[number % len(legal)])
    return state
