"""Short ways to write cards, deals and hands in engine tests.

Owns only notation: whatever is played here is played by the engine itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_engine import (
    Card,
    Seat,
    apply,
    in_order,
    legal_actions,
    legal_texts,
    make_ruleset,
    parse_action,
    start_hand,
)
from euchre_engine.opening import deal_map

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from euchre_engine import Ruleset, State

__all__ = ["cards", "dealt", "deck_for", "in_hand", "legal", "play", "play_anything", "started"]


def cards(text: str) -> tuple[Card, ...]:
    """Returns the cards of a text such as `AC KC`, in the order written."""
    return tuple(Card[name] for name in text.split())


def deck_for(
    rules: Ruleset,
    dealer: int,
    hands: Mapping[int, str],
    *,
    up: str = "",
    dummy: str = "",
    buried: str = "",
) -> tuple[Card, ...]:
    """Returns a deck that deals the hands written; the other cards go anywhere in card order."""
    where = deal_map(rules, Seat(dealer))
    upcard = sum(map(len, where.hands)) + len(where.dummy)
    after_upcard = range(upcard + 1, len(rules.deck_cards))
    wanted: dict[int, Card] = {}
    for places, text in (
        *((where.hands[seat], text) for seat, text in hands.items()),
        ((upcard,), up),
        (where.dummy, dummy),
        (after_upcard, buried),
    ):
        wanted.update(zip(places, cards(text), strict=False))
    assert len(set(wanted.values())) == len(wanted), "a card is written twice"
    rest = iter([card for card in rules.deck_cards if card not in wanted.values()])
    return tuple(
        wanted[place] if place in wanted else next(rest) for place in range(len(rules.deck_cards))
    )


def dealt(
    preset: str,
    hands: Mapping[int, str],
    *,
    dealer: int,
    up: str = "",
    dummy: str = "",
    buried: str = "",
    scores: Sequence[int] | None = None,
    redeals: int = 0,
    hand_number: int = 1,
    **options: object,
) -> State:
    """Returns the state after dealing the hands written, under a preset with options."""
    rules = make_ruleset(preset, options)
    return start_hand(
        rules,
        dealer=Seat(dealer),
        deck=deck_for(rules, dealer, hands, up=up, dummy=dummy, buried=buried),
        scores=scores,
        redeals=redeals,
        hand_number=hand_number,
    )


def started(preset: str, deck: str, *, dealer: int, **options: object) -> State:
    """Returns the state after dealing a deck written out whole."""
    return start_hand(make_ruleset(preset, options), dealer=Seat(dealer), deck=cards(deck))


def play(state: State, *texts: str) -> State:
    """Returns the state after the actions of the texts; one text may hold several, comma apart."""
    for text in texts:
        for action in text.split(","):
            state = apply(state, parse_action(action.strip()))
    return state


def play_anything(state: State) -> State:
    """Returns the state at the end of the hand, the first legal action taken throughout."""
    while options := legal_actions(state):
        state = apply(state, options[0])
    return state


def legal(state: State) -> list[str]:
    """Returns the texts of the legal set."""
    return legal_texts(legal_actions(state))


def in_hand(text: str) -> tuple[Card, ...]:
    """Returns the cards of a text in the order in which a hand lists them."""
    return in_order(cards(text))
