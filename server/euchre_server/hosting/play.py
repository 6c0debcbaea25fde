"""Owns the playing of one hosted match: its record opened, its runner, its seal.

Whatever goes wrong leaves the match resting, unsealed and with all that was recorded: the next
start goes on with it. Must not know other matches.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from euchre_server.hosting.cancelled import is_marked, unmark
from euchre_server.hosting.known import tables_ended_in
from euchre_server.hosting.outcome import forfeits_of, result_of_match
from euchre_server.hosting.runner import MatchRunner
from euchre_server.launch.isolation import Isolation
from euchre_server.launch.launcher import Launcher
from euchre_server.match.result import sealed_result
from euchre_server.match.spec import canonical_json
from euchre_server.record.entries import RecordError
from euchre_server.record.resume import resume_record
from euchre_server.record.store import RECORD_SUFFIX, Fsync, StoreError, read_secret
from euchre_server.session import MatchState, Party, RecorderFailed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from structlog.typing import FilteringBoundLogger

    from euchre_server.hosting.bot_plan import BotPlan
    from euchre_server.hosting.hosted import HostedMatch
    from euchre_server.hosting.room import SharedRoom
    from euchre_server.launch.isolation import Confinement
    from euchre_server.launch.runs import RunFolder
    from euchre_server.record.store import RecordWriter
    from euchre_server.session import ArenaServer

__all__ = ["MatchPlay", "Stage"]

_LATER = "it is tried again when the arena is started the next time"
_BROKEN = (
    "it goes on when its files are restored from a copy and the arena is started; "
    "`matches cancel` gives it up"
)
_CANCELLED = "cancelled; it is sealed when the arena is started the next time"
_STOPPING = "the arena is stopping; the next start goes on with it"


@dataclass(slots=True, kw_only=True)
class Stage:
    """What all matches of a host are played on."""

    arena: ArenaServer
    address: str = ""
    """Where it listens, once it does."""
    data: Path
    confinement: Confinement
    run: RunFolder
    by_socket: bool
    fsync: Fsync = Fsync.HAND
    """When records reach the disk."""

    def record_path(self, match_id: str) -> Path:
        """Returns where a match's record is."""
        return self.data / f"{match_id}{RECORD_SUFFIX}"

    def launcher(self, match_id: str, isolation: Isolation | None = None) -> Launcher:
        """Returns what starts a match's bots.

        Args:
            match_id: The match.
            isolation: With which it was begun: bots that were not isolated then are not now, since
                what is said of them holds for the whole match.
        """
        confinement = self.confinement
        if isolation is Isolation.NONE:
            confinement = replace(confinement, sandbox=None)
        return Launcher(
            self.data / f"{match_id}.output",
            confinement=confinement,
            run=self.run,
            by_socket=self.by_socket,
            alone=False,
        )

    def check(self, bots: Sequence[BotPlan]) -> None:
        """Makes sure that bots can be started here.

        Raises:
            CommandError: One cannot.
        """
        launcher = self.launcher("check")
        for bot in bots:
            if bot.command is not None:
                launcher.check(bot.name, bot.command)


@dataclass(slots=True, kw_only=True, eq=False)
class MatchPlay:
    """Plays one match, or lets it rest."""

    match: HostedMatch
    stage: Stage
    room: SharedRoom
    log: FilteringBoundLogger

    async def take_up(self) -> None:
        """Opens the record of a match that another arena began.

        Raises:
            RecordError: It cannot be gone on with.
        """
        match = self.match
        match.writer, begun, cut = await asyncio.to_thread(
            resume_record,
            match.known.path,
            arena_version=version("euchre-arena"),
            fsync=self.stage.fsync,
        )
        match.begun, match.spec, match.resumptions = begun, begun.spec, begun.resumptions
        self.log.info(
            "match taken up",
            match=match.match_id,
            tables_ended=len(begun.ended),
            tables_open=len(begun.open),
            bytes_cut=cut,
        )

    async def run(self) -> None:
        """Plays the match until it is over or comes to rest; nothing of it is left running."""
        match = self.match
        try:
            if match.writer is None:
                await self.take_up()
            writer = match.writer
            if writer is not None:
                await self._run(writer)
        except (RecordError, RecorderFailed) as error:
            await self.rest(error)
        except Exception as error:
            self.log.exception("match failed", match=match.match_id)
            match.becomes(MatchState.RESTING, f"internal error: {type(error).__name__}; {_LATER}")
        finally:
            await self._put_away()

    async def rest(self, error: RecordError | RecorderFailed) -> None:
        """Lets a match rest whose record failed; one that is cancelled and cannot go on is over.

        Args:
            error: How it failed.
        """
        match = self.match
        path = match.known.path
        match.tables_read = match.tally.ended_count or await asyncio.to_thread(
            tables_ended_in, path
        )
        broken = _is_broken(path, error)
        if not (match.cancelled and is_marked(path)):
            match.becomes(MatchState.RESTING, f"{error}; {_BROKEN if broken else _LATER}")
        elif broken:
            note = f"cancelled; its record cannot be sealed: {error}"
            match.becomes(MatchState.STOPPED, note, sealed=False)
        else:
            match.becomes(MatchState.RESTING, f"{_CANCELLED}: {error}")

    async def leave(self) -> None:
        """Lets a match rest that has not begun."""
        self.match.becomes(MatchState.RESTING, _STOPPING, drained=True)
        await self._put_away()

    async def _run(self, writer: RecordWriter) -> None:
        match, plan = self.match, self.match.known.plan
        wanted, have = plan.isolation, self.stage.confinement.isolation
        if wanted is Isolation.BWRAP and have is Isolation.NONE and not match.cancelled:
            match.becomes(
                MatchState.RESTING,
                f"it was begun with isolated bots, and goes on with no others; {_LATER}",
            )
            return
        players, bots = match.spec.players, plan.bots
        party = Party(
            self.stage.arena,
            match_id=match.match_id,
            players=players,
            recorder=writer,
            shares_deals=match.spec.public_seed,
            lasting=[p for place, p in enumerate(players) if bots[place % len(bots)].remote],
        )
        async with self.stage.launcher(match.match_id, wanted) as launcher:
            runner = MatchRunner(
                spec=match.spec,
                bots=bots,
                match_id=match.match_id,
                arena=party,
                address=self.stage.address,
                launcher=launcher,
                recorder=writer,
                observer=match,
                room=self.room.claim(party.room_keys),
                remote_within_s=plan.remote_within_s,
                begun=match.begun,
            )
            match.party, match.runner = party, runner
            match.becomes(MatchState.PLAYING)
            if match.cancelled:
                runner.interrupt()
            elif match.stopping.is_set():
                runner.drain()
            try:
                await runner.run()
            finally:
                party.abandon_tables()
                party.close()
        if runner.drained:
            match.becomes(MatchState.RESTING, _STOPPING, drained=True)
            return
        if runner.deserted:
            later = f"none of its bots came to go on with it; {_LATER}"
            match.becomes(MatchState.RESTING, _CANCELLED if match.cancelled else later)
            return
        await self._seal(writer, runner)

    async def _seal(self, writer: RecordWriter, runner: MatchRunner) -> None:
        result = await asyncio.to_thread(_result, runner, writer.path)
        await asyncio.to_thread(writer.seal, result, complete=runner.complete)
        unmark(writer.path)
        if runner.complete:
            self.match.becomes(MatchState.FINISHED, forfeits_of(runner))
        elif runner.interrupted:
            self.match.becomes(MatchState.STOPPED, "cancelled; what was played is kept")
        else:
            self.match.becomes(MatchState.STOPPED, "none of its bots ever came")

    async def _put_away(self) -> None:
        if self.match.state.is_over:  # whatever is asked now, the seal answers
            self.match.runner = self.match.party = self.match.begun = None
        writer, self.match.writer = self.match.writer, None
        if writer is not None:
            try:
                await asyncio.to_thread(writer.close)
            except (RecordError, OSError) as error:
                self.log.warning("record not closed", match=self.match.match_id, error=str(error))


def _result(runner: MatchRunner, record: Path) -> bytes:
    """Returns what the seal is to say of a match; of a long one that takes a while."""
    return canonical_json(sealed_result(result_of_match(runner, record)))


def _is_broken(record: Path, error: RecordError | RecorderFailed) -> bool:
    """Returns whether another try would fail too: what is there cannot be gone on with."""
    if not isinstance(error, (StoreError, RecorderFailed)) or not record.exists():
        return True
    try:
        read_secret(record)
    except StoreError:
        return True
    return False
