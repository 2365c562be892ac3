"""The order of one pair's transactions where nothing says it (transfers spec, rule 6)."""
from fractions import Fraction
from typing import NamedTuple, Optional

from pair import NONE

EQUAL = Fraction(1, 10**9)
MOST = 64
# What a transaction without swaps says of its order: no log index, no fraction of the second, no place in a file.
UNKNOWN = (-1, 0, -1)


class Place(NamedTuple):
    """Where a transaction stands. `standing` orders those that have swaps, as far as it is known."""
    time: int
    slot: Optional[int]
    tx_index: Optional[int]
    standing: Optional[tuple]
    tx_hash: str

    def key(self):
        return self.time, self.slot or 0, self.tx_index or 0, *(self.standing or UNKNOWN), self.tx_hash

    def is_before(self, other):
        """Whether it is known to be before another of the same second."""
        if self.slot is not None and other.slot is not None and self.slot != other.slot:
            return self.slot < other.slot
        if self.slot != other.slot:
            return False
        if self.tx_index is not None and other.tx_index is not None:
            return self.tx_index < other.tx_index
        if self.tx_index is not None or other.tx_index is not None:
            return False
        if self.standing is None or other.standing is None:
            return False
        for a, b, unknown in zip(self.standing, other.standing, UNKNOWN):
            if a != b and unknown not in (a, b):
                return a < b
        return False


def equal(a, b):
    return abs(a - b) <= EQUAL * max(abs(a), abs(b))


def groups_of(steps):
    """Steps of one second, or of one slot if all of the second have one; each in chain order."""
    by_second = {}
    for step in sorted(steps, key=lambda s: s.place.key()):
        by_second.setdefault(step.time, []).append(step)
    for here in by_second.values():
        if any(step.place.slot is None for step in here):
            yield here
            continue
        by_slot = {}
        for step in here:
            by_slot.setdefault(step.place.slot, []).append(step)
        yield from by_slot.values()


def in_order(group, pair):
    """Gives the steps of a group one after the other, each after those before it were run."""
    decided = pair.decided
    if len(group) > MOST:
        decided["order_by_hash"] += 1
        yield from group
        return
    left = list(group)
    while left:
        free = [s for s in left if not any(o.place.is_before(s.place) for o in left if o is not s)]
        chosen = free[0] if len(free) == 1 else next_of(free, left, pair.balance, decided)
        if len(left) > 1 and len(free) == 1:
            decided["order_known"] += 1
        left = [s for s in left if s is not chosen]
        yield chosen


def reported(step):
    """Readings of what is known to have been there before the step."""
    return step.befores()


def next_of(free, left, balance, decided):
    trades = [s for s in free if s.legs]
    movements = [s for s in free if not s.legs]
    found = next((s for s in trades if any(equal(b, balance) for b in reported(s))), None)
    if found is not None:
        decided["order_pre_is_balance"] += 1
        return found
    for step in movements:
        after = max(NONE, balance + step.came - step.out)
        if any(equal(b, after) for s in trades for b in reported(s)):
            decided["order_closes_gap"] += 1
            return step
    for step in trades:
        others = [a for s in left if s is not step and s.legs for a in s.afters()]
        if reported(step) and not any(equal(b, a) for b in reported(step) for a in others):
            decided["order_pre_is_no_post"] += 1
            return step
    coming = [s for s in movements if s.came > s.out]
    for name, steps in (("in", coming), ("trade", trades), ("out", movements)):
        if steps:
            decided[f"order_{name}"] += 1
            return steps[0]
    raise AssertionError("a group has something that comes next")
