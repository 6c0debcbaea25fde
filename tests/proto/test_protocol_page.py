"""Promises that docs/protocol.md agrees with the .proto files, the client and the server."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from google.protobuf import text_format

from euchre_arena.dial import CHANNEL_OPTIONS
from euchre_arena.lean import KeptViews, view_hash
from euchre_arena.v1 import action_pb2, event_pb2, table_pb2, view_pb2
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_server.session.conversation import PING_EVERY_MS
from euchre_server.session.messages import Limits

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^<!-- (\w+) -->\n```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_worked_exchange_is_made_of_real_frames() -> None:
    """Every frame of the example parses as the message that it is said to be."""
    parsed = [text_format.Parse(text, getattr(pb, name)()) for name, text in BLOCKS]

    assert len(parsed) >= 10
    assert all(frame.messages for frame in parsed)


def test_the_worked_exchange_shows_every_arm_that_an_ordinary_table_meets() -> None:
    """From Hello to Goodbye, with a refusal on the way."""
    shown = {
        message.WhichOneof("message")
        for name, text in BLOCKS
        for message in text_format.Parse(text, getattr(pb, name)()).messages
    }
    expected = {"hello", "welcome", "ping", "pong", "table_opened", "decision", "answer"}
    expected |= {"rejected", "hand_ended", "table_closed", "goodbye", "view_request", "view"}

    assert expected == shown


def test_the_lean_exchange_can_be_followed() -> None:
    """The events of the example lead to the hashes that it states, and to the view it asks for."""
    views = KeptViews()
    kept = view_pb2.View()
    shown = []
    for name, text in BLOCKS:
        for message in text_format.Parse(text, getattr(pb, name)()).messages:
            if message.WhichOneof("message") == "decision" and message.decision.HasField("events"):
                decision = message.decision
                assert views.complete(decision)
                assert decision.events.view_hash == view_hash(decision.view)
                kept = decision.view
            elif message.WhichOneof("message") == "view":
                shown.append(message.view)

    assert [kept] == [one.view for one in shown]
    assert [view_hash(kept)] == [one.events.view_hash for one in shown]


@pytest.mark.parametrize(
    ("prefix", "enum"),
    [
        ("REJECT_REASON", table_pb2.RejectReason),
        ("GOODBYE_REASON", pb.GoodbyeReason),
        ("SESSION_FAULT_REASON", pb.SessionFaultReason),
        ("ACTION_KIND", action_pb2.ActionKind),
        ("PHASE", view_pb2.Phase),
        ("UPCARD_STATUS", view_pb2.UpcardStatus),
        ("FAULT_POLICY_KIND", table_pb2.FaultPolicyKind),
        ("EVENT_KIND", event_pb2.EventKind),
    ],
)
def test_every_value_is_explained(prefix: str, enum: "EnumTypeWrapper") -> None:
    """Each value of the sets that a bot meets stands on the page."""
    names = [name.removeprefix(f"{prefix}_") for name, number in enum.items() if number]

    assert [] == [name for name in names if not re.search(rf"\b{name}\b", PAGE)]


@pytest.mark.parametrize("message", [pb.Hello, view_pb2.View, event_pb2.Events, pb.Limits])
def test_every_field_is_mentioned(message: type) -> None:
    """Each field of Hello, Limits, View and Events stands on the page."""
    names = [field.name for field in message.DESCRIPTOR.fields]  # type: ignore[attr-defined]

    assert [] == [name for name in names if f"`{name}`" not in PAGE]


def test_every_kind_of_message_is_mentioned() -> None:
    """Each message of either side stands on the page."""
    names = {
        field.message_type.name
        for side in (pb.BotMessage, pb.ArenaMessage)
        for field in side.DESCRIPTOR.fields
        if field.message_type
    }

    assert [] == sorted(name for name in names if f"`{name}`" not in PAGE)


def test_the_keepalive_settings_are_the_clients() -> None:
    """What the page advises is what our own client does."""
    stated = dict(re.findall(r"`(grpc\.[\w.]+)`[^|]*\| (\d+) \|", PAGE))
    ours = {name: str(value) for name, value in CHANNEL_OPTIONS}

    assert len(stated) >= 4
    assert {name: ours[name] for name in stated} == stated


def test_the_usual_limits_are_the_servers() -> None:
    """The table of limits has the server's defaults."""
    stated = {
        name: int(value)
        for name, value in re.findall(r"\| `(max_\w+|\w+_ms|\w+_per_second)` \| (\d+) \|", PAGE)
    }
    limits = Limits()

    assert {name: getattr(limits, name) for name in stated} == stated
    assert {field.name for field in pb.Limits.DESCRIPTOR.fields} == set(stated)


def test_a_ping_is_no_keepalive_probe() -> None:
    """The server measures the round trip more often than a session may stay silent."""
    assert PING_EVERY_MS < Limits().idle_ms
