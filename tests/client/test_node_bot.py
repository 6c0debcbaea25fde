"""Promises about the sample bot in Node, where its two packages are installed."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest
from fake_arena import TOKEN, Peer, decision, fake_arena, opening

from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.v1 import card_pb2

FOLDER = Path(__file__).resolve().parents[2] / "clients" / "node"
NODE = shutil.which("node")

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.skipif(
        not (FOLDER / "node_modules").exists(), reason="run `npm install` in clients/node first"
    ),
]


async def start(server: str, token: str = TOKEN) -> tuple[int, str]:
    """Runs the bot and returns its exit status and error output."""
    environment = os.environ | {"EUCHRE_ARENA_SERVER": server, "EUCHRE_ARENA_TOKEN": token}
    process = await asyncio.create_subprocess_exec(
        str(NODE), FOLDER / "random_bot.js", env=environment, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    return process.returncode or 0, errors.decode()


async def test_the_node_bot_answers_lists_choices_and_pings() -> None:
    """It answers with a legal action of either form, in one frame, and leaves on goodbye."""
    replies: list[pb.BotMessage] = []
    pool = [card_pb2.CARD_AC, card_pb2.CARD_KC, card_pb2.CARD_QC, card_pb2.CARD_JK]

    async def script(peer: Peer) -> None:
        await peer.welcome()
        exchange = decision(2)
        exchange.decision.ClearField("legal")
        exchange.decision.choose.kind = 10  # type: ignore[assignment]
        exchange.decision.choose.count = 3
        exchange.decision.choose.pool.extend(pool)
        ping = pb.ArenaMessage(ping=pb.Ping(nonce=1 << 60))
        await peer.send(opening(), decision(1), exchange, ping)
        replies.extend(await peer.receive() or [])
        await peer.say_goodbye()

    async with fake_arena(script) as server:
        assert (0, "") == await start(server)
    listed, chosen, pong = replies

    assert ("t", 1) == (listed.answer.table_id, listed.answer.decision_id)
    assert listed.answer.action.kind in (1, 2)
    assert 10 == chosen.answer.action.kind
    assert 3 == len(set(chosen.answer.action.cards) & set(pool))
    assert 1 << 60 == pong.pong.nonce


async def test_the_node_bot_says_when_it_is_refused() -> None:
    """A refused token is one line and a status that is not zero."""

    async def script(peer: Peer) -> None:
        await peer.welcome()

    async with fake_arena(script) as server:
        status, errors = await start(server, token="no")  # noqa: S106

    assert 1 == status
    assert "the token is not known" in errors
