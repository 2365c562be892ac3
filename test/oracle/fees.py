"""Fees: what a wallet paid the chain for a transaction, shared by its trades (worth spec, "Fees")."""
from market import product


def greatest_fees(swaps):
    """{(tx_hash, wallet): the greatest fee_native of its swaps}, where one is known."""
    found = {}
    for s in swaps:
        key, fee = (s["tx_hash"], s["wallet"]), s["fee_native"]
        if fee is not None:
            found[key] = max(fee, found.get(key, fee))
    return found


def share_fee(trades, fee, native_price):
    """Adds fee_native and fee_usd to the trades of one (transaction, wallet), in equal parts."""
    for t in trades:
        t["fee_native"] = None if fee is None else fee / len(trades)
        t["fee_usd"] = product(t["fee_native"], native_price)
