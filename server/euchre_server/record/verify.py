"""Owns the check of a whole record from its entries alone (docs/record.md).

Deals, rules, points, hashes, schedule and result are worked out again; the first entry that
disagrees is named. Must not know files: it takes entries as they are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_engine.deal import SECRET_BYTES, commitment
from euchre_server.match.spec import parse_specification
from euchre_server.record.chain import CHAIN_START, link, play_hash, play_preamble
from euchre_server.record.entries import (
    BotSeated,
    MatchOpened,
    MatchResumed,
    MatchSealed,
    NotARecord,
    RecordDamaged,
    RecordTorn,
    TableOpened,
)
from euchre_server.record.result_check import check_result
from euchre_server.record.schedule_check import ScheduleCheck
from euchre_server.record.table_check import TableCheck
from euchre_server.record.verdict import Disagreement, Finding, FindingKind, Verdict
from euchre_server.referee.facts import Acted, HandEnded, HandStarted, TableEnded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from euchre_engine import Action, Seat
    from euchre_server.match.spec import MatchSpec
    from euchre_server.record.entries import Entry
    from euchre_server.referee.facts import Fact

__all__ = ["verify"]


def verify(
    entries: Iterable[Entry], seal: MatchSealed | None, *, arena_version: str = ""
) -> Verdict:
    """Returns what a check of a record finds.

    Args:
        entries: The entries in order; may raise what a reader of records raises.
        seal: The seal, looked up beforehand, since the cards follow from the secret in it.
            None: the record is unsealed, and its decks cannot be dealt again.
        arena_version: This arena's; intervals in records of another are not compared.
    """
    check = _RecordCheck(seal, arena_version)
    finding: Finding | None = None
    number = 0
    try:
        for entry in entries:
            number = entry.number
            check.take(entry)
        if not check.sealed:
            finding = Finding(FindingKind.UNSEALED, None, "")
    except NotARecord as error:
        finding = Finding(FindingKind.NO_RECORD, None, str(error))
    except RecordTorn as error:
        torn = f"then {error.torn_bytes} bytes of an entry that was cut off"
        finding = Finding(FindingKind.UNSEALED, None, torn)
    except RecordDamaged as error:
        finding = Finding(FindingKind.DAMAGED, error.entry_number, error.what)
    except Disagreement as error:
        finding = Finding(FindingKind.DISAGREES, number, str(error))
    return Verdict(
        match_id=check.match_id,
        sealed=check.sealed or seal is not None,
        entries=check.entries,
        tables=check.tables,
        hands=check.hands,
        decisions=check.decisions,
        finding=finding,
    )


class _Table:
    """One table: its check, and what its hashes are made of."""

    __slots__ = ("chain", "check", "last_ms", "not_before_ms", "preamble", "started", "steps")

    def __init__(self, check: TableCheck, opened: TableOpened, chain: bytes) -> None:
        self.check = check
        self.preamble = play_preamble(opened.rules.game, opened.options)
        self.started: HandStarted | None = None
        self.steps: list[tuple[Seat, Action]] = []
        self.chain = chain
        self.last_ms = 0
        self.not_before_ms = 0
        """Where the table's time went on after its arena was killed."""

    def note(self, fact: Fact) -> None:
        """Keeps what the play hash of the hand will be made of."""
        match fact:
            case HandStarted():
                self.started, self.steps = fact, []
            case Acted():
                self.steps.append((fact.seat, fact.action))
            case _:
                pass

    def play_hash(self, fact: HandEnded) -> bytes:
        """Returns the play hash of the hand that ended."""
        started = self.started
        if started is None:
            raise Disagreement("a hand ended that was never dealt")
        return play_hash(
            self.preamble,
            dealer=started.dealer,
            deck=started.deck,
            scores=started.scores,
            redeals=started.redeals,
            steps=self.steps,
            points=fact.points,
        )


class _RecordCheck:
    """Follows the entries of a record."""

    def __init__(self, seal: MatchSealed | None, arena_version: str) -> None:
        self._seal = seal
        self._arena_version = arena_version
        self._same_version = False
        self._seated: dict[str, BotSeated] = {}
        self._schedule: ScheduleCheck | None = None
        self._open: dict[int, _Table] = {}
        self._hashes: dict[int, bytes] = {}
        """Of the tables that have ended."""
        self._chain = CHAIN_START
        """Of the match's own entries."""
        self.match_id: str | None = None
        self.sealed = False
        self.entries = 0
        self.tables = 0
        self.hands = 0
        self.decisions = 0

    def take(self, entry: Entry) -> None:
        """Takes the next entry; raises `Disagreement` where it cannot be."""
        fact = entry.fact
        match fact:
            case MatchOpened():
                self._match_opened(fact)
            case MatchResumed():
                self._match_resumed(fact)
            case BotSeated():
                self._bot_seated(fact)
            case MatchSealed():
                self._match_sealed(fact)
            case TableOpened():
                self._table_opened(entry, fact)
            case _:
                self._table_fact(entry, fact)
        self.entries += 1
        if not entry.table_number:
            self._chain = link(self._chain, entry.payload)

    def _match_opened(self, fact: MatchOpened) -> None:
        self.match_id = fact.match_id
        self._same_version = fact.arena_version == self._arena_version
        seal = self._seal
        if seal is not None and len(seal.secret) != SECRET_BYTES:
            seal = self._seal = None  # the seal's own check will say so
        try:
            spec = parse_specification(
                fact.specification, bytes(SECRET_BYTES) if seal is None else seal.secret
            )
        except ValueError as error:
            raise Disagreement(str(error)) from None
        if fact.bot_names != spec.bots or fact.public_seed != spec.public_seed:
            raise Disagreement("bot_names or public_seed are not those of the specification")
        if seal is not None and commitment(seal.secret, fact.specification) != fact.commitment:
            raise Disagreement(
                "the commitment is not the one of this specification and the secret in the seal"
            )
        self._schedule = ScheduleCheck(spec, fact.commitment, knows_secret=seal is not None)

    def _match_resumed(self, fact: MatchResumed) -> None:
        # The result in the seal is made by the arena that sealed.
        self._same_version = fact.arena_version == self._arena_version
        for table in self._open.values():
            table.check.resumed()
            table.not_before_ms = table.last_ms

    @property
    def _spec(self) -> MatchSpec:
        return self._scheduled.spec

    @property
    def _scheduled(self) -> ScheduleCheck:
        if self._schedule is None:
            raise Disagreement("the match was not opened before this")
        return self._schedule

    def _bot_seated(self, fact: BotSeated) -> None:
        if fact.bot_name not in self._spec.players:
            raise Disagreement(f"{fact.bot_name} is none of {', '.join(self._spec.players)}")
        before = self._seated.setdefault(fact.bot_name, fact)
        if (before.source, before.isolation) != (fact.source, fact.isolation):
            raise Disagreement(f"{fact.bot_name} is another program than before")

    # Tables

    def _table_opened(self, entry: Entry, fact: TableOpened) -> None:
        number = entry.table_number
        if number in self._open or number in self._hashes:
            raise Disagreement(f"table {number} was opened already")
        spec = self._scheduled.table(number, fact)
        check = TableCheck(spec, knows_cards=self._scheduled.knows_secret)
        self._open[number] = _Table(check, fact, link(CHAIN_START, entry.payload))
        self.tables += 1

    def _table_fact(self, entry: Entry, fact: Fact) -> None:
        table = self._open.get(entry.table_number)
        if table is None:
            ended = entry.table_number in self._hashes
            raise Disagreement(
                f"table {entry.table_number} " + ("had ended" if ended else "was never opened")
            )
        if entry.at_ms < table.not_before_ms:
            raise Disagreement(
                f"table {entry.table_number}: at_ms is {entry.at_ms}, but the match was resumed at "
                f"{table.not_before_ms}"
            )
        table.last_ms = max(table.last_ms, entry.at_ms)
        try:
            table.check.take(entry.at_ms, fact)
        except Disagreement as error:
            raise Disagreement(f"table {entry.table_number}: {error}") from None
        table.note(fact)
        match fact:
            case Acted():
                self.decisions += 1
            case HandEnded():
                self.hands += 1
                if entry.play_hash != table.play_hash(fact):
                    raise Disagreement(f"table {entry.table_number}: the play hash is wrong")
                self._check_chain(entry, table)
            case TableEnded():
                self._check_chain(entry, table)
            case _:
                pass
        table.chain = link(table.chain, entry.payload)
        result = table.check.result
        if result is not None:
            self._scheduled.tally.add(result)
            del self._open[entry.table_number]
            self._hashes[entry.table_number] = table.chain

    def _check_chain(self, entry: Entry, table: _Table) -> None:
        if entry.chain_hash != table.chain:
            raise Disagreement(
                f"table {entry.table_number}: the running hash does not fit the entries before; "
                "one of them was changed, taken out or put in"
            )

    # The seal

    def _match_sealed(self, fact: MatchSealed) -> None:
        if len(fact.secret) != SECRET_BYTES:
            raise Disagreement(f"the secret has {len(fact.secret)} bytes, not {SECRET_BYTES}")
        if self._open:
            raise Disagreement(f"table {min(self._open)} never ended")
        found = {0: self._chain, **self._hashes}
        due = tuple(found.get(number, b"") for number in range(max(found) + 1))
        if len(fact.table_hashes) != len(due):
            raise Disagreement(
                f"the seal lists {len(fact.table_hashes)} hashes, the record has {len(due)}"
            )
        for number, (sealed, made) in enumerate(zip(fact.table_hashes, due, strict=True)):
            if sealed != made:
                whose = f"table {number}'s" if number else "the match's own"
                raise Disagreement(f"{whose} entries do not give the hash in the seal")
        self._scheduled.check_end(complete=fact.complete)
        check_result(
            self._scheduled.spec,
            self._scheduled.tally,
            fact,
            match_id=self.match_id or "",
            seated=self._seated,
            same_version=self._same_version,
        )
        self.sealed = True
