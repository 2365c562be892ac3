"""Reference prices: what quote tokens are worth from outside the swaps (worth spec, "Reference prices")."""
import math
from bisect import bisect_right
from typing import NamedTuple

from swaps import parse_integer, parse_number, parse_text

HIGHEST = 1e200
MAX_AGE = 90000


def parse_price(raw, roles):
    """(token, time, price or None to remove it), or None where the row is to be rejected."""
    if raw is None or "usd_price" not in raw:
        return None
    try:
        token = roles.token(parse_text(raw.get("token")))
        time, price = parse_integer(raw.get("time")), parse_number(raw["usd_price"])
    except (ValueError, TypeError, OverflowError):
        return None
    if time is None or not roles.is_quote(token):
        return None
    if price is not None and not (math.isfinite(price) and 0 < price <= HIGHEST):
        return None
    return token, time, price


class KnownPrice(NamedTuple):
    """A reference price, and since when it is known."""
    time: int
    price: float


class ReferencePrices:
    """The stored prices by token, after all rows in their order: a later row of a token and time replaces or removes."""

    def __init__(self, rows, roles, max_age=None):
        self.max_age = MAX_AGE if max_age is None else max_age
        if isinstance(self.max_age, bool) or self.max_age != int(self.max_age) or self.max_age < 0:
            raise ValueError(f"reference_max_age is {self.max_age!r}; give whole seconds from 0")
        self.rejected, stored = 0, {}
        for raw in rows:
            row = parse_price(raw, roles)
            if row is None:
                self.rejected += 1
                continue
            token, time, price = row
            if price is None:
                stored.get(token, {}).pop(time, None)
            else:
                stored.setdefault(token, {})[time] = price
        self.series = {token: sorted(found.items()) for token, found in stored.items()}
        self.times = {token: [time for time, _ in found] for token, found in self.series.items()}

    def known(self, token, t):
        """The newest price at or before t, unless it is older than the maximum age; None without one."""
        found = self.newest(token, t)
        return None if found is None or t - found.time > self.max_age else found

    def newest(self, token, t):
        """The newest price at or before t, of any age; None without one."""
        i = bisect_right(self.times.get(token, ()), t)
        return None if i == 0 else KnownPrice(*self.series[token][i - 1])

    def counts(self):
        return {"stored": sum(map(len, self.series.values())), "rejected": self.rejected}
