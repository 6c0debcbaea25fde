"""Owns what a LEAN session has been told of its tables' views, and how it is told what is new.

A decision carries what has happened since the view before, and a hash of the view that this leads
to; the whole view where nothing was told before, or it is another hand. What is kept is one view a
table, for as long as the session sits there; a session that comes back begins with nothing.
Must not know what a table is, beyond the views that a seat was to be sent anyway.
"""

from typing import NamedTuple
from zlib import crc32

from euchre_arena.v1 import event_pb2, table_pb2
from euchre_engine import Seat
from euchre_engine.views import View
from euchre_server.referee.outputs import Ask, Message, Seated
from euchre_server.referee.spec import TableSpec
from euchre_server.session.wire.encoding import sized, sized_field
from euchre_server.session.wire.events import events_between, events_bytes
from euchre_server.session.wire.frames import said
from euchre_server.session.wire.tables import decision, seat_message
from euchre_server.session.wire.views import view_bytes

__all__ = ["Lean", "table_view", "view_hash"]

_D = table_pb2.Decision
_VIEW = sized_field(_D.VIEW_FIELD_NUMBER)
_EVENTS = sized_field(_D.EVENTS_FIELD_NUMBER)
_SHOWN_VIEW = sized_field(event_pb2.TableView.VIEW_FIELD_NUMBER)
_SHOWN_EVENTS = sized_field(event_pb2.TableView.EVENTS_FIELD_NUMBER)


class _Told(NamedTuple):
    """How far a session has been told of a table."""

    view: View
    last: int
    """The number of its last event."""


def view_hash(canonical: bytes) -> int:
    """Returns a view's hash: its CRC-32 without the highest bit (docs/protocol.md, View hash)."""
    return crc32(canonical) & 0x7FFF_FFFF


def table_view(table_id: str, view: View | None) -> bytes:
    """Returns the answer to a request for a view, for a session that gets FULL ones."""
    seen = b"" if view is None else _SHOWN_VIEW + sized(view_bytes(view))
    return _shown(table_id, seen)


def _shown(table_id: str, seen: bytes) -> bytes:
    head = event_pb2.TableView(table_id=table_id).SerializeToString()
    return said("view", head + seen)


class Lean:
    """Says to a LEAN session what concerns its tables."""

    __slots__ = ("_told",)

    def __init__(self) -> None:
        self._told: dict[str, _Told] = {}

    def seat_message(self, spec: TableSpec, seat: Seat, message: Message) -> bytes:
        """Returns a message of the referee to a seat."""
        table_id = spec.table_id
        match message:
            case Ask():
                return decision(table_id, message, self._news(table_id, message.view))
            case Seated():
                self.forget(table_id)
            case _:
                pass
        return seat_message(spec, seat, message)

    def forget(self, table_id: str) -> None:
        """Forgets a table at which the session sits no more."""
        self._told.pop(table_id, None)

    def table_view(self, table_id: str, view: View | None) -> bytes:
        """Returns the answer to a request for a view: what is told next goes on from there."""
        if view is None:
            return table_view(table_id, None)
        canonical = view_bytes(view)
        told = self._told.get(table_id)
        last = 0 if told is None else told.last
        self._told[table_id] = _Told(view, last)
        mark = events_bytes(last, None, view_hash(canonical))
        return _shown(table_id, _SHOWN_VIEW + sized(canonical) + _SHOWN_EVENTS + sized(mark))

    def _news(self, table_id: str, view: View) -> bytes:
        """Returns the fields of a decision that tell what the seat knows now."""
        canonical = view_bytes(view)
        told = self._told.get(table_id)
        happened = None if told is None else events_between(told.view, view)
        last = 0 if told is None else told.last
        seen = b""
        if happened is None:
            seen = _VIEW + sized(canonical)
        else:
            last += len(happened.kinds)
        self._told[table_id] = _Told(view, last)
        return seen + _EVENTS + sized(events_bytes(last, happened, view_hash(canonical)))
