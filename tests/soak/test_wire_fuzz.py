"""Garbage on the wire: vandals with tokens do their worst, and a match beside them is unchanged."""

import os

import pytest
from wire_fuzz import Hashes, Outcome, fuzzed, undisturbed

SECONDS = float(os.environ.get("FUZZ_SECONDS", "300"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))


def assert_unharmed(outcome: Outcome, hashes: Hashes) -> None:
    """Compares what was played with what is played in peace, and looks for anything left over."""
    assert all(played == hashes for played in outcome.hashes)
    assert "Traceback" not in outcome.log
    assert "crashed" not in outcome.log
    assert "reader failed" not in outcome.log
    assert "" == outcome.errors
    assert (0, 0, 0, 0) == tuple(
        outcome.after[what] for what in ("tables", "streams", "sessions", "crashes")
    )
    assert outcome.before["tasks"] == outcome.after["tasks"]
    assert 1 == outcome.left["tasks"]
    assert outcome.left["descriptors"] < outcome.before["descriptors"]


async def test_garbage_changes_nothing_at_other_tables() -> None:
    """Random bytes, mutated and misplaced messages, junk on the port, for a few seconds."""
    hashes = await undisturbed(boards=8)

    outcome = await fuzzed(1.5, seed=7, boards=8)

    assert 2 * 8 == len(hashes)
    assert {"random bytes", "mutated", "valid", "socket", "stream", "call"} <= set(outcome.done)
    assert_unharmed(outcome, hashes)


@pytest.mark.long
async def test_minutes_of_garbage_change_nothing_at_other_tables() -> None:
    """The same for five minutes."""
    hashes = await undisturbed()

    outcome = await fuzzed(SECONDS, seed=SEED)

    assert outcome.done.total() > 100 * SECONDS
    assert_unharmed(outcome, hashes)
    assert outcome.after["rss"] - outcome.before["rss"] < 50 * (1 << 20)
