"""A naive referee beside the real one: what each input must lead to, by docs/clock.md.

Owns an arithmetic of its own for clocks, faults and endings, in plain mutable objects. Uses the
engine for what is legal; must not use anything of `euchre_server.referee` but its values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim_brief import ANY, Brief

from euchre_engine import (
    apply,
    default_action,
    is_legal,
    outcome,
    start_hand,
)
from euchre_server.referee import facts, inputs
from euchre_server.referee.dealing import deck_of
from euchre_server.referee.spec import TableMode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from euchre_engine import Action, State
    from euchre_server.referee.spec import TableSpec

__all__ = ["Judge"]


@dataclass(slots=True)
class _Seat:
    bank: int
    presence: str = "expected"
    epoch: int = 0
    asked: int = 0
    faults: int = 0
    left: bool = False

    @property
    def is_gone(self) -> bool:
        return self.presence == "gone"


@dataclass(slots=True)
class Open:
    """The question that is open."""

    seat: int
    number: int
    own: int
    written: int | None = None
    since: int | None = None
    grace: int = 0
    lost: bool = False
    """Whether its clock was started by a loss."""


class Judge:
    """Follows one table."""

    def __init__(self, spec: TableSpec) -> None:
        self.spec = spec
        self.seats = [_Seat(spec.clock.bank_ms) for _ in spec.rules.seats]
        self.stage = "new"
        self.draining = False
        self.join_by: int | None = None
        self.hand: State | None = None
        self.open: Open | None = None
        self.hands = 0
        self.scores = (0,) * len(self.seats)
        self.out: list[Brief] = []
        self.timed_out = 0
        """How many decisions were played by the clock."""

    @property
    def runs(self) -> bool:
        """Returns whether any time is counted at this table."""
        return self.join_by is not None or (self.open is not None and self.open.since is not None)

    # An input

    def take(self, event: inputs.Input) -> list[Brief]:
        """Returns what an input must lead to."""
        self.out = []
        at = event.at
        if self.stage == "over":
            return []
        if isinstance(event, inputs.Stalled) and event.stalled_ms > 0 and self.runs:
            if self.open is not None and self.open.since is not None:
                self.open.since = min(at, self.open.since + event.stalled_ms)
            if self.join_by is not None:
                self.join_by += event.stalled_ms
            self.out.append(("stalled", at, event.stalled_ms))
        elif isinstance(event, inputs.ArenaFault):
            self._end(at, "ARENA_FAULT", "ARENA", None)
        self._rule_what_is_due(at)
        if self.stage != "over":
            self._heed(event)
            self._settle(at)
        return self.out

    def deadline(self) -> int | None:
        """Returns when the open question's time is over."""
        opened = self.open
        if opened is None or opened.since is None:
            return None
        return opened.since + opened.grace + opened.own + self.seats[opened.seat].bank

    def _rule_what_is_due(self, at: int) -> None:
        while self.stage != "over":
            deadline = self.deadline()
            if self.join_by is not None and self.join_by <= at:
                if self.stage == "joining":
                    self._never_joined(self.join_by)
                    continue
                if deadline is None or self.join_by <= deadline:
                    over, self.join_by = self.join_by, None
                    opened = self.open
                    if opened is not None and self.seats[opened.seat].presence == "expected":
                        self._start(over)
                    continue
            if deadline is None or deadline > at:
                return
            self._time_out(deadline)
            self._settle(deadline)

    def _heed(self, event: inputs.Input) -> None:
        at = event.at
        match event:
            case inputs.Opened():
                self.stage = "joining"
                self.join_by = at + self.spec.join_within_ms
            case inputs.SeatJoined():
                self._joined(event)
            case inputs.SeatLost() | inputs.SeatLeft():
                self._went(event)
            case inputs.SeatDied():
                self._died(event)
            case inputs.Written():
                self._written(event)
            case inputs.Answered() | inputs.Garbled():
                self._answered(event)
            case inputs.Drain():
                self.draining = True
                if self.stage != "playing":
                    self._rest()
            case inputs.Stopped():
                self._end(at, "STOPPED", "NONE", None)
            case _:
                pass

    # Seats

    def _joined(self, event: inputs.SeatJoined) -> None:
        seat = self.seats[event.seat]
        if seat.is_gone or event.session <= seat.epoch:
            return
        seat.presence, seat.epoch = "joined", event.session
        self.out.append(("seat", event.at, event.seat, "JOINED", event.session))
        if self.stage == "joining" and all(s.presence == "joined" for s in self.seats):
            self.stage = "playing"
        if self.stage == "playing" and all(s.presence != "expected" for s in self.seats):
            self.join_by = None

    def _went(self, event: inputs.SeatLost | inputs.SeatLeft) -> None:
        seat, at = self.seats[event.seat], event.at
        if seat.presence != "joined" or seat.epoch != event.session:
            return
        mine = self.open is not None and self.open.seat == event.seat
        if isinstance(event, inputs.SeatLost):
            seat.presence = "lost"
            self.out.append(("seat", at, event.seat, "LOST", event.session))
            self._fault(at, event.seat, "CRASH")
            if mine and self.stage != "over":
                self._start(at)
        else:
            seat.presence, seat.left = "gone", True
            self.out.append(("seat", at, event.seat, "LEFT", event.session))
            self._fault(at, event.seat, "LEFT")
            self._without(at, event.seat, "LEFT")

    def _died(self, event: inputs.SeatDied) -> None:
        seat, at = self.seats[event.seat], event.at
        if seat.is_gone:
            return
        was_lost, seat.presence = seat.presence == "lost", "gone"
        self.out.append(("seat", at, event.seat, "DIED", seat.epoch))
        if not was_lost:
            self._fault(at, event.seat, event.kind.name)
        self._without(at, event.seat, "NEVER_JOINED")

    def _without(self, at: int, number: int, before_play: str) -> None:
        if self.stage in {"new", "joining"}:
            self._end(at, before_play, "SEAT", number)
        elif self.open is not None and self.open.seat == number:
            self._time_out(at)

    def _never_joined(self, at: int) -> None:
        absent = [n for n, seat in enumerate(self.seats) if seat.presence != "joined"]
        for number in absent:
            self._fault(at, number, "START_FAILED", enforced=False)
        self._end(at, "NEVER_JOINED", "SEAT", absent[0])

    # Questions and answers

    def _ask(self, at: int, number: int) -> None:
        seat, clock = self.seats[number], self.spec.clock
        seat.asked += 1
        self.open = Open(number, seat.asked, clock.first_ms if seat.asked == 1 else clock.budget_ms)
        if seat.is_gone:
            self._time_out(at)
        elif seat.presence == "lost" or (seat.presence == "expected" and self.join_by is None):
            self._start(at)

    def _start(self, at: int, grace: int = 0, *, lost: bool = True) -> None:
        opened = self.open
        if opened is not None and opened.since is None:
            opened.since, opened.grace, opened.lost = at, grace, lost

    def _written(self, event: inputs.Written) -> None:
        opened, seat = self.open, self.seats[event.seat]
        if (
            opened is not None
            and (opened.seat, opened.number) == (event.seat, event.decision_id)
            and (seat.presence, seat.epoch) == ("joined", event.session)
        ):
            if opened.written is None:
                opened.written = event.at
            grace = max(0, min(event.rtt_ms or 0, self.spec.clock.grace_ms))
            self._start(event.at, grace, lost=False)

    def _answered(self, event: inputs.Answered | inputs.Garbled) -> None:
        seat, opened, number = self.seats[event.seat], self.open, event.decision_id
        if (seat.presence, seat.epoch) != ("joined", event.session):
            return
        mine = opened is not None and opened.seat == event.seat
        put = seat.asked - (1 if mine and opened is not None and opened.written is None else 0)
        if not 0 < number <= put:
            self._fault(event.at, event.seat, "ILLEGAL", number, "UNKNOWN_DECISION")
        elif not mine or opened is None or number != opened.number or self.hand is None:
            self._fault(event.at, event.seat, "STALE", number, "STALE_DECISION")
        elif isinstance(event, inputs.Garbled):
            self._fault(event.at, event.seat, "GARBLED", number, "UNREADABLE")
        elif not is_legal(self.hand, event.action):
            self._fault(event.at, event.seat, "ILLEGAL", number, ANY)
        else:
            self._play(event.at, event.action, "BOT")

    def _play(self, at: int, action: Action, actor: str) -> None:
        opened, hand = self.open, self.hand
        assert opened is not None
        assert hand is not None
        seat = self.seats[opened.seat]
        charged = used = 0
        if opened.since is not None:
            passed = at - opened.since
            used = max(0, min(opened.grace, passed))
            charged = max(0, passed - opened.grace)
        seat.bank -= min(seat.bank, max(0, charged - opened.own))
        if actor == "BOT":
            seat.bank += self.spec.clock.increment_ms
        else:
            self.timed_out += 1
        self.out.append(
            (
                "acted",
                at,
                opened.seat,
                str(action),
                actor,
                opened.number,
                opened.written,
                charged,
                seat.bank,
                used,
            )
        )
        self.hand, self.open = apply(hand, action), None

    def _time_out(self, at: int) -> None:
        opened = self.open
        assert opened is not None
        assert self.hand is not None
        self._fault(at, opened.seat, "TIMEOUT", opened.number)
        if self.stage != "over":
            self._play(at, default_action(self.hand, self.spec.relabelling), "CLOCK")

    def _fault(
        self,
        at: int,
        number: int,
        kind: str,
        decision: int = 0,
        reason: str | None = None,
        *,
        enforced: bool = True,
    ) -> None:
        seat = self.seats[number]
        seat.faults += kind != "STALE"
        self.out.append(("fault", at, number, kind, decision, reason, seat.faults))
        if enforced and seat.faults >= self.spec.policy.fault_limit and self.stage != "over":
            self._end(at, "LEFT" if seat.left else "FAULTS", "SEAT", number)

    # Hands

    def _settle(self, at: int) -> None:
        while self.stage == "playing" and self.open is None:
            if self.hand is None:
                self._deal(at, self.spec.first_dealer, 0)
            elif self.hand.to_act is not None:
                self._ask(at, self.hand.to_act)
            else:
                self._hand_over(at, self.hand)

    def _deal(self, at: int, dealer: Any, redeals: int) -> None:  # noqa: ANN401  # a seat
        self.out.append(("dealt", at, self.hands + 1))
        self.hand = start_hand(
            self.spec.rules,
            dealer=dealer,
            deck=deck_of(self.spec, self.hands + 1),
            scores=self.scores,
            redeals=redeals,
            hand_number=self.hands + 1,
        )

    def _hand_over(self, at: int, hand: State) -> None:
        result = outcome(hand)
        assert result is not None
        self.hands += 1
        self.scores = result.scores
        self.out.append(("hand over", at, self.hands))
        if self.spec.mode is TableMode.BOARD or result.next_dealer is None:
            self._end(at, "PLAYED", "NONE", None)
        elif self.draining:
            self._rest()
        else:
            self._deal(at, result.next_dealer, result.next_redeals)

    def _end(self, at: int, cause: str, blame: str, seat: int | None) -> None:
        self.stage, self.open, self.join_by = "over", None, None
        self.out.append(("ended", at, cause, blame, seat))

    def _rest(self) -> None:
        """Lets the table rest, for another arena to go on with; that is no fact."""
        self.stage, self.open, self.join_by = "over", None, None

    # Another arena

    def resume(self, at: int, history: Iterable[facts.Fact]) -> None:
        """Goes on after these facts, the last of which a new arena has booked at this moment."""
        clock = self.spec.clock
        self.seats = [_Seat(clock.bank_ms) for _ in self.spec.rules.seats]
        self.stage, self.hand, self.open, self.hands = "joining", None, None, 0
        self.draining = False
        self.scores = (0,) * len(self.seats)
        for fact in history:
            match fact:
                case facts.SeatChanged():
                    seat = self.seats[fact.seat]
                    seat.epoch = fact.session_epoch
                    seat.left = fact.change is facts.SeatChange.LEFT
                    gone = fact.change in {facts.SeatChange.LEFT, facts.SeatChange.DIED}
                    seat.presence = "gone" if gone else "expected"
                case facts.HandStarted():
                    self.stage = "playing"
                    self._deal(at, fact.dealer, fact.redeals)
                case facts.Acted():
                    seat = self.seats[fact.seat]
                    seat.bank, seat.asked = fact.bank_left_ms, fact.decision_id
                    assert self.hand is not None
                    self.hand = apply(self.hand, fact.action)
                case facts.Faulted():
                    self.seats[fact.seat].faults = fact.fault_count
                case facts.HandEnded():
                    self.hands, self.scores = fact.hand_number, fact.scores
                case facts.TableEnded():
                    self.stage = "over"
                case _:
                    pass
        if self.stage == "over":
            self.join_by = None
            return
        self.join_by = at + self.spec.join_within_ms
        if self.hand is not None and self.hand.to_act is not None:
            number = self.hand.to_act
            self.seats[number].asked += 1
            asked = self.seats[number].asked
            self.open = Open(number, asked, clock.first_ms if asked == 1 else clock.budget_ms)
