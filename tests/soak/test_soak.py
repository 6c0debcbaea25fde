"""Streams that come, go and break: the arena's process keeps nothing of them (C-25, C-26)."""

import os

import pytest
from soak import Findings, soak

HANDS = int(os.environ.get("SOAK_HANDS", "100000"))
MOST_GROWN = 20 * (1 << 20)


def assert_nothing_is_left(found: Findings) -> None:
    """Compares what the process holds with what it held before anybody came."""
    assert (0, 0, 0, 0) == tuple(
        found.after[what] for what in ("tables", "streams", "sessions", "processes")
    )
    assert 0 == found.after["crashes"]
    assert found.before["tasks"] == found.after["tasks"]
    assert found.before["descriptors"] == found.after["descriptors"]
    assert 1 == found.left["tasks"]
    assert found.left["descriptors"] < found.before["descriptors"]


async def test_streams_come_and_go_and_leave_nothing() -> None:
    """A few legs, some of their streams cut by either side: no task, file or session is left."""
    found = await soak(400, seed=3)

    assert found.cut > 0
    assert {"PLAYED"} == set(found.after["causes"])
    assert_nothing_is_left(found)


@pytest.mark.long
async def test_a_hundred_thousand_hands_do_not_make_the_arena_grow() -> None:
    """After a tenth of them the process has the size that it keeps, within 20 MB."""
    found = await soak(HANDS)

    assert found.streams > HANDS // 50
    assert found.cut > found.streams // 20
    assert_nothing_is_left(found)
    assert found.grown < MOST_GROWN
