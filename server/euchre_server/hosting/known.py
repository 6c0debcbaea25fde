"""Owns what the host knows of a match without playing it: what its record says in few words.

Must not know other matches, nor what of it may be shown to whom.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from euchre_engine.deal import SECRET_BYTES
from euchre_server.hosting.cancelled import unmark
from euchre_server.hosting.run_plan import RunPlan
from euchre_server.match.spec import parse_specification
from euchre_server.match.standings import Comparison, Standing
from euchre_server.match.statistics import Estimate
from euchre_server.record.entries import MatchSealed, RecordError
from euchre_server.record.reader import read_last, read_record, read_seal, records_in
from euchre_server.record.store import read_secret, tidy_sealed
from euchre_server.record.summary import first_entry
from euchre_server.referee.facts import EndCause, FaultKind, TableEnded

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from euchre_server.match.spec import MatchSpec
    from euchre_server.record.entries import MatchOpened

__all__ = ["Known", "PassedOver", "SealedResult", "known_in", "sealed_result_of", "tables_ended_in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A served match by the first and the last entry of its record."""

    path: Path
    opened: MatchOpened
    plan: RunPlan
    sealed: bool
    complete: bool
    """Of a sealed one: whether it was played to its end."""

    @property
    def is_named_after_it(self) -> bool:
        """Returns whether the record's file has the name that the arena gave it."""
        return self.path.stem == self.opened.match_id

    def spec(self, secret: bytes | None = None) -> MatchSpec:
        """Returns the match; without its secret, it is good for being described only.

        Raises:
            ValueError: It does not say which match it is of.
        """
        return parse_specification(self.opened.specification, secret or bytes(SECRET_BYTES))

    def secret(self) -> bytes:
        """Returns the secret of the deals.

        Raises:
            RecordError: It is not to be had.
        """
        seal = _seal_of(self.path) if self.sealed else None
        return read_secret(self.path) if seal is None else seal.secret


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedResult:
    """What a seal says of how a match went."""

    secret: bytes
    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]
    faults: Mapping[str, Mapping[FaultKind, int]]
    boards: int
    tables_ended: int


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file of a data folder that is called a record, and is not taken for a match's."""

    path: Path
    why: str


def known_in(folder: Path) -> tuple[list[Known], list[PassedOver]]:
    """Returns the served matches of a data folder, and what cannot be taken for one.

    Records of other kinds are neither.

    Raises:
        StoreError: The folder cannot be read.
    """
    found: dict[str, Known] = {}
    passed_over: list[PassedOver] = []
    for path in records_in(folder):
        try:
            known = _known(path)
        except (RecordError, ValueError) as error:
            passed_over.append(PassedOver(path, str(error)))
            continue
        if known is None:
            continue
        other = found.setdefault(known.opened.match_id, known)
        if other is not known:  # a copy; the match's secret is beside the file that has its name
            copy = other if known.is_named_after_it else known
            found[known.opened.match_id] = other if copy is known else known
            passed_over.append(
                PassedOver(copy.path, f"another file holds match {known.opened.match_id} too")
            )
    return list(found.values()), passed_over


def _known(path: Path) -> Known | None:
    """Returns the served match that a record is of; None where it is of another kind.

    Raises:
        RecordError: It cannot be read.
        ValueError: What is played, or by whom, is not known here.
    """
    opened = first_entry(path)
    if b'"hosted"' not in opened.setup:
        return None
    plan = RunPlan.from_json(opened.setup)
    if plan.hosted is None:
        return None
    seal = _seal_of(path)
    known = Known(
        path=path,
        opened=opened,
        plan=plan,
        sealed=seal is not None,
        complete=seal is not None and seal.complete,
    )
    known.spec()  # which match it is of must be known, too
    if known.sealed:
        tidy_sealed(path)
        unmark(path)
    return known


def tables_ended_in(path: Path) -> int:
    """Returns how many tables have ended in a record, as far as it can be read."""
    count = 0
    with suppress(RecordError):
        for entry in read_record(path):
            fact = entry.fact
            count += isinstance(fact, TableEnded) and fact.cause is not EndCause.STOPPED
    return count


def sealed_result_of(path: Path) -> SealedResult:
    """Returns the result in a record's seal.

    Raises:
        RecordError: It cannot be read, or is none.
    """
    seal = _seal_of(path)
    if seal is None:
        raise RecordError(f"{path} is not sealed")
    try:
        return _result(seal)
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"the result in the seal is no result of a match: {error!r}") from None


def _seal_of(path: Path) -> MatchSealed | None:
    """Returns the seal of a record; one that is too long to be found from its end is read to."""
    last = read_last(path)
    if last is None:
        return read_seal(path)
    return last.fact if isinstance(last.fact, MatchSealed) else None


def _result(sealed: MatchSealed) -> SealedResult:
    read = json.loads(sealed.result)
    rows = read["standings"]
    return SealedResult(
        secret=sealed.secret,
        standings=tuple(_standing(row) for row in rows),
        comparisons=tuple(
            Comparison(
                a=str(row["a"]),
                b=str(row["b"]),
                per_board=_estimate(row["mean_per_board"], row["ci95"]),
                boards=int(row["boards"]),
            )
            for row in read["comparisons"]
        ),
        faults={str(row["bot"]): _faults(row) for row in rows},
        boards=int(read["boards"]),
        tables_ended=max((int(row["tables"]) for row in rows), default=0) + len(read["excluded"]),
    )


def _standing(row: Mapping[str, Any]) -> Standing:
    return Standing(
        bot=str(row["bot"]),
        hands=int(row["hands"]),
        points=int(row["points"]),
        per_hand=_estimate(row["points_per_hand"], row["ci95"]),
        wins=int(row["wins"]),
        tables=int(row["tables"]),
        faults=_faults(row),
    )


def _faults(row: Mapping[str, Any]) -> dict[FaultKind, int]:
    return {kind: int(row["faults"][kind.name.lower()]) for kind in FaultKind}


def _estimate(value: float | None, interval: list[float] | None) -> Estimate | None:
    if value is None:
        return None
    low, high = interval or (value, value)
    return Estimate(float(value), float(low), float(high))
