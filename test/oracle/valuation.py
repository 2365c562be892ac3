"""What a swap is worth in USD, one value for both of its legs, and which rule said so."""
from typing import NamedTuple, Optional

from exact import finite, quotient
from native_price import NativeVotes
from swaps import is_self_swap
from voice import add_voices, transactions

HIGHEST = 1e200
SIDES = ("in", "out")
BESIDE_STABLE, BESIDE_OTHER = (0.95, 1.05), 1.25


class Worth(NamedTuple):
    usd: Optional[float]
    # What `valued_by` shows.
    rule: Optional[str]
    # What it rests on: "stable" (also a feed that agrees with a stable leg), "feed", "native", "reference".
    source: Optional[str]
    # From when on its age counts.
    since: int
    # Whether a feed says otherwise.
    contradicted: bool = False


class OwnValue(NamedTuple):
    """What a leg of a quote token says."""
    usd: float
    rule: str
    source: str
    since: int
    is_firm: bool


def says(s, usd):
    """A value of 0 says nothing of a swap in which an amount changed hands, and one over 1e200 says nothing at all."""
    return usd <= HIGHEST and (usd > 0 or (s["token_amount_in"] == 0 and s["token_amount_out"] == 0))


def feed_of_leg(s, side):
    """(value, rule) that the row gives for one leg, or None."""
    amount, usd, price = s[f"token_amount_{side}"], s[f"usd_amount_{side}"], s[f"token_price_{side}"]
    if usd is not None and says(s, usd):
        return usd, "feed"
    if price is not None and says(s, price * amount):
        return price * amount, "price"
    return None


def quote_sides(s, roles):
    """The sides with a quote token, from the one trusted most."""
    sides = [side for side in SIDES if roles.is_quote(s[f"token_{side}"])]
    return sorted(sides, key=lambda side: roles.trust(s[f"token_{side}"]))


def feed_value(s, roles):
    """(value, rule) that the row gives for the swap, or None."""
    found = {side: entry for side in SIDES if (entry := feed_of_leg(s, side)) is not None}
    for side in quote_sides(s, roles):
        if side in found:
            return found[side]
    return min(found.values(), key=lambda entry: entry[0], default=None)


class Valuation:
    """Values the swaps of one transaction after the other, in chain order."""

    def __init__(self, roles, references):
        self.roles, self.references = roles, references
        self.votes = NativeVotes(roles, references)

    def native_price(self, t):
        """USD per native token at the time t, as far as the swaps valued so far say; None if unknown."""
        return self.votes.at(t).usd

    def fee_price(self, t):
        """(USD per native token, whether it is stale): the price that holds, else the newest of any age; None without one."""
        price = self.native_price(t)
        if price is not None:
            return price, False
        reference, said = self.references.newest(self.roles.native, t), self.votes.last_said
        if reference is None or (said is not None and said.time > reference.time):
            reference = said
        return None if reference is None else (reference.price, True)

    def own_value(self, s, side, native):
        """What the leg of a quote token says by itself, or None."""
        token, amount, time = s[f"token_{side}"], s[f"token_amount_{side}"], s["block_time"]
        kind, known = self.roles.kind[token], self.references.known(token, time)
        if kind == "native":
            price, rule, since, is_firm = native.usd, native.rule, time, native.is_firm
        elif kind == "stable":
            price, rule = (1.0, "stable") if known is None else (known.price, "reference")
            since, is_firm = time, True
        elif known is not None:
            price, rule, since, is_firm = known.price, "reference", known.time, True
        else:
            return None
        if price is None or not says(s, amount * price):
            return None
        return OwnValue(amount * price, rule, kind, since, is_firm)

    def worth(self, s, native):
        """The rules in their order; native is the native price before the transaction."""
        own = [entry for side in quote_sides(s, self.roles) if (entry := self.own_value(s, side, native)) is not None]
        feed, time = feed_value(s, self.roles), s["block_time"]
        if own and own[0].source == "stable":
            low, high = (own[0].usd * bound for bound in BESIDE_STABLE)
            if feed is not None and low <= feed[0] <= high:
                return Worth(feed[0], feed[1], "stable", time)
            return Worth(own[0].usd, own[0].rule, "stable", time, feed is not None)
        if feed is not None:
            firm = next((entry for entry in own if entry.is_firm), None)
            if firm is None or firm.usd / BESIDE_OTHER <= feed[0] <= firm.usd * BESIDE_OTHER:
                return Worth(feed[0], feed[1], "feed", time)
            return Worth(firm.usd, firm.rule, firm.source, firm.since, True)
        if own:
            return Worth(own[0].usd, own[0].rule, own[0].source, own[0].since)
        return Worth(None, None, None, time)

    def value(self, s, native):
        """Adds worth, value_*, price_*, print_*, valued_by, contradicted, and what its trade may count as its value."""
        worth = self.worth(s, native)
        s["worth"], s["valued_by"] = worth, worth.rule
        s["contradicted"] = worth.contradicted and not is_self_swap(s)
        for side in SIDES:
            s[f"value_{side}"] = s[f"traded_{side}"] = worth.usd
            s[f"pooled_{side}"] = s[f"pool_amount_{side}"] if s["pool_amount_in"] is not None else s[f"token_amount_{side}"]
        s["pooled_usd"] = pooled_usd(s, self.roles)
        for side in SIDES:
            s[f"price_{side}"] = quotient(s["pooled_usd"], s[f"pooled_{side}"])
            s[f"print_{side}"] = print_price(s, side, self.roles.dust)
            s[f"in_native_{side}"] = in_native(s, side, self.roles)

    def add(self, group):
        """Values the swaps of a transaction; adds the native price that holds after it."""
        time = group[0]["block_time"]
        native = self.votes.at(time)
        add_voices(group)
        for s in group:
            self.value(s, native)
        self.votes.cast(group)
        after, for_fees = self.native_price(time), self.fee_price(time)
        for s in group:
            s["native_after"], s["fee_price_after"] = after, for_fees


def pooled_usd(s, roles):
    """What went through the pool, USD: the value by what the pool had of the quote token over what the wallet had."""
    usd = s["worth"].usd
    if s["pool_amount_in"] is None or usd is None:
        return usd
    side = (quote_sides(s, roles) or ["in"])[0]
    share = quotient(s[f"pool_amount_{side}"], s[f"token_amount_{side}"])
    return None if share is None else finite(usd * share)


def print_price(s, side, dust):
    """The price this leg prints, or None."""
    value, price = s["pooled_usd"], s[f"price_{side}"]
    if is_self_swap(s) or value is None or value < dust or s[f"pooled_{side}"] <= 0:
        return None
    return price if price is not None and price > 0 else None


def in_native(s, side, roles):
    """Native tokens per token of a leg, if the native leg says what the swap is worth; else None."""
    if s["worth"].source != "native":
        return None
    other = "out" if side == "in" else "in"
    is_native = s[f"token_{side}"] == roles.native
    # At a reference price the native leg is known to say so beside a token that is no quote token alone.
    if s["valued_by"] != "native" and roles.is_quote(s[f"token_{other if is_native else side}"]):
        return None
    return 1.0 if is_native else quotient(s[f"pooled_{other}"], s[f"pooled_{side}"])


def value_swaps(swaps, roles, references):
    """Values all swaps; returns the valuation, which knows the votes on the native price."""
    valuation = Valuation(roles, references)
    for group in transactions(swaps):
        valuation.add(group)
    return valuation
