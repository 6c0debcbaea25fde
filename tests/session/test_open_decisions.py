"""How many questions a bot has before it, and that those which wait cost nothing."""

from typing import TYPE_CHECKING

from arenas import FakeArena
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import table_spec

from euchre_server.referee.facts import Acted, Faulted
from euchre_server.referee.spec import ClockSpec
from euchre_server.session import Limits

if TYPE_CHECKING:
    from euchre_arena.v1.table_pb2 import Decision

CLOCK = ClockSpec(budget_ms=400, first_ms=400, bank_ms=0, grace_ms=0)


@given(
    tables=st.integers(1, 6),
    most=st.integers(1, 4),
    moves=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5)), min_size=5, max_size=40),
)
@settings(derandomize=True, max_examples=25, deadline=None)
async def test_a_question_that_waits_is_not_charged(
    tables: int, most: int, moves: list[tuple[int, int]]
) -> None:
    """C-12: no more are out than the bot wants; each is charged from when it was put, exactly."""
    arena = FakeArena(Limits())
    spec = table_spec()
    slow = arena.bot("bot0", max_open_decisions=most)
    others = [arena.bot(name, max_open_decisions=6) for name in spec.bots[1:]]
    for number in range(1, tables + 1):
        arena.server.open_table(
            table_spec(table_id=f"t{number}", number=number, board=number, clock=CLOCK)
        )
    out: dict[str, tuple[Decision, int]] = {}
    due: list[tuple[int, int, int]] = []
    for wait, which in moves:
        arena.clock.advance(wait)
        arena.play(others)
        now = arena.clock.now()
        out |= {decision.table_id: (decision, now) for decision in slow.decisions()}
        assert len(out) <= most
        if out:
            table_id = sorted(out)[which % len(out)]
            decision, put = out.pop(table_id)
            due.append((int(table_id[1:]), decision.decision_id, now - put))
            slow.answer(decision)

    charged = [
        (number, fact.decision_id, fact.charged_ms)
        for number, _, fact in arena.recorder.facts
        if isinstance(fact, Acted) and fact.seat == 0
    ]
    assert due == charged
    assert [] == [f for _, _, f in arena.recorder.facts if isinstance(f, Faulted)]
    for number, _, fact in arena.recorder.facts:
        if isinstance(fact, Acted) and fact.seat == 0:
            assert fact.written_ms is not None
            assert fact.asked_ms is not None
            assert fact.asked_ms <= fact.written_ms == fact.started_ms, number


async def test_half_an_hour_of_silence_costs_no_session() -> None:
    """C-29: a bot that neither answers nor pongs is still there at its last millisecond."""
    arena = FakeArena()
    half_an_hour = 30 * 60_000
    clock = ClockSpec(budget_ms=half_an_hour, first_ms=half_an_hour, bank_ms=0)
    spec = table_spec(clock=clock)
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (decision,) = bots[0].decisions()

    arena.clock.advance(half_an_hour - 1)
    bots[0].answer(decision)

    (act,) = [fact for fact in arena.recorder.of_table(1) if isinstance(fact, Acted)]
    assert (half_an_hour - 1, None) == (act.charged_ms, act.round_trip_ms)
    assert all(bot.conversation.is_live for bot in bots)
