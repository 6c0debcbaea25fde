"""Owns Student's t quantiles, computed here so that the arena needs no scipy.

The upper tail of t with `df` degrees of freedom is half of the regularised incomplete beta function
I_x(df / 2, 1 / 2) at x = df / (df + t^2), evaluated by its continued fraction (Lentz's method), and
inverted by bisection. Must not know what is measured.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, isclose, lgamma, log, log1p
from typing import Final

__all__ = ["t_quantile"]

_TINY: Final = 1e-300
_ROUNDS: Final = 10_000


@lru_cache(maxsize=256)
def t_quantile(upper_tail: float, df: int) -> float:
    """Returns the value that Student's t exceeds with the given probability.

    Args:
        upper_tail: More than 0, less than 1/2.
        df: Degrees of freedom, at least 1.

    Raises:
        ValueError: An argument is out of range.
    """
    if not 0 < upper_tail < 0.5 or df < 1:
        raise ValueError(f"no quantile of upper tail {upper_tail} with {df} degrees of freedom")
    low, high = 0.0, 1.0
    while _upper_tail(high, df) > upper_tail:
        low, high = high, high * 2
    while not isclose(low, high, rel_tol=1e-13):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        if _upper_tail(middle, df) > upper_tail:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _upper_tail(t: float, df: int) -> float:
    """Returns the probability that Student's t exceeds a value of at least 0."""
    square = t * t
    # Both x and 1 - x are given, since one of them loses all digits where the other is near 1.
    return _beta(df / 2, 0.5, x=df / (df + square), rest=square / (df + square)) / 2


def _beta(a: float, b: float, *, x: float, rest: float) -> float:
    """Returns the regularised incomplete beta function I_x(a, b); `rest` is 1 - x."""
    if rest == 0:
        return 1.0
    if x > (a + 1) / (a + b + 2):  # where the fraction converges slowly, use the symmetry
        return 1.0 - _beta(b, a, x=rest, rest=x)
    log_x = log(x) if x < 0.5 else log1p(-rest)
    log_rest = log(rest) if rest < 0.5 else log1p(-x)
    front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log_x + b * log_rest
    return exp(front) * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    """Returns the continued fraction of the incomplete beta function."""
    c = 1.0
    d = 1.0 / _nonzero(1.0 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _ROUNDS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 / _nonzero(1.0 + term * d)
            c = _nonzero(1.0 + term / c)
            value *= c * d
        if isclose(c * d, 1.0, rel_tol=1e-15):
            break
    return value


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
