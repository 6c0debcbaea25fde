"""Owns what a table's end is worth: the scores that count, and the result handed on.

A forfeit never pays (DESIGN.md section 5, rule 5). Besides the seat that is blamed, no seat whose
bot has gone for good and no partner of such a seat gains by it.
Must not know why a table ended.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from euchre_engine import Outcome, Ruleset, Seat, outcome
from euchre_server.referee.facts import Blame, EndCause, FaultKind
from euchre_server.referee.spec import TableMode, TableSpec
from euchre_server.referee.state import TableState

__all__ = ["TableResult", "best_seats", "forfeit_scores", "result_of", "worth_of"]

_KINDS = tuple(FaultKind)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """How a table ended; all tuples by seat but `winners`."""

    spec: TableSpec
    scores: tuple[int, ...]
    """What counts."""
    winners: tuple[Seat, ...]
    cause: EndCause
    blame: Blame
    blamed_seat: Seat | None
    rated: bool
    hands: int
    """Hands played to their end."""
    decisions: int
    points: tuple[int, ...]
    """Of all finished hands together."""
    faults: tuple[Mapping[FaultKind, int], ...]
    game_worth: int = 1
    """How many games it counts for where it was won: two if it was a `slam`."""


def result_of(state: TableState) -> TableResult | None:
    """Returns the result of a table that has ended, None of another."""
    ending = state.ending
    if ending is None:
        return None
    return TableResult(
        spec=state.spec,
        scores=ending.scores,
        winners=ending.winners,
        cause=ending.cause,
        blame=ending.blame,
        blamed_seat=ending.blamed_seat,
        rated=ending.rated,
        hands=state.hand_count,
        decisions=state.decision_count,
        points=state.points,
        faults=tuple(dict(zip(_KINDS, seat.faults, strict=True)) for seat in state.seats),
        game_worth=worth_of(
            state.spec, ending.cause, None if state.hand is None else outcome(state.hand)
        ),
    )


def worth_of(spec: TableSpec, cause: EndCause, last: Outcome | None) -> int:
    """Returns how many games a table counts for, by the outcome of its last hand.

    Only a game that was played to its end can count twice: a forfeit is no feat of the winners.
    """
    played = spec.mode is TableMode.GAME and cause is EndCause.PLAYED
    return last.game_worth if played and last is not None else 1


def forfeit_scores(
    spec: TableSpec, offenders: Iterable[Seat], scores: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
    """Returns what counts after a forfeit, and who wins.

    On a board every other seat gets the most that a hand can be worth and an offender the least.
    In a game the others keep what they have, and an offender has no more than the lowest of them
    nor than nothing.

    Args:
        spec: The table.
        offenders: The seats that gain nothing; their partners are added.
        scores: The scores of the game so far.
    """
    losing = {mate for seat in offenders for mate in _side(spec.rules, seat)}
    if spec.mode is TableMode.GAME:
        kept, lost = scores, min(0, *scores)
    else:
        kept = (spec.rules.largest_hand_result,) * spec.rules.seat_count
        lost = spec.rules.smallest_hand_result
    counted = tuple(lost if seat in losing else kept[seat] for seat in spec.rules.seats)
    others = tuple(seat for seat in spec.rules.seats if seat not in losing)
    return counted, best_seats(counted, others)


def best_seats(scores: tuple[int, ...], among: Iterable[Seat]) -> tuple[Seat, ...]:
    """Returns those of the given seats that have the highest score of them."""
    seats = tuple(among)
    best = max((scores[seat] for seat in seats), default=0)
    return tuple(seat for seat in seats if scores[seat] == best)


def _side(rules: Ruleset, seat: Seat) -> tuple[Seat, ...]:
    """Returns a seat and, in partnership games, its partner."""
    if not rules.has_partners:
        return (seat,)
    return tuple(other for other in rules.seats if (other - seat) % 2 == 0)
