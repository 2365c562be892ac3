"""The terms of metrics: the sums, series, falls and streaks that a metric is made of (positions spec, "Explanations")."""
import math
from decimal import Decimal

from exact import Est, ExactSum, divide, est_sum, exactly, positive_sum
from metrics import (
    DAY, TOKEN_WINDOWS, WALLET_WINDOWS, Series, by_position, cost_sum, curve_drawdown, flow_size, known, known_usd,
    longest_run, losses_of, pnl_of, pnl_sum, price_returns, results_of, roi_distribution, roi_of, ruin_root, sell_roi,
    unmatched_metrics, wallet_drawdown, winrate_of, wins_of,
)
from wash import quick_proceeds, wash_volume, wash_volume_native
from worth import worth_terms


def sides(trades):
    """Terms of the buys alone and of the sells alone."""
    found = {}
    for side in ("buy", "sell"):
        here = [t for t in trades if t["direction"] == side]
        rated = [t for t in here if t["usd_amount"] is not None]
        caps = [t["market_cap"] for t in here if t["market_cap"] is not None]
        found.update({
            f"{side}s": len(here),
            f"{side}s_known": len(rated),
            f"{side}_volume": positive_sum(known_usd(rated)),
            f"{side}_tokens": positive_sum([t["token_amount"] for t in rated]),
            f"{side}_market_caps": len(caps),
            f"{side}_market_cap": positive_sum(caps),
        })
    return found


def largest_fall(realised):
    """The largest fall of the running result, which starts at 0, from its peak."""
    running, size, peak, fall = ExactSum(), 0.0, 0.0, 0.0
    for r in realised:
        running.add(r["realized_pnl_usd"])
        size += flow_size(r)
        peak = max(peak, running.value())
        fall = max(fall, peak - running.value())
    return Est(fall, size)


def results(realised, summed):
    wins, losses = wins_of(realised), losses_of(realised)
    rated = [(sell_roi(r), flow_size(r)) for r in realised]
    rated = [(roi, size) for roi, size in rated if roi is not None]
    return {
        "realised": len(realised),
        "wins": len(wins),
        "losses": len(losses),
        "pnl": pnl_sum(summed),
        "small_pnl": pnl_sum(r for r in summed if r["small"]),
        "win_pnl": pnl_sum(wins),
        "loss_pnl": pnl_sum(losses),
        "cost": cost_sum(summed),
        "realised_cost": cost_sum(realised),
        "win_cost": cost_sum(wins),
        "loss_cost": cost_sum(losses),
        "holding": positive_sum([r["holding"] for r in realised]),
        "rois": len(rated),
        "roi_sum": est_sum(roi for roi, _ in rated),
        "weighted_roi": est_sum(Est(roi.value * size, (roi.scale + abs(roi.value)) * size) for roi, size in rated),
        "roi_weight": positive_sum([size for _, size in rated]),
        "largest_win": max([pnl_of(r) for r in wins], default=exactly(0.0)),
        "largest_loss": min([pnl_of(r) for r in losses], default=exactly(0.0)),
        "longest_wins": longest_run(realised, lambda pnl: pnl > 0),
        "longest_losses": longest_run(realised, lambda pnl: pnl < 0),
        "largest_fall": largest_fall(summed),
    }


def ruin(found, realised):
    """p, b, U and z of the walk of risk_of_ruin; None where it has none."""
    wins, losses = found["wins"], found["losses"]
    mean_loss = divide(Est(abs(found["loss_pnl"].value), found["loss_pnl"].scale), exactly(losses))
    ratio = divide(divide(found["win_pnl"], exactly(wins)), mean_loss)
    stakes = divide(divide(cost_sum(realised), exactly(len(realised))), mean_loss)
    root = None
    if wins and losses and ratio is not None:
        chance = Decimal(wins) / Decimal(wins + losses)
        root = ruin_root(chance, ratio.value)
    if root is not None:
        # How far the root moves with b: the slope of its equation in z, and in b.
        fall = chance * (-root * Decimal(ratio.value)).exp()
        slope = float(root * fall / ((1 - chance) * root.exp() - Decimal(ratio.value) * fall))
        root = Est(float(root), 1 + float(root) + 1e-6 * slope * ratio.scale)
    return {
        "p": divide(exactly(wins), exactly(wins + losses)),
        "b": ratio,
        "U": None if stakes is None else Est(min(1e6, max(1.0, stakes.value)), stakes.scale),
        "z": root,
    }


def positions(realised, summed):
    """Terms of the positions that have a realised sell, and of the best of all with a result."""
    own = by_position(realised)
    here = [rs for position, rs in by_position(summed).items() if position in own]
    pnls = [pnl_sum(rs) for rs in here]
    rois = known(roi_of(pnl_sum(rs), cost_sum(rs)) for rs in here)
    winrates = known(winrate_of(rs) for rs in own.values())
    best = max([pnl_sum(rs) for rs in by_position(summed).values()], key=lambda e: e.value, default=None)
    all_pnl = pnl_sum(summed)
    return {
        "positions": len(here),
        "position_wins": sum(1 for e in pnls if e.value > 0),
        "position_losses": sum(1 for e in pnls if e.value < 0),
        "position_pnl": est_sum(pnls),
        "position_rois": len(rois),
        "position_roi_sum": est_sum(rois),
        "position_winrates": len(winrates),
        "position_winrate_sum": est_sum(winrates),
        "best_position_pnl": best,
        "other_positions_pnl": Est(all_pnl.value - best.value if best else 0.0, all_pnl.scale),
        "roi_counts": [exactly(n) for n in roi_distribution(roi.value for roi in rois).values()],
    }


def unmatched_terms(trades):
    found = unmatched_metrics(trades, positive_sum(known_usd([t for t in trades if t["direction"] == "sell"])))
    return {name: found[name] for name in ("unmatched_proceeds", "away_cost", "returned_cost")}


def periods(entity, as_of, length, period):
    series = Series(entity, as_of, length, period)
    found = {
        "period_pnl": series.pnl,
        "period_roi": series.roi,
        "period_winrate": series.winrate,
        "active_periods": series.active,
        "winning_periods": sum(1 for e, here in zip(series.pnl, series.realised) if here and e.value > 0),
        "returns_fall": wallet_drawdown(series.rois()),
    }
    if length >= DAY:
        daily = Series(entity, as_of, length, DAY)
        tokens = [len({t["token"] for t in here}) for here in daily.trades]
        found.update({
            "days": daily.count,
            "active_days": sum(1 for here in daily.trades if here),
            "daily_roi_sum": None if daily.rois() is None else est_sum(daily.rois()),
            "daily_counterparties_sum": sum(tokens),
        })
    return found, series


def prices(market, as_of, length, series):
    start = as_of - length
    before = market.price_at(start, "clean") if market else None
    ends = [p for p in (market.price_at(end, "clean") for end in series.ends) if p is not None] if market else []
    curve = ([] if before is None else [before]) + (market.clean_in(start, as_of) if market else [])
    return {
        "period_price": [Est(p, p) for p in ends],
        "price_change": price_returns(before, ends),
        "priced_periods": sum(1 for end in series.ends if market and market.clean_in(end - series.period, end)),
        "price_fall": curve_drawdown(curve, 100.0) if curve else None,
    }


def window_terms(entity, as_of, length, period, ratio_scale):
    """(terms, series) of a window of a wallet or of a position."""
    trades = entity.between(as_of - length, as_of)
    realised, summed = [t for t in trades if t["realized"]], results_of(trades)
    bare_fees = entity.bare_between(as_of - length, as_of)
    found, series = periods(entity, as_of, length, period)
    found.update({
        "seconds": length,
        "as_of": as_of,
        "ratio_scale": Est(ratio_scale, ratio_scale),
        "first_time": trades[0]["block_time"] if trades else None,
        "last_time": trades[-1]["block_time"] if trades else None,
        "average_open_cost": entity.mean_cost(as_of - length, as_of),
        "wash_volume": wash_volume(trades, entity.wash),
        "quick_proceeds": positive_sum(quick_proceeds(trades)),
        "wash_volume_native": wash_volume_native(trades, entity.wash),
        **sides(trades), **results(realised, summed), **positions(realised, summed), **worth_terms(trades, bare_fees),
        **unmatched_terms(trades),
    })
    found.update(ruin(found, realised))
    return found, series


def wallet_terms(entity, as_of):
    """{window: {term: value}}, and the same with scales."""
    return plain({
        window: window_terms(entity, as_of, length, period, math.sqrt(365 * DAY / period))[0]
        for window, (length, period) in WALLET_WINDOWS.items()
    })


def token_terms(entity, market, as_of):
    windows = {}
    for window, (length, period) in TOKEN_WINDOWS.items():
        found, series = window_terms(entity, as_of, length, period, math.sqrt(length // period))
        trades = entity.between(as_of - length, as_of)
        for name, here in (
            ("counterparties", trades),
            ("buyers", [t for t in trades if t["direction"] == "buy"]),
            ("sellers", [t for t in trades if t["direction"] == "sell"]),
        ):
            found[name] = len({t["wallet"] for t in here})
        windows[window] = {**found, **prices(market, as_of, length, series)}
    return plain(windows)


def plain(windows):
    return {
        "terms": {w: {name: part(entry, 0) for name, entry in found.items()} for w, found in windows.items()},
        "term_scales": {w: {name: part(entry, 1) for name, entry in found.items()} for w, found in windows.items()},
    }


def part(entry, i):
    """The value (0) or the scale (1) of an entry; a count has the scale 0."""
    if isinstance(entry, list):
        return [part(e, i) for e in entry]
    if entry is None or isinstance(entry, int):
        return (None if entry is None else 0) if i else entry
    value = entry[i]
    return value if math.isfinite(value) and math.isfinite(entry.value) else None
