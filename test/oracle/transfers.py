"""Reading transfers, and what moved between wallets in a transaction beside its swaps (transfers spec)."""
import math
import re
from fractions import Fraction
from typing import NamedTuple

from swaps import is_self_swap, parse_integer, parse_number, parse_text, parse_time

REQUIRED = ("tx_hash", "transfer_index", "block_time", "token", "token_amount")
CONTENT = ("token", "token_amount", "from", "to", "cost_usd", "kind", "includes_swaps")
NOWHERE = {"evm": re.compile("0x0{40}"), "solana": re.compile("1{32}"), "any": re.compile(r"(?!)")}


def parse_flag(value):
    if value in (None, "", False, 0, "0", "false"):
        return False
    if value in (True, 1, "1", "true"):
        return True
    raise ValueError("neither true nor false")


def parse_transfer(raw, roles):
    """The transfer as a dict of typed fields, or None where it is to be rejected."""
    if raw is None:
        return None
    try:
        row = {name: parse_text(raw.get(name)) for name in ("tx_hash", "token", "from", "to", "kind")}
        row.update((name, parse_number(raw.get(name))) for name in ("token_amount", "cost_usd"))
        row.update((name, parse_integer(raw.get(name))) for name in ("transfer_index", "block_slot", "tx_index"))
        row["block_time"], _ = parse_time(raw.get("block_time"))
        row["includes_swaps"] = parse_flag(raw.get("includes_swaps"))
    except (ValueError, TypeError, OverflowError):
        return None
    if any(row[name] is None for name in REQUIRED):
        return None
    for name in ("token", "from", "to"):
        row[name] = roles.address(row[name])
        if row[name] is not None and not roles.is_address(row[name]):
            return None
    for name in ("from", "to"):
        if row[name] is not None and NOWHERE[roles.address_format].fullmatch(row[name]):
            row[name] = None
    if row["from"] is None and row["to"] is None:
        return None
    for name in ("token_amount", "cost_usd"):
        if row[name] is not None and (not math.isfinite(row[name]) or row[name] < 0):
            return None
    row["token"], row["tx_hash"] = roles.token(row["token"]), roles.hash(row["tx_hash"])
    return row


def ingest_transfers(rows, roles):
    """Stored transfers by their identity, and how many rows were added, repeated, in conflict, rejected, or moved nothing."""
    counts, stored = dict.fromkeys(("added", "duplicate", "conflict", "rejected", "empty"), 0), {}
    for raw in rows:
        row = parse_transfer(raw, roles)
        if row is None:
            counts["rejected"] += 1
        elif row["token_amount"] == 0:
            counts["empty"] += 1
        else:
            known = stored.setdefault((row["tx_hash"], row["transfer_index"]), row)
            is_same = all(known[name] == row[name] for name in CONTENT)
            counts["added" if known is row else "duplicate" if is_same else "conflict"] += 1
    return [stored[identity] for identity in sorted(stored)], counts


class Moved(NamedTuple):
    """What came to a pair and left it in a transaction, beside its legs."""
    # (amount, cost in USD or None), in the order of the rows.
    ins: tuple = ()
    out: Fraction = Fraction(0)
    # How much less came than the legs say.
    shortage: Fraction = Fraction(0)


class Legs(NamedTuple):
    received: Fraction = Fraction(0)
    given: Fraction = Fraction(0)

    @property
    def net(self):
        return self.received - self.given


def legs_of_pairs(swaps):
    """{(tx_hash, wallet, token): [(swap, side)]} in chain order."""
    found = {}
    for s in swaps:
        if not is_self_swap(s):
            for side in ("in", "out"):
                found.setdefault((s["tx_hash"], s["wallet"], s[f"token_{side}"]), []).append((s, side))
    return found


def amounts_of(legs):
    by_side = {
        wanted: sum((Fraction(s[f"token_amount_{side}"]) for s, side in legs if side == wanted), Fraction(0))
        for wanted in ("in", "out")
    }
    return Legs(by_side["out"], by_side["in"])


def rows_of_pairs(transfers, wallets):
    """{(tx_hash, wallet, token): [(row, whether it came in)]} of the wallets that have a ledger."""
    found = {}
    for row in transfers:
        if row["from"] == row["to"]:
            continue
        for wallet, came in ((row["from"], False), (row["to"], True)):
            if wallet in wallets:
                found.setdefault((row["tx_hash"], wallet, row["token"]), []).append((row, came))
    return found


def moved(rows, legs, includes_swaps, native, decided):
    """What moved beside the legs: `legs` are those of the pair, None without any; `native` whether it is of the native token."""
    came = [(Fraction(row["token_amount"]), row["cost_usd"]) for row, is_in in rows if is_in]
    left = sum((Fraction(row["token_amount"]) for row, is_in in rows if not is_in), Fraction(0))
    if not includes_swaps or legs is None:
        return Moved(tuple(came), left)
    if native:
        decided["rows_of_native_left_out"] += 1
        return Moved()
    total_in = sum((amount for amount, _ in came), Fraction(0))
    if any(cost is not None for _, cost in came):
        decided["rows_cost_left_out"] += 1
    excess, shortage = max(Fraction(0), total_in - legs.received), max(Fraction(0), legs.received - total_in)
    out = max(Fraction(0), left - legs.given)
    decided["rows_more_came"] += excess > 0
    decided["rows_less_came"] += shortage > 0
    decided["rows_more_left"] += out > 0
    return Moved(((excess, None),) if excess > 0 else (), out, shortage)
