"""An arena that is told a second time to stop gives its bots no more time."""

import asyncio
import functools
from pathlib import Path

import psutil
import pytest
from served import ServedArena, an_order, until

from euchre_server.hosting import play
from euchre_server.launch.launcher import Launcher
from euchre_server.launch.process import Patience
from euchre_server.session import MatchState


def _children() -> set[psutil.Process]:
    return set(psutil.Process().children())


async def test_house_bots_are_killed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever patience there was; the match rests and goes on at the next start."""
    endless = Patience(leave_s=600, terminate_s=600)
    monkeypatch.setattr(play, "Launcher", functools.partial(Launcher, patience=endless))
    before = _children()
    async with ServedArena(tmp_path) as arena:
        created = await arena.host.create(
            an_order(bots=(("ann", "rules"), ("bob", "random")), join_within_ms=600_000), "me"
        )
        match = arena.host.matches[created.match.match_id]
        await until(lambda: len(_children() - before) == 2)
        bots = _children() - before
        draining = asyncio.create_task(arena.host.drain(600))
        await until(lambda: arena.host.draining)

        async with asyncio.timeout(8):
            await arena.host.stop(hurry=True)
            await draining

    assert MatchState.RESTING is match.state
    assert [False, False] == [bot.is_running() for bot in bots]
