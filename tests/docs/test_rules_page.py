"""docs/rules.md says what the engine does.

Owns the promise that the page is made from the engine's tables, that its tables of points, bids,
options and first leaders come out when hands are played, and that its prose holds no number of its
own and leaves out no phase and no action.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from drawn_hands import draw_hand, draw_style, presets_of
from rules_page import PAGE, Facts, points_by_the_page, section, tables

from euchre_engine.cards import Seat
from euchre_engine.games import Game
from euchre_engine.hand import apply, legal_actions
from euchre_engine.legal import legal_texts
from euchre_engine.notation import HandRecord, replay
from euchre_engine.options import OPTION_BY_NAME, OPTIONS
from euchre_engine.scoring import outcome
from euchre_engine.state import Phase
from euchre_engine.variants import PRESETS, parse_ruleset
from euchre_server.cli.rules import rules_command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from euchre_engine.state import State
    from euchre_engine.variants import Ruleset

DOCS = PAGE.parent
SOURCES = sorted((DOCS / "rules_source").glob("*.md"))
MANY = 4000


def _title(game: Game) -> str:
    return game.value.capitalize()


def _hands(rules: Ruleset, count: int = MANY) -> Iterator[list[State]]:
    """Yields random hands, state by state, under these very rules."""
    for number in range(count):
        rng = Random(f"rules page {rules} {number}")
        deck = list(rules.deck_cards)
        rng.shuffle(deck)
        if number % 2:  # most high cards in one hand, so that somebody takes all tricks
            deck.sort(key=lambda card: rng.random() - card.rank / 8)
        style = draw_style(rng, rules)
        hand = HandRecord(
            rules=rules,
            dealer=Seat(number % rules.seat_count),
            deck=tuple(deck),
            scores=(0,) * rules.seat_count,
        )
        states = [replay(hand)]
        while states[-1].to_act is not None:
            states.append(apply(states[-1], style.choose(rng, states[-1])))
        yield states


def test_page_is_fresh() -> None:
    """The page is what the command makes of the sources and the engine's tables."""
    command = [sys.executable, str(DOCS / "make_rules.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert "" == result.stdout + result.stderr
    assert 0 == result.returncode


# --- points ---------------------------------------------------------------------------------------


def _points_columns() -> list[tuple[str, str, int, str]]:
    """Returns every column of points on the page: ruleset, section, number of the table, head."""
    found = []
    for game in Game:
        for number, table in enumerate(tables(section(_title(game)), "result")):
            for head in list(table[0])[2:]:
                ruleset = head.strip("`") if head != "points" else presets_of(game)[0]
                found.append(
                    (ruleset + ANNOUNCED.get((game, number), ""), _title(game), number, head)
                )
    return found


ANNOUNCED = {
    (Game.FOUR_HANDED, 1): ",defend_alone=always",
    (Game.NAPOLEON, 0): ",stick_the_dealer=true,wellington=true,blucher=true",
}
"""The options of the tables that the text says are longer than those of the preset."""


@pytest.mark.parametrize(("ruleset", "title", "number", "head"), _points_columns())
def test_points(ruleset: str, title: str, number: int, head: str) -> None:
    """Hands score what the page says, and every row of it comes about."""
    table = tables(section(title), "result")[number]
    unmet = set(range(len(table)))
    for states in _hands(parse_ruleset(ruleset)):
        result = outcome(states[-1])
        assert result is not None
        if states[-1].maker is None:
            continue
        points, met = points_by_the_page(table, head, _facts(states[-1], title))
        assert points == list(result.points)
        unmet -= met
        if not unmet:
            return
    assert [] == [table[place]["result"] for place in sorted(unmet)]


def _facts(state: State, title: str) -> Facts:
    """Returns how a hand went, its bid read with the words of the page."""
    maker = state.maker
    assert maker is not None
    makers = {maker, (maker + 2) % 4} if state.rules.has_partners else {int(maker)}
    facts = Facts(
        seats=state.rules.seat_count,
        makers=makers,
        loners=set(state.alone),
        tricks=sum(state.tricks_won[seat] for seat in makers),
        all_tricks=sum(state.tricks_won),
    )
    by_bid = {
        row["bid"].strip("`"): row for table in tables(section(title), "bid") for row in table
    }
    said = [str(action) for action in state.actions if str(action) in by_bid]
    if not said:
        return facts
    bid = by_bid[said[-1]]
    undertaken = int(bid["tricks"]) if bid["tricks"].isdigit() else 0
    return replace(facts, bid=said[-1], bid_name=bid["name"], undertaken=undertaken)


def test_every_game_has_points() -> None:
    """The page has points for every game and every preset that has its own."""
    titles = [title for _, title, _, _ in _points_columns()]
    rulesets = {ruleset for ruleset, _, _, _ in _points_columns()}

    assert {_title(game) for game in Game} == set(titles)
    assert "three-handed-bonus" in rulesets


# --- first leaders --------------------------------------------------------------------------------


def _next_active(state: State, seat: int) -> int:
    count = state.rules.seat_count
    after = [(seat + step) % count for step in range(1, count + 1)]
    return next(other for other in after if other not in state.sitting_out)


def _leaders(words: str, state: State) -> set[int]:
    """Returns the seats that words such as `left of the dealer, always the maker` name."""
    maker = -1 if state.maker is None else state.maker
    loner = next((seat for seat in state.alone if seat != maker), -1)
    seats = {"dealer": state.dealer, "maker": maker, "lone defender": loner}
    named = set()
    for part in words.split(", "):
        left, who = part.startswith("left of"), part.split("the ")[-1]
        named.add(_next_active(state, seats[who]) if left else seats[who])
    return named


def _leader_rows(game: Game) -> list[tuple[str, str, str]]:
    text = section(_title(game))
    rows = [
        (row["who is alone"], row["option"].split(" ")[0].strip("`"), row["first to lead"])
        for table in tables(text, "who is alone")
        for row in table
    ]
    return rows or [("nobody", "", words) for words in re.findall(r"First to lead: (.*)\.", text)]


@pytest.mark.parametrize("game", Game)
def test_first_leaders(game: Game) -> None:
    """Who leads first in hands that are played is who the page says."""
    rows = _leader_rows(game)
    assert rows
    for case, option, words in rows:
        usual = presets_of(game)[0]
        lone = ",defend_alone=always" if option else ""
        met = 0
        for states in _hands(parse_ruleset(usual + (f",{option}{lone}" if option else "")), 250):
            first = next((state for state in states if state.phase is Phase.PLAY), None)
            if first is None or case != _who_is_alone(first):
                continue
            met += 1
            assert {first.to_act} == _leaders(words, first), (case, option)
        assert met


def _who_is_alone(state: State) -> str:
    maker = state.maker in state.alone
    defender = any(seat != state.maker for seat in state.alone)
    if maker and defender:
        return "the maker and a defender"
    return "the maker" if maker else "a defender" if defender else "nobody"


# --- options, presets and words -------------------------------------------------------------------


@pytest.mark.parametrize("game", Game)
def test_options(game: Game) -> None:
    """Every option of a game stands in its section, with values, default and one sentence."""
    [*_, table] = tables(section(_title(game)), "option")
    rows = [tuple(row.values()) for row in table]
    expected = [
        (
            f"`{spec.name}`",
            spec.kinds[game].words,
            f"`{_written(spec.defaults[game])}`",
            spec.sentences[game],
        )
        for spec in OPTIONS
        if game in spec.kinds
    ]

    assert expected == rows
    assert all(len(re.findall(r"\.(?= |$)", sentence)) == 1 for *_, sentence in expected)


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("preset", PRESETS)
def test_same_words_as_the_command(preset: str) -> None:
    """Every sentence, value and result that `rules NAME` prints stands on the page."""
    text = CliRunner().invoke(rules_command, [preset, "--json"], catch_exceptions=False).stdout
    printed: dict[str, Any] = json.loads(text)
    page = PAGE.read_text(encoding="utf-8")
    parts = [printed["sentence"]]
    parts += [row["sentence"] for row in printed["options"]]
    parts += [f"| {row['allowed']} |" for row in printed["options"]]
    parts += [f"| {row['when']} | {row['to']} |" for row in printed["points"]]

    assert [] == [part for part in parts if part not in page]


def test_presets() -> None:
    """Every preset stands in the first table and has its section; changes are those it makes."""
    [table] = tables(PAGE.read_text(encoding="utf-8").split("## ")[0], "preset")
    changes = {
        row["preset"].strip("`"): row["differs from its game in"].replace("`", "") for row in table
    }
    expected = {
        name: ", ".join(f"{option}={_written(value)}" for option, value in preset.changes.items())
        for name, preset in PRESETS.items()
    }

    assert expected == changes


def test_changed_options() -> None:
    """Tables of what a preset changes say what it changes and what is usual."""
    rows = [
        tuple(cell.strip("`") for cell in row.values())
        for table in tables(PAGE.read_text(encoding="utf-8"), "preset")
        for row in table
        if "usual" in row
    ]
    expected = [
        (name, option, _written(value), _written(OPTION_BY_NAME[option].defaults[preset.game]))
        for name, preset in PRESETS.items()
        for option, value in preset.changes.items()
    ]

    assert expected == rows


ALLOWED_NUMBERS = r"`[^`]*`|\{\{.*?\}\}|\bs[12]\b|seats 0 and 2|1 and 3|^#+ .*$"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_prose_has_no_numbers(source: Path) -> None:
    """No number is written by hand, but for names of seats, rulesets and phases."""
    prose = re.sub(ALLOWED_NUMBERS, "", source.read_text(encoding="utf-8"), flags=re.MULTILINE)

    assert [] == re.findall(r".*\d.*", prose)


@pytest.mark.parametrize("game", Game)
def test_phases(game: Game) -> None:
    """The table of phases has every phase that hands go through, with all that may be said."""
    listed = {
        (row["phase"].strip("`"), word)
        for row in tables(section(_title(game)), "phase")[0]
        for word in re.findall(r"`([a-z_]+)`", re.sub(r"\(.*?\)", "", row["may say"]))
    }
    met = set()
    for number in range(MANY // 10):
        rng = Random(f"phases {game} {number}")
        hand = draw_hand(rng, rng.choice(presets_of(game)))
        style = draw_style(rng, hand.rules)
        state = replay(hand)
        while state.to_act is not None:
            words = {text.split(" ")[0] for text in legal_texts(legal_actions(state))}
            met |= {(state.phase.value, word) for word in words}
            state = apply(state, style.choose(rng, state))

    assert sorted(met) == sorted(listed - OPTIONS_IN_WORDS)


OPTIONS_IN_WORDS = {("NAME", "no_trump")}
"""Words in backticks between the actions that are options."""


def test_rulesets_in_the_prose() -> None:
    """Rulesets that the prose writes out can be made."""
    page = PAGE.read_text(encoding="utf-8")
    names = set(re.findall(r"`([a-z-]+,[a-z_]+=[^`]*)`", page))

    assert names
    assert {name: name.split(",")[0] for name in names} == {
        name: parse_ruleset(name).preset for name in names
    }
