"""Recomputes every number that the product serves, from the metrics specification alone.

    python3 test/oracle/oracle.py --request REQUEST.json --out OUT.json
"""
import argparse
import json
import math
from collections import Counter
from datetime import datetime

import launch
import ledger
import luck
import market
import marks
import metrics
import moves
import parts
import pools
import terms
import wash
from exact import total
from native import native_prices
from positions import position_profiles
from prices import ReferencePrices
from record import Records
from swaps import Roles, ingest, is_self_swap, parse_number, parse_text, parse_time, read_rows
from transfers import ingest_transfers
from valuation import value_swaps

SERVED_SWAP = (
    "protocol", "wallet", "token_in", "token_out", "token_symbol_in", "token_symbol_out",
    "token_amount_in", "token_amount_out", "token_price_in", "token_price_out",
    "pre_token_balance_in", "pre_token_balance_out", "post_token_balance_in", "post_token_balance_out",
    "usd_amount_in", "usd_amount_out", "block_slot", "block_time", "tx_hash", "swap_index", "swap_type", "pool",
    "fee_native", "pool_amount_in", "pool_amount_out", "valued_by", "suspect_in", "suspect_out",
)
REGISTRY_NUMBERS = ("total_supply", "circulating_supply", "liquidity", "holders")


def registry_number(value):
    try:
        return market.finite(parse_number(value))
    except (TypeError, ValueError):
        return None


def created_at(given):
    """Unix seconds of a time that a registry gives as a number or as RFC 3339; None of anything else."""
    if isinstance(given, str) and "T" in given:
        return math.floor(datetime.fromisoformat(given.replace("Z", "+00:00")).timestamp())
    return None if given is None else parse_time(given)[0]


def registry(rows, roles, names):
    """{address: facts}; the last row of an address counts."""
    found = {}
    for row in rows:
        address = next((row[n] for n in names if row and row.get(n)), None)
        if address is None:
            continue
        facts = {"symbol": parse_text(row.get("symbol"))}
        creator = parse_text(row.get("creator_address"))
        facts["creator_address"] = roles.address(creator) if creator else None
        facts["created_at"] = created_at(row.get("created_at"))
        for name in REGISTRY_NUMBERS:
            facts[name] = registry_number(row.get(name))
        found[roles.address(address)] = facts
    return found


def newest_symbols(swaps):
    found = {}
    for s in swaps:
        for side in ("in", "out"):
            if s[f"token_symbol_{side}"]:
                found[s[f"token_{side}"]] = s[f"token_symbol_{side}"]
    return found


def newest_times(rows, keys):
    found = {}
    for row in rows:
        for key in keys:
            found[row[key]] = row["block_time"]
    return found


def grouped(trades, key):
    found = {}
    for t in trades:
        found.setdefault(t[key], []).append(t)
    return found


def served_swap(s, fallback_symbol):
    served = {name: s.get(name) for name in SERVED_SWAP}
    for side in ("in", "out"):
        served[f"usd_amount_{side}"] = s[f"value_{side}"]
        served[f"token_price_{side}"] = s[f"price_{side}"]
        served[f"token_symbol_{side}"] = s[f"token_symbol_{side}"] or fallback_symbol(s[f"token_{side}"])
    return served


def windowed(names, compute):
    results = {name: compute(name) for name in names}
    return {
        "metrics": {name: m for name, (m, _) in results.items()},
        "scales": {name: s for name, (_, s) in results.items()},
    }


INCLUDES = {"launch", "luck", "parts", "positions", "terms"}


class Wanted:
    """The addresses whose profiles are asked for: all of them where no list is given."""

    def __init__(self, addresses):
        self.addresses = None if addresses is None else set(addresses)

    def of(self, addresses):
        return [a for a in addresses if self.addresses is None or a in self.addresses]


def compute(
    config, rows, tokens=(), wallets=(), as_of=None, candle_intervals=(), history=(), include=(), profiles=None,
    reference_prices=(), transfers=(), horizon=None,
):
    unknown = sorted(set(include) - INCLUDES)
    if unknown:
        raise ValueError(f"unknown in include: {', '.join(unknown)}")
    roles, wanted = Roles(config), Wanted(profiles)
    print_factor, mark_kind = marks.configured_factor(config), marks.configured_marks(config)
    wash_rules = wash.configured_wash(config)
    token_facts = registry(tokens, roles, ("address", "token", "token_address"))
    wallet_facts = registry(wallets, roles, ("address", "wallet", "wallet_address"))
    swaps, counts = ingest(rows, roles)
    moving, transfer_counts = ingest_transfers(transfers, roles)
    newest = max((s["block_time"] for s in swaps), default=0)
    as_of = newest if as_of is None else as_of
    if as_of < newest:
        times = {s["tx_hash"]: s["block_time"] for s in swaps}
        moving = [row for row in moving if times.get(row["tx_hash"], row["block_time"]) <= as_of]
    swaps = [s for s in swaps if s["block_time"] <= as_of]
    references = ReferencePrices(reference_prices, roles, config.get("reference_max_age"))
    valuation = value_swaps(swaps, roles, references)
    voted = marks.judge_prints(swaps, roles, references, print_factor)
    counts["unvalued"] = sum(1 for s in swaps if s["valued_by"] is None and not is_self_swap(s))
    counts["contradicted"] = sum(1 for s in swaps if s["contradicted"])

    def facts_of(token):
        return token_facts.get(token, {})

    def fallback_symbol(token):
        return facts_of(token).get("symbol") or roles.symbol.get(token)

    def flow_symbol(flow):
        named = (s[f"token_symbol_{side}"] for s, side in flow.legs if s[f"token_symbol_{side}"])
        return next(named, None) or fallback_symbol(flow.token)

    def supply_of(token):
        return market.either(facts_of(token).get("circulating_supply"), facts_of(token).get("total_supply"))

    trades, bare_fees = ledger.all_trades(swaps, roles, flow_symbol, supply_of)
    decided = Counter()
    positions = moves.run_ledger(swaps, trades, moving, roles, decided)
    markets = market.token_markets(swaps)
    held = {}
    for (wallet, token), pair in positions.items():
        held.setdefault(wallet, {})[token] = pair.shown_balance()
    native_usd = valuation.native_price(as_of)
    instant = marks.Marks(markets, roles, references, native_usd, as_of)
    clean_marks = instant.clean(voted)
    prices = latest_prices(markets, clean_marks)
    mark_of = instant.last() if mark_kind == "last" else clean_marks
    symbols = newest_symbols(swaps)

    def token_symbol(token):
        return facts_of(token).get("symbol") or symbols.get(token)

    def price_of(token):
        return mark_of[token].usd_price if token in mark_of else None

    if "parts" in include:
        for t in trades:
            t["parts"] = parts.trade_parts(t)
    profile_trades = [t for t in trades if t["swap_type"] != "quote_quote"]
    answers = {
        "as_of": as_of,
        "counts": counts,
        "price_counts": references.counts(),
        "transfer_counts": transfer_counts,
        "ledger": ledger_counts(trades),
        "decided": {name: count for name, count in sorted(decided.items()) if count > 0},
        "swaps": [served_swap(s, fallback_symbol) for s in swaps],
        "trades": [{k: v for k, v in t.items() if k != "order"} for t in trades],
        "prices": prices,
        "stats": {token: market.price_stats(token, markets[token], clean_marks.get(token), as_of) for token in prices},
        "candles": market.candle_section(markets, candle_intervals),
        "clean_candles": market.candle_section(markets, candle_intervals, "clean"),
        "pools": pools.pool_sections(swaps, roles, candle_intervals),
        "history": histories(markets, history, as_of),
        "clean_history": histories(markets, history, as_of, "clean"),
        "portfolio": {
            wallet: market.portfolio(wallet, held.get(wallet, {}), positions, price_of, token_symbol)
            for wallet in {**newest_times(swaps, ["wallet"]), **wallet_facts}
        },
        "tokens": token_profiles(
            swaps, trades, markets, held, token_facts, mark_of, token_symbol, as_of, wanted, wash_rules,
        ),
        "wallets": wallet_profiles(
            swaps, profile_trades, bare_fees, wallet_facts, as_of, wanted, wash_rules, "luck" in include,
            Records(swaps, profile_trades, positions, held, mark_of, roles, as_of, horizon),
        ),
    }
    if "positions" in include:
        native_price_of = native_prices(swaps, roles.native, native_usd, mark_of)
        answers["positions"] = position_profiles(
            swaps, trades, positions, held, mark_of, native_price_of, token_symbol, as_of, wanted, wash_rules,
        )
    if "launch" in include:
        rules = launch.configured_launch(config)
        answers["launches"] = launch.launches(swaps, trades, moving, positions, token_facts, price_of, roles, rules)
    if "terms" in include:
        add_terms(answers, trades, profile_trades, bare_fees, markets, as_of, wash_rules)
    return answers


def ledger_counts(trades):
    """Trades with gaps, trades whose balances cannot be, and the value of sells: all of it, and what had no cost."""
    sells = [t for t in trades if t["direction"] == "sell" and t["usd_amount"] is not None]
    return {
        "gaps": sum(1 for t in trades if t["gap_before"] != 0),
        "contradicted_balances": sum(1 for t in trades if t["is_contradicted"]),
        "sold": total(t["usd_amount"] for t in sells),
        "unmatched": total(t["unmatched_proceeds"] for t in sells),
    }


def add_terms(answers, trades, profile_trades, bare_fees, markets, as_of, rules):
    by_token = grouped(trades, "token")
    for token, profile in answers["tokens"].items():
        profile.update(terms.token_terms(metrics.Entity(by_token.get(token, []), rules), markets.get(token), as_of))
    kinds = (("wallets", grouped(profile_trades, "wallet")), ("positions", grouped(trades, "position")))
    for kind, found in kinds:
        for name, profile in answers.get(kind, {}).items():
            bare = bare_fees.get(name, ()) if kind == "wallets" else ()
            profile.update(terms.wallet_terms(metrics.Entity(found.get(name, []), rules, bare), as_of))


def latest_prices(markets, clean_marks):
    found = {token: market.latest_price(m, clean_marks.get(token)) for token, m in markets.items()}
    return {token: price for token, price in found.items() if price is not None}


def histories(markets, requested, as_of, prints="all"):
    """By token, for each requested item."""
    return [
        {
            token: market.price_history(m, h["from"], h["to"], h["interval"], as_of, prints)
            for token, m in markets.items()
        }
        for h in requested
    ]


def token_profiles(swaps, trades, markets, held, token_facts, mark_of, token_symbol, as_of, wanted, rules):
    holders = {}
    for wallet, tokens in held.items():
        for token, balance in tokens.items():
            holders.setdefault(token, {})[wallet] = balance
    updated = newest_times(swaps, ["token_in", "token_out"])
    traded = newest_times(trades, ["token"])
    by_token = grouped(trades, "token")
    profiles = {}
    for token in wanted.of({**updated, **token_facts}):
        entity = metrics.Entity(by_token.get(token, []), rules)
        profiles[token] = {
            "updated_at": updated.get(token),
            "last_trade_at": traded.get(token),
            "symbol": token_symbol(token),
            "market": market.token_market_section(
                mark_of.get(token), token_facts.get(token, {}), holders.get(token, {})
            ),
            **windowed(
                metrics.TOKEN_WINDOWS, lambda w: metrics.token_metrics(entity, markets.get(token), as_of, w)
            ),
        }
    return profiles


def wallet_profiles(swaps, trades, bare_fees, wallet_facts, as_of, wanted, rules, with_luck, records):
    updated = newest_times(swaps, ["wallet"])
    traded = newest_times(trades, ["wallet"])
    by_wallet = grouped(trades, "wallet")
    profiles = {}
    for wallet in wanted.of({**updated, **wallet_facts}):
        entity = metrics.Entity(by_wallet.get(wallet, []), rules, bare_fees.get(wallet, ()))
        profiles[wallet] = {
            "updated_at": updated.get(wallet),
            "last_trade_at": traded.get(wallet),
            **records.sections(wallet, entity.trades),
            **windowed(metrics.WALLET_WINDOWS, lambda w: metrics.wallet_metrics(entity, as_of, w)),
        }
        if with_luck:
            add_luck(profiles[wallet], entity, as_of)
    return profiles


def add_luck(profile, entity, as_of):
    profile["best_token"] = {}
    for window in metrics.WALLET_WINDOWS:
        found, scales, best = luck.luck_metrics(entity, as_of, window)
        profile["metrics"][window].update(found)
        profile["scales"][window].update(scales)
        profile["best_token"][window] = best


def all_rows(paths):
    """Rows of a file or of some, in their order."""
    for path in [paths] if isinstance(paths, str) else paths:
        yield from read_rows(path)


def answer(request):
    return compute(
        request["config"],
        all_rows(request.get("swaps") or []),
        list(read_rows(request["tokens"])) if request.get("tokens") else (),
        list(read_rows(request["wallets"])) if request.get("wallets") else (),
        request.get("as_of"),
        request.get("candle_intervals") or (),
        request.get("history") or (),
        request.get("include") or (),
        request.get("profiles"),
        all_rows(request.get("prices") or []),
        all_rows(request.get("transfers") or []),
        request.get("horizon"),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--request", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    with open(options.request, encoding="utf-8") as f:
        request = json.load(f)
    found = [answer(one) for one in request] if isinstance(request, list) else answer(request)
    text = json.dumps(found, allow_nan=False)
    with open(options.out, "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    main()
