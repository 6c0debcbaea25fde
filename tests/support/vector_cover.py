"""What a written hand shows of the rules, for choosing test vectors and for checking the choice.

Owns the list of what a set of hands covers: phases and actions, refusals, results, and, for every
option, which two of its values a hand tells apart: played under the one and under the other, it
does not stand the same. It names no game: what a game must show follows from the engine's tables
and from random hands.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations, pairwise
from random import Random
from typing import TYPE_CHECKING

from drawn_hands import draw_hand, draw_style, draw_text, presets_of, values_of

from euchre_engine.actions import parse_action
from euchre_engine.cards import JOKER, Seat
from euchre_engine.errors import ActionError, EngineError, RulesetError
from euchre_engine.hand import apply, legal_actions
from euchre_engine.notation import WRONG_SEAT, WrittenAction, replay
from euchre_engine.options import OPTION_BY_NAME, OPTIONS
from euchre_engine.scoring import outcome
from euchre_engine.variants import make_ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from euchre_engine.games import Game
    from euchre_engine.notation import HandRecord
    from euchre_engine.option_kinds import OptionValue
    from euchre_engine.state import State
    from euchre_engine.variants import Ruleset

__all__ = ["NOT_SEEN_IN_A_HAND", "candidate", "must_cover", "shown_by"]

NOT_SEEN_IN_A_HAND = {"first_dealer", "reveal"}
"""Options about what lies between and after hands; of them only the values are covered."""
ALIKE = {("joker_upcard", "hearts", "fixed:H")}
"""Values that mean the same."""


# --- hands to choose from -------------------------------------------------------------------------


@cache
def candidate(game: Game, number: int) -> HandRecord:
    """Returns the random hand of a number: played out, broken off, or with a refused action.

    Every other one has an option at a given value, so that each value gets its turn.
    """
    rng = Random(f"test vectors {game} {number}")
    presets = presets_of(game)
    wanted = _option_values(game)
    name, value = wanted[number // 2 % len(wanted)]
    hand = draw_hand(rng, presets[number % len(presets)], {name: value} if number % 2 else {})
    style = draw_style(rng, hand.rules)
    states = [replay(hand)]
    while states[-1].to_act is not None:
        states.append(apply(states[-1], style.choose(rng, states[-1])))
    until = len(states) - 1 if rng.random() < 0.4 else rng.randrange(len(states))
    actions = tuple(WrittenAction(str(action)) for action in states[until].actions)
    if rng.random() < 0.5:
        actions += _refused(rng, states[until])
    return replace(hand, actions=actions)


def _refused(rng: Random, state: State) -> tuple[WrittenAction, ...]:
    """Returns one action that is refused where a hand stands, for any of the reasons found."""
    found: dict[str, WrittenAction] = {}
    for _ in range(40):
        seat = Seat(rng.choice(state.rules.seats)) if rng.random() < 0.1 else None
        written = WrittenAction(draw_text(rng, state), seat=seat)
        answer = _answer(state, written)
        if isinstance(answer, str):
            found.setdefault(answer, written)
    return (found[rng.choice(list(found))],) if found else ()


def _answer(state: State, written: WrittenAction) -> State | str:
    """Returns the state after an action, or the reason for which it is refused."""
    if written.seat not in (None, state.to_act):
        return WRONG_SEAT
    try:
        return apply(state, parse_action(written.text))
    except ActionError as error:
        return error.reason.value


# --- what a hand shows ----------------------------------------------------------------------------


def shown_by(hand: HandRecord, wanted: set[str] | None = None) -> set[str]:
    """Returns everything that a hand shows.

    Args:
        hand: A hand; its last action may be refused.
        wanted: What is asked for; other pairs of option values are not looked at. None: all.
    """
    game = hand.rules.game
    shown = {f"{game}: preset {hand.rules.preset}"}
    shown.update(f"{game}: {name}={value}" for name, value in hand.rules.options.items())
    states, refusal = _played(hand)
    for before, after in pairwise(states):
        shown.add(f"{game}: {before.phase}: {after.actions[-1].kind.word}")
    for state in states:
        if state.upcard is JOKER:
            shown.add(
                f"{game}: {state.phase} with the joker up, {hand.rules.options['joker_upcard']}"
            )
    if refusal is not None:
        shown.add(f"{game}: {states[-1].phase}: refused, {refusal}")
    shown |= {f"{game}: {what}" for what in _ending(states[-1])}
    return shown | _told_apart(hand, wanted)


def _ending(state: State) -> Iterator[str]:
    """Yields how a hand ended."""
    result = outcome(state)
    if result is None:
        return
    yield f"passed out: {result.passed_out}"
    yield f"winners: {len(result.winners)} of {len(state.rules.seats)}"
    best = max(result.scores)
    level = len({seat for seat in state.rules.seats if result.scores[seat] == best})
    if best >= state.rules.target:
        yield f"target reached, {level} level, over: {result.game_over}"
    if state.maker is None:
        return
    lone_maker, lone_defender = (
        state.maker in state.alone,
        any(seat != state.maker for seat in state.alone),
    )
    made = state.tricks_won[state.maker]
    yield f"maker alone {lone_maker}, defender alone {lone_defender}, maker's own tricks {made}"


def _played(hand: HandRecord) -> tuple[list[State], str | None]:
    """Returns the state at the deal and after every action, and why the last one was refused."""
    states = [replay(replace(hand, actions=()))]
    for written in hand.actions:
        answer = _answer(states[-1], written)
        if isinstance(answer, str):
            return states, answer
        states.append(answer)
    return states, None


# --- which values of an option a hand tells apart -------------------------------------------------


def _told_apart(hand: HandRecord, wanted: set[str] | None) -> set[str]:
    rules = hand.rules
    here = _course(hand, rules)
    shown = set()
    for name, value in rules.options.items():
        for other in _values(rules.game, name):
            what = _apart(rules.game, name, value, other)
            if other == value or name in NOT_SEEN_IN_A_HAND:
                continue
            if wanted is not None and what not in wanted:
                continue
            changed = _changed(rules, name, other)
            if changed is not None and here != _course(hand, changed):
                shown.add(what)
    return shown


def _apart(game: Game, name: str, one: OptionValue, other: OptionValue) -> str:
    lower, higher = sorted((str(one), str(other)))
    return f"{game}: {name}: {lower} from {higher}"


def _values(game: Game, name: str) -> list[OptionValue]:
    spec = OPTION_BY_NAME[name]
    return values_of(spec.kinds[game], spec.defaults[game])


def _option_values(game: Game) -> list[tuple[str, OptionValue]]:
    names = [spec.name for spec in OPTIONS if game in spec.kinds]
    return [(name, value) for name in names for value in _values(game, name)]


def _changed(rules: Ruleset, name: str, value: OptionValue) -> Ruleset | None:
    """Returns the rules with one option changed; None if it cannot stand beside the others."""
    try:
        return _cached_ruleset(rules.preset, (*rules.options.items(), (name, value)))
    except RulesetError:
        return None


@lru_cache(maxsize=4096)
def _cached_ruleset(preset: str, options: tuple[tuple[str, OptionValue], ...]) -> Ruleset:
    return make_ruleset(preset, dict(options))


def _course(hand: HandRecord, rules: Ruleset) -> list[object]:
    """Returns all that anybody could see of a hand under some rules, in a form to be compared."""
    course: list[object] = []
    try:
        state = replay(replace(hand, rules=rules, actions=()))
        course.append(_standing(state))
        for written in hand.actions:
            state = apply(state, parse_action(written.text))
            course.append(_standing(state))
    except EngineError as error:
        course.append(error.message)
    return course


def _standing(state: State) -> object:
    deal = state.deal
    return (
        (deal.hands, deal.dummy, deal.upcard, deal.buried),
        tuple(state)[1:],
        state.phase,
        legal_actions(state),
        outcome(state),
    )


# --- what must be shown ---------------------------------------------------------------------------


def must_cover(game: Game, numbers: range) -> set[str]:
    """Returns what vectors of a game must show: the tables, and all that random hands meet."""
    wanted = {f"{game}: preset {preset}" for preset in presets_of(game)}
    for name, value in _option_values(game):
        wanted.add(f"{game}: {name}={value}")
    for spec in OPTIONS:
        if game not in spec.kinds or spec.name in NOT_SEEN_IN_A_HAND:
            continue
        usual = spec.defaults[game]
        for one, other in combinations(_values(game, spec.name), 2):
            # Of numbers, each is told apart from the usual one.
            too_many = isinstance(one, int) and usual not in (one, other)
            if not too_many and (spec.name, one, other) not in ALIKE:
                wanted.add(_apart(game, spec.name, one, other))
    for number in numbers:
        wanted |= shown_by(candidate(game, number), set())
    return wanted
