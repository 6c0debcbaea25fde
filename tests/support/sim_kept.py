"""What is on the disk, and what of it may be told.

Owns the check that the record holds what was booked, and loses nothing that anybody was told of.
Must not know how it is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim_brief import brief

from euchre_server.record.entries import Entry, TableOpened
from euchre_server.referee import facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sim_scene import Scene

    Timed = tuple[int, facts.Fact]

__all__ = ["Kept"]


class Kept:
    """Follows the record of a match."""

    def __init__(
        self, scene: Scene, *, durable: bool, synced: Callable[[], int], size: Callable[[], int]
    ) -> None:
        """Begins with an empty record.

        Args:
            scene: The match.
            durable: Whether only what would survive a power cut may be told.
            synced: Tells how many bytes would.
            size: Tells how many bytes the record has.
        """
        self.scene = scene
        self._durable = durable
        self._synced = synced
        self._size = size
        self._unsafe: list[tuple[int, Entry]] = []
        self._may_lose = False

    def power_was_cut(self) -> None:
        """Takes note that what was told may be lost, unless it was to wait for the disk."""
        self._may_lose = not self._durable

    def on_entry(self, entry: Entry) -> None:
        """Takes note of an entry that is on the disk."""
        if not entry.table_number:
            return
        self._unsafe.append((self._size(), entry))
        if isinstance(entry.fact, TableOpened):
            spec = self.scene.specs.get(entry.fact.table_id)
            if spec is None:
                self.scene.violate(f"table {entry.table_number} was opened, but not asked for")
                return
            self.scene.table(spec)
            return
        table = self.scene.numbers[entry.table_number]
        place = len(table.on_disk)
        fact: Any = entry.fact
        found = (entry.at_ms, fact)
        table.on_disk.append(found)
        due = table.booked[place] if place < len(table.booked) else None
        if due != found:
            self.scene.violate(
                f"table {entry.table_number}: entry {entry.number} holds {found}, not {due}"
            )

    def on_cut(self, length: int) -> None:
        """Takes note that the record was cut to this length: a write that failed was taken back."""
        while self._unsafe and self._unsafe[-1][0] > length:
            _, entry = self._unsafe.pop()
            table = self.scene.numbers.get(entry.table_number)
            if table is not None and table.on_disk and not isinstance(entry.fact, TableOpened):
                table.on_disk.pop()

    def make_safe(self) -> None:
        """Lets be told what is safe by now."""
        if not self._unsafe:
            return
        limit = self._synced() if self._durable else None
        while self._unsafe:
            end, entry = self._unsafe[0]
            if limit is not None and end > limit:
                return
            self._unsafe.pop(0)
            self._may_be_told(entry)

    def _may_be_told(self, entry: Entry) -> None:
        table = self.scene.numbers[entry.table_number]
        fact = entry.fact
        if isinstance(fact, TableOpened):
            table.told_open = True
            return
        table.safe += 1
        match fact:
            case facts.HandStarted():
                table.hand = fact.hand_number
            case facts.Acted():
                table.acted[table.hand] += 1
                table.turns[fact.seat] = fact.decision_id
                if fact.actor is facts.Actor.CLOCK:
                    table.timed_out.add((fact.seat, fact.decision_id))
            case facts.Faulted():
                table.faulted.add((fact.seat, fact.decision_id))
            case facts.HandEnded():
                table.hands_over = fact.hand_number
            case facts.TableEnded():
                table.ended = True
            case _:
                pass

    def reload(self, entries: Iterable[Entry]) -> None:
        """Takes note of what a new arena finds in the record."""
        kept: dict[int, list[Timed]] = {}
        opened: set[int] = set()
        for entry in entries:
            if isinstance(entry.fact, TableOpened):
                opened.add(entry.table_number)
            elif entry.table_number:
                fact: Any = entry.fact
                kept.setdefault(entry.table_number, []).append((entry.at_ms, fact))
        for number, table in self.scene.numbers.items():
            found = kept.get(number, [])
            is_lost = len(found) < table.safe or (table.told_open and number not in opened)
            if is_lost and not self._may_lose:
                self.scene.violate(
                    f"table {number}: {table.safe} facts were told, {len(found)} are in the record"
                )
            if [_plain(row) for row in found] != [
                _plain(row) for row in table.booked[: len(found)]
            ]:
                self.scene.violate(f"table {number}: the record holds what was never booked")
            lost = len(table.booked) - len(found)
            self.scene.seen["facts lost with an arena"] += lost
            table.booked = list(found)
            table.on_disk = list(found)
            table.is_open = False
            table.by_clock.clear()
            if lost:
                table.knowledge.clear()
                table.known_until = 0
        self._unsafe, self._may_lose = [], False
        self._settle_safe(kept, opened)

    def _settle_safe(self, kept: dict[int, list[Timed]], opened: set[int]) -> None:
        """Lets all that a new arena has read be told."""
        for number, table in self.scene.numbers.items():
            table.told_open = number in opened
            table.acted.clear()
            table.turns.clear()
            table.safe = table.hand = table.hands_over = 0
            table.ended = False
            for at, fact in kept.get(number, []):
                self._may_be_told(_entry(number, at, fact))


def _plain(row: Timed) -> tuple[object, ...]:
    return brief(*row)


def _entry(number: int, at: int, fact: Any) -> Entry:  # noqa: ANN401  # a fact
    return Entry(number=0, table_number=number, at_ms=at, fact=fact)
