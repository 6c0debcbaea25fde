"""Counts lines with the naive second engine, so that perft files rest on more than one engine."""

from __future__ import annotations

import marshal
from typing import Any

from naive_games import act, legal_texts, start
from naive_legal import every_keep

__all__ = ["naive_count", "naive_table"]


def naive_table(hand: dict[str, Any]) -> dict[str, Any]:
    """Returns the naive engine's table after the actions of a hand object with plain texts."""
    table = start(
        hand["rules"],
        dealer=hand["dealer"],
        deck=hand["deck"],
        scores=hand["scores"],
        redeals=hand["redeals"],
        number=hand["hand"],
    )
    for text in hand["actions"]:
        act(table, text)
    return table


def naive_count(table: dict[str, Any], depth: int) -> int:
    """Returns the number of lines of so many actions, shorter ones that end the hand included."""
    texts = legal_texts(table) if depth else []
    if texts and texts[0].startswith("keep"):
        texts = every_keep(table)
    if not texts:
        return 1
    if depth == 1:
        return len(texts)
    return sum(naive_count(_after(table, text), depth - 1) for text in texts)


def _after(table: dict[str, Any], text: str) -> dict[str, Any]:
    """Returns a copy of the table after one action."""
    rules = table["rules"]
    copy: dict[str, Any] = marshal.loads(marshal.dumps({**table, "rules": None}))  # noqa: S302
    copy["rules"] = rules
    act(copy, text)
    return copy
