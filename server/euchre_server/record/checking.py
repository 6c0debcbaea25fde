"""Owns the check of a record in a file: `verify` over what `reader` reads."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from euchre_server.record.reader import read_record, read_seal
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
    return verify(read_record(path), read_seal(path), arena_version=version("euchre-arena"))
