"""The lines of tests/vectors: what they hold, and how the arena is asked for it.

Owns the coding that tests/vectors/README.md describes, and the way to the answers of
`euchre-arena hand --json`. Which hands are written down is not decided here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from euchre_engine.notation import HandRecord, hand_to_json
from euchre_engine.variants import make_ruleset
from euchre_server.cli.hand import hand_command

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["answers", "line_of", "standings"]

Object = dict[str, Any]


def answers(hands: Iterable[Object]) -> list[Object]:
    """Returns what `euchre-arena hand --json` prints for hand objects, one for each."""
    lines = "".join(json.dumps(hand) + "\n" for hand in hands)
    result = CliRunner().invoke(hand_command, ["--json"], input=lines, catch_exceptions=False)
    return [json.loads(line) for line in result.stdout.splitlines()]


def standings(hand: Object) -> list[Object]:
    """Returns where a hand stands at the deal and after every action."""
    actions = hand["actions"]
    return answers({**hand, "actions": actions[:count]} for count in range(len(actions) + 1))


def line_of(name: str, hand: HandRecord) -> Object:
    """Returns the object of a line: the hand with its name, and the steps that it takes."""
    written = hand_to_json(hand)
    usual = make_ruleset(hand.rules.preset).to_json()
    changed = {key: value for key, value in written["rules"].items() if value != usual[key]}
    preset = hand.rules.preset
    written["rules"] = {"preset": preset, **changed} if changed else preset
    return {"name": name, **written, "steps": _steps(standings(written))}


def _steps(whole: list[Object]) -> list[Object]:
    """Returns the standings of a hand, each without what the one before and its own rest tell."""
    steps = []
    before: Object = {}
    for now in whole:
        steps.append(now if "error" in now else _step(before, now))
        before = now
    return steps


def _step(before: Object, now: Object) -> Object:
    old_views = {
        view["seat"]: _own_part(view, before["public"]) for view in before.get("views", ())
    }
    views = {view["seat"]: _own_part(view, now["public"]) for view in now["views"]}
    told = len(before.get("public", {}).get("history", ()))
    public = _changes(before.get("public", {}), now["public"])
    if "history" in public:
        public["history"] = public["history"][told:]
    step = _changes(before, {**now, "views": None, "public": None})
    return {
        **{key: value for key, value in step.items() if key not in ("views", "public")},
        "public": public,
        "views": {str(seat): own for seat, own in views.items() if own != old_views.get(seat)},
    }


def _changes(before: Object, now: Object) -> Object:
    return {key: value for key, value in now.items() if key not in before or before[key] != value}


def _own_part(view: Object, public: Object) -> Object:
    """Returns what a seat sees that differs from what everybody sees."""
    own = _changes({**public, "history": None}, view)
    history = {
        str(place): item["text"]
        for place, (item, everybodys) in enumerate(
            zip(view["history"], public["history"], strict=True)
        )
        if item != everybodys
    }
    return {**{key: value for key, value in own.items() if key != "history"}, "history": history}
