"""States and views as JSON objects: what `euchre-arena hand --json` prints (DESIGN.md section 8).

Owns the names of the keys. A seat's object is made from its `View`, and from nothing else.
Must not know files or lines of text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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

__all__ = ["Json", "state_to_json", "view_to_json"]

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


def state_to_json(state: State) -> dict[str, Json]:
    """Returns where a hand stands, with the view of every seat and of the onlookers."""
    result = outcome(state)
    return {
        "phase": str(state.phase),
        "to_act": state.to_act,
        "legal": list(legal_texts(legal_actions(state))),
        "trump": _suit(state.trump),
        "maker": state.maker,
        "alone": list(state.alone),
        "sitting_out": list(state.sitting_out),
        "tricks": [_trick(trick) for trick in state.tricks],
        "points": list(result.points) if result else None,
        "scores": list(result.scores if result else state.scores),
        "game_over": result.game_over if result else False,
        "winners": list(result.winners) if result else [],
        "next_dealer": result.next_dealer if result else None,
        "views": [view_to_json(view_for(state, seat)) for seat in state.rules.seats],
        "public": view_to_json(view_for(state, PUBLIC)),
    }


def view_to_json(view: View) -> dict[str, Json]:
    """Returns a view as an object."""
    return {
        "seat": view.seat,
        "phase": str(view.phase),
        "to_act": view.to_act,
        "dealer": view.dealer,
        "hand_number": view.hand_number,
        "redeals": view.redeals,
        "hand": _cards(view.hand),
        "card_counts": list(view.card_counts),
        "upcard": str(view.upcard) if view.upcard else None,
        "upcard_status": _status(view.upcard_status),
        "dummy": _cards(view.dummy),
        "discarded": _cards(view.discarded),
        "history": [{"seat": item.seat, "text": str(item)} for item in view.history],
        "tricks": [_trick(trick) for trick in view.tricks],
        "trick": _trick(view.trick) if view.trick else None,
        "tricks_won": list(view.tricks_won),
        "trump": _suit(view.trump),
        "maker": view.maker,
        "alone": list(view.alone),
        "sitting_out": list(view.sitting_out),
        "scores": list(view.scores),
        "points": list(view.points) if view.points else None,
    }


def _cards(cards: Iterable[Card]) -> list[Json]:
    return [str(card) for card in cards]


def _suit(suit: Suit | None) -> str | None:
    return suit.name if suit else None


def _status(status: UpcardStatus) -> str | None:
    return status.name.lower() if status is not UpcardStatus.NONE else None


def _trick(trick: Trick) -> dict[str, Json]:
    return {"leader": trick.leader, "cards": _cards(trick.cards), "winner": trick.winner}
