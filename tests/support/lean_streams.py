"""Both ends of LEAN and FULL sessions at one table, without referee and network.

Owns how a seat is asked in both modes, and what may become of a LEAN frame on its way. The wire is
the server's own, the sessions are the client's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tables import table_spec

from euchre_arena.decision import Decision
from euchre_arena.session import Introduction, Session
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_engine import Ruleset, Seat, State, legal_actions, view_for
from euchre_server.referee.outputs import Ask, Message, Seated
from euchre_server.session import wire

if TYPE_CHECKING:
    from euchre_arena.v1.view_pb2 import View

__all__ = ["BothSeats", "Spoil", "arena_frame", "untouched"]

Spoil = Callable[[pb.ConnectResponse], Sequence[pb.ConnectResponse]]
"""What becomes of a frame on its way: none, one or more frames."""


def arena_frame(message: bytes) -> pb.ConnectResponse:
    """Returns the frame of one message as a bot reads it."""
    return pb.ConnectResponse.FromString(wire.frame([message]))


def untouched(frame: pb.ConnectResponse) -> Sequence[pb.ConnectResponse]:
    """Lets a frame arrive as it is."""
    return [frame]


class BothSeats:
    """One seat, held by two clients: a FULL one, and a LEAN one whose frames may be spoilt.

    Attributes:
        frames: Every LEAN frame with a question, as the arena sent it.
        requests: How many views the LEAN client has asked for.
    """

    def __init__(self, rules: Ruleset, seat: int) -> None:
        self.frames: list[pb.ConnectResponse] = []
        self.requests = 0
        self._seat = Seat(seat)
        self._spec = table_spec(rules)
        self._number = 0
        self._lean = wire.Lean()
        self._full_client = Session(Introduction())
        self._lean_client = Session(Introduction(is_lean=True))
        self._full_client.take()
        self._lean_client.take()
        _arrive(self._full_client, arena_frame(self._said(Seated())))
        _arrive(self._lean_client, arena_frame(self._lean_said(Seated())))

    def ask(
        self, state: State, spoil: Spoil = untouched, *, overtaken: bool = False
    ) -> tuple[View | None, View | None]:
        """Puts a question to both clients.

        Args:
            state: The hand.
            spoil: What becomes of the LEAN frame on its way.
            overtaken: Whether the question waits in the arena while a view is shown.

        Returns:
            The view that each one hands its bot; None where its bot is not asked.
        """
        self._number += 1
        view = view_for(state, self._seat)
        ask = Ask(self._number, 500, 10_000, view, legal_actions(state))
        seen_whole = _arrive(self._full_client, arena_frame(self._said(ask)))
        frame = arena_frame(self._lean_said(ask))
        self.frames.append(frame)
        if overtaken:
            self.look(state)
        kept: View | None = None
        for arriving in spoil(frame):
            kept = _arrive(self._lean_client, arriving) or kept
            for _ in _requests(self._lean_client):
                self.requests += 1
                kept = self.look(state) or kept
        return seen_whole, kept

    def look(self, state: State) -> View | None:
        """Answers the LEAN client's request for a view; returns what its bot is asked with."""
        view = view_for(state, self._seat)
        shown = arena_frame(self._lean.table_view(self._spec.table_id, view))
        return _arrive(self._lean_client, shown)

    def _said(self, message: Message) -> bytes:
        return wire.seat_message(self._spec, self._seat, message)

    def _lean_said(self, message: Message) -> bytes:
        return self._lean.seat_message(self._spec, self._seat, message)


def _arrive(client: Session, frame: pb.ConnectResponse) -> View | None:
    """Lets a frame arrive; returns the view of the question in it, if it is put to the bot."""
    copy = pb.ConnectResponse()
    copy.CopyFrom(frame)  # a client may write into what it has received
    asked = [event for event in client.receive(copy) if isinstance(event, Decision)]
    return asked[-1]._message.view if asked else None


def _requests(client: Session) -> list[str]:
    """Returns the tables of which a client asks to see the view."""
    messages = [message for out in client.take() for message in out.messages]
    return [m.view_request.table_id for m in messages if m.HasField("view_request")]
