"""Promises about coming back after a loss, against a scripted arena on loopback."""

import asyncio
from dataclasses import dataclass, field

import grpc
import pytest
from fake_arena import TOKEN, Peer, Script, decision, fake_arena, opening, table_closed

from euchre_arena import (
    Action,
    ArenaError,
    Bot,
    Decision,
    Disconnected,
    GoodbyeReason,
    LostError,
    Reconnected,
    RefusedError,
    SetupError,
    Table,
    TableOpened,
    run,
)
from euchre_arena.dial import Address, play
from euchre_arena.events import Goodbye
from euchre_arena.redial import Redial
from euchre_arena.run import redial_from
from euchre_arena.session import Introduction
from euchre_arena.v1 import arena_service_pb2 as pb

FAST = Redial(within_s=10, first_s=0.002, most_s=0.01)


@dataclass
class Watcher(Bot):
    """Passes, and notes what happens to its connection and tables."""

    log: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def decide(self, decision: Decision) -> Action:
        """Passes."""
        self.tables.append(decision.table)
        return decision.legal[0]

    def on_table_opened(self, opened: TableOpened) -> None:
        """Notes it."""
        self.log.append(f"opened {opened.table.id}")

    def on_disconnected(self, disconnected: Disconnected) -> None:
        """Notes it."""
        self.log.append(f"disconnected: {disconnected.text}")

    def on_reconnected(self, reconnected: Reconnected) -> None:
        """Notes it."""
        self.log.append(f"reconnected: {reconnected.welcome.limits.max_frame_bytes}")


class Connections:
    """Plays one script per connection, and counts them."""

    def __init__(self, *scripts: Script) -> None:
        self.count = 0
        self._scripts = scripts

    async def __call__(self, peer: Peer) -> None:
        """Plays the next script, the last one again when there is none."""
        self.count += 1
        await self._scripts[min(self.count, len(self._scripts)) - 1](peer)


async def dial(server: str, bot: Bot, redial: Redial = FAST) -> Goodbye:
    """Plays, coming back fast."""
    address = Address(server=server, token=TOKEN, dial_timeout_s=10)
    return await play(bot, address, Introduction(), redial=redial)


async def cut(peer: Peer) -> None:
    """Breaks a stream."""
    await peer.context.abort(grpc.StatusCode.UNAVAILABLE, "gone")


async def test_a_cut_stream_is_dialled_again_and_the_table_stays_the_same_object() -> None:
    """C-4: a loss in the middle of a hand costs the bot neither its objects nor a question."""
    tokens: list[str] = []
    answered: list[int] = []

    async def first(peer: Peer) -> None:
        tokens.append((await peer.welcome()).resume_token)
        await peer.send(opening(), decision(1))
        await peer.receive()
        await cut(peer)

    async def second(peer: Peer) -> None:
        tokens.append((await peer.welcome()).resume_token)
        await peer.send(opening(), decision(1))  # the first answer has been lost on its way
        for number in (2, 3):
            answered.extend(m.answer.decision_id for m in await peer.receive() or [])
            await peer.send(decision(number))
        answered.extend(m.answer.decision_id for m in await peer.receive() or [])
        await peer.send(table_closed())
        await peer.say_goodbye()

    bot, connections = Watcher(), Connections(first, second)
    async with fake_arena(connections) as server:
        goodbye = await dial(server, bot)

    assert GoodbyeReason.DONE is goodbye.reason
    assert ["", "again"] == tokens
    assert [1, 2, 3] == answered
    assert 3 == len(bot.tables)
    assert all(table is bot.tables[0] for table in bot.tables)
    assert ["opened t", "reconnected: 65536"] == [bot.log[0], bot.log[2]]
    assert f"disconnected: lost the connection to {server}: UNAVAILABLE, gone" == bot.log[1]


async def test_a_stream_that_the_other_end_cancels_is_a_loss_like_any_other() -> None:
    """A proxy on the way may cancel a call: grpc.aio may raise then as if the bot had done so."""

    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(opening(), decision(1))
        await peer.receive()
        await peer.context.abort(grpc.StatusCode.CANCELLED, "reset")

    async def second(peer: Peer) -> None:
        await peer.welcome()
        await peer.say_goodbye()

    bot = Watcher()
    async with fake_arena(Connections(first, second)) as server:
        goodbye = await dial(server, bot)

    assert GoodbyeReason.DONE is goodbye.reason
    assert bot.log[1].startswith(f"disconnected: lost the connection to {server}: CANCELLED")


async def test_thinking_goes_on_while_the_connection_is_gone() -> None:
    """An `async` decision outlives its connection; its answer goes out on the next."""
    back = asyncio.Event()
    asked: list[int] = []

    class Thinker(Watcher):
        async def decide(self, decision: Decision) -> Action:  # type: ignore[override]  # may be async
            asked.append(decision.id)
            await back.wait()
            return decision.legal[1]

        def on_reconnected(self, _: Reconnected) -> None:
            back.set()

    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(opening(), decision(1), pb.ArenaMessage(ping=pb.Ping(nonce=1)))
        await peer.receive()
        await cut(peer)

    async def second(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(opening(), decision(1))
        answers.extend(await peer.receive() or [])
        await peer.say_goodbye()

    answers: list[pb.BotMessage] = []
    async with fake_arena(Connections(first, second)) as server:
        await dial(server, Thinker())

    assert [1] == asked
    assert [(1, 2)] == [(m.answer.decision_id, m.answer.action.kind) for m in answers]


@pytest.mark.parametrize(
    "reason",
    [
        pb.GOODBYE_REASON_FENCED,
        pb.GOODBYE_REASON_DONE,
        pb.GOODBYE_REASON_REFUSED,
        pb.GOODBYE_REASON_FAULTY,
        pb.GOODBYE_REASON_SLOW_READER,
        pb.GOODBYE_REASON_DRAINING,
    ],
)
async def test_a_goodbye_is_final(reason: "pb.GoodbyeReason.ValueType") -> None:
    """C-6: who is told why the session ends does not dial again; so nobody fences in a loop."""

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say_goodbye(reason)

    bot, connections = Watcher(), Connections(script)
    async with fake_arena(connections) as server:
        try:
            await dial(server, bot)
        except ArenaError as error:
            assert isinstance(error, LostError | RefusedError)  # noqa: PT017 - some reasons raise

    assert (1, []) == (connections.count, bot.log)


async def test_an_arena_that_says_when_to_come_back_is_obeyed() -> None:
    """DRAINING with a time is waited for, then dialled again."""
    loop = asyncio.get_running_loop()
    times: list[float] = []

    async def first(peer: Peer) -> None:
        await peer.welcome()
        times.append(loop.time())
        goodbye = pb.Goodbye(
            reason=pb.GOODBYE_REASON_DRAINING, text="new rules", redial_after_ms=80
        )
        await peer.send(pb.ArenaMessage(goodbye=goodbye))
        await peer.receive()

    async def second(peer: Peer) -> None:
        times.append(loop.time())
        await peer.welcome()
        await peer.say_goodbye()

    bot = Watcher()
    async with fake_arena(Connections(first, second)) as server:
        goodbye = await dial(server, bot)

    assert GoodbyeReason.DONE is goodbye.reason
    assert times[1] - times[0] >= 0.08
    assert "disconnected: the arena stops for a while: new rules" == bot.log[0]


async def test_an_arena_that_is_gone_is_given_up() -> None:
    """Nobody answers for as long as the bot tries: it ends with what it lost."""
    lost = asyncio.Event()

    class Loser(Watcher):
        def on_disconnected(self, _: Disconnected) -> None:
            lost.set()

    async def script(peer: Peer) -> None:
        await peer.welcome()

    async with fake_arena(script) as server:
        redial = Redial(within_s=0.3, first_s=0.1, most_s=0.1)
        playing = asyncio.create_task(dial(server, Loser(), redial))
        await lost.wait()
    with pytest.raises(LostError, match=r"without a goodbye; not back within 0\.3 s"):
        await playing


async def test_who_waits_to_dial_again_can_be_interrupted() -> None:
    """An interrupt ends the wait at once."""
    lost = asyncio.Event()

    class Loser(Watcher):
        def on_disconnected(self, _: Disconnected) -> None:
            lost.set()

    async def script(peer: Peer) -> None:
        await peer.welcome()

    async with fake_arena(script) as server:
        redial = Redial(within_s=1_000, first_s=1_000, most_s=1_000)
        playing = asyncio.create_task(dial(server, Loser(), redial))
        await lost.wait()
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing


async def test_an_arena_that_drops_everybody_is_given_up() -> None:
    """Connections on which play does not go on do not renew the bot's patience."""

    async def script(peer: Peer) -> None:
        await peer.welcome()

    connections = Connections(script)
    async with fake_arena(connections) as server:
        with pytest.raises(LostError, match=r"not back within 0\.2 s"):
            await dial(server, Watcher(), Redial(within_s=0.2, first_s=0.02, most_s=0.05))

    assert 4 <= connections.count <= 21


async def test_a_token_that_is_no_longer_good_ends_it() -> None:
    """A refusal on the way back is final."""

    async def first(peer: Peer) -> None:
        await peer.welcome()

    async def second(peer: Peer) -> None:
        await peer.context.abort(grpc.StatusCode.UNAUTHENTICATED, "no longer")

    connections = Connections(first, second)
    async with fake_arena(connections) as server:
        with pytest.raises(RefusedError, match="refused the token: no longer"):
            await dial(server, Watcher())

    assert 2 == connections.count


async def test_a_full_arena_is_dialled_again_by_who_had_a_place() -> None:
    """The arena may count the dead session for a while: that is no refusal."""

    async def first(peer: Peer) -> None:
        await peer.welcome()

    async def full(peer: Peer) -> None:
        await peer.context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "1 session")

    async def third(peer: Peer) -> None:
        await peer.welcome()
        await peer.say_goodbye()

    connections = Connections(first, full, full, third)
    async with fake_arena(connections) as server:
        assert GoodbyeReason.DONE is (await dial(server, Watcher())).reason

    assert 4 == connections.count


async def test_who_had_a_place_looks_for_the_arena_behind_another_server() -> None:
    """What is at the address while the arena is mended need be no arena for good."""

    async def first(peer: Peer) -> None:
        await peer.welcome()

    async def another(peer: Peer) -> None:
        await peer.context.abort(grpc.StatusCode.UNIMPLEMENTED, "unknown service")

    async def third(peer: Peer) -> None:
        await peer.welcome()
        await peer.say_goodbye()

    connections = Connections(first, another, third)
    async with fake_arena(connections) as server:
        assert GoodbyeReason.DONE is (await dial(server, Watcher())).reason

    assert 3 == connections.count


def test_the_time_comes_from_argument_then_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """`reconnect_within_s` goes before the variable, and that before thirty seconds."""
    monkeypatch.delenv("EUCHRE_ARENA_RECONNECT_WITHIN_S", raising=False)
    usual = redial_from(None).within_s
    monkeypatch.setenv("EUCHRE_ARENA_RECONNECT_WITHIN_S", "2.5")

    assert (30, 2.5, 0) == (usual, redial_from(None).within_s, redial_from(0).within_s)


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "inf"])
def test_what_is_no_time_is_named(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """A wrong value is a clear error before anything is dialled."""
    monkeypatch.setenv("EUCHRE_ARENA_RECONNECT_WITHIN_S", text)

    with pytest.raises(SetupError, match=f"'{text}' is no time to reconnect within"):
        redial_from(None)


def test_run_says_what_is_wrong_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    """`run` ends with status 2 and one line."""
    with pytest.raises(SystemExit, match="2"):
        run(Watcher(), server="127.0.0.1:1", token=TOKEN, reconnect_within_s=-3)

    assert 1 == len(capsys.readouterr().err.splitlines())
