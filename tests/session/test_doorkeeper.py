"""Who is let in, and what is known of others."""

from collections.abc import Container
from pathlib import Path

import pytest
from arenas import FakeArena
from session_fakes import capturing_logger

from euchre_server.session import GoodbyeReason, Secret
from euchre_server.session.access import Role
from euchre_server.session.doorkeeper import Doorkeeper
from euchre_server.session.token_store import TokenStore


def test_whoever_finds_that_tokens_cannot_be_read_tells_it(tmp_path: Path) -> None:
    """It is told once: also where it was not a caller who noticed."""
    logger, logs = capturing_logger()
    store = TokenStore(tmp_path / "data")
    store.create("ada", Role.BOT)
    door = Doorkeeper(store, logger)
    before = [door.may_dial(name) for name in ("ada", "bob")]
    store.path.write_text("{")

    after = [door.may_dial(name) for name in ("ada", "bob")]

    assert [True, False, True, True] == before + after
    assert ["tokens cannot be read"] == [entry["event"] for entry in logs.entries]


async def test_why_a_bot_was_not_there_is_no_news_once_it_was() -> None:
    """What a bot of a lasting token once did wrong is not why it is missing later."""
    arena = FakeArena()
    arena.dial("ada").conversation.lost()
    before = arena.server.absence("ada")

    arena.again("ada").leave()

    assert "it connected, but hung up without a Hello" == before
    assert None is arena.server.absence("ada")


async def test_a_bot_that_will_not_come_again_is_forgotten() -> None:
    """An arena that serves for years keeps nothing of whom it started for a match."""
    server = FakeArena().server
    for name, comes in (("ann", True), ("bob", False)):
        server.expect(name, Secret.fresh())
        if comes:
            server.converse(name, lambda: None).end(GoodbyeReason.REFUSED, "no")
        with pytest.raises(TimeoutError):
            await server.wait_joined(name, 0)
        server.bot_died(name, "exit status 1")
        server.forget_all_of(name)

    known = [
        vars(part)
        for part in (
            *(server, server.door, server.door._expected, server.resumes),
            *(server._attendance, server._turnstile),
        )
    ]
    kept = [
        key
        for part in known
        for key, value in part.items()
        if isinstance(value, Container) and ("ann" in value or "bob" in value)
    ]
    assert [] == kept
