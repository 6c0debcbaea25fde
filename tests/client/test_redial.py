"""Promises about when a bot dials again, without a network or a clock."""

from hypothesis import given
from hypothesis import strategies as st

from euchre_arena.redial import Patience, Redial

DRAWS = st.floats(0, 1)


@given(attempt=st.integers(0, 10_000), draw=DRAWS)
def test_a_wait_is_jittered_between_a_half_and_the_whole(attempt: int, draw: float) -> None:
    """Waits double, are drawn from their upper half, and never grow beyond the longest."""
    redial = Redial(within_s=30, first_s=0.25, most_s=4)
    whole = min(4, 0.25 * 2.0 ** min(attempt, 10))

    assert whole / 2 <= redial.delay_s(attempt, draw) <= whole


@given(draw=DRAWS)
def test_the_first_attempt_is_made_within_a_second(draw: float) -> None:
    """C-4: a short loss costs less than a second."""
    assert 0 < Redial().delay_s(0, draw) < 1


def test_bots_that_were_cut_together_come_back_apart() -> None:
    """C-7: two draws give two waits."""
    assert Redial().delay_s(0, 0.1) != Redial().delay_s(0, 0.9)


@given(within_s=st.floats(0, 100), draws=st.lists(DRAWS, min_size=1))
def test_all_waits_together_are_bounded(within_s: float, draws: list[float]) -> None:
    """Patience ends, and has by then waited just as long as it may."""
    number = iter(range(10**6))
    patience = Patience(Redial(within_s=within_s), lambda: draws[next(number) % len(draws)])
    waits = []
    while (delay := patience.next_delay_s()) is not None:
        waits.append(delay)

    assert abs(sum(waits) - within_s) < 1e-6


def test_attempts_cost_time_too_and_play_restores_it() -> None:
    """What an attempt took is taken off; when play goes on, all begins anew."""
    patience = Patience(Redial(within_s=10, first_s=1), lambda: 1.0)
    first = [patience.next_delay_s(), patience.next_delay_s()]
    patience.spend(7)
    over = patience.next_delay_s()
    patience.held(0.1, was_asked=True)

    assert [1.0, 2.0] == first
    assert over is None
    assert (10, 1.0) == (patience.left_s, patience.next_delay_s())


def test_losses_that_are_far_apart_do_not_add_up() -> None:
    """A bot that waits for its match for days outlives any number of short losses."""
    patience = Patience(Redial(within_s=10, first_s=1), lambda: 1.0)
    waits = []
    for _ in range(50):
        waits.append(patience.next_delay_s())
        patience.held(11, was_asked=False)

    assert [1.0] * 50 == waits


def test_connections_that_do_not_hold_are_given_up() -> None:
    """An arena that drops everybody at once does not keep a bot for ever."""
    patience = Patience(Redial(within_s=10, first_s=1), lambda: 1.0)
    count = 0
    while patience.next_delay_s() is not None:
        patience.held(9, was_asked=False)
        count += 1

    assert 4 == count


def test_what_was_tried_is_told() -> None:
    """The number of attempts counts the first, which nothing was waited for."""
    patience = Patience(Redial(within_s=2.5, first_s=1), lambda: 1.0)
    told = [patience.told()]
    while patience.next_delay_s() is not None:
        told.append(patience.told())

    expected = [f"dialled {times} within 2.5 s" for times in ("once", "2 times", "3 times")]
    assert expected == told
