"""Owns what a watcher is told, and how often: what has changed meanwhile comes in one update.

Nobody waits for a watcher, and what waits for one does not grow. Must not know who watches.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Final

from euchre_server.record.entries import RecordError
from euchre_server.session import MatchUpdate

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from euchre_server.hosting.hosted import HostedMatch
    from euchre_server.session import PublicHand

__all__ = ["watch"]

_BOARDS_AT_ONCE: Final = 8


async def watch(
    match: HostedMatch, *, interval_s: float, hands: bool
) -> AsyncGenerator[MatchUpdate, None]:
    """Yields how a match stands, at once and whenever that changes, until it goes on no more.

    Args:
        match: The match.
        interval_s: The shortest time between two updates.
        hands: Whether hands of boards that are released meanwhile are told too.
    """
    changed = asyncio.Event()
    match.watched_by(changed)
    told = 0 if match.deals is None else len(match.deals.released)
    try:
        while True:
            changed.clear()
            still = match.still.is_set()
            snapshot = await match.snapshot()
            released = 0 if match.deals is None else len(match.deals.released)
            boards: list[int] = []
            if match.deals is not None and hands:
                first = max(told, released - _BOARDS_AT_ONCE)
                boards = list(islice(match.deals.released, first, released))
            shown, skipped = await _hands_of(match, boards), released - told - len(boards)
            told = released
            yield MatchUpdate(snapshot, tuple(shown), skipped if hands else 0)
            if still:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(interval_s):
                    await match.still.wait()  # that it goes on no more is told at once
            await changed.wait()
    finally:
        match.unwatched_by(changed)


async def _hands_of(match: HostedMatch, boards: list[int]) -> list[PublicHand]:
    """Returns the hands of some boards; of a record that cannot be read, none."""
    async with match.reading:
        try:
            return [
                hand
                for board in boards
                for hand in await asyncio.to_thread(match.shelf.hands_of, board)
            ]
        except RecordError as error:
            match.log.warning("hands cannot be read", match=match.match_id, error=str(error))
            return []
