"""What each trade adds to the metrics that are sums over trades."""
from worth import worth_parts


def trade_parts(t):
    """{metric: part} of every sum that the trade enters, whatever the window and the kind of profile."""
    side, usd, pnl = t["direction"], t["usd_amount"], t["realized_pnl_usd"]
    parts = {"trade_count": 1, f"{side}_count": 1}
    if usd is not None:
        parts.update({"volume": usd, f"{side}_volume": usd})
    if t["realized"] or t["small"]:
        parts["pnl"] = pnl
    if t["realized"]:
        if pnl > 0:
            parts.update({"win_count": 1, "win_pnl": pnl})
        elif pnl < 0:
            parts.update({"loss_count": 1, "loss_pnl": pnl})
    for name in ("away_cost", "returned_cost", "unmatched_proceeds"):
        if (t[name] or 0.0) > 0:
            parts[name] = t[name]
    return {**parts, **worth_parts(t)}
