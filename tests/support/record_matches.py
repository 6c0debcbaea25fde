"""Writes records of whole matches: the real referee over a made-up clock, seeded random players.

Owns who answers what and when. No network, no processes: what a driver would do in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice, zip_longest
from random import Random
from typing import TYPE_CHECKING

from euchre_engine import (
    Alone,
    Best,
    Bid,
    Bury,
    Call,
    Card,
    Discard,
    Keep,
    Name,
    Order,
    Pass,
    Play,
    Suit,
    flat,
    make_ruleset,
)
from euchre_engine.deal import secret_from_seed
from euchre_server.match.result import BotIdentity, match_result, sealed_result
from euchre_server.match.schedule import Schedule
from euchre_server.match.spec import MatchSpec, canonical_json
from euchre_server.match.tally import Tally
from euchre_server.record.entries import BotSeated, MatchOpened, TableOpened
from euchre_server.record.store import Fsync, RecordWriter
from euchre_server.referee import inputs, opening, outputs, result_of, step
from euchre_server.referee.facts import FaultKind

if TYPE_CHECKING:
    from pathlib import Path

    from euchre_engine import Action, Seat
    from euchre_engine.legal import LegalSet
    from euchre_server.match.schedule import Round
    from euchre_server.referee.facts import Fact
    from euchre_server.referee.result import TableResult
    from euchre_server.referee.spec import TableSpec

__all__ = ["Behaviour", "match_spec", "play_table", "write_match"]

NAMES = ("ann", "bob", "cleo", "dan", "eve", "fay", "gus")
STARTED_UNIX_MS = 1_790_000_000_000


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How often (of 1) the bots do what they should not, and notes they send."""

    timeout: float = 0.0
    illegal: float = 0.0
    garbled: float = 0.0
    stale: float = 0.0
    lost: float = 0.0
    left: float = 0.0
    died: float = 0.0
    arena_fault: float = 0.0
    stopped: float = 0.0
    stalled: float = 0.0
    passing: float = 0.0
    """How often a bot that may pass does so without looking further."""
    note: str = ""
    absent: frozenset[int] = field(default_factory=frozenset)
    """Seats that never join."""


def match_spec(preset: str = "three-handed", *, boards: int = 2, **changes: object) -> MatchSpec:
    """Returns a small match of random players with a secret known to the tests."""
    options = changes.pop("options", None)
    rules = make_ruleset(preset, options)  # type: ignore[arg-type]
    values: dict[str, object] = {
        "rules": rules,
        "bots": NAMES[: rules.seat_count],
        "boards": boards,
        "secret": secret_from_seed("records"),
        **changes,
    }
    return MatchSpec(**values)  # type: ignore[arg-type]


def play_table(
    spec: TableSpec, random: Random, behaviour: Behaviour = Behaviour()
) -> tuple[list[tuple[int, Fact]], TableResult]:
    """Returns all facts of a table, with their times, and its result."""
    table = _Table(spec, random, behaviour)
    table.play()
    result = result_of(table.state)
    assert result is not None, "the table has ended"
    return table.facts, result


def write_match(
    folder: Path,
    spec: MatchSpec,
    *,
    match_id: str = "m1",
    seed: int = 1,
    behaviour: Behaviour = Behaviour(),
    fsync: Fsync = Fsync.NONE,
    sealed: bool = True,
    arena_version: str = version("euchre-arena"),
) -> Path:
    """Returns the path of a new record of a match, its tables played several at a time."""
    opened = MatchOpened(
        match_id=match_id,
        arena_version=arena_version,
        started_unix_ms=STARTED_UNIX_MS,
        commitment=spec.commitment(),
        specification=spec.specification(),
        public_seed=spec.public_seed,
        bot_names=spec.bots,
    )
    writer = RecordWriter.create(folder, opened, spec.secret, fsync=fsync)
    tally, schedule, random = Tally(spec), Schedule(spec), Random(seed)
    played: Round | None = schedule.first_round()
    while played is not None:
        for leg in schedule.legs(played):
            for bot in spec.bots:
                writer.append(0, leg.number, _seated(bot, leg.number))
            tables = schedule.tables(leg, tally.void)
            while group := list(islice(tables, spec.tables)):
                _play_together(writer, tally, group, random, behaviour)
        played = schedule.reserve_round(played, len(tally.void.intersection(played.boards)))
    identities = tuple(
        BotIdentity(bot=bot, source="random", isolation="none", memory_excluded=True)
        for bot in spec.bots
    )
    result = match_result(
        spec,
        tally,
        match_id=match_id,
        record=str(writer.path),
        seconds=1.0,
        complete=True,
        bots=identities,
    )
    if sealed:
        writer.seal(canonical_json(sealed_result(result)), complete=True, at_ms=1_000)
    else:
        writer.close()
    return writer.path


def _play_together(
    writer: RecordWriter,
    tally: Tally,
    group: list[TableSpec],
    random: Random,
    behaviour: Behaviour,
) -> None:
    """Plays some tables and writes their facts in turn, as if they were played at once."""
    played = [play_table(spec, random, behaviour) for spec in group]
    for spec, (_, result) in zip(group, played, strict=True):
        writer.append(spec.number, 0, TableOpened.of(spec))
        tally.add(result)
    for row in zip_longest(*(facts for facts, _ in played)):
        for spec, booked in zip(group, row, strict=True):
            if booked is not None:
                at, fact = booked
                writer.append(spec.number, at, fact)
        writer.flush()


def _seated(bot: str, leg: int) -> BotSeated:
    return BotSeated(
        bot_name=bot,
        leg=leg,
        bot_version="1",
        client_library="tests",
        source="random",
        isolation="none",
    )


class _Table:
    """One table being played: the referee, its clock, and all of its bots."""

    def __init__(self, spec: TableSpec, random: Random, behaviour: Behaviour) -> None:
        self.state = opening(spec)
        self.facts: list[tuple[int, Fact]] = []
        self._random = random
        self._behaviour = behaviour
        self._sessions = dict.fromkeys(spec.rules.seats, 0)
        self._asked: list[tuple[Seat, outputs.Ask]] = []
        self._now = 0

    def play(self) -> None:
        """Plays until the table has ended."""
        self._feed(inputs.Opened(0))
        for seat in self._sessions:
            if seat not in self._behaviour.absent:
                self._join(seat)
        while self.state.ending is None:
            if self._asked:
                self._answer(*self._asked.pop())
            else:
                self._now += 60_000
                self._feed(inputs.TimeCame(self._now))

    def _answer(self, seat: Seat, ask: outputs.Ask) -> None:
        self._now += 1
        session = self._sessions[seat]
        self._feed(inputs.Written(self._now, seat, session, ask.decision_id, 2))
        self._now += self._random.randint(0, 9)
        number, asks = ask.decision_id, self._behaviour
        if self._chance(asks.stalled):
            self._now += 700
            self._feed(inputs.Stalled(self._now, 700))
        if self._chance(asks.stale) and number > 1:
            self._act(seat, number - 1, _any_of(ask.legal, self._random))
        if self._chance(asks.illegal):
            self._act(seat, number, _refused(ask, self._random))
        if self._chance(asks.garbled):
            self._feed(
                inputs.Garbled(self._now, seat, session, number, "no such card", b"\x08\x63")
            )
        if self._chance(asks.arena_fault):
            self._feed(inputs.ArenaFault(self._now, "a test"))
        if self._chance(asks.stopped):
            self._feed(inputs.Stopped(self._now))
        if self._chance(asks.lost):
            self._feed(inputs.SeatLost(self._now, seat, session))
            self._join(seat)
        if self._chance(asks.left):
            self._feed(inputs.SeatLeft(self._now, seat, session))
        if self._chance(asks.died):
            self._feed(inputs.SeatDied(self._now, seat, FaultKind.CRASH, "exit status 1"))
        if self._chance(asks.timeout):
            self._now += 600_000
            self._feed(inputs.TimeCame(self._now))
        may_pass = Pass() in ask.legal and self._chance(asks.passing)
        self._act(seat, number, Pass() if may_pass else _any_of(ask.legal, self._random))

    def _join(self, seat: Seat) -> None:
        self._sessions[seat] += 1
        self._feed(inputs.SeatJoined(self._now, seat, self._sessions[seat]))

    def _act(self, seat: Seat, number: int, action: Action) -> None:
        note = self._behaviour.note
        if note and not self._chance(0.2):
            note = ""
        answered = inputs.Answered(self._now, seat, self._sessions[seat], number, action, 1, note)
        self._feed(answered)

    def _chance(self, of_one: float) -> bool:
        return self._random.random() < of_one

    def _feed(self, event: inputs.Input) -> None:
        self.state, done = step(self.state, event)
        for output in done:
            match output:
                case outputs.Booked():
                    self.facts.append((output.at, output.fact))
                case outputs.Send(seat=seat, message=outputs.Ask() as ask):
                    self._asked = [(seat, ask)]
                case _:
                    pass


def _any_of(legal: LegalSet, random: Random) -> Action:
    return legal[random.randrange(len(legal))]


def _refused(ask: outputs.Ask, random: Random) -> Action:
    """Returns an action that is not allowed: with a card held, of a right kind, or any other."""
    wrong = [action for action in _ALL_SORTS if action not in ask.legal]
    kinds = {action.kind for action in islice(ask.legal, 20)}
    right_kind = [action for action in wrong if action.kind in kinds]
    held = [action for action in right_kind if set(flat(action).cards) & {*ask.view.hand}]
    plain = [action for action in wrong if not flat(action).cards]
    return random.choice(random.choice([sort for sort in (held, right_kind, plain, wrong) if sort]))


_ALL_SORTS: tuple[Action, ...] = (
    Pass(),
    Order(),
    Alone(),
    *map(Call, Suit),
    *map(Bid, range(1, 9)),
    *map(Name, Suit),
    *(kind(card) for card in Card for kind in (Play, Discard, Bury, Best)),
    *(Keep(cards) for card in Card for cards in ((card,), (card,) * 5)),
)
