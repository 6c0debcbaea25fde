"""The worked hands G1 to G6 of RULES.md section 7, card by card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from written_hands import cards, dealt, in_hand, legal, play, play_anything, started

from euchre_engine import Outcome, Phase, Seat, Trick, UpcardStatus, outcome

if TYPE_CHECKING:
    from euchre_engine import State

G1 = "TS KS JC TC 9H KD TD 9S AS KC JS 9D QH 9C JH QC JD AH AC QS AD QD TH KH"
G2 = "AC KC QH TH AD JH KS QC AS JS TD KH JC KD 9S 9H TC JD 9D QS 9C TS QD AH"
G3 = "KH QS TH KC JD TD KD TC 9C AS JS 9H JC KS QC AD 9D QD QH AC 9S JH TS AH"
G4 = "QH AC 9S AS TH KD AH AD JH KH TC 9H QS 9D QD JC KS KC TS TD JD 9C QC JS"


def tricks_of(state: State) -> list[tuple[int, str, int | None]]:
    """Returns leader, cards and winner of every trick."""
    return [(trick.leader, " ".join(map(str, trick.cards)), trick.winner) for trick in state.tricks]


def result_of(state: State) -> Outcome:
    """Returns the outcome of a finished hand."""
    result = outcome(state)
    assert result is not None
    return result


def test_g1_two_handed() -> None:
    """G1: N orders, D declines; N takes four tricks and one point."""
    state = started("two-handed", G1, dealer=1)
    assert in_hand("TS KS JC KD TD") == state.hand(Seat(0))
    assert in_hand("TC 9H 9S AS KC") == state.hand(Seat(1))
    assert cards("JS") == (state.upcard,)

    state = play(state, "order, decline, play JC")
    assert ["play AS", "play 9S"] == legal(state)
    state = play(state, "play 9S, play KS, play AS, play KC, play TS")
    state = play(state, "play KD, play 9H, play TD, play TC")

    assert [
        (0, "JC 9S", 0),
        (0, "KS AS", 1),
        (1, "KC TS", 0),
        (0, "KD 9H", 0),
        (0, "TD TC", 0),
    ] == (tricks_of(state))
    assert (1, 0) == result_of(state).points


def test_g2_three_handed_dummy() -> None:
    """G2: L orders, uses the dummy, and takes three tricks and one point."""
    state = started("three-handed", G2, dealer=2)
    assert in_hand("AC KC QH TD KH") == state.hand(Seat(0))
    assert in_hand("TH AD JC KD 9S") == state.hand(Seat(1))
    assert in_hand("AS JS JD 9D QS") == state.hand(Seat(2))
    assert in_hand("JH KS QC 9H TC") == state.dummy
    assert cards("9C") == (state.upcard,)

    state = play(state, "order, take, discard 9D, with_dummy, together, together")
    state = play(state, "keep AC KC QC TC KH, play AC, play JC, play 9C")
    state = play(state, "play AD, play JD, play KC, play QC, play 9S")
    assert ["play JS"] == legal(state)
    state = play(state, "play JS, play AS, play TC, play TH, play KH, play KD, play QS")

    assert [
        (0, "AC JC 9C", 1),
        (1, "AD JD KC", 0),
        (0, "QC 9S JS", 2),
        (2, "AS TC TH", 0),
        (0, "KH KD QS", 0),
    ] == tricks_of(state)
    assert (3, 1, 1) == state.tricks_won
    assert (1, 0, 0) == result_of(state).points


def test_g3_round_two_defender_alone() -> None:
    """G3: D calls in round two, A defends alone and takes three: two each for L and A."""
    state = started("three-handed", G3, dealer=2)
    state = play(state, "pass, pass, pass, pass, pass, call C")
    assert UpcardStatus.TURNED_DOWN is state.upcard_status
    assert (Phase.ALONE_MAKER, 2) == (state.phase, state.to_act)
    state = play(state, "with_dummy, together, alone")
    assert ((1,), (0,)) == (state.alone, state.sitting_out)
    assert in_hand("9C AS QD QH AC") == state.hand(Seat(2))
    assert in_hand("TD KD TC AD 9D") == state.dummy
    state = play(state, "keep AC TC 9C AS AD")
    assert 2 == state.to_act
    state = play(state, "play AC, play JC, play KC, play 9C, play QC, play TC")
    state = play(state, "play KS, play AS, play AD, play JD")

    assert (0, 3, 2) == state.tricks_won
    assert (2, 2, 0) == result_of(state).points


def test_g4_both_alone() -> None:
    """G4: maker A and defender D are both alone; D takes all five: four each for L and D."""
    state = started("three-handed", G4, dealer=2)
    state = play(state, "pass, order, take, discard TS, alone, together, alone")
    assert ((1, 2), (0,)) == (state.alone, state.sitting_out)
    assert 2 == state.to_act
    state = play(state, "play JD, play 9D, play JH")
    assert ["play QD"] == legal(state)
    state = play(state, "play QD, play TD, play TH, play KH, play QS, play KC, play AS")

    assert (0, 0, 5) == state.tricks_won
    assert Trick(Seat(2), cards("JH QD"), Seat(2)) == state.tricks[1]
    assert (4, 0, 4) == result_of(state).points


def test_g5_all_pass() -> None:
    """G5: six passes three-handed, four two-handed: no score, and the deal passes left."""
    three = result_of(
        play(started("three-handed", G2, dealer=2), "pass, pass, pass, pass, pass, pass")
    )
    two = result_of(play(started("two-handed", G1, dealer=1), "pass, pass, pass, pass"))

    assert (True, (0, 0, 0), 0, 1) == (
        three.passed_out,
        three.points,
        three.next_dealer,
        three.next_redeals,
    )
    assert (True, (0, 0), 0, 1) == (two.passed_out, two.points, two.next_dealer, two.next_redeals)


def euchred(scores: tuple[int, int, int]) -> Outcome:
    """Returns the outcome of a hand in which seat 0 makes trump and A takes every trick."""
    state = dealt(
        "three-handed",
        {0: "9C 9D 9S TC TD", 1: "JH JD AH KH QH", 2: "AS KS QS AC KC"},
        up="9H",
        dummy="TH TS JS JC QC",
        dealer=2,
        scores=scores,
    )
    state = play(state, "order, decline, with_dummy, together, together, keep 9C 9D 9S TC TD")
    return result_of(play_anything(state))


def test_g6_tie_plays_on() -> None:
    """G6: 3/10/10 is not over; at 9/11/10 the highest total wins."""
    level = euchred((3, 8, 8))
    won = euchred((9, 9, 8))

    assert ((3, 10, 10), False, (), 0) == (
        level.scores,
        level.game_over,
        level.winners,
        level.next_dealer,
    )
    assert ((9, 11, 10), True, (1,), None) == (
        won.scores,
        won.game_over,
        won.winners,
        won.next_dealer,
    )
