"""Naming trump: who is asked what, and what makes a maker (RULES.md sections 2-4)."""

from __future__ import annotations

import pytest
from written_hands import dealt, legal, play

from euchre_engine import (
    NotAllowed,
    Phase,
    Reason,
    Seat,
    Suit,
    UpcardStatus,
    WrongPhase,
    outcome,
    parse_action,
    view_for,
)
from euchre_engine.hand import apply

PRESETS = {"two-handed": 1, "three-handed": 2, "four-handed": 3}
"""With the dealer's seat, so that seat 0 bids first."""


@pytest.mark.parametrize(("preset", "dealer"), PRESETS.items())
def test_round_one_goes_round_once(preset: str, dealer: int) -> None:
    """Round one asks every seat from the dealer's left to the dealer, each for pass or order."""
    state = dealt(preset, {}, up="9H", dealer=dealer)

    for seat in range(dealer + 1):
        assert (Phase.BID1, seat, ["pass", "order"]) == (state.phase, state.to_act, legal(state))
        state = play(state, "pass")

    assert (Phase.BID2, 0, UpcardStatus.TURNED_DOWN) == (
        state.phase,
        state.to_act,
        state.upcard_status,
    )


@pytest.mark.parametrize(("preset", "dealer"), PRESETS.items())
def test_order_makes_the_maker(preset: str, dealer: int) -> None:
    """The first order ends the auction: that seat is maker, the up-card's suit trump."""
    for orderer in range(dealer + 1):
        state = play(dealt(preset, {}, up="9H", dealer=dealer), *["pass"] * orderer, "order")

        assert (orderer, Suit.H) == (state.maker, state.trump)
        assert state.phase not in {Phase.BID1, Phase.BID2}


@pytest.mark.parametrize(("preset", "dealer"), PRESETS.items())
def test_round_two_names_another_suit(preset: str, dealer: int) -> None:
    """Round two offers the three other suits; naming the turned-down one is illegal, no pass."""
    state = play(dealt(preset, {}, up="9H", dealer=dealer), *["pass"] * (dealer + 1))

    assert ["pass", "call C", "call D", "call S"] == legal(state)
    with pytest.raises(NotAllowed) as caught:
        apply(state, parse_action("call H"))
    assert Reason.SUIT_NOT_ALLOWED is caught.value.reason
    called = play(state, "call D")
    assert (0, Suit.D, UpcardStatus.TURNED_DOWN) == (
        called.maker,
        called.trump,
        called.upcard_status,
    )


@pytest.mark.parametrize(("preset", "dealer"), PRESETS.items())
def test_turned_down_suit_by_option(preset: str, dealer: int) -> None:
    """With `allow_turned_down_suit` all four suits may be named in round two."""
    state = dealt(preset, {}, up="9H", dealer=dealer, allow_turned_down_suit=True)
    state = play(state, *["pass"] * (dealer + 1))

    assert ["pass", "call C", "call D", "call H", "call S"] == legal(state)
    assert Suit.H is play(state, "call H").trump


@pytest.mark.parametrize(("preset", "dealer"), PRESETS.items())
def test_all_pass(preset: str, dealer: int) -> None:
    """When everybody passes twice nobody scores and the next player deals."""
    state = play(dealt(preset, {}, dealer=dealer), *["pass"] * 2 * (dealer + 1))
    result = outcome(state)
    assert result is not None

    assert (Phase.DONE, True, {0}, 0) == (
        state.phase,
        result.passed_out,
        set(result.points),
        result.next_dealer,
    )


@pytest.mark.parametrize(("preset", "dealer"), PRESETS.items())
@pytest.mark.parametrize(
    ("options", "redeals", "stuck"),
    [
        ({"stick_the_dealer": True}, 0, True),
        ({"max_consecutive_redeals": 2}, 1, False),
        ({"max_consecutive_redeals": 2}, 2, True),
        ({"max_consecutive_redeals": 0}, 0, True),
        ({}, 49, False),
        ({}, 50, True),
    ],
)
def test_stuck_dealer(
    preset: str, dealer: int, options: dict[str, object], redeals: int, *, stuck: bool
) -> None:
    """A stuck dealer may not pass in round two; nobody else is ever stuck."""
    state = dealt(preset, {}, up="9H", dealer=dealer, redeals=redeals, **options)  # type: ignore[arg-type]
    state = play(state, *["pass"] * (dealer + 1))
    for _ in range(dealer):
        assert "pass" in legal(state)
        state = play(state, "pass")

    assert (not stuck) == ("pass" in legal(state))
    if stuck:
        with pytest.raises(NotAllowed) as caught:
            apply(state, parse_action("pass"))
        assert Reason.MAY_NOT_PASS is caught.value.reason


def test_kinds_of_another_phase() -> None:
    """A call in round one and an order in round two are of the wrong phase."""
    state = dealt("two-handed", {}, dealer=1)
    with pytest.raises(WrongPhase, match="call is not asked for in phase BID1") as caught:
        play(state, "call S")
    assert (Reason.WRONG_PHASE, 2) == (caught.value.reason, len(caught.value.legal))
    with pytest.raises(WrongPhase, match="order is not asked for in phase BID2"):
        play(state, "pass, pass, order")


# --- min_trump_to_call ----------------------------------------------------------------------------

FEW = {0: "9C TC JD 9S AS", 1: "JK JC 9D TD AH"}
"""N holds two clubs, a diamond and two spades; D a joker, a club, two diamonds and a heart."""


@pytest.mark.parametrize(
    ("needed", "up", "expected"),
    [
        (1, "QC", ["pass", "order"]),
        (2, "QC", ["pass", "order"]),
        (1, "QH", ["pass"]),  # the left bower JD is printed in diamonds
        (1, "QD", ["pass", "order"]),
        (2, "QD", ["pass"]),  # the up-card does not count
    ],
)
def test_enough_trumps_to_order(needed: int, up: str, expected: list[str]) -> None:
    """`min_trump_to_call` counts the cards printed in the suit among the five held."""
    state = dealt("two-handed", FEW, up=up, dealer=1, deck="25", min_trump_to_call=needed)

    assert expected == legal(state)
    if expected == ["pass"]:
        with pytest.raises(NotAllowed) as caught:
            apply(state, parse_action("order"))
        assert Reason.TOO_FEW_TRUMPS is caught.value.reason


def test_enough_trumps_to_call() -> None:
    """In round two only suits held often enough may be called; passing is always allowed."""
    state = dealt("two-handed", FEW, up="QH", dealer=1, deck="25", min_trump_to_call=2)
    state = play(state, "pass, pass")

    assert ["pass", "call C", "call S"] == legal(state)
    with pytest.raises(NotAllowed) as caught:
        apply(state, parse_action("call D"))
    assert Reason.TOO_FEW_TRUMPS is caught.value.reason
    assert ["pass", "call D"] == legal(play(state, "pass"))  # the joker counts for no suit


def test_stuck_dealer_without_a_suit() -> None:
    """A stuck dealer who holds no suit often enough may name every suit otherwise allowed."""
    hands = {0: "9C TC JD 9S AS", 1: "JK JC 9D TH KS"}
    options = {"min_trump_to_call": 2, "stick_the_dealer": True}
    state = dealt("two-handed", hands, up="QH", dealer=1, deck="25", **options)  # type: ignore[arg-type]

    assert ["call C", "call D", "call S"] == legal(play(state, "pass, pass, pass"))


# --- the joker turned up --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "suit"),
    [("hearts", "H"), ("fixed:C", "C"), ("fixed:D", "D"), ("fixed:H", "H"), ("fixed:S", "S")],
)
@pytest.mark.parametrize(("preset", "dealer"), PRESETS.items())
def test_joker_stands_for_a_suit(preset: str, dealer: int, mode: str, suit: str) -> None:
    """A joker turned up is of its fixed suit for ordering and for turning down."""
    state = dealt(preset, {}, up="JK", dealer=dealer, deck="25", joker_upcard=mode)

    assert ["pass", "order"] == legal(state)
    assert Suit[suit] is play(state, "order").trump
    turned_down = play(state, *["pass"] * (dealer + 1))
    assert [f"call {other}" for other in "CDHS" if other != suit] == legal(turned_down)[1:]


@pytest.mark.parametrize("preset", ["british-two-handed", "british-three-handed", "british"])
def test_dealer_names_blind(preset: str) -> None:
    """With Benny turned up the dealer names trump unseen, takes the joker and discards another."""
    dealer = PRESETS[{"british": "four-handed"}.get(preset, preset.removeprefix("british-"))]
    hand = "9C TC QD 9S AS"
    state = dealt(
        preset,
        {dealer: hand},
        up="JK",
        dealer=dealer,
        min_trump_to_call=2,
        may_discard_upcard=True,
    )

    assert (Phase.NAME_BLIND, dealer) == (state.phase, state.to_act)
    assert ["call C", "call D", "call H", "call S"] == legal(state)
    assert () == view_for(state, Seat(dealer)).hand
    assert 5 == len(view_for(state, Seat(0)).hand)
    assert {5} == set(view_for(state, Seat(dealer)).card_counts)

    state = play(state, "call H")
    assert 5 <= len(view_for(state, Seat(dealer)).hand)
    if preset == "british":  # asked for alone between the call and the discard
        assert (Phase.ALONE_MAKER, UpcardStatus.FACE_UP) == (state.phase, state.upcard_status)
        state = play(state, "together")
    assert (Phase.DISCARD, dealer, UpcardStatus.TAKEN) == (
        state.phase,
        state.to_act,
        state.upcard_status,
    )
    assert {f"discard {card}" for card in hand.split()} == set(legal(state))
    with pytest.raises(NotAllowed) as caught:
        play(state, "discard JK")
    assert Reason.MAY_NOT_DISCARD_UPCARD is caught.value.reason


@pytest.mark.parametrize("text", ["pass", "order", "discard 9C"])
def test_blind_naming_is_all_there_is(text: str) -> None:
    """Nothing but a call answers the blind question."""
    state = dealt("british", {3: "9C TC QD 9S AS"}, up="JK", dealer=3)

    with pytest.raises(WrongPhase):
        play(state, text)


def test_blind_needs_the_joker_turned_up() -> None:
    """Under `dealer_names_blind` any other card turned up is bid on as usual."""
    assert Phase.BID1 is dealt("british", {0: "JK"}, up="9H", dealer=3).phase
    assert Phase.BID1 is dealt("four-handed", {}, up="9H", dealer=3, joker_upcard="fixed:S").phase
