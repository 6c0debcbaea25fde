"""Reads perft files: positions with the number of legal lines of each length.

An entry is an ``id``, a ``position`` on one line (`euchre_engine.notation.parse_position`), and
lines ``perft DEPTH COUNT``; ``#`` begins a comment, an empty line ends the entry.
A line of play that ends the hand before that depth counts once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["PerftEntry", "perft_entries"]

_FOLDER = Path(__file__).parents[1] / "perft"


@dataclass(frozen=True, slots=True)
class PerftEntry:
    """One position with its counts by depth."""

    name: str
    position: str
    counts: dict[int, int]


def perft_entries() -> list[PerftEntry]:
    """Returns the entries of all perft files, in the order of file name and line.

    Raises:
        ValueError: A file is not written as it should be.
    """
    return [
        _entry(f"{path.name}: {block}", block)
        for path in sorted(_FOLDER.glob("*.perft"))
        for block in path.read_text(encoding="utf-8").split("\n\n")
        if _lines(block)
    ]


def _lines(block: str) -> list[str]:
    return [line for line in block.splitlines() if line and not line.startswith("#")]


def _entry(where: str, block: str) -> PerftEntry:
    (first, name), (second, position), *counts = (
        line.split(" ", maxsplit=1) for line in _lines(block)
    )
    if (first, second) != ("id", "position") or {word for word, _ in counts} != {"perft"}:
        raise ValueError(f"an entry is an id, a position and perft lines, in {where}")
    numbers = [rest.split(" ") for _, rest in counts]
    return PerftEntry(name, position, {int(depth): int(count) for depth, count in numbers})
