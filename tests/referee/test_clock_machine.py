"""The clock's state machine (docs/clock.md), held against a clock that counts milliseconds.

A table is written to, answered, refused, stalled, lost, left, killed and taken up again in any
order. After every step all that the referee booked and told of times is what the other clock says.
"""

import re
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from naive_clock import NaiveClock, Where
from tables import Referee, table_spec

from euchre_engine import Alone, Pass, Seat, legal_actions
from euchre_server.referee import rebuild
from euchre_server.referee.facts import Acted, Actor, Fact, Faulted, FaultKind
from euchre_server.referee.facts import Stalled as StalledFact
from euchre_server.referee.inputs import (
    Answered,
    Garbled,
    Input,
    Resumed,
    SeatDied,
    SeatJoined,
    SeatLeft,
    SeatLost,
    Stalled,
    TimeCame,
    Written,
)
from euchre_server.referee.outputs import Ask, Booked, Output, Reject, Send, Spent, TimedOut, Wake
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableMode

PAGE = (Path(__file__).parents[2] / "docs" / "clock.md").read_text()
SEEN: Counter[str] = Counter()
"""How often each row of the page's table has happened, as state and event."""
ROWS = {
    "asked: written": "the question is handed to the transport",
    "asked: lost": "the seat's session is lost, or was lost before",
    "asked, running: killed": "the arena is killed, and another goes on with the table",
    "asked: awaited in vain": "that arena has waited `join_within_ms` for the seat in vain",
    "asked, running: gone": "the bot left, or its process ended",
    "running: stalled": "the arena stood still for *s* ms",
    "running: answered": "a legal answer before the deadline",
    "running: refused": "an answer that is refused",
    "running: lost": "the seat's session is lost, or another takes over",
    "running: ran out": "the deadline comes",
}
JOIN_WITHIN_MS = 10_000


class ClockMachine(RuleBasedStateMachine):
    """One table, and a second clock that watches it."""

    @initialize(
        rules=st.sampled_from(["two-handed", "three-handed"]),
        budget=st.integers(1, 60),
        bank=st.sampled_from([0, 1, 40]),
        increment=st.sampled_from([0, 7]),
        grace=st.sampled_from([0, 15]),
        first=st.sampled_from([1, 90]),
    )
    def open_table(
        self, *, rules: str, budget: int, bank: int, increment: int, grace: int, first: int
    ) -> None:
        """Opens a table and deals."""
        self.spec = table_spec(
            rules,
            mode=TableMode.GAME,
            policy=FaultPolicy(fault_limit=10_000),
            clock=ClockSpec(
                budget_ms=budget,
                bank_ms=bank,
                increment_ms=increment,
                grace_ms=grace,
                first_ms=first,
            ),
        )
        self.naive = NaiveClock(
            seats=self.spec.rules.seat_count,
            budget=budget,
            bank=bank,
            increment=increment,
            grace=grace,
            first=first,
        )
        self.facts: list[Fact] = []
        self.wakes: list[int] = []
        self.last: dict[Seat, Spent] = {}
        self.sessions = dict.fromkeys(self.spec.rules.seats, 1)
        self.table = Referee(self.spec)
        self._keep(self.table.open())
        self._open_next(0)

    # What may happen

    def is_open(self) -> bool:
        """Returns whether a question is open."""
        return hasattr(self, "table") and self.naive.question is not None

    def is_out(self) -> bool:
        """Returns whether the question has been put to a bot that is there."""
        question = self.naive.question if self.is_open() else None
        return (
            question is not None
            and question.written is not None
            and self.naive.where[question.seat] is Where.THERE
        )

    @precondition(is_open)
    @rule(wait=st.integers(0, 70))
    def wait(self, wait: int) -> None:
        """Time passes."""
        self._feed(TimeCame(self.naive.now + wait))

    @precondition(is_open)
    @rule(around=st.sampled_from([-1, 0, 1, 500]))
    def wait_until_due(self, around: int) -> None:
        """Time passes until about the next deadline."""
        if self.naive.due is not None:
            self._feed(TimeCame(max(self.naive.now, self.naive.due + around)))

    @precondition(is_open)
    @rule(wait=st.integers(0, 20), round_trip=st.none() | st.integers(0, 30))
    def write(self, wait: int, round_trip: int | None) -> None:
        """The open question is handed to the transport, perhaps once more."""
        seat, number = self._asked()
        if self.naive.where[seat] is Where.THERE:
            at = self.naive.now + wait
            self._feed(Written(at, seat, self.sessions[seat], number, round_trip))

    @precondition(is_out)
    @rule(wait=st.integers(0, 60), slip=st.sampled_from(["", "", "", "illegal", "garbled", "old"]))
    def answer(self, wait: int, slip: str) -> None:
        """The bot answers, sometimes badly, sometimes too late."""
        (seat, number), at = self._asked(), self.naive.now + wait
        session = self.sessions[seat]
        hand = self.table.state.hand
        assert hand is not None
        match slip:
            case "":
                self._feed(Answered(at, seat, session, number, legal_actions(hand)[0], 3))
            case "illegal":
                wrong = Pass() if Pass() not in legal_actions(hand) else Alone()
                self._feed(Answered(at, seat, session, number, wrong))
            case "garbled":
                self._feed(Garbled(at, seat, session, number, "?", b"\0"))
            case _:
                self._feed(Answered(at, seat, session, number - 1, Pass()))

    @precondition(is_open)
    @rule(wait=st.integers(0, 90), length=st.integers(1, 90))
    def stall(self, wait: int, length: int) -> None:
        """The arena stands still."""
        self._feed(Stalled(self.naive.now + wait, length))

    @precondition(is_open)
    @rule(who=st.integers(0, 2), wait=st.integers(0, 5))
    def lose(self, who: int, wait: int) -> None:
        """A bot's stream breaks."""
        seat = Seat(who % self.spec.rules.seat_count)
        if self.naive.where[seat] is Where.THERE:
            self._feed(SeatLost(self.naive.now + wait, seat, self.sessions[seat]))

    @precondition(is_open)
    @rule(who=st.integers(0, 2), wait=st.integers(0, 30))
    def join(self, who: int, wait: int) -> None:
        """A bot comes back, or another session of it takes over."""
        seat = Seat(who % self.spec.rules.seat_count)
        if self.naive.where[seat] is not Where.GONE:
            self.sessions[seat] += 1
            self._feed(SeatJoined(self.naive.now + wait, seat, self.sessions[seat]))

    @precondition(is_open)
    @rule(who=st.integers(0, 2), dice=st.integers(0, 9))
    def go(self, who: int, dice: int) -> None:
        """A bot goes for good; not often, so that tables have a life."""
        seat = Seat(who % self.spec.rules.seat_count)
        if dice == 0 and self.naive.where[seat] is Where.THERE:
            self._feed(SeatLeft(self.naive.now, seat, self.sessions[seat]))
        elif dice == 1 and self.naive.where[seat] is not Where.GONE:
            self._feed(SeatDied(self.naive.now, seat, FaultKind.CRASH, "exit status 1"))

    @precondition(is_open)
    @rule(dice=st.integers(0, 2))
    def kill(self, dice: int) -> None:
        """The arena is killed, and another goes on."""
        if dice == 0:
            SEEN["asked, running: killed"] += 1
            at = self.naive.now
            self.table.state = rebuild(self.spec, self.facts)
            self.naive.killed()
            self.naive.join_by = at + JOIN_WITHIN_MS
            self._check(Resumed(at), self.table.feed(Resumed(at)))

    @precondition(lambda self: not self.is_open())
    @rule(wait=st.integers(0, 1000))
    def wait_in_vain(self, wait: int) -> None:
        """Nothing comes of time once the table is over."""
        assert [] == self.table.feed(TimeCame(self.naive.now + wait))

    # What must come of it

    def _feed(self, event: Input) -> None:
        naive, question = self.naive, self.naive.question
        assert question is not None
        naive.pass_to(event.at)
        if isinstance(event, Stalled):
            naive.stall(event.stalled_ms)
            if question.started is not None:
                SEEN["running: stalled"] += 1
        self._check(event, self.table.feed(event))

    def _check(self, event: Input, outputs: list[Output]) -> None:
        """Checks a step's outputs in order: first what was overdue, then what the event brings."""
        left = self._keep(outputs)
        self._check_overdue(left)
        if self.naive.question is not None:
            self._check_event(event, left)
            self._check_overdue(left)
        assert [] == [b for b in left if isinstance(b.fact, Acted)]
        for output in outputs:
            match output:
                case Reject():
                    self._check_refusal(output)
                case Send(seat, _, Ask() as ask):
                    self._check_ask(seat, ask)
                case Send(seat, _, TimedOut() as told):
                    # All that was played in this step for the seat came after.
                    last = [b.fact for b in self._booked(outputs) if isinstance(b.fact, Acted)]
                    mine = [act for act in last if act.decision_id == told.decision_id]
                    (act,) = [act for act in mine if act.seat == seat]
                    assert (act.action, act.charged_ms, act.bank_left_ms) == (
                        told.played,
                        told.charged_ms,
                        told.bank_left_ms,
                    )
                case _:
                    pass
        opened = self.table.state.open
        question = self.naive.question
        self.wakes += [output.at for output in outputs if isinstance(output, Wake)]
        if opened is None or question is None:
            assert opened is None
            assert question is None
        else:
            assert self.naive.due is None or self.naive.due == self.wakes[-1]
            assert (question.seat, question.asked) == (opened.seat, opened.asked_ms)

    def _check_overdue(self, left: list[Booked]) -> None:
        """Checks everything that time alone has brought about."""
        naive = self.naive
        while naive.question is not None:
            seat = naive.question.seat
            at = naive.question.asked if naive.where[seat] is Where.GONE else naive.ran_out()
            if at is None and naive.join_by is not None and naive.join_by <= naive.now:
                if naive.where[seat] is Where.AWAITED:
                    SEEN["asked: awaited in vain"] += 1
                naive.wait_no_longer()
                continue
            if at is None:
                return
            if naive.where[seat] is not Where.GONE:
                SEEN["running: ran out"] += 1
            self._check_act(left, at, Actor.CLOCK)

    def _check_event(self, event: Input, left: list[Booked]) -> None:
        naive, question = self.naive, self.naive.question
        assert question is not None
        is_running = question.started is not None
        match event:
            case Written():
                if (event.seat, event.decision_id) == self._asked():
                    SEEN["asked: written"] += not is_running
                    naive.write(event.rtt_ms)
            case Answered() | Garbled():
                if any(isinstance(b.fact, Acted) for b in left):
                    SEEN["running: answered"] += 1
                    self._check_act(left, event.at, Actor.BOT)
                elif any(isinstance(b.fact, Faulted) for b in left):
                    SEEN["running: refused"] += 1
            case SeatLost():
                naive.where[event.seat] = Where.LOST
                if event.seat == question.seat:
                    SEEN["running: lost" if is_running else "asked: lost"] += 1
                    naive.start(event.at, grace=0)
            case SeatJoined():
                naive.where[event.seat] = Where.THERE
                SEEN["running: lost"] += is_running
                if Where.AWAITED not in naive.where:
                    naive.join_by = None
            case SeatLeft() | SeatDied():
                naive.where[event.seat] = Where.GONE
                if event.seat == question.seat:
                    SEEN["asked, running: gone"] += 1
                    self._check_act(left, event.at, Actor.CLOCK)
            case _:
                pass

    def _check_act(self, left: list[Booked], at: int, actor: Actor) -> None:
        """Checks the next action booked, and opens the question that follows it."""
        naive, question = self.naive, self.naive.question
        assert question is not None
        number = naive.asked[question.seat]
        index = next(i for i, b in enumerate(left) if isinstance(b.fact, Acted))
        booked, act = left[index], left[index].fact
        assert isinstance(act, Acted)
        del left[: index + 1]
        cost = naive.over(by_bot=actor is Actor.BOT)
        bank = naive.banks[question.seat]
        assert (at, question.seat, number, actor) == (
            booked.at,
            act.seat,
            act.decision_id,
            act.actor,
        )
        assert (cost.charged, cost.grace, bank) == (
            act.charged_ms,
            act.grace_used_ms,
            act.bank_left_ms,
        )
        assert (question.asked, question.written, question.started) == (
            act.asked_ms,
            act.written_ms,
            act.started_ms,
        )
        assert (question.round_trip, question.stalled) == (act.round_trip_ms, act.stalled_ms)
        self.last[act.seat] = Spent(
            number,
            actor is Actor.CLOCK,
            cost.charged,
            cost.grace,
            question.stalled,
            question.round_trip,
        )
        following = next((b.fact for b in left if isinstance(b.fact, Acted)), None)
        opened = self.table.state.open
        if following is not None:
            naive.ask(following.seat, at)
        elif opened is not None:
            naive.ask(opened.seat, at)

    def _check_ask(self, seat: Seat, ask: Ask) -> None:
        """Checks what a question says of time, if it is the one that is open now."""
        question = self.naive.question
        if question is None or (question.seat, self.naive.asked[seat]) != (seat, ask.decision_id):
            return
        cost = question.counted(self.naive.banks[seat])
        assert max(1, question.own - cost.own) == ask.time_left_ms
        assert self.naive.banks[seat] - cost.bank == ask.bank_left_ms
        assert self.last.get(seat) == ask.last
        assert ask.default_count == sum(
            isinstance(f, Faulted) and (f.seat, f.kind) == (seat, FaultKind.TIMEOUT)
            for f in self.facts
        )

    def _check_refusal(self, refusal: Reject) -> None:
        question = self.naive.question
        if question is None or question.seat != refusal.seat or question.written is None:
            assert (None, None) == (refusal.charged_ms, refusal.bank_left_ms)
            return
        cost = question.counted(self.naive.banks[refusal.seat])
        assert (cost.charged, self.naive.banks[refusal.seat] - cost.bank) == (
            refusal.charged_ms,
            refusal.bank_left_ms,
        )
        assert max(1, question.own - cost.own) == refusal.time_left_ms

    # Help

    def _asked(self) -> tuple[Seat, int]:
        question = self.naive.question
        assert question is not None
        return Seat(question.seat), self.naive.asked[question.seat]

    def _open_next(self, at: int) -> None:
        opened = self.table.state.open
        if opened is not None:
            self.naive.ask(opened.seat, at)

    def _keep(self, outputs: list[Output]) -> list[Booked]:
        booked = self._booked(outputs)
        self.facts += [b.fact for b in booked]
        SEEN["stall booked"] += sum(isinstance(b.fact, StalledFact) for b in booked)
        return booked

    @staticmethod
    def _booked(outputs: list[Output]) -> list[Booked]:
        return [output for output in outputs if isinstance(output, Booked)]


def test_the_clock_is_what_its_page_says() -> None:
    """C-14: whatever happens in whatever order, times are those of a clock that only counts."""
    SEEN.clear()
    for batch in range(2):
        run_state_machine_as_test(
            seed(batch)(ClockMachine),
            settings=settings(
                max_examples=60,
                stateful_step_count=40,
                deadline=None,
                database=None,
                phases=(Phase.generate,),
                suppress_health_check=list(HealthCheck),
            ),
        )

    assert [] == sorted(row for row in ROWS if SEEN[row] < 20)


def test_every_row_of_the_page_is_held() -> None:
    """The page's table of one decision has the rows that the machine above goes through."""
    table = PAGE.partition("## One decision")[2].partition("\n\nWith")[0]
    found = re.findall(r"^\| ([^|]+) \| ([^|]+) \| \*", table, re.MULTILINE)

    states = [re.sub(r"\*|:.*", "", state).strip() for state, _ in found]
    assert list(ROWS.values()) == [event for _, event in found]
    assert [row.partition(":")[0] for row in ROWS] == states
