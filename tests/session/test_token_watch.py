"""Who has come with a stored token does not stay for long when it is taken away."""

from pathlib import Path

import pytest
from session_fakes import FakeClock, MemoryRecorder, arena_messages, bot_frame, capturing_logger

from euchre_arena.v1.arena_service_pb2 import GOODBYE_REASON_REFUSED, Hello
from euchre_server.session import ArenaServer, Role, Secret, TokenStore
from euchre_server.session.conversation import Conversation
from euchre_server.session.names import key_of
from euchre_server.session.token_watch import WATCH_EVERY_MS

GUEST = key_of("match1", "guest")
"""Under what the arena knows a bot that it started for a match."""


class Arena:
    """An arena whose time moves when told, with a bot of a stored token and an expected one."""

    def __init__(self, folder: Path) -> None:
        self.unix = 1_000.0
        self.store = TokenStore(folder, now=lambda: self.unix)
        self.store.create("ada", Role.BOT, expires_unix=2_000)
        self.clock = FakeClock()
        logger, self.logs = capturing_logger()
        self.server = ArenaServer(
            recorder=MemoryRecorder(),
            instance_id="i",
            logger=logger,
            clock=self.clock,
            tokens=self.store,
        )
        assert self.server._watch is not None
        self.server._watch.start()
        self.server.expect(GUEST, Secret.fresh())
        self.bots = {name: self._come(name) for name in ("ada", GUEST)}

    def _come(self, name: str) -> Conversation:
        conversation = self.server.converse(name, lambda: None)
        conversation.receive(bot_frame(Hello(protocol_version=1)))
        return conversation

    def wait(self) -> list[str]:
        """Lets the time of one look pass; returns who is still there."""
        self.clock.advance(WATCH_EVERY_MS)
        return [name for name, bot in self.bots.items() if bot.is_live]


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """Returns an arena with both bots there."""
    return Arena(tmp_path / "data")


async def test_who_is_revoked_is_told_to_go(arena: Arena) -> None:
    """Within seconds, with the reason, for good; who was let in for a match stays."""
    before = arena.wait()
    arena.store.revoke("ada")
    after = arena.wait()
    frames = []
    while (frame := arena.bots["ada"].take()) is not None:
        frames.append(frame)
    goodbye = arena_messages(frames)[-1].goodbye

    assert ["ada", GUEST] == before
    assert [GUEST] == after
    assert (GOODBYE_REASON_REFUSED, "this bot's token has been revoked or has expired") == (
        goodbye.reason,
        goodbye.text,
    )


async def test_an_expired_token_ends_its_session(arena: Arena) -> None:
    """Its time counts, though nobody changes the file."""
    arena.unix = 2_000.0

    assert [GUEST] == arena.wait()


async def test_a_new_token_of_the_same_name_ends_nothing(arena: Arena) -> None:
    """Tokens can be changed while their bot plays."""
    arena.store.create("ada", Role.BOT, replace=True)

    assert ["ada", GUEST] == arena.wait()


async def test_a_token_for_another_role_ends_its_session(arena: Arena) -> None:
    """Whoever may only look on from now on plays no more."""
    arena.store.create("ada", Role.ONLOOKER, replace=True)

    assert [GUEST] == arena.wait()


async def test_a_file_that_cannot_be_read_ends_nothing(arena: Arena) -> None:
    """A fault of the disk must not cost anybody a game; it is told once."""
    arena.store.path.write_text("{")
    there = [arena.wait() for _ in range(3)]

    assert [["ada", GUEST]] * 3 == there
    assert ["tokens cannot be read"] == [
        entry["event"] for entry in arena.logs.entries if entry["log_level"] == "error"
    ]
