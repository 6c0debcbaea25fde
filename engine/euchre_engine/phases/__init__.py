"""The phases of a hand: what each asks, of whom, and what follows."""

from euchre_engine.phases.flow import flow_of

__all__ = ["flow_of"]
