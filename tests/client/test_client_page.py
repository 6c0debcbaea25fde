"""Promises that clients/README.md can be followed: its code runs, its names exist."""

import re
from pathlib import Path
from typing import Any

import pytest

import euchre_arena
from euchre_arena import Action, Bot, Decision, Table, Trumps, View
from euchre_arena.bot import FunctionBot
from euchre_arena.testing import ScriptedArena

PAGE = (Path(__file__).resolve().parents[2] / "clients" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("source", BLOCKS)
def test_every_example_runs(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each example is a whole program; a bot in it bids, and plays a card."""
    bots: list[Any] = []
    monkeypatch.setattr(euchre_arena, "run", bots.append)
    exec(compile(source, "clients/README.md", "exec"), {})  # noqa: S102 - our own page

    for made in bots:
        bot = made() if isinstance(made, type) else FunctionBot(made)
        table = ScriptedArena(bot).open_table()
        bid = table.ask("pass, order", hand="9D TD AH KH 9S", upcard="9C")
        play = table.ask("play AS, play 9S", hand="AS 9S", trump="C", maker=1)
        table.end_hand(points=[1, 0, 0])

        assert Action.pass_turn() == bid
        assert play in (Action.parse("play AS"), Action.parse("play 9S"))
    assert 3 == len(BLOCKS)


def test_every_hook_is_named() -> None:
    """The page names all that a bot may override."""
    hooks = [name for name in vars(Bot) if name.startswith("on_")]

    assert len(hooks) >= 10
    assert [] == [name for name in hooks if f"`{name}`" not in PAGE]


@pytest.mark.parametrize(("kind", "prefix"), [(View, ""), (Trumps, ""), (Decision, "decision.")])
def test_named_attributes_exist(kind: type, prefix: str) -> None:
    """What the page says of decisions is there; and everything public of them is on the page."""
    public = {name for name in vars(kind) if not name.startswith("_")}
    missing = {name for name in public if not re.search(rf"\b{prefix}{name}\b", PAGE)}
    # What only other games have, or numbers nobody needs first, is left to the docstrings.
    left_out = {"contract", "widow", "best_card", "to_act", "hand_number", "redeals", "phase"}
    left_out |= {"seat_count", "game", "trump"}

    assert set() == missing - left_out


def test_named_table_attributes_exist() -> None:
    """What the page says of a table is there."""
    table = ScriptedArena(Bot()).open_table().table
    (row,) = re.findall(r"^\| `decision\.table` \| (.*?); the same", PAGE, re.MULTILINE)
    names = [name.split(".")[0] for name in re.findall(r"`([\w.]+)", row)]

    assert isinstance(table, Table)
    assert 7 == len(names)
    assert all(hasattr(table, name) for name in names)
