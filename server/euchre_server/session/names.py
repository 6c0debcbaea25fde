"""Owns under what the arena knows a bot, and what the bot itself is called.

Bots of two matches may bear one name: those that were started for a match are known by both. A
match's id has no colon, nor has a name.
"""

__all__ = ["key_of", "name_of"]


def key_of(match_id: str, name: str) -> str:
    """Returns under what the arena knows a bot that was started for a match."""
    return f"{match_id}:{name}"


def name_of(key: str) -> str:
    """Returns what a bot is called that is known so."""
    return key.rpartition(":")[2]
