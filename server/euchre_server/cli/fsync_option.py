"""Owns the option of when records reach the disk, which ``match`` and ``serve`` share."""

from __future__ import annotations

import click

from euchre_server.record.store import Fsync

__all__ = ["fsync_option"]

fsync_option = click.option(
    "--fsync",
    type=click.Choice([policy.value for policy in Fsync]),
    default=Fsync.HAND.value,
    show_default=True,
    help="When what is recorded is forced to the disk: before anybody is told of it, at each end "
    "of a hand, or when the system likes. Matters for power cuts only; see docs/record.md.",
)
