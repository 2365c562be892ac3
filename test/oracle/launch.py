"""Who was there when a token began to trade (record spec, "A launch, laid open")."""
from typing import NamedTuple, Optional

from exact import total
from moves import places_of
from pair import as_float

HOUR = 3600


class LaunchRules(NamedTuple):
    sniper_seconds: int = 5
    sniper_blocks: int = 1
    bundle_wallets: int = 4
    block_seconds: Optional[float] = None
    insider_share: float = 0.1
    insider_steps: int = 2
    activity_wallets: int = 5
    activity_seconds: int = HOUR


def configured_launch(config):
    given = config.get("launch") or {}
    unknown = sorted(set(given) - set(LaunchRules._fields))
    if unknown:
        raise ValueError(f"unknown in launch: {', '.join(unknown)}")
    return LaunchRules(**{name: value for name, value in given.items() if value is not None})


class Launch(NamedTuple):
    source: str
    time: int
    slot: Optional[int]
    swap: dict


def find_launch(token, swaps, trades, created_at, roles, rules):
    """The first swap of the token, if it is known to be its launch."""
    if roles.is_quote(token):
        return None
    own = [s for s in swaps if token in (s["token_in"], s["token_out"]) and s["token_in"] != s["token_out"]]
    if not own:
        return None
    first = own[0]
    time = first["block_time"]
    if created_at is not None:
        source = "created_at" if time >= created_at else "first_swap"
    else:
        window = rules.activity_seconds
        buyers = {t["wallet"] for t in trades if t["direction"] == "buy" and t["block_time"] - time <= window}
        if time - swaps[0]["block_time"] < window or len(buyers) < rules.activity_wallets:
            return None
        source = "activity"
    return Launch(source, time, first["block_slot"], first)


def span(launch, trades, rules):
    """The trades of the launch, with where their transactions stand."""
    def is_inside(t):
        if t["block_time"] <= launch.time + rules.sniper_seconds:
            return True
        slots = t["block_slot"], launch.slot
        return None not in slots and slots[0] - slots[1] <= rules.sniper_blocks
    # The first one outside ends it.
    inside = []
    for t in trades:
        if not is_inside(t):
            break
        inside.append(t)
    return inside


def bundles(launch, inside, dev, rules, index_of):
    """Sets of wallets that bought together, or None."""
    if launch.slot is None:
        return None
    buys = [t for t in inside if t["direction"] == "buy"]
    block = [t for t in buys if t["block_slot"] == launch.slot]
    found, used = [], set()
    if all(index_of[t["tx_hash"]] is not None for t in block):
        by_index = {}
        for t in block:
            by_index.setdefault(index_of[t["tx_hash"]], []).append(t)
        starts = [i for i in sorted(by_index) if i - 1 not in by_index]
        for start in starts:
            run, at = [], start
            while at in by_index:
                run += by_index[at]
                at += 1
            wallets = {t["wallet"] for t in run} - {dev}
            if len(wallets) >= rules.bundle_wallets:
                found.append(wallets)
                used |= {t["tx_hash"] for t in run if t["wallet"] != dev}
    elif rules.block_seconds is not None and rules.block_seconds < 1:
        wallets = {t["wallet"] for t in block} - {dev}
        if len(wallets) >= rules.bundle_wallets:
            found.append(wallets)
            used |= {t["tx_hash"] for t in block if t["wallet"] != dev}
    else:
        return None
    for tx_hash in dict.fromkeys(t["tx_hash"] for t in buys):
        wallets = {t["wallet"] for t in buys if t["tx_hash"] == tx_hash}
        if tx_hash not in used and len(wallets) > 1:
            found.append(wallets - {dev})
    return found


def key_of(place):
    return place.time, place.slot or 0, place.tx_index or 0


def insiders(token, dev, bundled, inside, trades, moving, pools, places, supply, rules):
    """Wallets that got enough of the dev or of bundlers before they sold, and have sold."""
    least = supply * rules.insider_share / 100 * (1 - 1e-9)
    since = {}
    for t in inside:
        if t["direction"] == "buy" and t["wallet"] in bundled:
            since.setdefault(t["wallet"], key_of(places[t["tx_hash"]]))
    first_sell, did = {}, set()
    for t in trades:
        did.add((t["tx_hash"], t["wallet"], t["direction"]))
        if t["direction"] == "sell":
            first_sell.setdefault(t["wallet"], key_of(places[t["tx_hash"]]))
    rows = [r for r in moving if r["token"] == token and r["from"] is not None and r["to"] is not None]
    # By how many steps from the dev or a bundler: what each wallet got.
    got, step_of = {}, {}
    for r in sorted(rows, key=lambda r: (*key_of(places[r["tx_hash"]]), r["tx_hash"], r["transfer_index"])):
        sender, taker, at = r["from"], r["to"], key_of(places[r["tx_hash"]])
        is_swapped = (r["tx_hash"], taker, "buy") in did or (r["tx_hash"], sender, "sell") in did
        if sender == taker or taker == dev or taker in pools or (r["includes_swaps"] and is_swapped):
            continue
        if sender == dev or (sender in since and since[sender] <= at):
            step = 1
        elif sender in step_of and sender not in pools:
            step = step_of[sender] + 1
        else:
            continue
        if step > rules.insider_steps or (taker in first_sell and first_sell[taker] < at):
            continue
        sums = got.setdefault(taker, [0.0] * rules.insider_steps)
        for i in range(step - 1, rules.insider_steps):
            sums[i] += r["token_amount"]
        enough = [i + 1 for i, amount in enumerate(sums) if amount >= least]
        if enough:
            step_of[taker] = enough[0]
    return {wallet for wallet in step_of if wallet in first_sell}


def launches(swaps, trades, moving, positions, token_facts, price_of, roles, rules):
    """By token: its launch, who was what, and what they have."""
    places = places_of(swaps, moving)
    index_of = {tx_hash: place.tx_index for tx_hash, place in places.items()}
    pools = {s["pool"] for s in swaps if s["pool"] is not None}
    by_token, found = {}, {}
    for t in trades:
        by_token.setdefault(t["token"], []).append(t)
    for token in dict.fromkeys(s[f"token_{side}"] for s in swaps for side in ("in", "out")):
        own, facts = by_token.get(token, []), token_facts.get(token, {})
        first_buys = {}
        for t in own:
            if t["direction"] == "buy":
                first_buys.setdefault(t["wallet"], t["token_amount"])
        launch = find_launch(token, swaps, own, facts.get("created_at"), roles, rules)
        found[token] = {"source": None, "buyers": list(first_buys)}
        if launch is None:
            continue
        dev, supply = facts.get("creator_address"), facts.get("total_supply") or None
        inside = span(launch, own, rules)
        firsts = {}
        for t in inside:
            firsts.setdefault(t["wallet"], t["direction"])
        groups = bundles(launch, inside, dev, rules, index_of)
        bundled = set().union(*groups) if groups is not None else None
        who = {
            "dev": None if dev is None else {dev},
            "sniper": {w for w, direction in firsts.items() if direction == "buy" and w != dev},
            "bundler": bundled,
            "insider": None if None in (bundled, supply) or not moving else insiders(
                token, dev, bundled, inside, own, moving, pools, places, supply, rules,
            ),
        }
        found[token] = {
            "source": launch.source,
            "launched_at": launch.time,
            "tx_hash": launch.swap["tx_hash"],
            "bundle_count": None if groups is None else len(groups),
            "buyers": list(first_buys),
            "roles": {role: None if wallets is None else sorted(wallets) for role, wallets in who.items()},
            "sums": {
                role: None if wallets is None
                else sums_of(token, wallets, own, first_buys, positions, supply, price_of(token))
                for role, wallets in who.items()
            },
        }
    return found


def sums_of(token, wallets, trades, first_buys, positions, supply, price):
    """Percent of the supply that they bought first and hold, and USD that they made."""
    traded = {t["wallet"] for t in trades}
    bought = total(first_buys.get(w, 0.0) for w in wallets)
    held = None
    if all((w, token) in positions for w in wallets):
        held = total(positions[w, token].shown_balance() for w in wallets)
    made = [t["realized_pnl_usd"] for t in trades if t["wallet"] in wallets and t["realized_pnl_usd"] is not None]
    lots = [lot for w in wallets if (w, token) in positions for lot in positions[w, token].known_lots()]
    unknown = any(w not in traded for w in wallets) or (lots and price is None)
    if not unknown:
        made += [as_float(lot.amount) * price - as_float(lot.cost) for lot in lots]
    share = (lambda amount: None if None in (supply, amount) else amount / supply * 100)
    return {"bought_share": share(bought), "held_share": share(held), "pnl": None if unknown else total(made)}
