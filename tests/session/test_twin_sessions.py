"""Nobody is told over a session what he may not know: whole sessions, bytes in and bytes out.

Two arenas that differ in what one bot may not know say the same to it, byte for byte and at the
same moments, until the difference is public, whatever goes wrong on the way; the same for every
log line and the driver's counts. No message to any seat names a card that it may not know. The
tests are tested by leaks planted in the arena.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from twin_leaks import LEAKS
from twin_plans import play_pair
from twin_sessions import Pair, preset_number
from twin_tables import Leak

from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_engine.games import Game
from euchre_engine.state import Phase
from euchre_server.referee.facts import EndCause, RejectReason
from euchre_server.session import GoodbyeReason
from euchre_server.session.messages import SessionFaultReason

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES = list(Game)
PAIRS = 210
MOST = 630
"""How many are tried until all that is wanted has been met."""
CHUNKS = 6
CHUNK = 260
MOST_LONG = 6_000
UNTIL_CAUGHT = 700

SELDOM = {Phase.BEST, Phase.EXCHANGE}
WANTED = {
    *(f"told {field.name}" for field in pb.ArenaMessage.DESCRIPTOR.fields),
    *(f"alike in {phase.name}" for phase in set(Phase) - SELDOM),
    *(f"alike in hand {number}" for number in (1, 2, 3)),
    *(f"closed for {cause.value}" for cause in EndCause),
    *(f"refused for {reason}" for reason in (1, 2, 9, 10, 11)),
    *(f"dismissed for {reason}" for reason in (2, 3, 4)),
    "session fault 2",
    "public: a card was seen in trick 1",
    *(f"public: no action is open on both sides in trick {number}" for number in (1, 2, 3)),
    "alike to the end",
}
"""What pairs must have met: what is said, where, why, and when the difference is public."""

RARE = {
    *(f"alike in {phase.name}" for phase in SELDOM),
    # Of the others the engine's twins make enough: cards that may not be put away, stuck dealers.
    *(f"refused for {reason.value}" for reason in set(RejectReason) - {6, 7, 8}),
    *(f"dismissed for {reason.value}" for reason in set(GoodbyeReason) - {0, 1}),
    *(f"session fault {reason.value}" for reason in SessionFaultReason),
    *(f"public: a card was seen in trick {number}" for number in (2, 3, 4)),
    *(f"public: a card was seen in {where}" for where in ("EXCHANGE", "ALONE_DEFENDER", "BURY")),
    *(f"public: no action is open on both sides in trick {number}" for number in (4, 5)),
    *(f"public: the clock played another card in trick {number}" for number in (1, 2, 3)),
    "public: the rules tell it in BID",
}
"""What many pairs must have met besides."""


def _pair(number: int, tally: Counter[str], game: Game | None = None) -> Pair:
    game = game or GAMES[number % len(GAMES)]
    preset = preset_number(game, number // len(GAMES))
    return Pair(Random(f"twin sessions {game} {number}"), preset, tally)


async def test_sessions_of_twins_are_alike() -> None:
    """Twins say the same, in every phase, whatever is said and whenever the difference shows."""
    tally: Counter[str] = Counter()
    number = 0
    while number < PAIRS or (number < MOST and WANTED - tally.keys()):
        await play_pair(_pair(number, tally))
        number += 1

    assert [] == sorted(WANTED - tally.keys())


@pytest.mark.long
async def test_sessions_of_twins_meet_what_is_rare() -> None:
    """Twins say the same also where it seldom comes to that."""
    tally: Counter[str] = Counter()
    number = 2_000_000
    while (WANTED | RARE) - tally.keys() and number < 2_000_000 + MOST_LONG:
        await play_pair(_pair(number, tally))
        number += 1

    assert [] == sorted((WANTED | RARE) - tally.keys())


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("game", Game)
async def test_sessions_of_many_twins_are_alike(game: Game, chunk: int) -> None:
    """More than 10,000 further pairs, 1,560 of every game, say the same."""
    first = 1_000_000 + chunk * CHUNK
    for number in range(first, first + CHUNK):
        await play_pair(_pair(number, Counter(), game))


@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
async def test_planted_leak_is_noticed(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every leak planted in the arena is noticed."""
    plant(monkeypatch)

    with pytest.raises(Leak):
        await _play(UNTIL_CAUGHT)


async def _play(pairs: int) -> None:
    for number in range(pairs):
        pair = _pair(number, Counter())
        pair.trouble = 1.0  # most leaks show where something goes wrong
        await play_pair(pair)
