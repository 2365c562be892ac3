"""Fees: what a wallet paid the chain for a transaction, shared by its trades (worth spec, "Fees")."""
from exact import Est, exactly, positive_sum
from market import product


def greatest_fees(swaps):
    """{(tx_hash, wallet): the greatest fee_native of its swaps, its value, and the time}, where one is known."""
    found, last = {}, {}
    for s in swaps:
        key, fee = (s["tx_hash"], s["wallet"]), s["fee_native"]
        last[key] = s["fee_price_after"]
        if fee is not None:
            found[key] = max(fee, found.get(key, (fee,))[0]), s["block_time"]
    return {key: (fee, last[key], time) for key, (fee, time) in found.items()}


def priced(fee, price):
    """(fee in USD or None, whether it is stale); price is (USD, whether that is stale) or None."""
    if fee == 0:
        return 0.0, False
    return (None, False) if price is None else (product(fee, price[0]), price[1])


def share_fee(trades, fee):
    """Adds fee_native, fee_usd and fee_stale to the trades of one (transaction, wallet), in equal parts."""
    for t in trades:
        t["fee_native"], t["fee_usd"], t["fee_stale"] = None, None, False
        if fee is not None:
            t["fee_native"] = fee[0] / len(trades)
            t["fee_usd"], t["fee_stale"] = priced(t["fee_native"], fee[1])


def bare_fees(fees):
    """{wallet: fees of transactions without a trade}, as trades have them."""
    found = {}
    for (_, wallet), (fee, price, time) in fees.items():
        usd, stale = priced(fee, price)
        found.setdefault(wallet, []).append(
            {"fee_native": fee, "fee_usd": usd, "fee_stale": stale, "block_time": time},
        )
    return found


def fee_sums(bearers, pnl=None):
    """fees, fees_native, stale_fee_count and net_pnl over trades and bare fees; pnl is the sum before fees."""
    paid = [t for t in bearers if t["fee_native"] is not None]
    native = positive_sum([t["fee_native"] for t in paid])
    stale = sum(1 for t in paid if t["fee_stale"])
    if any(t["fee_usd"] is None for t in paid):
        return {"fees": None, "net_pnl": None, "fees_native": native, "stale_fee_count": stale}
    usd = positive_sum([t["fee_usd"] for t in paid])
    pnl = exactly(0.0) if pnl is None else pnl
    return {
        "fees": usd, "net_pnl": Est(pnl.value - usd.value, pnl.scale + usd.scale), "fees_native": native,
        "stale_fee_count": stale,
    }
