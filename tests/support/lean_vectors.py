"""The LEAN test vectors of docs/vectors/lean.json: what a seat is told of some worked hands.

Owns the choice of hands and the form of the file. `make vectors` writes it, a test compares.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from naive_worked import WORKED_HANDS
from tables import table_spec

from euchre_arena.v1.arena_service_pb2 import ArenaMessage
from euchre_engine import apply, legal_actions, parse_action, view_for
from euchre_engine.notation import hand_from_json, replay
from euchre_server.referee.outputs import Ask
from euchre_server.session import wire
from euchre_server.session.wire.views import view_bytes

__all__ = ["FILE", "lean_vectors", "lean_vectors_text"]

FILE = Path(__file__).parents[2] / "docs" / "vectors" / "lean.json"
_FAMILY = Path(__file__).parents[1] / "golden" / "family_hands.jsonl"
_CHOSEN = ("R1", "H1", "N1")
"""Of the worked hands of the other games; of Euchre's own the first three are shown."""


def lean_vectors() -> list[dict[str, Any]]:
    """Returns every seat's questions over some hands."""
    rows = map(json.loads, _FAMILY.read_text(encoding="utf-8").splitlines())
    hands = [row[1] for row in WORKED_HANDS[:3]]
    hands += [
        {key: value for key, value in row.items() if key not in {"name", "expect"}}
        for row in rows
        if row["name"] in _CHOSEN
    ]
    return [{"hand": hand, "seats": _told(hand)} for hand in hands]


def lean_vectors_text() -> str:
    """Returns the file: one line a question."""
    hands = []
    for vector in lean_vectors():
        seats = [",\n".join(f"   {_json(row)}" for row in rows) for rows in vector["seats"]]
        joined = "\n  ],[\n".join(seats)
        hands.append(f' {{"hand": {_json(vector["hand"])}, "seats": [[\n{joined}\n  ]]}}')
    return "[\n" + ",\n".join(hands) + "\n]\n"


def _json(value: object) -> str:
    return json.dumps(value, separators=(", ", ": "))


def _told(hand: dict[str, Any]) -> list[list[dict[str, Any]]]:
    state = replay(hand_from_json({**hand, "actions": []}))
    spec = table_spec(state.rules)
    sessions = [wire.Lean() for _ in state.rules.seats]
    told: list[list[dict[str, Any]]] = [[] for _ in sessions]
    for text in hand["actions"]:
        seat = state.to_act
        assert seat is not None
        view = view_for(state, seat)
        ask = Ask(len(told[seat]) + 1, 500, 10_000, view, legal_actions(state))
        said = sessions[seat].seat_message(spec, seat, ask)
        decision = ArenaMessage.FromString(said).decision
        events = decision.events
        told[seat].append(
            {
                "whole": decision.HasField("view"),
                "last": events.last,
                "kinds": list(events.kinds),
                "seats": list(events.seats),
                "values": list(events.values),
                "numbers": list(events.numbers),
                "view": view_bytes(view).hex(),
                "view_hash": events.view_hash,
            }
        )
        state = apply(state, parse_action(text))
    return told
