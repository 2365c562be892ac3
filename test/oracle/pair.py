"""What one wallet has of one token: the lots that are here, the lots that are away, the balance (transfers spec, "Ledger")."""
from collections import deque
from fractions import Fraction

from exact import finite, quotient

MOST_AWAY = 64
REST = Fraction(1, 10**9)
NONE = Fraction(0)


def as_float(x):
    """The nearest double of a fraction, infinity where there is none."""
    try:
        return float(x)
    except OverflowError:
        return float("inf")


class Lot:
    __slots__ = ("amount", "unit_cost", "unit_native", "time", "whole")

    def __init__(self, amount, unit_cost, unit_native, time, whole=None):
        self.amount, self.unit_cost, self.unit_native, self.time = amount, unit_cost, unit_native, time
        # What tells the parts of one lot from those of others.
        self.whole = object() if whole is None else whole

    @property
    def cost(self):
        """Known cost in USD; 0 without one."""
        if self.unit_cost is None or finite(as_float(self.amount * Fraction(self.unit_cost))) is None:
            return NONE
        return self.amount * Fraction(self.unit_cost)

    def part(self, amount):
        """Splits the amount off, as a lot of its own."""
        self.amount -= amount
        return Lot(amount, self.unit_cost, self.unit_native, self.time, self.whole)


def amount_of(lots):
    return sum((lot.amount for lot in lots), NONE)


def cost_of(lots):
    return sum((lot.cost for lot in lots), NONE)


def mean(a, b, unit):
    """The mean cost of a token of two lots; None where one is unknown."""
    units = [getattr(lot, unit) for lot in (a, b)]
    if None in units:
        return None
    whole = sum(lot.amount * Fraction(u) for lot, u in zip((a, b), units))
    return finite(as_float(whole / (a.amount + b.amount)))


class Pair:
    """Lots from the oldest; those that are away are all older than those that are here."""

    def __init__(self, decided):
        self.away, self.here, self.balance = deque(), deque(), NONE
        self.bought, self.received, self.is_settled = NONE, NONE, False
        self.opened_at = self.closed_at = None
        self.is_open = self.is_unseen = False
        self.decided = decided
        # Of the transaction, and since the trade before.
        self.gap = self.away_cost = self.returned_cost = self.spent_now = NONE
        # Of the whole history; and what was here after the last trade.
        self.spent_cost = self.open_cost = NONE
        # Costs that went in and out: the laws add them up.
        self.cost_in = self.cost_realised = self.cost_unvalued = NONE
        self.size = NONE

    def open(self, amount, time, how):
        """Lots came to be here. Those that a sell or spending takes of what is away move no time of opening."""
        if not self.is_open:
            self.decided[f"opened_by_{how}"] += 1
            self.is_open, self.closed_at, self.bought = True, None, NONE
            self.is_unseen = how == "unseen_return"
            if not self.is_unseen:
                self.opened_at = time
        elif self.is_unseen and how == "return":
            # Others came back after those that were sold or spent unseen.
            self.is_unseen, self.opened_at = False, time
        self.bought += amount

    def add(self, amount, usd, native, time, how):
        """A lot that costs so much; its tokens raise the balance. Returns whether it opened the position: where all left unseen
        since the transaction before, it opens another one."""
        was_open = self.is_open = self.is_open and amount_of(self.here) > REST * self.bought
        self.open(amount, time, how)
        lot = Lot(amount, quotient(usd, as_float(amount)), quotient(native, as_float(amount)), time)
        if amount > 0:
            self.here.append(lot)
        self.balance += amount
        self.cost_in += lot.cost
        self.size += lot.cost
        return not was_open

    def to_balance(self, target, time, why):
        """The balance becomes `target`: lots beyond it go away, the oldest; as it rises they come back, the newest first."""
        rise, self.balance = target - self.balance, target
        if rise > 0:
            # What the balance has beyond the lots here, if it is more than rounding.
            beyond, away = target - amount_of(self.here), amount_of(self.away)
            back = min(away, beyond) if beyond > REST * max(away, self.bought if self.is_open else NONE) else NONE
            self.decided[f"{why}_returned"] += back > 0
            self.decided[f"{why}_arrived"] += back < rise
            self.come_back(back, time)
        elif rise < 0:
            beyond = amount_of(self.here) - target
            self.decided[f"{why}_left"] += beyond > 0
            self.decided[f"{why}_left_of_arrived"] += beyond < -rise
            # What the lots have beyond the balance by rounding stays.
            if beyond > REST * self.bought:
                self.go_away(beyond)
                # Of a rest that counts as nothing, nothing is here.
                rest = amount_of(self.here)
                if rest <= REST * self.bought:
                    self.go_away(rest)

    def come_back(self, amount, time):
        while amount > 0:
            newest = self.away[-1]
            lot = self.away.pop() if newest.amount <= amount else newest.part(amount)
            amount -= lot.amount
            self.returned_cost += lot.cost
            self.open(lot.amount, time, "return")
            self.here.appendleft(lot)

    def go_away(self, amount):
        while amount > 0:
            oldest = self.here[0]
            lot = self.here.popleft() if oldest.amount <= amount else oldest.part(amount)
            amount -= lot.amount
            self.away_cost += lot.cost
            if self.away and self.away[-1].whole is lot.whole:
                self.away[-1].amount += lot.amount
            else:
                self.away.append(lot)

    def take(self, amount, time, why):
        """Lots that go with an amount: those that are here, the oldest first, then what arrived, then what is away, the
        newest first, then what nothing is known of."""
        here = min(amount_of(self.here), amount)
        arrived = max(NONE, min(self.balance - amount_of(self.here), amount - here))
        # Of what is neither here nor arrived, a part of 1e-9 is rounding.
        beyond = amount - here - arrived
        away = min(amount_of(self.away), beyond) if beyond > REST * amount else NONE
        for name, part in (("here", here), ("arrived", arrived), ("away", away), ("unknown", amount - here - arrived - away)):
            self.decided[f"{why}_{name}"] += part > 0
        taken = []
        while here > 0:
            oldest = self.here[0]
            lot = self.here.popleft() if oldest.amount <= here else oldest.part(here)
            here -= lot.amount
            taken.append(lot)
        while away > 0:
            newest = self.away[-1]
            lot = self.away.pop() if newest.amount <= away else newest.part(away)
            away -= lot.amount
            # It had come back unseen.
            self.returned_cost += lot.cost
            self.open(lot.amount, time, "unseen_return")
            taken.append(lot)
        self.balance = max(NONE, self.balance - amount)
        return taken

    def settle(self, time, how):
        """What is looked at after a transaction: rests, whether the position closed, how many lots are away. Returns whether
        it closed; `how` says by what."""
        here, closed, self.is_unseen = amount_of(self.here), False, False
        if self.is_open and here <= REST * self.bought:
            self.decided[f"closed_by_{how}"] += 1
            closed, self.is_open, self.closed_at = True, False, time
            if self.here:
                self.decided["rest_away" if self.away else "rest_dropped"] += 1
                if self.away:
                    self.go_away(here)
            self.here.clear()
        while len(self.away) > MOST_AWAY:
            self.decided["merged_away"] += 1
            a, b = self.away.popleft(), self.away.popleft()
            amount = a.amount + b.amount
            at = (a.amount * a.time + b.amount * b.time) / amount
            self.away.appendleft(Lot(amount, mean(a, b, "unit_cost"), mean(a, b, "unit_native"), at.__floor__()))
        return closed

    def shown_balance(self):
        value = finite(as_float(self.balance)) or 0.0
        return 0.0 if self.is_settled and self.balance <= REST * self.received else value

    @property
    def state(self):
        return "unknown" if self.opened_at is None else "open" if self.is_open else "closed"

    def known_lots(self):
        return [lot for lot in self.here if lot.unit_cost is not None]

    def native_lots(self):
        return [lot for lot in self.here if lot.unit_native is not None]
