"""Owns the wire form of a view, written by hand: it travels with every decision.

Building the message object field by field costs several times as much as everything else that a
decision needs. Field numbers come from the descriptor, so they are stated in the .proto alone; a
test reads the bytes back with the generated class for every field.
Must not know anything but views.
"""

from collections.abc import Iterable
from functools import lru_cache

from euchre_arena.v1.view_pb2 import Phase as PhaseNumber
from euchre_arena.v1.view_pb2 import View as ViewMessage
from euchre_engine import ActionKind
from euchre_engine.state import Phase
from euchre_engine.views import HistoryItem, View
from euchre_server.session.wire.encoding import number_field, sized, sized_field, varint

__all__ = ["PHASE_NUMBERS", "history_values", "view_bytes"]

_FIELDS = {name: field.number for name, field in ViewMessage.DESCRIPTOR.fields_by_name.items()}


def _ones(*names: str) -> list[tuple[bytes, ...]]:
    """Returns for each of these fields what it is with every number that takes one byte."""
    return [tuple([number_field(_FIELDS[name]) + varint(n) for n in range(128)]) for name in names]


def _lists(*names: str) -> list[tuple[bytes, ...]]:
    """Returns for each of these fields what a list of numbers begins with, by its length."""
    return [tuple([sized_field(_FIELDS[name]) + varint(n) for n in range(1024)]) for name in names]


_SEAT, _PHASE, _TO_ACT, _DEALER = _ones("seat", "phase", "to_act", "dealer")
_UPCARD, _STATUS = _ones("upcard", "upcard_status")
_TRUMP, _MAKER, _CONTRACT, _BEST_CARD = _ones("trump", "maker", "contract", "best_card")
_HAND, _COUNTS, _DUMMY = _lists("hand", "card_counts", "dummy")
_DISCARDED, _WIDOW = _lists("discarded", "widow")
_H_SEATS, _H_KINDS, _H_VALUES = _lists("history_seats", "history_kinds", "history_values")
_T_LEADERS, _T_WINNERS = _lists("trick_leaders", "trick_winners")
_T_CARDS, _T_SEATS = _lists("trick_cards", "trick_seats")
_ALONE, _SITTING, _TRICKS_WON = _lists("alone", "sitting_out", "tricks_won")
_HAND_NUMBER, _REDEALS = map(number_field, (_FIELDS["hand_number"], _FIELDS["redeals"]))
_SCORES, _POINTS = map(sized_field, (_FIELDS["scores"], _FIELDS["points"]))
PHASE_NUMBERS = {phase: int(PhaseNumber.Value(f"PHASE_{phase.name}")) for phase in Phase}
_PHASES = {phase: _PHASE[number] for phase, number in PHASE_NUMBERS.items()}


def view_bytes(view: View) -> bytes:
    """Returns the view as the body of the protocol's View, fields in the order of their numbers.

    This is the canonical form: what a view hash is over.
    """
    parts: list[bytes] = []
    add = parts.append
    if view.seat is not None:
        add(_SEAT[view.seat])
    add(_PHASES[view.phase])
    if view.to_act is not None:
        add(_TO_ACT[view.to_act])
    if view.dealer:
        add(_DEALER[view.dealer])
    add(_HAND_NUMBER + varint(view.hand_number))
    if view.hand:
        add(_HAND[len(view.hand)] + bytes(view.hand))
    add(_COUNTS[len(view.card_counts)] + bytes(view.card_counts))
    if view.upcard is not None:
        add(_UPCARD[view.upcard] + _STATUS[view.upcard_status])
    if view.dummy:
        add(_DUMMY[len(view.dummy)] + bytes(view.dummy))
    if view.discarded:
        add(_DISCARDED[len(view.discarded)] + bytes(view.discarded))
    if view.history:
        _add_play(parts, view)
    if view.trump is not None:
        add(_TRUMP[view.trump])
    if view.maker is not None:
        add(_MAKER[view.maker])
    if view.alone:
        add(_ALONE[len(view.alone)] + bytes(view.alone))
    if view.sitting_out:
        add(_SITTING[len(view.sitting_out)] + bytes(view.sitting_out))
    add(_TRICKS_WON[len(view.tricks_won)] + bytes(view.tricks_won))
    add(_scores(view.scores, view.points))
    if view.redeals:
        add(_REDEALS + varint(view.redeals))
    if view.contract:
        add(_CONTRACT[view.contract])
    if view.widow:
        add(_WIDOW[len(view.widow)] + bytes(view.widow))
    if view.best_card is not None:
        add(_BEST_CARD[view.best_card])
    return b"".join(parts)


def _add_play(parts: list[bytes], view: View) -> None:
    """Adds the actions so far, and the tricks."""
    history, tricks, trick = view.history, view.tricks, view.trick
    seats, kinds, *_ = zip(*history, strict=True)
    size = len(history)
    parts += (
        _H_SEATS[size] + bytes(seats),
        _H_KINDS[size] + bytes(kinds),
        _H_VALUES[size] + bytes(history_values(history)),
    )
    leaders = [done.leader for done in tricks]
    if trick is not None:
        leaders.append(trick.leader)
    if leaders:
        parts.append(_T_LEADERS[len(leaders)] + bytes(leaders))
    if tricks:
        winners = [done.winner for done in tricks if done.winner is not None]
        parts.append(_T_WINNERS[len(winners)] + bytes(winners))
    if trick is not None:
        count = len(trick.cards)  # they are the last plays of the history
        parts.append(_T_CARDS[count] + bytes(trick.cards) + _T_SEATS[count] + bytes(seats[-count:]))


def history_values(history: Iterable[HistoryItem]) -> list[int]:
    """Returns what went with each action; cards put away are in no history, even in one's own."""
    return [
        cards[0] if kind is ActionKind.PLAY else suit or bid
        for _, kind, suit, bid, cards in history
    ]


@lru_cache(maxsize=1024)  # they stay the same throughout a hand
def _scores(scores: tuple[int, ...], points: tuple[int, ...] | None) -> bytes:
    """Returns the scores before the hand, and its points once it is done."""
    if points is None:
        return _SCORES + _numbers(scores)
    before = tuple([score - more for score, more in zip(scores, points, strict=True)])
    return _SCORES + _numbers(before) + _POINTS + _numbers(points)


def _numbers(values: tuple[int, ...]) -> bytes:
    """Returns any numbers as a packed list."""
    return sized(b"".join([varint(value) for value in values]))
