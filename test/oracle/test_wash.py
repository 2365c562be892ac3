"""Cases of wash trading, worked by hand from the specification of worth."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import A, CONFIG, DAY, Case, buy, run, sell, swap
from ledger import position_id
from metrics import TOKEN_METRICS, WALLET_METRICS
from positions import POSITION_METRICS

HUNDREDS = [(100, 100)] * 5


def pairs(results=HUNDREDS, holdings=(60,) * 5, end=A, **more):
    """Every 10 minutes up to the end 10 tokens bought and sold again: (USD paid, USD received), seconds held."""
    rows = []
    for k, ((paid, received), held) in enumerate(zip(results, holdings)):
        sold_at = end - 600 * (len(results) - 1 - k)
        rows += [buy(sold_at - held, 10, paid, **more), sell(sold_at, 10, received, **more)]
    return rows


class WashCase(Case):
    def washed(self, rows, token="aaa", window="1d", wash=None, **more):
        """The wash volume of w's position, which that of the wallet and of the token agree with."""
        out = run(*rows, as_of=A, include=["positions", "terms"], config={**CONFIG, "wash": wash}, **more)
        position = out["positions"][position_id("w", token)]
        found = position["metrics"][window]["wash_volume"]
        self.assertEqual(out["wallets"]["w"]["metrics"][window]["wash_volume"], found)
        metrics = out["tokens"][token]["metrics"]["1d"]
        if window == "1d":
            self.near(metrics["organic_volume"], metrics["volume"] - found)
            self.assertEqual(out["tokens"][token]["terms"]["1d"]["wash_volume"], found)
        for profile in (position, out["wallets"]["w"]):
            self.assertEqual(profile["terms"][window]["wash_volume"], found)
        return found


class Pair(WashCase):
    """Five buys and five sells of 100 USD, held for a minute."""

    def test_it_is_wash(self):
        self.assertEqual(self.washed(pairs()), 1000.0)

    def test_in_all_profiles(self):
        out = run(*pairs(), as_of=A, include=["positions", "terms"])
        for window in ("30d", "14d", "7d", "3d", "1d"):
            self.fields(out["wallets"]["w"]["metrics"][window], volume=1000.0, wash_volume=1000.0, wash_share=1.0)
            self.fields(out["positions"][position_id("w", "aaa")]["metrics"][window], wash_volume=1000.0)
        for window in ("7d", "1d", "6h"):
            self.fields(out["tokens"]["aaa"]["metrics"][window], volume=1000.0, organic_volume=0.0)
            self.fields(out["tokens"]["aaa"]["terms"][window], wash_volume=1000.0)
        # The last sell of 100 USD alone is in the last minute, its buy at the edge is not.
        self.fields(out["tokens"]["aaa"]["metrics"]["1m"], volume=100.0, organic_volume=100.0)
        self.fields(out["tokens"]["aaa"]["terms"]["1m"], wash_volume=0.0)

    def test_nothing_is_left_by_rounding(self):
        out = run(*pairs([(0.7, 0.7), (0.1, 0.1), (0.3, 0.3), (1.1, 1.1), (0.2, 0.2)]), as_of=A)
        self.assertEqual(out["tokens"]["aaa"]["metrics"]["1d"]["organic_volume"], 0.0)
        self.assertEqual(out["wallets"]["w"]["metrics"]["1d"]["wash_share"], 1.0)

    def test_the_window_decides(self):
        # The first pair is a little more than a day old: four are in the day.
        rows = [buy(A - DAY - 60, 10, 100), sell(A - DAY, 10, 100), *pairs(HUNDREDS[:4])]
        self.assertEqual(self.washed(rows, window="3d"), 1000.0)
        self.assertEqual(self.washed(rows, window="1d"), 0.0)
        self.fields(run(*rows, as_of=A)["wallets"]["w"]["metrics"]["1d"], volume=800.0, wash_volume=0.0, wash_share=0.0)

    def test_a_buy_before_the_window_is_no_part_of_a_pair(self):
        # The first sell is in the day, its buy is not.
        rows = [buy(A - DAY, 10, 100), sell(A - DAY + 60, 10, 100), *pairs()]
        self.assertEqual(self.washed(rows), 1000.0)


class Conditions(WashCase):
    def test_four_buys_are_too_few_and_four_sells(self):
        # The fourth lot is sold in halves; then the last two lots are sold as one.
        halves = [*pairs(HUNDREDS[:3], end=A - 600), buy(A - 60, 10, 100), sell(A - 30, 5, 50), sell(A, 5, 50)]
        self.assertEqual(self.washed(halves), 0.0)
        self.assertEqual(self.washed(halves, wash={"min_buys": 4}), 800.0)
        at_once = [*pairs(HUNDREDS[:3], end=A - 600), buy(A - 60, 10, 100), buy(A - 30, 10, 100), sell(A, 20, 200)]
        self.assertEqual(self.washed(at_once), 0.0)
        self.assertEqual(self.washed(at_once, wash={"min_sells": 4}), 1000.0)

    def test_a_market_maker_who_holds_longer_is_not_wash(self):
        self.assertEqual(self.washed(pairs(holdings=[300] * 5)), 0.0)
        self.assertEqual(self.washed(pairs(holdings=[121] * 5)), 0.0)
        self.assertEqual(self.washed(pairs(holdings=[120] * 5)), 1000.0)
        # Each pair is quick by itself: four are too few.
        self.assertEqual(self.washed(pairs(holdings=[60, 60, 121, 60, 60])), 0.0)
        self.assertEqual(self.washed(pairs(holdings=[60, 60, 121, 60, 60]), wash={"min_buys": 4, "min_sells": 4}), 800.0)
        self.assertEqual(self.washed(pairs(holdings=[121] * 5), wash={"max_holding": 121}), 1000.0)

    def test_a_market_maker_who_earns_is_not_wash(self):
        # 0.5 of 100.5 each: 2.5 of 1,002.5 is more than 0.2 %.
        self.assertEqual(self.washed(pairs([(100, 100.5)] * 5)), 0.0)

    def test_results_at_their_limits_are_wash(self):
        # 2 of 1,000 gained; 6 of 200 lost; a little more of each.
        for trip, washed in [((499, 501), 5000.0), ((499, 501.01), 0.0), ((103, 97), 1000.0), ((103, 96.9), 0.0)]:
            with self.subTest(trip=trip):
                self.assertEqual(self.washed(pairs([trip] * 5)), washed)

    def test_gains_and_losses_do_not_make_up_for_each_other(self):
        # 10, -10, 10, -10 and 0: of the pairs one is a round trip.
        rows = pairs([(100, 110), (110, 100), (100, 110), (110, 100), (100, 100)])
        self.assertEqual(self.washed(rows), 0.0)
        self.assertEqual(self.washed(rows, wash={"min_buys": 1, "min_sells": 1}), 200.0)

    def test_all_quick_pairs_are_even_together(self):
        # 100 of 1,300 is 7.7 %.
        rows = pairs([*HUNDREDS, (100, 200)], holdings=(60,) * 6)
        self.assertEqual(self.washed(rows), 0.0)
        # 4 of 10,204 is even, and the pair that gains 4 of 204 is not.
        rows = pairs([*[(1000, 1000)] * 5, (100, 104)], holdings=(60,) * 6)
        self.assertEqual(self.washed(rows), 10000.0)

    def test_an_old_lot_hides_nothing(self):
        self.assertEqual(self.washed([buy(A - 10 * DAY, 1000, 10000), *pairs()], window="30d"), 1000.0)

    def test_without_a_realised_sell_there_is_no_holding(self):
        # Five sells of what was never bought, then five buys.
        rows = [sell(A - 90 + k, 10, 100) for k in range(5)] + [buy(A - 60 + k, 10, 100) for k in range(5)]
        self.assertEqual(self.washed(rows), 0.0)

    def test_without_a_value_there_is_no_wash(self):
        rows = [swap(A - 90 + k, *(("xxx", 1, "aaa", 1) if k % 2 == 0 else ("aaa", 1, "xxx", 1))) for k in range(10)]
        self.assertEqual(self.washed(rows), 0.0)
        self.fields(run(*rows)["wallets"]["w"]["metrics"]["1d"], volume=0.0, wash_volume=0.0, wash_share=None)

    def test_trades_of_unknown_value_are_no_round_trips(self):
        # Four pairs of 100 USD, and one against a token that nothing says the value of.
        rows = [*pairs(HUNDREDS[:4]), swap(A - 5000, "xxx", 1, "aaa", 10), swap(A - 4940, "aaa", 10, "xxx", 1)]
        self.assertEqual(self.washed(rows), 0.0)
        self.assertEqual(self.washed(rows, wash={"min_buys": 4, "min_sells": 4}), 800.0)

    def test_what_the_configuration_may_say(self):
        self.assertEqual(self.washed(pairs(), wash={}), 1000.0)
        self.assertEqual(self.washed(pairs(), wash={"min_buys": None, "max_holding": 59}), 0.0)
        with self.assertRaises(ValueError):
            self.washed(pairs(), wash={"min_trades": 5})


class Sums(WashCase):
    def test_one_wash_position_of_several(self):
        # w washes aaa and buys bbb for 250; v buys aaa for 500.
        out = run(*pairs(), buy(A - 9, 1, 250, "bbb"), buy(A - 8, 50, 500, wallet="v"), as_of=A, include=["terms"])
        self.fields(out["wallets"]["w"]["metrics"]["1d"], volume=1250.0, wash_volume=1000.0, wash_share=0.8)
        self.fields(out["wallets"]["v"]["metrics"]["1d"], volume=500.0, wash_volume=0.0, wash_share=0.0)
        self.fields(out["tokens"]["aaa"]["metrics"]["1d"], volume=1500.0, organic_volume=500.0)
        self.fields(out["tokens"]["aaa"]["terms"]["1d"], wash_volume=1000.0)
        self.fields(out["tokens"]["bbb"]["metrics"]["1d"], volume=250.0, organic_volume=250.0)
        # 1,500 - 1,000; and 0.8 of the quotient, 0.8 of its dividend, 0.8 of its divisor.
        self.fields(out["tokens"]["aaa"]["scales"]["1d"], organic_volume=2500.0)
        self.fields(out["wallets"]["w"]["scales"]["1d"], wash_volume=1000.0, wash_share=2.4)

    def test_two_wallets_do_not_make_a_position_together(self):
        # Three pairs of one and two of the other.
        out = run(*pairs(HUNDREDS[:3]), *pairs(HUNDREDS[:2], wallet="v"), as_of=A)
        self.fields(out["tokens"]["aaa"]["metrics"]["1d"], volume=1000.0, organic_volume=1000.0)

    def test_two_wash_positions_add_up(self):
        out = run(*pairs(), *pairs([(50, 50)] * 6, [30] * 6, token="bbb"), *pairs(wallet="v"), as_of=A)
        self.fields(out["wallets"]["w"]["metrics"]["1d"], volume=1600.0, wash_volume=1600.0, wash_share=1.0)
        self.fields(out["tokens"]["aaa"]["metrics"]["1d"], volume=2000.0, organic_volume=0.0)

    def test_wallets_leave_trades_between_quote_tokens_out(self):
        rows = []
        for k in range(5):
            rows += [swap(A - 600 * k - 60, "usd", 100, "sol", 1), swap(A - 600 * k, "sol", 1, "usd", 100)]
        out = run(*rows, as_of=A, include=["positions"])
        self.fields(out["positions"][position_id("w", "sol")]["metrics"]["1d"], wash_volume=1000.0)
        self.fields(out["wallets"]["w"]["metrics"]["1d"], volume=0.0, wash_volume=0.0, wash_share=None)
        self.fields(out["tokens"]["sol"]["metrics"]["1d"], volume=1000.0, organic_volume=0.0)

    def test_which_profiles_have_which(self):
        names = {"wash_volume", "wash_share", "organic_volume"}
        self.assertEqual(names & set(WALLET_METRICS), {"wash_volume", "wash_share"})
        self.assertEqual(names & set(POSITION_METRICS), {"wash_volume"})
        self.assertEqual(names & set(TOKEN_METRICS), {"organic_volume"})

    def test_no_trade_has_a_part_of_them(self):
        for t in run(*pairs(), include=["parts"])["trades"]:
            self.assertFalse({"wash_volume", "wash_share", "organic_volume"} & set(t["parts"]))


if __name__ == "__main__":
    unittest.main()
