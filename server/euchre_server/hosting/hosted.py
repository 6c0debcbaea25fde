"""Owns one match of a host: from its record's first entry to its seal, and how it looks meanwhile.

It is the observer of its own runner. Must not know when matches begin, nor who asks.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from euchre_server.hosting.known import sealed_result_of
from euchre_server.hosting.shelf import Shelf
from euchre_server.launch.isolation import Isolation
from euchre_server.match.standings import comparisons, standings
from euchre_server.match.tally import Tally
from euchre_server.record.entries import RecordError
from euchre_server.referee.spec import TableMode
from euchre_server.session import BotRow, MatchProgress, MatchSnapshot, MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from structlog.typing import FilteringBoundLogger

    from euchre_server.hosting.deals import Deals, MatchDeals
    from euchre_server.hosting.known import Known
    from euchre_server.hosting.runner import MatchRunner
    from euchre_server.match.schedule import Leg
    from euchre_server.match.spec import MatchSpec
    from euchre_server.match.standings import Comparison, Standing
    from euchre_server.record.store import RecordWriter
    from euchre_server.record.unfinished import Unfinished
    from euchre_server.referee.facts import FaultKind
    from euchre_server.session import Party

__all__ = ["HostedMatch"]

_TROUBLES: Final = 10
_WITHHELD: Final = "standings are withheld: another match that is not over shares the deals"


@dataclass(slots=True, kw_only=True, eq=False)
class HostedMatch:
    """A match that is served, however far it has come."""

    known: Known
    spec: MatchSpec
    """Without its secret where the match is over."""
    deals_of_all: Deals = field(repr=False)
    log: FilteringBoundLogger = field(repr=False)
    state: MatchState
    note: str = ""
    deals: MatchDeals | None = None
    """None where it was over before this arena began."""
    writer: RecordWriter | None = None
    """Where it has not begun yet: the record that was made for it."""
    runner: MatchRunner | None = None
    party: Party | None = None
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the match is not to begin any more."""
    still: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while it goes on no more: it is over, or rests."""
    unwatched: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while nobody watches."""
    cancelled: bool = False
    tables_read: int = 0
    """Where it cannot be gone on with: how many tables its record tells to have ended."""
    leg: int = 0
    resumptions: int = 0
    troubles: deque[str] = field(default_factory=lambda: deque(maxlen=_TROUBLES))
    shelf: Shelf = field(init=False, repr=False)
    begun: Unfinished | None = None
    """How it stood when this arena took it up."""
    reading: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)
    """Held by whoever reads from the shelf."""
    _counting: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)
    _counted_boards: int = field(init=False, default=-1)
    """How many boards `_counts` are of."""
    _counts: tuple[tuple[Standing, ...], tuple[Comparison, ...]] = field(
        init=False, default=((), ())
    )
    _awaited: list[str] = field(init=False, default_factory=list)
    _watchers: set[asyncio.Event] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self.shelf = Shelf(self.known.path)
        self.unwatched.set()
        self._note_whether_still()

    @property
    def match_id(self) -> str:
        """Returns the match's id."""
        return self.known.opened.match_id

    @property
    def created_by(self) -> str:
        """Returns whose token had it created."""
        return "" if self.known.plan.hosted is None else self.known.plan.hosted.created_by

    @property
    def tally(self) -> Tally:
        """Returns the count of its tables, as far as this arena has it."""
        if self.runner is not None:
            return self.runner.tally
        return Tally(self.spec) if self.begun is None else self.begun.tally

    @property
    def age(self) -> tuple[int, str]:
        """Returns what matches are listed by."""
        return self.known.opened.started_unix_ms, self.match_id

    # Watchers

    def watched_by(self, watcher: asyncio.Event) -> None:
        """Sets this event whenever something has changed."""
        self._watchers.add(watcher)
        self.unwatched.clear()

    def unwatched_by(self, watcher: asyncio.Event) -> None:
        """Sets it no longer."""
        self._watchers.discard(watcher)
        if not self._watchers:
            self.unwatched.set()

    @property
    def watcher_count(self) -> int:
        """Returns how many there are."""
        return len(self._watchers)

    def becomes(
        self, state: MatchState, note: str = "", *, drained: bool = False, sealed: bool = True
    ) -> None:
        """Takes note of how far the match has come.

        Args:
            state: How far.
            note: What else is to be said of that.
            drained: Whether it rests because the arena stops, and for no failure.
            sealed: Of one that is over: whether its record could be sealed.
        """
        self.state, self.note = state, note
        self._note_whether_still()
        if state.is_over:
            self.known = replace(self.known, sealed=sealed, complete=state is MatchState.FINISHED)
            if self.deals is not None:
                self.deals_of_all.match_over(self.deals, self.tally.begun_boards())
        failed = not sealed or (state is MatchState.RESTING and not drained)
        log = self.log.warning if failed else self.log.info
        log("match state", match=self.match_id, state=state.name.lower(), note=note or None)
        self.changed()

    def _note_whether_still(self) -> None:
        if self.state.is_over or self.state is MatchState.RESTING:
            self.still.set()
        else:
            self.still.clear()

    def cancel(self) -> None:
        """Stops the match, or has it stopped as soon as it is taken up."""
        self.cancelled = True
        self.stopping.set()
        if self.runner is not None:
            self.runner.interrupt()

    def changed(self) -> None:
        """Tells watchers that something has."""
        for watcher in self._watchers:
            watcher.set()

    # What the runner tells

    def leg_began(self, leg: Leg) -> None:
        """Takes note of a leg."""
        self.leg = leg.number
        self.changed()

    def table_ended(self, tally: Tally, board: int) -> None:
        """Takes note of a table's end; its board may be over with it."""
        open_boards = set[int]() if self.party is None else self.party.open_boards
        if self.deals is not None and tally.is_over(board) and board not in open_boards:
            self.deals_of_all.board_over(self.deals, board)
        self.changed()

    def remote_awaited(self, player: str, address: str, token: str) -> None:
        """Takes note of who is waited for; a connected bot has a token of its own."""
        del address, token
        self._awaited.append(player)
        self.changed()

    def trouble(self, sentence: str, output: str) -> None:
        """Takes note of a trouble; what a bot printed is for the log."""
        self.troubles.append(sentence)
        self.log.warning("match trouble", match=self.match_id, text=sentence, output=output or None)
        self.changed()

    # How it looks

    async def snapshot(self, *, brief: bool = False) -> MatchSnapshot:
        """Returns how the match stands, as everybody may see it.

        Args:
            brief: Whether standings and comparisons are left out.
        """
        if self.state.is_over and self.known.sealed:
            return await asyncio.to_thread(self._sealed, brief=brief)
        released = frozenset() if self.deals is None else frozenset(self.deals.released)
        tally = self.tally
        faults = {bot: dict(f) for bot, f in zip(self.spec.bots, tally.faults, strict=True)}
        base = self._base(
            self._progress(
                tables_ended=tally.ended_count or self.tables_read,
                released=len(released),
                complete=tally.complete_count,
            ),
            {} if brief else faults,
        )
        if brief:
            return base
        rows, pairs = await self._counted(tally, released)
        return replace(base, standings=rows, comparisons=pairs)

    async def _counted(
        self, tally: Tally, released: frozenset[int]
    ) -> tuple[tuple[Standing, ...], tuple[Comparison, ...]]:
        """Returns what the released boards amount to; whoever looks meanwhile is told the same.

        They do not change any more, but become more: nothing is counted twice.
        """
        async with self._counting:
            if self._counted_boards < len(released):
                # The copy is made here, between two tables; what is computed from it is not.
                shown = tally.only(released)
                self._counts = await asyncio.to_thread(_count, self.spec, shown)
                self._counted_boards = len(released)
            return self._counts

    def _sealed(self, *, brief: bool) -> MatchSnapshot:
        try:
            result = sealed_result_of(self.known.path)
        except RecordError as error:
            return replace(self._base(self._progress(0, 0, 0), {}), note=str(error))
        withheld = self.deals_of_all.in_use(result.secret)
        progress = self._progress(
            tables_ended=result.tables_ended,
            released=0 if withheld else result.boards,
            complete=result.boards,
        )
        shown = self._base(progress, {} if brief else result.faults)
        if withheld:
            return replace(shown, note="; ".join(filter(None, (shown.note, _WITHHELD))))
        if brief:
            return shown
        return replace(shown, standings=result.standings, comparisons=result.comparisons)

    def _progress(self, tables_ended: int, released: int, complete: int) -> MatchProgress:
        return MatchProgress(
            table_count=self.spec.boards * self.spec.field.seating_count,
            tables_ended=tables_ended,
            tables_open=0 if self.party is None else self.party.open_count,
            boards_released=released,
            boards_withheld=max(0, complete - released),
            leg=self.leg,
            resumptions=self.resumptions,
        )

    def _base(
        self, progress: MatchProgress, faults: Mapping[str, Mapping[FaultKind, int]]
    ) -> MatchSnapshot:
        spec = self.spec
        is_isolated = self.known.plan.isolation is Isolation.BWRAP
        return MatchSnapshot(
            match_id=self.match_id,
            state=self.state,
            note=self.note or self._waits_for(),
            rules=spec.rules,
            bots=tuple(
                BotRow(bot.name, bot.source, not bot.remote and is_isolated)
                for bot in self.known.plan.bots
            ),
            is_games=spec.mode is TableMode.GAME,
            boards=spec.boards,
            seatings=spec.seatings,
            tables=spec.tables,
            clock=spec.clock,
            policy=spec.policy,
            rated=spec.rated,
            public_seed=spec.public_seed,
            commitment=self.known.opened.commitment,
            created_unix_ms=self.known.opened.started_unix_ms,
            created_by=self.created_by,
            progress=progress,
            faults=faults,
            troubles=tuple(self.troubles),
        )

    def _waits_for(self) -> str:
        if self.party is None or self.state is not MatchState.PLAYING:
            return ""
        absent = [player for player in self._awaited if not self.party.is_there(player)]
        known = [(player, self.party.absence(player)) for player in absent]
        told = [player if why is None else f"{player} ({why})" for player, why in known]
        return f"waiting for {', '.join(told)}" if told else ""


def _count(spec: MatchSpec, tally: Tally) -> tuple[tuple[Standing, ...], tuple[Comparison, ...]]:
    return tuple(standings(spec, tally)), tuple(comparisons(spec, tally))
