"""Tables of a killed arena as its successor's sessions see them."""

from arenas import FakeArena, FakeBot
from tables import table_spec

from euchre_arena.v1.table_pb2 import Decision
from euchre_server.record.entries import TableOpened
from euchre_server.referee import TableState, rebuild
from euchre_server.referee.facts import (
    Acted,
    EndCause,
    Faulted,
    FaultKind,
    HandEnded,
    SeatChanged,
    TableEnded,
)

SPEC = table_spec()


def _plays(arena: FakeArena) -> list[object]:
    """Returns what was played and how it ended."""
    return [
        (fact.seat, fact.action, fact.decision_id) if isinstance(fact, Acted) else fact
        for fact in arena.recorder.of_table(1)
        if isinstance(fact, (Acted, HandEnded, TableEnded))
    ]


def _killed(answers: int) -> tuple[FakeArena, TableState, int, Decision]:
    """Returns an arena that is no more, its table as recorded, and the question then open."""
    arena = FakeArena()
    bots = arena.bots(SPEC)
    arena.server.open_table(SPEC)
    asked: list[tuple[FakeBot, Decision]] = []
    for _ in range(answers + 1):
        asked = [(bot, decision) for bot in bots for decision in bot.decisions()]
        arena.clock.advance(40)
        if len(arena.recorder.of_table(1)) and _acts(arena) < answers:
            for bot, decision in asked:
                bot.answer(decision)
    facts = [(at, fact) for number, at, fact in arena.recorder.facts if number == 1]
    kept = [fact for _, fact in facts if not isinstance(fact, TableOpened)]
    (open_decision,) = (decision for _, decision in asked)
    return arena, rebuild(SPEC, kept), max(at for at, _ in facts), open_decision  # type: ignore[arg-type]


def _acts(arena: FakeArena) -> int:
    return sum(isinstance(fact, Acted) for fact in arena.recorder.of_table(1))


async def test_new_sessions_go_on_where_the_old_ones_were() -> None:
    """The open question comes again, same number, full time; all is played as without a break."""
    whole = FakeArena()
    bots = whole.bots(SPEC)
    whole.server.open_table(SPEC)
    whole.play(bots)
    before, state, at_ms, asked = _killed(answers=6)

    arena = FakeArena()
    bots = arena.bots(SPEC)
    future = arena.server.resume_table(state, at_ms)
    again = [decision for bot in bots for decision in bot.decisions()]

    assert [(asked.decision_id, SPEC.clock.budget_ms)] == [
        (decision.decision_id, decision.time_left_ms) for decision in again
    ]
    assert list(asked.legal) == list(again[0].legal)
    bots[again[0].view.seat].answer(again[0])
    arena.play(bots)
    assert _plays(whole) == _plays(before) + _plays(arena)
    assert EndCause.PLAYED is future.result().cause


async def test_time_and_session_numbers_go_on() -> None:
    """No fact has a time before the last one recorded, and each seat's sessions count on."""
    _, state, at_ms, _ = _killed(answers=3)

    arena = FakeArena()
    arena.bots(SPEC)
    arena.clock.advance(7)
    arena.server.resume_table(state, at_ms)

    assert at_ms == min(at for _, at, _ in arena.recorder.facts)
    assert [2, 2, 2] == [
        fact.session_epoch for fact in arena.recorder.of_table(1) if isinstance(fact, SeatChanged)
    ]
    assert not any(isinstance(fact, TableOpened) for fact in arena.recorder.of_table(1))


async def test_a_bot_that_does_not_come_back_has_its_clock_run_later() -> None:
    """It has the time for joining first, and nobody is asked before it in vain."""
    _, state, at_ms, asked = _killed(answers=3)
    absent = asked.view.seat

    arena = FakeArena()
    for seat, name in enumerate(SPEC.bots):
        if seat != absent:
            arena.bot(name)
    arena.server.resume_table(state, at_ms)
    arena.clock.advance(SPEC.join_within_ms + asked.time_left_ms + SPEC.clock.bank_ms - 1)
    assert not [fact for fact in arena.recorder.of_table(1) if isinstance(fact, Faulted)]
    arena.clock.advance(1_000)

    (first, *_) = [fact for fact in arena.recorder.of_table(1) if isinstance(fact, Faulted)]
    assert (absent, FaultKind.TIMEOUT, asked.decision_id) == (
        first.seat,
        first.kind,
        first.decision_id,
    )


async def test_a_bot_that_could_not_be_started_again_is_played_for() -> None:
    """Its turns time out at once; the others play the hand to its end or its forfeit."""
    _, state, at_ms, asked = _killed(answers=3)
    absent = asked.view.seat

    arena = FakeArena()
    bots = [arena.bot(name) for seat, name in enumerate(SPEC.bots) if seat != absent]
    arena.server.bot_died(SPEC.bots[absent], "no such program")
    future = arena.server.resume_table(state, at_ms)
    arena.play(bots)

    kinds = [fact.kind for fact in arena.recorder.of_table(1) if isinstance(fact, Faulted)]
    assert FaultKind.START_FAILED is kinds[0]
    assert {FaultKind.TIMEOUT} == set(kinds[1:])
    assert EndCause.PLAYED is future.result().cause
