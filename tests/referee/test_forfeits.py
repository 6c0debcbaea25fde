"""What faults cost, up to the forfeit of a table."""

import pytest
from table_ends import ending, fault_kinds
from tables import G2, Referee, table_spec

from euchre_engine import Pass, Seat, parse_action
from euchre_server.referee.facts import (
    Acted,
    Actor,
    Blame,
    EndCause,
    Faulted,
    FaultKind,
    SeatChange,
    SeatChanged,
    TableEnded,
)
from euchre_server.referee.inputs import (
    Answered,
    Garbled,
    Input,
    SeatDied,
    SeatLeft,
    SeatLost,
)
from euchre_server.referee.outputs import (
    Closed,
)
from euchre_server.referee.spec import FaultPolicy, TableMode

LIMIT_TWO = FaultPolicy(fault_limit=2)


def faulty_inputs(seat: Seat, number: int) -> list[tuple[str, Input]]:
    """Returns one input for each fault that a present bot can make with an answer."""
    return [
        ("illegal", Answered(20, seat, 2, number, parse_action("play 9S"))),
        ("garbled", Garbled(20, seat, 2, number, "kind is unset")),
        ("unknown", Answered(20, seat, 2, number + 5, Pass())),
    ]


@pytest.mark.parametrize("which", [0, 1, 2], ids=["illegal", "garbled", "unknown decision"])
def test_strict_forfeits_at_the_first_fault(which: int) -> None:
    """Under `strict` one refused answer ends the table: it is refused, then all are told."""
    table = Referee.at(table_spec(policy="strict"), G2)
    seat, ask = table.write(10)

    table.feed(faulty_inputs(seat, ask.decision_id)[which][1])

    assert TableEnded(
        scores=(0, 4, 4),
        winners=(Seat(1), Seat(2)),
        cause=EndCause.FAULTS,
        blame=Blame.SEAT,
        blamed_seat=Seat(0),
        rated=True,
    ) == ending(table)
    assert all(isinstance(table.told(s)[-1], Closed) for s in range(3))


def test_a_stale_answer_never_forfeits() -> None:
    """A late or doubled answer is harmless, also under `strict`."""
    table = Referee.at(table_spec(policy="strict"), G2)
    seat, ask = table.write(10)
    table.answer(20, Pass())

    for _ in range(5):
        table.feed(Answered(20, seat, 2, ask.decision_id, Pass()))

    assert not table.has_ended
    assert [FaultKind.STALE] * 5 == fault_kinds(table)


def test_lenient_counts_to_its_limit() -> None:
    """Faults of all counted kinds add up; the one that reaches the limit forfeits."""
    table = Referee.at(table_spec(policy=FaultPolicy(fault_limit=3)), G2)
    seat, ask = table.write(10)
    for _, event in faulty_inputs(seat, ask.decision_id)[:2]:
        table.feed(event)
    before = table.has_ended

    table.time(60_000)

    counts = [f.fault_count for f in table.facts if isinstance(f, Faulted)]
    assert (False, True) == (before, table.has_ended)
    assert [1, 2, 3] == counts
    assert FaultKind.TIMEOUT is fault_kinds(table)[-1]
    assert EndCause.FAULTS is ending(table).cause


def test_a_forfeit_in_a_game_ranks_the_offender_last() -> None:
    """In a game the others keep what they have; the offender has nothing and does not win."""
    spec = table_spec(mode=TableMode.GAME, policy="strict")
    table = Referee.at(spec, G2, scores=(8, 3, 5))
    table.state = table.state._replace(scores=(8, 3, 5))
    table.write(10)

    table.answer(20, parse_action("play 9S"))

    assert ((0, 3, 5), (Seat(2),)) == (ending(table).scores, ending(table).winners)


def test_a_lost_bot_is_at_fault_once() -> None:
    """A stream that ends is one fault; the exit of its process noticed later is no second one."""
    table = Referee.at(table_spec(), G2)
    table.feed(SeatLost(10, Seat(2), 2))

    table.feed(SeatDied(20, Seat(2), FaultKind.CRASH, "killed by signal 9"))

    assert [FaultKind.CRASH] == fault_kinds(table)
    changes = [f.change for f in table.facts if isinstance(f, SeatChanged)][-2:]
    assert [SeatChange.LOST, SeatChange.DIED] == changes


@pytest.mark.parametrize("how", [SeatChange.LEFT, SeatChange.DIED])
def test_who_cannot_come_back_is_not_waited_for(how: SeatChange) -> None:
    """The decisions of a bot that left or died time out at once; the others play on to the end."""
    table = Referee.at(table_spec(), G2)
    gone = Seat(1)
    event: Input = (
        SeatLeft(10, gone, 2)
        if how is SeatChange.LEFT
        else SeatDied(10, gone, FaultKind.CRASH, "exit status 3")
    )
    table.feed(event)

    table.play_on(20, lambda ask: list(ask.legal)[-1])

    acts = [f for f in table.facts if isinstance(f, Acted) and f.seat == gone]
    waited = [f.charged_ms for f in acts]
    assert len(acts) > 3
    assert {Actor.CLOCK} == {f.actor for f in acts}
    assert [0] * len(acts) == waited
    assert (EndCause.PLAYED, FaultKind.TIMEOUT) == (ending(table).cause, fault_kinds(table)[-1])


@pytest.mark.parametrize(
    ("how", "cause"), [("left", EndCause.LEFT), ("died", EndCause.FAULTS)], ids=["left", "died"]
)
def test_who_is_gone_forfeits_at_the_limit(how: str, cause: EndCause) -> None:
    """A bot that is gone is played by the clock until its faults reach the limit."""
    table = Referee.at(table_spec(policy=FaultPolicy(fault_limit=3)), G2)
    gone = Seat(0)
    event: Input = (
        SeatLeft(10, gone, 2) if how == "left" else SeatDied(10, gone, FaultKind.CRASH, "")
    )
    table.feed(event)

    table.play_on(20, lambda _: Pass())

    assert (cause, gone) == (ending(table).cause, ending(table).blamed_seat)
    assert 3 == len(fault_kinds(table))


def test_a_forfeit_pays_nobody_who_is_gone() -> None:
    """When one absent bot forfeits, another absent one gains nothing by it."""
    table = Referee.at(table_spec(policy=LIMIT_TWO), G2)
    table.feed(SeatDied(5, Seat(2), FaultKind.CRASH, ""))

    table.feed(SeatLeft(10, Seat(0), 2))

    assert ((0, 4, 0), (Seat(1),)) == (ending(table).scores, ending(table).winners)


def test_a_forfeit_pays_no_partner() -> None:
    """In partnership play both partners lose by a forfeit: nobody gains by a mate's fault."""
    table = Referee(table_spec("four-handed", policy="strict"))
    table.open()
    table.write(0)

    table.answer(1, parse_action("play 9S"))

    best = table.spec.rules.largest_hand_result
    assert (0, best, 0, best) == ending(table).scores
