"""Owns how a call is refused before there is a session: a status, a sentence, one reason.

The reason is for programs: it stands in the trailing metadata, in words that do not change.
Must not know when anything is refused.
"""

import asyncio
from enum import StrEnum
from typing import Any, Final, NoReturn

import grpc

__all__ = ["REASON_KEY", "RETRY_KEY", "Reason", "Refusal", "refuse"]

REASON_KEY: Final = "euchre-arena-reason"
RETRY_KEY: Final = "euchre-arena-retry-ms"


class Reason(StrEnum):
    """Why a call is refused; docs/limits.md explains each."""

    NO_CALL = "NO_CALL"
    UNREADABLE = "UNREADABLE"
    NO_TOKEN = "NO_TOKEN"  # noqa: S105  # a reason
    ROLE = "ROLE"
    ARENA_FULL = "ARENA_FULL"
    BOT_STREAMS = "BOT_STREAMS"
    CONNECTION_STREAMS = "CONNECTION_STREAMS"
    DIALS = "DIALS"
    SHUT_OUT = "SHUT_OUT"
    SLOW_READER = "SLOW_READER"
    INVALID_MATCH = "INVALID_MATCH"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    NO_SUCH_MATCH = "NO_SUCH_MATCH"
    TOO_MANY_MATCHES = "TOO_MANY_MATCHES"
    TOO_MANY_WATCHERS = "TOO_MANY_WATCHERS"
    DRAINING = "DRAINING"
    NOT_RECORDED = "NOT_RECORDED"


class Refusal(Exception):  # noqa: N818  # told to the caller; not an error of ours
    """A stream that is not let in for now."""

    def __init__(self, reason: Reason, text: str, *, retry_ms: int | None = None) -> None:
        """Makes a refusal.

        Args:
            reason: Why, for programs.
            text: Why, for people.
            retry_ms: After which time it is of use to come again, where that is known.
        """
        super().__init__(text)
        self.reason = reason
        self.retry_ms = retry_ms


async def refuse(
    context: "grpc.aio.ServicerContext[Any, Any]",
    status: grpc.StatusCode,
    reason: Reason,
    text: str,
    *,
    retry_ms: int | None = None,
) -> NoReturn:
    """Ends a call with a status, a sentence and a reason.

    Raises:
        Exception: Always: that is how gRPC ends a call.
    """
    trailing = [(REASON_KEY, reason.value)]
    if retry_ms is not None:
        trailing.append((RETRY_KEY, str(retry_ms)))
    try:
        await context.abort(status, text, trailing_metadata=tuple(trailing))
    except grpc.aio.AbortError:
        raise
    except grpc.aio.BaseError:
        # The caller has gone: nobody is to be told, and gRPC would print where it stumbled.
        raise asyncio.CancelledError from None
    raise AssertionError("abort raises")
