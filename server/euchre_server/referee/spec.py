"""Owns what is fixed about a table before its first card: rules, seats, deal key, clock, policy.

Values check themselves when made. Must not know how the table was scheduled or who is connected.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from euchre_engine import Ruleset, Seat, Suit

__all__ = ["ClockSpec", "FaultPolicy", "PolicyKind", "TableMode", "TableSpec"]


class PolicyKind(StrEnum):
    """The two presets of what faults cost."""

    LENIENT = "lenient"
    STRICT = "strict"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPolicy:
    """States at how many faults a seat forfeits the table (DESIGN.md section 5, rule 4)."""

    kind: PolicyKind = PolicyKind.LENIENT
    fault_limit: int = 10

    def __post_init__(self) -> None:
        if self.fault_limit < 1:
            raise ValueError(f"fault_limit is {self.fault_limit}; it must be at least 1")

    @classmethod
    def named(cls, name: str) -> "FaultPolicy":
        """Returns the preset of that name.

        Raises:
            ValueError: there is no such preset.
        """
        match name:
            case PolicyKind.LENIENT:
                return cls()
            case PolicyKind.STRICT:
                return cls(kind=PolicyKind.STRICT, fault_limit=1)
            case _:
                raise ValueError(f"unknown policy {name!r}; choose lenient or strict")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSpec:
    """States a table's clock, all in milliseconds (DESIGN.md section 5, rule 7)."""

    budget_ms: int = 500
    bank_ms: int = 10_000
    increment_ms: int = 0
    grace_ms: int = 50
    first_ms: int = 5_000

    def __post_init__(self) -> None:
        for name in ("budget_ms", "first_ms"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1")
        for name in ("bank_ms", "increment_ms", "grace_ms"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must not be negative")


class TableMode(StrEnum):
    """Whether a table plays one hand of a board, or a game to the target."""

    BOARD = "board"
    GAME = "game"


_SUITS = frozenset(Suit)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSpec:
    """Fixes one table.

    `board` is the board's number, or in games mode the game's, from 1; together with the hand's
    number it selects the deck. `relabelling` maps the board's C, D, H, S to this table's suits.
    """

    table_id: str
    number: int  # the place in the schedule, from 1
    rules: Ruleset
    bots: tuple[str, ...]  # by seat
    mode: TableMode
    board: int
    seating: int
    first_dealer: Seat
    deal_key: bytes = field(repr=False)  # never to be shown to anybody before the match is sealed
    relabelling: tuple[Suit, Suit, Suit, Suit]
    clock: ClockSpec
    policy: FaultPolicy
    commitment: bytes
    bot_seeds: tuple[int, ...] = field(repr=False)
    join_within_ms: int = 10_000
    rated: bool = True

    def __post_init__(self) -> None:
        count = self.rules.seat_count
        if len(self.bots) != count or len(self.bot_seeds) != count:
            raise ValueError(f"{self.rules.game} has {count} seats, not {len(self.bots)} bots")
        if len(set(self.bots)) != count:
            raise ValueError(f"bots {self.bots}: a bot can hold only one seat of a table")
        if set(self.relabelling) != _SUITS or len(self.relabelling) != len(_SUITS):
            raise ValueError(f"relabelling {self.relabelling} is no permutation of the suits")
