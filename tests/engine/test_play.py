"""Tricks: following, turn order, winners, and the end of a hand (RULES.md sections 1-4)."""

from __future__ import annotations

import pytest
from written_hands import dealt, legal, play, play_anything

from euchre_engine import NotAllowed, Phase, Reason, WrongPhase, outcome


def test_turns_go_clockwise_from_the_leader() -> None:
    """The winner of a trick leads to the next, the others follow clockwise."""
    state = dealt(
        "three-handed",
        {0: "9C TC QD KD AD", 1: "KC AC 9D TD QH", 2: "QC 9H TH KH AH"},
        up="9S",
        dealer=2,
        maker_alone=False,
        defend_alone="never",
    )
    state = play(state, "order, decline, keep 9C TC QD KD AD")
    state = play(state, "play 9C, play AC")
    assert 2 == state.to_act
    state = play(state, "play QC")

    assert (1, 1) == (state.to_act, state.leader)
    assert [1, 2, 0] == [
        play(state, *more).to_act for more in ([], ["play QH"], ["play QH", "play KH"])
    ]


def test_hand_ends_after_five_tricks() -> None:
    """Five tricks end the hand; every card is then played and nothing is asked."""
    state = play_anything(dealt("two-handed", {}, up="9H", dealer=1, stick_the_dealer=True))

    assert (Phase.DONE, None, 5) == (state.phase, state.to_act, len(state.tricks))
    assert [()] * 2 == [state.hand(seat) for seat in state.rules.seats]
    assert [] == legal(state)
    with pytest.raises(WrongPhase) as caught:
        play(state, "pass")
    assert Reason.HAND_OVER is caught.value.reason


def test_trick_in_progress() -> None:
    """The trick in progress is listed last, without a winner; before its first card not at all."""
    state = play(dealt("two-handed", {0: "AS"}, up="9H", dealer=1), "order, decline")
    assert ((), None) == (state.tricks, state.trick)

    state = play(state, "play AS")
    assert ((0, None), state.trick) == (
        (state.tricks[-1].leader, state.tricks[-1].winner),
        state.tricks[-1],
    )


def test_refused_cards() -> None:
    """A card that is not held, or that does not follow, is refused with the reason."""
    state = dealt("two-handed", {0: "TD 9S TS JS KC", 1: "AD AS 9H TH JC"}, up="QS", dealer=1)
    state = play(state, "order, decline, play TD")

    for text, reason in {
        "play AS": Reason.MUST_FOLLOW,
        "play QS": Reason.NOT_IN_HAND,
        "play TD": Reason.NOT_IN_HAND,
        "play KC": Reason.NOT_IN_HAND,
    }.items():
        with pytest.raises(NotAllowed) as caught:
            play(state, text)
        assert (reason, ("play AD",)) == (caught.value.reason, tuple(map(str, caught.value.legal)))


def test_void_plays_anything() -> None:
    """Who cannot follow may play any card: no duty to trump."""
    state = dealt("two-handed", {0: "TD 9S TS JS KC", 1: "AC AS 9H TH JC"}, up="QS", dealer=1)
    state = play(state, "order, decline, play TD")

    assert 5 == len(legal(state))


# --- end_hand_early -------------------------------------------------------------------------------

STRONG = {0: "JS JC AS KS QS", 1: "9C 9D 9H TC TD"}
"""With spades trump seat 0 takes every trick."""


def two_handed(*, early: bool) -> list[str]:
    """Returns the points after each play of a hand in which seat 0 takes every trick."""
    state = play(
        dealt("two-handed", STRONG, up="9S", dealer=1, end_hand_early=early), "order, decline"
    )
    seen = []
    while state.phase is Phase.PLAY:
        state = play(state, legal(state)[0])
        seen.append(str(state.phase))
    result = outcome(state)
    assert result is not None
    return [*seen, str(result.points)]


def test_open_result_is_played_out() -> None:
    """A maker with four of four plays on for the march, also with `end_hand_early`."""
    assert two_handed(early=False) == two_handed(early=True)
    assert 11 == len(two_handed(early=True))


@pytest.mark.parametrize(
    ("options", "tricks"),
    [
        ({}, 3),  # three for the defenders decide a euchre of 2, marched or not
        ({"defender_march_points": 4}, 5),  # until the last trick a march is worth more
        ({"end_hand_early": False}, 5),
    ],
)
def test_settled_result_ends_the_hand(options: dict[str, object], tricks: int) -> None:
    """`end_hand_early` stops as soon as no trick can change the points, and the score is alike."""
    rules = {"end_hand_early": True, "defend_alone": "never", **options}
    hands = {0: "9C 9D 9S TC TD", 1: "JH JD AH KH QH", 2: "AS KS QS AC KC"}
    state = dealt("three-handed", hands, up="9H", dummy="TH TS JS JC QC", dealer=2, **rules)  # type: ignore[arg-type]
    state = play_anything(play(state, "order, decline, with_dummy, keep 9C 9D 9S TC TD"))
    result = outcome(state)
    assert result is not None

    assert tricks == len(state.tricks)
    expected = 4 if "defender_march_points" in options else 2
    assert (0, expected, expected) == result.points


def test_first_lost_trick_may_settle_a_made_hand() -> None:
    """A maker with three tricks who has lost one can come to nothing else but a made hand."""
    hands = {0: "JS JC AS 9C 9D", 1: "KS TS AC AD TH"}
    state = dealt("two-handed", hands, up="9S", dealer=1, end_hand_early=True)
    state = play(state, "order, decline, play JS, play TS, play JC, play KS, play AS, play TH")
    assert Phase.PLAY is state.phase  # a march is still to be had

    state = play(state, "play 9C, play AC")
    assert (Phase.DONE, 4) == (state.phase, len(state.tricks))
    four = dealt(
        "two-handed", hands, up="9S", dealer=1, end_hand_early=True, two_handed_four_tricks=2
    )
    four = play(four, "order, decline, play JS, play TS, play JC, play KS, play AS, play TH")
    assert Phase.PLAY is play(four, "play 9C, play AC").phase  # the fourth is worth a point
