"""Cases of a copy, worked by hand from the specification."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from follower import follow, k_of


def pool_swaps(*usd_amounts):
    """Buys from a pool of 10,000 by 10,000, ten seconds apart; the last one is the leader's."""
    x = y = 10_000.0
    rows = []
    for i, v in enumerate(usd_amounts):
        out = y - x * y / (x + v)
        x, y = x + v, y - out
        rows.append({"tx_hash": f"t{i}", "block_time": i * 10, "block_slot": i, "pool": "p", "token_in": "usd",
                     "token_out": "t", "token_amount_in": v, "token_amount_out": out,
                     "wallet": "leader" if i == len(usd_amounts) - 1 else "other"})
    return rows


class Follower(unittest.TestCase):
    def test_100_usd_after_1000_buy_77_6277_at_1_2882(self):
        found = follow({"usd": "usd", "swaps": pool_swaps(100, 100, 100, 1000), "wallet": "leader", "from": 0, "to": 100,
                        "size": 100, "delay": 0, "slippage": 0, "unknown": 10, "max_wait": 60, "fee_usd": 0,
                        "fee_percent": 0, "limit": None})
        self.assertAlmostEqual(found["pairs"][0]["price"], 1.2882, 9)
        self.assertAlmostEqual(found["pairs"][0]["tokens"], 77.6277, 4)

    def test_two_pairs_say_nothing(self):
        self.assertIsNone(k_of([{"p": 1.01, "v": 100}, {"p": 1.0302, "v": 100}, {"p": 1.0506, "v": 100}]))


if __name__ == "__main__":
    unittest.main()
