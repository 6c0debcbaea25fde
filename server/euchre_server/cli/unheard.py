"""Owns an output that may fail without harm: nobody reads it any more, or its disk is full.

What a program tells on the way must not end what it does: an arena plays on when whoever read its
log has gone. Nor must what it ends with depend on who has read its result. Must not know what is
told.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["reader_may_leave", "unheard"]


def unheard(stream: TextIO | None) -> TextIO:
    """Returns a stream that writes to this one, and loses what that does not take.

    Args:
        stream: None where the process was started without it.
    """
    return cast("TextIO", _Unheard(stream or Path(os.devnull).open("w", encoding="utf-8")))


@contextlib.contextmanager
def reader_may_leave() -> Iterator[None]:
    """Lets a command go on that prints a verdict which is its exit status, too.

    Whoever read its output may have gone, as `head` does: what is printed then is lost. That a disk
    takes no more stays an error.
    """
    with contextlib.redirect_stdout(cast("TextIO", _Unheard(sys.stdout, only_gone=True))):
        yield


class _Unheard:
    def __init__(self, stream: TextIO, *, only_gone: bool = False) -> None:
        self._stream = stream
        self._only_gone = only_gone

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
        except OSError:  # its disk may have room again later
            if self._only_gone:
                raise
