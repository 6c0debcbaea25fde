"""How a table goes on that a killed arena left behind, wherever it was cut off."""

from itertools import islice

import pytest
from record_matches import match_spec
from resumed_tables import Habits, TimedFact, go_on, play, played

from euchre_server.match.schedule import Schedule
from euchre_server.record.table_check import TableCheck
from euchre_server.referee import inputs, outputs, rebuild, step
from euchre_server.referee.facts import (
    Acted,
    Actor,
    EndCause,
    Faulted,
    FaultKind,
    HandStarted,
    TableEnded,
)
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableMode, TableSpec

WAYS = {
    "well": Habits(),
    "sleeping": Habits(sleeps=4),
    "cheating": Habits(cheats=15),
    "leaving": Habits(leaves=5),
    "dying": Habits(dies=5),
    "all at once": Habits(sleeps=6, leaves=12, dies=12),
    "one absent": Habits(absent=frozenset({1})),
    "nobody there": Habits(absent=frozenset({0, 1, 2, 3})),
}


def _spec(preset: str, mode: TableMode, policy: str = "lenient") -> TableSpec:
    options = {"target": 5} if preset in {"two-handed", "three-handed"} else None
    match = match_spec(preset, mode=mode, options=options, policy=FaultPolicy.named(policy))
    schedule = Schedule(match)
    return next(islice(schedule.tables(next(schedule.legs(schedule.first_round()))), 1, None))


def _check(spec: TableSpec, facts: list[TimedFact], cut: int) -> None:
    """Checks a resumed table as `verify` does."""
    check = TableCheck(spec, knows_cards=True)
    for number, (at_ms, fact) in enumerate(facts):
        if number == cut:
            check.resumed()
        check.take(at_ms, fact)
    assert check.result is not None


@pytest.mark.parametrize("policy", ["lenient", "strict"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("preset", "mode"),
    [
        ("two-handed", TableMode.GAME),
        ("three-handed", TableMode.BOARD),
        ("four-handed", TableMode.BOARD),
        ("napoleon", TableMode.BOARD),
    ],
)
def test_a_table_cut_off_after_any_fact_is_played_to_the_same_end(
    preset: str, mode: TableMode, way: str, policy: str
) -> None:
    """Same cards, same actions, same decisions, same ending; and every resumed table verifies."""
    spec = _spec(preset, mode, policy)
    habits = WAYS[way]
    unbroken = play(spec, habits)

    for cut in range(len(unbroken) + 1):
        resumed = go_on(spec, habits, unbroken[:cut])
        assert unbroken[:cut] == resumed[:cut]
        # A seat that cheats does it again when it is asked again: one more fault is no news.
        assert played(unbroken) == played(resumed), f"cut off after fact {cut}"
        _check(spec, resumed, cut)


def test_a_table_cut_off_twice_is_played_to_the_same_end() -> None:
    """Also where the second kill comes directly after the first resumption, or later."""
    spec, habits = _spec("three-handed", TableMode.BOARD), Habits(sleeps=5)
    unbroken = play(spec, habits)

    for first in range(0, len(unbroken), 3):
        resumed = go_on(spec, habits, unbroken[:first])
        for second in range(first, len(resumed), 2):
            assert played(unbroken) == played(go_on(spec, habits, resumed[:second]))


@pytest.mark.parametrize("policy", ["lenient", "strict"])
def test_bots_that_do_not_come_back_before_the_first_hand_never_joined(policy: str) -> None:
    """Also where all had joined the arena that was killed."""
    spec = _spec("three-handed", TableMode.BOARD, policy)
    unbroken = play(spec, Habits())
    cut = next(n for n, (_, fact) in enumerate(unbroken) if isinstance(fact, HandStarted))

    resumed = go_on(spec, Habits(absent=frozenset({1})), unbroken[:cut])

    ending = resumed[-1][1]
    assert isinstance(ending, TableEnded)
    assert (EndCause.NEVER_JOINED, 1) == (ending.cause, ending.blamed_seat)
    _check(spec, resumed, cut)


def test_banks_and_faults_are_those_recorded() -> None:
    """What the seats had used up before the kill is used up after it."""
    spec, habits = _spec("two-handed", TableMode.GAME), Habits(sleeps=6)
    unbroken = play(spec, habits)
    cut = len(unbroken) // 2

    before = rebuild(spec, [fact for _, fact in unbroken[:cut]])
    after, _ = step(before, inputs.Resumed(unbroken[cut - 1][0]))

    assert any(seat.bank_ms < spec.clock.bank_ms for seat in before.seats)
    assert [(s.bank_ms, s.fault_count, s.faults) for s in before.seats] == [
        (s.bank_ms, s.fault_count, s.faults) for s in after.seats
    ]


def test_the_open_decision_is_asked_anew_with_its_full_time() -> None:
    """The same seat is asked under the same number, and has all of its budget and bank."""
    spec = _spec("three-handed", TableMode.BOARD)
    unbroken = play(spec, Habits())
    acted = [place for place, (_, fact) in enumerate(unbroken) if isinstance(fact, Acted)]
    cut = acted[4]
    due = unbroken[cut][1]
    assert isinstance(due, Acted)
    at = unbroken[cut - 1][0]

    state, _ = step(rebuild(spec, [fact for _, fact in unbroken[:cut]]), inputs.Resumed(at))
    _, done = step(state, inputs.SeatJoined(at + 900, due.seat, 2))

    (ask,) = (
        output.message
        for output in done
        if isinstance(output, outputs.Send) and isinstance(output.message, outputs.Ask)
    )
    assert (due.decision_id, spec.clock.budget_ms, spec.clock.bank_ms) == (
        ask.decision_id,
        ask.time_left_ms,
        ask.bank_left_ms,
    )


def test_nobody_is_charged_until_the_bots_had_time_to_come_back() -> None:
    """A seat that does not come back has its clock started when the time for joining is over."""
    spec = _spec("three-handed", TableMode.BOARD)
    unbroken = play(spec, Habits())
    cut = next(n for n, (_, fact) in enumerate(unbroken) if isinstance(fact, Acted))
    at = unbroken[cut - 1][0]

    habits = Habits(absent=frozenset(spec.rules.seats))
    resumed = go_on(spec, habits, unbroken[:cut])

    late, fault = next((at, f) for at, f in resumed[cut:] if isinstance(f, Faulted))
    assert FaultKind.TIMEOUT is fault.kind
    clock: ClockSpec = spec.clock
    assert at + spec.join_within_ms + clock.first_ms + clock.bank_ms == late
    assert {Actor.CLOCK} == {f.actor for _, f in resumed[cut:] if isinstance(f, Acted)}
    ending = resumed[-1][1]
    assert isinstance(ending, TableEnded)
    assert EndCause.PLAYED is ending.cause


def test_a_stall_while_bots_come_back_gives_them_more_time() -> None:
    """The arena's own slowness moves the time for joining again."""
    spec = _spec("three-handed", TableMode.BOARD)
    unbroken = play(spec, Habits())
    cut = next(n for n, (_, fact) in enumerate(unbroken) if isinstance(fact, Acted))

    state, _ = step(rebuild(spec, [f for _, f in unbroken[:cut]]), inputs.Resumed(100))
    state, _ = step(state, inputs.Stalled(5_000, 4_000))

    assert 100 + spec.join_within_ms + 4_000 == state.join_by
