"""Sums, quotients and series statistics, each with the size of what went into it."""
import math
from typing import NamedTuple


class Est(NamedTuple):
    """A number, and the magnitude its rounding error is relative to."""
    value: float
    scale: float


def finite(x):
    return x if x is not None and math.isfinite(x) else None


def total(values):
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):
        return math.nan


def quotient(a, b):
    if a is None or b is None or b == 0:
        return None
    return finite(a / b)


class ExactSum:
    """A running sum that never rounds: every double is a whole multiple of 2^-1074."""

    def __init__(self):
        self.units = 0

    def add(self, x):
        numerator, denominator = float(x).as_integer_ratio()
        self.units += numerator << (1075 - denominator.bit_length())

    def value(self):
        try:
            return self.units / (1 << 1074)
        except OverflowError:
            return math.inf if self.units > 0 else -math.inf


def exactly(n):
    return Est(n, 0.0)


def positive_sum(values):
    """A sum of numbers that are not negative: its own size is its scale."""
    s = total(values)
    return Est(s, s)


def est_sum(ests):
    ests = list(ests)
    return Est(total(e.value for e in ests), total(e.scale for e in ests))


def divide(a, b, factor=1.0):
    """factor x a / b, with the scale that first-order propagation gives."""
    if a is None or b is None or b.value == 0:
        return None
    value = a.value / b.value * factor
    if not math.isfinite(value):
        return None
    size = abs(b.value)
    scale = abs(value) + factor * (a.scale / size + abs(a.value) / size * (b.scale / size))
    return Est(value, scale)


def mean(ests):
    ests = list(ests)
    if not ests:
        return None
    s = est_sum(ests)
    return Est(s.value / len(ests), s.scale / len(ests))


def series_scale(series):
    return max(abs(e.value) for e in series) + max(e.scale for e in series)


def volatility(series):
    """Sample standard deviation (metrics spec, section 4)."""
    n = len(series)
    if n < 2:
        return None
    values = [e.value for e in series]
    biggest = max(abs(v) for v in values)
    if biggest == 0:
        return Est(0.0, series_scale(series))
    # Divided by the largest value first, so that squares neither overflow nor vanish.
    unit = [v / biggest for v in values]
    centre = total(unit) / n
    deviation = math.sqrt(total((u - centre) * (u - centre) for u in unit) / (n - 1))
    if deviation <= 1e-12:
        deviation = 0.0
    return Est(deviation * biggest, series_scale(series))


def stability(series):
    middle, spread = mean(series), volatility(series)
    if middle is None or spread is None:
        return None
    size = Est(abs(middle.value), middle.scale)
    return divide(size, est_sum([size, spread]))


def sharpe(series, factor):
    spread = volatility(series)
    if spread is None or spread.value == 0:
        return None
    return divide(mean(series), spread, factor)


def sortino(series, factor):
    falls = [min(e.value, 0.0) for e in series]
    deepest = -min(falls, default=0.0)
    if deepest == 0:
        return None
    downside = deepest * math.sqrt(total((f / deepest) * (f / deepest) for f in falls) / len(falls))
    return divide(mean(series), Est(downside, series_scale(series)), factor)
