"""The precedence of rulings on an answer, and what a refusal leaves as it was."""

import pytest
from tables import G1, G2, Referee, table_spec

from euchre_engine import Pass, Reason, legal_actions, parse_action
from euchre_server.referee.facts import Acted, Faulted, FaultKind, RejectReason
from euchre_server.referee.faults import reason_of
from euchre_server.referee.inputs import Answered, Garbled, SeatJoined
from euchre_server.referee.outputs import Ask, Booked, Reject, Send
from euchre_server.referee.spec import ClockSpec, TableMode

ONE_SECOND = ClockSpec(budget_ms=1000, first_ms=1000, bank_ms=0)
THREE = "three-handed"
STUCK = "three-handed,stick_the_dealer=true"
TO_DISCARD = "order; take"
TO_EXCHANGE = "order; decline; with_dummy; together; together"
TO_PLAY = "order; decline; alone; together; together"  # L leads nothing: left of the maker is A

ILLEGAL_ROWS = [
    ("play a card while bidding", THREE, "", "play AC", RejectReason.WRONG_PHASE),
    ("bid while playing", THREE, TO_PLAY, "order", RejectReason.WRONG_PHASE),
    ("play a card of another hand", THREE, TO_PLAY, "play AC", RejectReason.NOT_IN_HAND),
    ("do not follow", THREE, TO_PLAY + "; play JC", "play JD", RejectReason.MUST_FOLLOW),
    (
        "name the suit turned down",
        THREE,
        "pass; pass; pass",
        "call C",
        RejectReason.SUIT_NOT_ALLOWED,
    ),
    (
        "discard the card just taken",
        THREE,
        TO_DISCARD,
        "discard 9C",
        RejectReason.CARD_NOT_ALLOWED,
    ),
    ("keep four cards", THREE, TO_EXCHANGE, "keep AC KC QH TD", RejectReason.WRONG_COUNT),
    ("keep a card twice", THREE, TO_EXCHANGE, "keep AC AC KC QH TD", RejectReason.WRONG_COUNT),
    ("keep a strange card", THREE, TO_EXCHANGE, "keep AC KC QH TD AH", RejectReason.NOT_IN_HAND),
    (
        "pass as stuck dealer",
        STUCK,
        "pass; pass; pass; pass; pass",
        "pass",
        RejectReason.NOT_ALLOWED,
    ),
]


@pytest.mark.parametrize(
    ("rules", "actions", "answer", "reason"),
    [row[1:] for row in ILLEGAL_ROWS],
    ids=[row[0] for row in ILLEGAL_ROWS],
)
def test_an_illegal_answer_is_refused_with_its_reason(
    rules: str, actions: str, answer: str, reason: RejectReason
) -> None:
    """An illegal answer is told with reason and legal set, booked, and changes only the count."""
    table = Referee.at(table_spec(rules), G2, actions)
    seat, ask = table.write(10)
    before = table.state

    outputs = table.answer(20, parse_action(answer))

    assert before.hand is not None
    fault, refusal = outputs
    assert isinstance(fault, Booked)
    assert isinstance(fault.fact, Faulted)
    assert isinstance(refusal, Reject)
    assert (
        FaultKind.ILLEGAL,
        reason,
        1,
        ask.decision_id,
        str(parse_action(answer)).encode(),
    ) == (
        fault.fact.kind,
        fault.fact.reason,
        fault.fact.fault_count,
        fault.fact.decision_id,
        fault.fact.raw,
    )
    assert (seat, 2, reason, 1) == (
        refusal.seat,
        refusal.session,
        refusal.reason,
        refusal.fault_count,
    )
    assert list(legal_actions(before.hand)) == list(refusal.legal)
    assert 5000 - 10 + (0 if ask.decision_id == 1 else -4500) == refusal.time_left_ms
    assert before._replace(seats=(), fact_count=0) == table.state._replace(seats=(), fact_count=0)


def test_every_reason_of_the_engine_has_one_on_the_wire() -> None:
    """No refusal of the engine goes by another name than its own."""
    unnamed = [r for r in Reason if reason_of(r) is RejectReason.NOT_ALLOWED]

    assert [Reason.MAY_NOT_PASS, Reason.MAY_NOT_SWAP] == unnamed


def test_an_unreadable_answer_is_garbled() -> None:
    """What is no action is told as unreadable and recorded as it came, cut at a limit."""
    table = Referee.at(table_spec(), G2)
    seat, ask = table.write(10)

    outputs = table.feed(Garbled(20, seat, 2, ask.decision_id, "kind is unset", b"x" * 5000))

    fault, refusal = outputs
    assert isinstance(fault, Booked)
    assert isinstance(fault.fact, Faulted)
    assert isinstance(refusal, Reject)
    assert (FaultKind.GARBLED, RejectReason.UNREADABLE, "kind is unset", b"x" * 512) == (
        fault.fact.kind,
        fault.fact.reason,
        fault.fact.text,
        fault.fact.raw,
    )
    assert RejectReason.UNREADABLE is refusal.reason


def test_a_duplicate_is_stale_and_costs_nothing() -> None:
    """B41: of two answers in one packet one acts; the other is told as stale and not counted."""
    table = Referee.at(table_spec(), G2)
    table.write(10)
    seat, ask = table.ask
    table.answer(20, Pass())

    outputs = table.feed(Answered(20, seat, 2, ask.decision_id, Pass()))

    fault, refusal = outputs
    assert isinstance(fault, Booked)
    assert isinstance(fault.fact, Faulted)
    assert isinstance(refusal, Reject)
    assert (FaultKind.STALE, 0) == (fault.fact.kind, fault.fact.fault_count)
    assert (RejectReason.STALE_DECISION, (), 0) == (
        refusal.reason,
        refusal.legal,
        refusal.time_left_ms,
    )
    assert table.state.hand is not None
    assert 1 == table.state.hand.to_act
    assert 1 == len(table.state.hand.steps)


def test_two_moves_against_one_decision_apply_once() -> None:
    """B43: two answers with one number: the first is applied, the other refused."""
    table = Referee.at(table_spec(), G2, TO_PLAY)
    seat, ask = table.write(10)
    table.answer(20, parse_action("play JC"))

    table.feed(Answered(20, seat, 2, ask.decision_id, parse_action("play KD")))

    plays = [f.action for f in table.facts if isinstance(f, Acted) and f.seat == seat]
    assert parse_action("play JC") == plays[-1]
    assert 1 == plays.count(parse_action("play JC"))
    assert parse_action("play KD") not in plays


def test_a_late_answer_is_not_taken_for_the_next_decision() -> None:
    """B72: an answer 5 ms after expiry changes nothing, also when the seat is asked again."""
    table = Referee.at(table_spec("two-handed", mode=TableMode.GAME), G1, "pass; pass")
    seat, first = table.write(0)
    table.time(20_000)
    while table.ask[0] != seat:
        table.write(20_000)
        table.answer(20_001)
    table.write(20_003)

    table.feed(Answered(20_005, seat, 2, first.decision_id, Pass()))

    assert table.state.open is not None
    assert (seat, first.decision_id + 1) == (table.state.open.seat, table.state.open.decision_id)
    fault = table.facts[-1]
    assert isinstance(fault, Faulted)
    assert FaultKind.STALE is fault.kind


def test_a_refusal_tells_nothing_of_a_question_still_waiting() -> None:
    """A stale answer buys no look at the next question before its clock runs."""
    table = Referee.at(table_spec("two-handed"), G1)
    seat, first = table.write(0)
    table.answer(1, Pass())
    while table.ask[0] != seat:
        table.write(2)
        table.answer(3)

    *_, refusal = table.feed(Answered(4, seat, 2, first.decision_id, Pass()))

    assert isinstance(refusal, Reject)
    assert (RejectReason.STALE_DECISION, (), 0) == (
        refusal.reason,
        refusal.legal,
        refusal.time_left_ms,
    )


@pytest.mark.parametrize("number", [-1, 0, 2, 99])
def test_a_decision_never_put_is_unknown(number: int) -> None:
    """An answer that quotes a number never asked is a fault: nobody can have read it."""
    table = Referee.at(table_spec(), G2)
    seat, _ = table.write(10)

    outputs = table.feed(Answered(20, seat, 2, number, Pass()))

    fault, refusal = outputs
    assert isinstance(fault, Booked)
    assert isinstance(fault.fact, Faulted)
    assert isinstance(refusal, Reject)
    assert (FaultKind.ILLEGAL, RejectReason.UNKNOWN_DECISION) == (fault.fact.kind, refusal.reason)


def test_a_decision_that_waits_unsent_cannot_be_answered() -> None:
    """A guess at a question that has not been written yet is refused as unknown."""
    table = Referee.at(table_spec(), G2)
    seat, ask = table.ask

    outputs = table.feed(Answered(20, seat, 2, ask.decision_id, Pass()))

    refusal = outputs[-1]
    assert isinstance(refusal, Reject)
    assert RejectReason.UNKNOWN_DECISION is refusal.reason


def test_another_seat_cannot_answer() -> None:
    """B17: whoever is not to act is refused, whatever number it quotes; the turn stays."""
    table = Referee.at(table_spec(), G2)
    seat, ask = table.write(10)
    before = table.state

    outputs = table.feed(Answered(20, table.spec.rules.seats[1], 2, ask.decision_id, Pass()))

    refusal = outputs[-1]
    assert isinstance(refusal, Reject)
    assert (1, ()) == (refusal.seat, refusal.legal)
    assert before.hand is table.state.hand
    assert before.open == table.state.open
    assert seat == before.open.seat if before.open else False


def test_a_fenced_session_is_not_heard() -> None:
    """An answer of a session that another has followed has no effect at all."""
    table = Referee.at(table_spec(), G2)
    seat, ask = table.write(10)
    table.feed(SeatJoined(15, seat, 3))
    before = table.state

    outputs = table.feed(Answered(20, seat, 2, ask.decision_id, Pass()))

    assert [] == outputs
    assert before == table.state


def test_illegal_then_late_uses_one_budget() -> None:
    """B68: the budget is for the decision: a refused try at 900 ms does not begin it anew."""
    spec = table_spec(clock=ONE_SECOND)
    table = Referee.at(spec, G2)
    table.write(0)
    table.answer(900, parse_action("play AC"))

    table.answer(1050, Pass())

    kinds = [f.kind for f in table.facts if isinstance(f, Faulted)]
    assert [FaultKind.ILLEGAL, FaultKind.TIMEOUT, FaultKind.STALE] == kinds


def test_the_next_question_goes_to_the_next_seat_only() -> None:
    """A decision is told to the seat that has it, and to nobody else."""
    table = Referee.at(table_spec(), G2)
    table.write(10)

    outputs = table.answer(20, Pass())

    asked = [(o.seat, o.session) for o in outputs if isinstance(o, Send)]
    assert [(1, 2)] == asked
    assert isinstance(table.told(1)[-1], Ask)
