"""Position profiles: what one wallet did with one token, and what it holds of it."""
from exact import Est, divide, positive_sum
from market import product
from metrics import (
    DAY, WALLET_METRICS, WALLET_WINDOWS, Entity, cost_sum, finish, known_usd, pnl_sum, results_of, roi_of, wallet_metrics,
)
from native import NATIVE_HOLDING, native_holding
from pair import amount_of, as_float, cost_of

# Of several tokens, and the one that the field leaves out.
LEFT_OUT = {
    "avg_daily_traded_tokens", "avg_token_pnl", "avg_token_roi", "token_roi_distribution", "position_count",
    "token_hit_ratio", "time_weighted_roi", "wash_share", "quick_share",
}
POSITION_METRICS = [name for name in WALLET_METRICS if name not in LEFT_OUT]
HOLDING = """
balance cost_basis avg_entry_price realized_pnl realized_roi bought_usd sold_usd buy_count sell_count
price value unrealized_pnl unrealized_roi price_age
arrived_amount away_amount away_cost spent_cost
""".split() + NATIVE_HOLDING
FLIP, DIAMOND, BAGHOLDER = 300, 7 * DAY, 5


def itself(x):
    return None if x is None else Est(x, x)


def metadata(trades, pair, symbol):
    """Times and state of the position now or last open; the trades are all of the pair's, in trade order."""
    return {
        "symbol": symbol,
        "first_trade_at": trades[0]["block_time"],
        "last_trade_at": trades[-1]["block_time"],
        "opened_at": pair.opened_at,
        "closed_at": pair.closed_at,
        "state": pair.state,
    }


def holding(trades, position, balance, mark, native_price, as_of):
    """(holding, scales): position is the pair with its lots, mark is the print that values the token or None."""
    lots = position.known_lots()
    buys = [t for t in trades if t["direction"] == "buy"]
    sells = [t for t in trades if t["direction"] == "sell"]
    summed = results_of(sells)
    price = mark and mark.usd_price
    pnl = pnl_sum(summed)
    cost = positive_sum([as_float(lot.cost) for lot in lots]) if lots else None
    amount = positive_sum([as_float(lot.amount) for lot in lots]) if lots else None
    worth = product(amount and amount.value, price)
    unrealized = None if worth is None else Est(worth - cost.value, worth + cost.value)
    return finish({
        "balance": itself(balance),
        "cost_basis": cost,
        "avg_entry_price": divide(cost, amount),
        "realized_pnl": pnl,
        "realized_roi": roi_of(pnl, cost_sum(summed)),
        "bought_usd": positive_sum(known_usd(buys)),
        "sold_usd": positive_sum(known_usd(sells)),
        "buy_count": len(buys),
        "sell_count": len(sells),
        "price": itself(price),
        "value": itself(product(balance, price)),
        "unrealized_pnl": unrealized,
        "unrealized_roi": roi_of(unrealized, cost),
        "price_age": mark and as_of - mark.block_time,
        **besides(position, balance),
        **native_holding(sells, position.native_lots(), native_price),
    }, HOLDING)


def besides(pair, balance):
    """What arrived, what is away, what was spent. Both amounts follow the balance, both costs what lots ever cost."""
    size, ever = as_float(pair.size), as_float(max(pair.received, pair.bought, pair.balance))
    known = any(lot.unit_cost is not None for lot in pair.away)
    arrived, away = max(0.0, balance - as_float(amount_of(pair.here))), as_float(amount_of(pair.away))
    return {
        "arrived_amount": Est(arrived, max(balance, ever)),
        "away_amount": Est(away, max(away, ever)),
        "away_cost": None if pair.away and not known else Est(as_float(cost_of(pair.away)), size),
        "spent_cost": Est(as_float(pair.spent_cost), size),
    }


def default_labels(meta, held, as_of):
    """The labels of the default rules."""
    labels = []
    if meta["state"] == "closed" and meta["closed_at"] - meta["opened_at"] <= FLIP:
        labels.append("flip")
    if meta["state"] == "open":
        if as_of - meta["opened_at"] >= DIAMOND:
            labels.append("diamond")
        price, entry = held["price"], held["avg_entry_price"]
        if price is not None and entry is not None and price * BAGHOLDER <= entry:
            labels.append("bagholder")
    return labels


def newest_swap_times(swaps):
    """{(wallet, token): time} of the newest swap of the wallet that touches the token."""
    found = {}
    for s in swaps:
        for side in ("in", "out"):
            found[s["wallet"], s[f"token_{side}"]] = s["block_time"]
    return found


def position_profiles(swaps, trades, ledger, balances, marks, native_price_of, symbol_of, as_of, wanted, wash):
    """By position id. The ledger holds the open lots by (wallet, token), trades those of swaps between quotes too."""
    by_position = {}
    for t in trades:
        by_position.setdefault(t["position"], []).append(t)
    updated = newest_swap_times(swaps)
    profiles = {}
    for position in wanted.of(by_position):
        here = by_position[position]
        wallet, token = here[0]["wallet"], here[0]["token"]
        meta = metadata(here, ledger[wallet, token], symbol_of(token))
        held, held_scales = holding(
            here, ledger[wallet, token], balances[wallet][token], marks.get(token), native_price_of(token), as_of,
        )
        entity = Entity(here, wash, cost_here=as_float(cost_of(ledger[wallet, token].known_lots())))
        windows = {w: wallet_metrics(entity, as_of, w, POSITION_METRICS) for w in WALLET_WINDOWS}
        profiles[position] = {
            "wallet_address": wallet,
            "token_address": token,
            "updated_at": updated[wallet, token],
            "labels": default_labels(meta, held, as_of),
            "metadata": meta,
            "holding": held,
            "holding_scales": held_scales,
            "metrics": {w: found for w, (found, _) in windows.items()},
            "scales": {w: scales for w, (_, scales) in windows.items()},
        }
    return profiles
