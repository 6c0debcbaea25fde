"""Owns the name by which the reader can call this program again.

A command that we print must work when it is pasted: without an activated environment,
``euchre-arena`` alone would not be found.
"""

import shlex
import shutil
import sys
from pathlib import Path

__all__ = ["invoked"]

_PROGRAM = "euchre-arena"


def invoked(*arguments: str) -> str:
    """Returns a command line of this program that works in the reader's shell."""
    return shlex.join((_program(), *arguments))


def _program() -> str:
    called = sys.argv[0]
    if Path(called).name != _PROGRAM:
        return _PROGRAM
    found = shutil.which(_PROGRAM)
    if found and Path(found).resolve() == Path(called).resolve():
        return _PROGRAM
    return called
