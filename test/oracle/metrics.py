"""Windowed metrics of wallets and tokens (metrics spec, sections 3 to 6)."""
import math
import sys
from bisect import bisect_right
from decimal import Decimal, getcontext

from exact import (
    Est, ExactSum, divide, est_sum, exactly, mean, positive_sum, sharpe, sortino, stability, total, volatility,
)
from wash import WashRules, wash_metrics
from worth import TOKEN_WORTH, WALLET_WORTH, worth_metrics

DAY = 86400
LONGEST = 30 * DAY
# window: (length, period length)
WALLET_WINDOWS = {
    "30d": (30 * DAY, DAY), "14d": (14 * DAY, DAY), "7d": (7 * DAY, DAY), "3d": (3 * DAY, 3 * 3600), "1d": (DAY, 3600),
}
TOKEN_WINDOWS = {
    "7d": (7 * DAY, 6 * 3600), "1d": (DAY, 3600), "6h": (6 * 3600, 1800), "1h": (3600, 300), "5m": (300, 30),
    "1m": (60, 5),
}
WALLET_METRICS = """
risk_score consistency_score largest_win largest_loss max_consecutive_wins max_consecutive_losses
avg_buy_size avg_sell_size avg_buy_mcap avg_sell_mcap
avg_daily_pnl avg_daily_roi avg_daily_trade_count avg_daily_traded_tokens avg_daily_volume
avg_holding_duration avg_trade_delta avg_pnl avg_roi avg_token_pnl avg_token_roi token_roi_distribution
trade_count buy_count sell_count position_count win_count loss_count
pnl win_pnl loss_pnl volume buy_volume sell_volume
winrate volume_weighted_winrate roi volume_weighted_roi time_weighted_roi
pnl_volume_ratio token_hit_ratio win_loss_size_ratio profit_factor profit_expectancy recovery_factor
winrate_stability winrate_volatility pnl_stability pnl_volatility roi_stability roi_volatility
sharpe_ratio sortino_ratio max_drawdown risk_of_ruin turnover
wash_volume wash_share quick_share
unmatched_proceeds unmatched_share away_cost returned_cost
""".split() + WALLET_WORTH
TOKEN_METRICS = """
largest_trade_win largest_trade_loss
avg_buy_size avg_sell_size avg_price avg_buy_price avg_sell_price avg_buy_mcap avg_sell_mcap
avg_holding_duration avg_trade_pnl avg_trade_roi avg_wallet_winrate avg_wallet_pnl avg_wallet_roi
wallet_roi_distribution
makers_count buyers_count sellers_count buy_count sell_count
win_position_count loss_position_count win_pnl loss_pnl
buy_volume sell_volume pnl trade_count volume position_count
volume_weighted_winrate volume_weighted_roi wallet_hit_ratio profit_factor win_loss_size_ratio pnl_volume_ratio
price_stability price_volatility roi_stability roi_volatility pnl_volatility pnl_stability
sharpe_ratio sortino_ratio max_drawdown
organic_volume unmatched_share
""".split() + TOKEN_WORTH
DURATIONS = ("avg_holding_duration", "avg_trade_delta")


class Entity:
    """A wallet's, a token's or a position's trades in trade order, its open cost C after each of them, and what counts
    as wash."""

    def __init__(self, trades, wash=WashRules(), bare_fees=(), cost_here=None):
        """`cost_here`: of a position, the cost that is here, which counts if no trade is in the longest window."""
        self.trades, self.wash, self.bare_fees, self.cost_here = trades, wash, bare_fees, cost_here
        self.times = [t["block_time"] for t in trades]
        self.costs, self.peaks = [], []
        running, latest, peak = ExactSum(), {}, 0.0
        for t in trades:
            open_cost = t["open_cost"] or 0.0
            running.add(open_cost)
            running.add(-latest.get(t["position"], 0.0))
            latest[t["position"]] = open_cost
            cost = running.value()
            peak = max(peak, cost)
            self.costs.append(cost)
            self.peaks.append(peak)

    def between(self, start, end):
        return self.trades[bisect_right(self.times, start):bisect_right(self.times, end)]

    def bare_between(self, start, end):
        """Fees of transactions without a trade in (start, end]."""
        return [fee for fee in self.bare_fees if start < fee["block_time"] <= end]

    def cost_at(self, t):
        """C(t). A running C elsewhere rounds at the size of its peak: 1e-6 of it leaves 1e-15 for that."""
        i = bisect_right(self.times, t)
        return Est(self.costs[i - 1], self.costs[i - 1] + 1e-6 * self.peaks[i - 1]) if i else exactly(0.0)

    def mean_cost(self, start, end):
        """Time average of C over (start, end]."""
        first, last = bisect_right(self.times, start), bisect_right(self.times, end)
        if self.cost_here is not None and bisect_right(self.times, end - LONGEST) == len(self.times):
            return Est(self.cost_here, self.cost_here)
        edges = [start] + self.times[first:last] + [end]
        levels = [self.cost_at(start).value] + self.costs[first:last]
        area = total(c * (b - a) for c, a, b in zip(levels, edges, edges[1:]))
        average = area / (end - start)
        return Est(average, average + 1e-6 * (self.peaks[last - 1] if last else 0.0))


def known_usd(trades):
    return [t["usd_amount"] for t in trades if t["usd_amount"] is not None]


def flow_size(r):
    return r["cost"] + r["proceeds"]


def results_of(trades):
    """Realised and small sells."""
    return [t for t in trades if t["realized"] or t["small"]]


def pnl_of(r):
    return Est(r["realized_pnl_usd"], flow_size(r))


def pnl_sum(realised):
    return est_sum(pnl_of(r) for r in realised)


def cost_sum(realised):
    return positive_sum([r["cost"] for r in realised])


def roi_of(pnl, cost):
    return divide(pnl, cost, 100.0)


def sell_roi(r):
    return roi_of(pnl_of(r), Est(r["cost"], r["cost"]))


def known(ests):
    return [e for e in ests if e is not None]


def wins_of(realised):
    return [r for r in realised if r["realized_pnl_usd"] > 0]


def losses_of(realised):
    return [r for r in realised if r["realized_pnl_usd"] < 0]


def winrate_of(realised):
    wins, losses = len(wins_of(realised)), len(losses_of(realised))
    return divide(exactly(wins), exactly(wins + losses), 100.0)


def by_position(realised):
    found = {}
    for r in realised:
        found.setdefault(r["position"], []).append(r)
    return found


def roi_distribution(rois):
    counts = {"gt_500": 0, "200_500": 0, "0_200": 0, "neg50_0": 0, "lt_neg50_0": 0}
    for roi in rois:
        if roi > 500:
            counts["gt_500"] += 1
        elif roi > 200:
            counts["200_500"] += 1
        elif roi >= 0:
            counts["0_200"] += 1
        elif roi >= -50:
            counts["neg50_0"] += 1
        else:
            counts["lt_neg50_0"] += 1
    return counts


class Distribution(dict):
    """Counts by class, and for each class how many of them rounding may move into or out of it."""

    def __init__(self, rois):
        values = [roi.value for roi in rois]
        super().__init__(roi_distribution(values))
        self.doubtful = {name: 0 for name in self}
        for edge in (500, 200, -50):
            near = sum(abs(value - edge) <= 1e-9 * abs(edge) for value in values)
            for name, beside in roi_distribution([edge * (1 - 1e-8), edge * (1 + 1e-8)]).items():
                self.doubtful[name] += near * beside


class Series:
    """The window cut into equal periods that end at A, oldest first (metrics spec, section 4)."""

    def __init__(self, entity, as_of, length, period):
        self.period, self.count = period, length // period
        self.ends = [as_of - (self.count - 1 - k) * period for k in range(self.count)]
        self.trades = [[] for _ in range(self.count)]
        for t in entity.between(as_of - length, as_of):
            self.trades[self.count - 1 - (as_of - t["block_time"]) // period].append(t)
        self.realised = [[t for t in here if t["realized"]] for here in self.trades]
        self.pnl = [pnl_sum(results_of(here)) for here in self.trades]
        self.roi = [self.roi_in(k, entity) for k in range(self.count)]
        self.winrate = known(winrate_of(here) for here in self.realised)
        self.active = sum(1 for here in self.realised if here)

    def roi_in(self, k, entity):
        bought = positive_sum(known_usd([t for t in self.trades[k] if t["direction"] == "buy"]))
        base = est_sum([entity.cost_at(self.ends[k] - self.period), bought])
        return exactly(0.0) if base.value == 0 else roi_of(self.pnl[k], base)

    def rois(self):
        return None if None in self.roi else self.roi


def enough(series, have):
    """The series, or None where fewer than 3 periods carry something."""
    return series if series is not None and have >= 3 else None


def put_spread(found, name, series):
    found[f"{name}_volatility"] = volatility(series) if series else None
    found[f"{name}_stability"] = stability(series) if series else None


def shared_metrics(trades, series, wash, bare_fees=()):
    """What wallets and tokens define alike, under the wallets' names."""
    buys = [t for t in trades if t["direction"] == "buy"]
    sells = [t for t in trades if t["direction"] == "sell"]
    realised, summed = [t for t in sells if t["realized"]], results_of(sells)
    wins, losses = wins_of(realised), losses_of(realised)
    win_pnl, loss_pnl = pnl_sum(wins), pnl_sum(losses)
    loss_size = Est(abs(loss_pnl.value), loss_pnl.scale)
    positions = by_position(realised)
    whole = [rs for position, rs in by_position(summed).items() if position in positions]
    position_pnls = [pnl_sum(rs) for rs in whole]
    position_rois = known(roi_of(pnl_sum(rs), cost_sum(rs)) for rs in whole)
    rated = [(sell_roi(r), flow_size(r)) for r in realised]
    rated = [(roi, size) for roi, size in rated if roi is not None]
    mean_win = divide(win_pnl, exactly(len(wins)))
    mean_loss = divide(loss_size, exactly(len(losses)))
    found = {
        "trade_count": len(trades), "buy_count": len(buys), "sell_count": len(sells),
        "position_count": len(positions), "win_count": len(wins), "loss_count": len(losses),
        "buy_volume": positive_sum(known_usd(buys)),
        "sell_volume": positive_sum(known_usd(sells)),
        "volume": positive_sum(known_usd(trades)),
        "pnl": pnl_sum(summed), "small_pnl": pnl_sum(r for r in summed if r["small"]), "win_pnl": win_pnl, "loss_pnl": loss_pnl,
        "largest_win": max([pnl_of(r) for r in wins], default=exactly(0.0)),
        "largest_loss": min([pnl_of(r) for r in losses], default=exactly(0.0)),
        "avg_buy_size": mean(Est(v, v) for v in known_usd(buys)),
        "avg_sell_size": mean(Est(v, v) for v in known_usd(sells)),
        "avg_buy_mcap": mean(Est(t["market_cap"], t["market_cap"]) for t in buys if t["market_cap"] is not None),
        "avg_sell_mcap": mean(Est(t["market_cap"], t["market_cap"]) for t in sells if t["market_cap"] is not None),
        "avg_holding_duration": mean(Est(r["holding"], r["holding"]) for r in realised),
        "avg_pnl": mean(pnl_of(r) for r in realised),
        "avg_roi": mean(known(sell_roi(r) for r in realised)),
        "avg_token_pnl": mean(position_pnls),
        "avg_token_roi": mean(position_rois),
        "token_roi_distribution": Distribution(position_rois),
        "volume_weighted_winrate": divide(cost_sum(wins), cost_sum(wins + losses), 100.0),
        "volume_weighted_roi": divide(
            est_sum(Est(roi.value * size, (roi.scale + abs(roi.value)) * size) for roi, size in rated),
            positive_sum([size for _, size in rated]),
        ),
        "profit_factor": divide(win_pnl, loss_size),
        "win_loss_size_ratio": divide(mean_win, mean_loss),
        "winning_positions": sum(1 for e in position_pnls if e.value > 0),
        "losing_positions": sum(1 for e in position_pnls if e.value < 0),
        "realised": realised, "summed": summed, "positions": positions, "mean_loss": mean_loss,
    }
    found.update(worth_metrics(trades, found["pnl"], bare_fees))
    found.update(wash_metrics(trades, wash))
    found.update(unmatched_metrics(trades, found["sell_volume"]))
    found["pnl_volume_ratio"] = divide(found["pnl"], found["volume"])
    found["token_hit_ratio"] = divide(exactly(found["winning_positions"]), exactly(len(positions)))
    put_spread(found, "pnl", enough(series.pnl, series.active))
    put_spread(found, "roi", enough(series.rois(), series.active))
    return found


def unmatched_metrics(trades, sold):
    """What sells sold that has no known cost, and the cost of lots that went away and came back."""
    unmatched = Est(total(t["unmatched_proceeds"] for t in trades), sold.value)
    pairs = {t["position"]: t["pair_cost"] or 0.0 for t in trades}
    size = total(pairs.values())
    return {
        "unmatched_proceeds": unmatched,
        "unmatched_share": divide(unmatched, sold, 100.0),
        **{name: Est(total(t[name] or 0.0 for t in trades), size) for name in ("away_cost", "returned_cost")},
    }


def longest_run(realised, wanted):
    longest = run = 0
    for r in realised:
        run = run + 1 if wanted(r["realized_pnl_usd"]) else 0
        longest = max(longest, run)
    return longest


def recovery_factor(realised):
    cumulative, size, peak, fall = ExactSum(), 0.0, 0.0, 0.0
    for r in realised:
        cumulative.add(r["realized_pnl_usd"])
        size += flow_size(r)
        peak = max(peak, cumulative.value())
        fall = max(fall, peak - cumulative.value())
    return divide(pnl_sum(realised), Est(fall, size))


def factor_of(roi):
    """What a return makes of 1. Lots that came back may lose more than was at work: then nothing is left."""
    return max(0.0, 1 + roi / 100)


def compound_return(rois):
    if rois is None:
        return None
    factors = [factor_of(e.value) for e in rois]
    before, after = [1.0], [1.0]
    for f, g in zip(factors, reversed(factors)):
        before.append(before[-1] * f)
        after.append(after[-1] * g)
    n = len(rois)
    rounding = sum(e.scale * abs(before[k] * after[n - 1 - k]) for k, e in enumerate(rois))
    grown = before[-1]
    return Est((grown - 1) * 100, 100 * (1 + abs(grown)) + rounding)


def curve_drawdown(values, scale):
    peak, worst = -math.inf, 0.0
    for v in values:
        peak = max(peak, v)
        if peak > 0:
            worst = max(worst, 1 - v / peak)
    return Est(worst * 100, scale)


def wallet_drawdown(rois):
    if rois is None:
        return None
    curve = [1.0]
    for e in rois:
        curve.append(curve[-1] * factor_of(e.value))
    if not all(map(math.isfinite, curve)):
        return None
    return curve_drawdown(curve, 100 + max(e.scale for e in rois))


def ruin_root(win_chance, size_ratio):
    """z > 0 with p (exp(-z b) - 1) + (1 - p)(exp(z) - 1) = 0, or None where the drift is not positive.

    The two terms nearly cancel at a small root, so it is worked in 50 digits. The function is convex and not
    negative at the starting point, hence Newton's steps fall monotonically to the root.
    """
    getcontext().prec = 50
    p, b = win_chance, Decimal(size_ratio)
    q = 1 - p
    if p * b <= q:
        return None
    z = -q.ln()
    for _ in range(2000):
        fall, rise = p * (-z * b).exp(), q * z.exp()
        step = ((fall - p) + (rise - q)) / (rise - b * fall)
        z -= step
        if abs(step) <= z * Decimal("1e-30"):
            break
    return z


def risk_of_ruin(found):
    wins, losses = found["win_count"], found["loss_count"]
    if wins + losses < 5:
        return None
    if total([found["win_pnl"].value, found["loss_pnl"].value]) <= 0:
        return Est(100.0, 100.0)
    if losses == 0:
        return exactly(0.0)
    ratio = found["win_loss_size_ratio"]
    mean_stake = divide(cost_sum(found["realised"]), exactly(len(found["realised"])))
    stakes = divide(mean_stake, found["mean_loss"])
    if ratio is None or stakes is None:
        return None
    units = min(1e6, max(1.0, stakes.value))
    win_chance = Decimal(wins) / Decimal(wins + losses)
    root = ruin_root(win_chance, ratio.value)
    if root is None:
        return Est(100.0, 100.0 * (1 + units))
    chance = 100 * float((-Decimal(units) * root).exp())
    fall = win_chance * (-root * Decimal(ratio.value)).exp()
    slope = float(root * fall / ((1 - win_chance) * root.exp() - Decimal(ratio.value) * fall))
    # The inputs are right to about 1e-15 of their scales, not 1e-9: hence the 1e-6.
    carried = 1e-6 * chance * (units * slope * ratio.scale + float(root) * stakes.scale)
    return Est(chance, 100 * (1 + units * float(root)) + carried)


def weighted_score(parts):
    """100 x weighted mean of (weight, Est in 0..1); a part that is None drops out with its weight."""
    parts = [(w, e) for w, e in parts if e is not None]
    weight = total(w for w, _ in parts)
    if weight == 0:
        return None
    value = total(w * e.value for w, e in parts) / weight
    scale = total(w * e.scale for w, e in parts) / weight
    return Est(100 * min(1.0, max(0.0, value)), 100 * (1 + scale))


def credited(steady, series):
    """A stability as a score counts it: 0 where its series does not gain on average."""
    if steady is None:
        return None
    return Est(0.0, steady.scale) if mean(series).value <= 0 else steady


def complement(e):
    return None if e is None else Est(1 - e.value, 1 + e.scale)


def hundredth(e):
    return None if e is None else Est(e.value / 100, e.scale / 100)


def wallet_metrics(entity, as_of, window, names=WALLET_METRICS):
    length, period = WALLET_WINDOWS[window]
    trades = entity.between(as_of - length, as_of)
    series = Series(entity, as_of, length, period)
    daily = series if period == DAY else Series(entity, as_of, length, DAY)
    found = shared_metrics(trades, series, entity.wash, entity.bare_between(as_of - length, as_of))
    realised, summed, rois = found["realised"], found["summed"], series.rois()
    days = exactly(length // DAY)
    outcomes = exactly(found["win_count"] + found["loss_count"])
    steady_roi = enough(rois, series.active)
    annual = math.sqrt(365 * DAY / period)
    delta = None
    if len(trades) >= 2:
        delta = divide(positive_sum([trades[-1]["block_time"] - trades[0]["block_time"]]), exactly(len(trades) - 1))
    found.update({
        "max_consecutive_wins": longest_run(realised, lambda pnl: pnl > 0),
        "max_consecutive_losses": longest_run(realised, lambda pnl: pnl < 0),
        "avg_daily_pnl": divide(found["pnl"], days),
        "avg_daily_volume": divide(found["volume"], days),
        "avg_daily_trade_count": divide(exactly(len(trades)), days),
        "avg_daily_roi": None if daily.rois() is None else mean(daily.rois()),
        "avg_daily_traded_tokens": mean(
            positive_sum([len({t["token"] for t in here})]) for here in daily.trades
        ),
        "avg_trade_delta": delta,
        "winrate": winrate_of(realised),
        "roi": roi_of(found["pnl"], cost_sum(summed)),
        "time_weighted_roi": compound_return(rois),
        "profit_expectancy": divide(est_sum([found["win_pnl"], found["loss_pnl"]]), outcomes),
        "recovery_factor": recovery_factor(summed),
        "sharpe_ratio": sharpe(steady_roi, annual) if steady_roi else None,
        "sortino_ratio": sortino(steady_roi, annual) if steady_roi else None,
        "max_drawdown": wallet_drawdown(rois),
        "risk_of_ruin": risk_of_ruin(found),
        "turnover": divide(cost_sum(summed), entity.mean_cost(as_of - length, as_of)),
    })
    put_spread(found, "winrate", enough(series.winrate, len(series.winrate)))
    found["risk_score"] = found["consistency_score"] = None
    if realised:
        found["risk_score"] = weighted_score([
            (0.35, hundredth(found["max_drawdown"])),
            (0.25, hundredth(found["risk_of_ruin"])),
            (0.20, complement(credited(found["roi_stability"], series.roi))),
            (0.20, complement(hundredth(found["winrate"]))),
        ])
    if series.active >= 3:
        gaining = sum(1 for pnl, here in zip(series.pnl, series.realised) if here and pnl.value > 0)
        found["consistency_score"] = weighted_score([
            (0.4, divide(exactly(gaining), exactly(series.active))),
            (0.3, credited(found["pnl_stability"], series.pnl)),
            (0.3, credited(found["winrate_stability"], series.winrate)),
        ])
    return finish(found, names)


def average_price(trades):
    rated = [t for t in trades if t["usd_amount"] is not None]
    return divide(positive_sum(known_usd(rated)), positive_sum([t["token_amount"] for t in rated]))


def price_returns(before, prices):
    chain = ([] if before is None else [before]) + prices
    # The scale of a / b - 1 is that of a / b and 1 together.
    steps = [divide(Est(b, b), Est(a, a)) for a, b in zip(chain, chain[1:])]
    return None if None in steps else [Est(e.value - 1, e.scale + 1) for e in steps]


def token_prices(found, market, as_of, length, series):
    start = as_of - length
    before = market.price_at(start, "clean") if market else None
    prices = [market.price_at(end, "clean") for end in series.ends] if market else []
    prices = [p for p in prices if p is not None]
    printed = sum(1 for end in series.ends if market and market.clean_in(end - series.period, end))
    levels = enough([Est(p, p) for p in prices], printed)
    returns = enough(price_returns(before, prices), printed)
    spread = volatility(returns) if returns else None
    found["price_volatility"] = None if spread is None else Est(spread.value * 100, spread.scale * 100)
    found["price_stability"] = stability(levels) if levels else None
    factor = math.sqrt(series.count)
    found["sharpe_ratio"] = sharpe(returns, factor) if returns else None
    found["sortino_ratio"] = sortino(returns, factor) if returns else None
    curve = ([] if before is None else [before]) + (market.clean_in(start, as_of) if market else [])
    found["max_drawdown"] = curve_drawdown(curve, 100.0) if curve else None


def token_metrics(entity, market, as_of, window):
    length, period = TOKEN_WINDOWS[window]
    trades = entity.between(as_of - length, as_of)
    series = Series(entity, as_of, length, period)
    found = shared_metrics(trades, series, entity.wash)
    buys = [t for t in trades if t["direction"] == "buy"]
    sells = [t for t in trades if t["direction"] == "sell"]
    found.update({
        "largest_trade_win": found["largest_win"],
        "largest_trade_loss": found["largest_loss"],
        "avg_price": average_price(trades),
        "avg_buy_price": average_price(buys),
        "avg_sell_price": average_price(sells),
        "avg_trade_pnl": found["avg_pnl"],
        "avg_trade_roi": found["avg_roi"],
        "avg_wallet_pnl": found["avg_token_pnl"],
        "avg_wallet_roi": found["avg_token_roi"],
        "avg_wallet_winrate": mean(known(winrate_of(rs) for rs in found["positions"].values())),
        "wallet_roi_distribution": found["token_roi_distribution"],
        "makers_count": len({t["wallet"] for t in trades}),
        "buyers_count": len({t["wallet"] for t in buys}),
        "sellers_count": len({t["wallet"] for t in sells}),
        "win_position_count": found["winning_positions"],
        "loss_position_count": found["losing_positions"],
        "wallet_hit_ratio": found["token_hit_ratio"],
    })
    token_prices(found, market, as_of, length, series)
    return finish(found, TOKEN_METRICS)


def finish(found, names):
    """(metrics, scales) as plain numbers."""
    metrics, scales = {}, {}
    for name in names:
        entry = found[name]
        if isinstance(entry, (int, dict)):
            metrics[name] = entry
            if isinstance(entry, Distribution):
                scales[name] = entry.doubtful
            continue
        if entry is None or not math.isfinite(entry.value):
            value = scale = None
        else:
            value = entry.value
            scale = max(entry.scale, abs(value), 1e-12)
            scale = min(scale, sys.float_info.max) if scale == scale else sys.float_info.max
        metrics[name], scales[name] = value, scale
        if name in DURATIONS:
            metrics[f"{name}__raw"], scales[f"{name}__raw"] = value, scale
            metrics[name] = None if value is None else math.floor(value + 0.5)
    return metrics, scales
