"""Twin deals: two deals alike in what one audience may know must look alike to it.

Owns how a twin is made, how far both deals are played with the same public history, and what is
compared on the way. What an audience may know comes from `twin_deals_knowledge`, which shares no
code with the engine. All that is shown goes through `seen`, so that a test can plant a leak there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from drawn_hands import draw_hand, draw_style, draw_text, values_of
from twin_deals_knowledge import Knowledge, cards_written, is_hidden_from

from euchre_engine.actions import parse_action
from euchre_engine.defaults import default_action
from euchre_engine.errors import ActionError
from euchre_engine.hand import apply, is_legal, legal_actions
from euchre_engine.legal import legal_texts
from euchre_engine.notation import HandRecord, WrittenAction, hand_to_json, replay
from euchre_engine.options import OPTIONS
from euchre_engine.state import Phase
from euchre_engine.state_json import view_to_json
from euchre_engine.variants import PRESETS
from euchre_engine.views import PUBLIC, view_for

if TYPE_CHECKING:
    from collections import Counter
    from random import Random

    from euchre_engine.cards import Card
    from euchre_engine.games import Game
    from euchre_engine.option_kinds import OptionValue
    from euchre_engine.state import State
    from euchre_engine.variants import Ruleset
    from euchre_engine.views import Audience

__all__ = [
    "Leak",
    "audiences_of",
    "compare_twins",
    "option_values",
    "roles",
    "search_views",
    "seen",
]

TRIES = 4
"""How many twins of one hand are looked for until one can follow its whole history."""


class Leak(AssertionError):  # noqa: N818  # it is what it says
    """An audience was shown what it may not know."""

    def __init__(self, hand: HandRecord, step: int, audience: Audience, what: str) -> None:
        whole = json.dumps(hand_to_json(hand))
        super().__init__(f"after action {step}, to {audience}: {what}\n  hand: {whole}")


@dataclass(frozen=True, slots=True)
class Played:
    """A hand with the state before its first action and after each."""

    hand: HandRecord
    states: tuple[State, ...]

    @property
    def texts(self) -> list[str]:
        """Returns the actions."""
        return [action.text for action in self.hand.actions]


def option_values(game: Game) -> list[tuple[str, OptionValue]]:
    """Returns every option of a game with every value that it is tried with."""
    return [
        (spec.name, value)
        for spec in OPTIONS
        if game in spec.kinds
        for value in values_of(spec.kinds[game], spec.defaults[game])
    ]


def audiences_of(rules: Ruleset) -> list[Audience]:
    """Returns everybody who is shown something: the seats, and the onlookers."""
    return [*rules.seats, PUBLIC]


def _play(rng: Random, preset: str) -> Played:
    """Returns a random hand, played to its end; often one option is set that it might not have."""
    name, value = rng.choice(option_values(PRESETS[preset].game))
    hand = draw_hand(rng, preset, {name: value} if rng.random() < 0.7 else {})
    style = draw_style(rng, hand.rules)
    states = [replay(hand)]
    while states[-1].to_act is not None:
        states.append(apply(states[-1], style.choose(rng, states[-1])))
    actions = tuple(WrittenAction(str(action)) for action in states[-1].actions)
    return Played(replace(hand, actions=actions), tuple(states))


def _raw(hand: HandRecord) -> dict[str, Any]:
    return hand_to_json(replace(hand, actions=()))


def _seat_of(audience: Audience) -> int | None:
    return audience if isinstance(audience, int) else None


# --- nothing is shown that is not known -----------------------------------------------------------


def search_views(rng: Random, preset: str, tally: Counter[str]) -> None:
    """Plays a hand and looks through all that is shown after every action for unknown cards.

    Raises:
        Leak: A view names a card that its audience may not know.
    """
    played = _play(rng, preset)
    knowledge = Knowledge(_raw(played.hand))
    for step, state in enumerate(played.states):
        if step:
            knowledge.act(played.texts[step - 1])
        _note(tally, state)
        for audience in audiences_of(played.hand.rules):
            shown = cards_written(_shown(state, audience))
            unknown = shown - knowledge.known(_seat_of(audience))
            if unknown:
                raise Leak(played.hand, step, audience, f"unknown cards {sorted(unknown)}")


def seen(state: State, audience: Audience) -> dict[str, Any]:
    """Returns the view of an audience."""
    return view_to_json(view_for(state, audience))


def _shown(state: State, audience: Audience) -> dict[str, Any]:
    """Returns all that an audience gets from the engine: its view and, to act, its choices."""
    shown: dict[str, Any] = {"view": seen(state, audience)}
    if state.to_act == audience:
        shown["legal"] = legal_texts(legal_actions(state))
        shown["default"] = str(default_action(state))
    return shown


# --- twins look alike -----------------------------------------------------------------------------


def compare_twins(rng: Random, preset: str, tally: Counter[str]) -> None:
    """Plays a hand, makes twins of it for one audience, and compares what it is shown.

    Raises:
        Leak: The audience can tell the twins apart before the difference is public.
    """
    played = _play(rng, preset)
    audience = rng.choice(audiences_of(played.hand.rules))
    until = _moment(rng, played)
    knowledge = Knowledge(_raw(played.hand))
    for text in played.texts[:until]:
        knowledge.act(text)
    known = knowledge.known(_seat_of(audience))
    for _ in range(TRIES):
        moved = _moved_cards(rng, [card for card in played.hand.deck if card.text not in known])
        if _compare(rng, played, moved, audience, tally) >= until:
            return


def _moment(rng: Random, played: Played) -> int:
    """Returns up to which action twins must go: any of a hand, or any of one of its phases."""
    steps = list(range(len(played.states)))
    if rng.random() < 0.5:
        phase = rng.choice(list(dict.fromkeys(state.phase for state in played.states)))
        steps = [step for step in steps if played.states[step].phase is phase]
    return rng.choice(steps)


def _moved_cards(rng: Random, hidden: list[Card]) -> dict[Card, Card]:
    """Returns which card stands in the twin where a hidden card stood.

    All hidden cards may be dealt anew, or few exchanged: the fewer, the longer both deals can be
    played alike. Equal ranks are exchanged so that also a farmer's swap can be followed.
    """
    into = list(hidden)
    if rng.random() < 0.4:
        rng.shuffle(into)
    elif into:
        equal_ranks = rng.random() < 0.5
        for _ in range(rng.choice([1, 1, 2, 3])):
            one = rng.randrange(len(into))
            rank = into[one].rank
            others = [at for at, card in enumerate(into) if card.rank == rank or not equal_ranks]
            other = rng.choice(others)
            into[one], into[other] = into[other], into[one]
    return {card: new for card, new in zip(hidden, into, strict=True) if card is not new}


def _compare(
    rng: Random,
    played: Played,
    moved: dict[Card, Card],
    audience: Audience,
    tally: Counter[str],
) -> int:
    """Compares a hand with its twin step by step; returns how many actions both could follow."""
    if not moved:
        return -1
    twin_hand = replace(
        played.hand, deck=tuple(moved.get(card, card) for card in played.hand.deck), actions=()
    )
    by_text = {card.text: new.text for card, new in moved.items()}
    seat = _seat_of(audience)
    knowledge, twin_knowledge = Knowledge(_raw(played.hand)), Knowledge(_raw(twin_hand))
    twin = replay(twin_hand)
    for step, state in enumerate(played.states):
        if knowledge.known(seat) & by_text.keys():
            return step - 1  # what differs has come to light
        if knowledge.told_by_the_rules() != twin_knowledge.told_by_the_rules():
            return step - 1
        _expect_alike(rng, played.hand, step, audience, (state, twin))
        _note(tally, state, audience)
        if step == len(played.texts):
            return step
        text = played.texts[step]
        actor = state.to_act
        assert actor is not None
        mirrored = text
        if is_hidden_from(seat, actor, text):
            mirrored = " ".join(by_text.get(word, word) for word in text.split(" "))
        if not is_legal(twin, parse_action(mirrored)):
            if actor == audience:
                raise Leak(played.hand, step, audience, f"{text!r} is legal in one twin only")
            return step
        knowledge.act(text)
        twin_knowledge.act(mirrored)
        twin = apply(twin, parse_action(mirrored))
    raise AssertionError("the last state has no action after it")


def _expect_alike(
    rng: Random, hand: HandRecord, step: int, audience: Audience, twins: tuple[State, State]
) -> None:
    one, other = (json.dumps(_shown(state, audience)) for state in twins)
    if one != other:
        raise Leak(hand, step, audience, f"differs from its twin\n    {one}\n    {other}")
    if twins[0].to_act == audience and rng.random() < 0.3:
        tried = draw_text(rng, twins[0])
        answers = [_refusal(state, tried) for state in twins]
        if answers[0] != answers[1]:
            raise Leak(hand, step, audience, f"{tried!r} is answered {answers}")


def _refusal(state: State, text: str) -> str:
    """Returns all that a seat is told when its action is refused; empty if it is not."""
    try:
        apply(state, parse_action(text))
    except ActionError as error:
        return f"{error.reason} {error.message} {legal_texts(error.legal)}"
    return ""


# --- what was met ---------------------------------------------------------------------------------


def _note(tally: Counter[str], state: State, *audiences: Audience) -> None:
    """Notes where a hand stood when it was compared, and what the audience was there."""
    options = state.rules.options
    tally[f"trick {len(state.tricks)}"] += 1
    for step in state.steps[-1:]:
        by = "the maker" if step.seat == state.maker else "another"
        tally[f"{step.action.kind.word} by {by}"] += 1
    if state.phase is Phase.EXCHANGE and state.maker is not None:
        tally[f"exchange from {len(state.hand(state.maker))}"] += 1
    if not state.steps:
        tally.update(f"{name}={value}" for name, value in options.items())
    if options.get("alone_decision") == "after_dummy" and options["maker_alone"]:
        tally[f"after_dummy in {state.phase}"] += 1
    for audience in audiences:
        tally.update(f"{role} in {state.phase}" for role in roles(state, audience))


def roles(state: State, audience: Audience) -> list[str]:
    """Returns what an audience is in a hand."""
    if not isinstance(audience, int):
        return ["onlooker"]
    are = {
        "dealer": audience == state.dealer,
        "maker": audience == state.maker,
        "another": state.maker is not None and audience != state.maker,
        "sitter": audience in state.sitting_out,
        "lone maker": audience in state.alone and audience == state.maker,
        "lone defender": audience in state.alone and audience != state.maker,
        "seat to act": audience == state.to_act,
    }
    return [role for role, it_is in are.items() if it_is]
