"""Positions with known counts of legal lines, by the engine and by the naive second engine.

The counts stand in ``*.perft`` beside this file. They are small enough to be counted on every run,
save the largest, which only the long tests count. A mismatch prints the count below each first
action: compare it with another engine's, go one action deeper where they differ, and repeat.
"""

from __future__ import annotations

from collections import Counter

import pytest
from perft_files import PerftEntry, perft_entries
from perft_naive import naive_count, naive_table

from euchre_engine.games import Game
from euchre_engine.notation import format_position, hand_of, hand_to_json, parse_position
from euchre_engine.perft import divide, perft
from euchre_engine.state import Phase

ENTRIES = perft_entries()
EVERYDAY = 6_000
EVERYDAY_NAIVE = 400


def _cases(everyday: int) -> list[object]:
    """Returns every depth of every entry; those with larger counts are marked long."""
    return [
        pytest.param(
            entry,
            depth,
            id=f"{entry.name}-{depth}",
            marks=[pytest.mark.long] if count > everyday else [],
        )
        for entry in ENTRIES
        for depth, count in entry.counts.items()
    ]


@pytest.mark.parametrize(("entry", "depth"), _cases(EVERYDAY))
def test_engine_counts(entry: PerftEntry, depth: int) -> None:
    """The engine finds as many legal lines as the file says."""
    state = parse_position(entry.position)
    expected = entry.counts[depth]
    actual = perft(state, depth)

    if actual != expected:
        split = "\n".join(f"{count:9} {action}" for action, count in divide(state, depth).items())
        pytest.fail(f"{entry.name}: {actual} lines of {depth}, not {expected}; by action\n{split}")


@pytest.mark.parametrize(("entry", "depth"), _cases(EVERYDAY_NAIVE))
def test_naive_engine_counts(entry: PerftEntry, depth: int) -> None:
    """The naive engine, which shares no code with the real one, finds as many."""
    hand = hand_to_json(hand_of(parse_position(entry.position)))
    hand["actions"] = [action["text"] for action in hand["actions"]]

    assert naive_count(naive_table(hand), depth) == entry.counts[depth]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_positions_are_written_as_the_engine_writes_them(entry: PerftEntry) -> None:
    """Every position of a file is in the form that the engine would give it."""
    assert format_position(parse_position(entry.position)) == entry.position


def test_files_hold_enough() -> None:
    """There are ten positions of each Euchre game, four of the others; depths have no gaps."""
    names = [entry.name for entry in ENTRIES]

    counts = Counter(parse_position(entry.position).rules.game for entry in ENTRIES)
    assert len(set(names)) == len(names)
    assert all(counts[game] >= (10 if "handed" in game else 4) for game in Game)
    assert all(list(e.counts) == list(range(1, len(e.counts) + 1)) for e in ENTRIES)


def test_positions_reach_every_phase() -> None:
    """Among the positions, and one action on, every phase is asked in."""
    phases = set()
    for entry in ENTRIES:
        state = parse_position(entry.position)
        phases |= {state.phase} | {_after(entry.position, str(a)) for a in divide(state, 1)}

    assert phases == set(Phase)


def _after(position: str, action: str) -> Phase:
    joint = ", " if "; actions " in position else "; actions "
    return parse_position(position + joint + action).phase


def test_play_of_two_hands_stays_within_its_bound() -> None:
    """Two hands of five cards can be played in at most 5! times 5! ways."""
    play = next(entry for entry in ENTRIES if entry.name == "two-handed-g1-play")

    assert max(play.counts.values()) <= 120 * 120


def test_divide_adds_up() -> None:
    """The counts below each first action add up to the count of the position."""
    states = [parse_position(entry.position) for entry in ENTRIES]

    going_on = [state for state in states if state.phase is not Phase.DONE]
    assert [sum(divide(state, 2).values()) for state in going_on] == [
        perft(state, 2) for state in going_on
    ]
