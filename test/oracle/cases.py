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


def run(*rows, **more):
    return compute(CONFIG, rows, **more)


def ests(values):
    return [Est(v, abs(v)) for v in values]


class Case(unittest.TestCase):
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
