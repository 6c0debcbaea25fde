"""How many tables a leg keeps open: as many as it may, a few at a time, fewer when there is lag."""

import asyncio
from itertools import pairwise

from match_arena import FakeArena
from tables import table_spec

from euchre_server.hosting.leg import LegPlay
from euchre_server.hosting.room import OpenRoom


def leg(arena: FakeArena, count: int, *, at_once: int) -> LegPlay:
    """Returns a leg of so many tables."""
    return LegPlay(
        iter([table_spec(table_id=f"t{n}", number=n, board=n) for n in range(1, count + 1)]),
        at_once=at_once,
        room=OpenRoom(),
        is_lagging=lambda: arena.is_lagging,
        open_table=arena.open_table,
        on_result=lambda _: None,
    )


async def test_many_tables_are_opened_a_few_at_a_time() -> None:
    """Opening a thousand tables must not be what keeps the arena from those that are open."""
    arena = FakeArena(play=lambda _: None)
    play = asyncio.create_task(leg(arena, 100, at_once=100).play())

    opened = []
    while len(arena.opened) < 100:
        await asyncio.sleep(0)
        opened.append(len(arena.opened))
    arena.stop_tables()
    await play

    assert 4 == opened[0]
    assert all(after - before <= 4 for before, after in pairwise(opened))


async def test_no_table_is_opened_beside_others_while_the_arena_lags() -> None:
    """C-12: one at a time goes on being played, so that a slow machine ends its match, too."""
    arena = FakeArena(is_lagging=True)
    await leg(arena, 10, at_once=5).play()

    assert (10, 1) == (len(arena.opened), arena.most_open)


async def test_tables_are_opened_again_when_the_lag_is_over() -> None:
    """Also when no table ends meanwhile, as in games that take long."""
    all_open = asyncio.Event()
    arena = FakeArena(play=lambda _: None, is_lagging=True)
    arena.on_open = lambda spec: all_open.set() if spec.number == 5 else None
    play = asyncio.create_task(leg(arena, 5, at_once=5).play())
    await asyncio.sleep(0)
    before = len(arena.opened)

    arena.is_lagging = False
    await all_open.wait()
    arena.stop_tables()
    await play

    assert 1 == before
