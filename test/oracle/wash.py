"""Wash trading: what was bought and sold at once for no result but fees, and what it makes up of a volume (worth spec, "Wash")."""
from typing import NamedTuple, Optional

from exact import Est, divide, positive_sum, total

ROUNDING = 1e-9


class WashRules(NamedTuple):
    min_buys: int = 5
    min_sells: int = 5
    max_result: float = 0.002
    max_loss: float = 0.03
    max_holding: float = 120


def configured_wash(config):
    given = config.get("wash") or {}
    unknown = sorted(set(given) - set(WashRules._fields))
    if unknown:
        raise ValueError(f"unknown in wash: {', '.join(unknown)}")
    return WashRules(**{name: value for name, value in given.items() if value is not None})


def volume_of(trades):
    return total(t["usd_amount"] for t in trades if t["usd_amount"] is not None)


def native_volume_of(trades):
    return total(t["native_amount"] for t in trades if t["native_amount"] is not None)


class Pair(NamedTuple):
    """Places of a buy and of the sell that took from it, with the shares of their values: (paid, received), or None."""
    buy: int
    sell: int
    seconds: int
    usd: Optional[tuple]
    native: Optional[tuple]
    sold: Optional[float]

    @property
    def judged(self):
        return self.usd or self.native


def shares(buy, sell, amount, field):
    if buy[field] is None or sell[field] is None:
        return None
    return buy[field] * (amount / buy["token_amount"]), sell[field] * (amount / sell["token_amount"])


def sold_of(sell, amount):
    return None if sell["usd_amount"] is None else sell["usd_amount"] * (amount / sell["token_amount"])


def paired(trades):
    """Each sell takes from the newest buys that no sell took; `trades` are those of one position, oldest first."""
    untaken, found = [], []
    for place, t in enumerate(trades):
        if t["direction"] == "buy":
            untaken.append([place, t["token_amount"]])
            continue
        wanted = t["token_amount"]
        while untaken and wanted > ROUNDING * t["token_amount"]:
            newest = untaken[-1]
            buy = trades[newest[0]]
            amount = min(wanted, newest[1])
            seconds = t["block_time"] - buy["block_time"]
            found.append(Pair(newest[0], place, seconds, shares(buy, t, amount, "usd_amount"),
                              shares(buy, t, amount, "native_amount"), sold_of(t, amount)))
            wanted -= amount
            newest[1] -= amount
            if newest[1] <= ROUNDING * buy["token_amount"]:
                untaken.pop()
    return found


def is_even(result, volume, rules):
    bound = ROUNDING * volume
    return -rules.max_loss * volume - bound <= result <= rules.max_result * volume + bound


def round_trips(trades, rules):
    """The wash round trips of one position."""
    quick = [p for p in paired(trades) if p.seconds <= rules.max_holding and p.judged and sum(p.judged) > 0]
    trips = [p for p in quick if is_even(p.judged[1] - p.judged[0], sum(p.judged), rules)]
    if len({p.buy for p in trips}) < rules.min_buys or len({p.sell for p in trips}) < rules.min_sells:
        return []
    for values in ([p.usd for p in quick if p.usd], [p.native for p in quick if not p.usd]):
        if not is_even(total(r - b for b, r in values), total(b + r for b, r in values), rules):
            return []
    return trips


def washed(trades, rules):
    """(volume, native volume) of the wash round trips in trades of any number of positions."""
    by_position = {}
    for t in trades:
        by_position.setdefault(t["position"], []).append(t)
    trips = [p for here in by_position.values() for p in round_trips(here, rules)]
    usd = total(sum(p.usd) for p in trips if p.usd)
    native = total(sum(p.native) for p in trips if p.native)
    return at_most(usd, volume_of(trades)), at_most(native, native_volume_of(trades))


def at_most(wash, volume):
    return volume if wash >= volume * (1 - ROUNDING) else wash


def wash_volume(trades, rules):
    volume = washed(trades, rules)[0]
    return Est(volume, volume)


def wash_volume_native(trades, rules):
    volume = washed(trades, rules)[1]
    return Est(volume, volume)


QUICK = 60


def quick_proceeds(trades):
    """What each sell is worth of what was bought at most a minute before."""
    by_position = {}
    for t in trades:
        by_position.setdefault(t["position"], []).append(t)
    return [p.sold for here in by_position.values() for p in paired(here) if p.seconds <= QUICK and p.sold is not None]


def wash_metrics(trades, rules):
    """Of the trades of a window, of any number of positions."""
    usd, native = washed(trades, rules)
    volume = volume_of(trades)
    sold = [t["usd_amount"] for t in trades if t["direction"] == "sell" and t["usd_amount"] is not None]
    unvalued = sum(1 for t in trades if t["usd_amount"] is None)
    of_native = unvalued > len(trades) - unvalued
    part, whole = (native, native_volume_of(trades)) if of_native else (usd, volume)
    return {
        "wash_volume": Est(usd, usd),
        "wash_share": divide(positive_sum([part]), positive_sum([whole])),
        "organic_volume": Est(volume - usd, volume + usd),
        "quick_share": divide(positive_sum(quick_proceeds(trades)), positive_sum(sold), 100),
    }
