"""Owns a recorded hand as one JSON object: whole, as DESIGN.md section 8 names it, or as seen.

A whole one is for whoever may read the record. Must not know files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_engine.notation import HandRecord, PlayedBy, WrittenAction, hand_to_json
from euchre_engine.relabel import Relabelling
from euchre_server.record.redact import time_of
from euchre_server.referee.facts import Actor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from euchre_engine import Card, Trick
    from euchre_server.record.redact import SeenHand
    from euchre_server.record.tables import HandPlay, TablePlay

__all__ = ["export_lines", "hand_object", "seen_object"]

_PLAYED_BY = {Actor.BOT: PlayedBy.BOT, Actor.CLOCK: PlayedBy.CLOCK}


def export_lines(tables: Iterable[TablePlay]) -> Iterator[dict[str, object]]:
    """Yields one object for every hand, in schedule order.

    Raises:
        RecordError: As the tables do, or a hand cannot be played again.
    """
    for table in tables:
        for hand in table.hands:
            yield hand_object(table, hand)


def hand_object(table: TablePlay, hand: HandPlay) -> dict[str, object]:
    """Returns a hand with everything that the record knows of it.

    Raises:
        RecordError: The engine cannot play the hand again.
    """
    started, ended = hand.started, hand.ended
    written = HandRecord(
        rules=table.opened.rules,
        dealer=started.dealer,
        deck=started.deck,
        scores=started.scores,
        redeals=started.redeals,
        hand_number=started.hand_number,
        actions=tuple(
            WrittenAction(
                str(act.action), seat=act.seat, by=_PLAYED_BY[act.actor], ms=act.charged_ms
            )
            for act in hand.acts
        ),
    )
    played = hand_to_json(written)
    for action, act, at_ms in zip(played["actions"], hand.acts, hand.acted_ms, strict=True):
        action["time"] = time_of(act, at_ms)._asdict()
    return {
        **_place(table),
        **played,
        "relabel": str(Relabelling(table.opened.relabelling)),
        **_company(table),
        "tricks": [_trick(trick) for trick in hand.states(table)[-1].tricks],
        "points": list(ended.points) if ended else None,
        "scores_after": list(ended.scores if ended else started.scores),
    }


def seen_object(hand: SeenHand) -> dict[str, object]:
    """Returns a hand as an audience knows it, with null for what it does not."""
    return {
        **_place(hand.table),
        "hand": hand.hand_number,
        "seen_by": hand.audience if isinstance(hand.audience, int) else hand.audience.value,
        "rules": hand.rules.to_json(),
        **_company(hand.table),
        "dealer": hand.dealer,
        "scores": list(hand.scores),
        "redeals": hand.redeals,
        "dealt": [None if cards is None else _texts(cards) for cards in hand.dealt],
        "dummy": None if hand.dummy is None else _texts(hand.dummy),
        "widow": None if hand.widow is None else _texts(hand.widow),
        "buried": None if hand.buried is None else _texts(hand.buried),
        "upcard": hand.upcard.text if hand.upcard else None,
        "upcard_status": hand.upcard_status.name.lower() if hand.upcard_status else None,
        "actions": [
            {
                "seat": step.item.seat,
                "text": str(step.item),
                "by": None if step.by is None else _PLAYED_BY[step.by].value,
                "ms": step.ms,
                "time": None if step.time is None else step.time._asdict(),
                "note": step.note or None,
            }
            for step in hand.steps
        ],
        "faults": [
            {
                "after": fault.after,
                "seat": fault.seat,
                "kind": fault.kind.name.lower(),
                "text": fault.text or None,
            }
            for fault in hand.faults
        ],
        "trump": hand.trump.name if hand.trump else None,
        "maker": hand.maker,
        "contract": hand.contract,
        "alone": list(hand.alone),
        "sitting_out": list(hand.sitting_out),
        "tricks": [_trick(trick) for trick in hand.tricks],
        "points": None if hand.points is None else list(hand.points),
        "scores_after": list(hand.scores_after),
    }


def _place(table: TablePlay) -> dict[str, object]:
    return {
        "match": table.match_id,
        "board": table.board,
        "seating": table.opened.seating,
        "table": table.number,
        "game": table.game,
    }


def _company(table: TablePlay) -> dict[str, object]:
    """Returns who played, and how the table ended; null where it has not."""
    ending = table.ended
    return {
        "bots": list(table.opened.bots),
        "rated": ending.rated if ending else None,
        "cause": ending.cause.name.lower() if ending else None,
        "blame": ending.blame.name.lower() if ending else None,
        "blamed_seat": ending.blamed_seat if ending else None,
    }


def _texts(cards: Iterable[Card]) -> list[str]:
    return [card.text for card in cards]


def _trick(trick: Trick) -> dict[str, object]:
    return {
        "leader": trick.leader,
        "cards": _texts(trick.cards),
        "winner": trick.winner,
    }
