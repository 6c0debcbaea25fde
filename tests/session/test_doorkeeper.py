"""Who is let in, and what is known of others."""

from pathlib import Path

from session_fakes import capturing_logger

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
