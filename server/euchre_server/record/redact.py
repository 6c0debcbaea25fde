"""Owns what each audience may know of a recorded hand: the referee all, others what was in views.

For a seat and the public everything about cards is taken from views, step by step; nothing is made
by leaving secrets out of a whole (RULES.md section 6). Must not know how it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from euchre_engine import PUBLIC, ActionKind, HistoryItem, Seat, UpcardStatus, flat, view_for
from euchre_engine.views import Public
from euchre_server.referee.facts import Acted, Actor, Faulted, FaultKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from euchre_engine import Card, Phase, Ruleset, State, Suit, Trick, View
    from euchre_server.record.tables import HandPlay, Happening, TablePlay
    from euchre_server.referee.facts import TableEnded

__all__ = [
    "PUBLIC",
    "REFEREE",
    "REVEALED",
    "Audience",
    "SeenFault",
    "SeenHand",
    "SeenStep",
    "StepTime",
    "redact",
    "time_of",
]


class Referee(Enum):
    """The audience that may know everything."""

    REFEREE = "referee"


class Revealed(Enum):
    """Everybody, once the cards may be shown: all of them, and of all else what the public knows.

    Whether they may is said by the option `reveal` and by who still plays the deal.
    """

    REVEALED = "revealed"


REFEREE: Final = Referee.REFEREE
REVEALED: Final = Revealed.REVEALED
Audience = Seat | Public | Referee | Revealed


class StepTime(NamedTuple):
    """How the time of an action was counted (docs/clock.md), in milliseconds.

    Moments are those of the table's time. None stands for what never was, or is not recorded.
    """

    asked: int | None
    written: int | None
    started: int | None
    received: int
    """When it was done: answered, or played by the clock."""
    charged: int
    grace_used: int
    stalled: int | None
    round_trip: int | None
    think: int | None
    """As the bot said."""
    bank_left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenStep:
    """One action as an audience knows it."""

    item: HistoryItem
    """Without the cards, where they are hidden."""
    phase: Phase
    """What was asked."""
    by: Actor | None
    """None where the audience was not told."""
    ms: int | None
    """The time charged; None where the audience was not told."""
    time: StepTime | None
    """None where the audience was not told."""
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenFault:
    """A fault as an audience knows it."""

    after: int
    """How many actions of the hand came before it."""
    seat: Seat
    kind: FaultKind
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenHand:
    """A hand as an audience knows it."""

    table: TablePlay
    """For what is open to all: match, board, bots, rules, how the table ended."""
    audience: Audience
    hand_number: int
    dealer: Seat
    redeals: int
    scores: tuple[int, ...]
    dealt: tuple[tuple[Card, ...] | None, ...]
    """By seat; None where it is hidden."""
    dummy: tuple[Card, ...] | None
    widow: tuple[Card, ...] | None
    buried: tuple[Card, ...] | None
    upcard: Card | None
    upcard_status: UpcardStatus
    steps: tuple[SeenStep, ...]
    faults: tuple[SeenFault, ...]
    trump: Suit | None
    maker: Seat | None
    contract: int | None
    """The bid that won, in games of bids."""
    alone: tuple[Seat, ...]
    sitting_out: tuple[Seat, ...]
    tricks: tuple[Trick, ...]
    """One in progress comes last, without a winner."""
    tricks_won: tuple[int, ...]
    points: tuple[int, ...] | None
    scores_after: tuple[int, ...]

    @property
    def rules(self) -> Ruleset:
        """Returns the rules."""
        return self.table.opened.rules

    @property
    def bots(self) -> tuple[str, ...]:
        """Returns the bots by seat."""
        return self.table.opened.bots

    @property
    def ending(self) -> TableEnded | None:
        """Returns how the table ended, where this was its last hand."""
        last = self.table.hands[-1].started.hand_number
        return self.table.ended if self.hand_number == last else None


def redact(table: TablePlay, hand: HandPlay, audience: Audience) -> SeenHand:
    """Returns a hand as an audience knows it.

    Args:
        table: The table.
        hand: One of its hands.
        audience: A seat, `PUBLIC`, `REVEALED` or `REFEREE`.

    Raises:
        RecordError: The engine cannot play the hand again.
    """
    states = hand.states(table)
    if audience is REFEREE or audience is REVEALED:
        known = _all_of(states)
    else:
        known = _views_of([view_for(state, audience) for state in states], audience)
    last = view_for(states[-1], PUBLIC)
    return SeenHand(
        table=table,
        audience=audience,
        hand_number=last.hand_number,
        dealer=last.dealer,
        redeals=last.redeals,
        scores=hand.started.scores,
        dealt=known.dealt,
        dummy=known.dummy,
        widow=known.widow,
        buried=known.buried,
        upcard=last.upcard,
        upcard_status=last.upcard_status,
        steps=tuple(
            _step(item, state.phase, act, at_ms, audience)
            for item, state, act, at_ms in zip(
                known.history, states[:-1], hand.acts, hand.acted_ms, strict=True
            )
        ),
        faults=tuple(
            seen
            for happening in hand.happenings
            if (seen := _fault(happening, audience)) is not None
        ),
        trump=last.trump,
        maker=last.maker,
        contract=last.contract,
        alone=last.alone,
        sitting_out=last.sitting_out,
        tricks=(*last.tricks, last.trick) if last.trick else last.tricks,
        tricks_won=last.tricks_won,
        points=hand.ended.points if hand.ended else None,
        scores_after=hand.ended.scores if hand.ended else hand.started.scores,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """The part of a hand that differs between audiences."""

    dealt: tuple[tuple[Card, ...] | None, ...]
    dummy: tuple[Card, ...] | None
    widow: tuple[Card, ...] | None
    buried: tuple[Card, ...] | None
    history: tuple[HistoryItem, ...]


def _all_of(states: Sequence[State]) -> _Known:
    """Returns what is known to who may see all cards."""
    first, last = states[0], states[-1]
    return _Known(
        dealt=tuple(first.hand(seat) for seat in first.rules.seats),
        dummy=first.dummy if first.rules.has_dummy else None,
        widow=None if first.deal.widow is None else (first.deal.widow,),
        buried=first.deal.buried,
        history=tuple(HistoryItem(seat, *flat(action)) for seat, action in last.steps),
    )


def _views_of(views: Sequence[View], audience: Seat | Public) -> _Known:
    """Returns what was in the views of an audience."""
    last = views[-1]
    own: tuple[Card, ...] = next((view.hand for view in views if view.hand), ())
    # A dealer who names trump blind first sees his cards with the up-card among them.
    as_dealt = tuple(card for card in own if card is not last.upcard)
    return _Known(
        dealt=tuple(
            as_dealt if seat == audience and own else None for seat in range(len(last.scores))
        ),
        dummy=last.dummy or None,
        widow=last.widow or None,
        buried=None,
        history=tuple(_with_best_card(item, last) for item in last.history),
    )


def _with_best_card(item: HistoryItem, view: View) -> HistoryItem:
    """Returns a step with the card that a partner gave, for the seat that got it."""
    given = view.best_card
    mine = view.seat is not None and (item.seat - view.seat) % 2 == 0
    if item.kind is ActionKind.BEST and mine and given is not None:
        return item._replace(cards=(given,))
    return item


def time_of(act: Acted, at_ms: int) -> StepTime:
    """Returns how the time of an action was counted that was done at this moment."""
    return StepTime(
        asked=act.asked_ms,
        written=act.written_ms,
        started=act.started_ms,
        received=at_ms,
        charged=act.charged_ms,
        grace_used=act.grace_used_ms,
        stalled=act.stalled_ms,
        round_trip=act.round_trip_ms,
        think=act.think_ms,
        bank_left=act.bank_left_ms,
    )


def _step(item: HistoryItem, phase: Phase, act: Acted, at_ms: int, audience: Audience) -> SeenStep:
    """Returns a step with what the audience was told about its making."""
    told = audience in (REFEREE, act.seat)
    return SeenStep(
        item=item,
        phase=phase,
        by=act.actor if told or audience in (PUBLIC, REVEALED) else None,
        ms=act.charged_ms if told else None,
        time=time_of(act, at_ms) if told else None,
        note=act.annotation if told else "",
    )


def _fault(happening: Happening, audience: Audience) -> SeenFault | None:
    """Returns a fault with what the audience was told of it; its text may name cards."""
    fact = happening.fact
    if not isinstance(fact, Faulted):
        return None
    told = audience in (REFEREE, fact.seat)
    if not told and audience not in (PUBLIC, REVEALED):
        return None
    return SeenFault(
        after=happening.after, seat=fact.seat, kind=fact.kind, text=fact.text if told else ""
    )
