"""What really happens in a simulated match, watched at seams that any arena has.

Frames go in and out of conversations, inputs into the referee, entries onto the disk: here the
checks of each are hung there. Owns the watch over conversations and what ends them.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from sim_inputs import InputCheck
from sim_kept import Kept
from sim_scene import Scene, SessionTruth
from sim_told import ToldCheck

from euchre_arena.v1 import arena_service_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim_network import Stream
    from sim_world import Process, World

    from euchre_server.session.conversation import Conversation

__all__ = ["CURRENT_STREAM", "Truth"]

CURRENT_STREAM: ContextVar[Stream] = ContextVar("stream")


class Truth:
    """Watches one match, over all of its arenas."""

    def __init__(
        self, world: World, *, durable: bool, synced: Callable[[], int], size: Callable[[], int]
    ) -> None:
        """Begins to watch; see `Kept` for the arguments."""
        self.scene = Scene(world)
        self.kept = Kept(self.scene, durable=durable, synced=synced, size=size)
        self.inputs = InputCheck(self.scene)
        self.told = ToldCheck(self.scene, self.kept)

    def arena_gone(self) -> None:
        """Takes note that the arena is no more; what it had not written never was."""
        self.kept.make_safe()
        self.scene.live.clear()
        self.scene.acting = None

    def watch(self, conversation: Conversation, bot: str, process: Process) -> None:
        """Watches a conversation."""
        session = SessionTruth(conversation, bot, CURRENT_STREAM.get(), process)
        self.scene.sessions.append(session)
        receive, take = conversation.receive, conversation.take
        end, lost = conversation.end, conversation.lost

        def watched_receive(data: bytes) -> None:
            if process.is_dead or conversation.is_over:
                receive(data)
                return
            self._read_frame(session, data)
            before, self.scene.acting, session.is_receiving = self.scene.acting, session, True
            try:
                receive(data)
            finally:
                self.scene.acting, session.is_receiving = before, False
            if conversation.is_live:
                for answer in session.answers:
                    self.inputs.not_ruled(session, answer)
            session.answers = []

        def watched_take() -> bytes | None:
            if process.is_dead:
                return take()
            before, self.scene.acting, session.written = self.scene.acting, session, []
            try:
                frame = take()
            finally:
                self.scene.acting = before
            written, session.written = session.written, None
            if frame is not None:
                self.told.frame_out(session, frame, written or [])
            return frame

        def watched_end(reason: Any, text: str, **more: Any) -> None:  # noqa: ANN401  # as there
            if not process.is_dead and not conversation.is_over:
                self._check_end(session, reason.name)
                session.ended_by = reason.name
                process.trace(f"ends the session of {bot}: {reason.name}")
            end(reason, text, **more)
            self._check_seats_told(session, reason.name)

        def watched_lost() -> None:
            if not process.is_dead and not conversation.is_over:
                process.trace(f"has lost {bot}")
            lost()
            self._check_seats_told(session, "LOST")

        for name, method in (
            ("receive", watched_receive),
            ("take", watched_take),
            ("end", watched_end),
            ("lost", watched_lost),
        ):
            setattr(conversation, name, method)

    def _check_seats_told(self, session: SessionTruth, how: str) -> None:
        """Checks that the referee knows that a session has gone, wherever it was seated."""
        if (
            session.process.is_dead
            or how == "FENCED"
            or self.scene.live.get(session.bot) is not session
        ):
            return
        for table in self.scene.tables.values():
            judge = table.judge
            if table.is_open and judge.stage != "over" and session.bot in table.spec.bots:
                seat = table.spec.bots.index(session.bot)
                if judge.seats[seat].presence == "joined":
                    self.scene.violate(
                        f"table {table.spec.number} was not told that {session.bot} has gone"
                    )

    def _check_end(self, session: SessionTruth, reason: str) -> None:
        deserved = {
            "FENCED": self.scene.live.get(session.bot) is not session,
            "FAULTY": session.useless >= 10,
            "SLOW_READER": session.stream.has_been_slow,
        }
        if not deserved.get(reason, True):
            self.scene.violate(f"the session of {session.bot} ended as {reason} without a reason")

    def _read_frame(self, session: SessionTruth, data: bytes) -> None:
        session.arrived = session.stream.arrived
        session.answers = []
        if len(data) > 65_536:
            session.useless += 1
            return
        try:
            frame = pb.ConnectRequest.FromString(data)
        except Exception:  # noqa: BLE001  # whatever protobuf says of garbage
            session.useless += 1
            return
        for message in frame.messages:
            kind = message.WhichOneof("message")
            if kind == "hello" and not session.was_live:
                if message.hello.protocol_version == 1:
                    session.was_live = True
                    self.scene.live[session.bot] = session
            elif kind == "answer":
                session.answers.append(message.answer)
            elif kind == "goodbye":
                session.said_goodbye = True
            elif kind != "pong":
                session.useless += 1
