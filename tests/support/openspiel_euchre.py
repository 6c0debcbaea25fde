"""Four-handed hands played in OpenSpiel's order, with OpenSpiel's numbers for the actions.

Owns the numbers of OpenSpiel's ``euchre`` (its ``euchre.h``), a hand of ours that asks its
questions in their order, and the comparison of one hand in both. ``test_openspiel`` says what
coincides.
Must not import OpenSpiel: a game of theirs comes from outside, and is known by its methods alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from euchre_engine import (
    Action,
    Alone,
    Call,
    Discard,
    Order,
    Pass,
    Phase,
    Play,
    Ruleset,
    Seat,
    State,
    Together,
    UpcardStatus,
    apply,
    card_from_text,
    legal_actions,
    outcome,
    start_hand,
)

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Sequence
    from random import Random

__all__ = [
    "CHANCE_STEPS",
    "HandInTheirOrder",
    "TheirHand",
    "compare_hand",
    "line_counts",
    "our_hand",
    "random_deal",
]

_SEATS = 4
CHANCE_STEPS = 22
"""The steps of a deal: the dealer, twenty cards one by one from the dealer on, the up-card."""

_CARDS = tuple(card_from_text(rank + suit) for rank in "9TJQKA" for suit in "CDHS")
"""By their number."""
_NUMBERS = {card: number for number, card in enumerate(_CARDS)}
_PASS, _ALONE, _PARTNER = 24, 29, 30
_NO_COUNTERPART = -1


class TheirTrick(Protocol):
    """What is read of a trick of theirs."""

    def winner(self) -> int: ...


class TheirHand(Protocol):
    """What is used of an OpenSpiel state."""

    def apply_action(self, action: int, /) -> None: ...
    def current_player(self) -> int: ...
    def is_terminal(self) -> bool: ...
    def legal_actions(self) -> list[int]: ...
    def returns(self) -> list[float]: ...
    def tricks(self) -> list[TheirTrick]: ...


@dataclass(frozen=True, slots=True)
class HandInTheirOrder:
    """A hand of ours whose dealer discards before the maker is asked whether he plays alone.

    Our rules put the question first (RULES.md section 8). Neither choice limits the other, so the
    discard is held back here until the maker has answered, and dropped if his answer makes the
    dealer sit out.
    """

    state: State
    held_back: Discard | None = None

    @property
    def seat(self) -> Seat | None:
        """Returns who is to act, None at the end."""
        return self.state.dealer if self._discards_first else self.state.to_act

    @property
    def legal(self) -> dict[int, Action]:
        """Returns what the seat may do, by their numbers."""
        state = apply(self.state, Together()) if self._discards_first else self.state
        return {_number(state, action): action for action in legal_actions(state)}

    def after(self, action: Action) -> HandInTheirOrder:
        """Returns the hand after this."""
        if self._discards_first:
            assert isinstance(action, Discard)
            return HandInTheirOrder(self.state, action)
        state = apply(self.state, action)
        if self.held_back is not None and state.phase is Phase.DISCARD:
            state = apply(state, self.held_back)
        return HandInTheirOrder(state)

    @property
    def _discards_first(self) -> bool:
        return (
            self.state.phase is Phase.ALONE_MAKER
            and self.state.upcard_status is UpcardStatus.FACE_UP
            and self.held_back is None
        )


def _number(state: State, action: Action) -> int:
    """Returns their number for what the seat to act may do."""
    match action:
        case Play(card) | Discard(card):
            return _NUMBERS[card]
        case Pass():
            return _PASS
        case Order() if state.upcard is not None and state.upcard.suit is not None:
            return _PASS + state.upcard.suit
        case Call(suit):
            return _PASS + suit
        case Alone():
            return _ALONE
        case Together():
            return _PARTNER
        case _:
            return _NO_COUNTERPART


def random_deal(rng: Random) -> list[int]:
    """Returns the steps of a random deal of theirs."""
    return [rng.randrange(_SEATS), *rng.sample(range(len(_CARDS)), CHANCE_STEPS - 1)]


def our_hand(rules: Ruleset, deal: Sequence[int]) -> HandInTheirOrder:
    """Returns our hand with the cards of their deal.

    Args:
        rules: Four-handed ones that deal one card at a time.
        deal: The steps of the deal; the three cards that it leaves out are buried.
    """
    dealer, *dealt, upcard = deal
    # They deal to the dealer first, we to the dealer's left.
    rounds = [dealt[first : first + _SEATS] for first in range(0, len(dealt), _SEATS)]
    deck = [number for first, *others in rounds for number in (*others, first)]
    buried = sorted(set(range(len(_CARDS))) - set(deal[1:]))
    cards = [_CARDS[number] for number in (*deck, upcard, *buried)]
    return HandInTheirOrder(start_hand(rules, dealer=Seat(dealer), deck=cards))


def line_counts(hand: HandInTheirOrder, depth: int) -> list[int]:
    """Returns the number of lines in their order, for each length up to the depth.

    Args:
        hand: Where the lines begin.
        depth: Too small for any of them to end the hand.
    """
    counts: list[int] = []
    level: Iterable[HandInTheirOrder] = [hand]
    for _ in range(depth):
        steps = [(before, action) for before in level for action in before.legal.values()]
        counts.append(len(steps))
        level = (before.after(action) for before, action in steps)  # the last one is not needed
    return counts


def compare_hand(
    hand: HandInTheirOrder, theirs: TheirHand, rng: Random, tally: Counter[str]
) -> str | None:
    """Plays one dealt hand at random in both engines.

    Args:
        hand: Ours.
        theirs: The same deal.
        rng: Chooses; in half of the hands it is patient, so that second rounds are common.
        tally: Counts what was met.

    Returns:
        The first difference; None where both agree to the end.
    """
    patience = rng.choice((0.5, 0.8))
    while not theirs.is_terminal():
        legal = hand.legal
        ours = hand.seat, sorted(legal)
        expected = theirs.current_player(), theirs.legal_actions()
        if expected != ours:
            return f"{expected} in theirs, {ours} in ours, after {hand.state.steps}"
        number = _PASS if _PASS in legal and rng.random() < patience else rng.choice(expected[1])
        action = legal[number]
        held_back = hand.held_back is not None
        hand = hand.after(action)
        theirs.apply_action(number)
        tally["decisions"] += 1
        # The card that their dealer put away before he sat out.
        tally["left out"] += held_back and hand.state.upcard_status is UpcardStatus.DECLINED
    return _end_difference(hand.state, theirs, tally)


def _end_difference(state: State, theirs: TheirHand, tally: Counter[str]) -> str | None:
    """Returns how the ends of a hand differ, None where they do not, and counts how it ended."""
    result = outcome(state)
    if result is None:
        return f"theirs is over, ours is not, after {state.steps}"
    # Theirs are zero-sum: what a team gains, the other one loses.
    points = [result.points[seat] - result.points[(seat + 1) % _SEATS] for seat in range(_SEATS)]
    winners = [] if state.maker is None else [trick.winner() for trick in theirs.tricks()]
    ours = points, [trick.winner for trick in state.tricks]
    expected = theirs.returns(), winners
    tally["hands"] += 1
    tally[_ending(state, points)] += 1
    if expected == ours:
        return None
    return f"points and winners {expected} in theirs, {ours} in ours, after {state.steps}"


def _ending(state: State, points: list[int]) -> str:
    if state.maker is None:
        return "passed out"
    side = {seat % 2 == state.maker % 2 for seat in state.alone}
    alone = {(): "nobody", (True,): "maker", (False,): "defender", (False, True): "both"}
    return f"{points[state.maker]:+} with {alone[tuple(sorted(side))]} alone"
