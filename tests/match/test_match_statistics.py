"""Quantiles against scipy, intervals against their definition and in simulation, and the guards."""

from math import isfinite

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]  # it ships no types

from euchre_server.match.quantiles import t_quantile
from euchre_server.match.statistics import Estimate, estimate_mean, estimate_ratio

POINTS = st.integers(min_value=-4, max_value=4)
BOUNDS = (-4.0, 4.0)


@pytest.mark.parametrize("df", [1, 2, 3, 7, 39, 199, 10_000, 1_000_000])
@pytest.mark.parametrize("tail", [0.4999, 0.3, 0.025, 0.05 / 6, 1e-4, 1e-9])
def test_t_quantiles_agree_with_scipy(tail: float, df: int) -> None:
    """The arena's own quantile is scipy's, to eight digits."""
    assert t_quantile(tail, df) == pytest.approx(stats.t.isf(tail, df), rel=1e-8)


@pytest.mark.parametrize(("tail", "df"), [(0.5, 3), (0.0, 3), (-0.1, 3), (0.1, 0)])
def test_quantiles_that_do_not_exist_are_refused(tail: float, df: int) -> None:
    """A tail of nothing, of a half or more, and no degrees of freedom are errors."""
    with pytest.raises(ValueError, match="no quantile"):
        t_quantile(tail, df)


@given(st.lists(POINTS, min_size=2, max_size=60).filter(lambda values: len(set(values)) > 1))
def test_a_mean_has_the_t_interval(values: list[int]) -> None:
    """Mean and interval are scipy's, cut at the bounds."""
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)

    estimate = estimate_mean(values, bounds=BOUNDS)

    assert estimate is not None
    assert float(np.mean(values)) == pytest.approx(estimate.value)
    assert max(-4.0, expected.low) == pytest.approx(estimate.low)
    assert min(4.0, expected.high) == pytest.approx(estimate.high)


def test_simultaneous_intervals_are_bonferroni() -> None:
    """Three intervals together are each at a third of the error rate."""
    values = [1, -2, 0, 3, 1, 1, 0, 2]
    expected = stats.ttest_1samp(values, 0).confidence_interval(1 - 0.05 / 3)

    estimate = estimate_mean(values, bounds=BOUNDS, simultaneous=3)

    assert estimate is not None
    assert (expected.low, expected.high) == pytest.approx((estimate.low, estimate.high))


def test_a_ratio_of_equal_sizes_is_the_mean() -> None:
    """Points a hand over boards of three hands are a third of points a board, interval and all."""
    totals = [1, 5, 0, 2, 2, 7, 3]

    per_hand = estimate_ratio(totals, [3] * 7, bounds=(0, 4))
    per_board = estimate_mean(totals, bounds=(0, 12))

    assert per_hand is not None
    assert per_board is not None
    assert [per_hand.value * 3, per_hand.low * 3, per_hand.high * 3] == pytest.approx(
        [per_board.value, per_board.low, per_board.high]
    )


def test_a_board_without_a_hand_may_come_first() -> None:
    """All games of it may have been forfeited at once; what follows differs no less for that."""
    last = estimate_ratio([5, 3, 9, 0], [2, 3, 4, 0], bounds=(-4, 4))
    first = estimate_ratio([0, 5, 3, 9], [0, 2, 3, 4], bounds=(-4, 4))

    assert last is not None
    assert first is not None
    assert [last.low, last.high] == pytest.approx([first.low, first.high])


def test_no_board_has_no_estimate() -> None:
    """Missing is not zero."""
    assert estimate_mean([], bounds=BOUNDS) is None


def test_one_board_only_excludes_what_cannot_be() -> None:
    """A single board gives its value and the widest interval that there is."""
    assert Estimate(2.0, -4.0, 4.0) == estimate_mean([2], bounds=BOUNDS)


@given(value=POINTS, count=st.integers(min_value=2, max_value=500))
def test_boards_all_alike_leave_some_doubt(value: int, count: int) -> None:
    """Equal boards have an interval around their value that shrinks with their number."""
    estimate = estimate_mean([value] * count, bounds=BOUNDS)
    more = estimate_mean([value] * (count + 1), bounds=BOUNDS)

    assert estimate is not None
    assert more is not None
    assert estimate.low <= value <= estimate.high
    assert 0 < more.high - more.low < estimate.high - estimate.low <= 8


@given(st.lists(POINTS, max_size=40), st.integers(min_value=1, max_value=10))
def test_nothing_is_ever_infinite_or_undefined(values: list[int], simultaneous: int) -> None:
    """Whatever the sample: three finite numbers in order, within the bounds."""
    estimate = estimate_mean(values, bounds=BOUNDS, simultaneous=simultaneous)

    if estimate is not None:
        assert all(map(isfinite, (estimate.value, estimate.low, estimate.high)))
        assert -4 <= estimate.low <= estimate.value <= estimate.high <= 4


def _coverage(samples: np.ndarray, mean: float, simultaneous: int = 1) -> float:
    hits = 0
    for sample in samples:
        estimate = estimate_mean(sample.tolist(), bounds=BOUNDS, simultaneous=simultaneous)
        assert estimate is not None
        hits += estimate.low <= mean <= estimate.high
    return hits / len(samples)


def test_intervals_cover_the_true_mean_as_often_as_they_say() -> None:
    """In simulation, 95 of 100 intervals of 40 boards hold the true difference."""
    random = np.random.default_rng(7)
    values, shares = [-3, -1, 0, 1, 2], [0.1, 0.3, 0.2, 0.25, 0.15]
    samples = random.choice(values, p=shares, size=(2000, 40))

    assert 0.935 < _coverage(samples, float(np.dot(values, shares))) < 0.965


def test_rare_differences_are_not_ruled_out_by_equal_boards() -> None:
    """Where 1 board in 50 differs, intervals of 20 mostly equal boards still hold the mean."""
    random = np.random.default_rng(8)
    samples = random.choice([0, 4], p=[0.98, 0.02], size=(1000, 20))

    assert _coverage(samples, 0.08) > 0.93


def test_hands_of_a_board_do_not_count_as_independent() -> None:
    """Where the hands of a board go together, the interval is as wide as that of the boards."""
    random = np.random.default_rng(9)
    boards = random.choice([0, 1, 2], size=60)

    together = estimate_ratio((boards * 3).tolist(), [3] * 60, bounds=(0, 2))
    alone = estimate_mean(boards.tolist(), bounds=(0, 2))

    assert together is not None
    assert alone is not None
    assert [alone.low, alone.high] == pytest.approx([together.low, together.high])
