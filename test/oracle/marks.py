"""Which prints are suspect, and what a token is worth at an instant."""
from typing import NamedTuple, Optional

from exact import finite
from market import product
from voice import transactions
from votes import FEWEST, TokenVotes, Vote

MARKS = ("clean", "last")


def configured_factor(config):
    factor = config.get("print_factor")
    factor = 5.0 if factor is None else float(factor)
    if finite(factor) is None or factor <= 1:
        raise ValueError(f"print_factor is a number above 1, not {factor}")
    return factor


def configured_marks(config):
    kind = config.get("marks") or "clean"
    if kind not in MARKS:
        raise ValueError(f"marks are {' or '.join(MARKS)}, not {kind}")
    return kind


class Judge:
    """Judges the prints of one transaction after the other, in chain order."""

    def __init__(self, roles, references, factor):
        self.roles, self.references, self.factor = roles, references, factor
        self.by_token = {}

    def outside_price(self, token, time):
        """What a quote token is judged by instead of votes, or None."""
        known = self.references.known(token, time)
        if known is not None:
            return known.price
        return 1.0 if token in self.roles.stable else None

    def says_itself(self, s, side):
        """Whether the leg prints only what the native price was already."""
        return s[f"token_{side}"] == self.roles.native and s["worth"].source == "native"

    def judge(self, s, side, votes):
        """Adds suspect_*; returns the print as a vote, and how many votes there were (of those that judged it)."""
        token, time, price = s[f"token_{side}"], s["block_time"], s[f"print_{side}"]
        printed = Vote(
            price, s["pooled_usd"], s["wallet"], s["pool"], time, votes.print_count, s[f"voice_{side}"],
            votes.is_own(s["pool"]),
        )
        outside = self.outside_price(token, time)
        if outside is not None:
            s[f"suspect_{side}"] = price > outside * self.factor or price < outside / self.factor
            return printed, 0
        s[f"suspect_{side}"], seen = votes.contradict(printed, self.factor)
        return printed, seen

    def add(self, group):
        cast = {}
        for s in group:
            for side in ("in", "out"):
                s[f"suspect_{side}"] = False
                token = s[f"token_{side}"]
                if s[f"print_{side}"] is None:
                    continue
                votes = self.by_token.setdefault(token, TokenVotes())
                printed, seen = self.judge(s, side, votes)
                if s[f"suspect_{side}"] and seen >= FEWEST and self.is_by_feed_alone(s):
                    s["contradicted"] = True
                    s["traded_in"] = s["traded_out"] = None
                if not self.says_itself(s, side):
                    votes.print_count += 1
                    cast.setdefault(token, []).append(printed)
        for token, prints in cast.items():
            self.by_token[token].cast(prints)

    def is_by_feed_alone(self, s):
        """Whether nothing but the feed says what a swap of token for token is worth."""
        return s["worth"].source == "feed" and not any(self.roles.is_quote(s[f"token_{side}"]) for side in ("in", "out"))


def judge_prints(swaps, roles, references, factor):
    """Adds suspect_* to swaps in chain order; returns the tokens that have a vote. A leg without a print is not suspect."""
    judge = Judge(roles, references, factor)
    for group in transactions(swaps):
        judge.add(group)
    return {token for token, votes in judge.by_token.items() if votes.votes}


class Mark(NamedTuple):
    """What values a token at an instant."""
    usd_price: float
    block_time: int
    # Of a mark that the native token values: native tokens per token, and USD per native token at the instant.
    in_native: Optional[float] = None
    native_usd: Optional[float] = None

    def times(self, supply):
        """The value of a supply in USD."""
        if self.in_native is None or self.native_usd is None:
            return product(self.usd_price, supply)
        return product(product(self.in_native, supply), self.native_usd)


class Marks:
    """The marks of all tokens at one instant, when the native token is worth native_usd (None if unknown)."""

    def __init__(self, markets, roles, references, native_usd, as_of):
        self.markets, self.roles, self.references = markets, roles, references
        self.native_usd, self.as_of = native_usd, as_of

    def of_print(self, printed):
        """A mark that the native token values moves with the native price."""
        if printed is None:
            return None
        moved = None if printed.in_native is None else product(printed.in_native, self.native_usd)
        price = printed.price if moved is None else moved
        return Mark(price, printed.time, printed.in_native, self.native_usd)

    def clean_one(self, token, market, voted):
        known = self.references.known(token, self.as_of)
        newest = market.newest()
        # A quote token that never had a print has no mark, whatever it is worth.
        if newest is None:
            return None
        if known is not None:
            return Mark(known.price, known.time)
        if token in self.roles.stable:
            return Mark(1.0, newest.time)
        return self.of_print(market.newest("voiced" if token in voted else "clean"))

    def clean(self, voted):
        """{token: mark} by the rule; voted are the tokens that have a vote."""
        found = {token: self.clean_one(token, market, voted) for token, market in self.markets.items()}
        return {token: mark for token, mark in found.items() if mark is not None}

    def last(self):
        """{token: its newest print}."""
        found = {token: self.of_print(market.newest()) for token, market in self.markets.items()}
        return {token: mark for token, mark in found.items() if mark is not None}
