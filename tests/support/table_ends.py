"""What a table's facts say of its end and of its faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_server.referee.facts import Faulted, FaultKind, TableEnded

if TYPE_CHECKING:
    from tables import Referee

__all__ = ["ending", "fault_kinds"]


def ending(table: Referee) -> TableEnded:
    """Returns how a table ended."""
    assert isinstance(table.facts[-1], TableEnded)
    return table.facts[-1]


def fault_kinds(table: Referee) -> list[FaultKind]:
    """Returns the kinds of all faults so far."""
    return [fact.kind for fact in table.facts if isinstance(fact, Faulted)]
