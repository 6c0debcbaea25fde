"""Owns who may call what: roles, the table of calls, and the one place that decides.

A call that is in no table is refused, so that a new one is closed until somebody opens it here.
Must not know gRPC (`gate` asks this for every call) nor where tokens are kept.
"""

from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from euchre_server.session.auth import Secret, bearer_token

__all__ = ["CALLS", "Authoriser", "Caller", "Denied", "Role", "current_caller", "enter"]


class Role(StrEnum):
    """What the holder of a token may do."""

    BOT = "bot"
    """Play, under its own name and no other."""
    OPERATOR = "operator"
    """Make, look at and cancel matches."""
    ONLOOKER = "onlooker"
    """Look at matches."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: what a token was made for."""

    name: str
    role: Role


_MATCHES: Final = "/euchre_arena.v1.MatchService/"
_MAKERS: Final = (Role.OPERATOR,)
_LOOKERS: Final = (Role.OPERATOR, Role.ONLOOKER)
CALLS: Final[Mapping[str, tuple[Role, ...]]] = MappingProxyType(
    {
        "/euchre_arena.v1.ArenaService/Connect": (Role.BOT,),
        f"{_MATCHES}CreateMatch": _MAKERS,
        f"{_MATCHES}CancelMatch": _MAKERS,
        f"{_MATCHES}GetMatch": _LOOKERS,
        f"{_MATCHES}ListMatches": _LOOKERS,
        f"{_MATCHES}WatchMatch": _LOOKERS,
    }
)
"""Which roles may make which call."""
_OPEN: Final = ("/grpc.health.v1.Health/", "/grpc.reflection.")
"""Whoever reaches the arena may ask whether it works, and what its services look like."""


class Denied(Exception):  # noqa: N818  # a refusal, told to the caller; not an error of ours
    """A call that is not let through; the message says why and what would be right."""

    def __init__(self, message: str, *, known: bool, token: Secret | None) -> None:
        """Makes a refusal.

        Args:
            message: What the caller is told.
            known: Whether the token is good, but its role is not the one needed.
            token: The caller's.
        """
        super().__init__(message)
        self.known = known
        self.token = token


class Authoriser:
    """Decides about every call."""

    def __init__(self, sources: Iterable[Callable[[Secret], Caller | None]]) -> None:
        """Makes an authoriser.

        Args:
            sources: Each tells whose a token is, as far as it knows; asked in this order.
        """
        self._sources = tuple(sources)

    def authorise(
        self, rpc_method: str, metadata: Iterable[tuple[str, str | bytes]]
    ) -> Caller | None:
        """Returns who calls; None for a call that is open to everybody.

        Args:
            rpc_method: The call, as `/package.Service/Method`.
            metadata: The call's.

        Raises:
            Denied: The call may not be made, or not by this caller.
        """
        if rpc_method.startswith(_OPEN):
            return None
        values = [value for key, value in metadata if key == "authorization"]
        only = values[0] if len(values) == 1 else None
        token = bearer_token(only if isinstance(only, str) else None)
        caller = None if token is None else self._whose(token)
        if caller is None:
            raise Denied(
                "the metadata must hold `authorization: Bearer TOKEN`, once"
                if token is None
                else "the token is not known here, was revoked or has expired",
                known=False,
                token=token,
            )
        allowed = CALLS.get(rpc_method, ())
        if caller.role not in allowed:
            needed = f"needs the role {' or '.join(allowed)}" if allowed else "is open to no role"
            raise Denied(
                f"{rpc_method.rpartition('/')[2]} {needed}; this token has the role {caller.role}",
                known=True,
                token=token,
            )
        return caller

    def _whose(self, token: Secret) -> Caller | None:
        for source in self._sources:
            caller = source(token)
            if caller is not None:
                return caller
        return None


_current: ContextVar[Caller] = ContextVar("caller")


def enter(caller: Caller) -> None:
    """Makes a caller the one on whose behalf everything in this context is done."""
    _current.set(caller)


def current_caller() -> Caller:
    """Returns who made the call that is being served.

    Raises:
        LookupError: No call that needs a caller is.
    """
    return _current.get()
