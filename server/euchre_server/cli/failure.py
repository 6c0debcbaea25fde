"""Owns how a command fails: one sentence for people and an exit status (DESIGN.md section 10)."""

from __future__ import annotations

from enum import IntEnum

import click

__all__ = ["CommandFailed", "ExitStatus"]


class ExitStatus(IntEnum):
    """What the process ends with."""

    DONE = 0
    FINDING = 1
    MISUSE = 2
    UNDECIDED = 3
    INTERNAL = 70
    INTERRUPTED = 130


class CommandFailed(click.ClickException):
    """A failure that its user can mend: wrong use or wrong set-up."""

    def __init__(self, message: str, status: ExitStatus = ExitStatus.MISUSE) -> None:
        super().__init__(message)
        self.status = status
