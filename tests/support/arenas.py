"""An arena without a network: its clock moves when told, its bots are frames in and frames out."""

from session_fakes import (
    FakeClock,
    MemoryRecorder,
    answer_to,
    arena_messages,
    bot_frame,
    capturing_logger,
)

from euchre_arena.v1.action_pb2 import Action
from euchre_arena.v1.arena_service_pb2 import (
    Answer,
    ArenaMessage,
    BotMessage,
    Goodbye,
    Hello,
    Pong,
)
from euchre_arena.v1.table_pb2 import Decision
from euchre_server.referee.spec import TableSpec
from euchre_server.session import ArenaServer, Limits, Secret
from euchre_server.session.conversation import Conversation


class FakeBot:
    """A bot whose stream is two method calls."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.messages: list[ArenaMessage] = []
        """All that it has read."""

    def say(self, *messages: BotMessage | Hello | Answer | Pong) -> None:
        """Sends one frame."""
        self.conversation.receive(bot_frame(*messages))

    def leave(self) -> None:
        """Says goodbye."""
        self.say(BotMessage(goodbye=Goodbye()))

    def read(self) -> list[ArenaMessage]:
        """Reads all that waits: the questions among it are written from now on."""
        frames = []
        while (frame := self.conversation.take()) is not None:
            frames.append(frame)
        messages = arena_messages(frames)
        self.messages += messages
        return messages

    def kinds(self) -> list[str | None]:
        """Reads all that waits, and returns what kinds of messages it was."""
        return [message.WhichOneof("message") for message in self.read()]

    def decisions(self) -> list[Decision]:
        """Reads all that waits, and returns the questions."""
        return [m.decision for m in self.read() if m.WhichOneof("message") == "decision"]

    def answer(self, decision: Decision, action: Action | None = None) -> None:
        """Answers a question."""
        self.say(answer_to(decision, action))


class FakeArena:
    """An `ArenaServer` that does not listen, with what it needs."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.clock = FakeClock()
        self.recorder = MemoryRecorder()
        logger, self.logs = capturing_logger()
        self.server = ArenaServer(
            recorder=self.recorder,
            instance_id="arena-1",
            logger=logger,
            limits=limits or Limits(),
            clock=self.clock,
        )
        self.driver = self.server._driver
        self.driver.start()

    def dial(self, bot_name: str) -> FakeBot:
        """Returns a bot that has dialled but not said Hello."""
        return FakeBot(self.server.converse(bot_name, lambda: None))

    def bot(self, bot_name: str, *, max_open_decisions: int = 0) -> FakeBot:
        """Returns a bot that is let in."""
        self.server.expect(bot_name, Secret.fresh())
        return self.again(bot_name, max_open_decisions=max_open_decisions)

    def again(self, bot_name: str, *, max_open_decisions: int = 0) -> FakeBot:
        """Returns another session of a bot."""
        bot = self.dial(bot_name)
        bot.say(Hello(protocol_version=1, max_open_decisions=max_open_decisions))
        return bot

    def bots(self, spec: TableSpec, *, max_open_decisions: int = 0) -> list[FakeBot]:
        """Returns the bots of a table, in seat order."""
        return [self.bot(name, max_open_decisions=max_open_decisions) for name in spec.bots]

    def play(self, bots: list[FakeBot]) -> None:
        """Lets bots answer with last legal actions until nobody is asked any more."""
        asked = True
        while asked:
            asked = False
            for bot in bots:
                for decision in bot.decisions():
                    asked = True
                    bot.answer(decision)
