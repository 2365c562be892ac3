"""Trades out of swaps (metrics spec, section 2)."""
import hashlib

from exact import finite, quotient, total
from fees import bare_fees, greatest_fees, share_fee
from orders import native_amount, other_sides, side_value
from pools import pools_of_route
from swaps import chain_key, is_self_swap

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def base58(data):
    n = int.from_bytes(data, "big")
    digits = ""
    while n:
        n, digit = divmod(n, 58)
        digits = BASE58[digit] + digits
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + digits


def position_id(wallet, token):
    return base58(hashlib.sha256(wallet.encode() + b"\0" + token.encode()).digest())


class Flow:
    """One token's legs in one (transaction, wallet)."""

    def __init__(self, token):
        self.token = token
        self.legs = []

    def add(self, swap, side):
        self.legs.append((swap, side))

    def settle(self):
        received = [s["token_amount_out"] for s, side in self.legs if side == "out"]
        given = [s["token_amount_in"] for s, side in self.legs if side == "in"]
        self.net = total(received + [-x for x in given])
        gross = total(received + given)
        both = any(x > 0 for x in received) and any(x > 0 for x in given)
        self.is_hop = self.net == 0 or (both and abs(self.net) <= 0.005 * gross)
        known = [
            (s[f"traded_{side}"], s[f"token_amount_{side}"]) for s, side in self.legs if s[f"traded_{side}"] is not None
        ]
        self.mean_price = quotient(total(v for v, _ in known), total(a for _, a in known)) if known else None
        self.own_value = None if self.mean_price is None else finite(abs(self.net) * self.mean_price)


def group_swaps(swaps):
    groups = {}
    for s in swaps:
        if not is_self_swap(s):
            groups.setdefault((s["tx_hash"], s["wallet"]), []).append(s)
    return groups


def net_flows(group):
    flows = {}
    for s in group:
        for side in ("in", "out"):
            token = s[f"token_{side}"]
            flows.setdefault(token, Flow(token)).add(s, side)
    for flow in flows.values():
        flow.settle()
    return list(flows.values())


def group_trades(group, roles, symbol_of, supply_of):
    flows = {f.token: f for f in net_flows(group)}
    remaining = [f for f in flows.values() if not f.is_hop]
    hops = {f.token for f in flows.values() if f.is_hop}
    traded = [f for f in remaining if not roles.is_quote(f.token)]
    if remaining and not traded:
        traded = [max(remaining, key=lambda f: roles.rank[f.token])]
    left, own = {f.token for f in remaining}, {f.token for f in traded}
    sides = other_sides(group, net_flows, left, own)
    natives = other_sides(group, net_flows, left | {roles.native}, own) if roles.native in hops else sides
    trades = []
    for flow in traded:
        side = sides.get(flow.token)
        if side is None:
            continue
        quote = max(side, key=lambda f: (roles.is_quote(f.token), f.own_value or 0.0, f.token))
        all_quotes = all(roles.is_quote(f.token) for f in side)
        usd = side_value(side, roles) if all_quotes else flow.own_value
        trade = build_trade(flow, quote, usd, roles, symbol_of, supply_of)
        trade["native_amount"] = native_amount(
            flow, natives.get(flow.token, []), roles, usd, group[-1]["native_after"],
        )
        trade["pools"] = pools_of_route(group, flow.token, hops)
        trades.append(trade)
    return trades


def build_trade(flow, quote, usd, roles, symbol_of, supply_of):
    buys = flow.net > 0
    first, first_side = flow.legs[0]
    last, last_side = flow.legs[-1]
    amount = abs(flow.net)
    quote_amount = abs(quote.net)
    price = quotient(usd, amount)
    supply = supply_of(flow.token)
    kinds = (roles.side(quote.token), roles.side(flow.token))
    return {
        "protocol": first["protocol"],
        "wallet": first["wallet"],
        "token": flow.token,
        "quote": quote.token,
        "position": position_id(first["wallet"], flow.token),
        "token_amount": amount,
        "quote_amount": quote_amount,
        "native_amount": None,
        "usd_amount": usd,
        "pre_token_balance": first[f"pre_token_balance_{first_side}"],
        "post_token_balance": last[f"post_token_balance_{last_side}"],
        "token_symbol": symbol_of(flow),
        "quote_symbol": symbol_of(quote),
        "token_price": price,
        "quote_price": quotient(quote.own_value, abs(quote.net)),
        "block_slot": first["block_slot"],
        "block_time": first["block_time"],
        "tx_hash": first["tx_hash"],
        "trade_index": first["swap_index"],
        "swap_type": "_".join(kinds if buys else kinds[::-1]),
        "direction": "buy" if buys else "sell",
        "market_cap": None if price is None or supply is None else finite(price * supply),
        "order": (chain_key(first), flow.token),
    }


def all_trades(swaps, roles, symbol_of, supply_of):
    """(trades, fees of transactions without one), each in chain order."""
    trades, fees, traded = [], greatest_fees(swaps), set()
    for key, group in group_swaps(swaps).items():
        here = group_trades(group, roles, symbol_of, supply_of)
        if here:
            traded.add(key)
            share_fee(here, fees.get(key))
        trades.extend(here)
    trades.sort(key=lambda t: t["order"])
    return trades, bare_fees({key: fee for key, fee in fees.items() if key not in traded})
