"""What the native token is worth in USD: by a reference price, else by the newest votes that agree."""
from bisect import bisect_right
from itertools import takewhile
from typing import NamedTuple, Optional

from prices import KnownPrice

MOST, A_WALLET, FIRM_FROM = 9, 3, 5
NEAR = 1.25


class NativeVote(NamedTuple):
    # That of its swap, or of a price that rests on a reference token when that one became known.
    time: int
    price: float
    wallet: str
    is_firm: bool


class NativePrice(NamedTuple):
    usd: Optional[float]
    # "reference" or "native", None if the price is unknown.
    rule: Optional[str]
    is_firm: bool


UNKNOWN = NativePrice(None, None, False)


def price_of(votes):
    """Of votes from the newest: the newest one within a quarter of their lower median."""
    middle = sorted(v.price for v in votes)[(len(votes) + 1) // 2 - 1]
    return next(v.price for v in votes if middle / NEAR <= v.price <= middle * NEAR)


def first_votes(votes):
    """The first nine of some votes, three of a wallet."""
    found, by_wallet = [], {}
    for v in votes:
        if len(found) == MOST:
            break
        by_wallet[v.wallet] = by_wallet.get(v.wallet, 0) + 1
        if by_wallet[v.wallet] <= A_WALLET:
            found.append(v)
    return found


class NativeVotes:
    """The votes of all transactions so far, by their time, and at equal times in chain order."""

    def __init__(self, roles, references):
        self.native, self.references = roles.native, references
        self.votes, self.times = [], []
        # What the firm votes said when the newest of them was cast, and its time.
        self.last_said = None

    def newest(self, t, firm):
        """At most nine firm or feed votes that are not too old at t, newest first, three of a wallet."""
        young = takewhile(lambda v: t - v.time <= self.references.max_age, reversed(self.votes))
        return first_votes(v for v in young if v.is_firm == firm)

    def at(self, t):
        """The native price after the votes so far, at the time t."""
        firm = self.newest(t, firm=True)
        known = self.references.known(self.native, t)
        if known is not None and sum(1 for v in firm if v.time > known.time) < FIRM_FROM:
            return NativePrice(known.price, "reference", True)
        votes = firm or self.newest(t, firm=False)
        return NativePrice(price_of(votes), "native", len(votes) >= FIRM_FROM) if votes else UNKNOWN

    def cast(self, group):
        """The vote of a transaction: its last firm print of the native token, else its last by a feed."""
        found = [v for s in group for v in evidence(s, self.native)]
        for vote in ([v for v in found if v.is_firm] or found)[-1:]:
            i = bisect_right(self.times, vote.time)
            self.votes.insert(i, vote)
            self.times.insert(i, vote.time)
            if vote.is_firm and (self.last_said is None or vote.time >= self.last_said.time):
                price = price_of(self.newest(group[0]["block_time"], firm=True))
                self.last_said = KnownPrice(vote.time, price)


def evidence(s, native):
    """The vote that this swap would cast, in a list, or none."""
    for side in ("in", "out"):
        if s[f"token_{side}"] == native and s[f"print_{side}"] is not None and s[f"voice_{side}"]:
            worth = s["worth"]
            if worth.source != "native":
                is_firm = worth.source in ("stable", "reference")
                return [NativeVote(worth.since, s[f"print_{side}"], s["wallet"], is_firm)]
    return []
