"""Cases of the parts that explain a sum."""
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import A, CONFIG, DAY, Case, buy, run, sell, swap
from metrics import TOKEN_WINDOWS, WALLET_WINDOWS
from oracle import compute


class Parts(Case):
    def parts(self, *rows):
        return [t["parts"] for t in run(*rows, include=["parts"])["trades"]]

    def test_they_come_only_when_asked_for(self):
        self.assertNotIn("parts", run(buy(1, 1, 5))["trades"][0])

    def test_a_buy_enters_counts_and_volumes(self):
        self.assertEqual(self.parts(buy(1, 1, 5)),
                         [{"trade_count": 1, "buy_count": 1, "volume": 5.0, "buy_volume": 5.0}])

    def test_a_sell_enters_the_profit_with_what_it_realised_and_the_volume_with_all_it_brought(self):
        # 10 of 20 tokens have a cost of 100; half of 300 came for them.
        _, found = self.parts(buy(1, 10, 100), sell(2, 20, 300))
        self.assertEqual(found, {"trade_count": 1, "sell_count": 1, "volume": 300.0, "sell_volume": 300.0,
                                 "pnl": 50.0, "net_pnl": 50.0, "win_count": 1, "win_pnl": 50.0,
                                 "unmatched_proceeds": 150.0})

    def test_a_loss_is_a_part_below_0_and_a_result_of_0_is_neither_win_nor_loss(self):
        _, loss, even = self.parts(buy(1, 10, 100), sell(2, 5, 20), sell(3, 5, 50))
        self.fields(loss, pnl=-30.0, loss_pnl=-30.0, loss_count=1)
        self.assertEqual(even, {"trade_count": 1, "sell_count": 1, "volume": 50.0, "sell_volume": 50.0, "pnl": 0.0,
                                "net_pnl": 0.0})

    def test_a_trade_of_unknown_value_is_counted_and_enters_no_sum_of_usd(self):
        self.assertEqual(self.parts(swap(1, "xxx", 1, "aaa", 10))[0],
                         {"trade_count": 1, "buy_count": 1, "unvalued_trade_count": 1})

    def test_a_sell_without_cost_enters_no_profit_and_one_of_dust_the_profit_alone(self):
        self.assertNotIn("pnl", self.parts(sell(1, 1, 5))[0])
        found = self.parts(buy(1, 1, 0.0625), sell(2, 1, 0.09375))[1]
        self.fields(found, pnl=0.03125, small_pnl=0.03125, net_pnl=0.03125)
        self.assertFalse({"win_count", "win_pnl"} & set(found))


class Sums(Case):
    """The parts of the trades in a window add up to the metric, for every kind of profile that has it."""

    SUMS = {"trade_count", "buy_count", "sell_count", "volume", "buy_volume", "sell_volume", "pnl", "win_count",
            "loss_count", "win_pnl", "loss_pnl", "volume_native", "pnl_native", "fees", "fees_native", "net_pnl",
            "stale_fee_count", "small_pnl", "unvalued_trade_count"}

    def market(self):
        """Some hundred trades of three wallets in five tokens over 40 days, some without a value or a cost, one of them for
        dust."""
        dice, rows = random.Random(7), []
        for k in range(400):
            time = A - dice.randrange(40 * DAY)
            token, wallet = dice.choice(["aaa", "bbb", "ccc", "ddd", "sol"]), dice.choice("uvw")
            amount, usd = dice.uniform(1, 9), dice.uniform(0.01, 900)
            usd = usd / 10000 if token == "ddd" else usd
            make = dice.choice([buy, sell])
            more = {"tx": f"t{k}", "wallet": wallet, "fee_native": dice.choice([None, 0, 0.01, 0.02])}
            if dice.random() < 0.1:
                rows.append(swap(time, token, amount, "xxx", 1, **more))
            else:
                rows.append(make(time, amount, usd, token, **more))
        return rows

    def check(self, entity, trades, windows):
        checked = set()
        for window, (length, _) in windows.items():
            here = [t["parts"] for t in trades if A - length < t["block_time"] <= A]
            for name in self.SUMS & set(entity["metrics"][window]):
                added = sum(parts.get(name, 0) for parts in here)
                scale = entity["scales"][window].get(name, 0)
                self.assertAlmostEqual(entity["metrics"][window][name], added, delta=1e-12 * scale)
                if added != 0:
                    checked.add(name)
        return checked

    def test_of_tokens_wallets_and_positions(self):
        out = compute(CONFIG, self.market(), as_of=A, include=["luck", "parts", "positions"])
        # Five tokens and the xxx of the swaps without a value, in three wallets.
        self.assertEqual(len(out["positions"]), 18)
        checked = set()
        for address, entity in out["positions"].items():
            trades = [t for t in out["trades"] if t["position"] == address]
            checked |= self.check(entity, trades, WALLET_WINDOWS)
            for name, of in [("realized_pnl", "pnl"), ("bought_usd", "buy_volume"), ("sold_usd", "sell_volume"),
                             ("realized_pnl_native", "pnl_native")]:
                added = sum(t["parts"].get(of, 0) for t in trades)
                self.assertAlmostEqual(entity["holding"][name], added, delta=1e-6)
        self.assertEqual(checked, self.SUMS)
        for token, entity in out["tokens"].items():
            trades = [t for t in out["trades"] if t["token"] == token]
            if trades:
                self.assertTrue(self.check(entity, trades, TOKEN_WINDOWS))
        for wallet, entity in out["wallets"].items():
            trades = [t for t in out["trades"] if t["wallet"] == wallet and t["swap_type"] != "quote_quote"]
            self.assertTrue(self.check(entity, trades, WALLET_WINDOWS))
            for window, (length, _) in WALLET_WINDOWS.items():
                others = sum(t["parts"].get("pnl", 0) for t in trades
                             if t["block_time"] > A - length and t["token"] != entity["best_token"][window])
                self.assertAlmostEqual(entity["metrics"][window]["pnl_without_best"], others, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
