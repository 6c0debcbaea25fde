"""Owns what can be read of a running arena: numbers only, all taken at one moment.

Nothing here tells of one bot, table or seat. Must not know who reads it.
"""

import copy
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from euchre_server.session.conversation import Conversation
from euchre_server.session.counts import Counts
from euchre_server.session.driver import Driver
from euchre_server.session.turnstile import Turnstile

__all__ = ["Readings", "take_readings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """An arena at one moment."""

    counts: Counts
    """A copy: it does not go on counting."""
    tables: int
    sessions: int
    streams: int
    queue_bytes: int
    """What waits to be written, over all sessions."""
    longest_queue_bytes: int
    """What waits for the one session for which the most does."""
    refused: Mapping[str, int]
    """Calls that were not let in, by reason."""


def take_readings(
    driver: Driver, turnstile: Turnstile, conversations: Collection[Conversation]
) -> Readings:
    """Returns an arena's readings as of now."""
    queues = [conversation.line.outbox.queued_bytes for conversation in conversations]
    return Readings(
        counts=copy.deepcopy(driver.counts),
        tables=len(driver.tables),
        sessions=sum(conversation.is_live for conversation in conversations),
        streams=turnstile.stream_count,
        queue_bytes=sum(queues),
        longest_queue_bytes=max(queues, default=0),
        refused={reason.value.lower(): count for reason, count in turnstile.refused.items()},
    )
