"""Owns the bots of one match: started, let in, watched while a leg is played, and let go.

A bot that could not be started is told once and not tried again. Must not know tables, schedules
or results.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from euchre_server.launch.command import CommandError
from euchre_server.launch.isolation import Isolation
from euchre_server.launch.process import Patience
from euchre_server.record.entries import MATCH, BotSeated
from euchre_server.session import GoodbyeReason, Secret

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from euchre_server.hosting.bot_plan import BotPlan
    from euchre_server.hosting.seams import Arena, Observer, Recorder
    from euchre_server.launch.launcher import Launcher
    from euchre_server.launch.process import BotProcess
    from euchre_server.match.schedule import Leg
    from euchre_server.match.spec import MatchSpec
    from euchre_server.session import SessionInfo

__all__ = ["Players"]

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
class Players:
    """All who play one match."""

    spec: MatchSpec
    bots: Sequence[BotPlan]
    arena: Arena
    address: str
    launcher: Launcher
    recorder: Recorder
    observer: Observer
    remote_within_s: float
    resumptions: int
    """How often the match was gone on with."""
    halted: asyncio.Event
    """Set when nobody is waited for any more."""
    now_ms: Callable[[], int]
    """Returns the match's time, for the record."""
    _players: list[_Player] = field(init=False)
    _hurried: asyncio.Event = field(init=False, default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._players = [
            _Player(name, self.bots[place % len(self.bots)])
            for place, name in enumerate(self.spec.players)
        ]

    @property
    def failed_bots(self) -> list[str]:
        """Returns the bots that could not be started, or never came."""
        return sorted({player.bot.name for player in self._players if player.failure is not None})

    @property
    def max_tables(self) -> list[int]:
        """Returns how many tables each of those who came holds at once."""
        return [player.max_tables for player in self._players if player.failure is None]

    def hurry(self) -> None:
        """Lets bots have no more time to end, now or later: they are killed."""
        self._hurried.set()

    async def let_in(self, leg: Leg) -> None:
        """Starts the bots of a leg and waits for them; who does not come is given up."""
        letting = [asyncio.create_task(self._let_in(player, leg)) for player in self._players]
        try:
            await asyncio.gather(*letting)
        finally:
            for task in letting:  # where one fails, nobody waits for the others
                task.cancel()
            await asyncio.gather(*letting, return_exceptions=True)
        self.recorder.flush()

    async def let_go(self, reason: GoodbyeReason, text: str, *, last: bool) -> None:
        """Says goodbye to the bots that were started, and ends all of their processes.

        A remote bot keeps its session for the whole match.

        Args:
            reason: Why they go.
            text: The same for a person.
            last: Whether the match goes on no more.
        """
        leaving = [player for player in self._players if last or not player.bot.remote]
        await asyncio.gather(*(self._watched_no_more(player) for player in leaving))
        expected = [player for player in leaving if player.expected]
        saying = asyncio.gather(
            *(self.arena.dismiss(player.name, reason, text) for player in expected)
        )
        hurried = asyncio.create_task(self._hurried.wait())
        try:
            either: tuple[asyncio.Future[Any], ...] = (saying, hurried)
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if saying.done():
                saying.result()
        finally:
            saying.cancel()
            hurried.cancel()
            await asyncio.gather(saying, hurried, return_exceptions=True)
        for player in expected:
            self.arena.forget(player.name)
            player.expected = False
        left = await self.launcher.stop_all(self._hurried)
        if left:
            self.observer.trouble(f"processes {left} of bots could not be ended", "")

    # One of them

    async def _let_in(self, player: _Player, leg: Leg) -> None:
        """Starts a bot and waits until it has dialled in; on failure it forfeits every table."""
        if player.bot.remote and player.expected:
            return
        if player.failure is None:
            player.failure = await self._start(player, leg)
        if player.failure is not None and not self.halted.is_set():
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
            if self.halted.is_set():
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
        others: list[asyncio.Task[object]] = [asyncio.create_task(self.halted.wait())]
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
        text = player.process.exit_text() if player.process is not None else "went away"
        how, colon, cause = text.partition(": ")
        known = self.arena.absence(player.name)
        if known is None:
            return f"it {how} before it dialled in{colon}{cause}"
        return f"it {how} before it was let in: {'; '.join(filter(None, (cause, known)))}"

    async def _failed(self, player: _Player, why: str) -> str:
        """Tells that a bot could not be started, and ends what there is of it."""
        output = ""
        if player.process is not None:
            await player.process.stop(_AT_ONCE)
            output = await player.process.settled_output()
        what = "did not come" if player.bot.remote else "could not be started"
        self._tell(player, f"bot {player.name!r} {what}: {why}", output)
        return why

    async def _watched_no_more(self, player: _Player) -> None:
        """Takes no more note of a bot's process; that it has ended already is still told."""
        watch, player.watch = player.watch, None
        if watch is not None:
            if player.process is not None and player.process.running:
                watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)

    async def _watch(self, player: _Player, process: BotProcess) -> None:
        """Waits for a process that ought not to end while its leg is played."""
        await process.exited()
        why = f"its process {process.exit_text()}"
        self.arena.bot_died(player.name, why)
        self.arena.forget(player.name)
        # The process was the bot: a child that it left, or whoever else has its token, is none.
        output, _ = await asyncio.gather(
            process.settled_output(),
            self.arena.dismiss(player.name, GoodbyeReason.REFUSED, f"the bot is gone: {why}"),
        )
        self._tell(player, f"bot {player.name!r} is gone: {why}", output)

    def _tell(self, player: _Player, sentence: str, output: str) -> None:
        """Tells a bot's trouble once, not in every leg."""
        if not player.troubled:
            player.troubled = True
            if player.bot.isolation(self.launcher.confinement) == Isolation.BWRAP:
                sentence += f" ({_ISOLATED})"
            self.observer.trouble(sentence, output)

    def _label(self, leg: Leg) -> str:
        """Returns what the output of a leg's bots is called."""
        return f"leg{leg.number}" + (f".resumed{self.resumptions}" if self.resumptions else "")

    def _seated(self, player: _Player, leg: Leg, info: SessionInfo) -> None:
        fact = BotSeated(
            bot_name=player.name,
            leg=leg.number,
            bot_version=info.bot_version,
            client_library=info.client_library,
            source=player.bot.source,
            isolation=player.bot.isolation(self.launcher.confinement),
        )
        self.recorder.append(MATCH, self.now_ms(), fact)
