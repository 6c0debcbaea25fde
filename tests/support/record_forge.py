"""Writes records anew with something changed, checksums and hashes made to fit.

What a forger could do who knows the format and everything but the secret's commitment.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from euchre_server.record.chain import HEADER, frame
from euchre_server.record.entries import MatchSealed
from euchre_server.record.ledger import Ledger
from euchre_server.record.reader import read_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from euchre_server.record.entries import Entry, RecordFact

__all__ = ["first", "forge", "positions"]


def forge(path: Path, change: Callable[[Entry], Sequence[RecordFact]]) -> Path:
    """Returns a record beside another one, each of its facts replaced by what `change` gives.

    A seal that is left as it is gets the table hashes of the new entries.
    """
    ledger = Ledger()
    frames = [HEADER]
    for entry in read_record(path):
        for fact in change(entry):
            sealed = fact
            if isinstance(fact, MatchSealed) and fact is entry.fact:
                sealed = replace(fact, table_hashes=ledger.table_hashes())
            # Without its deal the end of a hand has no play hash: it is left out as well.
            with contextlib.suppress(ValueError):
                frames.append(frame(ledger.enter(entry.table_number, entry.at_ms, sealed)))
    forged = path.with_name(f"forged-{path.name}")
    forged.write_bytes(b"".join(frames))
    return forged


def first(
    kind: type[RecordFact], change: Callable[[Any], RecordFact | None], *, skip: int = 0
) -> Callable[[Entry], Sequence[RecordFact]]:
    """Returns a change of one fact of a kind: the first, or that after so many; None drops it."""
    seen = 0

    def changed(entry: Entry) -> Sequence[RecordFact]:
        nonlocal seen
        if not isinstance(entry.fact, kind):
            return (entry.fact,)
        seen += 1
        if seen != skip + 1:
            return (entry.fact,)
        new = change(entry.fact)
        return () if new is None else (new,)

    return changed


def positions(path: Path) -> list[tuple[int, int]]:
    """Returns where each entry of a good record begins and ends, in bytes."""
    found = []
    begin = len(HEADER)
    for entry in read_record(path):
        end = begin + len(frame(entry.payload))
        found.append((begin, end))
        begin = end
    return found
