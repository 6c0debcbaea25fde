"""Owns what fixes a match before its first card, and its canonical specification.

The commitment covers the specification, so whoever holds a finished record can check that this,
and nothing else, was played (DESIGN.md section 7). Values check themselves when made.
Must not know processes, files or how tables are played.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from euchre_engine.deal import SECRET_BYTES, commitment
from euchre_engine.variants import ruleset_from_json
from euchre_server.match.boards import Field, SeatingScheme
from euchre_server.referee.spec import ClockSpec, FaultPolicy, PolicyKind, TableMode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from euchre_engine.variants import Ruleset

__all__ = ["SMALLEST_RATED_BUDGET_MS", "MatchSpec", "canonical_json", "parse_specification"]

SMALLEST_RATED_BUDGET_MS: Final = 50

_FORMAT: Final = 1
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSpec:
    """Fixes a match: all of its tables follow from this alone."""

    rules: Ruleset
    bots: tuple[str, ...]
    mode: TableMode = TableMode.BOARD
    boards: int  # in games mode: games, each of them played in every seating too
    seatings: SeatingScheme = SeatingScheme.ROTATIONS
    tables: int = 4  # kept open at once
    clock: ClockSpec = field(default_factory=ClockSpec)
    policy: FaultPolicy = field(default_factory=FaultPolicy)
    join_within_ms: int = 10_000
    secret: bytes = field(repr=False)
    public_seed: bool = False  # the secret came from a text that others may know

    def __post_init__(self) -> None:
        for name in self.bots:
            if not _NAME.fullmatch(name):
                raise ValueError(
                    f"{name!r} is no bot name: use 1 to 32 of a-z, A-Z, 0-9, '.', '_' and '-', "
                    "a letter or digit first"
                )
        if len(set(self.bots)) < len(self.bots):
            twice = next(name for name in self.bots if self.bots.count(name) > 1)
            raise ValueError(f"two bots are named {twice!r}; give each a name of its own")
        for what, number in (("boards", self.boards), ("tables", self.tables)):
            if number < 1:
                raise ValueError(f"{what} is {number}; it must be at least 1")
        if self.join_within_ms < 1:
            raise ValueError(f"join_within_ms is {self.join_within_ms}; it must be at least 1")
        if len(self.secret) != SECRET_BYTES:
            raise ValueError(f"the secret has {len(self.secret)} bytes, not {SECRET_BYTES}")
        if self.mode is TableMode.GAME and self.rules.laps:
            raise ValueError(
                "laps carries points from one game into the next, but the games of a match do not "
                "depend on each other: they are played side by side, and the error rates rest on "
                "it; leave laps out, or play boards"
            )
        _ = self.field  # checks the number of bots and the seatings

    @property
    def field(self) -> Field:
        """Returns the players and how they are seated."""
        return Field(bots=len(self.bots), rules=self.rules, scheme=self.seatings)

    @property
    def players(self) -> tuple[str, ...]:
        """Returns the players by name: the bots, and `NAME/2` for a bot's second chair.

        Partners are two players even where they are one bot, since neither may see the other's
        cards.
        """
        chairs = self.rules.seat_count // len(self.bots)
        return tuple(
            bot if chair == 1 else f"{bot}/{chair}"
            for chair in range(1, chairs + 1)
            for bot in self.bots
        )

    @property
    def rated(self) -> bool:
        """Returns whether results count: the deals were secret and the budget long enough."""
        return not self.public_seed and self.clock.budget_ms >= SMALLEST_RATED_BUDGET_MS

    def to_json(self) -> dict[str, object]:
        """Returns the specification as an object; the secret is no part of it."""
        clock, policy = self.clock, self.policy
        return {
            "format": _FORMAT,
            "rules": self.rules.to_json(),
            "bots": list(self.bots),
            "mode": self.mode.value,
            "boards": self.boards,
            "seatings": self.seatings.value,
            "tables": self.tables,
            "clock": {name: getattr(clock, name) for name in _CLOCK_FIELDS},
            "policy": {"kind": policy.kind.value, "fault_limit": policy.fault_limit},
            "join_within_ms": self.join_within_ms,
            "public_seed": self.public_seed,
        }

    def specification(self) -> bytes:
        """Returns the specification in the one form that is hashed."""
        return canonical_json(self.to_json())

    def commitment(self) -> bytes:
        """Returns what everybody is told before the first card."""
        return commitment(self.secret, self.specification())


_CLOCK_FIELDS: Final = ("budget_ms", "bank_ms", "increment_ms", "grace_ms", "first_ms")


def canonical_json(value: object) -> bytes:
    """Returns the one JSON text of a value: sorted keys, no spaces, UTF-8, no NaN.

    Raises:
        ValueError: A number is not finite.
        TypeError: The value holds what JSON has no form for.
    """
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def parse_specification(specification: bytes, secret: bytes) -> MatchSpec:
    """Returns the match that a specification describes, to lay its boards out again.

    Raises:
        ValueError: It is no specification of this format, or describes no possible match.
    """
    try:
        read = json.loads(specification)
    except ValueError as error:
        raise ValueError(f"the specification is no JSON: {error}") from None
    if not isinstance(read, dict) or read.get("format") != _FORMAT:
        raise ValueError(f"the specification is none of format {_FORMAT}")
    try:
        return _from_json(read, secret)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"the specification lacks or garbles {error}") from None


def _from_json(read: Mapping[str, object], secret: bytes) -> MatchSpec:
    clock, policy, bots = read["clock"], read["policy"], read["bots"]
    if not isinstance(clock, dict) or not isinstance(policy, dict) or not isinstance(bots, list):
        raise TypeError("clock, policy or bots")
    return MatchSpec(
        rules=ruleset_from_json(read["rules"]),
        bots=_texts(bots),
        mode=TableMode(str(read["mode"])),
        boards=_integer(read, "boards"),
        seatings=SeatingScheme(str(read["seatings"])),
        tables=_integer(read, "tables"),
        clock=ClockSpec(**{name: _integer(clock, name) for name in _CLOCK_FIELDS}),
        policy=FaultPolicy(
            kind=PolicyKind(policy["kind"]), fault_limit=_integer(policy, "fault_limit")
        ),
        join_within_ms=_integer(read, "join_within_ms"),
        secret=secret,
        public_seed=read["public_seed"] is True,
    )


def _integer(values: Mapping[str, object], name: str) -> int:
    value = values[name]
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(name)
    return value


def _texts(values: Sequence[object]) -> tuple[str, ...]:
    if not all(isinstance(value, str) for value in values):
        raise TypeError("bots")
    return tuple(str(value) for value in values)
