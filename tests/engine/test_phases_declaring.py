"""Who plays alone, who sits out, and who leads first (RULES.md sections 3, 4 and 8)."""

from __future__ import annotations

import pytest
from written_hands import dealt, legal, play

from euchre_engine import Phase, State, WrongPhase

KEEP_OWN = "keep 9C 9D 9S TC TD"
OWN = "9C 9D 9S TC TD"


def three(maker: int, **options: object) -> State:
    """Returns a three-handed hand, dealer 2, whose maker has called spades in round two."""
    state = dealt("three-handed", {maker: OWN}, up="9H", dealer=2, **options)  # type: ignore[arg-type]
    return play(state, *["pass"] * (3 + maker), "call S")


def four(maker: int, **options: object) -> State:
    """Returns a four-handed hand, dealer 3, whose maker has called spades in round two."""
    state = dealt("four-handed", {maker: OWN}, up="9H", dealer=3, **options)  # type: ignore[arg-type]
    return play(state, *["pass"] * (4 + maker), "call S")


@pytest.mark.parametrize(
    ("maker", "order", "asked"),
    [
        (0, "bidding_order", [1, 2]),
        (1, "bidding_order", [0, 2]),
        (2, "bidding_order", [0, 1]),
        (0, "left_of_maker", [1, 2]),
        (1, "left_of_maker", [2, 0]),
        (2, "left_of_maker", [0, 1]),
    ],
)
def test_three_handed_questions(maker: int, order: str, asked: list[int]) -> None:
    """The maker is asked first, then the defenders in their order, the second only if needed."""
    state = three(maker, defender_alone_order=order)
    assert (Phase.ALONE_MAKER, maker, ["alone", "with_dummy"]) == (
        state.phase,
        state.to_act,
        legal(state),
    )

    for answer in ("alone", "with_dummy"):
        first = play(state, answer)
        assert (Phase.ALONE_DEFENDER, asked[0], ["alone", "together"]) == (
            first.phase,
            first.to_act,
            legal(first),
        )
        second = play(first, "together")
        assert (Phase.ALONE_DEFENDER, asked[1]) == (second.phase, second.to_act)
        assert {(asked[0],)} == {play(second, "alone").sitting_out}
        assert {(asked[1],)} == {play(first, "alone").sitting_out}
        assert Phase.ALONE_DEFENDER is not play(first, "alone").phase
        assert Phase.ALONE_DEFENDER is not play(second, "together").phase
        assert Phase.ALONE_DEFENDER is not play(second, "alone").phase


def test_maker_words_are_the_games_own() -> None:
    """`together` is no answer of a three-handed maker, `with_dummy` none of a four-handed one."""
    with pytest.raises(WrongPhase):
        play(three(0), "together")
    with pytest.raises(WrongPhase):
        play(four(0), "with_dummy")
    with pytest.raises(WrongPhase):
        play(play(three(0), "alone"), "with_dummy")


@pytest.mark.parametrize(
    ("mode", "maker_says", "asked"),
    [
        ("always", "alone", True),
        ("always", "with_dummy", True),
        ("vs_lone_maker_only", "alone", True),
        ("vs_lone_maker_only", "with_dummy", False),
        ("never", "alone", False),
        ("never", "with_dummy", False),
    ],
)
def test_when_defenders_are_asked(mode: str, maker_says: str, *, asked: bool) -> None:
    """`defend_alone` decides whether the defenders are asked at all."""
    state = play(three(1, defend_alone=mode), maker_says)

    assert asked == (state.phase is Phase.ALONE_DEFENDER)
    together = play(four(1, defend_alone=mode), maker_says.replace("with_dummy", "together"))
    assert asked == (together.phase is Phase.ALONE_DEFENDER)


def test_maker_alone_switched_off() -> None:
    """Without `maker_alone` the maker is not asked and plays with dummy or partner."""
    assert (Phase.ALONE_DEFENDER, 1) == (
        three(0, maker_alone=False).phase,
        three(0, maker_alone=False).to_act,
    )
    assert Phase.EXCHANGE is three(0, maker_alone=False, defend_alone="never").phase
    assert Phase.PLAY is four(0, maker_alone=False).phase


def test_lone_maker_skips_the_exchange() -> None:
    """A maker who plays alone does not use the dummy."""
    assert Phase.PLAY is play(three(0), "alone, together, together").phase
    assert Phase.EXCHANGE is play(three(0), "with_dummy, together, together").phase


def test_four_handed_lone_maker() -> None:
    """A four-handed maker who goes alone sends the partner out."""
    state = play(four(1), "alone")

    assert (Phase.PLAY, (1,), (3,)) == (state.phase, state.alone, state.sitting_out)
    assert ["alone", "together"] == legal(four(1))
    assert () == play(four(1), "together").sitting_out


def test_four_handed_lone_defender() -> None:
    """A four-handed defender who goes alone sends the own partner out, in bidding order."""
    state = play(four(2, defend_alone="always"), "together")
    assert (Phase.ALONE_DEFENDER, 1) == (state.phase, state.to_act)

    first = play(state, "alone")
    second = play(state, "together, alone")
    assert ((1,), (3,), Phase.PLAY) == (first.alone, first.sitting_out, first.phase)
    assert ((3,), (1,), Phase.PLAY) == (second.alone, second.sitting_out, second.phase)


def test_four_handed_both_alone() -> None:
    """Maker and defender alone leave two players, whom both partners watch."""
    state = play(four(2, defend_alone="always"), "alone, alone")

    assert ((1, 2), (0, 3), 1) == (state.alone, state.sitting_out, state.to_act)


def test_four_handed_defenders_are_asked_after_the_discard() -> None:
    """Where the dealer takes the card, defenders speak after his discard (RULES.md section 8)."""
    state = dealt("four-handed", {}, up="9H", dealer=3, defend_alone="always")
    state = play(state, "order, together")
    assert Phase.DISCARD is state.phase

    state = play(state, legal(state)[0])
    assert (Phase.ALONE_DEFENDER, 1) == (state.phase, state.to_act)


# --- Canadian loner -------------------------------------------------------------------------------


def test_canadian_loner() -> None:
    """The dealer's partner who orders is alone without a question; nobody else is."""
    state = dealt("four-handed", {}, up="9H", dealer=3, canadian_loner=True)
    assert ["pass", "order"] == legal(play(state, "pass"))

    ordered = play(state, "pass, order")
    assert (Phase.PLAY, (1,), (3,)) == (ordered.phase, ordered.alone, ordered.sitting_out)
    for texts in ("order", "pass, pass, order", "pass, pass, pass, order"):
        assert Phase.ALONE_MAKER is play(state, texts).phase
    assert Phase.ALONE_MAKER is play(state, "pass, pass, pass, pass, pass, call S").phase


# --- the first leader -----------------------------------------------------------------------------

THREE_LEADERS = [
    # maker, what is said, alone_lead, both_alone_leader, leader
    (0, "with_dummy, together, together", "left_of_loner", "left_of_maker", 0),
    (1, "with_dummy, together, together", "left_of_dealer", "left_of_dealer", 0),
    (0, "alone, together, together", "left_of_loner", "left_of_maker", 1),
    (1, "alone, together, together", "left_of_loner", "left_of_maker", 2),
    (2, "alone, together, together", "left_of_loner", "left_of_maker", 0),
    (1, "alone, together, together", "left_of_dealer", "left_of_maker", 0),
    # a defender alone: left of him, past the sitter, is always the maker
    (0, "with_dummy, alone", "left_of_loner", "left_of_maker", 0),
    (0, "with_dummy, together, alone", "left_of_loner", "left_of_maker", 0),
    (1, "with_dummy, alone", "left_of_loner", "left_of_maker", 1),
    (1, "with_dummy, together, alone", "left_of_loner", "left_of_maker", 1),
    (2, "with_dummy, alone", "left_of_loner", "left_of_maker", 2),
    (2, "with_dummy, together, alone", "left_of_loner", "left_of_maker", 2),
    (2, "with_dummy, alone", "left_of_dealer", "left_of_maker", 0),
    (2, "with_dummy, together, alone", "left_of_dealer", "left_of_maker", 1),  # 0 sits out
    # both alone: left of the maker, past the sitter, is always the lone defender
    (0, "alone, alone", "left_of_loner", "left_of_maker", 1),
    (0, "alone, together, alone", "left_of_loner", "left_of_maker", 2),
    (2, "alone, together, alone", "left_of_loner", "left_of_maker", 1),
    (0, "alone, alone", "left_of_loner", "left_of_defender", 0),
    (1, "alone, together, alone", "left_of_loner", "left_of_defender", 1),
    (1, "alone, together, alone", "left_of_loner", "left_of_dealer", 1),  # 0 sits out
    (1, "alone, alone", "left_of_loner", "left_of_dealer", 0),
]


@pytest.mark.parametrize(("maker", "said", "alone_lead", "both", "leader"), THREE_LEADERS)
def test_three_handed_leader(
    maker: int, said: str, alone_lead: str, both: str, leader: int
) -> None:
    """The first leader is the one in the table of RULES.md section 3 and its options."""
    state = play(three(maker, alone_lead=alone_lead, both_alone_leader=both), said)
    if state.phase is Phase.EXCHANGE:
        state = play(state, KEEP_OWN)

    assert (Phase.PLAY, leader) == (state.phase, state.to_act)


@pytest.mark.parametrize(
    ("maker", "said", "alone_lead", "both", "leader"),
    [
        (1, "together, together, together", "left_of_dealer", "left_of_dealer", 0),
        (0, "alone, together, together", "left_of_dealer", "left_of_dealer", 0),
        (2, "alone, together, together", "left_of_dealer", "left_of_dealer", 1),  # 0 sits out
        (0, "alone, together, together", "left_of_loner", "left_of_dealer", 1),
        (1, "together, alone", "left_of_loner", "left_of_dealer", 1),  # 0 alone, 2 sits out
        (1, "together, together, alone", "left_of_dealer", "left_of_dealer", 1),  # 0 sits out
        (2, "alone, alone", "left_of_dealer", "left_of_dealer", 1),
        (2, "alone, alone", "left_of_dealer", "left_of_maker", 1),
        (2, "alone, alone", "left_of_dealer", "left_of_defender", 2),
        (1, "alone, alone", "left_of_dealer", "left_of_dealer", 0),
    ],
)
def test_four_handed_leader(maker: int, said: str, alone_lead: str, both: str, leader: int) -> None:
    """Four-handed the next active seat from the named place leads (RULES.md section 8)."""
    options = {"defend_alone": "always", "alone_lead": alone_lead, "both_alone_leader": both}
    state = play(four(maker, **options), said)

    assert (Phase.PLAY, leader) == (state.phase, state.to_act)


def test_two_handed_leader() -> None:
    """The non-dealer leads, whoever is maker (RULES.md section 2)."""
    state = dealt("two-handed", {}, up="9H", dealer=1)

    assert 0 == play(state, "order, decline").to_act
    assert 0 == play(state, "pass, pass, pass, call S").to_act
