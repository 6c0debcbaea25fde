"""Texts, flat forms and legal sets of actions (RULES.md section 7, DESIGN.md section 4)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_hands import cards

from euchre_engine import (
    ActionKind,
    Alone,
    Best,
    Bid,
    Bury,
    Call,
    Card,
    Choose,
    Decline,
    Discard,
    FlatAction,
    Keep,
    Name,
    Order,
    Pass,
    Play,
    Reason,
    Suit,
    Swap,
    Take,
    Together,
    UnreadableAction,
    WithDummy,
    flat,
    legal_texts,
    parse_action,
    unflatten,
)

if TYPE_CHECKING:
    from euchre_engine import Action

EVERY_SIMPLE: list[Action] = [
    Pass(),
    Order(),
    *map(Call, Suit),
    Take(),
    Decline(),
    *map(Discard, Card),
    Alone(),
    WithDummy(),
    Together(),
    *map(Play, Card),
    *map(Bid, range(1, 14)),
    *map(Name, Suit),
    *map(Bury, Card),
    *map(Best, Card),
]

some_cards = st.lists(st.sampled_from(Card), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("pass", Pass()),
        ("order", Order()),
        ("call S", Call(Suit.S)),
        ("take", Take()),
        ("decline", Decline()),
        ("discard 9D", Discard(Card["9D"])),
        ("alone", Alone()),
        ("with_dummy", WithDummy()),
        ("together", Together()),
        ("keep AC KC QC TC KH", Keep(cards("AC KC QC TC KH"))),
        ("play JD", Play(Card["JD"])),
        ("swap 9C 9D 9H", Swap(cards("9C 9D 9H"))),
        ("bid 3", Bid(3)),
        ("name S", Name(Suit.S)),
        ("bury 9C", Bury(Card["9C"])),
        ("best JK", Best(Card.JK)),
    ],
)
def test_texts(text: str, action: Action) -> None:
    """Every kind of action is written and read as RULES.md section 7 writes it."""
    assert text == str(action)
    assert action == parse_action(text)


def test_round_trips() -> None:
    """Every action without a set of cards reads back from its text and from its flat form."""
    assert EVERY_SIMPLE == [parse_action(str(action)) for action in EVERY_SIMPLE]
    assert EVERY_SIMPLE == [unflatten(*flat(action)) for action in EVERY_SIMPLE]
    assert len(EVERY_SIMPLE) == len(set(EVERY_SIMPLE))


@given(some_cards)
def test_round_trips_of_sets(chosen: list[Card]) -> None:
    """A set of cards reads back from its text and flat form, in whatever order it is written."""
    for action in (Keep(tuple(chosen)), Swap(tuple(chosen))):
        assert action == parse_action(str(action))
        assert action == unflatten(*flat(action))
        backwards = type(action)(tuple(reversed(chosen)))
        assert action == backwards
        assert str(action) == str(backwards)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PASS",
        " pass",
        "pass ",
        "pass S",
        "call",
        "call s",
        "call X",
        "call S S",
        "play",
        "play JD JD",
        "play  JD",
        "play jd",
        "play 10H",
        "keep",
        "keep AC KX",
        "bid",
        "bid 0",
        "bid 100",
        "bid -1",
        "bid 1_0",
        "bid three",
        "discard\tJD",
        "drop 9D",
        "play JD\n",
    ],
)
def test_unreadable_texts(text: str) -> None:
    """What is no action is refused as unreadable and never taken for a similar one."""
    with pytest.raises(UnreadableAction) as caught:
        parse_action(text)

    assert Reason.UNREADABLE is caught.value.reason
    assert caught.value.message


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((0,), "no kind of action is set: kinds go from 1 to 16"),
        ((17,), "17 is no kind of action"),
        ((3,), "call needs a suit from 1 to 4, not 0"),
        ((3, 5), "call needs a suit from 1 to 4, not 5"),
        ((11,), "play needs exactly one card, not 0"),
        ((11, 0, 0, (1, 2)), "play needs exactly one card, not 2"),
        ((11, 0, 0, (0,)), "0 is no card"),
        ((11, 0, 0, (54,)), "54 is no card"),
        ((10,), "keep needs 1 to 53 cards, not 0"),
        ((13,), "bid needs a number from 1 to 99"),
    ],
)
def test_unreadable_flat_forms(row: tuple[int, ...], message: str) -> None:
    """A flat form with an unknown number, or without a part that it needs, is unreadable."""
    with pytest.raises(UnreadableAction, match=message):
        unflatten(*row)  # type: ignore[arg-type]  # rows of different lengths


def test_flat_form_ignores_what_its_kind_does_not_use() -> None:
    """Extra parts of a flat form change nothing (CASES.md B18)."""
    assert Play(Card["JD"]) == unflatten(11, suit=4, bid=9, cards=(Card["JD"],))
    assert Pass() == unflatten(1, suit=4, bid=9, cards=(1, 2, 3))
    assert FlatAction(ActionKind.PLAY, cards=(Card["JD"],)) == flat(Play(Card["JD"]))


def test_choice_of_cards() -> None:
    """A choice of cards behaves like the tuple of all its actions, and has one text."""
    pool = cards("AC KC JD 9H TS")
    choose = Choose(ActionKind.KEEP, 3, pool)
    every = [Keep(chosen) for chosen in combinations(pool, 3)]

    assert every == list(choose) == [choose[index] for index in range(len(choose))]
    assert every[-1] == choose[-1]
    assert all(action in choose for action in every)
    assert ["keep 3 of AC KC JD 9H TS"] == legal_texts(choose)
    with pytest.raises(IndexError):
        choose[len(choose)]


@pytest.mark.parametrize(
    "action",
    [
        Keep(cards("AC KC")),
        Keep(cards("AC KC JD 9H")),
        Keep(cards("AC AC KC")),
        Keep(cards("AC KC QC")),
        Swap(cards("AC KC JD")),
        Pass(),
    ],
    ids=str,
)
def test_what_is_no_choice(action: Action) -> None:
    """Too few, too many, repeated or foreign cards, and other kinds, are not in a choice."""
    assert action not in Choose(ActionKind.KEEP, 3, cards("AC KC JD 9H TS"))
