"""What selling realised, first in first out, in USD and in the native token (metrics spec, section 3; worth spec)."""
from exact import finite, total


def gain(proceeds, cost):
    """Proceeds - cost, exactly 0 where rounding may have left the difference."""
    pnl = proceeds - cost
    return 0.0 if abs(pnl) <= 1e-9 * max(cost, proceeds) else pnl


def parts_of(lots, unit):
    """[(amount, known cost of a token, time)] as doubles."""
    return [(float(lot.amount), getattr(lot, unit), lot.time) for lot in lots if getattr(lot, unit) is not None]


def settle_sell(t, taken, taxed, dust):
    """`taken` are the lots that went for the amount of the sell, `taxed` those that went with it without proceeds."""
    known = parts_of(taken, "unit_cost")
    matched = total(part for part, _, _ in known)
    t["matched"] = matched
    if matched <= 0 or t["usd_amount"] is None:
        return
    proceeds = t["usd_amount"] * (matched / t["token_amount"])
    cost = finite(total(part * unit for part, unit, _ in known + parts_of(taxed, "unit_cost")))
    if cost is None:
        return
    pnl = gain(proceeds, cost)
    t["cost"], t["proceeds"] = cost, proceeds
    t["small"] = cost < dust and proceeds < dust
    t["realized"] = not t["small"]
    if t["realized"]:
        t["holding"] = total(part / matched * (t["block_time"] - time) for part, _, time in known)
    t["realized_pnl_usd"] = pnl
    t["realized_roi"] = None if cost == 0 else finite(pnl / cost * 100)


def settle_native(t, taken, taxed):
    """The result in the native token: over the lots of known native cost, whatever they cost in USD, without a dust limit."""
    known = parts_of(taken, "unit_native")
    t["matched_native"] = matched = total(part for part, _, _ in known)
    if matched <= 0 or t["native_amount"] is None:
        return
    whole = matched == t["token_amount"]
    proceeds = t["native_amount"] if whole else t["native_amount"] * (matched / t["token_amount"])
    cost = finite(total(part * unit for part, unit, _ in known + parts_of(taxed, "unit_native")))
    if cost is None:
        return
    t["cost_native"], t["proceeds_native"] = cost, proceeds
    t["realized_pnl_native"] = gain(proceeds, cost)
