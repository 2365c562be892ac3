"""Trades out of swaps (metrics spec, section 2)."""
import hashlib

from exact import finite, quotient, total
from fees import greatest_fees, share_fee
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


def split_shares(flows):
    """What part of their common opposite side each of these trades gets."""
    own = [f.own_value for f in flows]
    if len(own) == 1:
        return [1.0]
    whole = None if None in own else finite(total(own))
    if not whole:
        return [1 / len(own)] * len(own)
    return [v / whole for v in own]


def group_trades(group, roles, symbol_of, supply_of):
    flows = net_flows(group)
    remaining = [f for f in flows if not f.is_hop]
    hops = {f.token for f in flows if f.is_hop}
    traded = [f for f in remaining if not roles.is_quote(f.token)]
    if remaining and not traded:
        traded = [max(remaining, key=lambda f: roles.rank[f.token])]
    native_price = group[-1]["native_after"]
    trades = []
    for buys in (True, False):
        here = [f for f in traded if (f.net > 0) == buys]
        opposite = [f for f in remaining if (f.net > 0) != buys]
        if not here or not opposite:
            continue
        quote = max(opposite, key=lambda f: (roles.is_quote(f.token), f.own_value or 0.0, f.token))
        all_quotes = all(roles.is_quote(f.token) for f in opposite)
        known = all(f.own_value is not None for f in opposite)
        side_value = finite(total(f.own_value for f in opposite)) if all_quotes and known else None
        for flow, share in zip(here, split_shares(here)):
            if all_quotes:
                usd = None if side_value is None else side_value * share
            else:
                usd = flow.own_value
            trade = build_trade(flow, quote, share, usd, buys, roles, symbol_of, supply_of)
            pays_native = [f.token for f in opposite] == [roles.native]
            trade["native_amount"] = trade["quote_amount"] if pays_native else quotient(usd, native_price)
            trade["pools"] = pools_of_route(group, flow.token, hops)
            trades.append(trade)
    return trades


def build_trade(flow, quote, share, usd, buys, roles, symbol_of, supply_of):
    first, first_side = flow.legs[0]
    last, last_side = flow.legs[-1]
    amount = abs(flow.net)
    quote_amount = abs(quote.net) * share
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
    trades, fees = [], greatest_fees(swaps)
    for key, group in group_swaps(swaps).items():
        here = group_trades(group, roles, symbol_of, supply_of)
        share_fee(here, fees.get(key), group[-1]["native_after"])
        trades.extend(here)
    trades.sort(key=lambda t: t["order"])
    return trades
