"""Cases of skill or luck, worked by hand from the specification of positions."""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import A, CONFIG, DAY, Case, buy, sell, swap
from luck import LUCK_METRICS, wilson_bounds
from oracle import compute


def round_trip(time, gain, token="aaa", cost=100):
    return [buy(time, 10, cost, token), sell(time + 10, 10, cost + gain, token)]


class SkillOrLuck(Case):
    def wallet(self, *rows, window="7d"):
        found = compute(CONFIG, rows, as_of=A, include=["luck"])["wallets"]["w"]
        return {**found["metrics"][window], "best_token": found["best_token"][window]}

    def test_the_five_come_only_when_asked_for(self):
        def names(**more):
            return set(compute(CONFIG, [buy(A, 1, 5)], as_of=A, **more)["wallets"]["w"]["metrics"]["1d"])
        self.assertEqual(names(include=["luck"]) - names(), set(LUCK_METRICS))

    def test_an_idle_window_has_sums_and_counts_of_0_and_no_bounds(self):
        m = self.wallet(buy(A - 8 * DAY, 1, 5))
        self.fields(m, winrate_low=None, winrate_high=None, pnl_without_best=0.0, best_token_share=None,
                    days_active=0, best_token=None)

    def test_the_bounds_of_one_win_and_one_loss(self):
        # p = 1/2, n = 2: centre 1/2, half z / (2 sqrt(n + z^2)) = z / (2 sqrt(2 + z^2)).
        m = self.wallet(*round_trip(A - 100, 10), *round_trip(A - 50, -10))
        half = 1.959963984540054 / (2 * math.sqrt(2 + 1.959963984540054 ** 2))
        self.fields(m, winrate_low=100 * (0.5 - half), winrate_high=100 * (0.5 + half))

    def test_a_bound_is_exact_where_every_sell_won_or_lost(self):
        # n = 1: the other bound is 1 / (1 + z^2) from there.
        z2 = 1.959963984540054 ** 2
        self.fields(self.wallet(*round_trip(A - 100, 10)), winrate_high=100.0, winrate_low=100 / (1 + z2))
        self.fields(self.wallet(*round_trip(A - 100, -10)), winrate_low=0.0, winrate_high=100 * z2 / (1 + z2))

        for n in range(1, 60):
            self.assertEqual((wilson_bounds(0, n)[0], wilson_bounds(n, n)[1]), (0.0, 100.0))

    def test_a_result_of_0_is_no_trial(self):
        m = self.wallet(*round_trip(A - 100, 0))
        self.fields(m, winrate_low=None, winrate_high=None, pnl_without_best=0.0, best_token_share=None)

    def test_published_bounds(self):
        """Table I, method 3, of Newcombe, Two-sided confidence intervals for the single proportion, 1998."""
        for wins, count, low, high in [
            (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718),
        ]:
            for got, published in zip(wilson_bounds(wins, count), (low, high)):
                self.assertAlmostEqual(got / 100, published, delta=0.00005)

    def test_the_best_token_is_the_one_with_the_largest_profit_and_not_the_largest_sell(self):
        # aaa: 60 - 50 = 10. bbb: 15 + 15 = 30. ccc: -5. Wins 60 + 30.
        m = self.wallet(*round_trip(A - 600, 60), *round_trip(A - 500, -50), *round_trip(A - 400, 15, "bbb"),
                        *round_trip(A - 300, 15, "bbb"), *round_trip(A - 200, -5, "ccc"))
        self.fields(m, pnl=35.0, pnl_without_best=5.0, best_token_share=30 / 90, best_token="bbb")

    def test_one_token_alone_leaves_nothing(self):
        self.fields(self.wallet(*round_trip(A - 100, 10)), pnl_without_best=0.0, best_token_share=1.0)

    def test_the_best_of_two_losers_is_the_lesser_loss(self):
        m = self.wallet(*round_trip(A - 200, -10), *round_trip(A - 100, -30, "bbb"))
        self.fields(m, pnl_without_best=-30.0, best_token_share=None, best_token="aaa")

    def test_a_best_token_that_lost_in_all_has_a_share_below_0(self):
        # 20 - 50: the one win of 20 against a result of -30.
        m = self.wallet(*round_trip(A - 200, 20), *round_trip(A - 100, -50))
        self.fields(m, pnl_without_best=0.0, best_token_share=-1.5)

    def test_of_equal_tokens_the_first_by_address_is_the_best(self):
        m = self.wallet(*round_trip(A - 200, 10, "bbb"), *round_trip(A - 100, 10))
        self.fields(m, pnl_without_best=10.0, best_token_share=0.5, best_token="aaa")

    def test_only_results_of_the_window_count(self):
        # bbb's 500 lies before the window.
        m = self.wallet(*round_trip(A - 9 * DAY, 500, "bbb"), *round_trip(A - 100, 10), *round_trip(A - 50, 4, "ccc"))
        self.fields(m, pnl_without_best=4.0, best_token="aaa")

    def test_a_day_is_24_hours_that_end_at_the_as_of_time_or_whole_days_before(self):
        # A and A - DAY + 1 are one day; A - DAY the next; A - 7 DAY is before the window.
        rows = [buy(A - 7 * DAY, 1, 5), buy(A - DAY, 1, 5), buy(A - DAY + 1, 1, 5), buy(A, 1, 5)]
        self.assertEqual(self.wallet(*rows)["days_active"], 2)
        self.assertEqual(self.wallet(*rows, window="14d")["days_active"], 3)
        self.assertEqual(self.wallet(*rows, window="1d")["days_active"], 1)

    def test_a_swap_of_quote_tokens_is_no_active_day(self):
        self.assertEqual(self.wallet(swap(A, "usd", 100, "sol", 2))["days_active"], 0)


if __name__ == "__main__":
    unittest.main()
