"""Nobody is shown what RULES.md section 6 hides from him, in any game, under any option.

Owns two promises over random hands: deals that a seat or the onlookers may not tell apart look
alike to them, byte for byte, until the difference is public; and nothing that is shown names a card
that its reader may not know. Both are tested themselves by leaks planted in the views.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import twin_deals
from drawn_hands import draw_hand, draw_style, presets_of
from twin_deals import (
    Leak,
    audiences_of,
    compare_twins,
    option_values,
    roles,
    search_views,
)

from euchre_engine import views
from euchre_engine.actions import ActionKind
from euchre_engine.cards import cards_in
from euchre_engine.games import Game
from euchre_engine.hand import apply, legal_actions
from euchre_engine.legal import legal_texts
from euchre_engine.notation import replay
from euchre_engine.state import Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from euchre_engine.state import State
    from euchre_engine.views import Audience

PAIRS = 250
SEARCHED = 40
CHUNKS = 5
CHUNK = 700

REACHED: dict[Game, list[str]] = {
    Game.TWO_HANDED: ["take by another", "decline by another", "trick 5"],
    Game.THREE_HANDED: [
        *["take by another", "decline by another", "discard by the maker", "trick 5"],
        *["alone by the maker", "alone by another", "lone defender in PLAY", "sitter in PLAY"],
        *["after_dummy in ALONE_MAKER", "after_dummy in PLAY"],
        *["exchange from 5", "exchange from 6", "keep by the maker"],
    ],
    Game.FOUR_HANDED: [
        *["take by another", "decline by another", "discard by the maker", "trick 5"],
        *["alone by the maker", "alone by another", "sitter in PLAY", "swap by another"],
    ],
    Game.RAILROAD: ["trick 5", "lone maker in PLAY", "lone defender in PLAY", "sitter in BEST"],
    Game.HASENPFEFFER: ["trick 6", "maker in BURY", "another in BURY"],
    Game.PEPPER: ["trick 5"],
    Game.NAPOLEON: ["trick 5"],
}
"""What the twins of a game must have met, beside every phase and every option value."""


def _numbered(game: Game, number: int) -> tuple[Random, str]:
    presets = presets_of(game)
    return Random(f"twin deals {game} {number}"), presets[number % len(presets)]


def _met_in_play(game: Game) -> set[str]:
    """Returns who is there to be looked at in which phase, in hands that are played at random.

    At the end of a hand there may be nothing left that a seat does not know.
    """
    met: set[str] = set()
    for number in range(PAIRS):
        rng, preset = _numbered(game, -1 - number)
        hand = draw_hand(rng, preset)
        style = draw_style(rng, hand.rules)
        state = replay(hand)
        while state.to_act is not None:
            for audience in audiences_of(hand.rules):
                there = set(roles(state, audience)) & {"onlooker", "dealer", "seat to act"}
                met.update(f"{role} in {state.phase}" for role in there)
            state = apply(state, style.choose(rng, state))
    return met


@pytest.mark.parametrize("game", Game)
def test_twins_look_alike(game: Game) -> None:
    """Twins look alike; they meet every phase, option value and case of hidden cards."""
    values = {f"{name}={value}" for name, value in option_values(game)}
    wanted = {*REACHED.get(game, []), *values, *_met_in_play(game)}
    tally: Counter[str] = Counter()
    number = 0
    while number < PAIRS or (number < 4 * PAIRS and wanted - tally.keys()):
        compare_twins(*_numbered(game, number), tally)
        number += 1

    assert [] == sorted(wanted - tally.keys())


@pytest.mark.parametrize("game", Game)
def test_nothing_unknown_is_named(game: Game) -> None:
    """No view and no list of choices names a card that its reader may not know."""
    for number in range(SEARCHED):
        search_views(*_numbered(game, number), Counter())


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("game", Game)
def test_many_twins_look_alike(game: Game, chunk: int) -> None:
    """More than 10,000 further pairs, 3,500 of every game, look alike."""
    first = 1_000_000 + chunk * CHUNK
    for number in range(first, first + CHUNK):
        compare_twins(*_numbered(game, number), Counter())


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("game", Game)
def test_nothing_unknown_is_named_in_many_hands(game: Game, chunk: int) -> None:
    """350 further hands of every game name no card that their readers may not know."""
    first = 1_000_000 + chunk * CHUNK // 10
    for number in range(first, first + CHUNK // 10):
        search_views(*_numbered(game, number), Counter())


# --- the tests can fail ---------------------------------------------------------------------------

Seen = dict[str, Any]


def _texts(mask: int) -> list[str]:
    return [card.text for card in cards_in(mask)]


def _dummy_to_all(state: State, _audience: Audience, shown: Seen) -> Seen:
    """Shows the dummy to everybody as soon as the maker sees it."""
    return {**shown, "dummy": _texts(state.deal.dummy)} if state.contract.dummy_open else shown


def _dummy_too_early(state: State, audience: Audience, shown: Seen) -> Seen:
    """Shows the dummy to the maker before he has said that he plays with it."""
    return {**shown, "dummy": _texts(state.deal.dummy)} if state.maker == audience else shown


def _sitter_to_all(state: State, _audience: Audience, shown: Seen) -> Seen:
    """Lays the cards of who sits out on the table."""
    return {**shown, "sitters": [_texts(state.held[seat]) for seat in state.sitting_out]}


def _widow_to_all(state: State, _audience: Audience, shown: Seen) -> Seen:
    """Turns the widow up when the maker takes it."""
    widow = state.deal.widow
    open_now = widow is not None and state.maker is not None
    return {**shown, "widow": [str(widow)]} if open_now else shown


def _blind_dealer_looks(state: State, audience: Audience, shown: Seen) -> Seen:
    """Shows the dealer his cards before he has named trump blind."""
    if state.phase is Phase.NAME_BLIND and audience == state.dealer:
        return {**shown, "hand": _texts(state.held[state.dealer])}
    return shown


def _choices_to_all(state: State, _audience: Audience, shown: Seen) -> Seen:
    """Tells everybody what the seat to act may do."""
    return {**shown, "legal": legal_texts(legal_actions(state))}


def _counts_aces(state: State, _audience: Audience, shown: Seen) -> Seen:
    """Names no card, but tells how many aces are buried."""
    return {**shown, "redeals": sum(card.rank == 14 for card in state.deal.buried)}


def _seats_in_order_of_clubs(state: State, _audience: Audience, shown: Seen) -> Seen:
    """Names no card, but lists the seats by how many clubs they hold."""
    clubs = [sum(card.suit == 1 for card in state.hand(seat)) for seat in state.rules.seats]
    return {**shown, "alone": sorted(state.rules.seats, key=clubs.__getitem__)}


PLANTED = [
    (_dummy_to_all, Game.THREE_HANDED, True),
    (_dummy_too_early, Game.THREE_HANDED, True),
    (_sitter_to_all, Game.THREE_HANDED, True),
    (_sitter_to_all, Game.FOUR_HANDED, True),
    (_blind_dealer_looks, Game.TWO_HANDED, True),
    (_widow_to_all, Game.HASENPFEFFER, True),
    (_choices_to_all, Game.FOUR_HANDED, True),
    (_choices_to_all, Game.NAPOLEON, True),
    (_counts_aces, Game.TWO_HANDED, False),
    (_seats_in_order_of_clubs, Game.THREE_HANDED, False),
]


def _is_caught(look: Callable[[Random, str, Counter[str]], None], game: Game) -> bool:
    try:
        for number in range(4 * PAIRS if look is compare_twins else SEARCHED):
            look(*_numbered(game, number), Counter())
    except Leak:
        return True
    return False


@pytest.mark.parametrize(("leak", "game", "names_cards"), PLANTED)
def test_planted_leak(
    leak: Callable[[State, Audience, Seen], Seen],
    game: Game,
    names_cards: bool,  # noqa: FBT001  # a column of the table
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twins notice every leak, the search every one that names a card."""
    honest = twin_deals.seen
    monkeypatch.setattr(twin_deals, "seen", lambda state, who: leak(state, who, honest(state, who)))

    assert _is_caught(compare_twins, game)
    assert names_cards == _is_caught(search_views, game)


@pytest.mark.parametrize(
    ("kind", "game"),
    [
        (ActionKind.DISCARD, Game.TWO_HANDED),
        (ActionKind.KEEP, Game.THREE_HANDED),
        (ActionKind.SWAP, Game.FOUR_HANDED),
        (ActionKind.BURY, Game.RAILROAD),
        (ActionKind.BEST, Game.RAILROAD),
        (ActionKind.BURY, Game.HASENPFEFFER),
    ],
)
def test_hidden_action_in_the_open(
    kind: ActionKind, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both notice when the history names the cards of a hidden action."""
    monkeypatch.setattr(views, "_HIDDEN", views._HIDDEN - {kind})

    assert _is_caught(compare_twins, game)
    assert _is_caught(search_views, game)
