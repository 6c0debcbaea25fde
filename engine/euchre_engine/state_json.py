"""Owns where a hand stands as a JSON object: the answer of `euchre-arena hand --json`.

DESIGN.md section 8 names the keys. Views come through `view_for` alone, so that nothing is written
for a seat that it may not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from euchre_engine.hand import legal_actions
from euchre_engine.legal import legal_texts
from euchre_engine.scoring import outcome
from euchre_engine.views import PUBLIC, view_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from euchre_engine.cards import Card, Suit
    from euchre_engine.scoring import Outcome
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
        "contract": state.bid,
        "alone": list(state.alone),
        "sitting_out": list(state.sitting_out),
        "tricks": [trick_to_json(trick) for trick in state.tricks],
        "points": None if result is None else list(result.points),
        "scores": list(state.scores if result is None else result.scores),
        "game_over": result is not None and result.game_over,
        "winners": [] if result is None else list(result.winners),
        "next_dealer": None if result is None else result.next_dealer,
        **_between_games(state, result),
        "views": [view_to_json(view_for(state, seat)) for seat in state.rules.seats],
        "public": view_to_json(view_for(state, PUBLIC)),
    }


def _between_games(state: State, result: Outcome | None) -> dict[str, Any]:
    """Returns what a game means for the next one, in the game that has such options."""
    if "laps" not in state.rules.options:
        return {}
    nothing = [0] * state.rules.seat_count
    return {
        "carry": nothing if result is None else list(result.carry),
        "game_worth": 0 if result is None else result.game_worth,
    }


def view_to_json(view: View) -> dict[str, Any]:
    """Returns a view, with cards, suits and actions as texts."""
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
        "upcard_status": view.upcard_status.name.lower(),
        "dummy": _texts(view.dummy),
        "discarded": _texts(view.discarded),
        "contract": view.contract,
        "widow": _texts(view.widow),
        "best_card": None if view.best_card is None else view.best_card.text,
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
