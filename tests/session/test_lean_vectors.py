"""docs/vectors/lean.json: what it says is what the arena sends, and what the client makes of it."""

import json
from typing import Any
from zlib import crc32

from lean_vectors import FILE, lean_vectors_text

from euchre_arena.lean import KeptViews, view_hash
from euchre_arena.v1.event_pb2 import EventKind, Events
from euchre_arena.v1.table_pb2 import Decision
from euchre_arena.v1.view_pb2 import View
from euchre_engine import ActionKind


def streams() -> list[list[dict[str, Any]]]:
    """Returns the questions of every seat of every hand."""
    hands = json.loads(FILE.read_text(encoding="utf-8"))
    return [questions for hand in hands for questions in hand["seats"]]


def test_the_file_is_fresh() -> None:
    """The vectors are those that the arena makes now (`make vectors`)."""
    assert lean_vectors_text() == FILE.read_text(encoding="utf-8")


def test_a_hash_is_over_the_bytes_of_the_view() -> None:
    """The bytes are the view's in canonical form; the hash is their CRC-32 without one bit."""
    for question in (question for stream in streams() for question in stream):
        whole = bytes.fromhex(question["view"])
        view = View.FromString(whole)

        assert whole == view.SerializeToString(deterministic=True)
        assert question["view_hash"] == view_hash(view) == crc32(whole) % 2**31


def test_events_lead_from_view_to_view() -> None:
    """The client, told the events alone, has every view; nearly every kind of event is shown."""
    kinds: set[int] = set()
    for stream in streams():
        views = KeptViews()
        for question in stream:
            kinds |= set(question["kinds"])
            lists = {name: question[name] for name in ("kinds", "seats", "values", "numbers")}
            events = Events(last=question["last"], view_hash=question["view_hash"], **lists)
            decision = Decision(table_id="t", events=events)
            if question["whole"]:
                decision.view.MergeFromString(bytes.fromhex(question["view"]))

            assert views.complete(decision)
            assert question["view"] == decision.view.SerializeToString(deterministic=True).hex()
    assert {EventKind.Value("EVENT_KIND_SWAP")} == set(EventKind.values()) - kinds - {0}


def test_event_kinds_below_64_are_action_kinds() -> None:
    """They have the numbers and names of ActionKind."""
    named = {
        name.removeprefix("EVENT_KIND_"): number
        for name, number in EventKind.items()
        if 0 < number < 64
    }

    assert {kind.name: int(kind) for kind in ActionKind} == named
