"""The ledger of all pairs: what each of their transactions did to lots and balances (transfers spec)."""
from collections import Counter

from arrange import Place, groups_of, in_order
from exact import finite
from fifo import settle_native, settle_sell
from pair import NONE, Pair, as_float, cost_of
from steps import Step
from transfers import Moved, amounts_of, legs_of_pairs, moved, rows_of_pairs


def places_of(swaps, transfers):
    """{tx_hash: where it stands}: where its swaps stand, else the smallest that its transfers say."""
    found = {}
    for s in swaps:
        found[s["tx_hash"]] = Place(s["block_time"], s["block_slot"], s["tx_index"], s["standing"], s["tx_hash"])
    alone = {}
    for row in transfers:
        if row["tx_hash"] not in found:
            alone.setdefault(row["tx_hash"], []).append(row)
    for tx_hash, rows in alone.items():
        smallest = (min((r[n] for r in rows if r[n] is not None), default=None) for n in ("block_time", "block_slot", "tx_index"))
        found[tx_hash] = Place(*smallest, None, tx_hash)
    return found


def steps_by_pair(swaps, trades, transfers, roles, decided):
    """{(wallet, token): [Step]}"""
    places, legs = places_of(swaps, transfers), legs_of_pairs(swaps)
    rows = rows_of_pairs(transfers, {s["wallet"] for s in swaps})
    flagged = {row["tx_hash"] for row in transfers if row["includes_swaps"]}
    by_identity, traders = {}, set()
    for t in trades:
        by_identity[t["tx_hash"], t["wallet"], t["token"]] = t
        traders.add((t["tx_hash"], t["wallet"]))
    found = {}
    for key in {**legs, **rows}:
        tx_hash, wallet, token = key
        here, trade = legs.get(key, []), by_identity.get(key)
        amounts, is_native = amounts_of(here), token == roles.native
        beside = Moved()
        if key in rows:
            beside = moved(rows[key], amounts if here else None, tx_hash in flagged, is_native, decided)
            decided["beside_swaps" if here else "alone"] += 1
            decided["elsewhere_than_its_swaps"] += any(
                (row["block_time"], row["block_slot"], row["tx_index"]) != places[tx_hash][:3] for row, _ in rows[key]
            )
        is_spending = bool(here) and trade is None and roles.is_quote(token) and (tx_hash, wallet) in traders
        step = Step(places[tx_hash], here, amounts, trade, beside, is_native, is_spending)
        found.setdefault((wallet, token), []).append(step)
    return found


def settle_trade(t, step, pair, taken, opened, closed, dust):
    """Adds the facts of a trade that its transaction decided."""
    t.update(matched=None, cost=None, proceeds=None, holding=None, realized=False, small=False,
             realized_pnl_usd=None, realized_roi=None,
             matched_native=None, cost_native=None, proceeds_native=None, realized_pnl_native=None)
    t["position_state"] = "open" if opened else "close" if closed and t["direction"] == "sell" else "trade"
    if t["direction"] == "sell":
        settle_sell(t, *taken, dust)
        settle_native(t, *taken)
        gone = cost_of([*taken[0], *taken[1]])
        if t["cost"] is None:
            pair.cost_unvalued += gone
        else:
            pair.cost_realised += gone
    if step.is_contradicted:
        pair.decided[f"contradicted_{t['direction']}"] += 1
        t["pre_token_balance"] = t["post_token_balance"] = None
    t["is_contradicted"] = step.is_contradicted
    t["unmatched_proceeds"] = 0.0
    if t["direction"] == "sell" and t["usd_amount"] is not None:
        t["unmatched_proceeds"] = max(0.0, t["usd_amount"] - (t["proceeds"] or 0.0))
    for name, field in (("gap", "gap_before"), ("away_cost", "away_cost"), ("returned_cost", "returned_cost"),
                        ("spent_now", "spent_cost")):
        t[field] = finite(as_float(getattr(pair, name)))
        setattr(pair, name, NONE)
    t["pair_cost"] = finite(as_float(pair.size))
    t["pair_amount"] = finite(as_float(max(pair.received, pair.balance)))


def run_pair(steps, dust, decided):
    pair = Pair(decided)
    for group in groups_of(steps):
        after = None
        for step in in_order(group, pair):
            pair.gap = NONE
            taken, opened = step.run(pair)
            closed = pair.settle(step.time, step.closes_by())
            if step.trade is not None:
                settle_trade(step.trade, step, pair, taken, opened, closed, dust)
                after = cost_of(pair.here)
        trades = [step.trade for step in group if step.trade is not None]
        for t in trades:
            t["open_cost"] = finite(as_float(after if t is trades[-1] else pair.open_cost))
        if trades:
            pair.open_cost = after
    return pair


def run_ledger(swaps, trades, transfers, roles, decided=None):
    """Adds results, states and what moved to the trades; returns the pairs by (wallet, token). Swaps and trades are in chain
    order, transfers those that count."""
    decided = Counter() if decided is None else decided
    steps = steps_by_pair(swaps, trades, transfers, roles, decided)
    return {key: run_pair(here, roles.dust, decided) for key, here in steps.items()}
