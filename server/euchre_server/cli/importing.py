"""Keeps Ctrl-C from showing a traceback while the command is imported: its first tenth of a second.

Has to be imported before whatever takes long; `done` ends it. The process ends like any that is
interrupted, which is 130 for a shell. From its first command on, `interrupts` sees to it.
The client has its own, `euchre_arena._importing`: whoever imports that imports the whole library,
which is what takes long.
"""

import sys
from types import TracebackType

__all__ = ["done"]

_usual = sys.excepthook


def done() -> None:
    """Ends it: from here on an interrupt shows whatever it usually does."""
    if sys.excepthook is _tell:
        sys.excepthook = _usual


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.stderr.write("euchre-arena: interrupted\n")
    else:
        _usual(kind, error, trace)


sys.excepthook = _tell
