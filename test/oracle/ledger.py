"""Trades out of swaps, and what selling realised, first in first out (metrics spec, sections 2 and 3)."""
import hashlib
from collections import deque

from exact import ExactSum, finite, quotient, total
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
            (s[f"value_{side}"], s[f"token_amount_{side}"]) for s, side in self.legs if s[f"value_{side}"] is not None
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
            trade = build_trade(flow, quote, share, usd, buys, native_price, roles, symbol_of, supply_of)
            trade["pools"] = pools_of_route(group, flow.token, hops)
            trades.append(trade)
    return trades


def build_trade(flow, quote, share, usd, buys, native_price, roles, symbol_of, supply_of):
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
        "native_amount": quote_amount if quote.token == roles.native else quotient(usd, native_price),
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
    trades = []
    for group in group_swaps(swaps).values():
        trades.extend(group_trades(group, roles, symbol_of, supply_of))
    trades.sort(key=lambda t: t["order"])
    return trades


class Lot:
    __slots__ = ("amount", "unit_cost", "time", "cost")

    def __init__(self, amount, unit_cost, time):
        self.amount, self.unit_cost, self.time = amount, unit_cost, time
        self.cost = 0.0 if unit_cost is None else finite(amount * unit_cost) or 0.0


class Position:
    """The open lots of one wallet-token pair."""

    def __init__(self):
        self.lots = deque()
        self.is_open = False
        self.bought = ExactSum()
        self.open_amount = ExactSum()
        self.open_cost = ExactSum()

    def buy(self, amount, usd, time):
        state = "trade" if self.is_open else "open"
        if not self.is_open:
            self.is_open, self.bought = True, ExactSum()
        lot = Lot(amount, quotient(usd, amount), time)
        self.lots.append(lot)
        self.bought.add(amount)
        self.open_amount.add(amount)
        self.open_cost.add(lot.cost)
        return state

    def consume(self, amount):
        """Takes up to amount from the oldest lots: [(part, unit cost or None, lot time)]."""
        taken = []
        while amount > 0 and self.lots:
            lot = self.lots[0]
            part = min(lot.amount, amount)
            taken.append((part, lot.unit_cost, lot.time))
            amount -= part
            self.open_amount.add(-lot.amount)
            self.open_cost.add(-lot.cost)
            if part == lot.amount:
                self.lots.popleft()
                continue
            lot.amount -= part
            lot.cost = 0.0 if lot.unit_cost is None else finite(lot.amount * lot.unit_cost) or 0.0
            self.open_amount.add(lot.amount)
            self.open_cost.add(lot.cost)
        return taken

    def close_if_spent(self, post_balance):
        if not self.is_open:
            return "trade"
        bound = 1e-9 * self.bought.value()
        if self.open_amount.value() > bound and (post_balance is None or post_balance > bound):
            return "trade"
        self.is_open = False
        self.lots.clear()
        self.open_amount, self.open_cost = ExactSum(), ExactSum()
        return "close"

    def known_lots(self):
        return [lot for lot in self.lots if lot.unit_cost is not None]


def match_trades(trades, dust):
    """Adds results and states to trades in trade order; returns the positions by (wallet, token)."""
    positions = {}
    for t in trades:
        position = positions.setdefault((t["wallet"], t["token"]), Position())
        t.update(matched=None, cost=None, proceeds=None, holding=None, realized=False,
                 realized_pnl_usd=None, realized_roi=None)
        if t["direction"] == "buy":
            t["position_state"] = position.buy(t["token_amount"], t["usd_amount"], t["block_time"])
        else:
            settle_sell(t, position.consume(t["token_amount"]), dust)
            t["position_state"] = position.close_if_spent(t["post_token_balance"])
        t["open_cost"] = finite(position.open_cost.value())
    return positions


def settle_sell(t, taken, dust):
    known = [(part, unit, time) for part, unit, time in taken if unit is not None]
    matched = total(part for part, _, _ in known)
    t["matched"] = matched
    if matched <= 0 or t["usd_amount"] is None:
        return
    proceeds = t["usd_amount"] * (matched / t["token_amount"])
    cost = finite(total(part * unit for part, unit, _ in known))
    if cost is None:
        return
    pnl = proceeds - cost
    if abs(pnl) <= 1e-9 * max(cost, proceeds):
        pnl = 0.0
    t["cost"], t["proceeds"] = cost, proceeds
    t["holding"] = total(part / matched * (t["block_time"] - time) for part, _, time in known)
    t["realized"] = not (cost < dust and proceeds < dust)
    if t["realized"]:
        t["realized_pnl_usd"] = pnl
        t["realized_roi"] = None if cost == 0 else finite(pnl / cost * 100)
