"""What happens to one pair in one transaction, and what its reported balances say of it (transfers spec, rules 1, 3, 6, 7)."""
from fractions import Fraction

from exact import finite
from pair import NONE

COUNTED = Fraction(1, 10**6)


def whole_amount(x):
    """A reported balance, at least 0; None where nothing is reported."""
    return None if finite(x) is None else max(NONE, Fraction(x))


def nearest(readings, wanted):
    """(place, value) of the reading that is the nearest; the first of equal ones."""
    return min(enumerate(readings), key=lambda entry: abs(entry[1] - wanted))


class Step:
    """A transaction of a pair: legs, the trade (or None), transfers, and reported balances that count."""

    def __init__(self, place, legs, amounts, trade, moved, is_native, is_spending):
        self.place, self.legs, self.trade, self.is_native, self.is_spending = place, legs, trade, is_native, is_spending
        self.ins, self.out, self.shortage = moved.ins, moved.out, moved.shortage
        self.came = sum((amount for amount, _ in moved.ins), NONE)
        self.net = amounts.net
        if trade is not None:
            self.net = Fraction(trade["token_amount"]) * (1 if trade["direction"] == "buy" else -1)
        self.has_pool_amounts = any(s.get("pool_amount_in") is not None for s, _ in legs)
        self.pre = self.post = None
        if legs:
            (first, first_side), (last, last_side) = legs[0], legs[-1]
            self.pre = whole_amount(first[f"pre_token_balance_{first_side}"])
            self.post = whole_amount(last[f"post_token_balance_{last_side}"])
        self.is_contradicted = self.contradicts()
        if self.is_contradicted:
            self.pre = self.post = None

    @property
    def time(self):
        return self.place.time

    def contradicts(self):
        """Rule 7."""
        if self.trade is None:
            return False
        half = abs(self.net) / 2
        if self.trade["direction"] == "buy":
            return self.post is not None and self.post + self.out < half
        return self.pre is not None and self.pre + self.came < half

    def flow(self):
        """By how much the legs move the balance, as the rows say."""
        return self.net - self.shortage

    def befores(self):
        """Readings of the balance before the transaction; none where nothing is reported."""
        if self.pre is not None:
            return [self.pre, max(NONE, self.pre - self.came)]
        if self.post is not None:
            after_trade = self.post - self.flow() - self.came
            return [max(NONE, after_trade + self.out), max(NONE, after_trade)]
        return []

    def afters(self):
        """Readings of the balance after the transaction."""
        if self.post is not None:
            return [self.post, max(NONE, self.post - self.out)]
        if self.pre is not None:
            return [max(NONE, before + self.came + self.flow() - self.out) for before in self.befores()]
        return []

    def run(self, pair):
        """Gap, what came in, the trade, what went out, what the reported balance says beyond. Returns what a sell took:
        (lots of its amount, lots that were taxed), and whether a buy opened the position."""
        decided, time = pair.decided, self.time
        self.meet(pair)
        before = pair.balance
        for amount, cost in self.ins:
            if cost is not None:
                decided["in_cost_of_0" if cost == 0 else "in_cost"] += 1
                pair.add(amount, cost, None, time, "cost")
            else:
                pair.to_balance(pair.balance + amount, time, "in")
            pair.received += amount
        expected = before + self.came + self.flow() - self.out
        after, tax = None, self.taxed(self.shortage, decided)
        if self.post is not None:
            reading, after = nearest(self.afters(), expected)
            decided["post_before_what_left"] += reading == 1
            missing = expected + self.shortage - after
            if missing > self.shortage and self.pre is not None:
                tax = max(tax, self.taxed(missing, decided))
        opened, taken = self.change(pair, tax)
        if self.out > 0:
            decided["out_of_nothing"] += self.out > pair.balance
            pair.to_balance(max(NONE, pair.balance - self.out), time, "out")
        if after is not None:
            pair.to_balance(after, time, "post")
        pair.received += sum((Fraction(s["token_amount_out"]) for s, side in self.legs if side == "out"), NONE)
        pair.is_settled = after is None
        return taken, opened

    def meet(self, pair):
        """The balance becomes what was there before; the difference is a gap."""
        befores = self.befores()
        if not befores:
            return
        so_far, decided = pair.balance, pair.decided
        reading, before = nearest(befores, so_far)
        if self.pre is not None:
            decided["pre_after_what_came"] += reading == 1
        else:
            decided["pre_missing"] += 1
        gap = before - so_far
        if abs(gap) > COUNTED * max(before, so_far):
            decided["gap_up" if gap > 0 else "gap_down"] += 1
            pair.gap += gap
        elif gap != 0:
            decided["gap_too_small"] += 1
        pair.to_balance(before, self.time, "gap")

    def taxed(self, missing, decided):
        """How much of what is missing is a tax."""
        if missing <= 0 or self.trade is None:
            return NONE
        if self.is_native or self.has_pool_amounts:
            decided["no_tax_of_native" if self.is_native else "no_tax_beside_pool_amounts"] += 1
            return NONE
        is_tax = missing <= abs(self.net) / 2
        decided[f"{'' if is_tax else 'no_'}tax_of_{self.trade['direction']}"] += 1
        return missing if is_tax else NONE

    def change(self, pair, tax):
        """What the legs do. The rows' shortage that is no tax stays away with what `to_balance` moves."""
        decided, time, opened = pair.decided, self.time, False
        # Leg by leg, and never below 0: what a first leg gave that no balance knew of had been there.
        by_legs = pair.balance
        for s, side in self.legs:
            by_legs = max(NONE, by_legs + Fraction(s[f"token_amount_{side}"]) * (1 if side == "out" else -1))
        unpaid = max(NONE, self.shortage - tax)
        taken = ([], [])
        if self.trade is not None and self.trade["direction"] == "buy":
            t = self.trade
            opened = pair.add(self.net - tax, t["usd_amount"], t["native_amount"], time, "buy")
        elif self.trade is not None:
            taken = (pair.take(-self.net, time, "sell"), pair.take(tax, time, "tax") if tax > 0 else [])
        elif self.net < 0 and self.is_spending:
            spent = pair.take(-self.net, time, "spent")
            pair.spent_cost += sum((lot.cost for lot in spent), NONE)
            pair.spent_now += sum((lot.cost for lot in spent), NONE)
        elif self.net > 0:
            decided["quote_received"] += self.is_spending
            pair.to_balance(pair.balance + self.net, time, "leg")
        elif self.net < 0:
            pair.to_balance(max(NONE, pair.balance + self.net), time, "leg")
        if self.legs and by_legs - tax > pair.balance:
            pair.to_balance(by_legs - tax, time, "leg")
        if unpaid > 0:
            pair.to_balance(max(NONE, pair.balance - unpaid), time, "shortage")
        return opened, taken

    def closes_by(self):
        if self.trade is not None and self.trade["direction"] == "sell":
            return "sell"
        return "spending" if self.is_spending and self.net < 0 else "leaving"
