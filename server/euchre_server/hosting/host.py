"""Owns the life of all matches of one arena: created, played side by side, taken up, drained.

The records are the truth: what this knows after a restart it has read from them. A match is
recorded before its creation is acknowledged. Must not know protobuf, options or terminals.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from euchre_server.hosting.cancelled import is_marked, mark
from euchre_server.hosting.catalogue import Catalogue
from euchre_server.hosting.deals import Deals
from euchre_server.hosting.hosted import HostedMatch
from euchre_server.hosting.known import Known, known_in
from euchre_server.hosting.order import new_match_id, opening
from euchre_server.hosting.play import MatchPlay
from euchre_server.hosting.room import SharedRoom
from euchre_server.hosting.served_order import served
from euchre_server.record.entries import RecordError
from euchre_server.record.store import RecordWriter
from euchre_server.session import (
    Created,
    MatchOrder,
    MatchPage,
    MatchRefused,
    MatchSnapshot,
    MatchState,
    MatchUpdate,
    Reason,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine, Mapping
    from pathlib import Path

    from structlog.typing import FilteringBoundLogger

    from euchre_server.hosting.play import Stage

__all__ = ["Host", "HostLimits"]

_CUT_WITHIN_S: Final = 10.0
_TOLD_WITHIN_S: Final = 2.0

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLimits:
    """States how much a host takes on."""

    playing: int = 64
    """Matches played side by side; others wait."""
    waiting: int = 256
    watchers: int = 64


@dataclass(slots=True, kw_only=True, eq=False)
class Host:
    """Hosts any number of matches."""

    data: Path
    stage: Stage
    log: FilteringBoundLogger
    limits: HostLimits = field(default_factory=HostLimits)
    draining: bool = field(init=False, default=False)
    _deals: Deals = field(init=False, default_factory=Deals)
    _catalogue: Catalogue = field(init=False)
    _tasks: dict[asyncio.Task[None], HostedMatch] = field(init=False, default_factory=dict)
    _creating: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)
    _making: set[asyncio.Task[Any]] = field(init=False, default_factory=set)
    _begun: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _places: asyncio.Semaphore = field(init=False)
    _room: SharedRoom = field(init=False)

    def __post_init__(self) -> None:
        self._catalogue = Catalogue(most_watchers=self.limits.watchers)
        self._places = asyncio.Semaphore(self.limits.playing)
        loop = asyncio.get_running_loop()
        self._room = SharedRoom(self.stage.arena.max_tables_of, loop.call_soon)

    @property
    def matches(self) -> Mapping[str, HostedMatch]:
        """Returns all matches by their ids."""
        return self._catalogue.matches

    # Life

    async def learn(self) -> None:
        """Learns all served matches of the data folder, and takes up those that are not over.

        Raises:
            StoreError: The folder cannot be read.
        """
        known, passed_over = await asyncio.to_thread(known_in, self.data)
        for left in passed_over:
            self.log.warning("record passed over", record=str(left.path), why=left.why)
        for match in sorted((self._known(each) for each in known), key=lambda match: match.age):
            self._catalogue.enter(match)
        for match in self.matches.values():
            if not match.state.is_over:
                await self._look_at(match)
        self._deals.look()

    def begin(self, address: str) -> None:
        """Begins to play: what was taken up goes on.

        Args:
            address: Where the arena listens.
        """
        self.stage.address = address
        for match in self.matches.values():
            if match.state is MatchState.QUEUED and match not in self._tasks.values():
                self._begin(match)
        self._begun.set()

    def _known(self, known: Known) -> HostedMatch:
        state = MatchState.QUEUED
        if known.sealed:
            state = MatchState.FINISHED if known.complete else MatchState.STOPPED
        match = HostedMatch(
            known=known, spec=known.spec(), deals_of_all=self._deals, log=self.log, state=state
        )
        if is_marked(known.path):
            match.cancel()
        return match

    async def _look_at(self, match: HostedMatch) -> None:
        """Opens an unfinished match, and finds out which deals it uses before any is shown."""
        play = MatchPlay(match=match, stage=self.stage, room=self._room, log=self.log)
        try:
            await play.take_up()
        except RecordError as error:
            await play.rest(error)
            if not match.state.is_over:
                with suppress(RecordError):
                    match.deals = self._deals.enter_unknown(match.known.secret())
            return
        begun = match.begun
        if begun is not None:
            open_boards = {table.state.spec.board for table in begun.open.values()}
            over = filter(begun.tally.is_over, begun.tally.begun_boards())
            match.deals = self._deals.enter(
                match.spec, (board for board in over if board not in open_boards)
            )

    async def drain(self, within_s: float) -> None:
        """Lets hands in play finish and everything else rest, for the next start to go on with.

        Args:
            within_s: After which time the hands that are still played are left as they are.
        """
        self.draining = True
        for match in self._tasks.values():
            match.stopping.set()
            if match.runner is not None:
                match.runner.drain()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=within_s)
        await self.stop()

    async def stop(self, *, hurry: bool = False) -> None:
        """Lets everything rest at once.

        Args:
            hurry: Whether bots are killed, rather than given time to leave.
        """
        self.draining = True
        self._begun.set()
        await asyncio.gather(*self._making, return_exceptions=True)
        for match in self._tasks.values():
            match.stopping.set()
            if match.runner is not None:
                match.runner.abandon()
                if hurry:
                    match.runner.hurry()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=_CUT_WITHIN_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(_TOLD_WITHIN_S):
                for match in self.matches.values():
                    await match.unwatched.wait()

    def _begin(self, match: HostedMatch) -> None:
        task = asyncio.create_task(self._play(match))
        self._tasks[task] = match
        task.add_done_callback(self._tasks.pop)

    async def _play(self, match: HostedMatch) -> None:
        await self._begun.wait()
        play = MatchPlay(match=match, stage=self.stage, room=self._room, log=self.log)
        place = asyncio.create_task(self._places.acquire())
        stopping = asyncio.create_task(match.stopping.wait())
        await asyncio.wait({place, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not place.done():
            place.cancel()
        try:
            if self.draining:
                await play.leave()
            else:
                await play.run()
        finally:
            if not place.cancelled() and place.done():
                self._places.release()

    # What is asked

    async def create(self, order: MatchOrder, created_by: str) -> Created:
        """Creates a match, or returns the one that this order had created.

        Raises:
            MatchRefused: There can be no such match, or not now.
        """
        return await self._whole(self._create(order, created_by))

    async def _whole(self, doing: Coroutine[Any, Any, _T]) -> _T:
        """Does what is asked to its end: a caller who hangs up leaves no half of it."""
        making = asyncio.create_task(doing)
        self._making.add(making)
        making.add_done_callback(self._made_or_not)
        return await asyncio.shield(making)

    def _made_or_not(self, making: asyncio.Task[Any]) -> None:
        self._making.discard(making)
        if not making.cancelled():
            making.exception()  # whoever called is told, if he is still there

    async def _create(self, order: MatchOrder, created_by: str) -> Created:
        async with self._creating:
            before = self._catalogue.made_by(order.request_id)
            if before is None:
                match = self._made(order, created_by)
                await self._record(match)
            else:
                match = before
                await self._check_same(order, before)
        return Created(await match.snapshot(), repeated=before is not None)

    def _made(self, order: MatchOrder, created_by: str) -> HostedMatch:
        spec, plan = served(order, created_by, self.stage)
        if self.draining:
            raise MatchRefused(
                Reason.DRAINING, "the arena is stopping; create the match when it is back"
            )
        if len(self._tasks) >= self.limits.playing + self.limits.waiting:
            raise MatchRefused(
                Reason.TOO_MANY_MATCHES,
                f"{len(self._tasks)} matches are played or wait already; create it later",
            )
        match_id = new_match_id()
        known = Known(
            path=self.stage.record_path(match_id),
            opened=opening(match_id, spec, plan),
            plan=plan,
            sealed=False,
            complete=False,
        )
        return HostedMatch(
            known=known,
            spec=spec,
            deals_of_all=self._deals,
            log=self.log,
            state=MatchState.QUEUED,
        )

    async def _check_same(self, order: MatchOrder, before: HostedMatch) -> None:
        """Makes sure that a repeated order is the same; where its deals are secret, they are."""
        try:
            secret = await asyncio.to_thread(before.known.secret)
        except RecordError as error:
            raise MatchRefused(Reason.NOT_RECORDED, str(error)) from None
        spec, plan = served(order, before.created_by, self.stage, secret=secret)
        as_before = replace(
            plan, isolation=before.known.plan.isolation, limits=before.known.plan.limits
        )
        same = spec == before.known.spec(secret) and as_before == before.known.plan
        if not same:
            raise MatchRefused(
                Reason.REQUEST_ID_REUSED,
                f"request_id {order.request_id!r} created match {before.match_id}, which is "
                "another; choose a new request_id for a new match",
            )

    async def _record(self, match: HostedMatch) -> None:
        """Makes a match's record, and begins it."""
        try:
            match.writer = await asyncio.to_thread(
                RecordWriter.create,
                self.data,
                match.known.opened,
                match.spec.secret,
                fsync=self.stage.fsync,
            )
        except RecordError as error:
            raise MatchRefused(Reason.NOT_RECORDED, str(error)) from None
        match.deals = self._deals.enter(match.spec)
        self._catalogue.enter(match)
        self.log.info("match created", match=match.match_id, by=match.created_by)
        self._begin(match)

    async def get(self, match_id: str) -> MatchSnapshot:
        """Returns a match as it stands.

        Raises:
            MatchRefused: There is none.
        """
        return await self._catalogue.find(match_id).snapshot()

    async def list_matches(
        self, *, page_size: int, page_token: str, states: frozenset[MatchState]
    ) -> MatchPage:
        """Returns matches, the newest first.

        Raises:
            MatchRefused: The page cannot be.
        """
        return await self._catalogue.page(page_size=page_size, page_token=page_token, states=states)

    async def cancel(self, match_id: str) -> MatchSnapshot:
        """Stops a match; one that is over stays as it is.

        Raises:
            MatchRefused: There is none, the arena is stopping, or the disk holds no mark of it.
        """
        match = self._catalogue.find(match_id)
        if not match.state.is_over:
            if self.draining:
                raise MatchRefused(Reason.DRAINING, "the arena is stopping; cancel it afterwards")
            self.log.info("match cancelled", match=match_id)
            await self._whole(self._cancel(match))
        return await match.snapshot()

    async def _cancel(self, match: HostedMatch) -> None:
        """Stops a match that is not over; if it cannot be sealed now, then at the next start."""
        not_kept = None
        try:
            await asyncio.to_thread(mark, match.known.path)
        except RecordError as error:
            not_kept = error  # which matters only where it cannot be sealed now
        match.cancel()
        deserted = match.runner is not None and match.runner.deserted
        if deserted or match.state is MatchState.RESTING:
            await self._played(match)  # it has only just come to rest, or will in a moment
        if match.state is MatchState.RESTING and not self.draining:
            self._begin(match)
            await self._played(match)
        if not_kept is not None and match.state is MatchState.RESTING:
            match.cancelled = False
            match.stopping.clear()
            raise MatchRefused(
                Reason.NOT_RECORDED, f"the match cannot be cancelled now: {not_kept}; {match.note}"
            )

    async def _played(self, match: HostedMatch) -> None:
        """Waits until a match is played no more."""
        tasks = [task for task, other in self._tasks.items() if other is match]
        if tasks:
            await asyncio.wait(tasks)

    def watch(
        self, match_id: str, *, interval_ms: int | None, hands: bool
    ) -> AsyncGenerator[MatchUpdate, None]:
        """Yields how a match stands, at once and whenever that changes, until it is over.

        Raises:
            MatchRefused: There is none, the interval cannot be, or too many watch.
        """
        return self._catalogue.watch(match_id, interval_ms=interval_ms, hands=hands)
