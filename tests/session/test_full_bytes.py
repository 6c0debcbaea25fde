"""FULL stays what it was: every byte of a question and of a hand's end, over a few fixed hands.

The digests were taken when the fields of a view came to be written in the order of their numbers.
A new field that is set, or another order of fields, changes them; old clients could live with
either, but it should not happen unawares.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from naive_worked import WORKED_HANDS
from tables import table_spec

from euchre_engine import Seat, State, apply, legal_actions, parse_action, view_for
from euchre_engine.errors import ActionError
from euchre_engine.notation import hand_from_json, replay
from euchre_server.referee.outputs import Ask, HandOver
from euchre_server.session import wire

FAMILY = Path(__file__).parents[1] / "golden" / "family_hands.jsonl"


def worked() -> list[dict[str, Any]]:
    """Returns the hands of RULES.md and four-handed ones like them."""
    return [row[1] for row in WORKED_HANDS]


def family() -> list[dict[str, Any]]:
    """Returns the worked hands of the other games."""
    lines = FAMILY.read_text(encoding="utf-8").splitlines()
    keys = ("rules", "players", "dealer", "deck", "actions", "scores", "redeals")
    return [{key: row[key] for key in keys if key in row} for row in map(json.loads, lines)]


def states(hand: dict[str, Any]) -> Iterator[State]:
    """Yields every position of a hand."""
    state = replay(hand_from_json({**hand, "actions": []}))
    yield state
    for text in hand["actions"]:
        try:
            state = apply(state, parse_action(text))
        except ActionError:
            return  # some hands end with a refusal
        yield state


def messages(state: State) -> Iterator[bytes]:
    """Yields what the seat to act is asked, or what all are told of the end."""
    spec = table_spec(state.rules)
    if state.to_act is not None:
        seat = state.to_act
        ask = Ask(7, 500, 10_000, view_for(state, seat), legal_actions(state))
        yield wire.seat_message(spec, seat, ask)
    else:
        for seat in map(Seat, range(state.rules.seat_count)):
            view = view_for(state, seat)
            yield wire.seat_message(spec, seat, HandOver(view, view.scores))


@pytest.mark.parametrize(
    ("hands", "count", "digest"),
    [
        (worked, 544, "b2571fbca537f3a2c2b9820ec0fcf16974b4072b268f8cc51ba78c82b1249007"),
        (family, 272, "f6f2d5cbd39e65e4d641c12d08b4faff81711d94b0686fdca7598924e319ca77"),
    ],
)
def test_every_byte_is_what_it_was(hands: Any, count: int, digest: str) -> None:  # noqa: ANN401  # one of the two above
    """The same hands give the same bytes."""
    sent = [message for hand in hands() for state in states(hand) for message in messages(state)]

    assert count == len(sent)
    assert digest == hashlib.sha256(b"".join(sent)).hexdigest()
