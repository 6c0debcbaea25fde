"""Owns which matches a host has: found by id or by the request that created them, listed, watched.

Must not know how matches come about, nor how they are played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from euchre_server.hosting.watching import watch
from euchre_server.session import MatchPage, MatchRefused, MatchState, MatchUpdate, Reason

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from euchre_server.hosting.hosted import HostedMatch

__all__ = ["Catalogue"]

_USUAL_PAGE: Final = 50
_LARGEST_PAGE: Final = 200
_USUAL_INTERVAL_MS: Final = 1_000
_INTERVALS_MS: Final = (200, 60_000)


class Catalogue:
    """All matches, played or over."""

    def __init__(self, *, most_watchers: int) -> None:
        """Makes an empty one.

        Args:
            most_watchers: How many callers may watch at once.
        """
        self.matches: dict[str, HostedMatch] = {}
        self._requests: dict[str, HostedMatch] = {}
        self._most_watchers = most_watchers

    def enter(self, match: HostedMatch) -> None:
        """Takes a match in."""
        self.matches[match.match_id] = match
        if match.known.plan.hosted is not None:
            self._requests[match.known.plan.hosted.request_id] = match

    def made_by(self, request_id: str) -> HostedMatch | None:
        """Returns the match that a request created; None where it has created none."""
        return self._requests.get(request_id)

    def find(self, match_id: str) -> HostedMatch:
        """Returns a match.

        Raises:
            MatchRefused: There is none.
        """
        match = self.matches.get(match_id)
        if match is None:
            raise MatchRefused(Reason.NO_SUCH_MATCH, f"there is no match {match_id[:100]!r} here")
        return match

    async def page(
        self, *, page_size: int, page_token: str, states: frozenset[MatchState]
    ) -> MatchPage:
        """Returns matches, the newest first.

        Args:
            page_size: How many at most; 0 for the usual number.
            page_token: What the page before said; empty for the first one.
            states: In which states; empty for all.

        Raises:
            MatchRefused: The page cannot be.
        """
        if page_size < 0:
            raise MatchRefused(Reason.INVALID_MATCH, "page_size must not be negative")
        most = min(page_size or _USUAL_PAGE, _LARGEST_PAGE)
        before = self.find(page_token).age if page_token else None
        chosen = sorted(
            (
                match
                for match in self.matches.values()
                if (before is None or match.age < before) and (not states or match.state in states)
            ),
            key=lambda match: match.age,
            reverse=True,
        )
        page = [await match.snapshot(brief=True) for match in chosen[:most]]
        return MatchPage(tuple(page), page[-1].match_id if len(chosen) > most else "")

    def watch(
        self, match_id: str, *, interval_ms: int | None, hands: bool
    ) -> AsyncGenerator[MatchUpdate, None]:
        """Yields how a match stands, at once and whenever that changes, until it is over.

        Args:
            match_id: The match.
            interval_ms: How often at most; None for the usual interval.
            hands: Whether released hands are told, too.

        Raises:
            MatchRefused: There is none, the interval cannot be, or too many watch.
        """
        match = self.find(match_id)
        chosen = _USUAL_INTERVAL_MS if interval_ms is None else interval_ms
        least, most = _INTERVALS_MS
        if not least <= chosen <= most:
            raise MatchRefused(
                Reason.INVALID_MATCH, f"interval_ms is {chosen}; it must be {least} to {most:,}"
            )
        watchers = sum(other.watcher_count for other in self.matches.values())
        if watchers >= self._most_watchers:
            raise MatchRefused(
                Reason.TOO_MANY_WATCHERS, f"{watchers} callers watch already; watch later"
            )
        return watch(match, interval_s=chosen / 1000, hands=hands)
