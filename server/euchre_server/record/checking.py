"""Owns the check of a record in a file: `verify` over what `reader` reads."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from euchre_server.record.entries import MatchSealed
from euchre_server.record.reader import read_last, read_record
from euchre_server.record.verify import verify

if TYPE_CHECKING:
    from pathlib import Path

    from euchre_server.record.verdict import Verdict

__all__ = ["verify_file"]


def verify_file(path: Path) -> Verdict:
    """Returns what a check of the record in a file finds.

    Raises:
        StoreError: The file cannot be opened or read.
    """
    last = read_last(path)
    seal = last.fact if last is not None and isinstance(last.fact, MatchSealed) else None
    return verify(read_record(path), seal, arena_version=version("euchre-arena"))
