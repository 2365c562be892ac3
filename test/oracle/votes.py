"""Who votes on what a token is worth, and which prints the votes contradict."""
from typing import NamedTuple, Optional

A_WALLET, LISTED, FAR = 3, 63, 10_000
OWN_FROM, OWN_AGE = 5, 30 * 86400
FEWEST, NEAREST = 3, 15
AT_MOST, POOL_SUM, TIMES = 100.0, 1000.0, 10
WEIGH, WEIGH_OWN = 2000.0, 200.0


class Vote(NamedTuple):
    price: float
    usd: float
    wallet: str
    pool: Optional[str]
    time: int
    # How many prints of the token came before it.
    before: int
    has_voice: bool
    # Whether its pool was own before its transaction.
    is_own: bool


def newest(votes):
    """Of votes from the newest: three of a wallet, 63 in all."""
    found, by_wallet = [], {}
    for v in votes:
        if len(found) == LISTED:
            break
        by_wallet[v.wallet] = by_wallet.get(v.wallet, 0) + 1
        if by_wallet[v.wallet] <= A_WALLET:
            found.append(v)
    return found


def third(n):
    """A third, rounded up."""
    return (n + 2) // 3


def outweighs(votes, p, factor, weigh):
    """Whether the votes far under the price weigh as much as the others that are newer than the k-th of them."""
    k = third(min(len(votes), NEAREST))
    low = high = 0.0
    met = 0
    for v in votes:
        part = min(v.usd, AT_MOST)
        if v.price < p / factor:
            low += part
            met += 1
        elif met < k:
            high += part
        if low + high >= weigh:
            break
    return met > 0 and low >= high


class TokenVotes:
    """The votes and own pools of one token after some transactions."""

    def __init__(self):
        self.votes, self.print_count = [], 0
        self.own, self.pool_sums, self.own_sum = set(), {}, 0.0

    def is_own(self, pool):
        return not self.votes or pool in self.own

    def reach(self, only_own):
        """The votes that a print now may see, from the newest."""
        for v in reversed(self.votes):
            if self.print_count - v.before > FAR:
                return
            if v.is_own or not only_own:
                yield v

    def in_use(self, time):
        """(votes before a print from the newest, whether they are those of own pools alone)."""
        own = newest(self.reach(only_own=True))
        if len(own) >= OWN_FROM and time - own[0].time <= OWN_AGE:
            return own, True
        return newest(self.reach(only_own=False)), False

    def contradict(self, printed, factor):
        """(whether the votes make the print suspect, how many votes there were)."""
        votes, only_own = self.in_use(printed.time)
        if len(votes) < FEWEST:
            return not printed.is_own or (bool(self.votes) and not printed.has_voice), len(votes)
        seen = len(votes)
        if printed.has_voice and (printed.is_own or not only_own):
            votes = newest([printed, *votes])
        near, p = votes[:NEAREST], printed.price
        k = third(len(near))
        if sum(1 for v in near if v.price <= p * factor) < k:
            return True, seen
        if sum(1 for v in near if v.price < p / factor) >= k:
            return True, seen
        knows_well = printed.has_voice and printed.pool is not None and printed.is_own and only_own
        return outweighs(votes, p, factor, WEIGH_OWN if knows_well else WEIGH), seen

    def cast(self, prints):
        """The vote of one transaction, of its prints in chain order."""
        with_voice = [p for p in prints if p.has_voice]
        in_own = [p for p in with_voice if p.is_own]
        for vote in (in_own or with_voice)[-1:]:
            part = min(vote.usd, AT_MOST)
            self.pool_sums[vote.pool] = self.pool_sums.get(vote.pool, 0.0) + part
            if vote.is_own:
                self.own_sum += part
            if not self.votes or self.pool_sums[vote.pool] >= min(POOL_SUM, TIMES * self.own_sum):
                self.own.add(vote.pool)
            self.votes.append(vote)
