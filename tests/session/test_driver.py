"""The driver: order of record and telling, timers, stalls, crashes, and who may act where."""

from collections.abc import Callable
from unittest.mock import patch

import pytest
from arenas import FakeArena
from session_fakes import answer_to, arena_messages
from tables import table_spec

from euchre_arena.v1.action_pb2 import ACTION_KIND_PLAY, Action
from euchre_arena.v1.table_pb2 import (
    REJECT_REASON_STALE_DECISION,
    REJECT_REASON_UNKNOWN_DECISION,
    REJECT_REASON_UNKNOWN_TABLE,
    REJECT_REASON_UNREADABLE,
)
from euchre_server.record.entries import TableOpened
from euchre_server.referee import TableState, step
from euchre_server.referee.facts import (
    Acted,
    Actor,
    Blame,
    EndCause,
    Faulted,
    FaultKind,
    Stalled,
    TableEnded,
)
from euchre_server.referee.inputs import Answered, Input
from euchre_server.referee.outputs import Output
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableSpec
from euchre_server.session import RecorderFailed
from euchre_server.session import driver as driver_module

QUICK = ClockSpec(budget_ms=100, first_ms=100, bank_ms=0)


def faults(arena: FakeArena, table: int = 1) -> list[FaultKind]:
    """Returns the kinds of fault recorded of a table."""
    return [f.kind for f in arena.recorder.of_table(table) if isinstance(f, Faulted)]


def specs(count: int) -> list[TableSpec]:
    """Returns tables of the same three bots."""
    return [table_spec(table_id=f"t{n}", number=n, board=n) for n in range(1, count + 1)]


async def test_a_table_is_played_to_its_end() -> None:
    """Three bots play a hand; the future has the result, the record begins and ends as it must."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    future = arena.server.open_table(spec)

    arena.play(bots)

    result = future.result()
    facts = arena.recorder.of_table(1)
    assert (EndCause.PLAYED, spec) == (result.cause, result.spec)
    assert isinstance(facts[0], TableOpened)
    assert isinstance(facts[-1], TableEnded)
    assert {} == arena.driver.tables
    assert all(not bot.conversation.line.places for bot in bots)
    assert ["table_opened", "decision", "hand_ended", "table_closed"] == [
        kind
        for kind in dict.fromkeys(m.WhichOneof("message") for m in bots[0].messages)
        if kind not in {"welcome", "ping"}
    ]


async def test_facts_are_flushed_before_anybody_is_told() -> None:
    """When a writer is called, all that its frame tells has been handed to the system."""
    arena = FakeArena()
    spec = table_spec()
    unflushed: list[int] = []
    bots = arena.bots(spec)
    for bot in bots:
        bot.conversation._notify = lambda: unflushed.append(
            len(arena.recorder.facts) - arena.recorder.flushed
        )
    arena.server.open_table(spec)

    arena.play(bots)

    assert len(unflushed) > 10
    assert {0} == set(unflushed)


async def test_many_tables_share_a_frame() -> None:
    """What gathers for a bot in one turn leaves as one frame."""
    arena = FakeArena()
    bots = arena.bots(table_spec(), max_open_decisions=9)
    for bot in bots:
        bot.read()
    with arena.driver.turn():
        for spec in specs(6):
            arena.server.open_table(spec)

    frame = bots[0].conversation.take()

    assert frame is not None
    assert bots[0].conversation.take() is None
    kinds = [m.WhichOneof("message") for m in arena_messages([frame])]
    assert (6, 6) == (kinds.count("table_opened"), kinds.count("decision"))


async def test_only_as_many_questions_are_out_as_the_bot_wants() -> None:
    """A bot that wants one question at a time gets the next when it has answered; none is late."""
    arena = FakeArena()
    bots = arena.bots(table_spec())
    futures = [arena.server.open_table(spec) for spec in specs(4)]
    out = bots[0].decisions()
    arena.clock.advance(14_999)  # one millisecond less than budget and bank
    bots[0].answer(out[0])
    more = bots[0].decisions()

    assert (1, 1) == (len(out), len(more))
    assert [0, 0, 0, 0] == [arena.driver.counts.faults.get(k, 0) for k in list(FaultKind)[:4]]
    bots[0].answer(more[0])
    arena.play(bots)
    assert all(future.done() for future in futures)


async def test_time_runs_out_by_the_clock() -> None:
    """When its time is up a bot is played for and told so, stamped with the deadline."""
    arena = FakeArena()
    spec = table_spec(clock=QUICK)
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    bots[0].read()

    arena.clock.advance(99)
    before = faults(arena)
    arena.clock.advance(20)

    assert ([], [FaultKind.TIMEOUT]) == (before, faults(arena))
    assert ["timed_out"] == bots[0].kinds()
    stamp = next(at for _, at, fact in arena.recorder.facts if isinstance(fact, Acted))
    assert 100 == stamp


async def test_a_stall_is_recorded_and_not_charged() -> None:
    """The loop stands still over a deadline: nothing is ruled, and the answer counts."""
    arena = FakeArena()
    spec = table_spec(clock=QUICK)
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    arena.clock.advance(40)
    (decision,) = bots[0].decisions()

    arena.clock.stall(3_000)
    bots[0].answer(decision)

    facts = arena.recorder.of_table(1)
    act = next(f for f in facts if isinstance(f, Acted))
    assert [] == faults(arena)
    assert (Actor.BOT, 0) == (act.actor, act.charged_ms)
    assert any(isinstance(f, Stalled) for f in facts)


async def test_a_vanished_bot_stops_nobody() -> None:
    """A bot that vanishes in mid-hand is played by the clock; its table and all others end."""
    arena = FakeArena()
    here = table_spec(clock=QUICK, policy=FaultPolicy(fault_limit=50), bots=("a", "b", "c"))
    there = table_spec(table_id="t2", number=2, bots=("b", "c", "d"))
    bots = {name: arena.bot(name) for name in "abcd"}
    futures = [arena.server.open_table(spec) for spec in (here, there)]
    (decision,) = bots["a"].decisions()
    bots["a"].answer(decision)
    bots["a"].conversation.lost()

    for _ in range(40):
        arena.play([bots[name] for name in "bcd"])
        arena.clock.advance(100)

    assert [EndCause.PLAYED] * 2 == [future.result().cause for future in futures]
    assert FaultKind.CRASH is faults(arena)[0]
    assert [] == faults(arena, 2)


async def test_a_dead_bots_tables_do_not_wait() -> None:
    """A process that has exited is waited for nowhere, neither at open tables nor at later ones."""
    arena = FakeArena()
    first, second = specs(2)
    bots = arena.bots(first)
    future = arena.server.open_table(first)

    arena.server.bot_died("bot1", "exit status 3")
    arena.play([bots[0], bots[2]])
    later = arena.server.open_table(second)

    assert EndCause.PLAYED is future.result().cause
    assert (EndCause.NEVER_JOINED, 1) == (later.result().cause, later.result().blamed_seat)
    assert [FaultKind.CRASH] == faults(arena, 2)
    text = next(f.text for f in arena.recorder.of_table(2) if isinstance(f, Faulted))
    assert "exit status 3" == text


async def test_a_process_that_never_came_is_a_start_that_failed() -> None:
    """B75: a bot that exits before it ever dialled in failed to start; it is not a time-out."""
    arena = FakeArena()
    arena.bot("bot0")
    arena.bot("bot2")
    arena.server.bot_died("bot1", "no such command")

    result = arena.server.open_table(table_spec()).result()

    assert [FaultKind.START_FAILED] == faults(arena)
    assert (EndCause.NEVER_JOINED, Blame.SEAT, 1) == (
        result.cause,
        result.blame,
        result.blamed_seat,
    )


async def test_a_bot_that_joins_late_is_seated() -> None:
    """A table waits for a bot that comes within the time for joining."""
    arena = FakeArena()
    spec = table_spec()
    bots = [arena.bot(name) for name in spec.bots[:2]]
    future = arena.server.open_table(spec)
    arena.clock.advance(9_000)

    bots.append(arena.bot("bot2"))
    arena.play(bots)

    assert EndCause.PLAYED is future.result().cause


# Who may act where


async def test_a_session_acts_for_its_own_seats_only() -> None:
    """B17: an answer in another's name, or about a table one does not sit at, has no effect."""
    arena = FakeArena()
    mine, other = table_spec(), table_spec(table_id="t2", number=2, bots=("x", "y", "z"))
    bots = arena.bots(mine)
    strangers = arena.bots(other)
    arena.server.open_table(mine)
    arena.server.open_table(other)
    (decision,) = bots[0].decisions()
    strangers[0].read()
    bots[1].read()

    strangers[0].answer(decision)
    bots[1].answer(decision)

    reasons = [bot.read()[-1].rejected.reason for bot in (strangers[0], bots[1])]
    assert [REJECT_REASON_UNKNOWN_TABLE, REJECT_REASON_UNKNOWN_DECISION] == reasons
    assert not any(isinstance(f, Acted) for f in arena.recorder.of_table(1))
    assert [] == faults(arena, 2)


async def test_two_answers_in_one_packet_are_one() -> None:
    """B41: a doubled answer in one frame acts once; the second is told as stale."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (decision,) = bots[0].decisions()

    bots[0].say(answer_to(decision), answer_to(decision))

    assert [REJECT_REASON_STALE_DECISION] == [m.rejected.reason for m in bots[0].read()]
    assert 1 == sum(isinstance(f, Acted) for f in arena.recorder.of_table(1))


async def test_two_sockets_of_one_seat_apply_one_move() -> None:
    """B43: two sessions of one bot answer the same question: exactly one answer is applied."""
    arena = FakeArena()
    spec = table_spec()
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (decision,) = bots[0].decisions()
    second = arena.again("bot0")
    (again,) = second.decisions()

    bots[0].answer(decision, decision.legal[0])
    second.answer(again, again.legal[1])

    acts = [f for f in arena.recorder.of_table(1) if isinstance(f, Acted)]
    assert [int(again.legal[1].kind)] == [int(act.action.kind) for act in acts]


@pytest.mark.parametrize("action", [Action(), Action(kind=ACTION_KIND_PLAY)], ids=["unset", "part"])
async def test_an_answer_without_an_action_is_that_tables_fault(action: Action) -> None:
    """An unreadable answer counts at its table alone, and comes back with the legal actions."""
    arena = FakeArena()
    bots = arena.bots(table_spec(), max_open_decisions=2)
    for spec in specs(2):
        arena.server.open_table(spec)
    decision = next(d for d in bots[0].decisions() if d.table_id == "t1")

    bots[0].answer(decision, action)

    (rejected,) = [m.rejected for m in bots[0].read()]
    assert (REJECT_REASON_UNREADABLE, list(decision.legal)) == (
        rejected.reason,
        list(rejected.legal),
    )
    assert ([FaultKind.GARBLED], []) == (faults(arena, 1), faults(arena, 2))


async def test_a_reply_after_time_ran_out_is_harmless() -> None:
    """B72: it comes 5 ms late, the default stands, and the next question is answered as it is."""
    arena = FakeArena()
    spec = table_spec(clock=QUICK)
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    (decision,) = bots[0].decisions()

    arena.clock.advance(105)
    bots[0].answer(decision)

    timed_out, rejected = bots[0].read()
    assert decision.decision_id == timed_out.timed_out.decision_id
    assert REJECT_REASON_STALE_DECISION == rejected.rejected.reason
    assert [FaultKind.TIMEOUT, FaultKind.STALE] == faults(arena)


# When the arena itself fails


def crashing(table_id: str) -> Callable[[TableState, Input], tuple[TableState, list[Output]]]:
    """Returns a `step` that breaks on answers at one table."""

    def broken(state: TableState, event: Input) -> tuple[TableState, list[Output]]:
        if state.spec.table_id == table_id and isinstance(event, Answered):
            raise ZeroDivisionError
        return step(state, event)

    return broken


async def test_one_tables_crash_ends_that_table_only() -> None:
    """A table that breaks ends as the arena's fault, recorded and told; the others go on."""
    arena = FakeArena()
    bots = arena.bots(table_spec(), max_open_decisions=3)
    with patch.object(driver_module, "step", crashing("t2")):
        futures = [arena.server.open_table(spec) for spec in specs(3)]
        arena.play(bots)

    results = [future.result() for future in futures]
    assert [EndCause.PLAYED, EndCause.ARENA_FAULT, EndCause.PLAYED] == [r.cause for r in results]
    assert (Blame.ARENA, False) == (results[1].blame, results[1].rated)
    assert isinstance(arena.recorder.of_table(2)[-1], TableEnded)
    closed = [m.table_closed for m in bots[0].messages if m.HasField("table_closed")]
    assert {"t1", "t2", "t3"} == {message.table_id for message in closed}


async def test_nothing_is_told_that_is_not_recorded() -> None:
    """When the record cannot be written every table fails, and that is all that is told."""
    arena = FakeArena()
    bots = arena.bots(table_spec(), max_open_decisions=2)
    futures = [arena.server.open_table(spec) for spec in specs(2)]
    decisions = bots[0].decisions()
    arena.recorder.fails_at = len(arena.recorder.facts) + 1

    bots[0].answer(decisions[0])

    for future in futures:
        with pytest.raises(RecorderFailed, match="No space left"):
            future.result()
    assert [["table_closed", "table_closed"]] * 3 == [
        [kind for kind in bot.kinds() if kind not in {"welcome", "ping", "table_opened"}]
        for bot in bots
    ]
    closed = [m.table_closed for bot in bots for m in bot.messages if m.HasField("table_closed")]
    assert {(EndCause.ARENA_FAULT, Blame.ARENA, False)} == {
        (EndCause(message.cause), Blame(message.blame), message.rated) for message in closed
    }
    late = arena.server.open_table(table_spec(table_id="t9", number=9))
    with pytest.raises(RecorderFailed):
        late.result()
    # Whoever opened the tables tells of it, in one sentence; the log must not tell it again.
    assert [] == [line for line in arena.logs.entries if line["log_level"] in {"warning", "error"}]


async def test_stopped_tables_have_no_result() -> None:
    """Ctrl-C: all open tables end unrated, with blame on nobody, recorded and told."""
    arena = FakeArena()
    bots = arena.bots(table_spec())
    futures = [arena.server.open_table(spec) for spec in specs(2)]

    arena.server.stop_tables()

    assert [(EndCause.STOPPED, Blame.NONE, False)] * 2 == [
        (f.result().cause, f.result().blame, f.result().rated) for f in futures
    ]
    assert 2 == bots[1].kinds().count("table_closed")


async def test_the_log_has_no_card_and_no_secret() -> None:
    """What is logged binds table, seat and bot, and tells no card, key, seed or token."""
    arena = FakeArena()
    spec = table_spec(clock=QUICK)
    bots = arena.bots(spec)
    arena.server.open_table(spec)
    bots[0].read()
    arena.clock.advance(200)
    arena.play(bots)

    logged = repr(arena.logs.entries)
    fault = next(e for e in arena.logs.entries if e["event"] == "fault")
    assert ("table", 0, "bot0", "timeout") == (
        fault["table"],
        fault["seat"],
        fault["bot"],
        fault["kind"],
    )
    secrets = [spec.deal_key.hex(), repr(spec.deal_key), *map(str, spec.bot_seeds)]
    assert [] == [secret for secret in secrets if secret in logged]
    assert [] == [card.text for card in spec.rules.deck_cards if f"'{card.text}'" in logged]
