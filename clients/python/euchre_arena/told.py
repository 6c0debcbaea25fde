"""Owns how what the arena says besides questions becomes plain values.

Must not know sessions or tables.
"""

from typing import TYPE_CHECKING, Final

from euchre_arena.events import (
    BotStanding,
    Goodbye,
    GoodbyeReason,
    Limits,
    MatchEnded,
    SessionFault,
    TimeSpent,
    Welcome,
)

if TYPE_CHECKING:
    from euchre_arena.v1 import arena_service_pb2 as pb
    from euchre_arena.v1 import table_pb2

__all__ = [
    "FRAME_BYTES",
    "goodbye_from_wire",
    "match_ended_from_wire",
    "session_fault_from_wire",
    "time_spent_from_wire",
    "welcome_from_wire",
]

FRAME_BYTES: Final = 65_536
"""How large a frame may be, until Welcome states the limit."""


def welcome_from_wire(message: "pb.Welcome") -> Welcome:
    """Returns the event."""
    limits = message.limits
    return Welcome(
        bot_name=message.bot_name,
        session_id=message.session_id,
        instance_id=message.instance_id,
        limits=Limits(
            max_frame_bytes=limits.max_frame_bytes or FRAME_BYTES,
            max_annotation_bytes=limits.max_annotation_bytes,
            max_name_bytes=limits.max_name_bytes,
            max_queue_bytes=limits.max_queue_bytes,
            max_tables=limits.max_tables,
            max_open_decisions=limits.max_open_decisions,
            max_session_faults=limits.max_session_faults,
            idle_ms=limits.idle_ms,
            max_useless_messages=limits.max_useless_messages,
            useless_per_second=limits.useless_per_second,
        ),
    )


def goodbye_from_wire(message: "pb.Goodbye") -> Goodbye:
    """Returns the event."""
    return Goodbye(
        reason=GoodbyeReason(message.reason),
        text=message.text,
        redial_after_ms=message.redial_after_ms if message.HasField("redial_after_ms") else None,
    )


def time_spent_from_wire(message: "table_pb2.TimeSpent") -> TimeSpent:
    """Returns the value."""
    return TimeSpent(
        decision_id=message.decision_id,
        by_clock=message.by_clock,
        charged_ms=message.charged_ms,
        grace_used_ms=message.grace_used_ms,
        stalled_ms=message.stalled_ms if message.HasField("stalled_ms") else None,
        round_trip_ms=message.round_trip_ms if message.HasField("round_trip_ms") else None,
    )


def session_fault_from_wire(message: "pb.SessionFault") -> SessionFault:
    """Returns the event."""
    return SessionFault(reason=message.reason, text=message.text, fault_count=message.fault_count)


def match_ended_from_wire(message: "pb.MatchEnded") -> MatchEnded:
    """Returns the event."""
    return MatchEnded(
        match_id=message.match_id,
        standings=tuple(
            BotStanding(bot_name=one.bot_name, hand_count=one.hand_count, points=one.points)
            for one in message.standings
        ),
    )
