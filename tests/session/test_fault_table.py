"""Every class of fault, in every phase of every game, under both policies (docs/faults.md).

`TABLE` is the table of that page. Each row is done once at each position to a table that is played
by prompt bots otherwise: what is recorded, counted and told is what the row says, and nobody but
the offender is told anything that he would not be told if nobody did wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest
from fault_bench import AHEAD, Bench, undisturbed
from fault_deeds import DEEDS
from phase_positions import BUDGET_MS, PHASES, POSITIONS, Position, found_phases

from euchre_engine import PRESETS, Game, Phase, Seat, parse_ruleset, start_hand
from euchre_server.referee.facts import Actor, Blame, EndCause, FaultKind, TableEnded
from euchre_server.referee.faults import COUNTED
from euchre_server.referee.spec import FaultPolicy, TableMode, TableSpec

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = (Path(__file__).parents[2] / "docs" / "faults.md").read_text()
LENIENT, STRICT = FaultPolicy.named("lenient"), FaultPolicy.named("strict")


class Row(NamedTuple):
    """A class of fault, in the words of the page; a dash stands for nothing."""

    fault: str
    recorded: str
    """Kinds of fault, in order, one entry each; strict ends the table with the first counted."""
    told: str
    """Kinds of messages to the offender, in order."""
    question: str
    """What becomes of the open question where the table goes on: `open`; `answered`; `default`: the
    clock plays at once; `runs on`: the clock plays when its time is over."""
    strict: str
    """What becomes of the table with the strict policy."""


TABLE: Final = (
    Row("silence", "TIMEOUT", "TimedOut", "default", "forfeited"),
    Row("late", "TIMEOUT, STALE", "TimedOut, Rejected", "default", "forfeited"),
    Row("illegal", "ILLEGAL", "Rejected", "open", "forfeited"),
    Row("unknown decision", "ILLEGAL", "Rejected", "open", "forfeited"),
    Row("garbled", "GARBLED", "Rejected", "open", "forfeited"),
    Row("unset action", "GARBLED", "Rejected", "open", "forfeited"),
    Row("stale", "STALE", "Rejected", "open", "goes on"),
    Row("duplicate", "STALE", "Rejected", "answered", "goes on"),
    Row("foreign seat", "STALE or ILLEGAL", "Rejected", "open", "forfeited if ILLEGAL"),
    Row("foreign table", "-", "Rejected", "open", "goes on"),
    Row("unset message", "-", "SessionFault", "open", "goes on"),
    Row("undecodable", "-", "SessionFault", "open", "goes on"),
    Row("oversized", "-", "SessionFault", "open", "goes on"),
    Row("out of place", "-", "SessionFault", "open", "goes on"),
    Row("flood", "CRASH", "SessionFault, Goodbye", "runs on", "forfeited"),
    Row("flood of answers", "CRASH", "Rejected, SessionFault, Goodbye", "runs on", "forfeited"),
    Row("crashed", "CRASH", "-", "runs on", "forfeited"),
    Row("process died", "CRASH, TIMEOUT", "-", "default", "forfeited"),
    Row("left", "LEFT, TIMEOUT", "-", "default", "forfeited"),
    Row("crashed, not to act", "CRASH", "-", "open", "forfeited"),
    Row("left, not to act", "LEFT", "-", "open", "forfeited"),
    Row("not back", "TIMEOUT", "-", "default", "forfeited"),
    Row("start failed", "START_FAILED, TIMEOUT", "-", "default", "forfeited"),
)
NOT_TO_ACT: Final = {"foreign seat", "crashed, not to act", "left, not to act"}
"""The offender is the seat after the one that is to act."""
ABSENT: Final = {"not back", "start failed"}
"""The table has been taken up by another arena, and the offender's bot does not come."""
MESSAGES: Final = {
    "timed_out": "TimedOut",
    "rejected": "Rejected",
    "session_fault": "SessionFault",
    "goodbye": "Goodbye",
}


# What must come of it


class Case:
    """One row, done at one position under one policy."""

    def __init__(self, row: Row, position: Position, policy: FaultPolicy) -> None:
        self.row, self.position, self.policy = row, position, policy
        opened = position.state(policy).open
        assert opened is not None
        acting = opened.seat
        seats = position.spec(policy).rules.seat_count
        self.seat = Seat((acting + 1) % seats) if row.fault in NOT_TO_ACT else acting
        absent = self.seat if row.fault in ABSENT else None
        self.bench = bench = Bench.at(position, policy, absent)
        self.number = bench.number
        self.told_before = [len(told) for told in bench.told]
        self.default = bench.default()
        DEEDS[row.fault](bench, self.seat)
        bench.read()

    def check(self) -> None:
        """Asserts all that the row says, and that nobody else was touched."""
        bench, seat = self.bench, self.seat
        kinds = self.recorded()
        # A bot that is gone may be asked several times on end: each time it is a time-out.
        kinds += [FaultKind.TIMEOUT] * (sum(act.actor is Actor.CLOCK for act in bench.acts()) - 1)
        faults = bench.faults()
        assert kinds == [fault.kind for fault in faults]
        assert {seat} >= {fault.seat for fault in faults}
        counts = [sum(kind in COUNTED for kind in kinds[: n + 1]) for n in range(len(kinds))]
        assert counts == [fault.fault_count for fault in faults]
        if any(counts) and self.policy is STRICT:
            self.check_forfeit()
        else:
            assert bench.ending() is None
            assert self.told() == self.row.told
            self.check_question()
            bench.play(AHEAD)
        self.check_others()

    def recorded(self) -> list[FaultKind]:
        """Returns the kinds of fault that the row says, up to the end of the table."""
        text = self.row.recorded
        if text == "STALE or ILLEGAL":  # numbers are counted for each seat by itself
            opened = self.bench.state.open
            is_own = self.number <= self.bench.state.seats[self.seat].decision_id
            text = "STALE" if is_own else "ILLEGAL"
            assert opened is not None or text == "ILLEGAL"
        kinds = [] if text == "-" else [FaultKind[name] for name in text.split(", ")]
        if self.policy is STRICT:
            first = next((n for n, kind in enumerate(kinds) if kind in COUNTED), None)
            return kinds if first is None else kinds[: first + 1]
        return kinds

    def told(self) -> str:
        """Returns the kinds of messages about the fault that the offender was told, in order."""
        bench, seat = self.bench, self.seat
        messages = [*bench.told[seat][self.told_before[seat] :], *bench.session_told[seat]]
        kinds = dict.fromkeys(MESSAGES.get(m.WhichOneof("message") or "") for m in messages)
        return ", ".join(kind for kind in kinds if kind) or "-"

    def check_question(self) -> None:
        """Asserts that the open question became what the row says."""
        bench = self.bench
        acts = [(act.actor, act.action) for act in bench.acts()[:1]]
        match self.row.question:
            case "open":
                assert [] == acts
                assert self.number == bench.number
            case "answered":
                assert [(Actor.BOT, self.default)] == acts
            case "default":
                assert [(Actor.CLOCK, self.default)] == acts
            case "runs on":
                assert [] == acts
                bench.pass_time(BUDGET_MS - 1)
                assert [] == bench.acts()
                bench.pass_time(1)
                assert [(Actor.CLOCK, self.default)] == [
                    (act.actor, act.action) for act in bench.acts()[:1]
                ]
                assert FaultKind.TIMEOUT is bench.faults()[-1].kind
            case other:
                raise AssertionError(other)

    def check_forfeit(self) -> None:
        """Asserts that the table was forfeited, and how it counts (DESIGN.md section 5, rule 5)."""
        bench, ending = self.bench, self.bench.ending()
        assert ending is not None
        left = self.row.fault.startswith("left")
        assert (EndCause.LEFT if left else EndCause.FAULTS) is ending.cause
        check_counts(bench.spec, ending, self.seat, bench.state.scores)
        assert "forfeited" == self.row.strict.removesuffix(" if ILLEGAL")
        assert isinstance(bench.facts[-1], TableEnded)
        for seat, told in enumerate(bench.told):
            kinds = [m.WhichOneof("message") for m in told[self.told_before[seat] :]]
            if seat != self.seat:
                assert ["table_closed"] == kinds
            elif bench.bots[seat] is not None and not bench.bot(self.seat).conversation.is_over:
                first = "timed_out" if "TimedOut" in self.row.told else "rejected"
                assert [first, "table_closed"] == kinds[:2]
                if first == "timed_out":
                    timed_out = told[self.told_before[seat]].timed_out
                    assert not timed_out.HasField("played")
                    assert BUDGET_MS == timed_out.charged_ms

    def check_others(self) -> None:
        """Asserts that all others are told what they would be told without the fault."""
        bench = self.bench
        ended = bench.ending() is not None
        for seat, told in enumerate(bench.told):
            if seat == self.seat:
                continue
            whole = undisturbed(self.position, self.policy)[0][seat]
            due = undisturbed(self.position, self.policy)[1][seat]
            mine = told[: self.told_before[seat]] if ended else told
            assert whole[: len(mine)] == mine
            assert ended or len(mine) >= due
            assert [] == bench.session_told[seat]
        gone = {changed.seat for changed in bench.departures()}
        assert gone <= {self.seat}


def check_counts(
    spec: TableSpec, ending: TableEnded, offender: Seat, before: tuple[int, ...]
) -> None:
    """Asserts what a forfeited table counts, by the words of the rule."""
    seats = spec.rules.seats
    losing = {
        s for s in seats if s == offender or (spec.rules.has_partners and (s - offender) == 2)
    }
    losing |= {s for s in seats if spec.rules.has_partners and (offender - s) == 2}
    others = [s for s in seats if s not in losing]
    if spec.mode is TableMode.BOARD:
        due = dict.fromkeys(others, spec.rules.largest_hand_result)
        due |= dict.fromkeys(losing, spec.rules.smallest_hand_result)
    else:
        due = {s: before[s] for s in others}
        due |= dict.fromkeys(losing, min(0, *before))
    assert tuple(due[s] for s in seats) == ending.scores
    best = max(due[s] for s in others)
    assert [s for s in others if due[s] == best] == list(ending.winners)
    assert max(due[s] for s in losing) <= min(due[s] for s in others)
    assert (Blame.SEAT, offender, True) == (ending.blame, ending.blamed_seat, ending.rated)


def _positions() -> Iterator[object]:
    """Yields all positions; of each game's phase two are tried always, more in the long run."""
    seen = Counter[tuple[Game, Phase]]()
    for position in POSITIONS:
        place = parse_ruleset(position.rules).game, position.phase
        seen[place] += 1
        marks = [pytest.mark.long] if seen[place] > 2 else []
        yield pytest.param(position, id=str(position), marks=marks)


@pytest.mark.parametrize("policy", [LENIENT, STRICT], ids=["lenient", "strict"])
@pytest.mark.parametrize("position", list(_positions()))
async def test_a_fault_has_its_effect_and_touches_nobody_else(
    position: Position, policy: FaultPolicy
) -> None:
    """C-13, C-33 to C-39: each class of fault is ruled as the table says, in this phase too."""
    for row in TABLE:
        try:
            Case(row, position, policy).check()
        except AssertionError as error:
            error.add_note(f"fault: {row.fault}")
            raise


@pytest.mark.parametrize("rules", PHASES)
def test_every_phase_of_a_ruleset_is_among_the_positions(rules: str) -> None:
    """Random hands of each ruleset come into all phases that are listed for it, and no others."""
    assert {Phase(phase) for phase in PHASES[rules].split()} == found_phases(rules)


def test_every_phase_of_every_game_is_among_the_positions() -> None:
    """Each preset is there, and of each game every phase that the engine has for it."""
    engine: dict[str, set[Phase]] = {}
    listed: dict[str, set[Phase]] = {}
    for rules, phases in PHASES.items():
        ruleset = parse_ruleset(rules)
        hand = start_hand(ruleset, dealer=Seat(0), deck=ruleset.deck_cards)
        flow = {rule.phase for rule in hand.deal.flow} - {Phase.DONE}
        engine.setdefault(ruleset.game, set()).update(flow)
        listed.setdefault(ruleset.game, set()).update(map(Phase, phases.split()))

    assert set(PRESETS) <= set(PHASES)
    assert engine == listed
    assert set(Phase) - {Phase.DONE} == set.union(*listed.values())


# Beyond the phases


@pytest.mark.parametrize("rules", PHASES)
async def test_the_last_fault_that_is_allowed_forfeits(rules: str) -> None:
    """A lenient table bears nine faults of a seat; the tenth forfeits it, and stale ones do not."""
    position = next(position for position in POSITIONS if position.rules == rules)
    bench = Bench.at(position, LENIENT)
    seat = bench.to_act
    limit = LENIENT.fault_limit

    for _ in range(limit - 1):
        DEEDS["illegal"](bench, seat)
        bench.read()
    DEEDS["stale"](bench, seat)
    open_after = bench.ending() is None
    DEEDS["garbled"](bench, seat)

    ending = bench.ending()
    assert open_after
    assert ending is not None
    check_counts(bench.spec, ending, seat, bench.state.scores)
    assert [*range(1, limit), limit - 1, limit] == [f.fault_count for f in bench.faults()]


@pytest.mark.parametrize("rules", PHASES)
async def test_a_forfeited_board_never_pays(rules: str) -> None:
    """DESIGN.md section 5, rule 5: the offender's side has the least, all others the most."""
    position = next(position for position in POSITIONS if position.rules == rules)
    bench = Bench.opened(position.spec(STRICT, TableMode.BOARD))
    seat = bench.to_act

    DEEDS["illegal"](bench, seat)

    ending = bench.ending()
    assert ending is not None
    check_counts(bench.spec, ending, seat, bench.state.scores)


class Before(NamedTuple):
    """A class of fault before the first card, in the words of the page."""

    fault: str
    recorded: str
    lenient: str
    """The cause of the table's end."""
    strict: str


BEFORE_PLAY: Final = (
    Before("never joined", "START_FAILED", "NEVER_JOINED", "NEVER_JOINED"),
    Before("start failed", "START_FAILED", "NEVER_JOINED", "FAULTS"),
    Before("process died", "CRASH", "NEVER_JOINED", "FAULTS"),
    Before("left", "LEFT", "LEFT", "LEFT"),
)


@pytest.mark.parametrize("policy", [LENIENT, STRICT], ids=["lenient", "strict"])
@pytest.mark.parametrize("row", BEFORE_PLAY, ids=[row.fault for row in BEFORE_PLAY])
@pytest.mark.parametrize("rules", PRESETS)
async def test_a_table_that_cannot_begin_is_forfeited(
    rules: str, row: Before, policy: FaultPolicy
) -> None:
    """C-8: before the first card a bot that is missing forfeits, one entry says why."""
    position = next(position for position in POSITIONS if position.rules == rules)
    spec = position.spec(policy, TableMode.BOARD)
    seat, late = Seat(0), Seat(1)  # nothing is dealt while a seat is awaited
    absent = row.fault in {"never joined", "start failed"}
    bench = Bench.opened(spec, absent=seat if absent else late)

    match row.fault:
        case "never joined":
            bench.pass_time(spec.join_within_ms)
        case "start failed":
            bench.arena.server.bot_died(spec.bots[seat], "no such command")
        case "process died":
            bench.arena.server.bot_died(spec.bots[seat], "exit status 1")
        case _:
            bench.bot(seat).leave()
    bench.read()

    ending, faults = bench.ending(), bench.faults()
    assert ending is not None
    assert [(seat, FaultKind[row.recorded], 1)] == [(f.seat, f.kind, f.fault_count) for f in faults]
    assert EndCause[row.lenient if policy is LENIENT else row.strict] is ending.cause
    check_counts(spec, ending, seat, bench.state.scores)
    for other, told in enumerate(bench.told):
        if other not in {seat, late if not absent else seat}:
            assert ["table_opened", "table_closed"] == [m.WhichOneof("message") for m in told]


def test_the_page_has_these_tables() -> None:
    """docs/faults.md tells users exactly what is tested here."""
    cells = [
        tuple(cell.strip().replace("`", "") for cell in line.strip("|").split("|"))
        for line in PAGE.splitlines()
        if re.match(r"\| (?!fault|-)", line)
    ]
    rows = [(row[0], *row[2:]) for row in cells if len(row) == len(Row._fields) + 1]
    before = [row for row in cells if len(row) == len(Before._fields)]

    assert list(TABLE) == [Row(*row) for row in rows]
    assert list(BEFORE_PLAY) == [Before(*row) for row in before]
