"""Owns what one session does at tables: it takes and leaves seats, answers, and asks to be shown.

Each becomes an input of the referee, for a seat that the session itself holds.
Must not know how messages travel (`conversation`), nor what follows from an input (`driver`).
"""

from collections.abc import Iterable

from euchre_engine import Seat, view_for
from euchre_server.referee.inputs import (
    Answered,
    Garbled,
    SeatJoined,
    SeatLeft,
    SeatLost,
    Written,
)
from euchre_server.session import wire
from euchre_server.session.driver import Driver
from euchre_server.session.messages import Answer, Limits
from euchre_server.session.roster import Line, Place
from euchre_server.session.tables import Table

__all__ = ["Desk"]


class Desk:
    """Acts for one session."""

    def __init__(self, driver: Driver, line: Line, limits: Limits) -> None:
        self.line = line
        self._driver = driver
        self._limits = limits

    # Seats

    def join(self, table: Table, seat: Seat) -> None:
        """Seats a session, at once or when it has read what it was told before."""
        self.line.awaited.append((table, seat))
        with self._driver.turn():
            self.fill()

    def fill(self) -> None:
        """Seats a session where it is awaited, as long as there is room for telling it so.

        So a bot that comes back to thousands of tables is told of them as fast as it reads.
        """
        while self.line.awaited and self.line.outbox.has_room:
            table, seat = self.line.awaited.popleft()
            if not table.result.done():
                self._join(table, seat)

    def _join(self, table: Table, seat: Seat) -> None:
        """Seats a session; an earlier one at this seat is fenced off."""
        table.epochs[seat] += 1
        table.lines[seat] = self.line
        self.line.places[table.told.table_id] = Place(table, seat, table.epochs[seat])
        self._driver.feed(table, SeatJoined(self._driver.now(table), seat, table.epochs[seat]))

    def unseat(self, *, left: bool) -> None:
        """Takes a session from all its seats: it was lost, or it left."""
        with self._driver.turn():
            for place in list(self.line.places.values()):
                table = place.table
                at = self._driver.now(table)
                self._driver.feed(
                    table,
                    SeatLeft(at, place.seat, place.epoch)
                    if left
                    else SeatLost(at, place.seat, place.epoch),
                )
                table.lines[place.seat] = None
            self.line.places.clear()
            for table, seat in self.line.awaited:
                self._let_down(table, seat, left=left)
            self.line.awaited.clear()

    def _let_down(self, table: Table, seat: Seat, *, left: bool) -> None:
        """Takes note that a session has gone which had not been told yet of a seat."""
        if left:  # as if it had been told
            table.epochs[seat] += 1
            self._driver.feed(table, SeatJoined(self._driver.now(table), seat, table.epochs[seat]))
            self._driver.feed(table, SeatLeft(self._driver.now(table), seat, table.epochs[seat]))
        else:  # an earlier session may have held the seat until this one fenced it off
            self._driver.feed(table, SeatLost(self._driver.now(table), seat, table.epochs[seat]))

    def fence(self) -> None:
        """Takes a session's seats without a fault: another of the same bot is about to join."""
        for place in self.line.places.values():
            place.table.lines[place.seat] = None
        self.line.places.clear()
        self.line.awaited.clear()

    # Answers and questions

    def awaits(self, answer: Answer) -> bool:
        """Returns whether an answer is to a question that is open to the session."""
        place = self.line.places.get(answer.table_id)
        if place is None:
            return False
        opened = place.table.state.open
        return (
            opened is not None
            and opened.decision_id == answer.decision_id
            and opened.seat == place.seat
        )

    def answered(self, answer: Answer) -> None:
        """Rules an answer; it can only be for a seat that the session itself holds."""
        place = self.line.places.get(answer.table_id)
        if place is None:
            self._driver.counts.rejects["unknown_table"] += 1
            self._driver.say(self.line, wire.unknown_table(answer.table_id, answer.decision_id))
            return
        table = place.table
        at = self._driver.now(table)
        if answer.action is None:
            self._driver.feed(
                table,
                Garbled(
                    at, place.seat, place.epoch, answer.decision_id, answer.unreadable, answer.raw
                ),
            )
            return
        self._driver.feed(
            table,
            Answered(
                at,
                place.seat,
                place.epoch,
                answer.decision_id,
                answer.action,
                # What cannot be is not recorded.
                None if answer.think_ms is None or answer.think_ms < 0 else answer.think_ms,
                self._as_recorded(answer.annotation),
            ),
        )

    def _as_recorded(self, note: str) -> str:
        """Returns a bot's note, cut to what is recorded."""
        limit = self._limits.max_annotation_bytes
        if len(note) * 4 <= limit:
            return note
        return note.encode()[:limit].decode(errors="ignore")

    def show(self, table_id: str) -> None:
        """Sends a session that asks for it its view of a table as it is now.

        Not while a question to it waits to be written: it would think while no clock runs.
        """
        place = self.line.places.get(table_id)
        if place is None:
            self._driver.say(self.line, wire.unknown_table(table_id, 0))
            return
        hand, opened = place.table.state.hand, place.table.state.open
        waits = opened is not None and opened.seat == place.seat and opened.written_ms is None
        view = None if hand is None or waits else view_for(hand, place.seat)
        self.line.outbox.put((self.line.lean or wire).table_view(table_id, view), table_id)
        self._driver.told(self.line, place.table)

    def written(self, decisions: Iterable[tuple[str, int]]) -> None:
        """Starts the clocks of questions that are being handed to the transport."""
        for table_id, decision_id in decisions:
            place = self.line.places.get(table_id)
            if place is not None:
                at = self._driver.now(place.table)
                self._driver.feed(
                    place.table, Written(at, place.seat, place.epoch, decision_id, self.line.rtt_ms)
                )
                if place.table.answered_at is not None:
                    self._driver.counts.turnaround.add(at - place.table.answered_at)
                    place.table.answered_at = None
