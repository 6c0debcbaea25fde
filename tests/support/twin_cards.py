"""Every card that a message names, in whatever field, found by the descriptors alone.

A new field is looked through without being known here. Owns no opinion on who may see what.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.unknown_fields import UnknownFieldSet

from euchre_arena.v1 import action_pb2, card_pb2, event_pb2
from euchre_engine.cards import Card

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

__all__ = ["cards_named"]

_CARDS = card_pb2.Card.DESCRIPTOR.full_name
_TEXTS = {int(card): card.text for card in Card}
_CARD = re.compile(r"\b(?:JK|[2-9TJQKA][CDHS])\b")
_NAMES_A_CARD = {
    int(action_pb2.ActionKind.Value(f"ACTION_KIND_{kind}"))
    for kind in ("PLAY", "DISCARD", "BURY", "BEST", "KEEP", "SWAP")
}

_FIRST_LIST = 96
_LISTS_CARDS = {
    event_pb2.EventKind.Value(f"EVENT_KIND_{kind}")
    for kind in ("HAND", "DUMMY", "DISCARDED", "WIDOW")
}


def cards_named(message: Message) -> set[str]:
    """Returns the texts of all cards in a message, those in its parts and in its texts included.

    Raises:
        AssertionError: It has a field that no .proto file knows.
    """
    assert not len(UnknownFieldSet(message)), "a field that no .proto file knows"
    found: set[str] = set()
    telling = _telling(message.DESCRIPTOR)
    for field, value in message.ListFields():
        if field.number in telling:
            for item in value if field.is_repeated else [value]:
                found |= _cards_of(field, item)
    return found | _cards_of_history(message) | _cards_of_events(message)


@cache
def _telling(kind: Descriptor) -> frozenset[int]:
    """Returns the numbers of the fields that could name a card: cards, texts, and messages."""
    wanted = {FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_STRING}
    return frozenset(
        field.number
        for field in kind.fields
        if field.type in wanted or (field.enum_type and field.enum_type.full_name == _CARDS)
    )


def _cards_of(field: FieldDescriptor, value: Any) -> set[str]:  # noqa: ANN401  # of any type
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        return cards_named(value)
    if field.type == FieldDescriptor.TYPE_ENUM:
        return {_TEXTS[value]} if value else set()
    return set(_CARD.findall(value))


def _cards_of_history(message: Any) -> set[str]:  # noqa: ANN401  # any message
    """Returns the cards among the values of a history, which are plain numbers."""
    names = message.DESCRIPTOR.fields_by_name
    if "history_kinds" not in names:
        return set()
    return {
        _TEXTS[value]
        for kind, value in zip(message.history_kinds, message.history_values, strict=True)
        if kind in _NAMES_A_CARD and value
    }


def _cards_of_events(message: Any) -> set[str]:  # noqa: ANN401  # any message
    """Returns the cards among what happened since, which are plain numbers too."""
    if not isinstance(message, event_pb2.Events):
        return set()
    numbers = iter(message.numbers)
    found: set[int] = set()
    for kind, value in zip(message.kinds, message.values, strict=True):
        if kind >= _FIRST_LIST:
            listed = [next(numbers) for _ in range(value)]
            found.update(listed if kind in _LISTS_CARDS else ())
        elif int(kind) in _NAMES_A_CARD or kind == event_pb2.EVENT_KIND_BEST_CARD:
            found.add(value)
    return {_TEXTS[card] for card in found if card}
