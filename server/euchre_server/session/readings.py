"""Owns what can be read of a running arena: numbers only, all taken at one moment.

Nothing here tells of one bot, table or seat. Must not know who reads it.
"""

import copy
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from euchre_server.session.conversation import Conversation
from euchre_server.session.counts import Counts
from euchre_server.session.driver import Driver
from euchre_server.session.turnstile import Turnstile

__all__ = ["Readings", "take_readings"]

_CHUNK: Final = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """An arena at one moment."""

    counts: Counts
    """A copy: it does not go on counting."""
    tables: int
    sessions: int
    streams: int
    queue_bytes: int
    """What waits to be written, over all sessions, in whole chunks of 64 KiB."""
    longest_queue_bytes: int
    """What waits for the one session for which the most does, likewise."""
    refused: Mapping[str, int]
    """Calls that were not let in, by reason."""


def _about(size: int) -> int:
    """Returns a size without its fine parts: a question's length tells how many choices it has."""
    return size - size % _CHUNK


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
        queue_bytes=_about(sum(queues)),
        longest_queue_bytes=_about(max(queues, default=0)),
        refused={reason.value.lower(): count for reason, count in turnstile.refused.items()},
    )
