"""What following a wallet would have made, from the text of "A copy, tried before" alone.

Reads a JSON list of requests from standard input and writes the answers. Of swaps between one stable token, worth a dollar, and others, each in
a transaction of its own; nothing is suspect. A request: {"usd": TOKEN, "swaps": [...], "wallet": W, "from", "to", "size", "delay", "slippage",
"unknown", "max_wait", "fee_usd", "fee_percent", "limit"}.
"""
import json
import math
import statistics
import sys


def prints_of(swaps, usd):
    found = []
    for place, s in enumerate(sorted(swaps, key=lambda s: (s["block_time"], s["block_slot"]))):
        buys = s["token_in"] == usd
        token, tokens, dollars = ((s["token_out"], s["token_amount_out"], s["token_amount_in"]) if buys else
                                  (s["token_in"], s["token_amount_in"], s["token_amount_out"]))
        found.append({"place": place, "time": s["block_time"], "wallet": s["wallet"], "token": token, "pool": s["pool"],
                      "p": dollars / tokens, "v": dollars if buys else -dollars, "tokens": tokens, "tx": s["tx_hash"]})
    return found


def one_k(a, b):
    same = (a["v"] > 0) == (b["v"] > 0)
    moved = b["p"] > a["p"] if b["v"] > 0 else b["p"] < a["p"]
    if not same or not moved:
        return None
    x = (a["v"] + b["v"]) / (b["p"] / a["p"] - 1)
    k = x * (x + a["v"]) / a["p"]
    return k if k > 0 else None


def k_of(prints):
    """(K of buys, K of sells), or None."""
    sides = {True: [], False: []}
    for a, b in reversed(list(zip(prints, prints[1:]))):
        k = one_k(a, b)
        if k is not None:
            sides[b["v"] > 0].append(k)
    k_buy, k_sell = (statistics.median(sides[s][:21]) if len(sides[s]) >= 3 else None for s in (True, False))
    if k_buy is None and k_sell is None:
        return None
    each_way = 1 - 0.01
    if k_buy is None:
        k_buy = k_sell / each_way ** 2
    if k_sell is None:
        k_sell = k_buy * each_way ** 2
    return k_buy, k_sell


def price_at(all_prints, leader, moment, request, buys, amount):
    """(price, K of the side, whether K was unknown); amount: dollars of a buy, tokens of a sell."""
    seen = [q for q in all_prints if q["time"] <= moment][-82:]
    last, k = seen[-1], k_of(seen)
    if k is None:
        price = last["p"] * (1 + request["unknown"] / 100 * (1 if buys else -1))
    else:
        k_buy, k_sell = k
        own = k_buy if last["v"] > 0 else k_sell
        x = (last["v"] + math.sqrt(last["v"] ** 2 + 4 * own * last["p"])) / 2
        if (last["v"] > 0) != buys:
            ratio = max(1.0, k_buy / k_sell)
            x = x * ratio if buys else x / ratio
        price = x * (x + amount) / k_buy if buys else x / (k_sell / x + amount)
    later = [q for q in all_prints if moment < q["time"] <= moment + request["max_wait"] and q["wallet"] != leader]
    if later:
        price = max(price, later[0]["p"]) if buys else min(price, later[0]["p"])
    return price * (1 + request["slippage"] / 100 * (1 if buys else -1)), k, k is None


def take(lots, tokens):
    """Takes tokens out of the oldest lots; their cost."""
    cost = 0.0
    while lots and tokens > 0:
        have, paid = lots[0]
        part = min(1.0, tokens / have)
        cost += paid * part
        tokens -= have * part
        if part >= 1.0:
            lots.pop(0)
        else:
            lots[0] = (have * (1 - part), paid * (1 - part))
    return cost


def follow(request):
    prints = prints_of(request["swaps"], request["usd"])
    leader = request["wallet"]
    of_pool = {}
    for q in prints:
        of_pool.setdefault((q["token"], q["pool"]), []).append(q)
    balance, books, own, missed_lots = {}, {}, {}, {}
    pairs, pool_of = [], {}
    sums = {"realized": 0.0, "cost": 0.0, "fees": 0.0, "missed": 0, "unknown": 0}
    leads = {"realized": 0.0, "cost": 0.0}
    missed_made = 0.0
    fee_of = lambda dollars: request["fee_usd"] + dollars * request["fee_percent"] / 100
    for q in prints:
        if q["wallet"] != leader:
            continue
        token, buys = q["token"], q["v"] > 0
        had = balance.get(token, 0.0)
        balance[token] = had + q["tokens"] if buys else max(0.0, had - q["tokens"])
        if not request["from"] <= q["time"] <= request["to"]:
            continue
        if not buys and token not in books:
            continue
        lots, theirs, lost = (b.setdefault(token, []) for b in (books, own, missed_lots))
        pool_of[token] = (token, q["pool"])
        moment = q["time"] + request["delay"]
        market = of_pool[(token, q["pool"])]
        if buys:
            spend = request["size"] - fee_of(request["size"])
            price, k, unknown = price_at(market, leader, moment, request, True, spend)
            sums["unknown"] += unknown
            theirs.append((request["size"] / q["p"], request["size"]))
            leads["cost"] += request["size"]
            if request["limit"] is not None and price > q["p"] * (1 + request["limit"] / 100):
                sums["missed"] += 1
                lost.append((request["size"] / q["p"], request["size"]))
                pairs.append({"tx": q["tx"], "price": price, "tokens": 0.0, "missed": True})
                continue
            lots.append((spend / price, request["size"]))
            sums["cost"] += request["size"]
            sums["fees"] += fee_of(request["size"])
            pairs.append({"tx": q["tx"], "price": price, "tokens": spend / price, "missed": False})
            continue
        part = min(1.0, q["tokens"] / had) if had > 0 else 1.0
        held = sum(t for t, _ in lots)
        price, k, unknown = price_at(market, leader, moment, request, False, held * part)
        if held > 0:
            sums["unknown"] += unknown
            got = held * part * price
            sums["fees"] += fee_of(got)
            sums["realized"] += got - fee_of(got) - take(lots, held * part)
        pairs.append({"tx": q["tx"], "price": price, "tokens": held * part, "missed": False})
        theirs_held = sum(t for t, _ in theirs) * part
        leads["realized"] += theirs_held * q["p"] - take(theirs, theirs_held)
        lost_held = sum(t for t, _ in lost) * part
        missed_made += lost_held * q["p"] - take(lost, lost_held)
    unrealized = lead_unrealized = 0.0
    for token in books:
        market = of_pool[pool_of[token]]
        moment = request["to"] + request["delay"]
        held = sum(t for t, _ in books[token])
        if held > 0:
            price, _, _ = price_at(market, leader, moment, request, False, held)
            unrealized += held * price - fee_of(held * price) - sum(c for _, c in books[token])
        newest = [q for q in market if q["time"] <= moment][-1]["p"]
        lead_unrealized += sum(t * newest - c for t, c in own[token])
        missed_made += sum(t * newest - c for t, c in missed_lots[token])
    return {"follower": {"realized_pnl": sums["realized"], "unrealized_pnl": unrealized, "cost": sums["cost"],
                         "fees": sums["fees"], "missed_count": sums["missed"], "missed_leader_pnl": missed_made,
                         "unknown_count": sums["unknown"]},
            "leader": {"realized_pnl": leads["realized"], "unrealized_pnl": lead_unrealized, "cost": leads["cost"]},
            "pairs": pairs}


if __name__ == "__main__":
    json.dump([follow(request) for request in json.load(sys.stdin)], sys.stdout)
