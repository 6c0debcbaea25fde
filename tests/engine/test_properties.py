"""What holds in every hand of every ruleset, and the check that hands of all kinds were drawn."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import chain
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from euchre_engine import (
    OPTIONS,
    PRESETS,
    ActionError,
    ActionKind,
    Alone,
    Call,
    Card,
    Choose,
    Decline,
    Discard,
    Game,
    Keep,
    Order,
    Pass,
    Phase,
    Play,
    Reason,
    Seat,
    Suit,
    Swap,
    Take,
    Together,
    WithDummy,
    apply,
    default_action,
    in_order,
    is_legal,
    legal_actions,
    make_ruleset,
    outcome,
    parse_action,
    start_hand,
    view_for,
)
from euchre_engine.cards import cards_in, mask_of
from euchre_engine.option_kinds import Flag, Integer, SeatOrSeeded, Word

if TYPE_CHECKING:
    from euchre_engine import Action, Ruleset, State

GAMES = {Game.TWO_HANDED, Game.THREE_HANDED, Game.FOUR_HANDED}
PRESET_NAMES = [preset.name for preset in PRESETS.values() if preset.game in GAMES]
HANDS = 1200
"""So many hands are drawn, always the same ones, and meet even the rarest refusal."""
SMALL_INTEGERS = {"min_trump_to_call": (0, 1, 2), "max_consecutive_redeals": (0, 1, 50)}


def drawn_values(spec_name: str, kind: object, default: object) -> list[object]:
    """Returns the values of an option that hands are drawn with."""
    match kind:
        case Flag():
            return [False, True]
        case Word(allowed):
            return list(allowed)
        case SeatOrSeeded():
            return ["seeded", 0]
        case Integer():
            return list(SMALL_INTEGERS.get(spec_name, (default, 1, 3)))
        case _:
            raise AssertionError(kind)


def drawn_rules(draw: Random, wanted: dict[str, object]) -> Ruleset:
    """Returns a preset with few or many options changed, and those wanted as wanted."""
    preset = PRESETS[draw.choice(PRESET_NAMES)]
    share = draw.choice((0.1, 0.4, 0.8))
    options = {
        spec.name: draw.choice(
            drawn_values(spec.name, spec.kinds[preset.game], spec.defaults[preset.game])
        )
        for spec in OPTIONS
        if preset.game in spec.kinds and draw.random() < share
    }
    return make_ruleset(preset.name, {**options, **wanted})


def drawn_hand(seed: int) -> tuple[Random, State]:
    """Returns a fresh hand; the joker is turned up in every other hand that has one."""
    draw = Random(seed)
    rules = drawn_rules(draw, {})
    deck = list(rules.deck_cards)
    draw.shuffle(deck)
    if Card.JK in deck and draw.random() < 0.5:
        turned = rules.seat_count * 5 + (5 if rules.has_dummy else 0)
        joker = deck.index(Card.JK)
        deck[joker], deck[turned] = deck[turned], deck[joker]
    state = start_hand(
        rules,
        dealer=Seat(draw.randrange(rules.seat_count)),
        deck=deck,
        scores=(draw.randrange(12), draw.randrange(12), 0, 0)[: rules.seat_count]
        if not rules.has_partners
        else (draw.randrange(12), 3) * 2,
        redeals=draw.randrange(3),
        hand_number=draw.randrange(1, 4),
    )
    return draw, state


def picked(draw: Random, state: State) -> Action:
    """Returns a legal action: passes half as often as chance has it, so that hands are played."""
    legal = legal_actions(state)
    action = legal[draw.randrange(len(legal))]
    if action == Pass() and draw.random() < 0.5:
        action = legal[draw.randrange(len(legal))]
    return action


def near_misses(draw: Random, state: State) -> list[Action]:
    """Returns some actions of any kind, many of them almost legal."""
    some = draw.sample(state.rules.deck_cards, 4)
    pool = list(state.hand(state.to_act)) if state.to_act is not None else some
    pool += list(state.dummy)
    card = draw.choice((*some, *pool))
    kept: list[Action] = [
        Keep(tuple((pool + some)[:5])),
        Keep(tuple(pool[:4])),
        Keep((*pool[:4], *pool[:1])),
        Keep((*pool[:4], some[0])),
        Swap(tuple(some[:3])),
        Swap(tuple(pool[:2])),
        Swap(tuple(pool[:3])),
    ]
    bare: list[Action] = [Pass(), Order(), Take(), Decline(), Alone(), WithDummy(), Together()]
    suits: list[Action] = list(map(Call, Suit))
    return [
        *draw.sample(bare, 2),
        *draw.sample(suits, 2),
        *draw.sample(kept, 3),
        Play(card),
        Play(some[0]),
        Discard(card),
    ]


def all_cards(state: State) -> list[Card]:
    """Returns every card of the deal from where it is now, as far as the state knows it."""
    deal, contract = state.deal, state.contract
    held = list(chain.from_iterable(state.hand(seat) for seat in state.rules.seats))
    played = list(chain.from_iterable(trick.cards for trick in state.tricks))
    away = list(chain.from_iterable(map(cards_in, contract.away)))
    lying = list(deal.buried)
    if deal.rules.has_dummy and not any(
        step.action.kind is ActionKind.KEEP for step in state.steps
    ):
        lying += state.dummy
    if deal.upcard is not None and contract.upcard_status.name != "TAKEN":
        lying.append(deal.upcard)
    # After a swap the buried cards are in a hand, and what was put away for them lies there.
    swapped = any(step.action.kind is ActionKind.SWAP for step in state.steps)
    return held + played + away + lying if not swapped else list({*held, *played, *away, *lying})


def test_every_hand() -> None:
    """Cards are conserved, legal actions apply, all others are refused and change nothing.

    The hands drawn reach every phase, action kind, refusal and value of every option.
    """
    reached: Counter[object] = Counter()

    def play_one(seed: int) -> None:
        draw, state = drawn_hand(seed)
        game = state.rules.game
        reached.update((game, name, str(value)) for name, value in state.rules.options.items())
        deck = sorted(state.rules.deck_cards)
        while state.to_act is not None:
            reached[game, state.phase] += 1
            assert deck == sorted(all_cards(state))
            check_refusals(draw, state, reached)
            assert is_legal(state, default_action(state))
            action = picked(draw, state)
            reached[action.kind] += 1
            assert action == parse_action(str(action))
            before = state
            state = apply(state, action)
            assert before.steps == state.steps[:-1]
            assert (before.to_act, action) == state.steps[-1]
        check_end(state)
        reached[game, state.phase] += 1

    for seed in range(HANDS):
        try:
            play_one(seed)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise

    assert [] == [what for what in must_reach() if not reached[what]]


def check_refusals(draw: Random, state: State, reached: Counter[object]) -> None:
    """Checks that exactly the legal set applies, and that refusals say why."""
    legal = legal_actions(state)
    written = set(legal) if not isinstance(legal, Choose) else None
    frozen = pickle.dumps(state) if draw.random() < 0.05 else None
    for action in near_misses(draw, state):
        allowed = action in legal if written is None else action in written
        assert allowed == is_legal(state, action)
        if allowed:
            apply(state, action)
            continue
        with pytest.raises(ActionError) as caught:
            apply(state, action)
        assert legal == caught.value.legal
        assert caught.value.message
        reached[caught.value.reason] += 1
    if written is not None:
        assert len(written) == len(legal) > 0
        for action in legal:
            apply(state, action)
    if frozen is not None:
        assert frozen == pickle.dumps(state)


def check_end(state: State) -> None:
    """Checks what a finished hand must have come to."""
    result = outcome(state)
    assert result is not None
    rules = state.rules
    assert () == legal_actions(state)
    assert (state.maker is None) == result.passed_out
    assert result.game_over == bool(result.winners) == (result.next_dealer is None)
    assert tuple(map(sum, zip(state.scores, result.points, strict=True))) == result.scores
    assert max(result.points) <= rules.largest_hand_result
    assert min(result.points) >= 0
    if rules.has_partners:
        assert result.points[:2] == result.points[2:]
    if not result.passed_out:
        full = len(state.tricks) == 5
        assert full or rules.end_hand_early
        assert len(state.tricks) == sum(state.tricks_won)
        players = rules.seat_count - len(state.sitting_out)
        assert {players} == {len(trick.cards) for trick in state.tricks}


def must_reach() -> list[object]:
    """Returns every phase, action kind, reason and option value that can be met in these games."""
    family_phases = {"BID", "NAME", "BURY", "BEST"}
    without = {
        Game.TWO_HANDED: {Phase.SWAP, Phase.ALONE_MAKER, Phase.ALONE_DEFENDER, Phase.EXCHANGE},
        Game.THREE_HANDED: {Phase.SWAP},
        Game.FOUR_HANDED: {Phase.EXCHANGE},
    }
    wanted: list[object] = [
        (game, phase)
        for game in GAMES
        for phase in Phase
        if phase.name not in family_phases and phase not in without[game]
    ]
    family = {ActionKind.BID, ActionKind.NAME, ActionKind.BURY, ActionKind.BEST}
    wanted += [kind for kind in ActionKind if kind not in family]
    wanted += map(Reason, REASONS)
    for spec in OPTIONS:
        for game in GAMES & set(spec.kinds):
            values = drawn_values(spec.name, spec.kinds[game], spec.defaults[game])
            wanted += [(game, spec.name, str(value)) for value in values]
    return wanted


REASONS = {
    "wrong_phase",
    "not_in_hand",
    "must_follow",
    "suit_not_allowed",
    "too_few_trumps",
    "may_not_pass",
    "may_not_discard_upcard",
    "wrong_card_count",
    "repeated_card",
    "may_not_swap",
}


def test_refusal_after_the_end() -> None:
    """A finished hand refuses every action as over."""
    _, state = drawn_hand(1)
    while state.to_act is not None:
        state = apply(state, default_action(state))

    for action in (Pass(), Play(Card["9H"])):
        with pytest.raises(ActionError) as caught:
            apply(state, action)
        assert Reason.HAND_OVER is caught.value.reason


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.integers(0, 2**32))
def test_early_end_keeps_the_score(seed: int) -> None:
    """`end_hand_early` gives the identical points to the same cards played."""
    draw = Random(seed)
    rules = drawn_rules(draw, {"end_hand_early": True})
    full = make_ruleset(rules.preset, {**rules.options, "end_hand_early": False})
    deck = tuple(draw.sample(rules.deck_cards, len(rules.deck_cards)))
    early, late = (start_hand(which, dealer=Seat(0), deck=deck) for which in (rules, full))
    while late.to_act is not None:
        action = picked(draw, late)
        early = apply(early, action) if early.to_act is not None else early
        late = apply(late, action)
    one, other = outcome(early), outcome(late)
    assert one is not None
    assert other is not None

    assert other.points == one.points
    assert early.steps == late.steps[: len(early.steps)]


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.integers(0, 2**32))
def test_hidden_cards_never_matter_to_others(seed: int) -> None:
    """Shuffling what a seat cannot know, before any of it is used, leaves its view as it is."""
    draw, state = drawn_hand(seed)
    seat = Seat(draw.randrange(state.rules.seat_count))
    known = {*state.hand(seat), state.upcard}
    places = [place for place, card in enumerate(state.deal.deck) if card not in known]
    moved = [state.deal.deck[place] for place in places]
    draw.shuffle(moved)
    deck = list(state.deal.deck)
    for place, card in zip(places, moved, strict=True):
        deck[place] = card
    deal = state.deal
    twin = start_hand(
        deal.rules,
        dealer=deal.dealer,
        deck=deck,
        scores=deal.scores,
        redeals=deal.redeals,
        hand_number=deal.hand_number,
    )

    if state.phase is twin.phase:  # a hand without ace and face ends the deal for all to see
        assert view_for(state, seat) == view_for(twin, seat)
        assert legal_actions(state) == legal_actions(twin) or state.to_act != seat


def test_masks_and_hands_agree() -> None:
    """A hand lists the cards of its mask in the canonical order."""
    _, state = drawn_hand(7)

    for seat in state.rules.seats:
        assert mask_of(state.hand(seat)) == state.held[seat]
        assert in_order(state.hand(seat)) == state.hand(seat)
