"""The up-card once trump is fixed: PICKUP and DISCARD (RULES.md sections 2-4 and 8)."""

from __future__ import annotations

import pytest
from written_hands import dealt, in_hand, legal, play

from euchre_engine import NotAllowed, Phase, Reason, Seat, UpcardStatus, WrongPhase

HAND = "AS KS QS AC KC"
DEALERS = {"two-handed": 1, "three-handed": 2}


@pytest.mark.parametrize(("preset", "dealer"), DEALERS.items())
def test_dealer_may_take(preset: str, dealer: int) -> None:
    """A dealer whose card was ordered takes or declines it; the suit is trump either way."""
    state = play(dealt(preset, {dealer: HAND}, up="9H", dealer=dealer), "order")
    assert (Phase.PICKUP, dealer, ["take", "decline"]) == (
        state.phase,
        state.to_act,
        legal(state),
    )

    declined = play(state, "decline")
    assert (UpcardStatus.DECLINED, in_hand(HAND)) == (
        declined.upcard_status,
        declined.hand(Seat(dealer)),
    )
    taken = play(state, "take")
    assert (UpcardStatus.TAKEN, Phase.DISCARD, dealer) == (
        taken.upcard_status,
        taken.phase,
        taken.to_act,
    )
    assert in_hand(f"{HAND} 9H") == taken.hand(Seat(dealer))
    assert state.trump is declined.trump is taken.trump


@pytest.mark.parametrize(("preset", "dealer"), DEALERS.items())
def test_dealer_who_orders_takes(preset: str, dealer: int) -> None:
    """A dealer who ordered himself is not asked: he takes the card and discards."""
    state = dealt(preset, {dealer: HAND}, up="9H", dealer=dealer)
    state = play(state, *["pass"] * dealer, "order")

    assert (Phase.DISCARD, dealer, UpcardStatus.TAKEN) == (
        state.phase,
        state.to_act,
        state.upcard_status,
    )


@pytest.mark.parametrize(("preset", "dealer"), DEALERS.items())
def test_forced_pickup(preset: str, dealer: int) -> None:
    """With `dealer_pickup=forced` the dealer is not asked whoever ordered."""
    state = dealt(preset, {dealer: HAND}, up="9H", dealer=dealer, dealer_pickup="forced")
    state = play(state, "order")

    assert (Phase.DISCARD, dealer, UpcardStatus.TAKEN) == (
        state.phase,
        state.to_act,
        state.upcard_status,
    )


@pytest.mark.parametrize(("preset", "dealer"), DEALERS.items())
def test_discard_one_of_the_five(preset: str, dealer: int) -> None:
    """One of the five original cards goes; not the one taken, and none that is not held."""
    state = dealt(preset, {dealer: HAND}, up="9H", dealer=dealer)
    state = play(state, "order, take")
    assert ["discard AC", "discard KC", "discard AS", "discard KS", "discard QS"] == legal(state)

    with pytest.raises(NotAllowed) as caught:
        play(state, "discard 9H")
    assert Reason.MAY_NOT_DISCARD_UPCARD is caught.value.reason
    with pytest.raises(NotAllowed) as caught:
        play(state, "discard QC")
    assert Reason.NOT_IN_HAND is caught.value.reason
    with pytest.raises(WrongPhase):
        play(state, "play AC")
    assert in_hand("AS KS AC KC 9H") == play(state, "discard QS").hand(Seat(dealer))


@pytest.mark.parametrize(("preset", "dealer"), DEALERS.items())
def test_upcard_may_go_by_option(preset: str, dealer: int) -> None:
    """With `may_discard_upcard` the card taken may be put away again."""
    state = dealt(preset, {dealer: HAND}, up="9H", dealer=dealer, may_discard_upcard=True)
    state = play(state, "order, take")

    assert 6 == len(legal(state))
    assert in_hand(HAND) == play(state, "discard 9H").hand(Seat(dealer))


@pytest.mark.parametrize(("preset", "dealer"), DEALERS.items())
def test_no_pickup_in_round_two(preset: str, dealer: int) -> None:
    """A turned-down card stays where it is."""
    state = dealt(preset, {dealer: HAND}, up="9H", dealer=dealer)
    state = play(state, *["pass"] * (dealer + 1), "call S")

    assert state.phase not in {Phase.PICKUP, Phase.DISCARD}
    assert (UpcardStatus.TURNED_DOWN, in_hand(HAND)) == (
        state.upcard_status,
        state.hand(Seat(dealer)),
    )


# --- four-handed: RULES.md section 8 --------------------------------------------------------------


@pytest.mark.parametrize("orderer", [0, 1, 2, 3])
def test_four_handed_dealer_takes(orderer: int) -> None:
    """Four-handed the dealer takes an accepted card after the alone question."""
    state = dealt("four-handed", {3: HAND}, up="9H", dealer=3)
    state = play(state, *["pass"] * orderer, "order")
    assert (Phase.ALONE_MAKER, orderer, UpcardStatus.FACE_UP) == (
        state.phase,
        state.to_act,
        state.upcard_status,
    )

    state = play(state, "together")
    assert (Phase.DISCARD, 3, UpcardStatus.TAKEN) == (
        state.phase,
        state.to_act,
        state.upcard_status,
    )
    assert (Phase.PLAY, 0) == (play(state, "discard QS").phase, play(state, "discard QS").to_act)


def test_four_handed_optional_pickup() -> None:
    """With `dealer_pickup=optional` a four-handed dealer is asked after the alone question."""
    state = dealt("four-handed", {3: HAND}, up="9H", dealer=3, dealer_pickup="optional")
    asked = play(state, "order, alone")

    assert (Phase.PICKUP, 3) == (asked.phase, asked.to_act)
    assert Phase.PLAY is play(asked, "decline").phase
    assert Phase.DISCARD is play(state, "pass, pass, pass, order, together").phase


@pytest.mark.parametrize("pickup", ["optional", "forced"])
def test_partner_alone_kills_the_card(pickup: str) -> None:
    """When the dealer's partner orders alone the dealer sits out and the card is declined."""
    state = dealt("four-handed", {3: HAND}, up="9H", dealer=3, dealer_pickup=pickup)
    state = play(state, "pass, order, alone")

    assert (Phase.PLAY, UpcardStatus.DECLINED, (1,), (3,)) == (
        state.phase,
        state.upcard_status,
        state.alone,
        state.sitting_out,
    )
    assert in_hand(HAND) == state.hand(Seat(3))


def test_lone_dealer_and_lone_opponent_still_take() -> None:
    """A dealer who goes alone, or whose opponent does, takes the card."""
    state = dealt("four-handed", {3: HAND}, up="9H", dealer=3)

    for texts in ("pass, pass, pass, order, alone", "order, alone"):
        assert (Phase.DISCARD, UpcardStatus.TAKEN) == (
            play(state, texts).phase,
            play(state, texts).upcard_status,
        )
