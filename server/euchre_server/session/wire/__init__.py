"""Turns the protocol's bytes into values and back: the only package that knows both worlds."""

from euchre_server.session.wire.frames import (
    Undecodable,
    frame,
    goodbye,
    match_ended,
    ping,
    read_frame,
    session_fault,
    welcome,
)
from euchre_server.session.wire.lean import Lean, table_view
from euchre_server.session.wire.matches import (
    match_answer,
    match_created,
    match_page,
    match_update,
    read_order,
    read_states,
)
from euchre_server.session.wire.tables import (
    closed_by_arena,
    rejected,
    seat_message,
    unknown_table,
)

__all__ = [
    "Lean",
    "Undecodable",
    "closed_by_arena",
    "frame",
    "goodbye",
    "match_answer",
    "match_created",
    "match_ended",
    "match_page",
    "match_update",
    "ping",
    "read_frame",
    "read_order",
    "read_states",
    "rejected",
    "seat_message",
    "session_fault",
    "table_view",
    "unknown_table",
    "welcome",
]
