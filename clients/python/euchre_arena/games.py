"""Owns what is fixed at a table: game, rules, seats, clock, and what faults cost.

Must not know the play; the arena states all of this in its first message about a table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from euchre_arena.v1 import rules_pb2, table_pb2

__all__ = ["Clock", "FaultPolicy", "FaultPolicyKind", "Game", "Ruleset", "Table"]


class Game(IntEnum):
    """The games of the family; the numbers are the protocol's."""

    TWO_HANDED = 1
    THREE_HANDED = 2
    FOUR_HANDED = 3
    RAILROAD = 4
    HASENPFEFFER = 5
    PEPPER = 6
    NAPOLEON = 7

    @property
    def has_teams(self) -> bool:
        """Returns whether seats 0 and 2 play against 1 and 3."""
        return Game.FOUR_HANDED <= self <= Game.PEPPER

    @property
    def has_bowers(self) -> bool:
        """Returns whether jacks become bowers under trump."""
        return self is not Game.NAPOLEON


class FaultPolicyKind(IntEnum):
    """Whether a faulty answer may be mended (LENIENT) or forfeits the table (STRICT)."""

    LENIENT = 1
    STRICT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPolicy:
    """States what faults cost: the table, once there are `fault_limit` of them."""

    kind: FaultPolicyKind
    fault_limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """States the clock of a table, in milliseconds."""

    budget_ms: int
    bank_ms: int
    increment_ms: int
    grace_ms: int
    first_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """Holds the complete effective rules of a table.

    Attributes:
        preset: The preset that they started from.
        game: The game.
        seat_count: The number of seats.
        options: Every option that applies to the game with the value in force, as in the rules
            page: `options["stick_the_dealer"]`.
    """

    preset: str
    game: Game
    seat_count: int
    options: Mapping[str, bool | int | str]


class Table:
    """A table at which the bot sits. The same object for as long as the table is open.

    Attributes:
        id: Its id; random.
        seat: The bot's seat.
        game: The game played.
        bot_seed: A number for the bot's own random choices, the same when a match is repeated.
        commitment: What the deals can be checked against afterwards.
    """

    def __init__(self, message: "table_pb2.TableOpened") -> None:
        self._message = message
        self.id = message.table_id
        self.seat = message.seat
        self.game = Game(message.ruleset.game)
        self.seat_count = message.ruleset.seat_count
        self.bot_seed = message.bot_seed
        self.commitment = message.commitment

    @cached_property
    def rules(self) -> Ruleset:
        """Returns the complete rules."""
        rules = self._message.ruleset
        return Ruleset(
            preset=rules.preset,
            game=self.game,
            seat_count=rules.seat_count,
            options=MappingProxyType({option.name: _value(option) for option in rules.options}),
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Returns the bots' names, per seat."""
        names = {seat.seat: seat.bot_name for seat in self._message.seats}
        return tuple(names.get(seat, "") for seat in range(self.seat_count))

    @cached_property
    def clock(self) -> Clock:
        """Returns the clock."""
        clock = self._message.clock
        return Clock(
            budget_ms=clock.budget_ms,
            bank_ms=clock.bank_ms,
            increment_ms=clock.increment_ms,
            grace_ms=clock.grace_ms,
            first_ms=clock.first_ms,
        )

    @cached_property
    def fault_policy(self) -> FaultPolicy:
        """Returns what faults cost."""
        policy = self._message.fault_policy
        return FaultPolicy(
            kind=FaultPolicyKind(policy.kind),
            fault_limit=policy.fault_limit,
        )

    def __repr__(self) -> str:
        return f"<Table {self.id} seat {self.seat} {self._message.ruleset.preset}>"


def _value(option: "rules_pb2.RuleOption") -> bool | int | str:
    match option.WhichOneof("value"):
        case "flag":
            return option.flag
        case "number":
            return option.number
        case _:
            return option.text
