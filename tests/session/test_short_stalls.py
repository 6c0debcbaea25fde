"""A stall that is shorter than the smallest rated budget is not charged either."""

import pytest
from arenas import FakeArena
from tables import table_spec

from euchre_server.referee.facts import Acted, Faulted
from euchre_server.referee.spec import ClockSpec


@pytest.mark.parametrize("after_ms", range(10))
async def test_a_short_stall_times_nobody_out(after_ms: int) -> None:
    """Wherever 60 ms fall between two measurements, a prompt answer under 50 ms is in time."""
    arena = FakeArena()
    clock = ClockSpec(budget_ms=50, bank_ms=0, grace_ms=0, first_ms=50)
    spec = table_spec(clock=clock)
    arena.clock.advance(after_ms)
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (question,) = bots[0].decisions()

    arena.clock.stall(60)
    bots[0].answer(question)

    facts = arena.recorder.of_table(1)
    assert [] == [fact for fact in facts if isinstance(fact, Faulted)]
    (acted,) = [fact for fact in facts if isinstance(fact, Acted)]
    assert acted.charged_ms <= 30
