"""Prices, statistics, candles, history, balances, portfolios (metrics spec, sections 1 and 7)."""
from bisect import bisect_right
from typing import NamedTuple, Optional

from exact import finite, quotient, total
from pair import amount_of, as_float, cost_of
from swaps import is_self_swap

STATS_WINDOWS = {"5m": 300, "1h": 3600, "6h": 21600, "12h": 43200, "1d": 86400, "7d": 604800, "30d": 2592000}


class Print(NamedTuple):
    time: int
    price: float
    slot: int
    suspect: bool
    voice: bool
    in_native: Optional[float]


class TokenMarket:
    """Everything that swaps say about one token, in chain order."""

    def __init__(self):
        self.swap_times, self.values = [], []
        # By name of a set of prints; the times stand alone to be searched.
        self.prints = {"all": [], "clean": [], "voiced": []}
        self.print_times = {"all": [], "clean": [], "voiced": []}

    def add(self, s, side):
        self.swap_times.append(s["block_time"])
        self.values.append(s["pooled_usd"])
        if s[f"print_{side}"] is None:
            return
        printed = Print(
            s["block_time"], s[f"print_{side}"], s["block_slot"], s[f"suspect_{side}"], s[f"voice_{side}"],
            s[f"in_native_{side}"],
        )
        clean = [] if printed.suspect else ["clean", "voiced"] if printed.voice else ["clean"]
        for name in ["all", *clean]:
            self.prints[name].append(printed)
            self.print_times[name].append(printed.time)

    def newest(self, prints="all"):
        return self.prints[prints][-1] if self.prints[prints] else None

    def price_at(self, t, prints="all"):
        """p(t): the last print at or before t."""
        i = bisect_right(self.print_times[prints], t)
        return self.prints[prints][i - 1].price if i else None

    def between(self, start, end):
        """All prints in (start, end]."""
        times = self.print_times["all"]
        return self.prints["all"][bisect_right(times, start):bisect_right(times, end)]

    def clean_in(self, start, end):
        return [printed.price for printed in self.between(start, end) if not printed.suspect]

    def suspects_in(self, start, end):
        return sum(1 for printed in self.between(start, end) if printed.suspect)

    def volume(self, start, end):
        """USD volume in (start, end]."""
        here = self.values[bisect_right(self.swap_times, start):bisect_right(self.swap_times, end)]
        return finite(total(v for v in here if v is not None))


def token_markets(swaps):
    markets = {}
    for s in swaps:
        if is_self_swap(s):
            continue
        for side in ("in", "out"):
            markets.setdefault(s[f"token_{side}"], TokenMarket()).add(s, side)
    return markets


def latest_price(market, mark):
    """The newest print, whether it is suspect, and the clean mark (None without one)."""
    newest = market.newest()
    if newest is None:
        return None
    return {
        "usd_price": newest.price, "block_slot": newest.slot, "block_time": newest.time, "suspect": newest.suspect,
        "clean_usd_price": None if mark is None else mark.usd_price,
    }


def percent_change(now, before):
    part = quotient(now, before)
    return None if part is None else finite((part - 1) * 100)


def price_stats(token, market, mark, as_of):
    stats = {"token": token, **latest_price(market, mark)}
    for name, w in STATS_WINDOWS.items():
        stats[f"usd_price_change_{name}"] = percent_change(
            market.price_at(as_of, "clean"), market.price_at(as_of - w, "clean"))
        volume = market.volume(as_of - w, as_of)
        stats[f"usd_volume_{name}"] = volume
        stats[f"usd_volume_change_{name}"] = percent_change(volume, market.volume(as_of - 2 * w, as_of - w))
    return stats


def bucket_start(time, interval):
    """Buckets count from 1970-01-01, those of whole weeks from Monday 1970-01-05."""
    origin = 4 * 86400 if interval % (7 * 86400) == 0 else 0
    return (time - origin) // interval * interval + origin


def candles(market, interval, prints="all"):
    """[timestamp, open, high, low, close, volume, count, suspect_count] of every bucket with such a print, ascending."""
    buckets = {}
    for time, value in zip(market.swap_times, market.values):
        _, values = buckets.setdefault(bucket_start(time, interval), ([], []))
        values.append(value)
    for printed in market.prints[prints]:
        buckets[bucket_start(printed.time, interval)][0].append(printed.price)
    rows = []
    for start in sorted(buckets):
        prices, values = buckets[start]
        if prices:
            volume = finite(total(v for v in values if v is not None))
            # Times are whole seconds: the bucket is (start - 1, start + interval - 1].
            suspects = market.suspects_in(start - 1, start + interval - 1)
            rows.append([start, prices[0], max(prices), min(prices), prices[-1], volume, len(values), suspects])
    return rows


def candle_section(markets, intervals, prints="all"):
    """By token and interval."""
    return {token: {str(i): candles(m, i, prints) for i in intervals} for token, m in markets.items()}


def price_history(market, start, end, interval, as_of, prints="all"):
    points = []
    for t in range(start, min(end, as_of) + 1, interval):
        price = market.price_at(t, prints)
        if price is not None:
            points.append({
                "timestamp": t, "usd_price": price, "usd_volume": market.volume(t - interval, t),
                "suspect_count": market.suspects_in(t - interval, t),
            })
    return points


def product(a, b):
    return None if a is None or b is None else finite(a * b)


def either(a, b):
    return b if a is None else a


def token_market_section(mark, facts, held):
    """The nine market fields; held is {wallet: balance} of the token, facts its registry row or {}."""
    supply, circulating = facts.get("total_supply"), facts.get("circulating_supply")
    positive = sorted((b for b in held.values() if b > 0), reverse=True)
    creator = facts.get("creator_address")
    dev_share = quotient(max(held.get(creator, 0.0), 0.0), supply)
    top_share = quotient(total(positive[:10]), supply)
    return {
        "fdv": mark and mark.times(supply),
        "market_cap": mark and mark.times(either(circulating, supply)),
        "price": mark and mark.usd_price,
        "liquidity": facts.get("liquidity"),
        "holders": either(facts.get("holders"), len(positive)),
        "total_supply": supply,
        "circulating_supply": circulating,
        "top_holdings": product(top_share, 100),
        "dev_holdings": None if creator is None else product(dev_share, 100),
    }


def portfolio(wallet, held, positions, price_of, symbol_of):
    rows = []
    for token, balance in held.items():
        if balance <= 0:
            continue
        price = price_of(token)
        position = positions.get((wallet, token))
        lots = position.known_lots() if position else []
        cost = finite(as_float(cost_of(lots))) if lots else None
        amount = as_float(amount_of(lots))
        worth = product(amount, price) if lots else None
        rows.append({
            "token": token,
            "symbol": symbol_of(token),
            "balance": balance,
            "price": price,
            "value": product(balance, price),
            "cost_basis": cost,
            "unrealized_pnl": None if worth is None or cost is None else finite(worth - cost),
            "unmatched_amount": max(0.0, balance - amount),
        })
    rows.sort(key=lambda r: (r["value"] is None, -(r["value"] or 0.0), r["token"]))
    return {"value": finite(total(r["value"] for r in rows if r["value"] is not None)), "tokens": rows}
