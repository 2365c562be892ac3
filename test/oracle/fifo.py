"""What selling realised, first in first out, in USD and in the native token (metrics spec, section 3; worth spec)."""
from collections import deque

from exact import ExactSum, finite, quotient, total


class Lot:
    __slots__ = ("amount", "unit_cost", "unit_native", "time", "cost")

    def __init__(self, amount, unit_cost, unit_native, time):
        self.amount, self.unit_cost, self.unit_native, self.time = amount, unit_cost, unit_native, time
        self.cost = 0.0 if unit_cost is None else finite(amount * unit_cost) or 0.0


class Position:
    """The open lots of one wallet-token pair."""

    def __init__(self):
        self.lots = deque()
        self.is_open = False
        self.bought = ExactSum()
        self.open_amount = ExactSum()
        self.open_cost = ExactSum()

    def buy(self, amount, usd, native, time):
        state = "trade" if self.is_open else "open"
        if not self.is_open:
            self.is_open, self.bought = True, ExactSum()
        lot = Lot(amount, quotient(usd, amount), quotient(native, amount), time)
        self.lots.append(lot)
        self.bought.add(amount)
        self.open_amount.add(amount)
        self.open_cost.add(lot.cost)
        return state

    def consume(self, amount):
        """Takes up to amount from the oldest lots: [(part, unit cost or None, unit native cost or None, lot time)]."""
        taken = []
        while amount > 0 and self.lots:
            lot = self.lots[0]
            part = min(lot.amount, amount)
            taken.append((part, lot.unit_cost, lot.unit_native, lot.time))
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

    def native_lots(self):
        return [lot for lot in self.lots if lot.unit_native is not None]


def match_trades(trades, dust):
    """Adds results and states to trades in trade order; returns the positions by (wallet, token)."""
    positions = {}
    for t in trades:
        position = positions.setdefault((t["wallet"], t["token"]), Position())
        t.update(matched=None, cost=None, proceeds=None, holding=None, realized=False, small=False,
                 realized_pnl_usd=None, realized_roi=None,
                 matched_native=None, cost_native=None, proceeds_native=None, realized_pnl_native=None)
        if t["direction"] == "buy":
            t["position_state"] = position.buy(
                t["token_amount"], t["usd_amount"], t["native_amount"], t["block_time"],
            )
        else:
            taken = position.consume(t["token_amount"])
            settle_sell(t, taken, dust)
            settle_native(t, taken)
            t["position_state"] = position.close_if_spent(t["post_token_balance"])
        t["open_cost"] = finite(position.open_cost.value())
    return positions


def gain(proceeds, cost):
    """Proceeds - cost, exactly 0 where rounding may have left the difference."""
    pnl = proceeds - cost
    return 0.0 if abs(pnl) <= 1e-9 * max(cost, proceeds) else pnl


def settle_sell(t, taken, dust):
    known = [(part, unit, time) for part, unit, _, time in taken if unit is not None]
    matched = total(part for part, _, _ in known)
    t["matched"] = matched
    if matched <= 0 or t["usd_amount"] is None:
        return
    proceeds = t["usd_amount"] * (matched / t["token_amount"])
    cost = finite(total(part * unit for part, unit, _ in known))
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


def settle_native(t, taken):
    """The result in the native token: over the lots of known native cost, whatever they cost in USD, without a dust limit."""
    known = [(part, unit) for part, _, unit, _ in taken if unit is not None]
    t["matched_native"] = matched = total(part for part, _ in known)
    if matched <= 0 or t["native_amount"] is None:
        return
    whole = matched == t["token_amount"]
    proceeds = t["native_amount"] if whole else t["native_amount"] * (matched / t["token_amount"])
    cost = finite(total(part * unit for part, unit in known))
    if cost is None:
        return
    t["cost_native"], t["proceeds_native"] = cost, proceeds
    t["realized_pnl_native"] = gain(proceeds, cost)
