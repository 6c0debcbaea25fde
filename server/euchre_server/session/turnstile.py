"""Owns how many streams there may be, of whom, and how often somebody may dial.

Nobody waits in silence: whoever is not let in is told why. Who is refused again and again is told
so slowly, or a storm of calls, each of which is refused, would keep the arena from its tables.
Must not know tokens, frames or tables.
"""

import asyncio
from collections import Counter
from typing import Final

from euchre_server.session.allowance import Allowance
from euchre_server.session.messages import Limits
from euchre_server.session.refusal import Reason, Refusal
from euchre_server.session.timing import Clock

__all__ = ["Turnstile"]

_REMEMBERED: Final = 10_000
_QUICK_REFUSALS: Final = 20
_QUICK_PER_SECOND: Final = 10
_MOST_HELD: Final = 200
_HOLD_S: Final = 1.0


class Turnstile:
    """Counts streams in and out."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self.stream_count = 0
        self.refused: Counter[Reason] = Counter()
        """How many were refused, and why."""
        self._limits = limits
        self._clock = clock
        self._of_bot: Counter[str] = Counter()
        self._of_peer: Counter[str] = Counter()
        self._dials: dict[str, Allowance] = {}
        self._shut_out: dict[str, int] = {}  # until when
        self._held = 0
        self._quick = Allowance(most=_QUICK_REFUSALS, per_second=_QUICK_PER_SECOND, now=clock.now())

    def enter(self, bot_name: str, peer: str) -> None:
        """Lets a stream in; `leave` is to be called when it has ended.

        Args:
            bot_name: The bot that its token was made for.
            peer: The connection, as gRPC names it.

        Raises:
            Refusal: It is not let in.
        """
        self._check_dials(bot_name)
        limits = self._limits
        if self.stream_count >= limits.max_sessions:
            raise Refusal(
                Reason.ARENA_FULL,
                f"the arena holds {limits.max_sessions} sessions already; come back later",
            )
        if self._of_bot[bot_name] >= limits.max_streams_per_bot:
            raise Refusal(
                Reason.BOT_STREAMS,
                f"this bot has {limits.max_streams_per_bot} streams open already; it needs one",
            )
        if _is_connection(peer):
            if self._of_peer[peer] >= limits.max_streams_per_connection:
                raise Refusal(
                    Reason.CONNECTION_STREAMS,
                    f"this connection carries {limits.max_streams_per_connection} streams "
                    "already; open another connection",
                )
            self._of_peer[peer] += 1
        self._of_bot[bot_name] += 1
        self.stream_count += 1

    def leave(self, bot_name: str, peer: str) -> None:
        """Takes note that a stream has ended which was let in."""
        self.stream_count -= 1
        _less(self._of_bot, bot_name)
        if _is_connection(peer):
            _less(self._of_peer, peer)

    def shut_out(self, bot_name: str) -> None:
        """Lets a bot in no more for a while: its session had too many faults."""
        self._shut_out[bot_name] = self._clock.now() + self._limits.shut_out_ms

    def forget(self, bot_name: str) -> None:
        """Lets a bot begin anew, with another token."""
        self._shut_out.pop(bot_name, None)
        self._dials.pop(bot_name, None)

    async def hold(self, reason: Reason) -> bool:
        """Waits, before a refusal is told, when there have been many of late.

        Returns:
            Whether there have been few, so that this one is worth a line in the log.
        """
        self.refused[reason] += 1
        if self._quick.spend(self._clock.now()):
            return True
        if self._held >= _MOST_HELD:
            return False
        self._held += 1
        try:
            await asyncio.sleep(_HOLD_S)
        finally:
            self._held -= 1
        return False

    def _check_dials(self, bot_name: str) -> None:
        now, limits = self._clock.now(), self._limits
        until = self._shut_out.get(bot_name)
        if until is not None:
            if now < until:
                raise Refusal(
                    Reason.SHUT_OUT,
                    f"this bot's last session ended as FAULTY; it may come back in "
                    f"{until - now} milliseconds",
                    retry_ms=until - now,
                )
            del self._shut_out[bot_name]
        dials = self._dials.get(bot_name)
        if dials is None:
            if len(self._dials) >= _REMEMBERED:
                self._dials.clear()
            dials = self._dials[bot_name] = Allowance(
                most=limits.max_dials, per_second=limits.dials_per_second, now=now
            )
        if not dials.spend(now):
            raise Refusal(
                Reason.DIALS,
                f"this bot dials too often: {limits.max_dials} at once are allowed, then "
                f"{limits.dials_per_second} a second",
                retry_ms=dials.wait_ms(),
            )


def _is_connection(peer: str) -> bool:
    """Returns whether a peer's name is that of one connection; all of a Unix socket have one."""
    return peer.startswith(("ipv4:", "ipv6:"))


def _less(counter: Counter[str], key: str) -> None:
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]
