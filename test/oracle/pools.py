"""Pools: those that a trade went through, and the candles of one pool."""
from market import candle_section, token_markets
from swaps import is_self_swap


def pools_of_route(group, token, hops):
    """The pools that the trade of `token` went through, each once, in the order of their first swap.

    Its swaps are those that touch the token, and those that routing hops join to them. A swap of the same
    transaction that only shares a quote token with them belongs to another trade.
    """
    reached = {token}
    while True:
        joined = {
            t for s in group if s["token_in"] in reached or s["token_out"] in reached
            for t in (s["token_in"], s["token_out"]) if t in hops
        }
        if joined <= reached:
            break
        reached |= joined
    route = (s for s in group if s["token_in"] in reached or s["token_out"] in reached)
    return list(dict.fromkeys(s["pool"] for s in route if s["pool"] is not None))


def default_token(tokens, roles):
    """What candles of a pool are of where no token is named: its token that is no quote token, the first by
    address of several; of a pool of quote tokens alone the first by address."""
    return min([t for t in tokens if not roles.is_quote(t)] or tokens)


def pool_sections(swaps, roles, intervals):
    """By pool: the token that stands for it, and candles by token and interval from its swaps alone."""
    by_pool = {}
    for s in swaps:
        if s["pool"] is not None and not is_self_swap(s):
            by_pool.setdefault(s["pool"], []).append(s)
    found = {}
    for pool, here in by_pool.items():
        markets = token_markets(here)
        found[pool] = {
            "token": default_token(list(markets), roles),
            "candles": candle_section(markets, intervals),
            "clean_candles": candle_section(markets, intervals, "clean"),
        }
    return found
