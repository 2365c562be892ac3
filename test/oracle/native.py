"""What a holding is worth in the native token (worth spec; decided: "Native results")."""
from exact import Est, positive_sum, quotient
from market import product
from native_price import NativeVote, first_votes, price_of
from pair import amount_of, as_float
from swaps import is_self_swap
from worth import native_pnl, native_roi

NEWEST_SWAPS = 1000
NATIVE_HOLDING = ["cost_basis_native", "realized_pnl_native", "realized_roi_native", "unrealized_pnl_native"]


def exchange_votes(swaps, token, native):
    """Votes from the newest: native tokens per token, by what the pools had, in the newest 1,000 swaps of the token."""
    found = {}
    for s in swaps[-NEWEST_SWAPS:]:
        side, other = ("in", "out") if s["token_in"] == token else ("out", "in")
        price = quotient(s[f"pooled_{other}"], s[f"pooled_{side}"])
        if s[f"token_{other}"] == native and price is not None and price > 0:
            # A transaction stands where it stands in the chain, with its last price.
            found[s["tx_hash"]] = NativeVote(s["block_time"], price, s["wallet"], True)
    return list(found.values())[::-1]


def swaps_by_token(swaps):
    found = {}
    for s in swaps:
        for token in () if is_self_swap(s) else (s["token_in"], s["token_out"]):
            found.setdefault(token, []).append(s)
    return found


def native_prices(swaps, native, native_usd, mark_of):
    """A function from a token to its price in native tokens; native_usd is the native token's price in USD or None."""
    of_token = swaps_by_token(swaps)

    def price_in_native(token):
        if token == native:
            return 1.0
        mark = mark_of.get(token)
        if mark is not None and mark.in_native is not None:
            return mark.in_native
        if mark is not None and native_usd is not None:
            return quotient(mark.usd_price, native_usd)
        votes = first_votes(exchange_votes(of_token[token], token, native))
        return price_of(votes) if votes else None

    return price_in_native


def native_holding(trades, lots, price):
    """The fields of a holding; lots are the open ones of known native cost, price is in native tokens or None."""
    cost = positive_sum([as_float(lot.amount) * lot.unit_native for lot in lots]) if lots else None
    worth = product(as_float(amount_of(lots)), price) if lots else None
    return {
        "cost_basis_native": cost,
        "realized_pnl_native": native_pnl(trades),
        "realized_roi_native": native_roi(trades),
        "unrealized_pnl_native": None if worth is None else Est(worth - cost.value, worth + cost.value),
    }
