"""An arena without a network for the tests of the match runner: tables end as a test says."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from match_results import a_result

from euchre_engine.games import Game
from euchre_server.launch.launcher import Launcher
from euchre_server.launch.process import Patience
from euchre_server.match.schedule import Leg
from euchre_server.match.tally import Tally
from euchre_server.record.entries import RecordFact
from euchre_server.referee import TableState
from euchre_server.referee.facts import EndCause
from euchre_server.referee.result import TableResult
from euchre_server.referee.spec import TableSpec
from euchre_server.session import GoodbyeReason, Secret, SessionInfo, Standing

__all__ = ["FakeArena", "FakeObserver", "FakeRecorder", "Play", "a_launcher", "a_session", "drawn"]

Play = Callable[[TableSpec], TableResult | Exception | None]
"""Gives a table's result or failure; None keeps it open."""


def drawn(table: TableSpec) -> TableResult:
    """Returns the result of a table at which nobody scored."""
    return a_result(table, tuple(0 for _ in table.bots))


def a_session(
    name: str, *, max_tables: int = 99, games: frozenset[Game] = frozenset(Game)
) -> SessionInfo:
    """Returns what a bot said of itself."""
    return SessionInfo(
        session_id="s",
        bot_name=name,
        bot_version="1",
        client_library="test",
        max_tables=max_tables,
        max_open_decisions=1,
        games=games,
    )


@dataclass(eq=False)
class FakeArena:
    """Lets everybody in who is not listed as absent, and notes all that it is asked."""

    play: Play = drawn
    absent: set[str] = field(default_factory=set)
    absences: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, SessionInfo] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    opened: list[TableSpec] = field(default_factory=list)
    open: dict[int, asyncio.Future[TableResult]] = field(default_factory=dict)
    most_open: int = 0
    on_open: Callable[[TableSpec], None] = lambda _: None
    is_lagging: bool = False

    def expect(self, bot_name: str, token: Secret) -> None:
        """Lets a bot in with this token."""
        assert token.reveal()
        self.log.append(f"expect {bot_name}")

    def forget(self, bot_name: str) -> None:
        """Lets a bot in no longer."""
        self.log.append(f"forget {bot_name}")

    async def wait_joined(self, bot_name: str, timeout_s: float) -> SessionInfo:
        """Waits for a bot."""
        if bot_name in self.absent:
            async with asyncio.timeout(timeout_s):
                await asyncio.Event().wait()
        return self.sessions.get(bot_name, a_session(bot_name))

    def absence(self, bot_name: str) -> str | None:
        """Returns why a bot is not there."""
        return self.absences.get(bot_name)

    def open_table(self, spec: TableSpec) -> asyncio.Future[TableResult]:
        """Opens a table, which ends as the test says in the loop's next pass."""
        future: asyncio.Future[TableResult] = asyncio.get_running_loop().create_future()
        self.opened.append(spec)
        self.open[spec.number] = future
        self.most_open = max(self.most_open, len(self.open))
        asyncio.get_running_loop().call_soon(self._end, spec)
        self.on_open(spec)
        return future

    def resume_table(self, state: TableState, at_ms: int) -> asyncio.Future[TableResult]:
        """Goes on with a table, which ends as the test says."""
        assert at_ms >= 0
        return self.open_table(state.spec)

    def stop_tables(self) -> None:
        """Ends every open table at once."""
        for number, future in list(self.open.items()):
            spec = next(table for table in self.opened if table.number == number)
            future.set_result(
                a_result(spec, tuple(0 for _ in spec.bots), cause=EndCause.STOPPED, winners=())
            )
            del self.open[number]

    def drain_tables(self) -> None:
        """Lets every open table rest."""
        self.abandon_tables()

    def abandon_tables(self) -> None:
        """Lets every open table rest."""
        self.log.append("rest")
        for number in list(self.open):
            self.open.pop(number).cancel()

    def bot_died(self, bot_name: str, text: str) -> None:
        """Notes a death."""
        self.log.append(f"died {bot_name}: {text}")

    async def dismiss(self, bot_name: str, reason: GoodbyeReason, text: str) -> None:
        """Notes a goodbye."""
        assert text
        self.log.append(f"dismiss {bot_name} {reason.name}")

    async def announce_match_end(self, match_id: str, standings: Sequence[Standing]) -> None:
        """Notes the announcement."""
        self.log.append(f"announce {match_id} {[row.bot_name for row in standings]}")

    def _end(self, spec: TableSpec) -> None:
        future = self.open.get(spec.number)
        if future is None:
            return
        match self.play(spec):
            case None:
                return
            case Exception() as error:
                future.set_exception(error)
            case result:
                future.set_result(result)
        del self.open[spec.number]


@dataclass(eq=False)
class FakeRecorder:
    """Keeps what is appended."""

    facts: list[tuple[int, RecordFact]] = field(default_factory=list)

    def append(self, table_number: int, at_ms: int, fact: RecordFact) -> None:
        """Takes a fact."""
        assert at_ms >= 0
        self.facts.append((table_number, fact))

    def flush(self) -> None:
        """Does nothing."""


@dataclass(eq=False)
class FakeObserver:
    """Keeps what it is told."""

    legs: list[Leg] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    remotes: list[tuple[str, str]] = field(default_factory=list)
    tables: int = 0

    def leg_began(self, leg: Leg) -> None:
        """Keeps a leg."""
        self.legs.append(leg)

    def table_ended(self, tally: Tally, board: int) -> None:
        """Counts a table."""
        assert board
        assert tally.decision_count >= 0
        self.tables += 1

    def remote_awaited(self, player: str, address: str, token: str) -> None:
        """Keeps an announcement."""
        assert token
        self.remotes.append((player, address))

    def trouble(self, sentence: str, output: str) -> None:
        """Keeps a trouble."""
        self.troubles.append(sentence)
        self.outputs.append(output)


def a_launcher(folder: Path) -> Launcher:
    """Returns a launcher that does not wait for anybody."""
    return Launcher(folder, patience=Patience(leave_s=0, terminate_s=5))
