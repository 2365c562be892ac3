"""What trades add up to in the native token, their fees, and what has no value (worth spec)."""
from exact import Est, divide, est_sum, positive_sum
from fees import fee_sums

TOKEN_WORTH = ["volume_native", "unvalued_trade_count", "small_pnl"]
WALLET_WORTH = ["pnl_native", "roi_native", "fees", "fees_native", "stale_fee_count", "net_pnl", *TOKEN_WORTH]


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


def worth_metrics(trades, pnl, bare_fees=()):
    """Of the trades of a window, with their pnl in USD, and of fees of transactions without a trade."""
    return {
        "pnl_native": native_pnl(trades),
        "roi_native": native_roi(trades),
        "volume_native": positive_sum(known_of(trades, "native_amount")),
        **fee_sums([*trades, *bare_fees], pnl),
        "unvalued_trade_count": unvalued(trades),
    }


def worth_terms(trades, bare_fees=()):
    fees = {}
    for prefix, bearers in (("", trades), ("bare_", bare_fees)):
        paid = [t for t in bearers if t["fee_native"] is not None]
        fees.update({
            f"{prefix}fees": positive_sum(known_of(paid, "fee_usd")),
            f"{prefix}fees_native": positive_sum(known_of(paid, "fee_native")),
            f"{prefix}stale_fees": sum(1 for t in paid if t["fee_stale"]),
            f"{prefix}unpriced_fees": sum(1 for t in paid if t["fee_usd"] is None),
        })
    return {
        "native_volume": positive_sum(known_of(trades, "native_amount")),
        "native_pnl": native_pnl(trades),
        "native_cost": native_cost(trades),
        **fees,
        "unvalued_trades": unvalued(trades),
    }


def worth_parts(t):
    """{metric: part} of the sums above that the trade enters."""
    named = {"volume_native": "native_amount", "pnl_native": "realized_pnl_native", "fees": "fee_usd",
             "fees_native": "fee_native"}
    parts = {metric: t[name] for metric, name in named.items() if t[name] is not None}
    has_result, is_unpriced = t["realized"] or t["small"], t["fee_native"] is not None and t["fee_usd"] is None
    if (has_result or t["fee_usd"] is not None) and not is_unpriced:
        parts["net_pnl"] = (t["realized_pnl_usd"] if has_result else 0.0) - (t["fee_usd"] or 0.0)
    if t["fee_stale"]:
        parts["stale_fee_count"] = 1
    if t["small"]:
        parts["small_pnl"] = t["realized_pnl_usd"]
    if t["usd_amount"] is None:
        parts["unvalued_trade_count"] = 1
    return parts
