"""Promises about the sample bot in Node, where its two packages are installed."""

import asyncio
import os
import shutil
from pathlib import Path

import grpc
import pytest
from cut_wire import wired
from fake_arena import TOKEN, Peer, decision, fake_arena, opening, table_closed
from session_fakes import MemoryRecorder, capturing_logger
from tables import table_spec

from euchre_arena import Action, Decision
from euchre_arena.bot import FunctionBot
from euchre_arena.dial import Address, play
from euchre_arena.session import Introduction
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.v1 import card_pb2
from euchre_server.referee.facts import Acted, Actor, EndCause
from euchre_server.referee.spec import ClockSpec, FaultPolicy
from euchre_server.session import ArenaServer, Limits, Secret
from euchre_server.session import GoodbyeReason as Reason

FOLDER = Path(__file__).resolve().parents[2] / "clients" / "node"
NODE = shutil.which("node")

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.skipif(
        not (FOLDER / "node_modules").exists(), reason="run `npm install` in clients/node first"
    ),
]


async def start(server: str, token: str = TOKEN, *, within_s: str = "20") -> tuple[int, str]:
    """Runs the bot and returns its exit status and error output."""
    environment = os.environ | {
        "EUCHRE_ARENA_SERVER": server,
        "EUCHRE_ARENA_TOKEN": token,
        "EUCHRE_ARENA_RECONNECT_WITHIN_S": within_s,
    }
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


class Arena:
    """Plays one part per connection, the last one again when there is none.

    Attributes:
        hellos: What the bot said at each that it was welcome on.
        count: How many connections there were.
    """

    def __init__(self, *parts: str) -> None:
        self.hellos: list[pb.Hello] = []
        self.count = 0
        self._parts = parts

    async def __call__(self, peer: Peer) -> None:
        """Plays the next part."""
        self.count += 1
        part = self._parts[min(self.count, len(self._parts)) - 1]
        if part == "end":
            return
        if part == "break":
            await peer.context.abort(grpc.StatusCode.UNAVAILABLE, "starting")
        self.hellos.append(await peer.welcome())
        if part == "drain":
            goodbye = pb.Goodbye(reason=pb.GOODBYE_REASON_DRAINING, redial_after_ms=400)
            await peer.send(pb.ArenaMessage(goodbye=goodbye))
            return
        if part == "fence":
            await peer.say_goodbye(pb.GOODBYE_REASON_FENCED, "another took over")
            return
        await peer.send(opening(), decision())
        (message,) = await peer.receive() or []
        assert ("t", 1) == (message.answer.table_id, message.answer.decision_id)
        if part == "ask and break":
            await peer.context.abort(grpc.StatusCode.UNAVAILABLE, "gone")
        await peer.send(table_closed())
        await peer.say_goodbye()


async def test_the_node_bot_comes_back_to_its_table() -> None:
    """After a loss it says who comes back, tries until it is let in, and answers again."""
    arena = Arena("ask and break", "break", "end", "ask and break", "ask and close")
    async with fake_arena(arena) as server:
        result = await start(server)

    assert (0, 2 * "random_bot: gone; dialling again\n") == result
    assert ["", "again", "again"] == [hello.resume_token for hello in arena.hellos]


async def test_the_node_bot_comes_back_when_the_arena_says() -> None:
    """DRAINING with a time is waited for, and is no end."""
    arena = Arena("drain", "ask and close")
    loop = asyncio.get_running_loop()
    async with fake_arena(arena) as server:
        began = loop.time()
        status, _ = await start(server)

    assert (0, 2) == (status, arena.count)
    assert loop.time() - began > 0.4


async def test_the_node_bot_stays_away_when_another_took_over() -> None:
    """Any other goodbye is final: two instances must not fence each other for ever."""
    arena = Arena("fence")
    async with fake_arena(arena) as server:
        assert (1, "random_bot: another took over\n") == await start(server)

    assert 1 == arena.count


async def test_the_node_bot_gives_up() -> None:
    """Who is dropped again and again dials a bounded number of times, less and less often."""
    arena = Arena("ask and break", "break")
    async with fake_arena(arena) as server:
        status, errors = await start(server, within_s="0.6")

    lost, given_up = errors.splitlines()
    assert (1, "random_bot: gone; dialling again") == (status, lost)
    assert "random_bot: not back within 0.6 s: starting" == given_up
    assert 2 <= arena.count <= 5


async def test_the_node_bot_plays_a_match_over_a_wire_that_is_cut() -> None:
    """Against a real arena: every loss is made good, and the clock plays nothing."""
    logger, _ = capturing_logger()
    recorder = MemoryRecorder()
    server = ArenaServer(recorder=recorder, instance_id="a", logger=logger, limits=Limits())
    clock, policy = ClockSpec(budget_ms=20_000, first_ms=20_000), FaultPolicy(fault_limit=1_000)
    specs = [
        table_spec(table_id=f"t{n}", number=n, board=n, clock=clock, policy=policy)
        for n in range(1, 7)
    ]
    spec = specs[0]
    tokens = [Secret.fresh() for _ in spec.bots]
    for name, token in zip(spec.bots, tokens, strict=True):
        server.expect(name, token)
    address = await server.start()
    asked = cuts = 0
    try:
        async with asyncio.timeout(60), wired(address) as wire:

            def cut(decision: Decision) -> Action:
                nonlocal asked, cuts
                asked += 1
                # Not so often that the last cut is not made good before the last table has ended.
                if asked > 4 and cuts < 3 and server.connected(spec.bots[0]):
                    asked, cuts = 0, cuts + 1
                    wire.cut()
                return decision.legal[0]

            node = asyncio.create_task(start(wire.address, tokens[0].reveal()))
            others = [
                asyncio.create_task(
                    play(
                        FunctionBot(cut),
                        Address(server=address, token=token.reveal()),
                        Introduction(),
                    )
                )
                for token in tokens[1:]
            ]
            for name in spec.bots:
                await server.wait_joined(name, 30)
            results = await asyncio.gather(*map(server.open_table, specs))
            await server.wait_joined(spec.bots[0], 30)
            for name in spec.bots:
                await server.dismiss(name, Reason.DONE, "done")
            status, errors = await node
            await asyncio.gather(*others)
    finally:
        await server.stop(0.2)

    facts = [fact for _, _, fact in recorder.facts]
    losses = len(errors.splitlines())
    assert {EndCause.PLAYED} == {result.cause for result in results}
    assert {Actor.BOT} == {fact.actor for fact in facts if isinstance(fact, Acted)}
    assert (0, 3) == (status, cuts)
    assert 1 <= losses < wire.connections <= 4
