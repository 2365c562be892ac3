"""What trades add up to in the native token, their fees, and what has no value (worth spec)."""
from exact import Est, divide, est_sum, positive_sum

TOKEN_WORTH = ["volume_native", "unvalued_trade_count"]
WALLET_WORTH = ["pnl_native", "roi_native", "fees", "fees_native", "net_pnl", *TOKEN_WORTH]


def known_of(trades, name):
    return [t[name] for t in trades if t[name] is not None]


def native_results(trades):
    return [t for t in trades if t["realized_pnl_native"] is not None]


def native_pnl(trades):
    return est_sum(
        Est(t["realized_pnl_native"], t["cost_native"] + t["proceeds_native"]) for t in native_results(trades)
    )


def native_cost(trades):
    return positive_sum([t["cost_native"] for t in native_results(trades)])


def native_roi(trades):
    return divide(native_pnl(trades), native_cost(trades), 100.0)


def unvalued(trades):
    return sum(1 for t in trades if t["usd_amount"] is None)


def worth_metrics(trades, pnl):
    """Of the trades of a window, with their pnl in USD."""
    fees = positive_sum(known_of(trades, "fee_usd"))
    return {
        "pnl_native": native_pnl(trades),
        "roi_native": native_roi(trades),
        "volume_native": positive_sum(known_of(trades, "native_amount")),
        "fees": fees,
        "fees_native": positive_sum(known_of(trades, "fee_native")),
        "net_pnl": Est(pnl.value - fees.value, pnl.scale + fees.scale),
        "unvalued_trade_count": unvalued(trades),
    }


def worth_terms(trades):
    return {
        "native_volume": positive_sum(known_of(trades, "native_amount")),
        "native_pnl": native_pnl(trades),
        "native_cost": native_cost(trades),
        "fees": positive_sum(known_of(trades, "fee_usd")),
        "fees_native": positive_sum(known_of(trades, "fee_native")),
        "unvalued_trades": unvalued(trades),
    }


def worth_parts(t):
    """{metric: part} of the sums above that the trade enters."""
    named = {"volume_native": "native_amount", "pnl_native": "realized_pnl_native", "fees": "fee_usd",
             "fees_native": "fee_native"}
    parts = {metric: t[name] for metric, name in named.items() if t[name] is not None}
    if t["realized"] or t["fee_usd"] is not None:
        parts["net_pnl"] = (t["realized_pnl_usd"] if t["realized"] else 0.0) - (t["fee_usd"] or 0.0)
    if t["usd_amount"] is None:
        parts["unvalued_trade_count"] = 1
    return parts
