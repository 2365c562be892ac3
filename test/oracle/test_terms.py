"""Cases of the terms that metrics are made of."""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import A, DAY, Case, buy, run, sell


class Terms(Case):
    def terms(self, *rows, kind="wallets", window="1d", **more):
        found = run(*rows, include=["positions", "terms"], **more)[kind]
        return (found.get("aaa") or list(found.values())[0])["terms"][window]

    def test_they_come_only_when_asked_for(self):
        self.assertNotIn("terms", run(buy(1, 1, 5))["wallets"]["w"])

    def test_the_sums_of_a_win_of_half_a_position(self):
        # 5 of 10 tokens have a cost of 50 and bring 80, after an hour.
        rows = [buy(A, 10, 100), sell(A + 3600, 5, 80)]
        for kind in ("wallets", "positions", "tokens"):
            self.fields(
                self.terms(*rows, kind=kind), buys=1, sells=1, buys_known=1, sells_known=1, buy_volume=100.0,
                sell_volume=80.0, buy_tokens=10.0, sell_tokens=5.0, realised=1, wins=1, losses=0, pnl=30.0,
                win_pnl=30.0, loss_pnl=0.0, cost=50.0, win_cost=50.0, loss_cost=0.0, holding=3600.0, rois=1,
                roi_sum=60.0, weighted_roi=60.0 * 130, roi_weight=130.0, largest_win=30.0, largest_loss=0.0,
                longest_wins=1, longest_losses=0, largest_fall=0.0, first_time=A, last_time=A + 3600, positions=1,
                position_pnl=30.0, position_roi_sum=60.0, position_winrate_sum=100.0, best_position_pnl=30.0,
                other_positions_pnl=0.0, roi_counts=[0, 0, 1, 0, 0],
            )

    def test_the_open_cost_is_averaged_over_the_window(self):
        # 100 for an hour, then 50 for another, of 24.
        rows = [buy(A - 7200, 10, 100), sell(A - 3600, 5, 50), sell(A, 5, 50)]
        self.fields(self.terms(*rows), average_open_cost=150 / 24)

    def test_series_are_by_period_and_those_of_win_rates_without_gaps(self):
        rows = [buy(A - 5 * 3600 + 1, 10, 100), sell(A - 3 * 3600, 5, 80), sell(A, 5, 40)]
        found = self.terms(*rows)
        self.assertEqual(found["period_pnl"], [0.0] * 20 + [30.0, 0.0, 0.0, -10.0])
        # 30 on the 100 that were open, and -10 on 50.
        self.assertEqual(found["period_roi"], [0.0] * 20 + [30.0, 0.0, 0.0, -20.0])
        self.assertEqual(found["period_winrate"], [100.0, 0.0])
        self.fields(found, active_periods=2, winning_periods=1, active_days=1, days=1, returns_fall=20.0)
        # Of the day: 20 on the 100 that were bought.
        self.fields(found, daily_roi_sum=20.0, daily_counterparties_sum=1, largest_fall=10.0)

    def test_the_walk_of_ruin_and_its_root(self):
        # Two wins of 60 and losses of 40, 30 and 20, each at a stake of 100: p 0.4, b 2, exp(z) = (1 + sqrt 7) / 3.
        rows = []
        for k, gain in enumerate((60, 60, -40, -30, -20)):
            rows += [buy(A + 100 * k, 10, 100), sell(A + 100 * k + 50, 10, 100 + gain)]
        self.fields(self.terms(*rows), p=0.4, b=2.0, U=100 / 30, z=math.log((1 + math.sqrt(7)) / 3))
        self.fields(self.terms(buy(A, 10, 100), sell(A + 1, 10, 90)), p=0.0, b=None, z=None)

    def test_the_prices_of_a_token(self):
        # Prints of 10, 12 and 6, one in each of three hours.
        rows = [buy(A - 2 * 3600 - 1, 1, 10), buy(A - 3601, 1, 12), buy(A, 1, 6)]
        found = self.terms(*rows, kind="tokens")
        self.assertEqual(found["period_price"], [10.0, 12.0, 6.0])
        for got, expected in zip(found["price_change"], [0.2, -0.5]):
            self.near(got, expected)
        self.fields(found, priced_periods=3, price_fall=50.0, counterparties=1, buyers=1, sellers=0)

    def test_what_is_over_nothing(self):
        found = self.terms(buy(A - 2 * DAY, 10, 100), as_of=A)
        self.fields(found, buys=0, pnl=0.0, first_time=None, last_time=None, p=None, best_position_pnl=None)
        self.fields(found, average_open_cost=100.0)


if __name__ == "__main__":
    unittest.main()
