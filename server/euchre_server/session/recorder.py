"""Owns what the session layer asks of whatever keeps the facts.

Must not know files: `record/store.py` has the one that writes them.
"""

import hashlib
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Protocol

from euchre_server.record.entries import RecordFact
from euchre_server.referee.spec import TableSpec

__all__ = ["Journal", "Recorder", "RecorderFailed"]


class Recorder(Protocol):
    """What keeps the facts."""

    def append(self, table_number: int, at_ms: int, fact: RecordFact) -> None:
        """Takes a fact."""

    def flush(self) -> None:
        """Hands all facts taken so far to the operating system."""

    def durable(self) -> Future[None]:
        """Returns what is done when all that was flushed may be told."""
        ...


@dataclass(slots=True, eq=False)
class Journal:
    """What keeps the facts of some tables, such as those of a match, and whether it still does."""

    recorder: Recorder
    match_id: str = ""
    """The match whose they are; empty where nobody said."""
    own_ids: bool = False
    """Whether tables of other matches may bear the same ids, since they are dealt from one seed."""
    failure: Exception | None = field(init=False, default=None)
    """Why it keeps nothing any more."""

    def told(self, spec: TableSpec) -> TableSpec:
        """Returns a table under the id by which bots are to know it; it survives a restart."""
        if not self.own_ids:
            return spec
        own = hashlib.sha256(f"table {self.match_id} {spec.table_id}".encode()).hexdigest()
        return replace(spec, table_id=own[: len(spec.table_id)])


class RecorderFailed(Exception):  # noqa: N818  # says what happened
    """The record cannot be written; no table can go on."""
