"""Skill or luck: metrics of a wallet that tell a habit from one good day."""
import math

from exact import Est, divide, est_sum, exactly
from metrics import DAY, WALLET_WINDOWS, finish, losses_of, pnl_of, pnl_sum, results_of, wins_of

LUCK_METRICS = ["winrate_low", "winrate_high", "pnl_without_best", "best_token_share", "days_active"]
# The normal distribution holds 95 % between -Z and Z.
Z = 1.959963984540054


def wilson_bounds(wins, count):
    """The 95 % Wilson bounds of a share, in percent, or None without a trial."""
    if count == 0:
        return None
    share, z2 = wins / count, Z * Z
    centre = share + z2 / (2 * count)
    half = Z * math.sqrt((share * (1 - share) + z2 / (4 * count)) / count)
    low, high = ((centre + sign * half) / (1 + z2 / count) for sign in (-1, 1))
    # Without a win the low bound is 0 exactly, without a loss the high bound 1: rounding must not leave that.
    return (0.0 if wins == 0 else low * 100, 100.0 if wins == count else high * 100)


def best_token(realised):
    """The token with the largest profit in the window, the first by address of equal ones; None without a result."""
    by_token = {}
    for r in realised:
        by_token.setdefault(r["token"], []).append(r)
    return min(by_token, key=lambda token: (-pnl_sum(by_token[token]).value, token), default=None)


def luck_metrics(entity, as_of, window):
    """(metrics, scales, the best token) of a window."""
    length, _ = WALLET_WINDOWS[window]
    trades = entity.between(as_of - length, as_of)
    realised = [t for t in trades if t["realized"]]
    wins, losses = wins_of(realised), losses_of(realised)
    bounds = wilson_bounds(len(wins), len(wins) + len(losses))
    low, high = (None, None) if bounds is None else (Est(b, 100.0) for b in bounds)
    summed = results_of(trades)
    best = best_token(summed)
    others = pnl_sum(r for r in summed if r["token"] != best)
    found = {
        "winrate_low": low,
        "winrate_high": high,
        # All results, those of the best token included, may have gone into the difference.
        "pnl_without_best": Est(others.value, pnl_sum(summed).scale),
        "best_token_share": None if best is None else divide(
            est_sum(pnl_of(r) for r in summed if r["token"] == best), pnl_sum(wins),
        ),
        "days_active": len({(as_of - t["block_time"]) // DAY for t in trades}),
    }
    return (*finish(found, LUCK_METRICS), best)
