"""Cases of results in the native token, fees and what has no value, worked by hand from the specification of worth."""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import A, DAY, Case, buy, configured, price, run, sell, swap
from ledger import position_id
from metrics import TOKEN_METRICS, WALLET_METRICS
from worth import TOKEN_WORTH, WALLET_WORTH


def spend(time, sol, amount, token="aaa", **more):
    return swap(time, "sol", sol, token, amount, **more)


def earn(time, sol, amount, token="aaa", **more):
    return swap(time, token, amount, "sol", sol, **more)


class WorthCase(Case):
    def wallet(self, *rows, wallet="w", window="1d", **more):
        return run(*rows, **{"as_of": A, **more})["wallets"][wallet]["metrics"][window]

    def position(self, *rows, token="aaa", wallet="w", **more):
        found = run(*rows, **{"as_of": A, "include": ["positions"], **more})["positions"]
        return found[position_id(wallet, token)]

    def holding(self, *rows, **more):
        return self.position(*rows, **more)["holding"]


class RoundTrip(WorthCase):
    """A buy for 1 SOL and a sell for 3 SOL a minute later."""

    def rows(self, **more):
        return [spend(A - 60, 1, 10, **more), earn(A, 3, 10, **more)]

    prices = [price(A - 60, 200), price(A, 210)]

    def test_without_any_price(self):
        expected = {"pnl_native": 2.0, "roi_native": 200.0, "volume_native": 4.0, "unvalued_trade_count": 2, "pnl": 0.0,
                    "roi": None, "volume": 0.0, "fees": 0.0, "fees_native": 0.0, "net_pnl": 0.0}
        out = run(*self.rows(), as_of=A, include=["positions"])
        self.counted(out, added=2, unvalued=2)
        self.assertEqual([s["valued_by"] for s in out["swaps"]], [None, None])
        self.fields(out["wallets"]["w"]["metrics"]["1d"], **expected)
        self.fields(out["positions"][position_id("w", "aaa")]["metrics"]["30d"], **expected)
        self.fields(out["tokens"]["aaa"]["metrics"]["5m"], volume_native=4.0, unvalued_trade_count=2, volume=0.0)
        self.fields(out["tokens"]["aaa"]["metrics"]["1m"], volume_native=3.0, unvalued_trade_count=1)
        self.fields(out["trades"][1], native_amount=3.0, cost_native=1.0, proceeds_native=3.0,
                    realized_pnl_native=2.0, fee_native=None, realized=False, realized_pnl_usd=None)
        self.fields(out["trades"][0], native_amount=1.0, cost_native=None, proceeds_native=None,
                    realized_pnl_native=None)

    def test_with_sol_at_200_and_then_210(self):
        # 200 for 630: 430.
        self.fields(self.wallet(*self.rows(), prices=self.prices), volume=830.0, pnl=430.0, roi=215.0, pnl_native=2.0,
                    roi_native=200.0, volume_native=4.0, unvalued_trade_count=0, net_pnl=430.0)

    def test_with_fees_of_a_hundredth_each(self):
        # 0.01 x 200 + 0.01 x 210 = 4.1
        rows = self.rows(fee_native=0.01)
        expected = {"fees": 4.1, "net_pnl": 425.9, "fees_native": 0.02, "pnl": 430.0, "pnl_native": 2.0}
        self.fields(self.wallet(*rows, prices=self.prices), **expected)
        self.fields(self.position(*rows, prices=self.prices)["metrics"]["1d"], **expected)
        # Without a price of SOL a fee has no value in USD.
        self.fields(self.wallet(*rows), fees=None, net_pnl=None, fees_native=0.02, stale_fee_count=0)

    def test_the_scales_are_those_of_what_was_summed(self):
        scales = run(*self.rows(fee_native=0.01), as_of=A, prices=self.prices)["wallets"]["w"]["scales"]["1d"]
        self.fields(scales, pnl_native=4.0, volume_native=4.0, fees=4.1, fees_native=0.02, net_pnl=834.1)
        # 200 of the quotient, and 100 x (4 / 1 + 2 / 1 x 1 / 1) of its parts, which are 2 of 4 and 1 of 1.
        self.fields(scales, roi_native=800.0)
        self.assertNotIn("unvalued_trade_count", scales)

    def test_which_metrics_there_are(self):
        self.assertEqual(set(WALLET_WORTH), {
            "pnl_native", "roi_native", "volume_native", "fees", "fees_native", "net_pnl", "unvalued_trade_count",
            "stale_fee_count", "small_pnl",
        })
        self.assertEqual(set(TOKEN_WORTH), {"volume_native", "unvalued_trade_count", "small_pnl"})
        self.assertLessEqual(set(WALLET_WORTH), set(WALLET_METRICS))
        self.assertFalse((set(WALLET_WORTH) - set(TOKEN_WORTH)) & set(TOKEN_METRICS))


class NativeAmount(WorthCase):
    def amounts(self, *rows, **more):
        return [(t["token"], t["native_amount"]) for t in run(*rows, **more)["trades"]]

    def test_a_side_of_native_and_stable_is_its_value_over_the_native_price(self):
        mixed = [buy(10, 4, 40, tx="t"), spend(10, 1, 6, tx="t", index=1)]
        # 40 USD and a SOL of 50: 90 / 50.
        self.assertEqual(self.amounts(swap(1, "usd", 50, "sol", 1, wallet="v"), *mixed)[1], ("aaa", 1.8))
        self.assertEqual(self.amounts(*mixed, prices=[price(1, 60)]), [("aaa", 100 / 60)])
        self.assertEqual(self.amounts(*mixed), [("aaa", None)])

    def test_what_native_tokens_paid_for_two_tokens_is_each_ones_own(self):
        rows = [spend(10, 2, 4, tx="t"), spend(10, 1, 6, "bbb", tx="t", index=1)]
        self.assertEqual(self.amounts(*rows), [("aaa", 2.0), ("bbb", 1.0)])
        self.assertEqual(self.amounts(*rows, prices=[price(1, 100)]), [("aaa", 2.0), ("bbb", 1.0)])

    def test_native_tokens_that_are_passed_over_count(self):
        # aaa for 5 SOL, and these for bbb; 100 USD for 2 SOL, and these for ccc.
        rows = [earn(10, 5, 10, tx="t"), spend(10, 5, 7, "bbb", tx="t", index=1),
                swap(11, "usd", 100, "sol", 2, tx="u"), spend(11, 2, 3, "ccc", tx="u", index=1)]
        self.assertEqual(self.amounts(*rows), [("aaa", 5.0), ("bbb", 5.0), ("ccc", 2.0)])

    def test_the_reference_price_comes_before_the_print_of_the_transaction(self):
        rows = [buy(10, 4, 40, tx="t"), swap(10, "usd", 20, "sol", 1, tx="t", index=1)]
        # 40 USD at 20, and at 32.
        self.assertEqual(self.amounts(*rows), [("aaa", 2.0)])
        self.assertEqual(self.amounts(*rows, prices=[price(1, 32)]), [("aaa", 1.25)])
        # A print of 50 from before the reference began: 120 USD at 60.
        pair = swap(1, "usd", 50, "sol", 1, wallet="v")
        self.assertEqual(self.amounts(pair, buy(10, 4, 120), prices=[price(5, 60)])[1], ("aaa", 2.0))

    def test_the_native_token_itself_is_worth_its_amount(self):
        self.assertEqual(self.amounts(swap(10, "usd", 100, "sol", 2)), [("sol", 2.0)])
        self.assertEqual(self.amounts(swap(10, "usd", 100, "sol", 2), prices=[price(1, 40)]), [("sol", 2.0)])

    def test_without_a_native_token_there_is_none(self):
        config = {"chain": "test", "quote_tokens": [{"address": "usd", "symbol": "USD", "kind": "stable"}]}
        found = run(buy(10, 1, 5), sell(20, 1, 9, fee_native=1), config=config, include=["positions"])
        self.assertEqual([t["native_amount"] for t in found["trades"]], [None, None])
        self.fields(found["wallets"]["w"]["metrics"]["1d"], pnl=4.0, pnl_native=0.0, roi_native=None, volume_native=0.0,
                    fees=None, fees_native=1.0, net_pnl=None)
        self.fields(found["positions"][position_id("w", "aaa")]["holding"], cost_basis_native=None,
                    realized_pnl_native=0.0, realized_roi_native=None, unrealized_pnl_native=None)


class NativeLots(WorthCase):
    def test_lots_of_unknown_native_cost_are_consumed_without_a_result(self):
        # The first 6 have no cost. Of 10 sold for 10 SOL the other 4 bring 4, and cost 2.
        rows = [swap(1, "xxx", 1, "aaa", 6), spend(2, 2, 4), earn(3, 10, 10)]
        t = run(*rows)["trades"][-1]
        self.fields(t, matched_native=4.0, cost_native=2.0, proceeds_native=4.0, realized_pnl_native=2.0,
                    position_state="close")
        self.fields(self.wallet(*rows, as_of=3), pnl_native=2.0, roi_native=100.0, volume_native=12.0)

    def test_what_is_sold_beyond_the_lots_has_no_result(self):
        # 4 of 16 sold for 8 SOL: 2, of a cost of 2.
        self.fields(run(spend(1, 2, 4), earn(2, 8, 16))["trades"][1], cost_native=2.0, proceeds_native=2.0,
                    realized_pnl_native=0.0)
        self.fields(run(earn(1, 8, 16))["trades"][0], matched_native=0.0, cost_native=None, realized_pnl_native=None)

    def test_lots_are_used_in_order_and_in_part(self):
        # 4 at 0.5 and 2 of 4 at 1: 4 SOL, for 9.
        rows = [spend(1, 2, 4), spend(2, 4, 4), earn(3, 9, 6), earn(4, 1, 2)]
        first, second = run(*rows)["trades"][2:]
        self.fields(first, cost_native=4.0, proceeds_native=9.0, realized_pnl_native=5.0)
        self.fields(second, cost_native=2.0, proceeds_native=1.0, realized_pnl_native=-1.0)
        self.fields(self.wallet(*rows, as_of=4), pnl_native=4.0, roi_native=400 / 6)

    def test_a_native_cost_and_a_cost_in_usd_are_known_apart(self):
        # Bought for 100 USD before SOL has a price: no native cost. Bought for 1 SOL then: no USD.
        pair = swap(5, "usd", 100, "sol", 1, wallet="v")
        dollars, native = run(buy(1, 10, 100), pair, earn(9, 3, 10))["trades"][::2]
        self.fields(native, realized_pnl_usd=200.0, matched_native=0.0, realized_pnl_native=None)
        self.assertIsNone(dollars["native_amount"])
        found = run(spend(1, 1, 10), pair, earn(9, 3, 10))["trades"][-1]
        self.fields(found, matched=0.0, realized_pnl_usd=None, realized_pnl_native=2.0)

    def test_a_sell_of_unknown_native_value_consumes_lots_and_has_no_result(self):
        out = run(spend(1, 2, 4), swap(2, "aaa", 3, "xxx", 1), earn(3, 1, 1))
        self.fields(out["trades"][1], matched_native=3.0, cost_native=None, realized_pnl_native=None)
        self.fields(out["trades"][-1], cost_native=0.5, realized_pnl_native=0.5, position_state="close")

    def test_a_price_of_sol_makes_a_sell_for_stables_a_native_result(self):
        # 1 SOL, and 300 USD at a SOL of 100.
        prices = [price(1, 100)]
        self.fields(run(spend(1, 1, 10), sell(9, 10, 300), prices=prices)["trades"][1], native_amount=3.0,
                    realized_pnl_native=2.0, realized_pnl_usd=200.0)
        # Bought and sold for 100 USD, while SOL falls to half: nothing in USD, and 1 SOL.
        prices = [price(1, 100), price(5, 50)]
        self.fields(run(buy(1, 10, 100), sell(9, 10, 100), prices=prices)["trades"][1], realized_pnl_usd=0.0,
                    cost_native=1.0, proceeds_native=2.0, realized_pnl_native=1.0)

    def test_there_is_no_dust_limit(self):
        # A hundredth of a USD and two.
        rows = [spend(A - 5, 0.0001, 10), earn(A, 0.0002, 10)]
        self.fields(self.wallet(*rows, prices=[price(A - 5, 100)]), pnl=0.01, small_pnl=0.01, roi=100.0, winrate=None, pnl_native=0.0001,
                    roi_native=100.0)

    def test_a_result_within_rounding_is_0(self):
        t = run(spend(1, 1, 3), earn(2, 1 + 5e-10, 3))["trades"][1]
        self.fields(t, realized_pnl_native=0.0)
        self.assertGreater(run(spend(1, 1, 3), earn(2, 1 + 2e-9, 3))["trades"][1]["realized_pnl_native"], 0)

    def test_a_close_discards_the_rest(self):
        rows = [spend(1, 1, 10), earn(2, 1, 4, post_token_balance_in=0), spend(3, 7, 1), earn(4, 9, 1)]
        self.assertEqual([t["cost_native"] for t in run(*rows)["trades"]], [None, 0.4, None, 7.0])

    def test_a_swap_of_quote_tokens_counts_for_the_position_alone(self):
        # Two SOL for 100, one for 60 with a SOL of 60 then: 1 SOL each. The second is worth 100 / 2 when bought.
        rows = [swap(A - 60, "usd", 100, "sol", 2, fee_native=0.1), swap(A - 30, "sol", 1, "usd", 60)]
        self.fields(self.position(*rows, token="sol")["metrics"]["1d"], pnl_native=0.0, roi_native=0.0,
                    volume_native=3.0, fees_native=0.1, fees=5.0, net_pnl=5.0, pnl=10.0)
        self.fields(self.wallet(*rows), pnl_native=0.0, roi_native=None, volume_native=0.0, fees_native=0.0, fees=0.0)


class Holding(WorthCase):
    def test_swaps_against_the_native_token_price_what_has_no_usd(self):
        # 4 for 2 SOL; 1 sold for 1: 0.5 of gain. 3 are left at 1.5. Of 1 and 0.5 SOL the lower median is 0.5.
        rows = [spend(A - 9, 2, 4), earn(A - 8, 1, 1)]
        self.fields(self.holding(*rows), cost_basis_native=1.5, realized_pnl_native=0.5, realized_roi_native=100.0,
                    unrealized_pnl_native=0.0, cost_basis=None, unrealized_pnl=None, price=None)
        # v pays 2 SOL for 1: of 2, 1 and 0.5 it is 1.
        found = self.position(*rows, spend(A - 7, 2, 1, wallet="v"))
        self.fields(found["holding"], unrealized_pnl_native=1.5)
        self.fields(found["holding_scales"], cost_basis_native=1.5, realized_pnl_native=1.5, unrealized_pnl_native=4.5,
                    realized_roi_native=500.0)
        # Nothing for something is no price.
        self.fields(self.holding(*rows, swap(A - 6, "sol", 1, "aaa", 0), swap(A - 5, "sol", 0, "aaa", 1, wallet="v")),
                    unrealized_pnl_native=0.0)

    def test_they_go_by_what_the_pool_had(self):
        # 1.25 SOL for 5, of which the pool gave 6.25: 0.2 SOL each, where the wallet paid 0.25.
        self.fields(self.holding(spend(A - 9, 1.25, 5, pool_amount_in=1.25, pool_amount_out=6.25)),
                    cost_basis_native=1.25, unrealized_pnl_native=-0.25)
        # 0.8 of the 1 that v and x sell reach the pool, which gives 0.4 SOL; 0.3 of them arrive: 0.5 SOL each.
        sales = [
            earn(A - 8 + k, 0.3, 1, wallet=wallet, pool_amount_in=0.8, pool_amount_out=0.4)
            for k, wallet in enumerate("vx")
        ]
        self.fields(self.holding(spend(A - 9, 1, 5), *sales), unrealized_pnl_native=1.5)

    def test_they_are_votes_as_those_of_the_native_price(self):
        def worth(*rows):
            return self.holding(spend(A - 90, 2, 4), *rows)["unrealized_pnl_native"]
        # v at 1e9 SOL, ever again, is three votes: two others at 0.5 and w's leave three and three, and the lower is 0.5.
        others = [spend(A - 80 + k, 1, 2, wallet=f"x{k}") for k in range(2)]
        self.near(worth(*others, *[spend(A - 50 + k, 1, 1e-9, wallet="v") for k in range(9)]), 0.0)
        # A transaction has one, its last: 0.6 after 0.9. Of 0.6 and 0.5 the newest is within a quarter: 4 x 0.6 - 2.
        self.near(worth(spend(A - 50, 9, 10, wallet="x", tx="t"), spend(A - 50, 6, 10, wallet="x", tx="t", index=1)), 0.4)

    def test_the_newest_thousand_swaps_of_the_token_count(self):
        rows = [spend(A - 9, 2, 4), *[swap(A - 8, "xxx", 1, "aaa", 1, tx=f"t{k}", wallet="v") for k in range(1000)]]
        self.fields(self.holding(*rows[:1000]), unrealized_pnl_native=0.0)
        self.fields(self.holding(*rows), unrealized_pnl_native=None)

    def test_usd_prices_come_before_the_newest_swap(self):
        # aaa prints 20 USD with v; SOL is 40 by reference: half a SOL a token. The swap for 1 SOL a token is older.
        rows = [spend(A - 9, 2, 8), buy(A - 7, 1, 20, wallet="v")]
        self.fields(self.holding(*rows, prices=[price(A - 100, 40)]), cost_basis_native=2.0, unrealized_pnl_native=2.0)
        # SOL without a price in USD: 2 SOL for 8.
        self.fields(self.holding(*rows), unrealized_pnl_native=0.0)
        # SOL's latest print, 10, also beside a reference price that was too old for it.
        pair = swap(A - 8, "sol", 1, "usd", 10, wallet="v")
        self.fields(self.holding(*rows, pair), unrealized_pnl_native=14.0)
        self.fields(self.holding(*rows, pair, prices=[price(A - 100, 40)], config=configured(reference_max_age=50)),
                    unrealized_pnl_native=14.0)

    def test_what_a_swap_said_while_a_reference_held_is_the_price_after_it(self):
        # SOL for 10 USD is no price while the reference of 40 holds, and the price when that is too old: 8 x 20 / 10 - 2.
        rows = [spend(A - 9, 2, 8), swap(A - 8, "sol", 1, "usd", 10, wallet="v"), buy(A - 7, 1, 20, wallet="v")]
        self.fields(self.holding(*rows, prices=[price(A - 100, 40)], config=configured(reference_max_age=99)),
                    unrealized_pnl_native=14.0)

    def test_the_prices_are_those_of_the_instant(self):
        rows = [spend(A - 9, 2, 8), buy(A - 7, 1, 20, wallet="v"), buy(A, 1, 40, wallet="v")]
        prices = [price(A - 10, 40), price(A - 3, 20), price(A, 10)]
        # 8 x 20 / 40 - 2, then 8 x 20 / 20 - 2, then 8 x 40 / 10 - 2.
        for as_of, expected in [(A - 4, 2.0), (A - 3, 6.0), (A, 30.0), (A + 5, 30.0)]:
            with self.subTest(as_of=as_of):
                self.fields(self.holding(*rows, prices=prices, as_of=as_of), unrealized_pnl_native=expected)

    def test_the_native_token_is_worth_one_of_itself(self):
        # Two SOL are two, whatever they cost in USD.
        rows = [swap(A - 9, "usd", 100, "sol", 2)]
        self.fields(self.holding(*rows, token="sol", prices=[price(A - 10, 40)]), cost_basis_native=2.0,
                    unrealized_pnl_native=0.0)

    def test_lots_of_unknown_native_cost_stay_out(self):
        # 0.5, 1 and 1 SOL a token: 4 are worth 4.
        rows = [swap(A - 9, "xxx", 1, "aaa", 6), spend(A - 8, 2, 4), *[spend(A - k, 1, 1, wallet="v") for k in (7, 6)]]
        self.fields(self.holding(*rows), cost_basis_native=2.0, unrealized_pnl_native=2.0)
        self.fields(self.holding(rows[0], *rows[2:]), cost_basis_native=None, realized_pnl_native=0.0,
                    realized_roi_native=None, unrealized_pnl_native=None)

    def test_what_has_no_native_price_has_a_cost_and_no_unrealised_result(self):
        # aaa for 100 USD at a SOL of 50, whose price is too old at A; aaa never met SOL.
        rows = [buy(A - 90000, 10, 100), swap(A, "aaa", 1, "xxx", 1, wallet="v")]
        self.fields(self.holding(*rows, prices=[price(A - 90001, 50)]), cost_basis_native=2.0,
                    unrealized_pnl_native=None)

    def test_results_before_every_window_count(self):
        rows = [spend(A - 80 * DAY, 1, 10), earn(A - 79 * DAY, 3, 10)]
        self.fields(self.holding(*rows), realized_pnl_native=2.0, realized_roi_native=200.0, cost_basis_native=None,
                    unrealized_pnl_native=None)
        self.fields(self.wallet(*rows, window="30d"), pnl_native=0.0, roi_native=None, volume_native=0.0)


class Fees(WorthCase):
    def fees(self, *rows, **more):
        return [(t["wallet"], t["token"], t["fee_native"]) for t in run(*rows, **more)["trades"]]

    def test_two_trades_of_a_transaction_share_its_fee(self):
        rows = [swap(A, "aaa", 1, "bbb", 1, tx="t", fee_native=0.5)]
        self.assertEqual(self.fees(*rows), [("w", "aaa", 0.25), ("w", "bbb", 0.25)])
        self.fields(self.wallet(*rows), fees_native=0.5)
        self.fields(self.position(*rows)["metrics"]["1d"], fees_native=0.25)
        # A route is one trade, and bears all of it.
        route = [buy(A, 4, 100, "hop", tx="t", fee_native=0.5), swap(A, "hop", 4, "aaa", 8, tx="t", index=1)]
        self.assertEqual(self.fees(*route), [("w", "aaa", 0.5)])

    def test_the_greatest_of_the_rows_of_a_transaction_counts_once(self):
        given = [0.2, None, 0.5, 0.5, 0]
        rows = [buy(A, 1, 5, tx="t", index=i, fee_native=fee) for i, fee in enumerate(given)]
        self.assertEqual(self.fees(*rows), [("w", "aaa", 0.5)])
        self.assertEqual(self.fees(*rows[::-1]), [("w", "aaa", 0.5)])
        self.assertEqual([s["fee_native"] for s in run(*rows)["swaps"]], given)

    def test_a_fee_of_0_is_known_and_none_is_not(self):
        self.assertEqual(self.fees(buy(1, 1, 5, fee_native=0), buy(2, 1, 5), buy(3, 1, 5, fee_native="")),
                         [("w", "aaa", 0.0), ("w", "aaa", None), ("w", "aaa", None)])

    def test_wallets_of_a_transaction_pay_apart(self):
        rows = [buy(A, 1, 5, tx="t", fee_native=0.5), sell(A, 1, 5, tx="t", index=1, wallet="v", fee_native=0.1)]
        self.assertEqual(self.fees(*rows), [("w", "aaa", 0.5), ("v", "aaa", 0.1)])

    def test_without_a_trade_it_counts_for_the_wallet(self):
        round_trip = [buy(A, 1, 5, tx="t", fee_native=0.5), sell(A, 1, 5, tx="t", index=1, fee_native=0.5)]
        self.assertEqual(self.fees(*round_trip), [])
        self.fields(self.wallet(*round_trip, prices=[price(A, 40)]), fees_native=0.5, fees=20.0, net_pnl=-20.0,
                    trade_count=0, stale_fee_count=0)
        self.fields(self.wallet(*round_trip, as_of=A + DAY), fees_native=0.0, fees=0.0, net_pnl=0.0)
        self.fields(self.position(*round_trip, buy(A, 1, 5))["metrics"]["1d"], fees_native=0.0, fees=0.0)

    def test_a_swap_of_a_token_for_itself_may_name_the_fee_and_bears_none(self):
        rows = [swap(A, "usd", 1, "usd", 1, tx="t", fee_native=0.5), buy(A, 1, 5, tx="t", index=1)]
        self.assertEqual(self.fees(*rows), [("w", "aaa", 0.5)])
        self.assertEqual(self.fees(rows[0]), [])

    def test_in_usd_it_is_worth_the_native_price_after_the_last_swap_of_the_transaction(self):
        rows = [buy(A, 4, 40, tx="t", fee_native=0.5), swap(A, "usd", 20, "sol", 1, tx="t", index=1)]
        self.fields(self.wallet(*rows), fees=10.0, net_pnl=-10.0)
        self.fields(self.wallet(*rows, prices=[price(A, 30)]), fees=15.0, net_pnl=-15.0)

    def test_a_fee_of_unknown_value_makes_the_sum_in_usd_unknown(self):
        rows = [buy(A - 9, 10, 100, fee_native=1), swap(A - 8, "sol", 1, "usd", 50, wallet="v"),
                sell(A - 7, 10, 120, fee_native=2)]
        self.fields(self.wallet(*rows), fees_native=3.0, fees=None, pnl=20.0, net_pnl=None)
        # A day on, the window has the second alone.
        self.fields(self.wallet(*rows, as_of=A + DAY - 8), fees_native=2.0, fees=100.0, pnl=20.0, net_pnl=-80.0)

    def test_a_native_price_of_any_age_counts_and_is_told(self):
        old = [swap(A - 90001, "sol", 1, "usd", 50, wallet="v"), buy(A, 10, 100, fee_native=1)]
        self.fields(self.wallet(*old), fees=50.0, stale_fee_count=1)
        # A reference price is as good: the newer of the two counts. One that holds is not stale.
        for time, expected in [(A - 180002, 50.0), (A - 90000, 30.0)]:
            self.fields(self.wallet(*old, prices=[price(time, 30)]), fees=expected,
                        stale_fee_count=int(time < A - 90000))
        self.fields(self.wallet(old[1], prices=[price(A - 900000, 30)]), fees=30.0, stale_fee_count=1)
        self.fields(self.wallet(buy(A, 10, 100, fee_native=0)), fees=0.0, net_pnl=0.0, stale_fee_count=0)

    def test_fees_of_the_window_count_also_of_trades_without_a_value(self):
        rows = [spend(A - DAY, 1, 10, fee_native=1), spend(A - DAY + 1, 1, 10, fee_native=2),
                swap(A, "aaa", 1, "xxx", 1, fee_native=4)]
        self.fields(self.wallet(*rows), fees_native=6.0, unvalued_trade_count=3)
        self.fields(self.wallet(*rows, window="3d"), fees_native=7.0, unvalued_trade_count=4)

    def test_bad_fees_are_rejected_and_another_fee_is_a_conflict(self):
        bad = [buy(1, 1, 5, fee_native=fee) for fee in (-0.1, math.inf, math.nan, "x", True)]
        self.counted(run(*bad), rejected=5)
        row = buy(1, 1, 5, tx="t", fee_native=0.1)
        self.counted(run(row, dict(row), {**row, "fee_native": 0.2}, {**row, "fee_native": None}), added=1, duplicate=1,
                     conflict=2)


class Explained(WorthCase):
    """The terms and the parts of the metrics."""

    def rows(self):
        return [spend(A - 60, 1, 10, fee_native=0.01), earn(A, 3, 5, fee_native=0.01)]

    def test_terms(self):
        out = run(*self.rows(), as_of=A, include=["positions", "terms"])
        expected = {"native_volume": 4.0, "native_pnl": 2.5, "native_cost": 0.5, "fees": 0.0, "fees_native": 0.02,
                    "unvalued_trades": 2}
        for found in (out["wallets"]["w"], out["positions"][position_id("w", "aaa")]):
            self.fields(found["terms"]["1d"], **expected)
            self.fields(found["term_scales"]["1d"], native_pnl=3.5, native_volume=4.0, unvalued_trades=0)
        self.fields(out["tokens"]["aaa"]["terms"]["1d"], native_volume=4.0, unvalued_trades=2)

    def parts(self, *rows, **more):
        return [t["parts"] for t in run(*rows, include=["parts"], **more)["trades"]]

    def test_parts_without_a_price(self):
        first, second = self.parts(*self.rows())
        self.assertEqual(first, {"trade_count": 1, "buy_count": 1, "volume_native": 1.0, "fees_native": 0.01,
                                 "unvalued_trade_count": 1})
        self.assertEqual(second, {"trade_count": 1, "sell_count": 1, "volume_native": 3.0, "fees_native": 0.01,
                                  "pnl_native": 2.5, "unvalued_trade_count": 1})

    def test_the_part_of_the_net_result_is_result_less_fee_where_either_is_known(self):
        # 200 for 10; 5 sold for 630: 530. Fees of 2 and 2.1.
        first, second = self.parts(*self.rows(), prices=[price(A - 60, 200), price(A, 210)])
        self.fields(first, fees=2.0, net_pnl=-2.0)
        self.fields(second, pnl=530.0, fees=2.1, net_pnl=527.9)
        for found in (first, second):
            self.assertNotIn("unvalued_trade_count", found)
        self.assertNotIn("net_pnl", self.parts(buy(1, 1, 5, fee_native=1))[0])
        self.assertNotIn("net_pnl", self.parts(buy(1, 1, 5), sell(2, 1, 7, fee_native=1))[1])
        self.assertEqual(self.parts(buy(1, 1, 5), sell(2, 1, 7, fee_native=0))[1]["net_pnl"], 2.0)


if __name__ == "__main__":
    unittest.main()
