"""Owns the wire form of a view, written by hand: it travels with every decision.

Building the message object field by field costs several times as much as everything else that a
decision needs. Field numbers come from the descriptor, so they are stated in the .proto alone; a
test reads the bytes back with the generated class for every field.
Must not know anything but views.
"""

from collections.abc import Sequence

from euchre_arena.v1.view_pb2 import Phase as PhaseNumber
from euchre_arena.v1.view_pb2 import View as ViewMessage
from euchre_engine import ActionKind
from euchre_engine.state import Phase
from euchre_engine.views import HistoryItem, View
from euchre_server.session.wire.encoding import number_field, sized, sized_field, varint

__all__ = ["PHASE_NUMBERS", "history_value", "view_bytes"]

_NUMBERS = ViewMessage.DESCRIPTOR.fields_by_name
_LIST = {name: sized_field(field.number) for name, field in _NUMBERS.items()}
_CONTRACT = number_field(_NUMBERS["contract"].number)
_BEST_CARD = number_field(_NUMBERS["best_card"].number)
_ONE = {name: number_field(field.number) for name, field in _NUMBERS.items()}

(_HAND, _COUNTS, _DUMMY, _DISCARDED, _WIDOW) = (
    _LIST[name] for name in ("hand", "card_counts", "dummy", "discarded", "widow")
)
(_H_SEATS, _H_KINDS, _H_VALUES) = (
    _LIST[name] for name in ("history_seats", "history_kinds", "history_values")
)
(_T_LEADERS, _T_WINNERS, _T_CARDS, _T_SEATS) = (
    _LIST[name] for name in ("trick_leaders", "trick_winners", "trick_cards", "trick_seats")
)
(_ALONE, _SITTING, _TRICKS_WON, _SCORES, _POINTS) = (
    _LIST[name] for name in ("alone", "sitting_out", "tricks_won", "scores", "points")
)
(_SEAT, _TO_ACT, _DEALER, _HAND_NUMBER, _UPCARD, _STATUS, _TRUMP, _MAKER, _REDEALS) = (
    _ONE[name]
    for name in (
        "seat",
        "to_act",
        "dealer",
        "hand_number",
        "upcard",
        "upcard_status",
        "trump",
        "maker",
        "redeals",
    )
)
PHASE_NUMBERS = {phase: int(PhaseNumber.Value(f"PHASE_{phase.name}")) for phase in Phase}
_PHASE = {phase: _ONE["phase"] + varint(number) for phase, number in PHASE_NUMBERS.items()}


def view_bytes(view: View, *, canonical: bool = False) -> bytes:
    """Returns the view as the body of the protocol's View.

    Args:
        view: The view.
        canonical: Whether its fields come in the order of their numbers: what a view hash is over.
    """
    parts = [_PHASE[view.phase]]
    add = parts.append
    if view.seat is not None:
        add(_SEAT + varint(view.seat))
    if view.to_act is not None:
        add(_TO_ACT + varint(view.to_act))
    if view.dealer:
        add(_DEALER + varint(view.dealer))
    add(_HAND_NUMBER + varint(view.hand_number))
    for field, numbers in (
        (_HAND, view.hand),
        (_COUNTS, view.card_counts),
        (_DUMMY, view.dummy),
        (_DISCARDED, view.discarded),
        (_WIDOW, view.widow),
        (_ALONE, view.alone),
        (_SITTING, view.sitting_out),
        (_TRICKS_WON, view.tricks_won),
    ):
        if numbers:
            add(field + sized(bytes(numbers)))
    if view.upcard is not None:
        add(_UPCARD + varint(view.upcard) + _STATUS + varint(view.upcard_status))
    history = view.history
    if history:
        add(_H_SEATS + sized(bytes([item.seat for item in history])))
        add(_H_KINDS + sized(bytes([item.kind for item in history])))
        add(_H_VALUES + sized(bytes([history_value(item) for item in history])))
    _add_tricks(parts, view)
    if view.trump is not None:
        add(_TRUMP + varint(view.trump))
    if view.maker is not None:
        add(_MAKER + varint(view.maker))
    points = view.points
    if points is None:
        add(_SCORES + _numbers(view.scores))
    else:
        before = [score - more for score, more in zip(view.scores, points, strict=True)]
        add(_SCORES + _numbers(before) + _POINTS + _numbers(points))
    if view.redeals:
        add(_REDEALS + varint(view.redeals))
    if view.contract:
        add(_CONTRACT + varint(view.contract))
    if view.best_card is not None:
        add(_BEST_CARD + varint(view.best_card))
    if canonical:
        # A part begins with its field's tag, and below number 32 these sort as the numbers do.
        parts.sort()
    return b"".join(parts)


def _add_tricks(parts: list[bytes], view: View) -> None:
    tricks, trick = view.tricks, view.trick
    leaders = bytes([done.leader for done in tricks])
    if tricks:
        winners = bytes([done.winner for done in tricks if done.winner is not None])
        parts.append(_T_WINNERS + sized(winners))
    if trick is not None:
        leaders += bytes((trick.leader,))
        # The trick's cards are the last plays of the history.
        seats = bytes([item.seat for item in view.history[-len(trick.cards) :]])
        parts.append(_T_CARDS + sized(bytes(trick.cards)) + _T_SEATS + sized(seats))
    if leaders:
        parts.append(_T_LEADERS + sized(leaders))


def history_value(item: HistoryItem) -> int:
    """Returns what went with an action; cards put away are in no history, not even in one's own."""
    if item.kind is ActionKind.PLAY:
        return item.cards[0]
    return item.suit or item.bid


def _numbers(values: Sequence[int]) -> bytes:
    """Returns any numbers as a packed list."""
    return sized(b"".join([varint(value) for value in values]))
