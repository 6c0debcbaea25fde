"""Owns what happened between two views of one seat, as the protocol's events (docs/protocol.md).

Everything here is drawn from what the seat has been shown and what it is shown now: there is no
state, so an event can tell nothing that a view does not.
Must not know sessions, nor what was sent to whom.
"""

from typing import NamedTuple

from euchre_arena.v1 import event_pb2 as pb
from euchre_engine import ActionKind, Card
from euchre_engine.views import View
from euchre_server.session.wire.encoding import number_field, sized, sized_field, varint
from euchre_server.session.wire.views import PHASE_NUMBERS, history_values

__all__ = ["Happened", "events_between", "events_bytes"]


class Happened(NamedTuple):
    """Events as the protocol's lists; every number in them is less than 128."""

    kinds: bytearray
    seats: bytearray
    values: bytearray
    numbers: bytearray

    def add(self, kind: int, seat: int = 0, value: int = 0) -> None:
        """Adds an event."""
        self.kinds.append(kind)
        self.seats.append(seat)
        self.values.append(value)

    def add_list(self, kind: int, numbers: tuple[int, ...]) -> None:
        """Adds the event that a list is now this."""
        self.add(kind, 0, len(numbers))
        self.numbers.extend(numbers)


def events_between(before: View, after: View) -> Happened | None:
    """Returns what leads from a seat's view to a later one; None where only a whole view can tell.

    That is so where it is not the same hand any more, or the hand is over.
    """
    told = len(before.history)
    if (
        after.to_act is None
        or before.seat != after.seat
        or before.hand_number != after.hand_number
        or before.points is not None
        or before.history != after.history[:told]
    ):
        return None
    happened = Happened(bytearray(), bytearray(), bytearray(), bytearray())
    counts = list(before.card_counts)
    hand = _acted(happened, before, after, counts)
    _changed(happened, before, after)
    if tuple(counts) != after.card_counts:
        for seat, now in enumerate(after.card_counts):
            if counts[seat] != now:
                happened.add(pb.EVENT_KIND_CARD_COUNT, seat, now)
    if hand != after.hand:
        happened.add_list(pb.EVENT_KIND_HAND, after.hand)
    if after.phase is not before.phase or after.to_act != before.to_act:
        happened.add(pb.EVENT_KIND_TURN, after.to_act, PHASE_NUMBERS[after.phase])
    return happened


def _acted(happened: Happened, before: View, after: View, counts: list[int]) -> tuple[Card, ...]:
    """Adds all actions and won tricks; takes played cards off the counts, and off the own hand."""
    hand = before.hand
    tricks = after.tricks
    won = len(before.tricks)
    lying = 0 if before.trick is None else len(before.trick.cards)
    news = after.history[len(before.history) :]
    for item, value in zip(news, history_values(news), strict=True):
        seat = item.seat
        happened.add(item.kind, seat, value)
        if item.kind is not ActionKind.PLAY:
            continue
        counts[seat] -= 1
        if seat == after.seat:
            hand = tuple([card for card in hand if card != value])
        lying += 1
        if won < len(tricks) and lying == len(tricks[won].cards):
            happened.add(pb.EVENT_KIND_TRICK_WON, tricks[won].winner or 0)
            won += 1
            lying = 0
    return hand


def _changed(happened: Happened, before: View, after: View) -> None:
    """Adds what bidding and declaring have fixed, and the cards that came to light for the seat."""
    if after.upcard_status is not before.upcard_status:
        happened.add(pb.EVENT_KIND_UPCARD, 0, after.upcard_status)
    if after.trump is not before.trump:
        happened.add(pb.EVENT_KIND_TRUMP, 0, after.trump or 0)
    if after.maker is not None and after.maker != before.maker:
        happened.add(pb.EVENT_KIND_MAKER, after.maker)
    if after.contract != before.contract:
        happened.add(pb.EVENT_KIND_CONTRACT, 0, after.contract or 0)
    if after.best_card is not before.best_card:
        happened.add(pb.EVENT_KIND_BEST_CARD, 0, after.best_card or 0)
    if after.alone != before.alone:
        happened.add_list(pb.EVENT_KIND_LONE_SEATS, after.alone)
    if after.sitting_out != before.sitting_out:
        happened.add_list(pb.EVENT_KIND_SITTING_OUT, after.sitting_out)
    if after.dummy != before.dummy:
        happened.add_list(pb.EVENT_KIND_DUMMY, after.dummy)
    if after.discarded != before.discarded:
        happened.add_list(pb.EVENT_KIND_DISCARDED, after.discarded)
    if after.widow != before.widow:
        happened.add_list(pb.EVENT_KIND_WIDOW, after.widow)


# The wire form

_LAST = number_field(pb.Events.LAST_FIELD_NUMBER)
_KINDS, _SEATS, _VALUES, _NUMBERS = (
    sized_field(number)
    for number in (
        pb.Events.KINDS_FIELD_NUMBER,
        pb.Events.SEATS_FIELD_NUMBER,
        pb.Events.VALUES_FIELD_NUMBER,
        pb.Events.NUMBERS_FIELD_NUMBER,
    )
)
_HASH = bytes([pb.Events.VIEW_HASH_FIELD_NUMBER << 3 | 5])
"""A number of four bytes, low ones first."""


def events_bytes(last: int, happened: Happened | None, view_hash: int) -> bytes:
    """Returns the body of the protocol's Events."""
    parts = [_LAST + varint(last)] if last else []
    if happened is not None and happened.kinds:
        parts += (
            _KINDS + sized(bytes(happened.kinds)),
            _SEATS + sized(bytes(happened.seats)),
            _VALUES + sized(bytes(happened.values)),
        )
        if happened.numbers:
            parts.append(_NUMBERS + sized(bytes(happened.numbers)))
    if view_hash:
        parts.append(_HASH + view_hash.to_bytes(4, "little"))
    return b"".join(parts)
