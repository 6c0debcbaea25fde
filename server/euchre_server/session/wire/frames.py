"""Owns frames, and the wire form of what is said outside of tables.

Frames from a bot become `messages.BotMessage`s. What the arena says becomes the bytes of one
`ArenaMessage` each, and `frame` joins those to a ConnectResponse: messages are never copied twice.
Nothing is judged here: what can be read is passed on, what cannot is passed on as unreadable.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from google.protobuf.message import DecodeError

from euchre_arena.v1 import arena_service_pb2, rules_pb2
from euchre_engine import Action, UnreadableAction, unflatten
from euchre_engine.games import Game
from euchre_server.session.admission import PROTOCOL_VERSION
from euchre_server.session.auth import Secret
from euchre_server.session.messages import (
    Answer,
    BotMessage,
    Farewell,
    GoodbyeReason,
    Hello,
    Pong,
    SessionFaultReason,
    Standing,
    Unknown,
    ViewRequest,
    Welcome,
)
from euchre_server.session.wire.encoding import sized, sized_field

__all__ = [
    "Undecodable",
    "enum_value",
    "frame",
    "game_number",
    "goodbye",
    "match_ended",
    "ping",
    "read_frame",
    "said",
    "session_fault",
    "welcome",
]

_IN_FRAME = sized_field(arena_service_pb2.ConnectResponse.MESSAGES_FIELD_NUMBER)
_KINDS = {
    name: sized_field(field.number)
    for name, field in arena_service_pb2.ArenaMessage.DESCRIPTOR.fields_by_name.items()
}


class Undecodable(Exception):  # noqa: N818  # the bot's doing, not an error of ours
    """A frame that is no ConnectRequest."""


def said(kind: str, body: bytes) -> bytes:
    """Returns the ArenaMessage of a kind that holds this body."""
    return _KINDS[kind] + sized(body)


def frame(messages: Iterable[bytes]) -> bytes:
    """Returns the ConnectResponse that holds these messages."""
    return b"".join([_IN_FRAME + sized(message) for message in messages])


def enum_value(value: int) -> Any:  # noqa: ANN401  # each stub has an enum type of its own
    """Returns the protocol's number of a value that has the same number here."""
    return int(value)


def game_number(game: Game) -> rules_pb2.Game.ValueType:
    """Returns the protocol's number of a game."""
    return rules_pb2.Game.Value(f"GAME_{game.name}")


# From the bot


def read_frame(data: bytes) -> Iterator[BotMessage]:
    """Returns the messages of a frame, in order, each made when it is asked for.

    Raises:
        Undecodable: The bytes are no ConnectRequest.
    """
    try:
        request = arena_service_pb2.ConnectRequest.FromString(data)
    except DecodeError:
        raise Undecodable("the frame is no ConnectRequest") from None
    return map(_bot_message, request.messages)


def _bot_message(message: arena_service_pb2.BotMessage) -> BotMessage:
    match message.WhichOneof("message"):
        case "answer":
            return _answer(message.answer)
        case "pong":
            return Pong(message.pong.nonce)
        case "hello":
            return _hello(message.hello)
        case "view_request":
            return ViewRequest(message.view_request.table_id)
        case "goodbye":
            return Farewell(message.goodbye.text)
        case _:
            return Unknown()


def _answer(answer: arena_service_pb2.Answer) -> Answer:
    row = answer.action
    action: Action | None = None
    unreadable, raw = "", b""
    try:
        action = _action(row.kind, row.suit, row.bid, tuple(row.cards))
    except UnreadableAction as error:
        unreadable, raw = error.message, answer.SerializeToString()
    return Answer(
        answer.table_id,
        answer.decision_id,
        action,
        answer.think_ms if answer.HasField("think_ms") else None,
        answer.annotation,
        unreadable,
        raw,
    )


_action = lru_cache(maxsize=4096)(unflatten)  # bots repeat a few hundred actions all the time


def _hello(hello: arena_service_pb2.Hello) -> Hello:
    games = frozenset(game for game in Game if game_number(game) in hello.games)
    return Hello(
        protocol_version=hello.protocol_version,
        bot_name=hello.bot_name,
        bot_version=hello.bot_version,
        client_library=hello.client_library,
        max_tables=hello.max_tables,
        max_open_decisions=hello.max_open_decisions,
        games=games if hello.games else frozenset(Game),
        view_mode=hello.view_mode,
        resume_token=Secret(hello.resume_token) if hello.resume_token else None,
    )


# From the arena


def welcome(message: Welcome) -> bytes:
    """Returns the message."""
    limits = message.limits
    body = arena_service_pb2.Welcome(
        protocol_version=PROTOCOL_VERSION,
        instance_id=message.instance_id,
        session_id=message.session_id,
        resume_token=message.resume_token.reveal(),
        bot_name=message.bot_name,
        limits=arena_service_pb2.Limits(
            max_frame_bytes=limits.max_frame_bytes,
            max_annotation_bytes=limits.max_annotation_bytes,
            max_name_bytes=limits.max_name_bytes,
            max_queue_bytes=limits.max_queue_bytes,
            max_tables=limits.max_tables,
            max_open_decisions=limits.max_open_decisions,
            max_session_faults=limits.max_session_faults,
            idle_ms=limits.idle_ms,
            max_useless_messages=limits.max_useless_messages,
            useless_per_second=limits.useless_per_second,
        ),
    )
    return said("welcome", body.SerializeToString())


def goodbye(reason: GoodbyeReason, text: str, *, redial_after_ms: int | None = None) -> bytes:
    """Returns the message."""
    body = arena_service_pb2.Goodbye(
        reason=enum_value(reason), text=text, redial_after_ms=redial_after_ms
    )
    return said("goodbye", body.SerializeToString())


def session_fault(reason: SessionFaultReason, text: str, fault_count: int) -> bytes:
    """Returns the message."""
    body = arena_service_pb2.SessionFault(
        reason=enum_value(reason), text=text, fault_count=fault_count
    )
    return said("session_fault", body.SerializeToString())


def ping(nonce: int) -> bytes:
    """Returns the message."""
    return said("ping", arena_service_pb2.Ping(nonce=nonce).SerializeToString())


def match_ended(match_id: str, standings: Sequence[Standing]) -> bytes:
    """Returns the message."""
    body = arena_service_pb2.MatchEnded(
        match_id=match_id,
        standings=[
            arena_service_pb2.BotStanding(
                bot_name=row.bot_name, hand_count=row.hand_count, points=row.points
            )
            for row in standings
        ],
    )
    return said("match_ended", body.SerializeToString())
