"""One turn of the loop: one moment for all that arrived together, and the arena's lag before it."""

from arenas import FakeArena
from session_fakes import answer_to
from tables import table_spec

from euchre_server.referee.facts import Acted, Actor, Stalled
from euchre_server.referee.spec import ClockSpec
from euchre_server.session.alarms import BEAT_MS

TIGHT = ClockSpec(budget_ms=50, first_ms=50, bank_ms=0, grace_ms=0)


async def test_all_answers_of_a_frame_arrive_at_once() -> None:
    """However long the arena takes over a frame, its last answer is charged as its first."""
    arena = FakeArena()
    specs = [table_spec(table_id=f"t{n}", number=n, clock=TIGHT) for n in range(1, 31)]
    bots = arena.bots(specs[0], max_open_decisions=30)
    for spec in specs:
        arena.server.open_table(spec)
    decisions = bots[0].decisions()
    real = arena.clock.now

    def slow() -> int:
        arena.clock.time += 5  # whoever looks at the clock finds it moved on
        return real()

    arena.clock.now = slow  # type: ignore[method-assign]  # the machine is slow from here on
    bots[0].say(*(answer_to(decision) for decision in decisions))

    acts = [f for _, _, f in arena.recorder.facts if isinstance(f, Acted)]
    assert 30 == len(decisions)
    assert [(Actor.BOT, acts[0].charged_ms)] * 30 == [(f.actor, f.charged_ms) for f in acts]


async def test_a_stall_is_taken_off_before_an_answer_that_is_read_first() -> None:
    """C-12: an answer that lay unread while the loop stood still is on time, if it was then."""
    arena = FakeArena()
    spec = table_spec(clock=TIGHT)
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (decision,) = bots[0].decisions()
    arena.clock.time += 3_000  # no call has come meanwhile, the beat neither

    bots[0].answer(decision)

    facts = arena.recorder.of_table(1)
    act = next(f for f in facts if isinstance(f, Acted))
    assert (Actor.BOT, 0) == (act.actor, act.charged_ms)
    assert [3_000] == [f.stalled_ms for f in facts if isinstance(f, Stalled)]


async def test_a_stall_is_told_to_a_table_when_something_happens_there() -> None:
    """Thousands of tables are not all looked at: that would be the next stall, and so on."""
    arena = FakeArena()
    spec = table_spec(clock=ClockSpec(budget_ms=5_000, grace_ms=0))
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (decision,) = bots[0].decisions()
    steps = arena.driver.counts.steps
    arena.clock.advance(BEAT_MS // 2)  # within the beat that comes late, a part of the first stall
    for length in (400, 500, 600):
        arena.clock.stall(length)
    before = arena.driver.counts.steps
    arena.clock.advance(BEAT_MS)

    bots[0].answer(decision)

    facts = arena.recorder.of_table(1)
    act = next(f for f in facts if isinstance(f, Acted))
    assert steps == before
    assert (Actor.BOT, BEAT_MS) == (act.actor, act.charged_ms)
    assert [BEAT_MS // 2 + 400, 1_100] == [f.stalled_ms for f in facts if isinstance(f, Stalled)]


async def test_a_table_that_opens_after_a_stall_knows_nothing_of_it() -> None:
    """What was before a table's first moment is taken off nothing."""
    arena = FakeArena()
    arena.bots(table_spec())
    arena.server.open_table(table_spec(table_id="old", number=2))
    arena.clock.stall(400)

    arena.server.open_table(table_spec())
    arena.clock.advance(20)

    assert [] == [f for f in arena.recorder.of_table(1) if isinstance(f, Stalled)]


async def test_lag_counts_as_rising_when_it_stays() -> None:
    """One late beat is no reason to open no more tables; many in a row are, until they end."""
    arena = FakeArena()
    arena.clock.stall(3_000)
    once = arena.server.is_lagging
    for _ in range(10):
        arena.clock.stall(150)
    often = arena.server.is_lagging
    arena.clock.advance(2_000)

    assert (False, True, False) == (once, often, arena.server.is_lagging)
