"""Promises about the connection, against a scripted arena on loopback."""

import asyncio
import gc
import warnings
from collections.abc import AsyncIterator
from types import SimpleNamespace

import grpc.aio
import pytest
from fake_arena import TOKEN, Peer, decision, fake_arena, opening, table_closed

from euchre_arena import (
    Action,
    Bot,
    BotError,
    Decision,
    GoodbyeReason,
    LostError,
    RefusedError,
    SetupError,
)
from euchre_arena.bot import FunctionBot
from euchre_arena.dial import Address, _Play, play
from euchre_arena.events import Goodbye
from euchre_arena.reach import CutError
from euchre_arena.redial import Redial
from euchre_arena.session import Introduction
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.v1 import table_pb2

WRONG = "wrong-one"
ONCE = Redial(within_s=0)


def first(decision: Decision) -> Action:
    """Plays the first legal action."""
    return decision.legal[0]


def address(server: str, *, token: str = TOKEN, timeout_s: float = 10.0) -> Address:
    """Returns where to dial."""
    return Address(server=server, token=token, dial_timeout_s=timeout_s)


async def dial(server: str, bot: Bot | None = None) -> Goodbye:
    """Plays one connection with a bot that answers the first legal action, or with another."""
    introduction = Introduction(bot_name="ann")
    return await play(bot or FunctionBot(first), address(server), introduction, redial=ONCE)


async def test_answers_to_one_frame_go_back_in_one_frame() -> None:
    """A bot plays until the arena says goodbye, and gathers its answers."""
    names: list[str] = []

    async def script(peer: Peer) -> None:
        names.append((await peer.welcome()).bot_name)
        await peer.send(opening("a"), opening("b"), decision(1, "a"), decision(1, "b"))
        await peer.receive()
        await peer.send(table_closed("a"), table_closed("b"))
        await peer.say_goodbye(text="well played")
        frames.extend(peer.frames)

    frames: list[pb.ConnectRequest] = []
    async with fake_arena(script) as server:
        goodbye = await dial(server)

    assert ["ann"] == names
    assert Goodbye(reason=GoodbyeReason.DONE, text="well played", redial_after_ms=None) == goodbye
    assert [1, 2] == [len(frame.messages) for frame in frames]
    assert ["a", "b"] == [message.answer.table_id for message in frames[1].messages]


async def test_async_answers_that_are_ready_together_go_in_one_frame() -> None:
    """Decisions of an `async` bot are open side by side; ready answers share a frame."""
    gate = asyncio.Event()
    waiting: set[str] = set()

    async def wait(decision: Decision) -> Action:
        waiting.add(decision.table.id)
        if len(waiting) == 2:
            gate.set()
        await gate.wait()
        return decision.legal[1]

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(opening("a"), decision(1, "a"))
        await peer.send(opening("b"), decision(1, "b"))
        answers.extend(await peer.receive() or [])
        await peer.say_goodbye()

    answers: list[pb.BotMessage] = []
    async with fake_arena(script) as server:
        await dial(server, FunctionBot(wait))

    assert {"a", "b"} == {message.answer.table_id for message in answers}
    assert [2, 2] == [message.answer.action.kind for message in answers]


async def test_a_slow_async_bot_still_answers_pings() -> None:
    """While an `async` bot thinks, the session lives."""
    gate = asyncio.Event()

    async def wait(decision: Decision) -> Action:
        await gate.wait()
        return decision.legal[0]

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(opening(), decision())
        await peer.send(pb.ArenaMessage(ping=pb.Ping(nonce=8)))
        first_back.extend(await peer.receive() or [])
        gate.set()
        await peer.receive()
        await peer.say_goodbye()

    first_back: list[pb.BotMessage] = []
    async with fake_arena(script) as server:
        await dial(server, FunctionBot(wait))

    assert [pb.BotMessage(pong=pb.Pong(nonce=8))] == first_back


async def test_thinking_stops_when_the_time_is_out() -> None:
    """A decision that the clock played is not thought about any longer."""
    stopped = asyncio.Event()

    async def wait(decision: Decision) -> Action:
        if decision.id > 1:
            return decision.legal[0]
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return decision.legal[0]

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(opening(), decision(1))
        timed_out = table_pb2.TimedOut(table_id="t", decision_id=1)
        timed_out.played.kind = 1  # type: ignore[assignment]
        await peer.send(pb.ArenaMessage(timed_out=timed_out), decision(2))
        answers.extend(await peer.receive() or [])
        await peer.say_goodbye()

    answers: list[pb.BotMessage] = []
    async with fake_arena(script) as server:
        await dial(server, FunctionBot(wait))

    assert stopped.is_set()
    assert [2] == [message.answer.decision_id for message in answers]


async def test_a_wrong_token_is_refused_without_being_shown() -> None:
    """The error says that the token was refused, and not which."""

    async def script(peer: Peer) -> None:
        await peer.welcome()

    async with fake_arena(script) as server:
        with pytest.raises(
            RefusedError, match="refused the token: the token is not known"
        ) as error:
            await play(FunctionBot(first), address(server, token=WRONG), Introduction())

    assert WRONG not in str(error.value)
    assert WRONG not in repr(address(server, token=WRONG))


async def test_nobody_at_the_address_is_said_after_the_time_out() -> None:
    """An arena that is not there is a set-up error that names the address."""
    async with fake_arena(_never) as server:
        pass  # the port was free a moment ago, and is again

    sentence = rf"no arena answered at {server} \(.*refused\); dialled \w+.* within 0\.2 s"
    with pytest.raises(SetupError, match=sentence):
        await play(FunctionBot(first), address(server, timeout_s=0.2), Introduction())


async def test_an_arena_that_never_says_welcome_is_given_up() -> None:
    """Hello without an answer ends at the time-out."""
    async with fake_arena(_never) as server:
        with pytest.raises(SetupError, match=r"sent no Welcome within 0\.3 s"):
            await play(FunctionBot(first), address(server, timeout_s=0.3), Introduction())


async def test_a_server_of_another_kind_is_told_apart() -> None:
    """A gRPC server that does not know the service is no arena."""
    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        with pytest.raises(SetupError, match="is no Euchre arena"):
            await dial(f"127.0.0.1:{port}")
    finally:
        await server.stop(0)


async def test_a_stream_that_ends_without_goodbye_is_a_loss() -> None:
    """Only Goodbye is a clean end."""

    async def script(peer: Peer) -> None:
        await peer.welcome()

    async with fake_arena(script) as server:
        with pytest.raises(LostError, match="without a goodbye"):
            await dial(server)


async def test_a_broken_stream_is_a_loss() -> None:
    """An error status after Welcome is a loss, with its text."""

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.context.abort(grpc.StatusCode.UNAVAILABLE, "gone")

    async with fake_arena(script) as server:
        with pytest.raises(LostError, match="UNAVAILABLE, gone"):
            await dial(server)


async def test_a_full_arena_is_told() -> None:
    """Refusal for want of room says so, once there has been none for as long as the bot dials."""

    async def script(peer: Peer) -> None:
        await peer.context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "16 sessions")

    async with fake_arena(script) as server:
        with pytest.raises(SetupError, match="did not let the bot in: 16 sessions; dialled"):
            await play(FunctionBot(first), address(server, timeout_s=0.3), Introduction())


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        (pb.GOODBYE_REASON_REFUSED, RefusedError),
        (pb.GOODBYE_REASON_FENCED, LostError),
        (pb.GOODBYE_REASON_FAULTY, LostError),
        (pb.GOODBYE_REASON_SLOW_READER, LostError),
    ],
)
async def test_a_goodbye_for_a_fault_is_an_error(
    reason: "pb.GoodbyeReason.ValueType", kind: type[Exception]
) -> None:
    """The arena's reason reaches the author."""

    async def script(peer: Peer) -> None:
        await peer.receive()
        await peer.say_goodbye(reason, "because")

    async with fake_arena(script) as server:
        with pytest.raises(kind, match="because"):
            await dial(server)


async def test_an_arena_that_stops_is_no_error() -> None:
    """DRAINING without a time to come back ends the session cleanly."""

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say_goodbye(pb.GOODBYE_REASON_DRAINING, "closing")

    async with fake_arena(script) as server:
        goodbye = await dial(server)

    assert GoodbyeReason.DRAINING is goodbye.reason


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_bot_that_fails_ends_the_session(*, is_async: bool) -> None:
    """An exception in `decide`, plain or async, is the bot's error, with its cause."""

    def broken(decision: Decision) -> Action:
        raise KeyError(decision.id)

    async def broken_later(decision: Decision) -> Action:
        await asyncio.sleep(0)
        raise KeyError(decision.id)

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(opening(), decision())
        await peer.receive()

    async with fake_arena(script) as server:
        with pytest.raises(BotError, match="decision 1") as error:
            await dial(server, FunctionBot(broken_later if is_async else broken))

    assert isinstance(error.value.__cause__, KeyError)


async def test_an_interrupted_bot_says_goodbye() -> None:
    """Who interrupts a bot makes it leave, not vanish: the arena hears it, and ends the stream."""
    there = asyncio.Event()
    last: asyncio.Future[list[pb.BotMessage] | None] = asyncio.get_running_loop().create_future()
    closed: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        there.set()
        last.set_result(await peer.receive())
        closed.set_result(await peer.receive() is None)

    async with fake_arena(script) as server:
        playing = asyncio.create_task(dial(server))
        await there.wait()
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        expected = pb.Goodbye(reason=pb.GOODBYE_REASON_LEAVING, text="interrupted")

        async with asyncio.timeout(20):
            assert [pb.BotMessage(goodbye=expected)] == await last
            assert await closed


class _EndedCall:
    """A stream that the arena has ended: it takes nothing more, but holds unread frames."""

    def __init__(self, *frames: pb.ConnectResponse) -> None:
        self._frames = frames

    async def write(self, frame: pb.ConnectRequest) -> None:
        """Fails as grpc.aio does."""
        raise asyncio.InvalidStateError(f"RPC already finished, not sent: {frame}")

    async def done_writing(self) -> None:
        """Fails as grpc.aio does."""
        raise asyncio.InvalidStateError("RPC already finished")

    def cancel(self) -> None:
        """Does nothing any more."""

    async def __aiter__(self) -> AsyncIterator[pb.ConnectResponse]:
        for frame in self._frames:
            yield frame


async def test_a_goodbye_is_heard_although_the_stream_takes_nothing_more() -> None:
    """A write that fails does not hide what the arena said before it ended the stream."""
    call = _EndedCall(
        pb.ConnectResponse(messages=[opening(), decision()]),
        pb.ConnectResponse(
            messages=[pb.ArenaMessage(goodbye=pb.Goodbye(reason=pb.GOODBYE_REASON_DONE))]
        ),
    )
    playing = _Play(FunctionBot(first), address("127.0.0.1:1"), Introduction(), ONCE)
    playing._call = call  # type: ignore[assignment]
    await playing._carry(call, asyncio.get_running_loop().time(), 10.0)  # type: ignore[arg-type]

    assert playing._session.goodbye is not None
    assert GoodbyeReason.DONE is playing._session.goodbye.reason


class _SlowCall(_EndedCall):
    """A stream on which a write ends only when the arena has spoken on, as flow control may do."""

    def __init__(self, *frames: pb.ConnectResponse) -> None:
        super().__init__(*frames)
        self.was_called_off = False
        self._writing = asyncio.Event()
        self._may_write = asyncio.Event()

    async def write(self, frame: pb.ConnectRequest) -> None:
        """Takes Hello at once, and an answer once the arena has spoken on."""
        if frame.messages[0].HasField("hello"):
            return
        self._writing.set()
        try:
            await self._may_write.wait()
        except asyncio.CancelledError:
            self.was_called_off = True  # grpc.aio cancels the whole call here
            raise

    async def done_writing(self) -> None:
        """Ends our side."""

    async def __aiter__(self) -> AsyncIterator[pb.ConnectResponse]:
        first, *rest = [frame async for frame in super().__aiter__()]
        yield first
        await self._writing.wait()
        self._may_write.set()  # though the answer goes on only after the next frame
        for frame in rest:
            yield frame


async def test_an_answer_on_its_way_is_not_called_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena may go on before a write has ended: to cancel that would end the whole stream."""
    call = _SlowCall(
        pb.ConnectResponse(messages=[opening(), decision(1)]),
        pb.ConnectResponse(messages=[table_closed()]),
        pb.ConnectResponse(
            messages=[pb.ArenaMessage(goodbye=pb.Goodbye(reason=pb.GOODBYE_REASON_DONE))]
        ),
    )

    async def think(decision: Decision) -> Action:
        return decision.legal[0]

    async def reached(*_: object, **__: object) -> None:
        """Is connected."""

    monkeypatch.setattr("euchre_arena.dial.reach", reached)
    monkeypatch.setattr(
        "euchre_arena.dial.ArenaServiceStub",
        lambda _: SimpleNamespace(Connect=lambda metadata: call),  # noqa: ARG005 - as in gRPC
    )
    goodbye = await dial("127.0.0.1:1", FunctionBot(think))

    assert GoodbyeReason.DONE is goodbye.reason
    assert not call.was_called_off


async def _never(peer: Peer) -> None:
    await peer.receive()
    await peer.receive()


async def test_a_question_that_is_over_at_once_leaves_no_warning() -> None:
    """An async bot asked in the frame that also ends its table is called off before it began."""

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(opening(), decision(), table_closed())
        await peer.say_goodbye()

    async def think(decision: Decision) -> Action:
        return decision.legal[0]

    async with fake_arena(script) as server:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            await dial(server, FunctionBot(think))
            gc.collect()

    assert [] == [str(warning.message) for warning in warned]


class _CancelledCall(_EndedCall):
    """A stream that somebody else has cancelled."""

    async def __aiter__(self) -> AsyncIterator[pb.ConnectResponse]:
        raise asyncio.CancelledError
        yield


async def test_a_call_that_somebody_else_cancelled_is_a_loss() -> None:
    """grpc.aio raises as if the bot's own task was cancelled: that must not end it."""
    call = _CancelledCall()
    playing = _Play(FunctionBot(first), address("127.0.0.1:1"), Introduction(), ONCE)
    playing._call = call  # type: ignore[assignment]

    with pytest.raises(CutError, match=r"lost the connection to 127\.0\.0\.1:1: CANCELLED"):
        await playing._carry(call, asyncio.get_running_loop().time(), 10.0)  # type: ignore[arg-type]
