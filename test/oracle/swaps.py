"""Reading swaps, refusing bad ones, chain order (metrics spec, sections 0 and 1)."""
import csv
import json
import math
import re

from exact import finite

TEXT = ("protocol", "wallet", "token_in", "token_out", "token_symbol_in", "token_symbol_out", "tx_hash", "pool")
NUMBERS = (
    "token_amount_in", "token_amount_out", "token_price_in", "token_price_out",
    "pre_token_balance_in", "pre_token_balance_out", "post_token_balance_in", "post_token_balance_out",
    "usd_amount_in", "usd_amount_out", "fee_native", "pool_amount_in", "pool_amount_out",
)
INTEGERS = ("block_slot", "swap_index", "tx_index", "log_index")
# What orders a transaction and is no content of a swap.
ORDERING = ("log_index", "micros")
REQUIRED = (
    "wallet", "token_in", "token_out", "token_amount_in", "token_amount_out", "tx_hash", "block_time", "swap_index",
)
# From the one whose own value is trusted most.
KINDS = ("stable", "native", "reference")
ADDRESS = {
    "solana": re.compile(r"[1-9A-HJ-NP-Za-km-z]{32,44}"),
    "evm": re.compile(r"0x[0-9a-f]{40}"),
    "any": re.compile(r"[!-~]{1,128}"),
}


NATIVE_NAMES = {
    "solana": ("1" * 32,),
    "evm": ("0x" + "0" * 40, "0x" + "e" * 40),
}
POLYGON = "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270"


def native_names(quote, address_format, others):
    """What feeds write for a native token of which the configuration names no aliases."""
    if quote["kind"] != "native":
        return ()
    names = NATIVE_NAMES.get(address_format, ())
    if quote["address"].lower() == POLYGON:
        names += ("0x" + "1010".rjust(40, "0"),)
    return tuple(name for name in names if name not in others)


class Roles:
    """The configured quote tokens, the dust limit and the address format."""

    def __init__(self, config):
        self.address_format = config.get("address_format") or "any"
        quotes = config.get("quote_tokens") or []
        self.rank = {self.address(q["address"]): i for i, q in enumerate(quotes)}
        self.symbol = {self.address(q["address"]): q.get("symbol") or None for q in quotes}
        self.kind = {self.address(q["address"]): q["kind"] for q in quotes}
        unknown = sorted(set(self.kind.values()) - set(KINDS))
        if unknown:
            raise ValueError(f"quote tokens are of the kinds {', '.join(KINDS)}, not {unknown[0]}")
        self.stable = {token for token, kind in self.kind.items() if kind == "stable"}
        native = [token for token, kind in self.kind.items() if kind == "native"]
        if len(native) > 1:
            raise ValueError("at most one quote token may be native")
        self.native = native[0] if native else None
        self.aliases = {
            self.address(alias): self.address(q["address"])
            for q in quotes for alias in q.get("aliases", native_names(q, self.address_format, self.rank))
        }
        dust = config.get("dust_usd")
        self.dust = 0.1 if dust is None else float(dust)

    def address(self, text):
        return text.lower() if self.address_format == "evm" and text else text

    def token(self, text):
        """The one address of a token: an alias is its quote token."""
        return text if not text else self.aliases.get(self.address(text), self.address(text))

    def hash(self, text):
        """64 hex digits are one hash of an EVM chain, with or without 0x and in either case."""
        if self.address_format != "evm" or not text:
            return text
        if re.fullmatch(r"(0[xX])?[0-9a-fA-F]{64}", text):
            return "0x" + text[-64:].lower()
        return text.lower() if re.fullmatch(r"0[xX][0-9a-fA-F]+", text) else text

    def is_address(self, text):
        return ADDRESS[self.address_format].fullmatch(text) is not None

    def is_quote(self, token):
        return token in self.rank

    def trust(self, token):
        """Sorts quote tokens: by kind, then by their place in the configuration."""
        return KINDS.index(self.kind[token]), self.rank[token]

    def side(self, token):
        return "quote" if token in self.rank else "token"


def read_rows(path):
    """Rows of a CSV or NDJSON file; a line that is not a JSON object comes out as None."""
    with open(path, encoding="utf-8-sig", newline="") as f:
        if path.endswith(".csv"):
            yield from csv.DictReader(f)
            return
        for line in f:
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            yield row if isinstance(row, dict) else None


def parse_text(value):
    return None if value is None or value == "" else str(value)


def parse_number(value):
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        raise ValueError("not a number")
    return float(value) + 0.0


def parse_integer(value):
    if value is None or value == "":
        return None
    if isinstance(value, str) and re.fullmatch(r"[+-]?\d+", value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    x = parse_number(value)
    if x != math.floor(x):
        raise ValueError("not an integer")
    return int(x)


def parse_time(value):
    """Whole seconds, and the microseconds beyond them."""
    time = parse_number(value)
    if time is None:
        return None, 0
    whole = math.floor(time)
    return whole, min(999_999, math.floor((time - whole) * 1e6 + 0.5))


def parse_swap(raw, roles):
    """The swap as a dict of typed fields, or None where it is to be rejected."""
    if raw is None:
        return None
    try:
        row = {name: parse_text(raw.get(name)) for name in TEXT}
        row.update((name, parse_number(raw.get(name))) for name in NUMBERS)
        row.update((name, parse_integer(raw.get(name))) for name in INTEGERS)
        row["block_time"], row["micros"] = parse_time(raw.get("block_time"))
    except (ValueError, TypeError, OverflowError):
        return None
    if any(row[name] is None for name in REQUIRED):
        return None
    for name in ("wallet", "token_in", "token_out"):
        row[name] = roles.address(row[name])
        if not roles.is_address(row[name]):
            return None
    given = (row["token_in"], row["token_out"])
    row["token_in"], row["token_out"] = (roles.token(token) for token in given)
    row["tx_hash"] = roles.hash(row["tx_hash"])
    row["is_wrap"] = row["token_in"] == row["token_out"] and any(token in roles.aliases for token in given)
    row["pool"] = roles.address(row["pool"])
    if row["pool"] is not None and ADDRESS["any"].fullmatch(row["pool"]) is None:
        return None
    if row["fee_native"] is not None and (not math.isfinite(row["fee_native"]) or row["fee_native"] < 0):
        return None
    beside = (row["pool_amount_in"], row["pool_amount_out"])
    if (beside[0] is None) != (beside[1] is None) or any(x is not None and not (0 <= x < math.inf) for x in beside):
        return None
    for side in ("in", "out"):
        amount, price, usd = (row[f"{name}_{side}"] for name in ("token_amount", "token_price", "usd_amount"))
        if not math.isfinite(amount) or amount < 0:
            return None
        for given in (price, usd):
            if given is not None and (not math.isfinite(given) or given < 0):
                return None
        if price is not None and not math.isfinite(price * amount):
            return None
        for name in (f"pre_token_balance_{side}", f"post_token_balance_{side}"):
            row[name] = finite(row[name])
    return row


class Standing:
    """What a transaction's rows say of its order: of each of the three the smallest."""

    def __init__(self):
        self.log_index = self.micros = self.in_file = None

    def see(self, row, in_file):
        log_index = row["log_index"] if row["block_slot"] is not None else None
        self.log_index = smaller(self.log_index, log_index)
        self.micros = smaller(self.micros, row["micros"])
        self.in_file = smaller(self.in_file, in_file)

    def key(self):
        return tuple(-1 if x is None else x for x in (self.log_index, self.micros, self.in_file))


def smaller(a, b):
    return b if a is None else a if b is None else min(a, b)


def chain_key(s):
    slot, index = s["block_slot"] or 0, s["tx_index"] or 0
    return (s["block_time"], slot, index, *s["standing"], s["tx_hash"], s["swap_index"])


def file_places(rows, keep_order):
    """The place of each row of one file, counted from its end where its second distinct time is before its first."""
    if not keep_order:
        return [None] * len(rows)
    times = [(row["block_time"], row["micros"]) for row in rows if row is not None]
    other = next((time for time in times if time != times[0]), None)
    places = list(range(len(rows)))
    return places[::-1] if other is not None and other < times[0] else places


def ingest(rows, roles, keep_order=False):
    """Stored swaps in chain order, and how many rows were added, repeated, in conflict, rejected."""
    counts = {"added": 0, "duplicate": 0, "conflict": 0, "rejected": 0}
    stored, placed, standing = {}, {}, {}
    parsed = [parse_swap(raw, roles) for raw in rows]
    for row, in_file in zip(parsed, file_places(parsed, keep_order)):
        if row is None:
            counts["rejected"] += 1
            continue
        if row.pop("is_wrap"):
            continue
        identity = (row["tx_hash"], row["swap_index"])
        place = (row["block_time"], row["block_slot"], row["tx_index"])
        is_of_it = placed.setdefault(row["tx_hash"], place) == place
        if is_of_it:
            standing.setdefault(row["tx_hash"], Standing()).see(row, in_file)
        content = {name: value for name, value in row.items() if name not in ORDERING}
        if identity in stored:
            counts["duplicate" if stored[identity] == content else "conflict"] += 1
        elif not is_of_it:
            counts["conflict"] += 1
        else:
            stored[identity] = content
            counts["added"] += 1
    for s in stored.values():
        s["swap_type"] = f"{roles.side(s['token_in'])}_{roles.side(s['token_out'])}"
        s["standing"] = standing[s["tx_hash"]].key()
    return sorted(stored.values(), key=chain_key), counts


def is_self_swap(s):
    return s["token_in"] == s["token_out"]
