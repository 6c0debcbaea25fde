"""What a started bot is told by its environment, and what is kept from it."""

import json
import sys
from pathlib import Path

import pytest

from euchre_server.launch.command import Command
from euchre_server.launch.launcher import Launcher
from euchre_server.launch.runs import RunFolder

TOKEN = "let-me-in"  # noqa: S105  # good for nothing
SHOW = "import json, os, sys; json.dump(dict(os.environ), open(sys.argv[1], 'w'))"


async def _environment(tmp_path: Path, *, by_socket: bool) -> tuple[dict[str, str], Path]:
    """Returns the environment of a bot that is not isolated, and its socket."""
    shown = tmp_path / "shown"
    command = Command((sys.executable, "-c", SHOW, str(shown)))
    with RunFolder(tmp_path) as run:
        async with Launcher(tmp_path / "output", run=run, by_socket=by_socket) as launcher:
            process = launcher.start(
                "ann", command, server="arena.example:1", token=TOKEN, label="leg1"
            )
            await process.exited()
        found: dict[str, str] = json.loads(shown.read_text())
        return found, run.socket_of("ann")


@pytest.mark.parametrize("by_socket", [False, True])
async def test_a_bot_is_told_where_to_dial(tmp_path: Path, *, by_socket: bool) -> None:
    """The arena's address; where that speaks TLS, a socket of this machine, without any."""
    environment, socket = await _environment(tmp_path, by_socket=by_socket)

    assert (TOKEN, "ann") == (
        environment["EUCHRE_ARENA_TOKEN"],
        environment["EUCHRE_ARENA_BOT"],
    )
    assert (f"unix:{socket}" if by_socket else "arena.example:1") == environment[
        "EUCHRE_ARENA_SERVER"
    ]


async def test_the_arenas_own_settings_are_not_handed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where its keys are is nothing to a bot, and would be taken for the bot's own."""
    for name in ("TLS_KEY", "TLS_CERT", "TLS_CA", "SERVE_TLS_KEY", "MATCH_DATA"):
        monkeypatch.setenv(f"EUCHRE_ARENA_{name}", "/somewhere")
    monkeypatch.setenv("EUCHRE_ARENA_RECONNECT_WITHIN_S", "7")
    environment, _ = await _environment(tmp_path, by_socket=True)

    assert {
        "EUCHRE_ARENA_SERVER",
        "EUCHRE_ARENA_TOKEN",
        "EUCHRE_ARENA_BOT",
        "EUCHRE_ARENA_RUN",
        "EUCHRE_ARENA_RECONNECT_WITHIN_S",
    } == {name for name in environment if name.startswith("EUCHRE_ARENA")}
