"""Owns whether an open file is still where it was opened; must not know what is in it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["is_in_place"]


def is_in_place(path: Path, descriptor: int) -> bool:
    """Returns whether this path leads to the open file, not to another and not to none."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False
