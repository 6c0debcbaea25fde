"""Owns the course of one match: legs played one after another, everything ended again.

It drives the arena and the record; how bots come and go is the `players`', what follows from the
results is `match`'s, how it looks is the observer's. It knows no terminal and no options.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from euchre_server.hosting.leg import LegPlay
from euchre_server.hosting.players import Players
from euchre_server.hosting.room import OpenRoom
from euchre_server.match.schedule import Leg, Schedule
from euchre_server.match.standings import standings
from euchre_server.match.tally import Tally
from euchre_server.session import GoodbyeReason, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from euchre_server.hosting.bot_plan import BotPlan
    from euchre_server.hosting.seams import Arena, Observer, Recorder, Room
    from euchre_server.launch.launcher import Launcher
    from euchre_server.match.spec import MatchSpec
    from euchre_server.record.unfinished import Unfinished
    from euchre_server.referee.result import TableResult
    from euchre_server.referee.spec import TableSpec

__all__ = ["MatchRunner"]

_STOP_WITHIN_S = 5.0


@dataclass(slots=True, kw_only=True, eq=False)
class MatchRunner:
    """Plays one match."""

    spec: MatchSpec
    bots: Sequence[BotPlan]
    match_id: str
    arena: Arena
    address: str
    launcher: Launcher
    recorder: Recorder
    observer: Observer
    room: Room = field(default_factory=OpenRoom)
    remote_within_s: float = 600.0
    begun: Unfinished | None = None
    """How the match stood when the arena that began it was killed."""
    tally: Tally = field(init=False)
    complete: bool = field(init=False, default=False)
    """Whether the schedule was played to its end."""
    deserted: bool = field(init=False, default=False)
    """Whether it rests since something of it was played, but nobody came to go on.

    An interrupt that comes after that changes nothing: tables may be open in the record.
    """
    _taken_up: set[int] = field(init=False, default_factory=set)
    _players: Players = field(init=False)
    _began: float = field(init=False)
    _interrupts: int = field(init=False, default=0)
    _drained: bool = field(init=False, default=False)
    _halted: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _leg: LegPlay | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.tally = Tally(self.spec) if self.begun is None else self.begun.tally
        self._began = time.monotonic()
        self._players = Players(
            spec=self.spec,
            bots=self.bots,
            arena=self.arena,
            address=self.address,
            launcher=self.launcher,
            recorder=self.recorder,
            observer=self.observer,
            remote_within_s=self.remote_within_s,
            resumptions=0 if self.begun is None else self.begun.resumptions,
            halted=self._halted,
            now_ms=self._now_ms,
        )

    @property
    def seconds(self) -> float:
        """Returns how long the match has taken so far."""
        return time.monotonic() - self._began

    @property
    def interrupted(self) -> bool:
        """Returns whether somebody stopped the match."""
        return self._interrupts > 0

    @property
    def drained(self) -> bool:
        """Returns whether the match rests, for another runner to go on with."""
        return self._drained and not self.complete and not self.interrupted

    @property
    def failed_bots(self) -> list[str]:
        """Returns the bots that could not be started, or never came."""
        return self._players.failed_bots

    def interrupt(self) -> None:
        """Stops the match: open tables end without a result. Asked again, bots are killed."""
        if self.interrupted:
            self.hurry()
        self._interrupts += 1
        self._halted.set()
        if self._leg is not None:
            self._leg.open_no_more()
            self.arena.stop_tables()

    def drain(self) -> None:
        """Lets the hands in play be finished, and no more: another runner goes on from there."""
        self._drained = True
        self._halted.set()
        if self._leg is not None:
            self._leg.open_no_more()
            self.arena.drain_tables()

    def abandon(self) -> None:
        """Lets everything rest at once, as if the arena were killed."""
        self._drained = True
        self._halted.set()
        if self._leg is not None:
            self._leg.open_no_more()
        self.arena.abandon_tables()

    def hurry(self) -> None:
        """Lets bots have no more time to end, now or later: they are killed."""
        self._players.hurry()

    async def run(self) -> None:
        """Plays the match to its end, or until it is interrupted, drained or deserted.

        Raises:
            Exception: Whatever the arena or the record failed with, after the bots have ended.
        """
        try:
            await self._play_rounds()
            if self.drained or self.deserted:
                return
            await self._stop_what_is_left()
            final = await asyncio.to_thread(self._standings)  # other matches are played meanwhile
            await self.arena.announce_match_end(self.match_id, final)
        finally:
            await self._end_leg(last=True)

    async def _play_rounds(self) -> None:
        schedule = Schedule(self.spec)
        current = schedule.first_round()
        began = False
        while True:
            for leg in schedule.legs(current):
                tables = self._left(schedule.tables(leg, self.tally.void))
                first = next(tables, None)
                if first is None:
                    continue  # nothing of this leg is left
                if began:
                    await self._end_leg(last=False)
                began = True
                if self._halted.is_set() or not await self._begin_leg(leg):
                    return
                await self._play_leg(chain((first,), tables))
                if self._halted.is_set():
                    return
            void_count = sum(board in self.tally.void for board in current.boards)
            reserve = schedule.reserve_round(current, void_count)
            if reserve is None:
                self.complete = True
                return
            current = reserve

    def _left(self, tables: Iterator[TableSpec]) -> Iterator[TableSpec]:
        """Yields the tables that have not ended before the match was gone on with."""
        ended = frozenset[int]() if self.begun is None else self.begun.ended
        return (spec for spec in tables if spec.number not in ended)

    def _open_table(self, spec: TableSpec) -> asyncio.Future[TableResult]:
        left = None if self.begun is None else self.begun.open.get(spec.number)
        if left is None:
            return self.arena.open_table(spec)
        self._taken_up.add(spec.number)
        return self.arena.resume_table(left.state, left.at_ms)

    async def _stop_what_is_left(self) -> None:
        """Ends the killed arena's tables that were not taken up: none may stay open in a record.

        There are some where the match is interrupted before their leg.
        """
        if self.begun is not None:
            left = [t for number, t in self.begun.open.items() if number not in self._taken_up]
            results = [self.arena.resume_table(table.state, table.at_ms) for table in left]
            self.arena.stop_tables()
            for result in await asyncio.gather(*results):
                self._count(result)

    # One leg

    async def _begin_leg(self, leg: Leg) -> bool:
        """Starts the bots and waits for them; returns whether there is anything to play."""
        self.observer.leg_began(leg)
        await self._players.let_in(leg)
        if self._halted.is_set():
            return False
        nobody = not self._players.max_tables
        self.deserted = nobody and self._is_begun()
        return not nobody

    def _is_begun(self) -> bool:
        """Returns whether anything of the match was played, by whatever arena."""
        return self.tally.ended_count > 0 or (self.begun is not None and bool(self.begun.open))

    async def _play_leg(self, tables: Iterator[TableSpec]) -> None:
        self._leg = LegPlay(
            tables,
            at_once=max(1, min(self.spec.tables, *self._players.max_tables)),
            room=self.room,
            is_lagging=lambda: self.arena.is_lagging,
            open_table=self._open_table,
            on_result=self._count,
        )
        play = asyncio.create_task(self._leg.play())
        try:
            stop = asyncio.create_task(self._halted.wait())
            await asyncio.wait({play, stop}, return_when=asyncio.FIRST_COMPLETED)
            stop.cancel()
            async with asyncio.timeout(_STOP_WITHIN_S if self.interrupted else None):
                await play
        finally:
            self._leg = None

    def _count(self, result: TableResult) -> None:
        self.tally.add(result)
        self.observer.table_ended(self.tally, result.spec.board)

    async def _end_leg(self, *, last: bool) -> None:
        """Lets the bots go that were started for the leg; after the last one, all."""
        reason, text = GoodbyeReason.DONE, "this leg is over; a new process plays the next"
        if last:
            text = "the match is over"
        if self.drained:
            reason, text = GoodbyeReason.DRAINING, "the arena is stopping"
        await self._players.let_go(reason, text, last=last)

    def _now_ms(self) -> int:
        """Returns the match's time: its record's, gone on with."""
        began_ms = 0 if self.begun is None else self.begun.at_ms
        return began_ms + int(self.seconds * 1000)

    def _standings(self) -> list[Standing]:
        rows = standings(self.spec, self.tally)
        return [Standing(row.bot, row.hands, row.points) for row in rows]
