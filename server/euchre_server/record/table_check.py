"""Owns the check of one table's facts: deals, actions, faults, points and the ending.

Everything is worked out again from what came before and compared. What the referee decides by is
asked of the engine and of the referee's own pure tables, never of the referee's machine.
How time was counted is `clock_check`'s. Must not know other tables, entries or hashes of entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from euchre_engine import (
    ActionError,
    EngineError,
    apply,
    default_action,
    outcome,
    parse_action,
    start_hand,
)
from euchre_server.record.clock_check import bank_after, check_times
from euchre_server.record.verdict import Disagreement, same
from euchre_server.referee.dealing import deck_of
from euchre_server.referee.facts import (
    Acted,
    Actor,
    Blame,
    EndCause,
    Fact,
    Faulted,
    FaultKind,
    HandEnded,
    HandStarted,
    RejectReason,
    SeatChange,
    SeatChanged,
    Stalled,
    TableEnded,
    Times,
)
from euchre_server.referee.faults import COUNTED, reason_of
from euchre_server.referee.result import TableResult, best_seats, forfeit_scores, worth_of
from euchre_server.referee.spec import TableMode

if TYPE_CHECKING:
    from euchre_engine import Outcome, Seat, State
    from euchre_server.referee.spec import TableSpec

__all__ = ["TableCheck"]

_GONE = (SeatChange.LEFT, SeatChange.DIED)
_FORFEITS = (EndCause.FAULTS, EndCause.NEVER_JOINED, EndCause.LEFT)


class _Seat:
    """What is known of one seat."""

    __slots__ = ("bank_ms", "change", "decisions", "epoch", "fault_count", "faults", "timed_out")

    def __init__(self, bank_ms: int) -> None:
        self.bank_ms = bank_ms
        self.change: SeatChange | None = None
        self.epoch = 0
        self.decisions = 0
        self.fault_count = 0
        self.faults = dict.fromkeys(FaultKind, 0)
        self.timed_out = 0
        """The decision that ran out last."""


class TableCheck:
    """Follows one table's facts and raises `Disagreement` at the first that cannot be."""

    def __init__(self, spec: TableSpec, *, knows_cards: bool) -> None:
        self._spec = spec
        self._knows_cards = knows_cards
        """Whether `spec` has the key to the deals."""
        self._seats = [_Seat(spec.clock.bank_ms) for _ in spec.rules.seats]
        self._state: State | None = None
        self._outcome: Outcome | None = None
        """Of the last hand that ended."""
        self._points = [0] * len(self._seats)
        self._ending: TableEnded | None = None
        self._joined = False
        self.hands = 0
        self.decisions = 0

    @property
    def result(self) -> TableResult | None:
        """Returns the table's result, None until it has ended."""
        ending = self._ending
        if ending is None:
            return None
        return TableResult(
            spec=self._spec,
            scores=ending.scores,
            winners=ending.winners,
            cause=ending.cause,
            blame=ending.blame,
            blamed_seat=ending.blamed_seat,
            rated=ending.rated,
            hands=self.hands,
            decisions=self.decisions,
            points=tuple(self._points),
            faults=tuple(seat.faults for seat in self._seats),
            game_worth=worth_of(self._spec, ending.cause, self._outcome),
        )

    def take(self, at_ms: int, fact: Fact) -> None:
        """Takes the next fact of the table.

        Args:
            at_ms: When it happened, in the table's time.
            fact: The fact.

        Raises:
            Disagreement: It does not follow from those before.
        """
        if self._ending is not None:
            raise Disagreement("the table had ended already")
        self._check_limit_kept(fact)
        match fact:
            case Acted():
                self._acted(at_ms, fact)
            case HandStarted():
                self._hand_started(fact)
            case HandEnded():
                self._hand_ended(fact)
            case TableEnded():
                self._table_ended(fact)
            case Faulted():
                self._faulted(at_ms, fact)
            case SeatChanged():
                self._seat_changed(fact)
            case Stalled():
                same("stalled_ms", max(1, fact.stalled_ms), fact.stalled_ms)
            case _:
                assert_never(fact)

    def resumed(self) -> None:
        """Takes note that another arena goes on: whoever has not gone for good must join again."""
        for seat in self._seats:
            if seat.change not in _GONE:
                seat.change = None
        if self._state is None and not self.hands:
            self._joined = False

    # Hands

    def _hand_started(self, fact: HandStarted) -> None:
        spec, before = self._spec, self._outcome
        if self._state is not None:
            raise Disagreement("a hand was dealt while another was in play")
        if before is None:
            dealer, scores, redeals = spec.first_dealer, (0,) * len(self._seats), 0
        elif spec.mode is TableMode.BOARD or before.next_dealer is None:
            raise Disagreement("a hand was dealt after the last one of its table")
        else:
            dealer, scores, redeals = before.next_dealer, before.scores, before.next_redeals
        if not self._joined:
            raise Disagreement("a hand was dealt before every seat had joined")
        same("hand", self.hands + 1, fact.hand_number)
        same("dealer", dealer, fact.dealer)
        same("scores", scores, fact.scores)
        same("redeals", redeals, fact.redeals)
        if self._knows_cards:
            deck = deck_of(spec, fact.hand_number)
            same("deck", _cards(deck), _cards(fact.deck))
        try:
            self._state = start_hand(
                spec.rules,
                dealer=fact.dealer,
                deck=fact.deck,
                scores=fact.scores,
                redeals=fact.redeals,
                hand_number=fact.hand_number,
            )
        except EngineError as error:
            raise Disagreement(f"no hand can be dealt so: {error}") from None

    def _acted(self, at_ms: int, fact: Acted) -> None:
        state = self._state
        if state is None or state.to_act is None:
            raise Disagreement(f"seat {fact.seat} acted with no decision open")
        same("seat", state.to_act, fact.seat)
        seat = self._seats[fact.seat]
        seat.decisions += 1
        self.decisions += 1
        same("decision", seat.decisions, fact.decision_id)
        try:
            after = apply(state, fact.action)
        except ActionError as error:
            raise Disagreement(
                f"{fact.action} by seat {fact.seat} is against the rules: {error}"
            ) from None
        seat.bank_ms = bank_after(self._spec.clock, seat.bank_ms, fact)
        check_times(
            at_ms,
            Times(
                fact.asked_ms,
                fact.written_ms,
                fact.started_ms,
                fact.round_trip_ms,
                fact.stalled_ms,
                fact.grace_used_ms,
                fact.charged_ms,
            ),
            self._spec.clock.grace_ms,
        )
        match fact.actor:
            case Actor.BOT:
                pass
            case Actor.CLOCK:
                default = default_action(state, self._spec.relabelling)
                same("what the clock played", str(default), str(fact.action))
                if seat.timed_out != fact.decision_id:
                    raise Disagreement("the clock played without a time-out before it")
            case _:
                assert_never(fact.actor)
        self._state = after

    def _hand_ended(self, fact: HandEnded) -> None:
        result = None if self._state is None else outcome(self._state)
        if self._state is None or result is None:
            raise Disagreement("a hand ended that was not played out")
        same("hand", self._state.hand_number, fact.hand_number)
        same("points", result.points, fact.points)
        same("scores", result.scores, fact.scores)
        same("tricks_won", self._state.tricks_won, fact.tricks_won)
        same("passed_out", result.passed_out, fact.passed_out)
        self.hands += 1
        self._points = [a + b for a, b in zip(self._points, result.points, strict=True)]
        self._state, self._outcome = None, result

    # Seats

    def _seat_changed(self, fact: SeatChanged) -> None:
        seat = self._seat(fact.seat)
        if seat.change in _GONE:
            raise Disagreement(f"seat {fact.seat} had gone for good")
        if fact.change is SeatChange.JOINED:
            if fact.session_epoch <= seat.epoch:
                raise Disagreement(f"session {fact.session_epoch} came after {seat.epoch}")
        else:
            same("session", seat.epoch, fact.session_epoch)
        seat.change, seat.epoch = fact.change, fact.session_epoch
        self._joined |= all(other.change is SeatChange.JOINED for other in self._seats)

    def _faulted(self, at_ms: int, fact: Faulted) -> None:
        seat = self._seat(fact.seat)
        seat.faults[fact.kind] += 1
        seat.fault_count += fact.kind in COUNTED
        same("fault_count", seat.fault_count, fact.fault_count)
        if fact.times is not None:
            check_times(at_ms, fact.times, self._spec.clock.grace_ms)
        if fact.kind is FaultKind.TIMEOUT:
            self._check_asked(fact)
            seat.timed_out = fact.decision_id
        elif fact.kind is FaultKind.ILLEGAL and fact.reason is not RejectReason.UNKNOWN_DECISION:
            self._check_asked(fact)
            self._check_refusal(fact)

    def _check_asked(self, fact: Faulted) -> None:
        """Checks that the fault is about the decision that is open."""
        if self._state is None or self._state.to_act != fact.seat:
            raise Disagreement(f"seat {fact.seat} was not to act")
        same("decision", self._seats[fact.seat].decisions + 1, fact.decision_id)

    def _check_refusal(self, fact: Faulted) -> None:
        """Checks that the answer had to be refused, and for the reason given."""
        if self._state is None or not fact.raw:
            return
        text = fact.raw.decode("utf-8", "replace")
        try:
            apply(self._state, parse_action(text))
        except ActionError as error:
            same("reason", reason_of(error.reason).name, fact.reason and fact.reason.name)
        else:
            raise Disagreement(f"{text} was refused although the rules allow it")

    def _check_limit_kept(self, fact: Fact) -> None:
        """Checks that the table ends with the fault that the policy does not allow."""
        limit = self._spec.policy.fault_limit
        over = [number for number, seat in enumerate(self._seats) if seat.fault_count >= limit]
        absent = isinstance(fact, Faulted) and fact.kind is FaultKind.START_FAILED
        if over and not absent and not isinstance(fact, TableEnded):
            raise Disagreement(f"seat {over[0]} had reached {limit} faults, which ends the table")

    def _seat(self, number: Seat) -> _Seat:
        if number not in self._spec.rules.seats:
            raise Disagreement(f"there is no seat {number} at this table")
        return self._seats[number]

    # The end

    def _table_ended(self, fact: TableEnded) -> None:
        match fact.cause:
            case EndCause.PLAYED:
                self._played(fact)
            case EndCause.FAULTS | EndCause.NEVER_JOINED | EndCause.LEFT:
                self._forfeited(fact)
            case EndCause.STOPPED | EndCause.ARENA_FAULT:
                stopped = fact.cause is EndCause.STOPPED
                same("blame", (Blame.NONE if stopped else Blame.ARENA).name, fact.blame.name)
                same("scores", self._scores(), fact.scores)
                same("winners", (), fact.winners)
            case _:
                assert_never(fact.cause)
        counts = fact.cause is EndCause.PLAYED or fact.cause in _FORFEITS
        same("rated", self._spec.rated and counts, fact.rated)
        if fact.cause not in _FORFEITS:
            same("blamed_seat", None, fact.blamed_seat)
        self._ending = fact

    def _played(self, fact: TableEnded) -> None:
        result = self._outcome
        board = self._spec.mode is TableMode.BOARD
        if result is None or self._state is not None or not (board or result.game_over):
            raise Disagreement("the table was not played to its end")
        same("blame", Blame.NONE.name, fact.blame.name)
        if board:
            same("scores", result.points, fact.scores)
            same("winners", best_seats(result.points, self._spec.rules.seats), fact.winners)
        else:
            same("scores", result.scores, fact.scores)
            same("winners", result.winners, fact.winners)

    def _forfeited(self, fact: TableEnded) -> None:
        same("blame", Blame.SEAT.name, fact.blame.name)
        if fact.blamed_seat is None:
            raise Disagreement("a seat forfeited, but none is blamed")
        blamed = self._seat(fact.blamed_seat)
        match fact.cause:
            case EndCause.FAULTS:
                deserved = blamed.fault_count >= self._spec.policy.fault_limit
            case EndCause.LEFT:
                deserved = blamed.change is SeatChange.LEFT
            case _:
                absent = blamed.faults[FaultKind.START_FAILED] or blamed.change is SeatChange.DIED
                deserved = bool(absent) and not self._joined
        if not deserved:
            raise Disagreement(
                f"seat {fact.blamed_seat} is blamed for {fact.cause.name}, "
                "which its faults do not show"
            )
        offenders = {fact.blamed_seat}
        for seat, known in zip(self._spec.rules.seats, self._seats, strict=True):
            never_came = not self._joined and known.faults[FaultKind.START_FAILED]
            if known.change in _GONE or never_came:
                offenders.add(seat)
        scores, winners = forfeit_scores(self._spec, sorted(offenders), self._scores())
        same("scores", scores, fact.scores)
        same("winners", winners, fact.winners)

    def _scores(self) -> tuple[int, ...]:
        return (0,) * len(self._seats) if self._outcome is None else self._outcome.scores


def _cards(cards: tuple[object, ...]) -> str:
    return " ".join(map(str, cards))
