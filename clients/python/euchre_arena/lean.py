"""Owns the views that a LEAN session keeps: what events make of them, and whether they are right.

Events say in terms of cards what changes (docs/protocol.md, Lean views); no rule is known here.
A view whose hash is not the arena's, and one of which events are missing, is asked for anew.
Must not know frames or bots.
"""

from typing import TYPE_CHECKING, Final
from zlib import crc32

from euchre_arena.v1 import event_pb2 as pb
from euchre_arena.v1 import view_pb2

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from euchre_arena.v1 import table_pb2

__all__ = ["KeptViews", "view_hash"]

_FIRST_WITHOUT_ACTION: Final = 64
_FIRST_WITH_LIST: Final = 96
_FIELDS: Final[dict[int, str]] = {
    pb.EVENT_KIND_TRUMP: "trump",
    pb.EVENT_KIND_UPCARD: "upcard_status",
    pb.EVENT_KIND_CONTRACT: "contract",
    pb.EVENT_KIND_BEST_CARD: "best_card",
    pb.EVENT_KIND_HAND: "hand",
    pb.EVENT_KIND_DUMMY: "dummy",
    pb.EVENT_KIND_DISCARDED: "discarded",
    pb.EVENT_KIND_WIDOW: "widow",
    pb.EVENT_KIND_LONE_SEATS: "alone",
    pb.EVENT_KIND_SITTING_OUT: "sitting_out",
}
"""Kinds that say what one field of the view is now."""


class KeptViews:
    """The views of one session's tables.

    Attributes:
        waiting: By table, the decision whose view has been asked for.
    """

    def __init__(self) -> None:
        self.waiting: dict[str, table_pb2.Decision] = {}
        self._kept: dict[str, _Kept] = {}

    def complete(self, decision: "table_pb2.Decision") -> bool:
        """Puts into a decision the view that its events lead to.

        Returns:
            Whether the decision has its view now. If not, it waits until `shown` brings one.
        """
        if not decision.HasField("events"):
            return True  # of a session with FULL views
        events, table_id = decision.events, decision.table_id
        self.waiting.pop(table_id, None)
        if decision.HasField("view"):
            self._kept[table_id] = _Kept(decision.view, events.last)
            return True
        kept = self._kept.get(table_id)
        if kept is None or not kept.follow(events):
            self.waiting[table_id] = decision
            return False
        decision.view.CopyFrom(kept.view)
        return True

    def shown(self, message: pb.TableView) -> "table_pb2.Decision | None":
        """Takes over a view that was asked for; returns the decision that waited for it, if any."""
        if not message.HasField("view"):
            return None
        self._kept[message.table_id] = _Kept(message.view, message.events.last)
        decision = self.waiting.pop(message.table_id, None)
        if decision is not None:
            decision.view.CopyFrom(message.view)
        return decision

    def forget(self, table_id: str) -> None:
        """Forgets a table that is closed."""
        self.waiting.pop(table_id, None)
        self._kept.pop(table_id, None)


class _Kept:
    """The view of one table as far as it has been told."""

    __slots__ = ("last", "view")

    def __init__(self, view: view_pb2.View, last: int) -> None:
        self.view = view_pb2.View()
        self.view.CopyFrom(view)
        self.last = last
        """The number of the last event that the view includes."""

    def follow(self, events: pb.Events) -> bool:
        """Changes the view as events say; returns whether that led where it should."""
        new = events.last - self.last
        count = len(events.kinds)
        if not 0 <= new <= count:
            return False  # some are missing, or these are from before
        try:
            for place, (kind, seat, value, numbers) in enumerate(_each(events)):
                if place >= count - new:
                    self._happened(kind, seat, value, numbers)
        except (ValueError, IndexError):
            return False  # they do not fit the view: something else was missed
        self.last = events.last
        return view_hash(self.view) == events.view_hash

    def _happened(self, kind: int, seat: int, value: int, numbers: list[int]) -> None:
        view: Any = self.view  # its fields are set by name, and by plain numbers
        if kind < _FIRST_WITHOUT_ACTION:
            view.history_seats.append(seat)
            view.history_kinds.append(kind)
            view.history_values.append(value)
            if kind == pb.EVENT_KIND_PLAY:
                self._played(seat, value)
        elif kind == pb.EVENT_KIND_TRICK_WON:
            view.trick_winners.append(seat)
            view.tricks_won[seat] += 1
            del view.trick_cards[:]
            del view.trick_seats[:]
        elif kind == pb.EVENT_KIND_TURN:
            view.to_act = seat
            view.phase = value
        elif kind == pb.EVENT_KIND_MAKER:
            view.maker = seat
        elif kind == pb.EVENT_KIND_CARD_COUNT:
            view.card_counts[seat] = value
        elif field := _FIELDS.get(kind):
            if kind < _FIRST_WITH_LIST:
                setattr(view, field, value)
            else:
                getattr(view, field)[:] = numbers
        # Else a kind of a later arena: then the hash tells whether anything is missing here.

    def _played(self, seat: int, card: int) -> None:
        view: Any = self.view
        if not view.trick_cards:
            view.trick_leaders.append(seat)
        view.trick_cards.append(card)
        view.trick_seats.append(seat)
        view.card_counts[seat] -= 1
        if seat == view.seat:
            view.hand.remove(card)


def _each(events: pb.Events) -> "Iterator[tuple[int, int, int, list[int]]]":
    """Yields every event: its kind, seat and value, and the list that belongs to it."""
    at = 0
    for kind, seat, value in zip(events.kinds, events.seats, events.values, strict=True):
        numbers: list[int] = []
        if kind >= _FIRST_WITH_LIST:
            numbers = list(events.numbers[at : at + value])
            at += value
        yield kind, seat, value, numbers


def view_hash(view: view_pb2.View) -> int:
    """Returns the hash by which arena and bot compare a view."""
    return crc32(view.SerializeToString(deterministic=True)) & 0x7FFF_FFFF
