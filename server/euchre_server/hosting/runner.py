"""Owns the course of one match: bots started and let in, legs played, everything ended again.

It drives the arena, the bots' processes and the record; what follows from the results is `match`'s,
how it looks is the observer's. It knows no terminal and no options.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from euchre_server.hosting.leg import LegPlay
from euchre_server.hosting.outcome import identities_of, isolation_of
from euchre_server.hosting.room import OpenRoom
from euchre_server.launch.command import CommandError
from euchre_server.launch.isolation import Isolation
from euchre_server.launch.process import Patience
from euchre_server.match.schedule import Leg, Schedule
from euchre_server.match.standings import standings
from euchre_server.match.tally import Tally
from euchre_server.record.entries import MATCH, BotSeated
from euchre_server.session import GoodbyeReason, Secret, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from euchre_server.hosting.bot_plan import BotPlan
    from euchre_server.hosting.seams import Arena, Observer, Recorder, Room
    from euchre_server.launch.launcher import Launcher
    from euchre_server.launch.process import BotProcess
    from euchre_server.match.result import BotIdentity
    from euchre_server.match.spec import MatchSpec
    from euchre_server.record.unfinished import Unfinished
    from euchre_server.referee.result import TableResult
    from euchre_server.referee.spec import TableSpec
    from euchre_server.session import SessionInfo

__all__ = ["MatchRunner"]

_STOP_WITHIN_S = 5.0
_ISOLATED = "it ran isolated: no network, read-only files; see docs/isolation.md"
_AT_ONCE = Patience(leave_s=0, terminate_s=0)


@dataclass(slots=True, eq=False)
class _Player:
    """One seat's worth of a bot: a process of its own in each leg, unless it is remote."""

    name: str
    bot: BotPlan
    process: BotProcess | None = None
    watch: asyncio.Task[None] | None = None
    max_tables: int = 0
    expected: bool = False  # the arena knows a token for it
    failure: str | None = None  # why it could not be started, for the rest of the match
    troubled: bool = False  # its trouble has been told


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
    _taken_up: set[int] = field(init=False, default_factory=set)
    _players: list[_Player] = field(init=False)
    _began: float = field(init=False)
    _interrupts: int = field(init=False, default=0)
    _drained: bool = field(init=False, default=False)
    _halted: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _leg: LegPlay | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.tally = Tally(self.spec) if self.begun is None else self.begun.tally
        self._players = [
            _Player(name, self.bots[place % len(self.bots)])
            for place, name in enumerate(self.spec.players)
        ]
        self._began = time.monotonic()

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
        """Returns the bots that could not be started."""
        return sorted({player.bot.name for player in self._players if player.failure is not None})

    def identities(self) -> tuple[BotIdentity, ...]:
        """Returns what plays under each name."""
        return identities_of(self.bots, self.launcher.confinement)

    def interrupt(self) -> None:
        """Stops the match: open tables end without a result. Asked again, bots are killed."""
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

    async def run(self) -> None:
        """Plays the match to its end, or until it is interrupted or drained.

        Raises:
            Exception: Whatever the arena or the record failed with, after the bots have ended.
        """
        try:
            await self._play_rounds()
            if self.drained:
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

        There are some where the match is interrupted, or no bot can be started, before their leg.
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
        letting = [asyncio.create_task(self._let_in(player, leg)) for player in self._players]
        try:
            await asyncio.gather(*letting)
        finally:
            for task in letting:  # where one fails, nobody waits for the others
                task.cancel()
            await asyncio.gather(*letting, return_exceptions=True)
        self.recorder.flush()
        return not self._halted.is_set() and any(player.failure is None for player in self._players)

    async def _play_leg(self, tables: Iterator[TableSpec]) -> None:
        present = [player.max_tables for player in self._players if player.failure is None]
        self._leg = LegPlay(
            tables,
            at_once=max(1, min(self.spec.tables, *present)),
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
        """Says goodbye to the bots that were started, and ends all of their processes.

        A remote bot keeps its session for the whole match.
        """
        leaving = [player for player in self._players if last or not player.bot.remote]
        for player in leaving:
            if player.watch is not None:
                player.watch.cancel()
                player.watch = None
        reason, text = GoodbyeReason.DONE, "this leg is over; a new process plays the next"
        if last:
            text = "the match is over"
        if self.drained:
            reason, text = GoodbyeReason.DRAINING, "the arena is stopping"
        expected = [player for player in leaving if player.expected]
        await asyncio.gather(*(self.arena.dismiss(each.name, reason, text) for each in expected))
        for player in expected:
            self.arena.forget(player.name)
            player.expected = False
        left = await self.launcher.stop_all(_AT_ONCE if self._interrupts > 1 else None)
        if left:
            self.observer.trouble(f"processes {left} of bots could not be ended", "")

    # One bot

    async def _let_in(self, player: _Player, leg: Leg) -> None:
        """Starts a bot and waits until it has dialled in; on failure it forfeits every table."""
        if player.bot.remote and player.expected:
            return
        if player.failure is None:
            player.failure = await self._start(player, leg)
        if player.failure is not None and not self._halted.is_set():
            self.arena.bot_died(player.name, player.failure)

    async def _start(self, player: _Player, leg: Leg) -> str | None:
        """Returns None once the bot is there, else why it is not."""
        token = Secret.fresh()
        self.arena.expect(player.name, token)
        player.expected = True
        if player.bot.command is None:
            self.observer.remote_awaited(player.name, self.address, token.reveal())
            within_s = self.remote_within_s
        else:
            within_s = self.spec.join_within_ms / 1000
            try:
                player.process = self.launcher.start(
                    player.name,
                    player.bot.command,
                    server=self.address,
                    token=token.reveal(),
                    label=self._label(leg),
                )
            except CommandError as error:
                return await self._failed(player, str(error))
        try:
            info = await self._joined(player, within_s)
        except TimeoutError:
            return await self._failed(player, self._overdue(player, within_s))
        if info is None:
            if self._halted.is_set():
                return None
            return await self._failed(player, self._exit_of(player))
        if info.games and self.spec.rules.game not in info.games:
            why = f"it does not play {self.spec.rules.game}"
            await self.arena.dismiss(player.name, GoodbyeReason.REFUSED, why)
            return await self._failed(player, why)
        player.max_tables = info.max_tables
        self._seated(player, leg, info)
        if player.process is not None:
            player.watch = asyncio.create_task(self._watch(player, player.process))
        return None

    async def _joined(self, player: _Player, within_s: float) -> SessionInfo | None:
        """Returns what a bot said of itself; None when it ended, or the match was stopped, first.

        Raises:
            TimeoutError: It is not there in time.
        """
        join = asyncio.create_task(self.arena.wait_joined(player.name, within_s))
        others: list[asyncio.Task[object]] = [asyncio.create_task(self._halted.wait())]
        if player.process is not None:
            others.append(asyncio.create_task(player.process.exited()))
        try:
            await asyncio.wait({join, *others}, return_when=asyncio.FIRST_COMPLETED)
            return join.result() if join.done() else None
        finally:
            for task in (join, *others):
                task.cancel()
            await asyncio.gather(join, *others, return_exceptions=True)

    def _overdue(self, player: _Player, within_s: float) -> str:
        known = self.arena.absence(player.name)
        if known is None:
            return f"it did not dial in within {within_s:g} s"
        return f"it was not let in within {within_s:g} s: {known}"

    def _exit_of(self, player: _Player) -> str:
        how = player.process.exit_text() if player.process is not None else "went away"
        known = self.arena.absence(player.name)
        if known is None:
            return f"it {how} before it dialled in"
        return f"it {how} before it was let in: {known}"

    async def _failed(self, player: _Player, why: str) -> str:
        """Tells that a bot could not be started, and ends what there is of it."""
        output = ""
        if player.process is not None:
            await player.process.stop(_AT_ONCE)
            output = await player.process.settled_output()
        what = "did not come" if player.bot.remote else "could not be started"
        self._tell(player, f"bot {player.name!r} {what}: {why}", output)
        return why

    async def _watch(self, player: _Player, process: BotProcess) -> None:
        """Waits for a process that ought not to end while its leg is played."""
        await process.exited()
        why = f"its process {process.exit_text()}"
        self.arena.bot_died(player.name, why)
        output = await process.settled_output()
        self._tell(player, f"bot {player.name!r} is gone: {why}", output)

    def _tell(self, player: _Player, sentence: str, output: str) -> None:
        """Tells a bot's trouble once, not in every leg."""
        if not player.troubled:
            player.troubled = True
            if isolation_of(player.bot, self.launcher.confinement) == Isolation.BWRAP:
                sentence += f" ({_ISOLATED})"
            self.observer.trouble(sentence, output)

    def _label(self, leg: Leg) -> str:
        """Returns what the output of a leg's bots is called."""
        resumptions = 0 if self.begun is None else self.begun.resumptions
        return f"leg{leg.number}" + (f".resumed{resumptions}" if resumptions else "")

    # The record

    def _seated(self, player: _Player, leg: Leg, info: SessionInfo) -> None:
        fact = BotSeated(
            bot_name=player.name,
            leg=leg.number,
            bot_version=info.bot_version,
            client_library=info.client_library,
            source=player.bot.source,
            isolation=isolation_of(player.bot, self.launcher.confinement),
        )
        began_ms = 0 if self.begun is None else self.begun.at_ms
        self.recorder.append(MATCH, began_ms + int(self.seconds * 1000), fact)

    def _standings(self) -> list[Standing]:
        rows = standings(self.spec, self.tally)
        return [Standing(row.bot, row.hands, row.points) for row in rows]
