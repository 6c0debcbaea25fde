"""Owns when written bytes reach the disk: fsync in a thread of its own, one call for many requests.

Must not know what the bytes mean.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future
from typing import Final

__all__ = ["PACE_S", "Syncer"]

PACE_S: Final = 0.05
"""How long at most a sync that nobody waits for is put off, so that one serves many hands."""


class Syncer:
    """Syncs one open file on request, never in the caller's thread."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._wanted = threading.Condition()
        self._waiting: list[Future[None]] = []
        self._due = False
        self._resting = False
        self._closing = False
        self.error: OSError | None = None
        """Why a sync failed. The file can't be trusted after that: it is never tried again."""
        self._thread = threading.Thread(target=self._run, name="record-sync", daemon=True)
        self._thread.start()

    def request(self) -> Future[None]:
        """Returns what is done when all that is written by now is on the disk."""
        future: Future[None] = Future()
        with self._wanted:
            self._waiting.append(future)
            self._wanted.notify()
        return future

    def request_soon(self) -> None:
        """Has all that is written by now on the disk within `PACE_S` and the time of a sync."""
        if self._due:
            return
        with self._wanted:
            self._due = True
            if not self._resting:
                self._wanted.notify()

    def close(self) -> None:
        """Waits for the requests made so far and ends the thread; the file stays open."""
        with self._wanted:
            self._closing = True
            self._wanted.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._wanted:
                self._wanted.wait_for(lambda: self._due or self._waiting or self._closing)
                waiting, self._waiting = self._waiting, []
                due, self._due = self._due, False
            if not (waiting or due):
                return
            # Whoever waited may have gone meanwhile; from here on nobody can call it off.
            waiting = [future for future in waiting if future.set_running_or_notify_cancel()]
            if self.error is None:
                try:
                    os.fsync(self._descriptor)
                except OSError as error:
                    self.error = error
            for future in waiting:
                if self.error is None:
                    future.set_result(None)
                else:
                    future.set_exception(self.error)
            with self._wanted:
                self._resting = True
                self._wanted.wait_for(lambda: self._waiting or self._closing, PACE_S)
                self._resting = False
