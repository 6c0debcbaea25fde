"""No id, seed or name that a bot is told says which board or seating its table plays.

A bot that knew could remember, from one seating of a board to the next, whose cards are where.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count, pairwise
from random import Random
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from arenas import FakeArena
from record_matches import match_spec
from session_fakes import answer_to, arena_messages
from tables import table_spec

from euchre_engine.deal import secret_from_seed
from euchre_server.match.schedule import Schedule
from euchre_server.referee import dealing
from euchre_server.referee.spec import ClockSpec

if TYPE_CHECKING:
    from collections.abc import Callable

    from euchre_server.referee.spec import TableSpec

BOARDS = 24
SPEC = match_spec("three-handed", boards=BOARDS)
BITS = 64


def all_tables(secret: str) -> list[TableSpec]:
    """Returns the tables of a match in the order of its schedule."""
    schedule = Schedule(replace(SPEC, secret=secret_from_seed(secret)))
    return [
        table for leg in schedule.legs(schedule.first_round()) for table in schedule.tables(leg)
    ]


def told_numbers(tables: list[TableSpec]) -> list[list[int]]:
    """Returns each series of numbers that bots are told, in the order of the schedule."""
    return [
        [int(table.table_id, 16) for table in tables],
        *([table.bot_seeds[seat] for table in tables] for seat in SPEC.rules.seats),
    ]


def telling(tables: list[TableSpec]) -> list[str]:
    """Returns what is wrong with the numbers of a match's tables; nothing if they look drawn."""
    wrong = []
    for numbers in told_numbers(tables):
        if len(set(numbers)) < len(numbers):
            wrong.append("the same number at two tables")
        rises = sum(one < other for one, other in pairwise(numbers))
        if not 0.25 < rises / (len(numbers) - 1) < 0.75:
            wrong.append("the numbers follow the schedule")
        by_board: dict[int, list[int]] = {}
        for table, number in zip(tables, numbers, strict=True):
            by_board.setdefault(table.board, []).append(number)
        alike = [
            (one ^ other).bit_count() for same in by_board.values() for one, other in pairwise(same)
        ]
        if not 0.4 < sum(alike) / len(alike) / BITS < 0.6 or min(alike) < BITS // 8:
            wrong.append("tables of one board have numbers alike")
    return wrong


def test_ids_and_seeds_look_drawn() -> None:
    """They do not count, do not follow the schedule, and are as unlike within a board as beyond."""
    assert [] == telling(all_tables("one"))
    assert [] == telling(all_tables("another"))


def test_ids_and_seeds_follow_from_the_secret() -> None:
    """Another match has others for the same tables."""
    one, another = told_numbers(all_tables("one")), told_numbers(all_tables("another"))

    assert all(set(these).isdisjoint(those) for these, those in zip(one, another, strict=True))


PLANTED: list[Callable[[TableSpec], TableSpec]] = [
    lambda table: replace(table, table_id=f"{table.number:016x}"),
    lambda table: replace(table, table_id=f"{table.board:04x}{table.table_id[4:]}"),
    lambda table: replace(table, table_id=f"{table.seating:016x}"),
    lambda table: replace(table, table_id=f"{table.board:015x}{table.seating:x}"),
    lambda table: replace(table, bot_seeds=(table.number, *table.bot_seeds[1:])),
    lambda table: replace(table, bot_seeds=(table.board << 40, *table.bot_seeds[1:])),
]


@pytest.mark.parametrize("plant", PLANTED)
def test_planted_names_are_noticed(plant: Callable[[TableSpec], TableSpec]) -> None:
    """Ids and seeds that count boards, seatings or tables do not pass."""
    assert [] != telling([plant(table) for table in all_tables("one")])


# --- nothing else tells it either -----------------------------------------------------------------


async def played(spec: TableSpec) -> tuple[list[bytes], list[dict[str, Any]]]:
    """Returns every frame to every bot of a table, and what was logged."""
    drawn = count()
    deck = list(spec.rules.deck_cards)
    Random(7).shuffle(deck)
    frames: list[bytes] = []
    with (
        patch("secrets.token_hex", lambda _: f"hex{next(drawn)}"),
        patch("secrets.token_urlsafe", lambda _: f"token{next(drawn)}"),
        patch.object(dealing, "shuffle", lambda *_, **__: tuple(deck)),
    ):
        arena = FakeArena()
        bots = arena.bots(spec)
        arena.server.open_table(spec)
        for turn in range(400):
            bot = bots[turn % len(bots)]
            new = []
            while (frame := bot.conversation.take()) is not None:
                new.append(frame)
            frames += new
            for message in arena_messages(new):
                if message.HasField("decision") and turn % 7:
                    bot.say(answer_to(message.decision))
            arena.clock.advance(40)
    return frames, [dict(line) for line in arena.logs.entries]


async def test_the_same_deal_is_told_alike_wherever_it_stands_in_the_schedule() -> None:
    """Board, seating, number and mode of counting are in no message: all bytes are the same."""
    clock = ClockSpec(budget_ms=200, bank_ms=0, first_ms=200)
    here = table_spec("three-handed", table_id="t" * 16, number=1, board=1, clock=clock)
    there = replace(here, number=77, board=23, seating=3)

    frames, logs = await played(here)
    other_frames, other_logs = await played(there)

    kinds = Counter(message.WhichOneof("message") for message in arena_messages(frames))
    assert {"table_opened", "decision", "hand_ended", "table_closed"} <= kinds.keys()
    assert kinds["timed_out"]
    assert frames == other_frames
    # The operator's log has the number of a table, where it opens.
    assert [line | {"number": 0} for line in logs] == [line | {"number": 0} for line in other_logs]
