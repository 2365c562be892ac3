"""Which prints are suspect, and what a token is worth at an instant."""
from exact import finite
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
            price, s[f"value_{side}"], s["wallet"], s["pool"], time, votes.print_count, s[f"voice_{side}"],
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


def clean_mark(token, market, voted, roles, references, as_of):
    """{usd_price, block_time} by the rule of marks, or None."""
    known = references.known(token, as_of)
    if known is not None:
        return {"usd_price": known.price, "block_time": known.time}
    newest = market.newest()
    if token in roles.stable:
        return newest and {"usd_price": 1.0, "block_time": newest.time}
    return shown(market.newest("voiced" if token in voted else "clean"))


def shown(printed):
    return printed and {"usd_price": printed.price, "block_time": printed.time}


def clean_marks(markets, voted, roles, references, as_of):
    """{token: its mark}, where it has one."""
    found = {token: clean_mark(token, market, voted, roles, references, as_of) for token, market in markets.items()}
    return {token: mark for token, mark in found.items() if mark is not None}


def last_marks(markets):
    """{token: its newest print}, where it has one."""
    found = {token: shown(market.newest()) for token, market in markets.items()}
    return {token: mark for token, mark in found.items() if mark is not None}
