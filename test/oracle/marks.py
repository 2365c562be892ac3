"""Which prints are suspect, and which print marks a token (worth spec, "Clean marks")."""
import math
from collections import deque

from exact import finite

LAST, MAX_AGE, FEWEST = 21, 86400, 5
MARKS = ("clean", "last")


def configured_factor(config):
    factor = config.get("print_factor")
    factor = 5.0 if factor is None else float(factor)
    if finite(factor) is None or factor <= 1:
        raise ValueError(f"print_factor is a number above 1, not {factor}")
    return factor


def configured_marks(config):
    kind = config.get("marks") or "clean"
    if kind not in MARKS:
        raise ValueError(f"marks are {' or '.join(MARKS)}, not {kind}")
    return kind


def weighted_median(prints):
    """The least price such that the prints up to it have at least half of the value; prints are (price, value)."""
    for price in sorted({p for p, _ in prints}):
        # The sign of a correctly rounded sum is exact, where two rounded halves may compare the wrong way.
        if math.fsum(v if p <= price else -v for p, v in prints) >= 0:
            return price
    return None


def is_suspect(price, time, before, factor):
    """before: (time, price, value) of the last prints of the token, in chain order."""
    near = [(p, v) for t, p, v in before if time - t <= MAX_AGE]
    if len(near) < FEWEST:
        return False
    middle = weighted_median(near)
    return price > factor * middle or price * factor < middle


def judge_prints(swaps, factor):
    """Adds suspect_in and suspect_out to swaps in chain order; a leg without a print is not suspect."""
    last = {}
    for s in swaps:
        for side in ("in", "out"):
            price, time = s[f"print_{side}"], s["block_time"]
            s[f"suspect_{side}"] = False
            if price is not None:
                before = last.setdefault(s[f"token_{side}"], deque(maxlen=LAST))
                s[f"suspect_{side}"] = is_suspect(price, time, before, factor)
                before.append((time, price, s[f"value_{side}"]))


def token_marks(markets, kind):
    """{token: the print that values it} with usd_price and block_time, where it has one."""
    prints = "clean" if kind == "clean" else "all"
    found = {token: market.newest(prints) for token, market in markets.items()}
    return {
        token: {"usd_price": printed.price, "block_time": printed.time}
        for token, printed in found.items() if printed is not None
    }
