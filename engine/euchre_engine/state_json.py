"""Owns where a hand stands as a JSON object: the answer of `euchre-arena hand --json`.

DESIGN.md section 8 names the keys. Views come through `view_for` alone, so that nothing is written
for a seat that it may not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from euchre_engine.hand import legal_actions
from euchre_engine.legal import legal_texts
from euchre_engine.scoring import outcome
from euchre_engine.state import UpcardStatus
from euchre_engine.views import PUBLIC, view_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from euchre_engine.cards import Card, Suit
    from euchre_engine.state import State, Trick
    from euchre_engine.views import View

__all__ = ["state_to_json", "trick_to_json", "view_to_json"]


def state_to_json(state: State) -> dict[str, Any]:
    """Returns where a hand stands, with what each seat and the onlookers may know of it."""
    result = outcome(state)
    return {
        "phase": state.phase.value,
        "to_act": state.to_act,
        "legal": legal_texts(legal_actions(state)),
        "trump": _suit(state.trump),
        "maker": state.maker,
        "alone": list(state.alone),
        "sitting_out": list(state.sitting_out),
        "tricks": [trick_to_json(trick) for trick in state.tricks],
        "points": None if result is None else list(result.points),
        "scores": list(state.scores if result is None else result.scores),
        "game_over": result is not None and result.game_over,
        "winners": [] if result is None else list(result.winners),
        "next_dealer": None if result is None else result.next_dealer,
        "views": [view_to_json(view_for(state, seat)) for seat in state.rules.seats],
        "public": view_to_json(view_for(state, PUBLIC)),
    }


def view_to_json(view: View) -> dict[str, Any]:
    """Returns a view, with cards, suits and actions as texts."""
    status = view.upcard_status
    return {
        "seat": view.seat,
        "phase": view.phase.value,
        "to_act": view.to_act,
        "dealer": view.dealer,
        "hand_number": view.hand_number,
        "redeals": view.redeals,
        "hand": _texts(view.hand),
        "card_counts": list(view.card_counts),
        "upcard": None if view.upcard is None else view.upcard.text,
        "upcard_status": None if status is UpcardStatus.NONE else status.name.lower(),
        "dummy": _texts(view.dummy),
        "discarded": _texts(view.discarded),
        "history": [{"seat": item.seat, "text": str(item)} for item in view.history],
        "tricks": [trick_to_json(trick) for trick in view.tricks],
        "trick": None if view.trick is None else trick_to_json(view.trick),
        "trump": _suit(view.trump),
        "maker": view.maker,
        "alone": list(view.alone),
        "sitting_out": list(view.sitting_out),
        "tricks_won": list(view.tricks_won),
        "scores": list(view.scores),
        "points": None if view.points is None else list(view.points),
    }


def trick_to_json(trick: Trick) -> dict[str, Any]:
    """Returns a trick; one in progress has no winner yet."""
    return {
        "leader": trick.leader,
        "cards": _texts(trick.cards),
        "winner": trick.winner,
    }


def _texts(cards: Iterable[Card]) -> list[str]:
    return [card.text for card in cards]


def _suit(suit: Suit | None) -> str | None:
    return None if suit is None else suit.name
