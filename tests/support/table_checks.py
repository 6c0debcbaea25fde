"""What must hold of any table, however hostile its bots: checked from outputs and facts alone."""

from collections.abc import Iterable, Iterator

from euchre_engine import (
    Action,
    Card,
    Choose,
    Seat,
    apply,
    flat,
    is_legal,
    outcome,
    start_hand,
)
from euchre_engine.state import State
from euchre_engine.views import View
from euchre_server.referee import TableState, rebuild
from euchre_server.referee.clock import OpenDecision
from euchre_server.referee.dealing import deck_of
from euchre_server.referee.facts import (
    Acted,
    Fact,
    Faulted,
    FaultKind,
    HandEnded,
    HandStarted,
    TableEnded,
)
from euchre_server.referee.outputs import Ask, Booked, HandOver, Output, Reject, Send
from euchre_server.referee.spec import TableMode, TableSpec


def facts_are_legal(spec: TableSpec, facts: Iterable[Fact]) -> None:
    """Asserts that the engine alone, knowing nothing of the referee, accepts every fact."""
    hand: State | None = None
    number, scores = 0, (0,) * spec.rules.seat_count
    dealer, redeals = spec.first_dealer, 0
    for fact in facts:
        match fact:
            case HandStarted():
                number += 1
                assert (number, dealer, scores, redeals) == (
                    fact.hand_number,
                    fact.dealer,
                    fact.scores,
                    fact.redeals,
                )
                assert deck_of(spec, number) == fact.deck
                hand = start_hand(
                    spec.rules,
                    dealer=dealer,
                    deck=fact.deck,
                    scores=scores,
                    redeals=redeals,
                    hand_number=number,
                )
            case Acted():
                assert hand is not None
                assert hand.to_act == fact.seat
                assert is_legal(hand, fact.action), str(fact.action)
                hand = apply(hand, fact.action)
                cards_are_conserved(hand)
            case HandEnded():
                assert hand is not None
                result = outcome(hand)
                assert result is not None
                assert (result.points, result.scores, result.passed_out) == (
                    fact.points,
                    fact.scores,
                    fact.passed_out,
                )
                scores = result.scores
                if result.next_dealer is not None:
                    dealer, redeals = result.next_dealer, result.next_redeals
                hand = None
            case TableEnded():
                assert spec.mode is TableMode.GAME or number <= 1
            case _:
                pass


def cards_are_conserved(hand: State) -> None:
    """Asserts that no card is in two places, and that all are cards of the deck."""
    held = [card for seat in hand.rules.seats for card in hand.hand(seat)]
    played = [card for trick in hand.tricks for card in trick.cards]
    assert len({*held, *played}) == len(held) + len(played)
    assert {*held, *played} <= set(hand.rules.deck_cards)


def rebuilt_is_equal(state: TableState, facts: Iterable[Fact]) -> None:
    """Asserts that the facts alone give the state again, but for what is no fact."""
    assert at_rest(state) == at_rest(rebuild(state.spec, facts))


def at_rest(state: TableState) -> TableState:
    """Returns a state without the clock of its open decision."""
    opened = state.open
    if opened is not None:
        opened = OpenDecision(opened.seat, opened.decision_id, opened.budget_ms)
    return state._replace(open=opened, draining=False)


def faults_add_up(state: TableState, facts: Iterable[Fact]) -> None:
    """Asserts that the counts told are those of the facts."""
    for seat, known in enumerate(state.seats):
        mine = [f for f in facts if isinstance(f, Faulted) and f.seat == seat]
        counted = [f for f in mine if f.kind is not FaultKind.STALE]
        assert len(counted) == known.fault_count
        assert tuple(sum(f.kind is kind for f in mine) for kind in FaultKind) == known.faults


class Secrecy:
    """Watches that no seat is told of a card that it may not know (RULES.md section 6)."""

    def __init__(self, spec: TableSpec) -> None:
        self._spec = spec
        self._dealt: dict[int, dict[Seat, frozenset[Card]]] = {}
        self._dummies: dict[int, frozenset[Card]] = {}
        self.checked = 0

    def watch(self, hand: State | None, outputs: Iterable[Output]) -> None:
        """Asserts it of all outputs of a step that led to this position."""
        for output in outputs:
            match output:
                case Booked(_, _, HandStarted() as fact):
                    self._note(fact)
                case Send(seat, _, Ask() as ask):
                    self._view(seat, ask.view)
                    assert seat == ask.view.to_act
                    assert set(_cards(ask.legal)) <= self._own(seat, ask.view)
                case Send(seat, _, HandOver(view=view)):
                    self._view(seat, view)
                case Reject() if hand is not None and output.legal:
                    assert hand.to_act == output.seat
                case _:
                    pass

    def _note(self, fact: HandStarted) -> None:
        hand = start_hand(self._spec.rules, dealer=fact.dealer, deck=fact.deck)
        self._dealt[fact.hand_number] = {
            seat: frozenset(hand.hand(seat)) for seat in self._spec.rules.seats
        }
        self._dummies[fact.hand_number] = frozenset(hand.dummy)

    def _own(self, seat: Seat, view: View) -> frozenset[Card]:
        """Returns what a seat may know: its deal, the up-card, what was played, its dummy."""
        known = set(self._dealt[view.hand_number][seat])
        known |= {view.upcard} if view.upcard else set()
        known |= {item.card for item in view.history if item.card and item.kind.word == "play"}
        says = [(item.seat, item.kind.word) for item in view.history]
        if (seat, "with_dummy") in says and view.maker == seat:
            known |= self._dummies[view.hand_number]
        return frozenset(known)

    def _view(self, seat: Seat, view: View) -> None:
        assert seat == view.seat
        self.checked += 1
        assert set(_cards(view)) <= self._own(seat, view)
        for item in view.history:
            hidden = item.kind.word in {"discard", "keep"} and item.seat != seat
            assert not (hidden and item.cards)


def _cards(value: object) -> Iterator[Card]:
    """Yields every card anywhere in a message."""
    match value:
        case Card():
            yield value
        case tuple():  # a view and all its parts are tuples
            for part in value:
                yield from _cards(part)
        case Choose():
            yield from value.pool
        case _ if hasattr(value, "kind"):
            action: Action = value  # type: ignore[assignment]  # all that has a kind is one
            yield from flat(action).cards
        case _:
            pass
