"""The default action of every decision (DESIGN.md section 5, rule 4)."""

from __future__ import annotations

import pytest
from written_hands import dealt, play

from euchre_engine import PositionError, Suit, default_action, is_legal
from euchre_engine.hand import apply

MAKER = "AC KC QH TD KH"
DEALER = "AS JS JD 9D QS"
DUMMY = "JH KS QC 9H TC"
THREE = {0: MAKER, 1: "TH AD JC KD 9S", 2: DEALER}


@pytest.mark.parametrize(
    ("preset", "so_far", "expected"),
    [
        ("three-handed", "", "pass"),
        ("three-handed", "pass, pass, pass", "pass"),
        ("three-handed", "order", "decline"),
        ("three-handed", "order, decline", "with_dummy"),
        ("three-handed", "order, decline, with_dummy", "together"),
        ("three-handed", "order, decline, with_dummy, together, together", f"keep {MAKER}"),
        ("three-handed", "order, take", "discard 9D"),
        ("four-handed", "order", "together"),
    ],
)
def test_modest_choices(preset: str, so_far: str, expected: str) -> None:
    """A seat that does not answer passes, declines, stays together and keeps its own cards."""
    dealer = 2 if preset == "three-handed" else 3
    hands = THREE if preset == "three-handed" else {}
    dummy = DUMMY if preset == "three-handed" else ""
    state = dealt(preset, hands, up="9C", dummy=dummy, dealer=dealer)
    state = play(state, so_far) if so_far else state

    assert expected == " ".join(
        sorted(str(default_action(state)).split(), key=expected.split().index)
    )


def test_forced_call_takes_the_first_legal_suit() -> None:
    """A stuck dealer calls the first legal suit in the order C D H S."""
    state = dealt("two-handed", {}, up="9C", dealer=1, stick_the_dealer=True)
    state = play(state, "pass, pass, pass")

    assert "call D" == str(default_action(state))
    order = (Suit.C, Suit.S, Suit.H, Suit.D)
    assert "call S" == str(default_action(state, order))


def test_blind_call() -> None:
    """A blind dealer names the first suit of the order."""
    state = dealt("british", {}, up="JK", dealer=3)

    assert "call C" == str(default_action(state))
    assert "call H" == str(default_action(state, (Suit.H, Suit.D, Suit.C, Suit.S)))


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("AC 9S JC 9D TH", "9D"),  # plain before trump, then rank, then C D H S
        ("AC KC JS JC AD", "AD"),  # an ace goes before any trump
        ("JS JC AC KC QC", "QC"),  # among trumps the lowest; bowers last
        ("JS JC AC KC TS", "TS"),
        ("JH JD QH QD QS", "JD"),  # plain jacks rank below queens
    ],
)
def test_default_card(hand: str, expected: str) -> None:
    """The lowest plain card goes first, of equals the first in C D H S, trumps last."""
    state = dealt("two-handed", {0: hand}, up="9C", dealer=1)
    state = play(state, "order, decline")

    assert f"play {expected}" == str(default_action(state))


def test_equal_cards_go_by_the_order_of_suits() -> None:
    """Of equally low plain cards the first in the order given goes."""
    state = play(dealt("two-handed", {0: "9D 9H 9S AC KC"}, up="TC", dealer=1), "order, decline")

    assert "play 9D" == str(default_action(state))
    order = (Suit.S, Suit.H, Suit.D, Suit.C)
    assert "play 9S" == str(default_action(state, order))


def test_default_card_follows() -> None:
    """The default card is a legal one: the lowest that follows."""
    state = dealt("two-handed", {0: "AD KC QC TS 9S", 1: "KD QD 9H TH AH"}, up="TC", dealer=1)
    state = play(state, "order, decline, play AD")

    assert "play QD" == str(default_action(state))


def test_eleven_cards_to_five() -> None:
    """Under `combined` the dealer keeps his own six less the default discard."""
    state = dealt(
        "three-handed", THREE, up="9C", dummy=DUMMY, dealer=2, dealer_dummy_discard="combined"
    )
    state = play(state, "pass, pass, order, with_dummy, together, together")

    assert "keep 9C JD AS QS JS" == str(default_action(state))
    assert is_legal(state, default_action(state))


def test_discard_is_never_the_card_taken() -> None:
    """The default discard is one of the five original cards, even when all are trumps."""
    state = dealt("two-handed", {1: "AS KS QS JS JC"}, up="9S", dealer=1)
    state = play(state, "order, take")

    assert "discard QS" == str(default_action(state))


def test_nobody_to_act() -> None:
    """When the hand is done there is no default action."""
    state = dealt("two-handed", {}, dealer=1)
    while state.to_act is not None:
        state = apply(state, default_action(state))

    with pytest.raises(PositionError, match="the hand is done"):
        default_action(state)
