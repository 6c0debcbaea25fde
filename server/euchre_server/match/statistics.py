"""Owns the estimates of a match: means with t intervals, over boards and never over single hands.

The hands of one board share its cards, so a board is one observation (DESIGN.md section 9). For the
mean over equal boards the cluster-robust standard error is that of the board totals; where boards
differ in how many hands they had, it is that of the ratio of two sums.
Must not know bots, tables or how results are printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from euchre_server.match.quantiles import t_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ERROR_RATE", "Estimate", "estimate_mean", "estimate_ratio"]

ERROR_RATE: Final = 0.05
"""How often an interval, or any of several simultaneous ones, may miss."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate with its interval; all three are finite."""

    value: float
    low: float
    high: float


def estimate_mean(
    values: Sequence[float], *, bounds: tuple[float, float], simultaneous: int = 1
) -> Estimate | None:
    """Returns the mean of one value a board; None without boards.

    Args:
        values: One a board.
        bounds: Between which every value lies, whatever happens.
        simultaneous: How many intervals are to hold all together. Each is made at this fraction of
            the error rate (Bonferroni), which holds however they depend on each other.
    """
    return estimate_ratio(values, [1] * len(values), bounds=bounds, simultaneous=simultaneous)


def estimate_ratio(
    totals: Sequence[float],
    sizes: Sequence[int],
    *,
    bounds: tuple[float, float],
    simultaneous: int = 1,
) -> Estimate | None:
    """Returns the sum of totals divided by the sum of sizes; None without boards.

    Args:
        totals: One a board.
        sizes: What each total is divided by, such as the board's hands; not all 0.
        bounds: Between which total / size of every board lies, whatever happens.
        simultaneous: As in `estimate_mean`.

    The usual interval says nothing where nothing varies. One board, or boards that are all alike,
    get the interval that such a sample still allows: if a share p of all boards differed, then n
    boards would all be alike with a probability of at most (1 - p)^(n - 1); so p is at most
    1 - error^(1 / (n - 1)), and the boards that differ lie between the bounds.
    """
    count = len(totals)
    if count == 0:
        return None
    total, size = np.asarray(totals, dtype=float), np.asarray(sizes, dtype=float)
    value = float(total.sum() / size.sum())
    error = ERROR_RATE / simultaneous
    low, high = min(bounds[0], value), max(bounds[1], value)
    if count == 1 or bool(np.all(total * size.sum() == total.sum() * size)):
        share = 1.0 if count == 1 else 1.0 - error ** (1.0 / (count - 1))
        return Estimate(value, value - share * (value - low), value + share * (high - value))
    residuals = total - value * size
    spread = sqrt(count / (count - 1) * float(residuals @ residuals)) / float(size.sum())
    half = t_quantile(error / 2, count - 1) * spread
    return Estimate(value, max(low, value - half), min(high, value + half))
