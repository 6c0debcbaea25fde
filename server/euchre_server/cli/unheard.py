"""Owns an output that may fail without harm: nobody reads it any more, or its disk is full.

What a program tells on the way must not end what it does: an arena plays on when whoever read its
log has gone. Must not know what is told.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["unheard"]


def unheard(stream: TextIO | None) -> TextIO:
    """Returns a stream that writes to this one, and loses what that does not take.

    Args:
        stream: None where the process was started without it.
    """
    return cast("TextIO", _Unheard(stream or Path(os.devnull).open("w", encoding="utf-8")))


class _Unheard:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the stream has
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        self._try(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        self._try(self._stream.flush)

    def _try(self, doing: Callable[[], object]) -> None:
        try:
            doing()
        except BrokenPipeError:  # for good; else what is still to be written would fail at exit
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
        except OSError:
            pass  # its disk may have room again later
