"""Owns what became of bots: who has come, whose process has ended, and why one is missing.

Bots are named as the arena knows them (`names`). Must not know sessions, streams or tables.
"""

import asyncio

__all__ = ["Attendance"]


class Attendance:
    """Knows of each bot what has been noticed since it was expected."""

    def __init__(self) -> None:
        self._come: set[str] = set()
        self._deaths: dict[str, str] = {}
        self._absences: dict[str, str] = {}
        self._max_tables: dict[str, int] = {}
        self._arrivals: dict[str, asyncio.Event] = {}

    def expect(self, bot_name: str) -> None:
        """Begins anew with a bot."""
        self._come.discard(bot_name)
        self._deaths.pop(bot_name, None)
        self._absences.pop(bot_name, None)

    def forget(self, bot_name: str) -> None:
        """Forgets a bot that will not come again."""
        self.expect(bot_name)
        self._max_tables.pop(bot_name, None)
        self._arrivals.pop(bot_name, None)

    def came(self, bot_name: str, max_tables: int) -> None:
        """Takes note that a bot is there, and how many tables it holds at once."""
        self._come.add(bot_name)
        self._absences.pop(bot_name, None)
        self._max_tables[bot_name] = max_tables
        arrival = self._arrivals.pop(bot_name, None)
        if arrival is not None:
            arrival.set()

    def stayed_away(self, bot_name: str, why: str) -> None:
        """Takes note of why a bot was not let in."""
        self._absences[bot_name] = why

    def died(self, bot_name: str, text: str) -> None:
        """Takes note that a bot's process has ended."""
        self._deaths[bot_name] = text

    async def arrival(self, bot_name: str) -> None:
        """Waits until a bot comes the next time."""
        await self._arrivals.setdefault(bot_name, asyncio.Event()).wait()

    def has_come(self, bot_name: str) -> bool:
        """Returns whether a bot was there since it was expected."""
        return bot_name in self._come

    def death_of(self, bot_name: str) -> str | None:
        """Returns how a bot's process ended; None where it did not."""
        return self._deaths.get(bot_name)

    def absence_of(self, bot_name: str) -> str | None:
        """Returns why a bot was not let in the last time; None where it was, or never dialled."""
        return self._absences.get(bot_name)

    def max_tables_of(self, bot_name: str) -> int | None:
        """Returns how many tables a bot holds at once; None where it was never there."""
        return self._max_tables.get(bot_name)
