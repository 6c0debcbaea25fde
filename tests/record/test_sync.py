"""Syncing in a thread of its own outlives whoever asked for it."""

import os
from pathlib import Path

from euchre_server.record.sync import Syncer

WITHIN_S = 10


def test_a_request_that_is_called_off_stops_nothing(tmp_path: Path) -> None:
    """A stream that breaks while it waits for the disk calls its future off; others are served."""
    descriptor = os.open(tmp_path / "file", os.O_WRONLY | os.O_CREAT)
    syncer = Syncer(descriptor)
    for _ in range(50):  # some are called off before the thread looks at them
        syncer.request().cancel()

    syncer.request().result(WITHIN_S)

    syncer.close()
    os.close(descriptor)
    assert syncer.error is None
