"""An arena that hosts matches without a network: its bots answer by themselves, always alike."""

import asyncio
import zlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from session_fakes import FakeClock, answer_to, arena_messages, bot_frame, capturing_logger

from euchre_arena.v1.action_pb2 import Action
from euchre_arena.v1.arena_service_pb2 import Answer, ArenaMessage, Hello
from euchre_arena.v1.table_pb2 import Decision
from euchre_server.hosting.host import Host, HostLimits
from euchre_server.hosting.play import Stage
from euchre_server.launch.isolation import Confinement
from euchre_server.launch.runs import RunFolder
from euchre_server.match.boards import SeatingScheme
from euchre_server.referee.spec import PolicyKind
from euchre_server.session import ArenaServer, MatchOrder, MatchState, Secret

__all__ = ["AutoBot", "ServedArena", "an_order", "chosen", "until"]

_PATIENCE_S = 60


def an_order(request_id: str = "r1", **changes: Any) -> MatchOrder:  # noqa: ANN401  # an order's
    """Returns an order of two connected bots in which only what a test speaks of is unusual."""
    usual: dict[str, object] = {
        "rules": "two-handed",
        "bots": (("ann", "remote"), ("bob", "remote")),
        "boards": 3,
        "games": None,
        "seed": "served",
        "seatings": SeatingScheme.ROTATIONS,
        "tables": 2,
        "clock": None,
        "policy": PolicyKind.LENIENT,
        "join_within_ms": None,
        "remote_within_ms": None,
    }
    return MatchOrder(request_id=request_id, **(usual | changes))  # type: ignore[arg-type]  # by name


def chosen(decision: Decision) -> Action | None:
    """Returns an action that follows from the view alone."""
    if not decision.legal:
        return None
    draw = zlib.crc32(decision.view.SerializeToString(deterministic=True))
    return decision.legal[draw % len(decision.legal)]


async def until(came: Callable[[], bool]) -> None:
    """Lets others run until something has come about.

    It follows from what is played in this loop alone: nobody but the loop could tell of it.
    """
    async with asyncio.timeout(_PATIENCE_S):
        while not came():  # noqa: ASYNC110  # see above
            await asyncio.sleep(0)


class AutoBot:
    """A bot that answers as soon as it is asked, unless it is held."""

    def __init__(self, arena: ArenaServer, name: str, *, max_tables: int = 0) -> None:
        self.messages: list[ArenaMessage] = []
        self.held = False
        self.answers = 0
        self._asked: list[Decision] = []
        self._coming = False
        self._conversation = arena.converse(name, self._ready)
        self._say(Hello(protocol_version=1, max_tables=max_tables, max_open_decisions=99))

    def kinds(self) -> list[str | None]:
        """Returns what kinds of messages it has read."""
        return [message.WhichOneof("message") for message in self.messages]

    def let_go(self) -> None:
        """Answers what it was asked while it was held, and goes on."""
        self.held = False
        self._ready()

    def lose(self) -> None:
        """Loses its connection."""
        self._conversation.lost()

    def _say(self, *messages: Hello | Answer) -> None:
        self._conversation.receive(bot_frame(*messages))

    def _ready(self) -> None:
        if not self._coming:
            self._coming = True
            asyncio.get_running_loop().call_soon(self._read)

    def _read(self) -> None:
        self._coming = False
        while (frame := self._conversation.take()) is not None:
            for message in arena_messages([frame]):
                self.messages.append(message)
                if message.WhichOneof("message") == "decision":
                    self._asked.append(message.decision)
        if not self.held and self._asked:
            asked, self._asked = self._asked, []
            self.answers += len(asked)
            self._say(*(answer_to(decision, chosen(decision)) for decision in asked))


class ServedArena:
    """A host on an arena that does not listen; a context, at whose end everything rests."""

    def __init__(self, data: Path, limits: HostLimits | None = None) -> None:
        self.data = data
        self.clock = FakeClock()
        logger, self.logs = capturing_logger()
        self.server = ArenaServer(instance_id="arena", logger=logger, clock=self.clock)
        self.bots: dict[str, AutoBot] = {}
        data.mkdir(mode=0o700, exist_ok=True)
        self._run = RunFolder(data, one_socket=True)
        self.host = Host(
            data=data,
            stage=Stage(
                arena=self.server,
                data=data,
                confinement=Confinement(),
                run=self._run,
                by_socket=False,
            ),
            log=logger,
            limits=limits or HostLimits(),
        )

    async def __aenter__(self) -> Self:
        self.server._driver.start()
        await self.host.learn()
        self.host.begin("127.0.0.1:1")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.host.stop()
        self.server._driver.stop()
        with self._run:
            pass

    def bot(self, name: str, *, max_tables: int = 0) -> AutoBot:
        """Returns a bot that has dialled with a token of its own."""
        self.server.expect(name, Secret.fresh())
        self.bots[name] = AutoBot(self.server, name, max_tables=max_tables)
        return self.bots[name]

    async def played(self, *match_ids: str) -> list[MatchState]:
        """Returns how these matches stand once they are played no more; all, unless given."""
        tasks = [
            task
            for task, match in self.host._tasks.items()
            if not match_ids or match.match_id in match_ids
        ]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_PATIENCE_S)
            assert not late, "a match is still played"
        chosen_ids = match_ids or tuple(self.host.matches)
        return [self.host.matches[match_id].state for match_id in chosen_ids]
