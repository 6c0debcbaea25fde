"""Promises about cards, actions, legal sets and trump as a bot meets them."""

import random
from itertools import combinations

import pytest

from euchre_arena import JOKER, Action, ActionKind, Card, Choose, Suit, trumps_for
from euchre_arena.actions import action_from_wire, write_action
from euchre_arena.cards import cards_from_numbers, in_order
from euchre_arena.legal import legal_from_wire
from euchre_arena.testing import legal_message
from euchre_arena.v1 import action_pb2, card_pb2, view_pb2
from euchre_arena.view import Phase, UpcardStatus

S = Suit


def cards(text: str) -> list[Card]:
    """Returns the cards of a text."""
    return [Card[one] for one in text.split()]


ALL_ACTIONS = [
    Action.pass_turn(),
    Action.order(),
    Action.take(),
    Action.decline(),
    Action.alone(),
    Action.with_dummy(),
    Action.together(),
    Action.bidding(3),
    Action.name_trump(None),
    Action.keep(cards("QC AC JK TD 9S")),
    Action.swap(cards("9C 9D 9H")),
    *map(Action.call, Suit),
    *map(Action.name_trump, Suit),
    *map(Action.play, Card),
    *map(Action.discard, Card),
    *map(Action.bury, Card),
    *map(Action.best, Card),
]


def test_numbers_are_the_protocols() -> None:
    """Cards, suits, kinds and phases have the numbers of the .proto files."""
    assert {f"CARD_{c.name}": c.value for c in Card} | {"CARD_UNSPECIFIED": 0} == dict(
        card_pb2.Card.items()
    )
    for ours, theirs, prefix in (
        (Suit, card_pb2.Suit, "SUIT"),
        (ActionKind, action_pb2.ActionKind, "ACTION_KIND"),
        (Phase, view_pb2.Phase, "PHASE"),
    ):
        assert dict(theirs.items()) == {f"{prefix}_UNSPECIFIED": 0} | {
            f"{prefix}_{member.name}": member.value for member in ours
        }
    assert [0, 1, 2, 3, 4] == [status.value for status in UpcardStatus]


@pytest.mark.parametrize("card", Card, ids=str)
def test_a_cards_text_names_it(card: Card) -> None:
    """Text, rank and suit of a card agree, and its number gives it back."""
    assert card is Card[card.text]
    assert card.text == (f"{card.rank}{card.suit}" if card.suit else "JK")
    assert (card,) == cards_from_numbers([card.value])


def test_sets_of_cards_are_written_joker_first_then_by_suit_from_high_to_low() -> None:
    """The order of a written set does not depend on how it was given."""
    expected = cards("JK AC TC KD 9H AS 9S")

    assert tuple(expected) == in_order(reversed(expected))


@pytest.mark.parametrize("action", ALL_ACTIONS, ids=str)
def test_actions_survive_text_and_wire(action: Action) -> None:
    """Every action comes back from its text and from its message."""
    message = action_pb2.Action()
    write_action(action, message)

    assert action == Action.parse(action.text)
    assert action == action_from_wire(message)


@pytest.mark.parametrize(
    "text", ["jump", "play", "play XX", "play JD QD", "call", "call X", "pass now", "bid", "bid x"]
)
def test_texts_that_are_no_actions_are_refused(text: str) -> None:
    """What is no action is a ValueError that quotes it."""
    with pytest.raises(ValueError, match=r"no action|invalid literal"):
        Action.parse(text)


def test_the_exchange_is_a_sequence_of_252_actions_made_on_demand() -> None:
    """A choice of cards can be counted, indexed, iterated, searched and drawn from."""
    pool = cards("AC KC QC TC 9C AD KD QD TD 9D")
    listed, choose = legal_message(["keep 5 of " + " ".join(map(str, pool))])
    legal = legal_from_wire(listed, choose)
    everything = list(legal)

    assert isinstance(legal, Choose)
    assert 252 == len(legal) == len(everything) == len(set(everything))
    assert everything == [legal[place] for place in range(len(legal))]
    assert everything == [Action.keep(five) for five in combinations(in_order(pool), 5)]
    assert (everything[-1], everything[:3]) == (legal[-1], legal[:3])
    assert random.Random(1).choice(legal) in everything
    assert "keep 5 of AC KC QC TC 9C AD KD QD TD 9D" == str(legal)


@pytest.mark.parametrize(
    "text", ["keep AC KC QC TC", "keep AC AC KC QC TC", "keep AC KC QC TC AS", "play AC", "pass"]
)
def test_the_exchange_knows_what_it_does_not_hold(text: str) -> None:
    """Too few, repeated or foreign cards, and other kinds, are not in a choice."""
    legal = Choose(ActionKind.KEEP, 5, cards("AC KC QC TC 9C AD"))

    assert Action.parse(text) not in legal
    assert Action.keep(cards("9C TC QC KC AD")) in legal


def test_listed_actions_behave_like_a_list() -> None:
    """Legal actions that are written out can be indexed, sliced, searched and counted."""
    listed, choose = legal_message(["pass", "call C", "call D"])
    legal = legal_from_wire(listed, choose)

    assert [Action.pass_turn(), Action.call(S.C), Action.call(S.D)] == list(legal)
    assert (3, Action.call(S.D)) == (len(legal), legal[-1])
    assert Action.call(S.C) in legal
    assert Action.call(S.H) not in legal
    assert [Action.call(S.C), Action.call(S.D)] == legal.of_kind(ActionKind.CALL)
    with pytest.raises(IndexError, match="3 legal actions"):
        legal[3]


def test_trump_order_is_that_of_the_rules() -> None:
    """Joker, right bower, left bower, then A K Q T 9 (RULES.md section 1)."""
    trumps = trumps_for(S.H)
    expected = cards("JK JH JD AH KH QH TH 9H AS KS QS JS TS")

    assert expected == sorted(
        expected, key=lambda card: (trumps.height(card), -card.value), reverse=True
    )
    assert S.H is trumps.suit_of(Card["JD"]) is trumps.suit_of(JOKER)
    assert S.D is trumps.suit_of(Card["AD"])


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("AH JD JH", 2),
        ("AH JD KH", 1),
        ("TD AS 9H", 2),
        ("9C AS KC", 2),
        ("9C AS KD", 0),
        ("JK JH AH", 0),
    ],
)
def test_the_winner_of_a_trick_under_hearts(trick: str, winner: int) -> None:
    """Highest trump wins, else the highest card of the suit led (CASES.md B01)."""
    assert winner == trumps_for(S.H).winner(cards(trick))


def test_without_bowers_a_jack_is_a_jack() -> None:
    """Games with plain ranking have no bowers."""
    plain = trumps_for(S.H, bowers=False)

    assert S.D is plain.suit_of(Card["JD"])
    assert plain.beats(Card["AH"], Card["JH"])


def test_without_trump_only_the_suit_led_wins() -> None:
    """Before or without trump there is no effective suit but the printed one."""
    assert 0 == trumps_for(None).winner(cards("9C AS AD"))
