"""Keeps Ctrl-C from showing a traceback while the library is imported: some tenths of a second.

Has to be imported before whatever takes long; `done` ends it. The process ends like any that is
interrupted, which is 130 for a shell. From the moment of its call on, `run` sees to it.
The command line has its own, `euchre_server.cli.importing`: it cannot take this one without
importing the library, which is what takes long.
"""

import sys
from types import TracebackType

__all__ = ["begin", "done"]

_usual = sys.excepthook


def begin() -> None:
    """Begins it again, for more that is imported."""
    sys.excepthook = _tell


def done() -> None:
    """Ends it: from here on an interrupt shows whatever it usually does."""
    if sys.excepthook is _tell:
        sys.excepthook = _usual


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.stderr.write("euchre-arena: interrupted\n")
    else:
        _usual(kind, error, trace)


begin()
