"""Owns what a check of a record finds: the verdict, in numbers and in words.

Must not know how anything is checked (`verify`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Disagreement", "Finding", "FindingKind", "Verdict", "same"]


class FindingKind(StrEnum):
    """What is wrong with a record."""

    NO_RECORD = "no record"
    DAMAGED = "damaged"
    DISAGREES = "disagrees"
    UNSEALED = "unsealed"


@dataclass(frozen=True, slots=True)
class Finding:
    """The first thing that is wrong."""

    kind: FindingKind
    entry: int | None
    """The number of the entry; None where no single one is meant."""
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was checked, as far as it is good, and what was found."""

    match_id: str | None
    """None where the record does not get that far."""
    sealed: bool
    entries: int
    """Good ones, counted up to the finding."""
    tables: int
    hands: int
    decisions: int
    finding: Finding | None

    @property
    def is_good(self) -> bool:
        """Returns whether the record is sealed and nothing is wrong with it."""
        return self.finding is None

    def __str__(self) -> str:
        counts = (
            f"{_count(self.entries, 'entry', 'entries')}, {_count(self.tables, 'table')}, "
            f"{_count(self.hands, 'hand')} played out, {_count(self.decisions, 'decision')}"
        )
        found = self.finding
        if found is None:
            return f"good: sealed, {counts}"
        match found.kind:
            case FindingKind.NO_RECORD:
                return found.what
            case FindingKind.UNSEALED:
                more = f"; {found.what}" if found.what else ""
                return f"unsealed, {_count(self.entries, 'entry', 'entries')} good{more}"
            case _:
                kept = "sealed but " if self.sealed else ""
                return (
                    f"{kept}{found.kind} at entry {found.entry}: {found.what} "
                    f"({self.entries} good before it)"
                )

    def to_json(self) -> dict[str, object]:
        """Returns the verdict as an object."""
        found = self.finding
        return {
            "match_id": self.match_id,
            "good": self.is_good,
            "sealed": self.sealed,
            "entries": self.entries,
            "tables": self.tables,
            "hands": self.hands,
            "decisions": self.decisions,
            "finding": None
            if found is None
            else {"kind": found.kind.value, "entry": found.entry, "what": found.what},
        }


class Disagreement(Exception):  # noqa: N818  # named by what was found
    """An entry says what cannot be; the message says what, and what would be right."""


def same(what: str, due: object, found: object) -> None:
    """Makes sure that what was found is what is due.

    Raises:
        Disagreement: It is not.
    """
    if due != found:
        raise Disagreement(f"{what} is {_words(found)}, but must be {_words(due)}")


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "nobody"
    return "none" if value is None else str(value)


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
