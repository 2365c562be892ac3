"""What the cases share: a configuration, short ways to write swaps, and comparison within rounding."""
import unittest

from exact import Est
from oracle import compute

CONFIG = {
    "chain": "test",
    "quote_tokens": [
        {"address": "usd", "symbol": "USD", "kind": "stable"},
        {"address": "tether", "symbol": "TET", "kind": "stable"},
        {"address": "sol", "symbol": "SOL", "kind": "native"},
    ],
    "dust_usd": 0.1,
}
COUNTS = ("added", "duplicate", "conflict", "rejected", "unvalued", "contradicted")
DAY = 86400
A = 100 * DAY


def swap(time, token_in, amount_in, token_out, amount_out, tx=None, index=0, wallet="w", **more):
    return {
        "protocol": "pool", "wallet": wallet, "token_in": token_in, "token_out": token_out,
        "token_amount_in": amount_in, "token_amount_out": amount_out, "block_time": time,
        "tx_hash": tx or f"tx{time:012d}{wallet}{token_in}{token_out}", "swap_index": index, **more,
    }


def buy(time, amount, usd, token="aaa", **more):
    return swap(time, "usd", usd, token, amount, **more)


def sell(time, amount, usd, token="aaa", **more):
    return swap(time, token, amount, "usd", usd, **more)


def price(time, usd, token="sol"):
    """A reference price."""
    return {"token": token, "time": time, "usd_price": usd}


def configured(**more):
    """The configuration with a third kind of quote token, and what a case changes."""
    staked = {"address": "msol", "symbol": "MSOL", "kind": "reference"}
    return {**CONFIG, "quote_tokens": [*CONFIG["quote_tokens"], staked], **more}


def run(*rows, config=None, prices=(), **more):
    return compute(config or CONFIG, rows, reference_prices=prices, **more)


def ests(values):
    return [Est(v, abs(v)) for v in values]


class Case(unittest.TestCase):
    def counted(self, out, **expected):
        """The counts that are not named are 0."""
        self.assertEqual(out["counts"], {**dict.fromkeys(COUNTS, 0), **expected})

    def near(self, got, expected):
        self.assertIsNotNone(got)
        self.assertAlmostEqual(got, expected, delta=1e-12 * max(1.0, abs(expected)))

    def fields(self, row, **expected):
        for name, value in expected.items():
            with self.subTest(field=name):
                if isinstance(value, float):
                    self.near(row[name], value)
                else:
                    self.assertEqual(row[name], value)
