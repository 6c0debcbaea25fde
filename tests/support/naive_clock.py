"""A second clock, as slow and plain as can be: it counts every millisecond that a question runs.

It shares nothing with the referee's arithmetic (`referee/clock.py`), only with docs/clock.md, whose
words it uses: a question is *asked*, *running*, *over*. Time is handed out one by one: first the
grace, then the question's own time, then the bank.
"""

from dataclasses import dataclass
from enum import Enum, auto

__all__ = ["Counted", "NaiveClock", "NaiveQuestion", "Where"]


class Where(Enum):
    """Where a seat's bot is."""

    THERE = auto()
    LOST = auto()
    """It may come back; its questions run all the same."""
    AWAITED = auto()
    """Another arena waits for it; nothing runs."""
    GONE = auto()
    """For good."""


@dataclass(frozen=True)
class Counted:
    """What a question has cost so far."""

    grace: int
    own: int
    bank: int

    @property
    def charged(self) -> int:
        """Returns what was charged."""
        return self.own + self.bank


@dataclass
class NaiveQuestion:
    """One question."""

    seat: int
    own: int
    asked: int
    written: int | None = None
    started: int | None = None
    round_trip: int | None = None
    grace: int = 0
    ran: int = 0
    """Milliseconds that it has run, stalls not counted."""
    stalled: int = 0

    def counted(self, bank: int) -> Counted:
        """Returns what it has cost, handing out every millisecond that it ran."""
        left = [self.grace, self.own, bank]
        spent = [0, 0, 0]
        for _ in range(self.ran):
            for place in range(3):
                if left[place]:
                    left[place] -= 1
                    spent[place] += 1
                    break
        return Counted(*spent)

    def is_over(self, bank: int) -> bool:
        """Returns whether grace, own time and bank are used up."""
        return self.started is not None and self.ran >= self.grace + self.own + bank


class NaiveClock:
    """The clocks of one table."""

    def __init__(
        self, *, seats: int, budget: int, bank: int, increment: int, grace: int, first: int
    ) -> None:
        self.budget, self.increment, self.grace, self.first = budget, increment, grace, first
        self.banks = [bank] * seats
        self.where = [Where.THERE] * seats
        self.asked = [0] * seats
        """How many questions each seat has had."""
        self.question: NaiveQuestion | None = None
        self.join_by: int | None = None
        self.now = 0

    def ask(self, seat: int, at: int) -> None:
        """Asks a seat, at a moment that may be past."""
        self.asked[seat] += 1
        own = self.first if self.asked[seat] == 1 else self.budget
        self.question = NaiveQuestion(seat, own, at)
        away = self.where[seat] is Where.LOST
        if away or (self.where[seat] is Where.AWAITED and self.join_by is None):
            self.start(at, grace=0)

    def start(self, at: int, *, grace: int) -> None:
        """Lets the question run, if it does not, from a moment that may be past."""
        question = self.question
        if question is not None and question.started is None:
            question.started, question.grace = at, grace
            question.ran = self.now - at

    def write(self, round_trip: int | None) -> None:
        """Hands the question to the transport."""
        question = self.question
        if question is not None:
            if question.written is None:
                question.written, question.round_trip = self.now, round_trip
            self.start(self.now, grace=min(self.grace, round_trip or 0))

    def pass_to(self, at: int) -> None:
        """Lets time pass."""
        if self.question is not None and self.question.started is not None:
            self.question.ran += at - self.now
        self.now = at

    def stall(self, length: int) -> None:
        """The arena has stood still for so long, until now."""
        question = self.question
        if question is not None and question.started is not None:
            back = min(length, question.ran)
            question.ran -= back
            question.stalled += back
        if self.join_by is not None:
            self.join_by += length

    def ran_out(self) -> int | None:
        """Returns the moment at which the question's time had run out, if it has by now."""
        question = self.question
        if question is None:
            return None
        bank = self.banks[question.seat]
        if not question.is_over(bank):
            return None
        beyond = question.ran - (question.grace + question.own + bank)
        question.ran -= beyond
        return self.now - beyond

    def wait_no_longer(self) -> None:
        """Lets the question of a seat run that was awaited in vain."""
        at, self.join_by = self.join_by, None
        question = self.question
        if at is None or question is None:
            return
        if self.where[question.seat] is Where.AWAITED:
            self.start(at, grace=0)

    def over(self, *, by_bot: bool) -> Counted:
        """Ends the question and settles its seat's bank."""
        question = self.question
        assert question is not None
        cost = question.counted(self.banks[question.seat])
        self.banks[question.seat] += (self.increment if by_bot else 0) - cost.bank
        self.question = None
        return cost

    def killed(self) -> None:
        """Another arena goes on: everybody is awaited, the question has its whole time again."""
        for seat, where in enumerate(self.where):
            if where is not Where.GONE:
                self.where[seat] = Where.AWAITED
        if self.question is not None:
            self.asked[self.question.seat] -= 1
            question, self.question = self.question, None
            self.join_by = self.now  # so that it does not run by itself
            self.ask(question.seat, self.now)

    @property
    def due(self) -> int | None:
        """Returns the next moment at which something happens by itself."""
        moments = []
        question = self.question
        if question is not None and question.started is not None:
            bank = self.banks[question.seat]
            moments.append(self.now + question.grace + question.own + bank - question.ran)
        if self.join_by is not None:
            moments.append(self.join_by)
        return min(moments, default=None)
