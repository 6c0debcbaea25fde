"""Waiting for a match in another process, which cannot set an event of ours."""

import time
from pathlib import Path

_PATIENCE_S = 60


def wait_until_grown(data: Path, size: int) -> None:
    """Returns when a record in the folder holds more than so many bytes."""
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        if any(path.stat().st_size > size for path in data.glob("*.euchre")):
            return
        time.sleep(0.05)
    raise AssertionError("nothing was played")
