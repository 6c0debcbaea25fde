"""What a planted fault is: a place in one file of the engine, and what stands there instead."""

from typing import NamedTuple

__all__ = ["Mutant"]


class Mutant(NamedTuple):
    """One planted fault."""

    fault: str
    file: str
    old: str
    new: str
