"""The machine as the server sees it while a match is simulated: files, time of day, dice.

Owns which names of the server's modules stand for something else meanwhile.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

from sim_disk import Disk, SimFcntl, SimOs

from euchre_server.record import place, store
from euchre_server.record import resume as resume_module
from euchre_server.session import auth, books, driver
from euchre_server.session import server as server_module

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sim_truth import Truth
    from sim_world import World

__all__ = ["STARTED_UNIX_MS", "simulated"]

STARTED_UNIX_MS = 1_790_000_000_000
"""When every simulated match begins."""


class _Secrets:
    """Stands for the module `secrets`."""

    def __init__(self, world: World) -> None:
        self._random = world.random("secrets")

    def token_hex(self, count: int) -> str:
        """Returns so many random bytes."""
        return self._random.randbytes(count).hex()

    def token_urlsafe(self, count: int) -> str:
        """Returns a random text."""
        return self._random.randbytes(count).hex()[:43]


class _Time:
    """Stands for the module `time`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def time_ns(self) -> int:
        """Returns the simulated time of day."""
        return STARTED_UNIX_MS * 1_000_000 + self._world.now * 1_000

    def monotonic(self) -> float:
        """Returns the simulated time."""
        return self._world.now / 1_000_000


@contextmanager
def simulated(world: World, disk: Disk, truth: Truth) -> Iterator[None]:
    """Puts the simulation in the place of the machine."""
    fake_os, fake_fcntl, fake_time = SimOs(disk), SimFcntl(disk), _Time(world)
    fake_secrets = _Secrets(world)
    places: list[tuple[Any, str, Any]] = [
        (store, "os", fake_os),
        (store, "fcntl", fake_fcntl),
        (store, "time", fake_time),
        (store, "Syncer", disk.syncer),
        (place, "os", fake_os),
        (resume_module, "os", fake_os),
        (resume_module, "fcntl", fake_fcntl),
        (resume_module, "time", fake_time),
        (auth, "secrets", fake_secrets),
        (server_module, "secrets", fake_secrets),
        (driver, "step", truth.inputs.watch(vars(driver)["step"])),
        (books, "step", truth.inputs.watch(vars(books)["step"])),
    ]
    with ExitStack() as stack:
        for module, name, value in places:
            stack.enter_context(mock.patch.object(module, name, value))
        yield
