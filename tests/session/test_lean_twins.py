"""Twin deals over LEAN streams: what a seat cannot see changes no byte that it is sent (G5).

Owns the promise for questions told by events, for views that are asked for, and for the last view
of a hand. How twins are made and how far they are alike is `twin_deals`' business.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import twin_deals
from drawn_hands import presets_of
from tables import table_spec
from twin_deals import Leak, compare_twins

from euchre_engine import Seat, legal_actions, view_for
from euchre_engine.games import Game
from euchre_server.referee.outputs import Ask, HandOver
from euchre_server.session.wire import Lean

if TYPE_CHECKING:
    from collections.abc import Callable

    from euchre_engine.state import State
    from euchre_engine.views import Audience, View

PAIRS = 60
CHUNKS = 5
CHUNK = 300


class LeanStreams:
    """All that one seat is sent of a hand and of its twin, position after position, by turns."""

    def __init__(self, look: Callable[[State, Seat], View]) -> None:
        self.events = 0
        self._look = look
        self._side = 0
        self._sides = [Lean(), Lean()]

    def __call__(self, state: State, audience: Audience) -> dict[str, Any]:
        """Returns what the seat is sent at a position: a question, a view, or nothing."""
        side, self._side = self._side, 1 - self._side
        if state.log is None:
            self._sides[side] = Lean()
        if not isinstance(audience, int):
            return {}
        seat = Seat(audience)
        lean, spec, view = self._sides[side], table_spec(state.rules), self._look(state, seat)
        number = len(view.history)
        if state.to_act == seat:
            ask = Ask(number + 1, 500, 10_000, view, legal_actions(state))
            sent = lean.seat_message(spec, seat, ask)
        elif state.to_act is None:
            sent = lean.seat_message(spec, seat, HandOver(view, view.scores))
        elif number % 5 == 2:
            sent = lean.table_view(spec.table_id, view)
        else:
            return {}
        self.events += 1
        return {"sent": sent.hex()}


def compare(
    game: Game,
    numbers: range,
    monkeypatch: pytest.MonkeyPatch,
    look: Callable[[State, Seat], View] = view_for,
) -> int:
    """Compares numbered pairs of twins; returns how many messages were sent.

    Raises:
        Leak: A seat can tell two twins apart.
    """
    streams = LeanStreams(look)
    presets = presets_of(game)
    for number in numbers:
        streams._side = 0  # the last comparison may have stopped between the two
        monkeypatch.setattr(twin_deals, "seen", streams)
        rng = Random(f"lean twins {game} {number}")
        compare_twins(rng, presets[number % len(presets)], Counter())
    return streams.events


@pytest.mark.parametrize("game", Game)
def test_twins_are_told_alike(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte to a seat is the same in both deals, until the difference is public."""
    assert compare(game, range(PAIRS), monkeypatch) > 5 * PAIRS


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("game", Game)
def test_many_twins_are_told_alike(game: Game, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than 10,000 further pairs, 1,500 of every game, are told alike."""
    first = 1_000_000 + chunk * CHUNK
    assert compare(game, range(first, first + CHUNK), monkeypatch) > CHUNK


# --- the test can fail ----------------------------------------------------------------------------


def dummy_to_all(state: State, seat: Seat) -> View:
    """Shows the dummy to everybody as soon as the maker sees it: only an event tells of it."""
    view = view_for(state, seat)
    return view._replace(dummy=state.dummy) if state.contract.dummy_open else view


def clubs_counted(state: State, seat: Seat) -> View:
    """Tells how many clubs the dealer holds, and names no card."""
    view = view_for(state, seat)
    clubs = sum(card.suit == 1 for card in state.hand(view.dealer))
    return view._replace(redeals=clubs) if seat != view.dealer else view


@pytest.mark.parametrize("leak", [dummy_to_all, clubs_counted])
def test_a_planted_leak_is_noticed(
    leak: Callable[[State, Seat], View], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twins notice what only an event, or only a hash and a view, would tell."""
    with pytest.raises(Leak):
        compare(Game.THREE_HANDED, range(10 * PAIRS), monkeypatch, leak)
