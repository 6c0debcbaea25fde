"""Connects bots to a Euchre arena."""
