"""Tables in every phase of every game: found once, then taken up as often as a test wants.

Owns which rulesets there are and the ways into their phases. A table is in its second hand, so that
every seat has had decisions before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Final

from tables import table_spec

from euchre_engine import (
    Pass,
    Phase,
    apply,
    default_action,
    legal_actions,
    outcome,
    parse_ruleset,
    start_hand,
)
from euchre_server.referee import rebuild
from euchre_server.referee.facts import (
    Acted,
    Actor,
    HandEnded,
    HandStarted,
    SeatChange,
    SeatChanged,
)
from euchre_server.referee.spec import ClockSpec, TableMode

if TYPE_CHECKING:
    from euchre_engine import Action, Card, State
    from euchre_server.referee import TableState
    from euchre_server.referee.facts import Fact
    from euchre_server.referee.spec import FaultPolicy, TableSpec

__all__ = ["BUDGET_MS", "PHASES", "POSITIONS", "Position", "found_phases"]

BUDGET_MS: Final = 100
_MOST_DEALS: Final = 2_000

_THREE = "BID1 BID2 PICKUP DISCARD ALONE_MAKER ALONE_DEFENDER EXCHANGE PLAY"
PHASES: Final[dict[str, str]] = {
    "two-handed": "BID1 BID2 PICKUP DISCARD PLAY",
    "three-handed": _THREE,
    "four-handed": "BID1 BID2 ALONE_MAKER DISCARD PLAY",
    "four-handed,farmers_hand=three_swap,dealer_pickup=optional,defend_alone=always": (
        "SWAP BID1 BID2 ALONE_MAKER PICKUP DISCARD ALONE_DEFENDER PLAY"
    ),
    "british": "NAME_BLIND BID1 BID2 ALONE_MAKER DISCARD PLAY",
    "british-two-handed": "NAME_BLIND BID1 BID2 PICKUP DISCARD PLAY",
    "british-three-handed": f"NAME_BLIND {_THREE}",
    "three-handed-bonus": _THREE,
    "railroad": "BID1 BID2 ALONE_MAKER DISCARD BURY BEST ALONE_DEFENDER PLAY",
    (
        "railroad,farmers_hand=three_swap,joker_upcard=dealer_names_blind,dealer_pickup=optional"
    ): "SWAP NAME_BLIND BID1 BID2 ALONE_MAKER PICKUP DISCARD BURY BEST ALONE_DEFENDER PLAY",
    "hasenpfeffer": "BID NAME BURY PLAY",
    "pepper": "BID NAME PLAY",
    "napoleon": "BID PLAY",
    "napoleon,players=3": "BID PLAY",
}
"""The phases that a hand of each ruleset can be in while somebody is to act."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a game that a table can be taken to."""

    rules: str
    phase: Phase

    def __str__(self) -> str:
        return f"{self.rules.replace(',', ' ')} {self.phase}"

    def spec(self, policy: FaultPolicy, mode: TableMode = TableMode.GAME) -> TableSpec:
        """Returns a table of this ruleset."""
        return table_spec(
            self.rules,
            mode=mode,
            policy=policy,
            clock=ClockSpec(budget_ms=BUDGET_MS, first_ms=BUDGET_MS, bank_ms=0),
        )

    def state(self, policy: FaultPolicy) -> TableState:
        """Returns the table as an arena leaves it that is killed at this place."""
        return _state(self, policy)


@cache
def _state(position: Position, policy: FaultPolicy) -> TableState:
    return rebuild(position.spec(policy), _ways(position.rules)[position.phase])


POSITIONS: Final = [
    Position(rules, Phase(phase)) for rules, phases in PHASES.items() for phase in phases.split()
]


def found_phases(rules: str) -> set[Phase]:
    """Returns the phases that many random hands of a ruleset come into."""
    return set(_ways(rules))


@cache
def _ways(rules: str) -> dict[Phase, tuple[Fact, ...]]:
    """Returns facts that lead into each phase of a ruleset, in a table's second hand."""
    random, ruleset = Random(rules), parse_ruleset(rules)
    wanted = {Phase(phase) for phase in PHASES[rules].split()}
    booked: list[Fact] = [
        SeatChanged(seat=seat, change=SeatChange.JOINED, session_epoch=1) for seat in ruleset.seats
    ]
    asked = Counter[int]()
    spec = table_spec(rules, mode=TableMode.GAME)
    deck = _shuffled(ruleset.deck_cards, random)
    partners = 2 if ruleset.has_partners else ruleset.seat_count
    scores = tuple(1 + seat % partners for seat in ruleset.seats)
    hand = start_hand(ruleset, dealer=spec.first_dealer, deck=deck, scores=scores)
    booked.append(_started(hand))
    while hand.to_act is not None:
        hand = _acts(hand, default_action(hand), booked, asked)
    result = outcome(hand)
    assert result is not None
    assert result.next_dealer is not None, "the game goes on after the first hand"
    booked.append(
        HandEnded(
            hand_number=1,
            points=result.points,
            scores=result.scores,
            tricks_won=hand.tricks_won,
            passed_out=result.passed_out,
        )
    )
    ways: dict[Phase, tuple[Fact, ...]] = {}
    for _ in range(_MOST_DEALS):
        second = start_hand(
            ruleset,
            dealer=result.next_dealer,
            deck=_shuffled(ruleset.deck_cards, random),
            scores=result.scores,
            redeals=result.next_redeals,
            hand_number=2,
        )
        here, count = [*booked, _started(second)], Counter(asked)
        while second.to_act is not None:
            ways.setdefault(second.phase, tuple(here))
            second = _acts(second, _any_action(second, random), here, count)
        if wanted == set(ways):
            break
    return ways


def _acts(hand: State, action: Action, booked: list[Fact], asked: Counter[int]) -> State:
    """Returns the position after an action, and books it."""
    seat = hand.to_act
    assert seat is not None
    asked[seat] += 1
    booked.append(
        Acted(
            seat=seat,
            action=action,
            actor=Actor.BOT,
            decision_id=asked[seat],
            written_ms=0,
            charged_ms=0,
            bank_left_ms=0,
        )
    )
    return apply(hand, action)


def _any_action(hand: State, random: Random) -> Action:
    legal = legal_actions(hand)
    if Pass() in legal and random.random() < 0.5:
        return Pass()
    return legal[random.randrange(len(legal))]


def _started(hand: State) -> HandStarted:
    return HandStarted(
        hand_number=hand.hand_number,
        dealer=hand.dealer,
        deck=hand.deal.deck,
        scores=hand.scores,
        redeals=hand.redeals,
    )


def _shuffled(cards: tuple[Card, ...], random: Random) -> tuple[Card, ...]:
    deck = list(cards)
    random.shuffle(deck)
    return tuple(deck)
