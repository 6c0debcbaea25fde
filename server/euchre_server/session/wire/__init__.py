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
from euchre_server.session.wire.tables import rejected, seat_message, unknown_table

__all__ = [
    "Undecodable",
    "frame",
    "goodbye",
    "match_ended",
    "ping",
    "read_frame",
    "rejected",
    "seat_message",
    "session_fault",
    "unknown_table",
    "welcome",
]
