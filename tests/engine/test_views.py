"""Who may know what, item by item (RULES.md section 6 and the rulings of section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from written_hands import cards, dealt, in_hand, play, play_anything

from euchre_engine import (
    PUBLIC,
    Card,
    HistoryItem,
    Phase,
    Seat,
    Trick,
    UpcardStatus,
    View,
    view_for,
    view_to_json,
)

if TYPE_CHECKING:
    from euchre_engine import State

L = "AC KC QH TD KH"
A = "TH AD JC KD 9S"
D = "AS JS JD 9D QS"
X = "JH KS QC 9H TC"


def worked(**options: object) -> State:
    """Returns the deal of worked hand G2, under options."""
    return dealt("three-handed", {0: L, 1: A, 2: D}, up="9C", dummy=X, dealer=2, **options)  # type: ignore[arg-type]


def seen(state: State) -> list[View]:
    """Returns the views of seats 0, 1, 2 and of the onlookers."""
    return [*(view_for(state, seat) for seat in state.rules.seats), view_for(state, PUBLIC)]


def texts(view: View) -> list[str]:
    """Returns the history with the seats left out."""
    return [str(item) for item in view.history]


def test_own_cards() -> None:
    """A seat sees its own five cards; nobody else does, onlookers nothing."""
    assert [in_hand(L), in_hand(A), in_hand(D), ()] == [view.hand for view in seen(worked())]
    assert [0, 1, 2, None] == [view.seat for view in seen(worked())]


@pytest.mark.parametrize(
    ("so_far", "status"),
    [
        ("", UpcardStatus.FACE_UP),
        ("order", UpcardStatus.FACE_UP),
        ("order, take", UpcardStatus.TAKEN),
        ("order, decline", UpcardStatus.DECLINED),
        ("pass, pass, pass", UpcardStatus.TURNED_DOWN),
    ],
)
def test_upcard_is_public(so_far: str, status: UpcardStatus) -> None:
    """The up-card and what became of it are known to all, for the whole hand."""
    state = play(worked(), so_far) if so_far else worked()

    assert {(Card["9C"], status)} == {(view.upcard, view.upcard_status) for view in seen(state)}


def test_dealers_discard() -> None:
    """The dealer alone knows what he buried; the others know that one card was."""
    views = seen(play(worked(), "order, take, discard 9D"))

    assert [(), (), cards("9D"), ()] == [view.discarded for view in views]
    assert ["discard", "discard", "discard 9D", "discard"] == [texts(view)[-1] for view in views]
    assert {(5, 5, 5)} == {view.card_counts for view in views}


def test_card_counts() -> None:
    """Everybody knows how many cards each seat holds: six for a dealer who has taken."""
    assert {(5, 5, 6)} == {view.card_counts for view in seen(play(worked(), "order, take"))}
    led = play(worked(), "order, decline, alone, together, together, play JC")
    assert {(5, 4, 5)} == {view.card_counts for view in seen(led)}


def test_dummy_is_for_the_maker_after_with_dummy() -> None:
    """The maker sees the dummy from `with_dummy` on, for the rest of the hand; nobody else does."""
    state = play(worked(), "order, decline")
    assert [()] * 4 == [view.dummy for view in seen(state)]

    state = play(state, "with_dummy")
    for texts_ in ("together, together", "keep AC KC QC TC KH", "play AC"):
        assert [in_hand(X), (), (), ()] == [view.dummy for view in seen(state)]
        state = play(state, texts_)
    assert [in_hand(X), (), (), ()] == [view.dummy for view in seen(play_anything(state))]


def test_lone_maker_never_sees_the_dummy() -> None:
    """A maker who decided before seeing it and went alone does not see it at all."""
    state = play_anything(play(worked(), "order, decline, alone"))

    assert [()] * 4 == [view.dummy for view in seen(state)]


def test_dummy_before_the_question() -> None:
    """`after_dummy`: the maker sees it from his alone question on, also after `alone`."""
    state = worked(alone_decision="after_dummy")
    assert [()] * 4 == [view.dummy for view in seen(play(state, "order"))]

    state = play(state, "order, decline")
    assert Phase.ALONE_MAKER is state.phase
    assert [in_hand(X), (), (), ()] == [view.dummy for view in seen(state)]
    alone = play_anything(play(state, "alone"))
    assert [in_hand(X), (), (), ()] == [view.dummy for view in seen(alone)]


def test_dummy_without_the_question() -> None:
    """`maker_alone=false`: the maker sees the dummy the moment trump and pick-up are settled."""
    state = worked(maker_alone=False)
    assert [()] * 4 == [view.dummy for view in seen(play(state, "order, take"))]

    settled = play(state, "order, take, discard 9D")
    assert (Phase.ALONE_DEFENDER, 1) == (settled.phase, settled.to_act)
    assert [in_hand(X), (), (), ()] == [view.dummy for view in seen(settled)]


def test_rejects() -> None:
    """The maker alone knows his rejects; the others know that the exchange is done."""
    state = play(worked(), "order, decline, with_dummy, together, together")
    views = seen(play(state, "keep AC KC QC TC KH"))

    assert [in_hand("QH TD JH KS 9H"), (), (), ()] == [view.discarded for view in views]
    assert ["keep AC KC QC TC KH", "keep", "keep", "keep"] == [texts(view)[-1] for view in views]


def test_sitters_cards() -> None:
    """A sitter sees his own cards to the end; nobody else ever does."""
    state = play_anything(play(worked(), "order, decline, with_dummy, alone"))
    views = seen(state)

    assert (2,) == state.sitting_out
    assert [(), (), in_hand(D), ()] == [view.hand for view in views]
    assert {(0, 0, 5)} == {view.card_counts for view in views}


def test_blind_dealer_does_not_see_his_cards() -> None:
    """Before he has named trump blind the dealer's own cards are missing, from his view only."""
    state = dealt("british-three-handed", {0: L, 1: A, 2: D}, up="JK", dummy=X, dealer=2)
    assert [in_hand(L), in_hand(A), (), ()] == [view.hand for view in seen(state)]

    state = play(state, "call H")
    assert in_hand(f"{D} JK") == view_for(state, Seat(2)).hand


def test_public_facts() -> None:
    """Bids, plays, winners, declarations and scores are the same for everybody."""
    state = play(worked(scores=(1, 2, 3)), "order, decline, alone, together, alone")
    state = play(state, "play QS, play AC, play QH, play JD, play TD")

    facts = {
        (
            view.trump,
            view.maker,
            view.alone,
            view.sitting_out,
            view.tricks,
            view.trick,
            view.tricks_won,
            view.scores,
            view.points,
            view.to_act,
            view.history,
        )
        for view in seen(state)
    }
    assert 1 == len(facts)
    view = view_for(state, PUBLIC)
    assert (Trick(Seat(2), cards("QS AC"), Seat(0)),) == view.tricks[:1]
    assert ((0, 2), (1,), (1, 2, 3), None) == (
        view.alone,
        view.sitting_out,
        view.scores,
        view.points,
    )


def test_history_items() -> None:
    """History carries seat, kind and what the action named, in the order of the hand."""
    view = view_for(play(worked(), "pass, pass, pass, pass, call S, alone, together"), Seat(0))
    item = view.history[4]

    assert ["pass", "pass", "pass", "pass", "call S", "alone", "together"] == texts(view)
    assert [0, 1, 2, 0, 1, 1, 0] == [entry.seat for entry in view.history]
    assert HistoryItem(Seat(1), item.kind, item.suit, 0, ()) == item
    assert ("CALL", "S", None) == (item.kind.name, str(item.suit), item.card)
    played = view_for(play(worked(), "order, decline, alone, together, together, play JC"), PUBLIC)
    assert Card["JC"] is played.history[-1].card


def test_scores_and_points_at_the_end() -> None:
    """Points are None until the hand is done; then they are in the scores."""
    state = play(worked(scores=(4, 4, 4)), "order, decline, alone, together, together")
    assert (None, (4, 4, 4)) == (view_for(state, PUBLIC).points, view_for(state, PUBLIC).scores)

    for view in seen(play_anything(state)):
        assert view.points is not None
        assert tuple(4 + point for point in view.points) == view.scores


def test_swapped_cards() -> None:
    """A farmer's three cards are known to nobody but the seat that swapped them."""
    state = dealt(
        "four-handed", {0: "9C 9D 9H AC KC"}, up="JD", dealer=3, farmers_hand="three_swap"
    )
    state = play(state, "swap 9C 9D 9H")

    assert "swap 9C 9D 9H" == texts(view_for(state, Seat(0)))[0]
    for audience in (Seat(1), Seat(2), Seat(3), PUBLIC):
        assert ("swap", ()) == (
            texts(view_for(state, audience))[0],
            view_for(state, audience).discarded,
        )


def test_view_as_json() -> None:
    """The object of a view has the keys that DESIGN.md section 8 names, cards as texts."""
    state = play(worked(), "order, take, discard 9D, with_dummy, together, together")
    state = play(state, "keep AC KC QC TC KH, play AC")
    row = view_to_json(view_for(state, Seat(2)))

    expected = {
        "seat": 2,
        "hand": ["9C", "JD", "AS", "QS", "JS"],
        "upcard": "9C",
        "upcard_status": "taken",
        "dummy": [],
        "discarded": ["9D"],
        "trick": {"leader": 0, "cards": ["AC"], "winner": None},
        "trump": "C",
        "maker": 0,
        "alone": [],
        "scores": [0, 0, 0],
    }
    assert expected == {key: row[key] for key in expected}
    assert {"seat": 2, "text": "discard 9D"} == row["history"][2]
    assert {"seat": 0, "text": "keep"} == row["history"][6]
