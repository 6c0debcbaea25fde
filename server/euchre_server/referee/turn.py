"""Owns what the referee can bring about: it books, tells, asks, plays, counts faults and ends.

A `Turn` is the working copy of one step: made from a state, changed in place while the step's
consequences are drawn, and frozen into the next state. Nothing outside a step ever sees one.
Must not know inputs: which consequence follows from which input is decided by `table`.
"""

from euchre_engine import (
    Action,
    Outcome,
    Seat,
    apply,
    default_action,
    legal_actions,
    outcome,
    start_hand,
    view_for,
)
from euchre_engine.state import State
from euchre_server.referee.clock import OpenDecision, budget_of
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
    TableEnded,
    Times,
)
from euchre_server.referee.faults import COUNTED, RAW_LIMIT
from euchre_server.referee.outputs import (
    Adjourned,
    Ask,
    Booked,
    Closed,
    Ended,
    GameOver,
    HandOver,
    Message,
    Output,
    Send,
    Spent,
    TimedOut,
    Wake,
)
from euchre_server.referee.result import best_seats, forfeit_scores
from euchre_server.referee.spec import TableMode
from euchre_server.referee.state import Presence, SeatState, Stage, TableState

__all__ = ["Turn"]


class Turn:
    """The working copy of a table within one step, and the outputs so far."""

    __slots__ = (*TableState._fields, "out")

    def __init__(self, state: TableState) -> None:
        (
            self.spec,
            self.stage,
            seats,
            self.hand,
            self.open,
            self.join_by,
            self.draining,
            self.fact_count,
            self.hand_count,
            self.decision_count,
            self.scores,
            self.points,
            self.ending,
        ) = state
        self.seats = list(seats)
        self.out: list[Output] = []

    def frozen(self) -> TableState:
        """Returns the state that the step has led to."""
        return TableState(
            self.spec,
            self.stage,
            tuple(self.seats),
            self.hand,
            self.open,
            self.join_by,
            self.draining,
            self.fact_count,
            self.hand_count,
            self.decision_count,
            self.scores,
            self.points,
            self.ending,
        )

    # Telling

    def book(self, at: int, fact: Fact) -> None:
        """Puts a fact into the record."""
        self.fact_count += 1
        self.out.append(Booked(self.fact_count, at, fact))

    def tell(self, seat: Seat, message: Message) -> None:
        """Sends a message to a seat, if its bot is there."""
        state = self.seats[seat]
        if state.presence is Presence.JOINED:
            self.out.append(Send(seat, state.session, message))

    # Clocks

    def due(self) -> int | None:
        """Returns the next moment at which something happens by itself."""
        opened, join_by = self.open, self.join_by
        due = None if opened is None else opened.deadline(self.seats[opened.seat].bank_ms)
        return join_by if due is None or (join_by is not None and join_by < due) else due

    def wake(self) -> None:
        """Asks to be told when that moment has come."""
        due = self.due()
        if due is not None:
            self.out.append(Wake(due))

    def start_clock(self, at: int) -> None:
        """Lets the clock of the open decision run, if it does not run already."""
        if self.open is not None and self.open.since_ms is None:
            self.open = self.open.started(at)
            self.wake()

    # Seats and faults

    def is_current(self, seat: Seat, session: int) -> bool:
        """Returns whether a session holds a seat now."""
        state = self.seats[seat]
        return state.presence is Presence.JOINED and state.session == session

    def change_seat(
        self, at: int, seat: Seat, presence: Presence, change: SeatChange, session: int
    ) -> None:
        """Books that a bot came or went."""
        self.seats[seat] = self.seats[seat]._replace(presence=presence, session=session)
        self.book(at, SeatChanged(seat=seat, change=change, session_epoch=session))

    def fault(
        self,
        at: int,
        seat: Seat,
        kind: FaultKind,
        *,
        decision_id: int = 0,
        reason: RejectReason | None = None,
        text: str = "",
        raw: bytes = b"",
        times: Times | None = None,
    ) -> None:
        """Books a fault; what it costs is settled by `enforce`."""
        state = self.seats[seat]
        place = kind - 1
        count = state.fault_count + (kind in COUNTED)
        faults = (*state.faults[:place], state.faults[place] + 1, *state.faults[kind:])
        self.seats[seat] = state._replace(fault_count=count, faults=faults)
        self.book(
            at,
            Faulted(
                seat=seat,
                kind=kind,
                fault_count=count,
                decision_id=decision_id,
                reason=reason,
                text=text,
                raw=raw[:RAW_LIMIT],
                times=times,
            ),
        )

    def enforce(self, at: int, seat: Seat) -> None:
        """Ends the table if a seat has as many faults as the policy allows."""
        state = self.seats[seat]
        if self.stage is not Stage.OVER and self._has_forfeited(state):
            left = state.presence is Presence.LEFT
            self.forfeit(at, seat, EndCause.LEFT if left else EndCause.FAULTS)

    def _has_forfeited(self, state: SeatState) -> bool:
        return state.fault_count >= self.spec.policy.fault_limit

    # Play

    def settle(self, at: int) -> None:
        """Goes on until a bot or a clock must be waited for, or the table is over."""
        while self.stage is Stage.PLAYING and self.open is None:
            hand = self.hand
            if hand is None:
                self._deal(at, self.spec.first_dealer, redeals=0)
            elif hand.to_act is None:
                self._finish_hand(at, hand)
            else:
                self._ask(at, hand.to_act)

    def _deal(self, at: int, dealer: Seat, *, redeals: int) -> None:
        spec = self.spec
        number = self.hand_count + 1
        deck = deck_of(spec, number)
        self.hand = start_hand(
            spec.rules,
            dealer=dealer,
            deck=deck,
            scores=self.scores,
            redeals=redeals,
            hand_number=number,
        )
        self.book(
            at,
            HandStarted(
                hand_number=number, dealer=dealer, deck=deck, scores=self.scores, redeals=redeals
            ),
        )

    def _ask(self, at: int, seat: Seat) -> None:
        state = self.seats[seat]
        number = state.decision_id + 1
        self.seats[seat] = SeatState(*state[:3], number, *state[4:])
        self.open = OpenDecision(seat, number, budget_of(self.spec.clock, number), asked_ms=at)
        if state.presence is Presence.JOINED:
            self.tell_decision(at)
        elif state.presence.is_final:
            self.time_out(at)
        elif state.presence is Presence.EXPECTED and self.join_by is not None:
            self.wake()
        else:
            self.start_clock(at)

    def tell_decision(self, at: int) -> None:
        """Puts the open decision to its seat, for the first time or again."""
        opened, hand = self.open, self.hand
        if opened is None or hand is None:
            return
        state = self.seats[opened.seat]
        self.tell(
            opened.seat,
            Ask(
                opened.decision_id,
                opened.time_left(at),
                opened.bank_after(state.bank_ms, opened.charge(at)),
                view_for(hand, opened.seat),
                legal_actions(hand),
                state.last,
                state.faults[FaultKind.TIMEOUT - 1],
            ),
        )

    def play(
        self,
        at: int,
        action: Action,
        after: State,
        actor: Actor,
        *,
        think_ms: int | None = None,
        annotation: str = "",
    ) -> None:
        """Carries out the open decision's action and charges its time."""
        opened = self.open
        if opened is None:
            return
        seat = self.seats[opened.seat]
        times = opened.times(at)
        bank = opened.bank_after(seat.bank_ms, times.charged_ms)
        if actor is Actor.BOT:
            bank += self.spec.clock.increment_ms
        last = Spent(
            opened.decision_id,
            actor is Actor.CLOCK,
            times.charged_ms,
            times.grace_used_ms,
            times.stalled_ms,
            times.round_trip_ms,
        )
        self.seats[opened.seat] = SeatState(bank, *seat[1:-1], last)
        self.hand = after
        self.open = None
        self.decision_count += 1
        self.book(
            at,
            Acted(
                seat=opened.seat,
                action=action,
                actor=actor,
                decision_id=opened.decision_id,
                written_ms=opened.written_ms,
                charged_ms=times.charged_ms,
                bank_left_ms=bank,
                grace_used_ms=times.grace_used_ms,
                think_ms=think_ms,
                annotation=annotation,
                asked_ms=times.asked_ms,
                started_ms=times.started_ms,
                round_trip_ms=times.round_trip_ms,
                stalled_ms=times.stalled_ms,
            ),
        )

    def time_out(self, at: int) -> None:
        """Plays the default action for the open decision, or ends the table for the faults."""
        opened = self.open
        if opened is None:
            return
        seat, number, times = opened.seat, opened.decision_id, opened.times(at)
        self.fault(at, seat, FaultKind.TIMEOUT, decision_id=number, times=times)
        state = self.seats[seat]
        if self._has_forfeited(state):
            bank_ms = opened.bank_after(state.bank_ms, times.charged_ms)
            self.tell(seat, TimedOut(number, None, times.charged_ms, bank_ms, state.fault_count))
        self.enforce(at, seat)
        self.play_default(at)

    def play_default(self, at: int) -> None:
        """Plays the default action for the decision, if one is open, whose time has run out."""
        opened, hand = self.open, self.hand
        if opened is None or hand is None:
            return
        seat = opened.seat
        # The default is chosen in the board's own suits, so that every seating chooses alike.
        action = default_action(hand, self.spec.relabelling)
        charged = opened.charge(at)
        self.play(at, action, apply(hand, action), Actor.CLOCK)
        state = self.seats[seat]
        self.tell(
            seat,
            TimedOut(opened.decision_id, action, charged, state.bank_ms, state.fault_count),
        )

    def _finish_hand(self, at: int, hand: State) -> None:
        result = outcome(hand)
        if result is None:
            return
        if self.hand_count < hand.hand_number:  # else a killed arena had booked it already
            self._book_hand(at, hand, result)
        if self.spec.mode is TableMode.BOARD:
            winners = best_seats(result.points, self.spec.rules.seats)
            self.end(at, EndCause.PLAYED, Blame.NONE, scores=result.points, winners=winners)
        elif result.next_dealer is None:
            for seat in self.spec.rules.seats:
                self.tell(
                    seat,
                    GameOver(result.scores, result.winners, result.carry, result.game_worth),
                )
            self.end(at, EndCause.PLAYED, Blame.NONE, scores=result.scores, winners=result.winners)
        elif self.draining:
            self.adjourn()
        else:
            self._deal(at, result.next_dealer, redeals=result.next_redeals)

    def _book_hand(self, at: int, hand: State, result: Outcome) -> None:
        """Counts a hand that was played to its end."""
        self.hand_count += 1
        self.scores = result.scores
        self.points = tuple(a + b for a, b in zip(self.points, result.points, strict=True))
        self.book(
            at,
            HandEnded(
                hand_number=hand.hand_number,
                points=result.points,
                scores=result.scores,
                tricks_won=hand.tricks_won,
                passed_out=result.passed_out,
            ),
        )
        for seat in self.spec.rules.seats:
            if self.seats[seat].presence is Presence.JOINED:
                last = self.seats[seat].last
                self.tell(seat, HandOver(view_for(hand, seat), result.scores, last))

    # Endings

    def adjourn(self) -> None:
        """Lets the table rest as it stands: what is recorded is enough to go on with."""
        self.stage = Stage.OVER
        self.open = None
        self.join_by = None
        self.out.append(Adjourned())

    def forfeit(self, at: int, seat: Seat, cause: EndCause, *others: Seat) -> None:
        """Ends the table against a seat; `others` share its lot, as do bots gone for good."""
        gone = (s for s in self.spec.rules.seats if self.seats[s].presence.is_final)
        scores, winners = forfeit_scores(self.spec, (seat, *others, *gone), self.scores)
        self.end(at, cause, Blame.SEAT, scores=scores, winners=winners, blamed_seat=seat)

    def end(
        self,
        at: int,
        cause: EndCause,
        blame: Blame,
        *,
        scores: tuple[int, ...] | None = None,
        winners: tuple[Seat, ...] = (),
        blamed_seat: Seat | None = None,
    ) -> None:
        """Ends the table; without scores it has no result and does not count."""
        ending = TableEnded(
            scores=self.scores if scores is None else scores,
            winners=winners,
            cause=cause,
            blame=blame,
            blamed_seat=blamed_seat,
            rated=self.spec.rated and scores is not None,
        )
        self.stage = Stage.OVER
        self.open = None
        self.join_by = None
        self.ending = ending
        self.book(at, ending)
        for seat in self.spec.rules.seats:
            self.tell(seat, Closed(ending))
        self.out.append(Ended(ending))
