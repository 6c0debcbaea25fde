"""Promises about the shape of the protocol, checked on its descriptors."""

import itertools
import keyword
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor

from euchre_arena.record.v1 import record_pb2
from euchre_arena.v1 import (
    action_pb2,
    arena_service_pb2,
    card_pb2,
    event_pb2,
    rules_pb2,
    table_pb2,
    view_pb2,
)

if TYPE_CHECKING:
    from google.protobuf.message import Message

PUBLIC_FILES = [
    module.DESCRIPTOR
    for module in (
        *(action_pb2, arena_service_pb2, card_pb2, event_pb2),
        *(rules_pb2, table_pb2, view_pb2),
    )
]
ALL_FILES = [*PUBLIC_FILES, record_pb2.DESCRIPTOR]


def messages(files: list[FileDescriptor]) -> Iterator[Descriptor]:
    """Yields every message of the files, nested ones included."""
    waiting = [message for file in files for message in file.message_types_by_name.values()]
    while waiting:
        message = waiting.pop()
        yield message
        waiting.extend(message.nested_types)


def fields(files: list[FileDescriptor]) -> list[FieldDescriptor]:
    """Returns every field of every message of the files."""
    return [field for message in messages(files) for field in message.fields]


def reachable(start: Descriptor) -> set[str]:
    """Returns the full names of all messages that a message can hold, at any depth."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        message = waiting.pop()
        if message.full_name not in seen:
            seen.add(message.full_name)
            waiting += [field.message_type for field in message.fields if field.message_type]
    return seen


@pytest.mark.parametrize(
    "start", [arena_service_pb2.ConnectRequest, arena_service_pb2.ConnectResponse]
)
def test_nothing_of_the_record_can_reach_a_bot(start: "type[Message]") -> None:
    """No message of the record's package can travel in a frame, in either direction."""
    names = reachable(cast("Descriptor", start.DESCRIPTOR))

    assert [] == [name for name in names if not name.startswith("euchre_arena.v1.")]


def test_the_walk_reaches_what_it_should() -> None:
    """The walk above is not empty: it comes down to the view, and to the record."""
    down = reachable(arena_service_pb2.ConnectResponse.DESCRIPTOR)
    record = reachable(record_pb2.RecordEntry.DESCRIPTOR)

    assert {"euchre_arena.v1.View", "euchre_arena.v1.Action"} <= down
    assert {"euchre_arena.record.v1.HandStarted", "euchre_arena.v1.Action"} <= record


def test_public_files_import_nothing_of_the_record() -> None:
    """No file of v1 depends on a file of the record."""
    dependencies = {d.name for file in PUBLIC_FILES for d in file.dependencies}

    assert set() == {name for name in dependencies if not name.startswith("euchre_arena/v1/")}


def test_no_field_is_a_keyword() -> None:
    """No field bears a name that a language keeps for itself (`pass`, `from`, `in`, `is`)."""
    words = {*keyword.kwlist, *keyword.softkwlist, "class", "new", "delete", "default", "self"}
    # `match` and `type` are free everywhere but in `match` statements.
    words -= {"match", "type", "_"}

    assert [] == [field.full_name for field in fields(ALL_FILES) if field.name in words]


def test_no_map_and_no_any() -> None:
    """No map, Any or Struct: their bytes are not canonical, and frames and records are hashed."""
    bad = [
        field.full_name
        for field in fields(ALL_FILES)
        if field.message_type
        and (
            field.message_type.GetOptions().map_entry
            or field.message_type.full_name.startswith("google.")
        )
    ]

    assert [] == bad


def test_no_unsigned_field() -> None:
    """No unsigned type: several languages have none."""
    unsigned = {
        FieldDescriptor.TYPE_UINT32,
        FieldDescriptor.TYPE_UINT64,
        FieldDescriptor.TYPE_FIXED32,
        FieldDescriptor.TYPE_FIXED64,
    }

    assert [] == [field.full_name for field in fields(ALL_FILES) if field.type in unsigned]


def test_zero_is_unspecified_in_every_enum() -> None:
    """The zero of every enum means that nothing was said."""
    enums = [enum for file in ALL_FILES for enum in file.enum_types_by_name.values()]
    zeros = [enum.values_by_number[0].name for enum in enums]

    assert len(enums) > 10
    assert [] == [name for name in zeros if not name.endswith("_UNSPECIFIED")]


def test_a_cards_number_tells_suit_and_rank() -> None:
    """Cards are numbered as their comment says, so that clients may compute."""
    suits, ranks = "CDHS", "23456789TJQKA"
    expected = {
        f"CARD_{rank}{suit}": 13 * suits.index(suit) + ranks.index(rank) + 1
        for suit, rank in itertools.product(suits, ranks)
    } | {"CARD_UNSPECIFIED": 0, "CARD_JK": 53}

    assert expected == dict(card_pb2.Card.items())
    assert {"SUIT_UNSPECIFIED": 0, "SUIT_C": 1, "SUIT_D": 2, "SUIT_H": 3, "SUIT_S": 4} == dict(
        card_pb2.Suit.items()
    )


def test_no_message_is_shared_between_the_two_directions_of_a_method() -> None:
    """Every method has a request and a response of its own."""
    methods = arena_service_pb2.DESCRIPTOR.services_by_name["ArenaService"].methods
    names = [name for m in methods for name in (m.input_type.name, m.output_type.name)]

    assert ["ConnectRequest", "ConnectResponse"] == names


def test_lists_of_the_view_hold_numbers() -> None:
    """A view holds packed numbers and no sub-messages, since it travels in bulk."""
    repeated = [field for field in view_pb2.View.DESCRIPTOR.fields if field.is_repeated]

    assert len(repeated) > 10
    assert [] == [field.name for field in repeated if field.message_type]
