"""What bots send: it is read as they meant it, and anything can be read."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stub_numbers import number

from euchre_arena.v1 import (
    action_pb2,
    arena_service_pb2,
    rules_pb2,
)
from euchre_engine import (
    parse_action,
)
from euchre_engine.games import Game
from euchre_server.session import wire
from euchre_server.session.messages import (
    Answer,
    Farewell,
    Hello,
    Pong,
    Unknown,
)


def test_extra_fields_change_nothing() -> None:
    """B18: what a card play says besides its card is not looked at."""
    sent = action_pb2.Action(
        kind=action_pb2.ACTION_KIND_PLAY, suit=number(2), bid=9, cards=[number(23)]
    )
    known = arena_service_pb2.ConnectRequest(
        messages=[arena_service_pb2.BotMessage(answer=arena_service_pb2.Answer(action=sent))]
    ).SerializeToString()
    # A field 99 that no version of the protocol has, within the message, within the frame.
    body = known[2:] + b"\x98\x06\x2a"
    unknown = b"\x0a" + bytes([len(body)]) + body

    assert parse_action("play JD") == answer_in(known).action == answer_in(unknown).action


def answer_in(frame: bytes) -> Answer:
    """Returns the answer in a frame."""
    (answer,) = wire.read_frame(frame)
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.parametrize(
    "action",
    [
        action_pb2.Action(),
        action_pb2.Action(kind=number(99)),
        action_pb2.Action(kind=action_pb2.ACTION_KIND_CALL),
        action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY),
        action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY, cards=[number(5), number(6)]),
        action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY, cards=[number(0)]),
        action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY, cards=[number(54)]),
        action_pb2.Action(kind=action_pb2.ACTION_KIND_KEEP),
    ],
    ids=["unset", "unknown", "no suit", "no card", "two cards", "card 0", "card 54", "keep none"],
)
def test_what_is_no_action_is_passed_on_as_it_came(action: action_pb2.Action) -> None:
    """An answer without a readable action keeps its table, its bytes and a reason."""
    sent = arena_service_pb2.Answer(table_id="t", decision_id=4, action=action)
    frame = arena_service_pb2.ConnectRequest(
        messages=[arena_service_pb2.BotMessage(answer=sent)]
    ).SerializeToString()

    answer = answer_in(frame)

    assert ("t", 4, None, sent.SerializeToString()) == (
        answer.table_id,
        answer.decision_id,
        answer.action,
        answer.raw,
    )
    assert answer.unreadable


def test_every_kind_of_bot_message_is_read() -> None:
    """Hello, goodbye, pong and messages without a known kind are told apart, in order."""
    messages = [
        arena_service_pb2.BotMessage(
            hello=arena_service_pb2.Hello(
                protocol_version=1,
                bot_name="a",
                bot_version="v",
                client_library="c",
                max_tables=3,
                max_open_decisions=4,
                games=[rules_pb2.GAME_TWO_HANDED, number(999)],
                view_mode=arena_service_pb2.VIEW_MODE_FULL,
            )
        ),
        arena_service_pb2.BotMessage(),
        arena_service_pb2.BotMessage(pong=arena_service_pb2.Pong(nonce=5)),
        arena_service_pb2.BotMessage(goodbye=arena_service_pb2.Goodbye(text="bye")),
    ]
    frame = arena_service_pb2.ConnectRequest(messages=messages).SerializeToString()

    assert [
        Hello(1, "a", "v", "c", 3, 4, frozenset({Game.TWO_HANDED}), 1),
        Unknown(),
        Pong(5),
        Farewell("bye"),
    ] == list(wire.read_frame(frame))


@given(st.binary(max_size=200))
@settings(derandomize=True, max_examples=500)
def test_any_bytes_are_read_or_undecodable(data: bytes) -> None:
    """B67: no bytes whatever break the reader: they are messages, or `Undecodable`."""
    try:
        messages = list(wire.read_frame(data))
    except wire.Undecodable as error:
        assert "no ConnectRequest" in str(error)  # noqa: PT017  # either way is right
    else:
        assert isinstance(messages, list)
