"""Owns the book-keeping of a record that is being written: numbers, running hashes, play hashes.

Takes facts in and gives entries out, as bytes. Must not know files: `store` writes the bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_server.record.chain import CHAIN_START, link, play_hash, play_preamble
from euchre_server.record.codec import encode
from euchre_server.record.entries import TableOpened
from euchre_server.referee.facts import Acted, HandEnded, HandStarted, TableEnded

if TYPE_CHECKING:
    from euchre_engine import Action, Seat
    from euchre_server.record.entries import Entry, RecordFact

__all__ = ["Ledger"]


class _Table:
    """What the entries to come need to know of a table's entries so far."""

    __slots__ = ("chain", "preamble", "started", "steps")

    def __init__(self) -> None:
        self.chain = CHAIN_START
        self.preamble = ""
        self.started: HandStarted | None = None
        self.steps: list[tuple[Seat, Action]] = []

    def note(self, fact: RecordFact) -> None:
        """Takes in a fact of this table."""
        match fact:
            case Acted():  # by far the most frequent, so it comes first
                self.steps.append((fact.seat, fact.action))
            case HandStarted():
                self.started = fact
                self.steps = []
            case TableOpened():
                self.preamble = play_preamble(fact.rules.game, fact.options)
            case _:
                pass

    def play_hash(self, ended: HandEnded) -> bytes:
        """Returns the play hash of the hand that ended.

        Raises:
            ValueError: No hand was started.
        """
        if self.started is None:
            raise ValueError(f"hand {ended.hand_number} ended without having started")
        return play_hash(
            self.preamble,
            dealer=self.started.dealer,
            deck=self.started.deck,
            scores=self.started.scores,
            redeals=self.started.redeals,
            steps=self.steps,
            points=ended.points,
        )


class Ledger:
    """Turns the facts of one match into the entries of its record, in order."""

    __slots__ = ("_ended", "_open", "entry_count")

    def __init__(self) -> None:
        self.entry_count = 0
        self._open: dict[int, _Table] = {}
        self._ended: dict[int, bytes] = {}

    def enter(self, table_number: int, at_ms: int, fact: RecordFact) -> bytes:
        """Returns the next entry, as bytes.

        Args:
            table_number: The table's, 0 for the match as a whole.
            at_ms: Milliseconds since the table, or the match, began.
            fact: What is recorded.

        Raises:
            ValueError: The table has ended, or a hand ends that was not started.
        """
        table = self._open.get(table_number)
        if table is None:
            if table_number in self._ended:
                raise ValueError(f"table {table_number} has ended; it takes no more facts")
            table = self._open[table_number] = _Table()
        self.entry_count += 1
        match fact:
            case HandEnded():
                payload = encode(
                    self.entry_count,
                    table_number,
                    at_ms,
                    fact,
                    play_hash=table.play_hash(fact),
                    chain_hash=table.chain,
                )
            case TableEnded():
                payload = encode(
                    self.entry_count, table_number, at_ms, fact, chain_hash=table.chain
                )
                del self._open[table_number]
                self._ended[table_number] = link(table.chain, payload)
            case _:
                payload = encode(self.entry_count, table_number, at_ms, fact)
                table.note(fact)
        table.chain = link(table.chain, payload)
        return payload

    def recall(self, entry: Entry) -> None:
        """Takes in an entry that the record holds already.

        Raises:
            ValueError: A table's entry comes after its end.
        """
        number = entry.table_number
        if number in self._ended:
            raise ValueError(f"table {number} had ended")
        table = self._open.setdefault(number, _Table())
        self.entry_count = entry.number
        table.note(entry.fact)
        table.chain = link(table.chain, entry.payload)
        if isinstance(entry.fact, TableEnded):
            del self._open[number]
            self._ended[number] = table.chain

    def table_hashes(self) -> tuple[bytes, ...]:
        """Returns the running hash of every table, by number; empty where there is no table."""
        found = {**self._ended, **{number: table.chain for number, table in self._open.items()}}
        return tuple(found.get(number, b"") for number in range(max(found, default=-1) + 1))
