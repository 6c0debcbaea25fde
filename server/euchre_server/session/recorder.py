"""Owns what the session layer asks of whatever keeps the facts.

Must not know files: `record/store.py` has the one that writes them.
"""

from concurrent.futures import Future
from typing import Protocol

from euchre_server.record.entries import RecordFact

__all__ = ["Recorder", "RecorderFailed"]


class Recorder(Protocol):
    """What keeps the facts."""

    def append(self, table_number: int, at_ms: int, fact: RecordFact) -> None:
        """Takes a fact."""

    def flush(self) -> None:
        """Hands all facts taken so far to the operating system."""

    def durable(self) -> Future[None]:
        """Returns what is done when all that was flushed may be told."""
        ...


class RecorderFailed(Exception):  # noqa: N818  # says what happened
    """The record cannot be written; no table can go on."""
