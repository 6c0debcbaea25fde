"""Bots of the bare protocol: well or ill mannered, by chance that repeats.

What a bot plays depends on table, seat and decision alone, so that a match can be compared with one
that nothing happened to.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sim_stream import StreamCheck
from sim_world import MS, Process

from euchre_arena.v1 import action_pb2
from euchre_arena.v1 import arena_service_pb2 as pb

if TYPE_CHECKING:
    import grpc
    from sim_network import Network, Stream
from sim_world import World

__all__ = ["Manners", "SimBot", "chosen"]


def chosen(table_id: str, seat: int, number: int, count: int) -> int:
    """Returns which of so many actions is played; at first more often the first, to pass."""
    mixed = zlib.crc32(f"{table_id} {seat} {number}".encode()) * 0x9E3779B1 >> 13
    return mixed % (count + (number == 1)) % count


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """What a bot is like; times in milliseconds, chances of one, most of them per question."""

    think_ms: tuple[float, float] = (0.0, 8.0)
    slow: float = 0.0
    """How often it thinks longer than it has time."""
    slow_ms: tuple[float, float] = (100.0, 2_000.0)
    at_once: int = 1
    """How many questions it wants open."""
    pongs: bool = True
    dials_ms: tuple[float, float] = (0.0, 20.0)
    redials_ms: tuple[float, float] = (10.0, 400.0)
    absent: bool = False
    """Whether it never dials."""
    illegal: float = 0.0
    garbled: float = 0.0
    stale: float = 0.0
    double: float = 0.0
    foreign: float = 0.0
    """An answer for a table or a number that it was never asked about."""
    early: float = 0.0
    """An answer to the question after this one."""
    junk: float = 0.0
    """A frame that is no frame, half a frame, or a message of no kind."""
    hello: float = 0.0
    oversized: float = 0.0
    hangs_up: float = 0.0
    leaves: float = 0.0
    dies: float = 0.0
    twin: float = 0.0
    """How often another instance of it is started."""
    pauses: float = 0.0
    """How often it stops reading for a while."""
    pauses_ms: tuple[float, float] = (50.0, 3_000.0)
    stalls: float = 0.0
    """How often its whole process stands still."""
    intrudes: float = 0.0
    """How often somebody calls under its name with a token that is none of its."""
    lean: bool = False
    """Whether it asks for LEAN views, where it is a bot of the client library."""
    mute: float = 0.0
    """How often another instance of it connects and never says Hello, or something else first."""
    hello_is: str = "said"
    """`said`, `kept` back, or something `else` comes first."""
    note: bool = False


@dataclass(slots=True, eq=False)
class SimBot:
    """One instance of a bot."""

    world: World
    network: Network
    name: str
    token: str
    manners: Manners
    instance: int = 1
    on_death: Any = None
    process: Process = field(init=False)
    stream: Stream | None = None
    check: StreamCheck = field(init=False)
    comes_back: bool = False
    """Whether the arena has said in its goodbye when to come back."""
    is_done: bool = False
    """Whether it was told that all is over."""
    gone: bool = False
    """Whether it will not dial again."""

    def __post_init__(self) -> None:
        label = self.name if self.instance == 1 else f"{self.name}#{self.instance}"
        self.process = Process(self.world, label)
        self.random = self.world.random(f"bot {label}")
        self.check = StreamCheck()
        self.resume_token = ""
        self._twins = 0

    random: Any = field(init=False)
    resume_token: str = field(init=False)
    _twins: int = field(init=False)

    def begin(self) -> None:
        """Dials when it is ready."""
        if not self.manners.absent:
            self._later(self.manners.dials_ms, self.dial)
        if self._chance(self.manners.intrudes):
            self.world.fault("intruder")
            self._call(1_000, "no token", Manners(dials_ms=(0.0, 100.0)))
        if self._chance(self.manners.mute):
            self.world.fault("no hello")
            how = self.random.choice(("kept", "else"))
            self._call(2_000, self.token, Manners(dials_ms=(0.0, 300.0), hello_is=how))

    def again(self) -> None:
        """Is started anew, if it ended since all was over: it was not, for a new arena goes on."""
        if self.is_done:
            self.is_done = self.gone = False
            self._later(self.manners.dials_ms, self.dial)

    def _call(self, instance: int, token: str, manners: Manners) -> None:
        """Lets somebody else call under this name."""
        SimBot(self.world, self.network, self.name, token, manners, instance=instance).begin()

    def _later(self, span: tuple[float, float], what: Any, *args: Any) -> None:  # noqa: ANN401
        after = round(self.random.uniform(*span) * MS)
        self.world.schedule(self.process.now + after, what, *args, process=self.process)

    def _chance(self, of_one: float) -> bool:
        return bool(of_one) and self.random.random() < of_one

    # The stream

    def dial(self) -> None:
        """Dials."""
        if self.gone or self.stream is not None:
            return
        self.check = StreamCheck()
        self.comes_back = False
        self.stream = self.network.dial(self, self.token)
        if self.manners.hello_is != "said":
            if self.manners.hello_is == "else":
                self.say(pb.BotMessage(pong=pb.Pong(nonce=1)))
            return
        hello = pb.Hello(
            protocol_version=1,
            max_open_decisions=self.manners.at_once,
            resume_token=self.resume_token,
        )
        self.say(pb.BotMessage(hello=hello))

    def say(self, *messages: pb.BotMessage) -> None:
        """Sends a frame."""
        self.send(pb.ConnectRequest(messages=messages).SerializeToString())

    def send(self, frame: bytes) -> None:
        """Sends bytes as a frame."""
        if self.stream is not None and not self.stream.is_over:
            self.stream.send(frame)

    def on_end(self, stream: Stream, code: grpc.StatusCode, text: str) -> None:
        """Dials again, unless it is told not to."""
        if stream is not self.stream:
            return
        self.process.trace(f"its stream ended: {code.name} {text}")
        self.stream = None
        if code.name == "UNAUTHENTICATED":
            self.gone = True
        if self.check.said_goodbye and not self.comes_back:
            self.gone = True
        if not self.gone:
            self._later(self.manners.redials_ms, self.dial)

    def on_frame(self, stream: Stream, frame: bytes) -> None:
        """Reads a frame."""
        if stream is not self.stream:
            return
        for message in pb.ConnectResponse.FromString(frame).messages:
            wrong = self.check.take(message)
            if wrong is not None:
                self.world.violate(f"{self.process.name} was told {wrong}")
                return
            match message.WhichOneof("message"):
                case "welcome":
                    self.resume_token = message.welcome.resume_token
                case "ping":
                    if self.manners.pongs:
                        self.say(pb.BotMessage(pong=pb.Pong(nonce=message.ping.nonce)))
                case "goodbye":
                    self.comes_back = message.goodbye.HasField("redial_after_ms")
                    self.is_done = message.goodbye.reason == pb.GOODBYE_REASON_DONE
                    stream.finish()
                case "decision":
                    self._think(message.decision)
                case _:
                    pass
        if self._chance(self.manners.pauses):
            self.world.fault("slow reader")
            stream.pause()
            self._later(self.manners.pauses_ms, stream.resume)

    # Answers

    def _think(self, decision: Any) -> None:  # noqa: ANN401  # a message
        manners = self.manners
        span = manners.think_ms
        if self._chance(manners.slow):
            self.world.fault("slow answer")
            span = manners.slow_ms
        self._later(span, self._decide, self.stream, decision)

    def _decide(self, stream: Stream | None, decision: Any) -> None:  # noqa: ANN401
        if stream is not self.stream or stream is None or stream.is_over:
            return
        if self._misbehave(decision):
            return
        frame = [pb.BotMessage(answer=self._answer(decision))]
        if self._chance(self.manners.double):
            self.world.fault("double answer")
            frame *= 2
        self.say(*frame)

    def _answer(self, decision: Any) -> pb.Answer:  # noqa: ANN401
        table, number = decision.table_id, decision.decision_id
        if decision.legal:
            place = chosen(table, decision.view.seat, number, len(decision.legal))
            action = decision.legal[place]
        else:
            choose = decision.choose
            pool = sorted(choose.pool)
            first = chosen(table, decision.view.seat, number, len(pool))
            cards = [pool[(first + n) % len(pool)] for n in range(choose.count)]
            action = action_pb2.Action(kind=choose.kind, cards=sorted(cards))
        answer = pb.Answer(table_id=table, decision_id=number, action=action)
        if self.manners.note:
            answer.annotation = f"{self.name} says {number}"
            answer.think_ms = number
        return answer

    def _misbehave(self, decision: Any) -> bool:  # noqa: ANN401
        """Does what it should not; returns whether it does not answer then."""
        manners, table, number = self.manners, decision.table_id, decision.decision_id
        if self._chance(manners.stalls):
            self.world.fault("bot stalls")
            self.process.stall(round(self.random.uniform(20, 600)) * MS)
        if self._chance(manners.illegal):
            self.world.fault("illegal answer")
            self._say_answer(table, number, self._illegal(decision))
        if self._chance(manners.garbled):
            self.world.fault("garbled answer")
            kind, cards = self.random.choice([(0, []), (99, []), (11, []), (11, [77]), (3, [])])
            action = action_pb2.Action()
            action.kind = kind
            action.cards.extend(cards)
            self._say_answer(table, number, action)
        if self._chance(manners.stale) and number > 1:
            self.world.fault("stale answer")
            self._say_answer(table, self.random.randint(1, number - 1), self._any(decision))
        if self._chance(manners.early):
            self.world.fault("early answer")
            place = self.random.choice([table, *self.check.tables])
            self._say_answer(place, self.check.asked.get(place, 0) + 1, self._any(decision))
        if self._chance(manners.foreign):
            self.world.fault("foreign answer")
            place, wrong = self.random.choice(
                [("", number), ("nowhere", number), (table, 0), (table, -1), (table, number + 99)]
            )
            self._say_answer(place, wrong, self._any(decision))
        if self._chance(manners.junk):
            self.world.fault("junk frame")
            self.send(self._junk(decision))
        if self._chance(manners.hello):
            self.world.fault("second hello")
            self.say(pb.BotMessage(hello=pb.Hello(protocol_version=1)))
        if self._chance(manners.oversized):
            self.world.fault("oversized frame")
            self.send(bytes(70_000))
        return self._go(decision)

    def _go(self, _: Any) -> bool:  # noqa: ANN401
        """Goes, one way or another; returns whether it does."""
        manners = self.manners
        stream = self.stream
        if stream is None:
            return True
        if self._chance(manners.twin) and self._twins < 2:
            self.world.fault("second instance")
            self._twins += 1
            twin = SimBot(
                self.world,
                self.network,
                self.name,
                self.token,
                manners,
                instance=self.instance * 3 + self._twins,
                on_death=self.on_death,
            )
            twin.begin()
        if self._chance(manners.hangs_up):
            self.world.fault("hangs up")
            self.stream = None
            stream.cancel()
            self._later(manners.redials_ms, self.dial)
            return True
        if self._chance(manners.leaves):
            self.world.fault("leaves")
            self.gone = True
            self.say(pb.BotMessage(goodbye=pb.Goodbye(text="enough")))
            stream.finish()
            return True
        if self._chance(manners.dies) and self.instance == 1:
            self.world.fault("dies")
            self.gone = True
            self.stream = None
            stream.cancel()
            if self.on_death is not None:
                self.on_death(self)
            return True
        return False

    def _say_answer(self, table: str, number: int, action: action_pb2.Action) -> None:
        answer = pb.Answer(table_id=table, decision_id=number, action=action)
        self.say(pb.BotMessage(answer=answer))

    def _any(self, decision: Any) -> action_pb2.Action:  # noqa: ANN401
        action: action_pb2.Action = self._answer(decision).action
        return action

    def _illegal(self, decision: Any) -> action_pb2.Action:  # noqa: ANN401
        legal = [action.SerializeToString() for action in decision.legal]
        while True:
            kind = self.random.choice([1, 2, 4, 7, 11, 11, 11])
            action = action_pb2.Action()
            action.kind = kind
            if kind == 11:
                action.cards.append(self.random.choice([1, 8, 13, 26, 39, 52, 24, 37]))
            if action.SerializeToString() not in legal:
                return action

    def _junk(self, decision: Any) -> bytes:  # noqa: ANN401
        whole = pb.ConnectRequest(messages=[pb.BotMessage(answer=self._answer(decision))])
        data = whole.SerializeToString()
        empty = pb.ConnectRequest(messages=[pb.BotMessage()]).SerializeToString()
        half = data[: self.random.randint(1, len(data) - 1)]
        noise = self.random.randbytes(self.random.randint(1, 60))
        junk: bytes = self.random.choice([half, noise, empty, b"\xff\xff\xff\xff"])
        return junk
