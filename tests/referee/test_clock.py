"""The clock of a decision, as arithmetic and as the referee keeps it (docs/clock.md)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import G1, G2, Referee, table_spec

from euchre_engine import Pass, Seat, parse_action
from euchre_server.referee.clock import OpenDecision, budget_of
from euchre_server.referee.facts import Acted, Actor, Faulted, FaultKind
from euchre_server.referee.facts import Stalled as StalledFact
from euchre_server.referee.inputs import Answered, SeatJoined, SeatLost, Stalled, TimeCame
from euchre_server.referee.outputs import Ask, TimedOut, Wake
from euchre_server.referee.spec import ClockSpec

CLOCK = ClockSpec(budget_ms=500, first_ms=500, bank_ms=1000, increment_ms=70, grace_ms=50)
DEADLINE = 100 + 30 + 500 + 1000
"""Of a first question written at 100 over a line with a round trip of 30."""


def last_act(table: Referee) -> Acted:
    """Returns what was done last."""
    return [fact for fact in table.facts if isinstance(fact, Acted)][-1]


def written_table() -> Referee:
    """Returns a table with a question written at 100."""
    table = Referee.at(table_spec(clock=CLOCK), G2)
    table.write(100, rtt_ms=30)
    return table


def test_an_answer_just_in_time_counts() -> None:
    """One millisecond before the deadline an answer counts, and all of it is charged."""
    table = written_table()

    table.answer(DEADLINE - 1, Pass())

    act = last_act(table)
    assert (Actor.BOT, 1499, 1 + 70, 30, 100) == (
        act.actor,
        act.charged_ms,
        act.bank_left_ms,
        act.grace_used_ms,
        act.written_ms,
    )


@pytest.mark.parametrize("late_ms", [0, 1, 5000])
def test_a_late_answer_is_ruled_at_the_deadline(late_ms: int) -> None:
    """At the deadline the time is up; the time-out is stamped with it, however late it is seen."""
    table = written_table()

    table.answer(DEADLINE + late_ms, parse_action("order"))

    kinds = [f.kind for f in table.facts if isinstance(f, Faulted)]
    act = last_act(table)
    stamp = next(b.at for b in table.booked if isinstance(b.fact, Acted))
    assert [FaultKind.TIMEOUT, FaultKind.STALE] == kinds
    assert (DEADLINE, Actor.CLOCK, Pass(), 1500, 0) == (
        stamp,
        act.actor,
        act.action,
        act.charged_ms,
        act.bank_left_ms,
    )


def test_the_timer_is_asked_for_when_the_clock_starts() -> None:
    """A question asks for a wake-up at its deadline once it is written, and not before."""
    table = Referee.at(table_spec(clock=CLOCK), G2)
    before = [o for o in table.outputs if isinstance(o, Wake)]

    table.write(100, rtt_ms=30)

    assert [] == before
    assert Wake(DEADLINE) == table.outputs[-1]


@pytest.mark.parametrize(("at", "facts"), [(DEADLINE - 1, 0), (DEADLINE, 2), (DEADLINE + 1, 2)])
def test_time_alone_rules_at_the_deadline(at: int, facts: int) -> None:
    """A timer that comes early changes nothing; on time or late it rules fault and default."""
    table = written_table()
    before = len(table.booked)

    table.time(at)

    assert facts == len(table.booked) - before


def test_a_time_out_is_told_with_what_was_played_and_charged() -> None:
    """C-15: the bot is told the default that was played for it, the charge and its faults."""
    table = written_table()

    table.time(DEADLINE)

    assert TimedOut(1, Pass(), 1500, 0, 1) == table.told(0)[-1]


def test_a_waiting_question_is_not_charged() -> None:
    """As long as a question waits unsent no time runs: an hour later it has its full budget."""
    table = Referee.at(table_spec(clock=CLOCK), G2)
    table.time(3_600_000)

    table.write(3_600_000)
    table.answer(3_600_010, Pass())

    assert (10, 1070) == (last_act(table).charged_ms, last_act(table).bank_left_ms)


@pytest.mark.parametrize(
    ("rtt_ms", "took_ms", "charged_ms"),
    [(0, 40, 40), (30, 40, 10), (30, 20, 0), (90, 40, 0), (90, 60, 10), (-5, 40, 40)],
)
def test_the_grace_is_the_round_trip_but_no_more_than_allowed(
    rtt_ms: int, took_ms: int, charged_ms: int
) -> None:
    """Charge = received - written - min(grace, measured round trip), never below zero."""
    table = Referee.at(table_spec(clock=CLOCK), G2)
    table.write(0, rtt_ms=rtt_ms)

    table.answer(took_ms, Pass())

    assert charged_ms == last_act(table).charged_ms


def test_the_bank_pays_what_the_budget_does_not() -> None:
    """Time within the budget is free, time beyond it comes out of the bank, answers refill it."""
    table = Referee.at(table_spec("two-handed", clock=CLOCK), G1)
    table.write(0)
    table.answer(500, Pass())
    banks = [last_act(table).bank_left_ms]
    table.write(1000)
    table.answer(1501, Pass())
    banks.append(last_act(table).bank_left_ms)
    table.write(2000)
    table.answer(2800, Pass())
    banks.append(last_act(table).bank_left_ms)

    assert [1070, 1069, 1070 - 300 + 70] == banks


def test_the_first_decision_of_a_seat_has_its_own_budget() -> None:
    """The first budget counts once a seat and table."""
    clock = ClockSpec(budget_ms=10, first_ms=9000)

    assert [9000, 10, 10] == [budget_of(clock, number) for number in (1, 2, 3)]


def test_a_stall_of_the_arena_is_charged_to_nobody() -> None:
    """A stall moves the open deadline and comes before it, even where it is overdue by now."""
    table = written_table()

    outputs = table.feed(Stalled(DEADLINE + 2000, 3000))
    table.answer(DEADLINE + 2010, Pass())

    before_and_after = (DEADLINE + 2000 - 3000 - 100) + 10
    assert [] == [f for f in table.facts if isinstance(f, Faulted)]
    assert any(isinstance(o, Wake) for o in outputs)
    assert StalledFact(stalled_ms=3000) in table.facts
    assert before_and_after - 30 == last_act(table).charged_ms


def test_only_the_part_of_a_stall_that_was_counted_is_given_back() -> None:
    """A question written during a stall does not gain time by it."""
    table = Referee.at(table_spec(clock=CLOCK), G2)
    table.write(1000)

    outputs = table.feed(Stalled(1200, 3000))

    assert Wake(1200 + 500 + 1000) == outputs[-1]


def test_a_lost_seat_has_its_clock_running() -> None:
    """B46: a bot that is lost is played by the clock: its time runs on, also unsent."""
    table = Referee.at(table_spec(clock=CLOCK), G2)
    table.feed(SeatLost(50, Seat(0), 2))

    table.time(50 + 500 + 1000)

    act = last_act(table)
    assert (Seat(0), Actor.CLOCK, Pass(), None) == (
        act.seat,
        act.actor,
        act.action,
        act.written_ms,
    )
    assert table.state.hand is not None
    assert 1 == table.state.hand.to_act


def test_a_lost_seat_that_plays_gets_its_lowest_legal_card() -> None:
    """B46: during play the clock plays the lowest legal card."""
    table = Referee.at(
        table_spec(clock=CLOCK), G2, "order; decline; alone; together; together; play JC; play JS"
    )
    seat, _ = table.ask
    table.feed(SeatLost(50, seat, 2))

    table.time(5000)

    assert (0, parse_action("play KC")) == (seat, last_act(table).action)


def test_a_seat_that_comes_back_is_told_what_is_really_left() -> None:
    """C-1: after a new join the open question comes again, with the time that is left of it."""
    table = written_table()

    outputs = table.feed(SeatJoined(430, Seat(0), 3))

    again = table.told(0)[-1]
    assert isinstance(again, Ask)
    assert (1, 500 - 300, 1000) == (again.decision_id, again.time_left_ms, again.bank_left_ms)
    assert 3 == len(outputs)


def test_a_question_told_again_always_has_time() -> None:
    """C-1: within the bank the own time left is told as 1, and the bank as what is left of it."""
    table = written_table()

    table.feed(SeatJoined(DEADLINE - 1, Seat(0), 3))

    again = table.told(0)[-1]
    assert isinstance(again, Ask)
    assert (1, 1) == (again.time_left_ms, again.bank_left_ms)


@given(
    budget=st.integers(1, 10_000),
    bank=st.integers(0, 10_000),
    grace=st.integers(0, 100),
    written=st.integers(0, 10_000),
    passed=st.integers(0, 30_000),
    stall=st.integers(0, 40_000),
)
@settings(derandomize=True, max_examples=300, deadline=None)
def test_the_deadline_is_when_budget_and_bank_are_used_up(
    *, budget: int, bank: int, grace: int, written: int, passed: int, stall: int
) -> None:
    """The deadline is the first moment whose charge is budget + bank; stalls change no charge."""
    opened = OpenDecision(Seat(0), 1, budget).put(written, round_trip_ms=grace, grace_ms=grace)
    at = written + passed

    deadline = opened.deadline(bank)
    assert deadline is not None
    assert budget + bank == opened.charge(deadline)
    assert budget + bank > opened.charge(deadline - 1)
    assert (at >= deadline) == (opened.charge(at) >= budget + bank)
    assert passed == opened.charge(at) + opened.grace_used(at)
    assert 0 <= opened.bank_after(bank, opened.charge(at)) <= bank
    assert 1 <= opened.time_left(at) <= budget
    moved = opened.stalled(at, stall)
    assert max(0, passed - stall) == moved.charge(at) + moved.grace_used(at)


@given(extra=st.lists(st.integers(0, 4000), max_size=20))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_more_timers_change_no_fact(extra: list[int]) -> None:
    """However often and whenever the arena looks at the clock, the record is the same."""
    plain, watched = (Referee.at(table_spec(clock=CLOCK), G2) for _ in range(2))
    for table, times in ((plain, []), (watched, sorted(extra))):
        for at in (100, 1200, 2700):
            for early in [t for t in times if t <= at]:
                table.feed(TimeCame(early))
            seat, ask = table.ask
            table.write(at)
            table.feed(Answered(at + 60, seat, 2, ask.decision_id, Pass()))

    assert [(b.at, b.fact) for b in plain.booked] == [(b.at, b.fact) for b in watched.booked]


@pytest.mark.parametrize("budget_ms", [1, 2, 50, 60_000, 30 * 60_000])
@pytest.mark.parametrize("round_trip_ms", [None, 20])
def test_budgets_of_any_length_are_kept_to_the_millisecond(
    budget_ms: int, round_trip_ms: int | None
) -> None:
    """From one millisecond to half an hour the last one counts, and the next is too late."""
    clock = ClockSpec(budget_ms=budget_ms, first_ms=budget_ms, bank_ms=0, grace_ms=5)
    in_time, late = (Referee.at(table_spec(clock=clock), G2) for _ in range(2))
    grace_ms = 0 if round_trip_ms is None else 5
    for table in (in_time, late):
        table.write(7, rtt_ms=round_trip_ms)
    due = 7 + grace_ms + budget_ms

    in_time.answer(due - 1, Pass())
    late.answer(due, Pass())

    told = in_time.state.seats[0].last
    assert (Actor.BOT, budget_ms - 1) == (last_act(in_time).actor, last_act(in_time).charged_ms)
    assert told is not None
    assert (budget_ms - 1, round_trip_ms) == (told.charged_ms, told.round_trip_ms)
    assert (Actor.CLOCK, budget_ms) == (last_act(late).actor, last_act(late).charged_ms)
