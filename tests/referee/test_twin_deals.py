"""Twin deals: what a seat cannot see does not change one message to it (LESSONS.md, C-41, G5)."""

import random
from collections import Counter
from unittest.mock import patch

from tables import Referee, table_spec

from euchre_engine import Action, Card, Seat, is_legal
from euchre_engine.actions import flat, unflatten
from euchre_server.referee import turn
from euchre_server.referee.outputs import Ask, HandOver, Message

PAIRS = 600


def twin_decks(rules: str, seed: int) -> tuple[Seat, tuple[Card, ...], dict[Card, Card]]:
    """Returns an observer, a deck, and two cards to swap that the observer cannot see."""
    chooser = random.Random(seed)
    spec = table_spec(rules)
    observer = chooser.choice(spec.rules.seats)
    deck = list(spec.rules.deck_cards)
    chooser.shuffle(deck)
    table = Referee.at(spec, deck)
    hand = table.state.hand
    assert hand is not None
    seen = {*hand.hand(observer), hand.upcard}
    unseen = [card for card in deck if card not in seen]
    one = chooser.choice(list(hand.dummy) or unseen) if seed % 3 else chooser.choice(unseen)
    other = chooser.choice([card for card in unseen if card != one])
    return observer, tuple(deck), {one: other, other: one}


def play_twins(rules: str, seed: int, seen: Counter[str]) -> None:
    """Plays two deals alike but for two cards hidden from one seat, with the same public history.

    Asserts that this seat is told the same, until an action of another seat is possible in one of
    them only, or until the seat may see one of the two cards: from then on they differ in public.
    """
    observer, deck, swap = twin_decks(rules, seed)
    twin_deck = tuple(swap.get(card, card) for card in deck)
    with patch.object(turn, "deck_of", lambda *_: deck):
        table = Referee(table_spec(rules))
        table.open()
    with patch.object(turn, "deck_of", lambda *_: twin_deck):
        twin = Referee(table_spec(rules))
        twin.open()
    chooser = random.Random(seed)
    at = 0
    while table.state.ending is None:
        told, told_twin = table.told(observer), twin.told(observer)
        if any(_shows(message, swap) for message in told):
            seen["stopped: dummy seen"] += 1
            told, told_twin = _until_shown(told, swap), _until_shown(told_twin, swap)
        assert told == told_twin
        if len(told) < len(table.told(observer)):
            return
        seat, ask = table.ask
        seen[f"compared in {ask.view.phase}"] += 1
        action = ask.legal[chooser.randrange(len(ask.legal))]
        twin_action = action if seat == observer else _in_twin(action, swap)
        assert twin.state.hand is not None
        if not is_legal(twin.state.hand, twin_action):
            seen["stopped: public"] += 1
            return
        for each, answer in ((table, action), (twin, twin_action)):
            each.write(at)
            each.answer(at + 1, answer)
        at += 2
    assert table.told(observer) == twin.told(observer)
    seen["compared to the end"] += 1


def _in_twin(action: Action, swap: dict[Card, Card]) -> Action:
    """Returns what looks the same in public: the same action, or other cards put away."""
    row = flat(action)
    if row.kind.word not in {"discard", "keep"}:
        return action
    cards = [swap.get(card, card) for card in row.cards]
    return unflatten(row.kind, cards=cards)


def _shows(message: Message, swap: dict[Card, Card]) -> bool:
    view = message.view if isinstance(message, Ask | HandOver) else None
    return view is not None and not set(swap).isdisjoint(view.dummy)


def _until_shown(messages: list[Message], swap: dict[Card, Card]) -> list[Message]:
    for number, message in enumerate(messages):
        if _shows(message, swap):
            return messages[:number]
    return messages


def test_what_a_seat_cannot_see_changes_nothing_that_it_is_told() -> None:
    """Two deals alike to a seat give it equal messages, through every phase and to the end."""
    seen: Counter[str] = Counter()
    for seed in range(PAIRS):
        play_twins(("two-handed", "three-handed")[seed % 2], seed, seen)

    phases = (
        "BID1",
        "BID2",
        "PICKUP",
        "DISCARD",
        "ALONE_MAKER",
        "ALONE_DEFENDER",
        "EXCHANGE",
        "PLAY",
    )
    assert [] == [phase for phase in phases if seen[f"compared in {phase}"] < 20]
    assert seen["compared in PLAY"] > 1000
    assert min(seen["compared to the end"], seen["stopped: public"]) > 20
    assert seen["stopped: dummy seen"] > 2
