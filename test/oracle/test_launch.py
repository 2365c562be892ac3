"""The launch that the record spec works by hand, and insiders."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import A, CONFIG, Case, buy, run, sell

REGISTERED = {"address": "aaa", "creator_address": "d", "created_at": A - 60, "total_supply": 1_000_000}


def bought(wallet, amount, index, tx=None, slot=100, after=0):
    return buy(A + after, amount, amount, wallet=wallet, tx=tx or wallet, tx_index=index, block_slot=slot)


CASE_L = (
    bought("d", 50_000, 10), bought("b1", 20_000, 11, "b"), {**bought("b2", 20_000, 11, "b"), "swap_index": 1},
    bought("b3", 10_000, 12), bought("b4", 10_000, 13), bought("h", 5_000, 900), bought("s", 5_000, 7, slot=105, after=2),
)


class CaseL(Case):
    def launch(self, *rows, transfers=(), **facts):
        out = run(*rows, include=["launch"], tokens=[{**REGISTERED, **facts}], transfers=transfers)
        return out["launches"]["aaa"]

    def test_by_hand(self):
        found = self.launch(*CASE_L)
        self.assertEqual(found["source"], "created_at")
        self.assertEqual(found["roles"], {
            "dev": ["d"], "sniper": ["b1", "b2", "b3", "b4", "h", "s"], "bundler": ["b1", "b2", "b3", "b4"],
            "insider": None,
        })
        shares = {role: sums and sums["bought_share"] for role, sums in found["sums"].items()}
        for role, share in {"dev": 5, "sniper": 7, "bundler": 6}.items():
            self.near(shares[role], float(share))

    def test_insiders_sell(self):
        gifts = [
            {"tx_hash": f"g{i}", "transfer_index": 0, "block_time": A + 10, "token": "aaa", "token_amount": amount,
             "from": "d", "to": wallet}
            for i, (wallet, amount) in enumerate([("x", 1000), ("y", 999), ("z", 5000)])
        ]
        sold = [sell(A + 20, 10, 10, wallet=wallet, tx=f"s{wallet}") for wallet in ("x", "y")]
        self.assertEqual(self.launch(*CASE_L, *sold, transfers=gifts)["roles"]["insider"], ["x"])


if __name__ == "__main__":
    unittest.main()
