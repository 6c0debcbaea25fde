"""A host of matches that listens on a free port, and callers of its match service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from served import ServedArena

from euchre_arena.dial import Address
from euchre_arena.matches import MatchClient
from euchre_server.session import Role, TokenStore, match_service

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

__all__ = ["Service"]


class Service(ServedArena):
    """A host that listens too, on a free port."""

    def __init__(self, data: Path) -> None:
        super().__init__(data)
        self.tokens = TokenStore(data)
        self.server.door._stored = self.tokens
        self.address = ""

    async def __aenter__(self) -> Self:
        """Begins to listen."""
        await super().__aenter__()
        self.address = await self.server.start(services=(match_service(self.host),))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends all calls, watchers' too, once nothing is played."""
        await self.host.stop()
        await self.server.stop(0.1)
        await super().__aexit__(kind, error, trace)

    def client(self, role: Role = Role.OPERATOR) -> MatchClient:
        """Returns a caller."""
        return MatchClient(Address(server=self.address, token=self.token(role)))

    def token(self, role: Role = Role.OPERATOR) -> str:
        """Returns a new token of a role."""
        return self.tokens.create(f"a-{role}", role, replace=True).reveal()
