# ruff: noqa: INP001 - a script, not a module of a package
"""Makes docs/rules.md, the rules page: `python docs/make_rules.py [--check]`.

Owns the way from docs/rules_source to the page. Prose stands in the sources, one for each game;
`{{...}}` in them is filled from the engine: presets, options, points and bids from the tables that
the scorer reads, deals and first leaders by dealing and playing. It holds no rule of its own, and a
game that joins the tables gets a section, with or without prose.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from itertools import groupby, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from euchre_engine import Seat, apply, legal_actions, make_ruleset, start_hand
from euchre_engine.bids import FORCED_BY_JOKER
from euchre_engine.games import Game
from euchre_engine.notation import hand_from_json, replay
from euchre_engine.options import OPTION_BY_NAME, OPTIONS
from euchre_engine.points import points_table
from euchre_engine.state import Phase
from euchre_engine.variants import PRESETS, parse_ruleset
from euchre_server.cli.hand_text import hand_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from euchre_engine.option_kinds import OptionValue
    from euchre_engine.state import State
    from euchre_engine.variants import Ruleset

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "rules.md"
SOURCES = DOCS / "rules_source"
VECTORS = DOCS.parent / "tests" / "vectors"

NOTE = "<!-- Made by docs/make_rules.py from docs/rules_source and the engine's tables. -->\n\n"
WITHOUT_PROSE = (
    "### The deal\n\n{{{{deal {0}}}}}\n\n{{{{leaders {0}}}}}\n\n### Points\n\n"
    "{{{{points {0}}}}}\n\n### Options\n\n{{{{options {0}}}}}\n"
)


def main() -> int:
    """Returns the exit status: 0 done, 1 the page is stale."""
    parser = argparse.ArgumentParser(description="Make the rules page.")
    parser.add_argument("--check", action="store_true", help="write nothing; report a stale page")
    arguments = parser.parse_args()
    made = page()
    if not arguments.check:
        PAGE.write_text(made, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
        sys.stderr.write("docs/rules.md is stale: run python docs/make_rules.py\n")
        return 1
    return 0


def page() -> str:
    """Returns the whole page."""
    parts = [(SOURCES / "intro.md").read_text(encoding="utf-8")]
    parts += [f"## {_title(game)}\n\n{_source(game)}" for game in Game]
    return NOTE + "\n".join(_filled(part) for part in parts)


def _title(game: Game) -> str:
    return game.value.capitalize()


def _source(game: Game) -> str:
    path = SOURCES / f"{game}.md"
    return path.read_text(encoding="utf-8") if path.exists() else WITHOUT_PROSE.format(game)


def _filled(source: str) -> str:
    """Returns a source with its blocks filled.

    Raises:
        ValueError: A block is none of those that there are.
    """
    return re.sub(r"\{\{(\w+) ?(.*?)\}\}", _block, source)


def _block(found: re.Match[str]) -> str:
    name, words = found.groups()
    maker = _BLOCKS.get(name)
    if maker is None:
        raise ValueError(f"{found[0]} is no block; there are {', '.join(_BLOCKS)}")
    return maker(words).rstrip("\n")


# --- tables ---------------------------------------------------------------------------------------


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |\n" for line in lines)


def _text(value: OptionValue) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _presets(_: str) -> str:
    rows = []
    for preset in PRESETS.values():
        changes = ", ".join(f"`{name}`={_text(value)}" for name, value in preset.changes.items())
        players = str(make_ruleset(preset.name).seat_count)
        if any(spec.name == "players" and preset.game in spec.kinds for spec in OPTIONS):
            players += " (`players`)"
        rows.append([f"`{preset.name}`", players, preset.sentence, changes])
    return _table(["preset", "players", "in one sentence", "differs from its game in"], rows)


def _options(game: str) -> str:
    of_game = Game(game)
    rows = [
        [
            f"`{spec.name}`",
            spec.kinds[of_game].words,
            _text(spec.defaults[of_game]),
            spec.sentences[of_game],
        ]
        for spec in OPTIONS
        if of_game in spec.kinds
    ]
    return _table(["option", "takes", "usual", "effect"], rows)


def _changes(presets: str) -> str:
    rows = [
        [f"`{name}`", f"`{option}`", _text(value), _text(_usual(name, option))]
        for name in presets.split()
        for option, value in PRESETS[name].changes.items()
    ]
    return _table(["preset", "option", "value", "usual"], rows)


def _usual(preset: str, option: str) -> OptionValue:
    return OPTION_BY_NAME[option].defaults[PRESETS[preset].game]


def _value(words: str) -> str:
    preset, option = words.split()
    value = make_ruleset(preset).options[option]
    return str(value)


def _points(rulesets: str) -> str:
    """Returns the points of some rulesets side by side."""
    tables = {text: points_table(parse_ruleset(text)) for text in rulesets.split()}
    lines = dict.fromkeys((when, to) for table in tables.values() for _, to, when in table)
    worth = {
        text: {(when, to): points for points, to, when in table} for text, table in tables.items()
    }
    rows = [
        [when, to, *(str(worth[text].get((when, to), "")) for text in tables)] for when, to in lines
    ]
    heads = ["`" + text + "`" for text in tables] if len(tables) > 1 else ["points"]
    return _table(["result", "paid to", *heads], rows)


def _bids(ruleset: str) -> str:
    """Returns the bids of a ruleset in ascending rank."""
    bids = parse_ruleset(ruleset).bids
    if bids is None:
        return ""
    rows = [
        [f"`bid {bid.number}`", bid.name, str(bid.tricks) if bid.tricks else "none, without trump"]
        for bid in bids.by_number.values()
    ]
    return _table(["bid", "name", "tricks"], rows)


def _joker(_: str) -> str:
    return f"`bid {FORCED_BY_JOKER}`"


# --- what comes out when cards are dealt and played -----------------------------------------------


def _place(rules: Ruleset, dealer: int, seat: int) -> str:
    """Returns the name of a seat by its place after the dealer."""
    return "dealer" if seat == dealer else f"s{(seat - dealer) % rules.seat_count}"


def _deal(game: str) -> str:
    """Returns where the cards of a deck go, for every way of dealing that a game has."""
    preset = _first_preset(game)
    rows = []
    for name in ("deal_pattern", "dummy_seat"):
        spec = OPTION_BY_NAME[name]
        if Game(game) not in spec.kinds:
            continue
        for value in spec.kinds[Game(game)].choices:
            usual = value == spec.defaults[Game(game)]
            if name == "deal_pattern" or not usual:
                dealt = _packets(make_ruleset(preset, {name: value}))
                rows.append([f"`{name}={value}`{' (usual)' if usual else ''}", dealt])
    return _table(["option", "the deck, from its first card to its last"], rows)


def _packets(rules: Ruleset) -> str:
    """Returns how many cards go to whom in turn; a round that is dealt again is written once."""
    packets = [(owner, len(list(cards))) for owner, cards in groupby(_owners(rules))]
    places = rules.seat_count + rules.has_dummy
    rounds = [packets[at : at + places] for at in range(0, len(packets), places)]
    again = len(list(takewhile(lambda dealt: dealt == rounds[0], rounds)))
    rest = packets[again * places :]
    times = [f"all this {again} times"] if again > 1 else []
    return ", ".join(
        [
            *(f"{owner} {count}" for owner, count in rounds[0]),
            *times,
            *(f"{owner} {count}" for owner, count in rest),
        ]
    )


def _first_preset(game: str) -> str:
    return next(preset.name for preset in PRESETS.values() if preset.game == game)


def _owners(rules: Ruleset) -> Iterator[str]:
    """Yields to whom each card of the deck goes."""
    dealer = Seat(rules.seat_count - 1)
    state = start_hand(rules, dealer=dealer, deck=rules.deck_cards)
    places = [(_place(rules, dealer, seat), state.hand(seat)) for seat in rules.seats]
    places.append(("dummy", state.dummy))
    single = [("up-card", state.upcard), ("widow", state.deal.widow)]
    places += [(name, (card,)) for name, card in single if card is not None]
    for card in rules.deck_cards:
        yield next((name for name, cards in places if card in cards), "face down")


SAMPLES = 600


def _first_leads(rules: Ruleset) -> Iterator[State]:
    """Yields many hands at their first lead."""
    for number in range(SAMPLES):
        rng = random.Random(number)  # noqa: S311  # the same page every time
        deck = list(rules.deck_cards)
        rng.shuffle(deck)
        dealer = Seat(number % rules.seat_count)
        state = start_hand(rules, dealer=dealer, deck=deck)
        while state.phase not in (Phase.PLAY, Phase.DONE):
            legal = legal_actions(state)
            state = apply(state, legal[rng.randrange(len(legal))])
        if state.phase is Phase.PLAY:
            yield state


WHO_IS_ALONE = {
    (False, False): "nobody",
    (True, False): "the maker",
    (False, True): "a defender",
    (True, True): "the maker and a defender",
}
DECIDED_BY = {
    "the maker": "alone_lead",
    "a defender": "alone_lead",
    "the maker and a defender": "both_alone_leader",
}


def _case(state: State) -> str:
    loners = [seat == state.maker for seat in state.alone]
    return WHO_IS_ALONE[any(loners), not all(loners)]


def _leaders(game: str) -> str:
    """Returns who leads first, as it comes out when hands are played."""
    preset = _first_preset(game)
    rows = []
    for case in WHO_IS_ALONE.values():
        option = DECIDED_BY.get(case, "")
        spec = OPTION_BY_NAME.get(option)
        if option and (spec is None or Game(game) not in spec.kinds):
            continue
        for value in spec.kinds[Game(game)].choices if spec else ("",):
            changes = {option: value} if option else {}
            if option:
                changes["defend_alone"] = "always"
            states = [
                state
                for state in _first_leads(make_ruleset(preset, changes))
                if _case(state) == case
            ]
            usual = " (usual)" if spec and value == spec.defaults[Game(game)] else ""
            choice = f"`{option}={value}`{usual}" if option else ""
            rows.append([case, choice, _who(states)])
    if len(rows) == 1:
        return f"First to lead: {rows[0][2]}."
    return _table(["who is alone", "option", "first to lead"], rows)


def _next_active(state: State, seat: int) -> int:
    count = state.rules.seat_count
    after = [(seat + step) % count for step in range(1, count + 1)]
    return next(other for other in after if other not in state.sitting_out)


def _maker(state: State) -> int:
    return -1 if state.maker is None else state.maker


def _lone_defender(state: State) -> int:
    return next((seat for seat in state.alone if seat != state.maker), -1)


_ROLES: dict[str, Callable[[State], int]] = {
    "left of the dealer": lambda state: _next_active(state, state.dealer),
    "left of the maker": lambda state: _next_active(state, _maker(state)),
    "left of the lone defender": lambda state: _next_active(state, _lone_defender(state)),
    "the maker": _maker,
    "the lone defender": _lone_defender,
}


def _who(states: list[State]) -> str:
    """Returns in words who leads in all of some hands."""
    fits = [
        role
        for role, seat in _ROLES.items()
        if all(seat(state) == state.to_act for state in states)
    ]
    also = [role for role in fits[1:] if not role.startswith("left")]
    return f"{fits[0]}, always {also[0]}" if also else fits[0]


def _hand(words: str) -> str:
    """Returns a hand of the test vectors as `euchre-arena hand` prints it."""
    game, name = words.split(": ", maxsplit=1)
    lines = (VECTORS / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    hand = next(line for line in map(json.loads, lines) if line["name"] == name)
    text = click.unstyle(hand_text(replay(hand_from_json(hand))))
    return "```text\n" + "".join(line.rstrip() + "\n" for line in text.splitlines()) + "```"


_BLOCKS: dict[str, Callable[[str], str]] = {
    "bids": _bids,
    "changes": _changes,
    "deal": _deal,
    "hand": _hand,
    "joker": _joker,
    "leaders": _leaders,
    "options": _options,
    "points": _points,
    "presets": _presets,
    "value": _value,
}


if __name__ == "__main__":
    sys.exit(main())
