"""LEAN views: what the client makes of events is what FULL would have shown, in every game."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from drawn_hands import draw_hand, draw_style, presets_of
from lean_streams import BothSeats, untouched

from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.v1.event_pb2 import (
    EVENT_KIND_UNSPECIFIED,
    EventKind,
)
from euchre_engine import apply, legal_actions
from euchre_engine.games import Game
from euchre_engine.notation import replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lean_streams import Spoil

    from euchre_arena.v1.table_pb2 import Decision

HANDS = 50
SPOILT_HANDS = 20
CHUNK = 500
CHUNKS = 4


def numbered(game: Game, number: int) -> tuple[Random, str]:
    """Returns random numbers and a preset for a numbered hand."""
    presets = presets_of(game)
    return Random(f"lean {game} {number}"), presets[number % len(presets)]


def play(
    rng: Random, preset: str, spoils: Sequence[Spoil] = (), *, looks: float = 0.1
) -> list[BothSeats]:
    """Plays a random hand with every seat held in both modes; returns the seats.

    At every question both bots must be handed the same view, unless the frame was lost. Where
    `spoils` are given, every second frame is spoilt by one of them. `looks` says how often a view
    is asked for between questions, and while one waits.
    """
    hand = draw_hand(rng, preset)
    style = draw_style(rng, hand.rules)
    state = replay(hand)
    seats = [BothSeats(hand.rules, seat) for seat in hand.rules.seats]
    while state.to_act is not None:
        if rng.random() < looks:
            rng.choice(seats).look(state)
        spoil = rng.choice(spoils) if spoils and rng.random() < 0.5 else untouched
        overtaken = rng.random() < looks
        whole, kept = seats[state.to_act].ask(state, spoil, overtaken=overtaken)

        assert whole is not None
        assert (None if spoil is lost else whole) == kept
        state = apply(state, style.choose(rng, state))
    return seats


def questions_of(seats: Sequence[BothSeats]) -> list[Decision]:
    """Returns every question to some seats, as it was sent to the LEAN client."""
    return [frame.messages[-1].decision for seat in seats for frame in seat.frames]


# --- nothing goes wrong ---------------------------------------------------------------------------


def test_what_is_kept_is_what_full_shows() -> None:
    """At every question of random hands the kept view is the FULL one, without asking for it.

    Every game is played, under any options; every kind of event occurs; few views are sent whole.
    """
    met: Counter[int] = Counter()
    whole = questions = 0
    for game in Game:
        for number in range(HANDS):
            seats = play(*numbered(game, number))
            for question in questions_of(seats):
                met.update(question.events.kinds)
                whole += question.HasField("view")
                questions += 1
            assert [0 for _ in seats] == [seat.requests for seat in seats]

    assert set() == set(EventKind.values()) - set(met) - {EVENT_KIND_UNSPECIFIED}
    assert whole < questions / 3


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("game", Game)
def test_what_is_kept_is_what_full_shows_in_many_hands(game: Game, chunk: int) -> None:
    """The same in 2,000 further hands of every game."""
    first = 1_000_000 + chunk * CHUNK
    for number in range(first, first + CHUNK):
        seats = play(*numbered(game, number))
        assert [0 for _ in seats] == [seat.requests for seat in seats]


def test_events_are_numbered_without_gaps() -> None:
    """Each question says the number of its last event: one more for each event so far."""
    for seat in play(*numbered(Game.THREE_HANDED, 1), looks=0):
        last = 0
        for question in questions_of([seat]):
            last += len(question.events.kinds)
            assert last == question.events.last
            assert len(question.events.kinds) == len(question.events.seats)
            assert len(question.events.kinds) == len(question.events.values)


# --- frames are spoilt ----------------------------------------------------------------------------


def lost(_: pb.ConnectResponse) -> list[pb.ConnectResponse]:
    """Loses a frame; the clock will have played."""
    return []


def doubled(frame: pb.ConnectResponse) -> list[pb.ConnectResponse]:
    """Brings a frame twice."""
    return [frame, frame]


def misunderstood(frame: pb.ConnectResponse) -> list[pb.ConnectResponse]:
    """Turns the last event into one that the client does not know."""
    changed = pb.ConnectResponse()
    changed.CopyFrom(frame)
    events: Any = changed.messages[-1].decision.events
    if events.kinds:
        events.kinds[-1] = 95 if events.kinds[-1] < 96 else 127
    return [changed]


def stripped(frame: pb.ConnectResponse) -> list[pb.ConnectResponse]:
    """Leaves the first event out, and says so nowhere: what follows it may fit no more."""
    changed = pb.ConnectResponse()
    changed.CopyFrom(frame)
    events: Any = changed.messages[-1].decision.events
    if events.kinds:
        events.kinds[0] = 95
    return [changed]


@pytest.mark.parametrize("game", Game)
def test_a_client_that_missed_something_asks_and_goes_on(game: Game) -> None:
    """After lost, doubled and misread frames the bot is still handed what FULL shows.

    It takes one request where something is missing, and none where nothing is.
    """
    spoils = [lost, doubled, misunderstood, stripped]
    requests = 0
    for number in range(SPOILT_HANDS):
        seats = play(*numbered(game, -1 - number), spoils)
        requests += sum(seat.requests for seat in seats)
        assert all(seat.requests <= len(seat.frames) for seat in seats)

    assert requests > SPOILT_HANDS
    for number in range(SPOILT_HANDS // 2):
        seats = play(*numbered(game, -1 - number), [doubled])
        assert [0 for _ in seats] == [seat.requests for seat in seats]


class LaterArena:
    """Puts events of kinds that this client does not know before the known ones, in every frame."""

    def __init__(self) -> None:
        self.more = 0
        """How many events it has added so far."""

    def __call__(self, frame: pb.ConnectResponse) -> list[pb.ConnectResponse]:
        """Returns the frame of a later arena."""
        changed = pb.ConnectResponse()
        changed.CopyFrom(frame)
        events: Any = changed.messages[-1].decision.events
        if events.kinds:
            self.more += 3
            for name, unknown in {
                "kinds": [95, 127, 126],
                "seats": [1, 0, 0],
                "values": [7, 3, 0],
                "numbers": [1, 2, 3],
            }.items():
                getattr(events, name)[:] = unknown + list(getattr(events, name))
        events.last += self.more
        return [changed]


@pytest.mark.parametrize("game", Game)
def test_unknown_events_are_skipped(game: Game) -> None:
    """Kinds of a later arena that change nothing known are skipped, lists of theirs included."""
    hand = draw_hand(*numbered(game, 5))
    rng = Random(game)
    state = replay(hand)
    seats = [(BothSeats(hand.rules, seat), LaterArena()) for seat in hand.rules.seats]
    while state.to_act is not None:
        seat, later = seats[state.to_act]
        whole, kept = seat.ask(state, later)

        assert whole == kept
        state = apply(state, rng.choice(legal_actions(state)))
    assert [0 for _ in seats] == [seat.requests for seat, _ in seats]
    assert sum(later.more for _, later in seats) > 10
