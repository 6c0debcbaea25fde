"""Planted faults: the engine's text with one rule broken each.

Owns the list of faults that the tests must notice (``test_engine_mutants``). The place of a fault
must occur exactly once in its file, so that it cannot silently stop being a fault when the engine
is rewritten.
"""

from planted_fault import Mutant
from planted_in_bids import PLANTED_IN_BIDS
from planted_in_family import PLANTED_IN_FAMILY
from planted_in_play import PLANTED_IN_PLAY

__all__ = ["MUTANTS", "PLANTED_IN_FAMILY", "Mutant"]

MUTANTS = [*PLANTED_IN_PLAY, *PLANTED_IN_BIDS, *PLANTED_IN_FAMILY]
