"""What is known of a simulated match at any moment: its tables, its sessions, who is dead.

Owns the plain values that the checks share. Must not know what is checked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sim_judge import Judge

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim_network import Stream
    from sim_world import Process, World
    from twin_deals_knowledge import Knowledge

    from euchre_arena.v1 import arena_service_pb2 as pb
    from euchre_server.referee import facts
    from euchre_server.referee.spec import TableSpec
    from euchre_server.session.conversation import Conversation

    Timed = tuple[int, facts.Fact]

__all__ = ["Scene", "SessionTruth", "TableTruth"]


@dataclass(slots=True, eq=False)
class TableTruth:
    """What is known of one table."""

    spec: TableSpec
    judge: Judge
    started: int = 0
    """By the arena's clock, in milliseconds."""
    process: Process | None = None
    booked: list[Timed] = field(default_factory=list)
    on_disk: list[Timed] = field(default_factory=list)
    safe: int = 0
    """How many of these may be told."""
    stalls_seen: int = 0
    """How many of the process's stalls are known to need no more telling."""
    stalls_told: int = 0
    """How many were told, or came before the table."""
    is_open: bool = False
    told_open: bool = False
    acted: Counter[int] = field(default_factory=Counter)
    """By hand: how many actions may be told."""
    turns: Counter[int] = field(default_factory=Counter)
    """By seat: how many of its actions may be told."""
    hands_over: int = 0
    hand: int = 0
    faulted: set[tuple[int, int]] = field(default_factory=set)
    timed_out: set[tuple[int, int]] = field(default_factory=set)
    by_clock: set[tuple[int, int]] = field(default_factory=set)
    """Seats and decisions that the clock played."""
    ended: bool = False
    knowledge: dict[int, Knowledge] = field(default_factory=dict)
    known_until: int = 0
    sent: dict[tuple[int, int], int] = field(default_factory=dict)
    """When each question first went out, in microseconds."""


@dataclass(slots=True, eq=False)
class SessionTruth:
    """What is known of one session."""

    conversation: Conversation
    bot: str
    stream: Stream
    process: Process
    answers: list[pb.Answer] = field(default_factory=list)
    is_receiving: bool = False
    arrived: int = 0
    written: list[tuple[str, int]] | None = None
    said_goodbye: bool = False
    useless: int = 0
    was_live: bool = False
    ended_by: str | None = None
    asked: dict[str, int] = field(default_factory=dict)
    """The last question that it was told, by table."""
    timed_out: set[tuple[str, int]] = field(default_factory=set)
    """The time-outs that it was told."""
    tables: set[str] = field(default_factory=set)
    """The tables that it was told of, and not of their end."""
    refusals_due: int = 0
    refusals_told: int = 0
    put: dict[str, int] = field(default_factory=dict)
    """The questions that it was put last, by table."""


@dataclass(slots=True, eq=False)
class Scene:
    """A match as it really stands."""

    world: World
    tables: dict[str, TableTruth] = field(default_factory=dict)
    """By id."""
    numbers: dict[int, TableTruth] = field(default_factory=dict)
    """By number."""
    live: dict[str, SessionTruth] = field(default_factory=dict)
    """The session of each bot that was let in last."""
    sessions: list[SessionTruth] = field(default_factory=list)
    dead_bots: set[str] = field(default_factory=set)
    stopped: bool = False
    disk_failed: bool = False
    crashes: float = 0.0
    """How often the arena's own code fails in a step."""
    crashed: set[str] = field(default_factory=set)
    """The tables at which it did."""
    seen: Counter[str] = field(default_factory=Counter)
    acting: SessionTruth | None = None
    """Whose frame is being read or made."""
    specs: dict[str, TableSpec] = field(default_factory=dict)
    """The tables that will be opened."""
    started_at: Callable[[str], int] = lambda _: 0
    """When a table began, by the arena's clock."""

    def violate(self, what: str) -> None:
        """Notes that something is wrong."""
        self.world.violate(what)

    def table(self, spec: TableSpec) -> TableTruth:
        """Returns what is known of a table."""
        table = self.tables.get(spec.table_id)
        if table is None:
            table = self.tables[spec.table_id] = TableTruth(spec, Judge(spec))
            self.numbers[spec.number] = table
        return table

    def injected(self, fault: str) -> None:
        """Takes note of a fault, and of what is being played when it comes."""
        for table in self.tables.values():
            judge = table.judge
            if judge.open is not None and judge.hand is not None:
                self.seen[f"{fault} in {judge.hand.phase.name}"] += 1
