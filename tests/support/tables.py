"""Table specs for tests, and whole tables played by a well-behaved or scripted audience."""

from collections import Counter
from collections.abc import Callable, Sequence

from euchre_engine import (
    Action,
    Card,
    Ruleset,
    Seat,
    Suit,
    apply,
    card_from_text,
    parse_action,
    parse_ruleset,
    start_hand,
)
from euchre_engine.deal import secret_from_seed
from euchre_server.referee import TableState, opening, rebuild, step
from euchre_server.referee.facts import (
    Acted,
    Actor,
    Fact,
    HandStarted,
    SeatChange,
    SeatChanged,
)
from euchre_server.referee.inputs import Answered, Input, Opened, SeatJoined, TimeCame, Written
from euchre_server.referee.outputs import Ask, Booked, Ended, Message, Output, Send
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableMode, TableSpec
from euchre_server.referee.state import Stage

SAME_SUITS = (Suit.C, Suit.D, Suit.H, Suit.S)


def table_spec(
    rules: Ruleset | str = "three-handed",
    *,
    table_id: str = "table",
    mode: TableMode = TableMode.BOARD,
    board: int = 1,
    seed: str = "tests",
    first_dealer: int | None = None,
    relabelling: tuple[Suit, Suit, Suit, Suit] = SAME_SUITS,
    clock: ClockSpec | None = None,
    policy: str | FaultPolicy = "lenient",
    bots: tuple[str, ...] | None = None,
    number: int = 1,
) -> TableSpec:
    """Returns a spec in which only what a test speaks of differs from the usual."""
    ruleset = parse_ruleset(rules) if isinstance(rules, str) else rules
    count = ruleset.seat_count
    return TableSpec(
        table_id=table_id,
        number=number,
        rules=ruleset,
        bots=bots or tuple(f"bot{seat}" for seat in range(count)),
        mode=mode,
        board=board,
        seating=1,
        first_dealer=Seat(count - 1 if first_dealer is None else first_dealer),
        deal_key=secret_from_seed(seed),
        relabelling=relabelling,
        clock=clock or ClockSpec(),
        policy=FaultPolicy.named(policy) if isinstance(policy, str) else policy,
        commitment=b"\1" * 32,
        bot_seeds=tuple(range(100, 100 + count)),
    )


G1 = "TS KS JC TC 9H KD TD 9S AS KC JS 9D QH 9C JH QC JD AH AC QS AD QD TH KH"
G2 = "AC KC QH TH AD JH KS QC AS JS TD KH JC KD 9S 9H TC JD 9D QS 9C TS QD AH"
"""The deals of the worked hands G1 (two-handed) and G2 (three-handed), RULES.md section 7."""


class Referee:
    """A table under test: feeds inputs, and keeps all that came out."""

    def __init__(self, spec: TableSpec) -> None:
        self.spec = spec
        self.state: TableState = opening(spec)
        self.outputs: list[Output] = []
        self.inputs: list[Input] = []
        self.past: list[Fact] = []
        """Facts from before the first input."""

    @classmethod
    def at(
        cls,
        spec: TableSpec,
        deck: str | Sequence[Card],
        actions: str = "",
        *,
        scores: tuple[int, ...] | None = None,
    ) -> "Referee":
        """Returns a table with this deal at a point of the hand, all seats joined by session 2.

        Args:
            spec: The table; its first dealer deals.
            deck: The cards in dealing order, or their texts with spaces between.
            actions: What has been done so far, with "; " between.
            scores: Before the hand.
        """
        table = cls(spec)
        cards = tuple(map(card_from_text, deck.split())) if isinstance(deck, str) else tuple(deck)
        before = scores or (0,) * spec.rules.seat_count
        facts: list[Fact] = [
            SeatChanged(seat=seat, change=SeatChange.JOINED, session_epoch=1)
            for seat in spec.rules.seats
        ]
        facts.append(
            HandStarted(
                hand_number=1, dealer=spec.first_dealer, deck=cards, scores=before, redeals=0
            )
        )
        hand = start_hand(spec.rules, dealer=spec.first_dealer, deck=cards, scores=before)
        asked = Counter[Seat]()
        for text in filter(None, actions.split("; ")):
            seat, action = hand.to_act, parse_action(text)
            assert seat is not None
            asked[seat] += 1
            facts.append(
                Acted(
                    seat=seat,
                    action=action,
                    actor=Actor.BOT,
                    decision_id=asked[seat],
                    written_ms=0,
                    charged_ms=0,
                    bank_left_ms=spec.clock.bank_ms,
                )
            )
            hand = apply(hand, action)
        table.state = rebuild(spec, facts)
        table.past = facts
        for seat in spec.rules.seats:
            table.feed(SeatJoined(0, seat, 2))
        return table

    def feed(self, event: Input) -> list[Output]:
        """Feeds one input and returns its outputs."""
        self.inputs.append(event)
        self.state, outputs = step(self.state, event)
        self.outputs += outputs
        return outputs

    def open(self, at: int = 0) -> list[Output]:
        """Opens the table and joins every seat, session 1."""
        outputs = self.feed(Opened(at))
        for seat in self.spec.rules.seats:
            outputs += self.feed(SeatJoined(at, seat, 1))
        return outputs

    @property
    def ask(self) -> tuple[Seat, Ask]:
        """Returns the question asked last, and of whom."""
        for output in reversed(self.outputs):
            if isinstance(output, Send) and isinstance(output.message, Ask):
                return output.seat, output.message
        raise AssertionError("nobody was asked anything")

    def write(self, at: int, *, rtt_ms: int | None = None) -> tuple[Seat, Ask]:
        """Hands the last question to the transport, and returns it."""
        seat, ask = self.ask
        session = self.state.seats[seat].session
        self.feed(Written(at, seat, session, ask.decision_id, rtt_ms))
        return seat, ask

    def answer(self, at: int, action: Action | None = None) -> list[Output]:
        """Answers the last question, with its first legal action unless another is given."""
        seat, ask = self.ask
        session = self.state.seats[seat].session
        return self.feed(
            Answered(at, seat, session, ask.decision_id, action or next(iter(ask.legal)))
        )

    def play_on(
        self,
        at: int,
        choose: Callable[[Ask], Action],
        *,
        until: Callable[[Ask], bool] | None = None,
    ) -> int:
        """Plays with prompt bots until the table ends or a question fits; returns the time."""
        while self.state.stage is not Stage.OVER:
            _, ask = self.ask
            if until is not None and until(ask):
                return at
            self.write(at)
            self.answer(at + 1, choose(ask))
            at += 2
        return at

    def time(self, at: int) -> list[Output]:
        """Lets a moment come."""
        return self.feed(TimeCame(at))

    @property
    def booked(self) -> list[Booked]:
        """Returns every fact so far."""
        return [output for output in self.outputs if isinstance(output, Booked)]

    @property
    def facts(self) -> list[Fact]:
        """Returns every fact so far, without its time."""
        return [*self.past, *(booked.fact for booked in self.booked)]

    def told(self, seat: int) -> list[Message]:
        """Returns every message to a seat so far."""
        return [o.message for o in self.outputs if isinstance(o, Send) and o.seat == seat]

    @property
    def has_ended(self) -> bool:
        """Returns whether the driver was told to let go of the table."""
        return any(isinstance(output, Ended) for output in self.outputs)


def first_legal(ask: Ask) -> Action:
    """Returns the first legal action: orders nothing, follows suit."""
    return next(iter(ask.legal))
