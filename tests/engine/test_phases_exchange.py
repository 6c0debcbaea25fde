"""The maker and the dummy, and the farmer's hand (RULES.md sections 3, 4 and 8)."""

from __future__ import annotations

import pytest
from written_hands import dealt, in_hand, legal, play

from euchre_engine import (
    Choose,
    NotAllowed,
    Phase,
    Reason,
    Seat,
    State,
    UpcardStatus,
    legal_actions,
    view_for,
)
from euchre_engine.cards import cards_in

L = "AC KC QH TD KH"
A = "TH AD JC KD 9S"
D = "AS JS JD 9D QS"
X = "JH KS QC 9H TC"


def worked(**options: object) -> State:
    """Returns the deal of worked hand G2, under options."""
    return dealt("three-handed", {0: L, 1: A, 2: D}, up="9C", dummy=X, dealer=2, **options)  # type: ignore[arg-type]


def test_any_five_of_ten() -> None:
    """The maker keeps any five of his ten cards, his own five included; the rest is buried."""
    state = play(worked(), "order, take, discard 9D, with_dummy, together, together")
    assert (Phase.EXCHANGE, 0, 252) == (state.phase, state.to_act, len(legal_actions(state)))
    assert ["keep 5 of AC KC QC TC TD KH QH JH 9H KS"] == legal(state)
    assert isinstance(legal_actions(state), Choose)

    own = play(state, f"keep {L}")
    other = play(state, "keep KS TC QC JH 9H")
    assert (in_hand(L), in_hand(X)) == (own.hand(Seat(0)), view_for(own, Seat(0)).discarded)
    assert (in_hand(X), in_hand(L)) == (other.hand(Seat(0)), view_for(other, Seat(0)).discarded)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("keep AC KC QC TC", Reason.WRONG_CARD_COUNT),
        ("keep AC KC QC TC TD JH", Reason.WRONG_CARD_COUNT),
        ("keep AC AC KC QC TC", Reason.REPEATED_CARD),
        ("keep AC KC QC TC AS", Reason.NOT_IN_HAND),
    ],
)
def test_what_may_not_be_kept(text: str, reason: Reason) -> None:
    """Too few, too many, repeated or foreign cards are refused; the maker still has ten."""
    state = play(worked(), "order, take, discard 9D, with_dummy, together, together")
    with pytest.raises(NotAllowed) as caught:
        play(state, text)

    assert reason is caught.value.reason
    assert legal_actions(state) == caught.value.legal


def test_dealer_and_maker_in_one() -> None:
    """A dealer who ordered discards to five and only then combines with the dummy."""
    state = play(worked(), "pass, pass, order")
    assert Phase.DISCARD is state.phase
    state = play(state, "discard QS, with_dummy, together, together")

    pool = "keep 5 of QC TC 9C JD 9D JH 9H AS KS JS"
    assert [pool] == legal(state)
    state = play(state, "keep QC TC 9C AS KS")
    assert in_hand("QS JD 9D JH 9H JS") == view_for(state, Seat(2)).discarded


def test_combined_with_dummy() -> None:
    """`combined`: the dealer-maker decides on alone with six cards and keeps five of eleven."""
    state = play(worked(dealer_dummy_discard="combined"), "pass, pass, order")
    assert (Phase.ALONE_MAKER, 2, UpcardStatus.TAKEN) == (
        state.phase,
        state.to_act,
        state.upcard_status,
    )
    assert in_hand(f"{D} 9C") == state.hand(Seat(2))

    state = play(state, "with_dummy, together, together")
    assert ["keep 5 of QC TC 9C JD 9D JH 9H AS KS QS JS"] == legal(state)
    state = play(state, "keep QC TC JD AS KS")  # the taken card may go
    assert in_hand("QC TC JD AS KS") == state.hand(Seat(2))
    assert in_hand("9C 9D JH 9H QS JS") == view_for(state, Seat(2)).discarded
    assert (Phase.PLAY, 0) == (state.phase, state.to_act)


def test_combined_alone() -> None:
    """`combined`: the dealer who goes alone discards at once, before the defenders are asked."""
    state = play(worked(dealer_dummy_discard="combined"), "pass, pass, order, alone")
    assert (Phase.DISCARD, 2) == (state.phase, state.to_act)
    assert 5 == len(legal(state))
    with pytest.raises(NotAllowed) as caught:
        play(state, "discard 9C")
    assert Reason.MAY_NOT_DISCARD_UPCARD is caught.value.reason

    state = play(state, "discard QS")
    assert (Phase.ALONE_DEFENDER, 0) == (state.phase, state.to_act)
    assert Phase.PLAY is play(state, "together, together").phase


def test_combined_concerns_the_ordering_dealer_only() -> None:
    """`combined` changes nothing when another seat ordered, or trump was called."""
    state = worked(dealer_dummy_discard="combined")

    assert Phase.DISCARD is play(state, "order, take").phase
    called = play(state, "pass, pass, pass, pass, pass, call S, with_dummy, together, together")
    assert 252 == len(legal_actions(called))


def test_combined_without_the_alone_question() -> None:
    """`combined` with `maker_alone=false` goes straight to eleven cards."""
    state = worked(dealer_dummy_discard="combined", maker_alone=False, defend_alone="never")
    state = play(state, "pass, pass, order")

    assert (Phase.EXCHANGE, 462) == (state.phase, len(legal_actions(state)))


def test_combined_blind() -> None:
    """A dealer who named trump blind discards first, also under `combined`."""
    state = dealt(
        "british-three-handed",
        {0: L, 1: A, 2: D},
        up="JK",
        dummy=X,
        dealer=2,
        dealer_dummy_discard="combined",
    )
    state = play(state, "call H")

    assert (Phase.DISCARD, 2) == (state.phase, state.to_act)
    state = play(state, "discard 9D, with_dummy, together, together")
    assert 252 == len(legal_actions(state))


@pytest.mark.parametrize("combined", ["sequential", "combined"])
def test_exchange_before_defenders(combined: str) -> None:
    """`before_defenders`: the exchange stands before the defenders' question."""
    state = worked(exchange_timing="before_defenders", dealer_dummy_discard=combined)
    state = play(state, "pass, pass, order")
    if combined == "sequential":
        state = play(state, "discard QS")
    state = play(state, "with_dummy")
    assert (Phase.EXCHANGE, 2) == (state.phase, state.to_act)

    state = play(state, "keep QC TC JD AS KS")
    assert (Phase.ALONE_DEFENDER, 0) == (state.phase, state.to_act)
    assert Phase.PLAY is play(state, "together, alone").phase


def test_lone_maker_never_exchanges_before_defenders() -> None:
    """A lone maker has no exchange, wherever it would stand."""
    state = play(worked(exchange_timing="before_defenders"), "order, decline, alone")

    assert Phase.ALONE_DEFENDER is state.phase


# --- the farmer's hand ----------------------------------------------------------------------------

BURIED = "JS QS KS"
FARMER = "9C 9D 9H AC KC"


def farmers(hands: dict[int, str], **options: object) -> State:
    """Returns a four-handed deal with `three_swap`, dealer 3."""
    return dealt(
        "four-handed",
        hands,
        up="JD",
        buried=BURIED,
        dealer=3,
        farmers_hand="three_swap",
        **options,  # type: ignore[arg-type]
    )


def test_everybody_is_asked_to_swap() -> None:
    """Every seat from the dealer's left is asked; who holds no three can only pass."""
    state = farmers({1: FARMER})

    for seat, expected in enumerate((["pass"], ["pass", "swap 9C 9D 9H"], ["pass"], ["pass"])):
        assert (Phase.SWAP, seat, expected) == (state.phase, state.to_act, legal(state))
        state = play(state, "pass")
    assert (Phase.BID1, 0) == (state.phase, state.to_act)


def test_three_swap() -> None:
    """Three nines or tens go face down; the three buried cards come in their place."""
    state = play(farmers({1: FARMER}), "pass, swap 9C 9D 9H")

    assert in_hand(f"{BURIED} AC KC") == state.hand(Seat(1))
    assert in_hand("9C 9D 9H") == view_for(state, Seat(1)).discarded
    assert (Phase.SWAP, 2) == (state.phase, state.to_act)


def test_swap_after_a_swap() -> None:
    """A later seat swaps for what an earlier one put down."""
    state = farmers({1: FARMER, 2: "TC TD TH TS AS"})
    state = play(state, "pass, swap 9C 9D 9H")
    assert 1 + 4 == len(legal(state))  # any three of four tens

    state = play(state, "swap TC TH TS")
    assert in_hand("9C 9D 9H TD AS") == state.hand(Seat(2))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("swap 9C 9D", Reason.WRONG_CARD_COUNT),
        ("swap 9C 9D 9H AC", Reason.WRONG_CARD_COUNT),
        ("swap 9C 9D 9D", Reason.REPEATED_CARD),
        ("swap 9C 9D 9S", Reason.NOT_IN_HAND),
        ("swap 9C 9D AC", Reason.MAY_NOT_SWAP),
    ],
)
def test_what_may_not_be_swapped(text: str, reason: Reason) -> None:
    """Only three held cards, all nines or all tens, may be swapped."""
    state = play(farmers({1: FARMER}), "pass")
    with pytest.raises(NotAllowed) as caught:
        play(state, text)

    assert reason is caught.value.reason


def test_no_swap_before_a_blind_naming() -> None:
    """Where the dealer names trump blind there is no bidding and no swap before it."""
    state = dealt("british", {0: FARMER}, up="JK", dealer=3, farmers_hand="three_swap")

    assert Phase.NAME_BLIND is state.phase


def test_swapped_cards_count_for_min_trump() -> None:
    """The five cards held when bidding are those after the swap."""
    state = farmers({0: "9C 9D 9H AC KC"}, min_trump_to_call=1)
    swapped = play(state, "swap 9C 9D 9H, pass, pass, pass")

    assert ["pass", "order"] == legal(play(state, "pass, pass, pass, pass"))
    assert ["pass"] == legal(swapped)
    assert in_hand(f"AC KC {BURIED}") == cards_in(swapped.held[0])
