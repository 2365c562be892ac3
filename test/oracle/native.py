"""What a holding is worth in the native token (worth spec; decided: "Native results")."""
from exact import Est, positive_sum, quotient, total
from market import product
from swaps import is_self_swap
from worth import native_pnl, native_roi

NATIVE_HOLDING = ["cost_basis_native", "realized_pnl_native", "realized_roi_native", "unrealized_pnl_native"]


def exchange_rates(swaps, native):
    """{token: native tokens per token} in the newest swap of the token against the native token."""
    found = {}
    for s in swaps:
        if is_self_swap(s) or native is None:
            continue
        for side, other in (("in", "out"), ("out", "in")):
            amounts = s[f"token_amount_{other}"], s[f"token_amount_{side}"]
            if s[f"token_{other}"] == native and min(amounts) > 0:
                found[s[f"token_{side}"]] = quotient(*amounts)
    return found


def native_prices(swaps, native, native_usd, usd_price_of):
    """A function from a token to its price in native tokens; native_usd is the native token's price in USD or None."""
    rates = exchange_rates(swaps, native)

    def price_of(token):
        if token == native:
            return 1.0
        usd = usd_price_of(token)
        return rates.get(token) if usd is None or native_usd is None else quotient(usd, native_usd)

    return price_of


def native_holding(trades, lots, price):
    """The fields of a holding; lots are the open ones of known native cost, price is in native tokens or None."""
    cost = positive_sum([lot.amount * lot.unit_native for lot in lots]) if lots else None
    worth = product(total(lot.amount for lot in lots), price) if lots else None
    return {
        "cost_basis_native": cost,
        "realized_pnl_native": native_pnl(trades),
        "realized_roi_native": native_roi(trades),
        "unrealized_pnl_native": None if worth is None else Est(worth - cost.value, worth + cost.value),
    }
