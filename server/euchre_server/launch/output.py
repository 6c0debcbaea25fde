"""Owns what a bot prints: kept in a file of bounded size, with its end at hand for messages.

The beginning and the end of a flood are kept, the middle is counted. Must not know processes.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["OutputLog"]

_HEAD_BYTES: Final = 512 * 1024
_TAIL_BYTES: Final = 64 * 1024
_CHUNK_BYTES: Final = 64 * 1024
_FLOOD_PAUSE_S: Final = 0.02
_SHOWN_LINES: Final = 8
_SHOWN_CHARS: Final = 1000


class OutputLog:
    """Reads a pipe to its end, in a thread of its own, so that a talkative bot costs no table."""

    def __init__(self, path: Path, pipe: int, *, hide: tuple[str, ...] = ()) -> None:
        """Starts reading.

        Args:
            path: The file; it is taken away again where nothing was printed.
            pipe: The reading end, closed here.
            hide: Secrets of which no copy is shown or kept.
        """
        self.path = path
        self._pipe = pipe
        self._hide = tuple(secret.encode() for secret in hide if secret)
        self._tail = b""
        self._seen = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._read, name=f"output {path.name}", daemon=True)
        self._thread.start()

    def tail(self) -> str:
        """Returns the last lines that were printed, without control characters."""
        with self._lock:
            text = self._tail.decode(errors="replace")
        lines = [_printable(line) for line in text.splitlines() if line.strip()]
        return "\n".join(lines[-_SHOWN_LINES:])[-_SHOWN_CHARS:]

    def finish(self, timeout_s: float) -> bool:
        """Waits for the pipe's end; returns whether it came in time."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _read(self) -> None:
        # A full disk costs the file, never the reading: a bot must not block on its own output.
        chunks = self._chunks()
        try:
            with self.path.open("wb") as file:
                self._keep(chunks, file.fileno())
        except OSError:
            self._keep(chunks, None)
        finally:
            os.close(self._pipe)
        if not self._seen:
            self.path.unlink(missing_ok=True)

    def _keep(self, chunks: Iterator[bytes], file: int | None) -> None:
        for chunk in chunks:
            with self._lock:
                self._tail = (self._tail + chunk)[-_TAIL_BYTES:]
                before, self._seen = self._seen, self._seen + len(chunk)
            if file is not None and before < _HEAD_BYTES:
                _write_all(file, chunk[: _HEAD_BYTES - before])
            if self._seen > _HEAD_BYTES:
                time.sleep(_FLOOD_PAUSE_S)
        if file is not None and self._seen > _HEAD_BYTES:
            end = self._tail[_HEAD_BYTES - self._seen :]
            left_out = self._seen - _HEAD_BYTES - len(end)
            gap = f"\n[{left_out} bytes left out]\n".encode() if left_out else b""
            _write_all(file, gap + end)

    def _chunks(self) -> Iterator[bytes]:
        """Yields what is printed, without secrets: what may be the beginning of one waits."""
        held = b""
        while chunk := os.read(self._pipe, _CHUNK_BYTES):
            text = held + chunk
            for secret in self._hide:
                text = text.replace(secret, b"[hidden]")
            ready = len(text) - max((_begun(text, secret) for secret in self._hide), default=0)
            text, held = text[:ready], text[ready:]
            if text:
                yield text
        if held:
            yield held


def _begun(text: bytes, secret: bytes) -> int:
    """Returns how many bytes at a text's end are the beginning of a secret."""
    return max((n for n in range(1, len(secret)) if text.endswith(secret[:n])), default=0)


def _write_all(file: int, content: bytes) -> None:
    while content:
        content = content[os.write(file, content) :]


def _printable(line: str) -> str:
    return "".join(char if char.isprintable() else " " for char in line).rstrip()
