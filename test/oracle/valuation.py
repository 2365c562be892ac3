"""What the legs of a swap are worth in USD, and which rule said so (worth spec; decided: "Valuation of a leg")."""
from exact import quotient
from swaps import is_self_swap

HIGHEST = 1e200
RULES = ("feed", "price", "reference", "stable", "native")
SIDES = (("in", "out"), ("out", "in"))


def by_feed(s, side):
    """(value, rule) by rule 1, else 2; None where the row gives neither."""
    amount, usd, price = s[f"token_amount_{side}"], s[f"usd_amount_{side}"], s[f"token_price_{side}"]
    if usd is not None and (usd > 0 or amount == 0):
        return usd, "feed"
    if price is not None and (price > 0 or amount == 0):
        return price * amount, "price"
    return None


def print_price(s, side, dust):
    """The price this leg prints, or None."""
    value, price = s[f"value_{side}"], s[f"price_{side}"]
    if is_self_swap(s) or value is None or value < dust or s[f"token_amount_{side}"] <= 0:
        return None
    return price if price is not None and price > 0 else None


class Valuation:
    """Values swaps in chain order: the latest native print of the swaps so far is part of the rules."""

    def __init__(self, roles, references):
        self.roles, self.references = roles, references
        self.native_print, self.printed_at = None, None

    def fee_price(self, t):
        """(USD per native token, whether it is older than it may be): the price that holds, else the newest of any age."""
        reference = self.references.newest(self.roles.native, t)
        holds = reference is not None and t - reference[0] <= self.references.max_age
        prints = [] if self.native_print is None else [(self.printed_at, 0, self.native_print)]
        known = [] if reference is None else [(reference[0], 1, reference[1])]
        if not (known if holds else known + prints):
            return None
        time, _, price = max(known if holds else known + prints)
        return price, t - time > self.references.max_age

    def native_price(self, t):
        """USD per native token at the time t, as far as the swaps valued so far say; None if unknown."""
        reference = self.references.at(self.roles.native, t)
        return self.native_print if reference is None else reference

    def by_quote(self, s, side):
        """Rule 3."""
        token, amount = s[f"token_{side}"], s[f"token_amount_{side}"]
        price = self.references.at(token, s["block_time"])
        if price is not None:
            return amount * price, "reference"
        return (amount, "stable") if token in self.roles.stable else None

    def by_native(self, s, side, other, with_feed):
        """Rule 4."""
        if self.roles.native is None or s[f"token_{side}"] != self.roles.native:
            return None
        if s[f"token_{other}"] in self.roles.stable:
            return self.up_to_3(s, other, with_feed)[0], "native"
        return None if self.native_print is None else (s[f"token_amount_{side}"] * self.native_print, "native")

    def up_to_3(self, s, side, with_feed):
        return (by_feed(s, side) if with_feed else None) or self.by_quote(s, side)

    def leg(self, s, side, other, with_feed=True):
        """(value, rule) by the first of the rules 1 to 4 that applies, or of 3 and 4 alone; None where it is unknown."""
        found = self.up_to_3(s, side, with_feed) or self.by_native(s, side, other, with_feed)
        return found if found is not None and found[0] <= HIGHEST else None

    def own_value(self, s):
        """(V, rule): what the swap is worth if nothing came from the feed; None where it has no such leg."""
        quotes = [(side, other) for side, other in SIDES if self.roles.is_quote(s[f"token_{side}"])]
        quotes.sort(key=lambda sides: self.roles.trust(s[f"token_{sides[0]}"]))
        found = (self.leg(s, side, other, with_feed=False) for side, other in quotes)
        return next((entry for entry in found if entry is not None), None)

    def contradicts(self, s):
        """(V, rule) where a value that the row gives is off by more than a factor of two; else None."""
        # What the feed says of no tokens says nothing of the swap.
        sides = [side for side in ("in", "out") if s[f"token_amount_{side}"] > 0]
        given = [entry[0] for side in sides if (entry := by_feed(s, side)) is not None]
        own = None if is_self_swap(s) or not given else self.own_value(s)
        if own is None or own[0] <= 0:
            return None
        return own if any(value < own[0] / 2 or value > own[0] * 2 for value in given) else None

    def legs(self, s):
        """(value in, value out, valued_by, whether the feed was contradicted)."""
        own = self.contradicts(s)
        if own is not None:
            return own[0], own[0], own[1], True
        found_in, found_out = self.leg(s, "in", "out"), self.leg(s, "out", "in")
        rules = [entry[1] for entry in (found_in, found_out) if entry is not None]
        if not rules:
            return None, None, None, False
        return (found_in or found_out)[0], (found_out or found_in)[0], min(rules, key=RULES.index), False

    def add(self, s):
        """Adds value_*, price_*, print_*, valued_by, contradicted and the native price that holds after the swap."""
        s["value_in"], s["value_out"], s["valued_by"], s["contradicted"] = self.legs(s)
        for side, other in SIDES:
            s[f"price_{side}"] = quotient(s[f"value_{side}"], s[f"token_amount_{side}"])
            s[f"print_{side}"] = printed = print_price(s, side, self.roles.dust)
            if printed is not None and s[f"token_{side}"] == self.roles.native and s[f"token_{other}"] in self.roles.stable:
                self.native_print, self.printed_at = printed, s["block_time"]
        s["native_after"] = self.native_price(s["block_time"])
        s["fee_price_after"] = self.fee_price(s["block_time"])


def value_swaps(swaps, roles, references):
    """Values all swaps; returns the valuation, which knows the latest native print."""
    valuation = Valuation(roles, references)
    for s in swaps:
        valuation.add(s)
    return valuation
