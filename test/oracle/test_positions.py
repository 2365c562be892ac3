"""Cases of position profiles, worked by hand from the specification of positions."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import A, CONFIG, DAY, Case, buy, run, sell, swap
from ledger import position_id
from metrics import WALLET_METRICS
from oracle import compute
from positions import POSITION_METRICS


class PositionCase(Case):
    def position(self, *rows, token="aaa", wallet="w", as_of=A, **more):
        return compute(CONFIG, rows, as_of=as_of, include=["positions"], **more)["positions"][position_id(wallet, token)]

    def meta(self, *rows, **more):
        return self.position(*rows, **more)["metadata"]

    def holding(self, *rows, **more):
        return self.position(*rows, **more)["holding"]

    def labels(self, *rows, **more):
        return self.position(*rows, **more)["labels"]


class Existence(PositionCase):
    def pairs(self, *rows, **more):
        found = run(*rows, include=["positions"], **more)["positions"]
        for address, position in found.items():
            self.assertEqual(address, position_id(position["wallet_address"], position["token_address"]))
        return sorted((p["wallet_address"], p["token_address"]) for p in found.values())

    def test_positions_come_only_when_asked_for(self):
        self.assertNotIn("positions", run(buy(1, 1, 5)))

    def test_each_pair_with_a_trade_is_a_position_and_the_quote_token_is_none(self):
        self.assertEqual(self.pairs(buy(1, 1, 5), buy(2, 1, 5, "bbb"), buy(3, 1, 5, wallet="v"), sell(4, 1, 5)),
                         [("v", "aaa"), ("w", "aaa"), ("w", "bbb")])

    def test_a_hop_makes_no_position_although_its_swaps_touch_the_token(self):
        self.assertEqual(self.pairs(
            swap(10, "usd", 100, "hop", 40, tx="t"), swap(10, "hop", 40, "aaa", 8, tx="t", index=1),
        ), [("w", "aaa")])

    def test_the_registry_makes_no_position(self):
        self.assertEqual(self.pairs(tokens=[{"address": "aaa"}], wallets=[{"address": "w"}]), [])

    def test_a_position_does_not_exist_before_its_first_trade(self):
        self.assertEqual(self.pairs(buy(10, 1, 5), buy(20, 1, 5, "bbb"), as_of=19), [("w", "aaa")])

    def test_a_list_of_addresses_leaves_out_all_other_profiles_and_changes_none(self):
        rows = [buy(1, 1, 5), buy(2, 1, 5, "bbb"), buy(3, 1, 5, wallet="v")]
        every = run(*rows, include=["positions"])
        wanted = [position_id("w", "bbb"), "v", "aaa", "unheard of"]
        some = run(*rows, include=["positions"], profiles=wanted)
        for kind, address in [("positions", position_id("w", "bbb")), ("wallets", "v"), ("tokens", "aaa")]:
            self.assertEqual(some[kind], {address: every[kind][address]})
        self.assertEqual(some["portfolio"], every["portfolio"])
        self.assertEqual([k for k in ("positions", "wallets", "tokens") if run(include=["positions"], profiles=[])[k]], [])

    def test_the_id_is_that_of_the_trades(self):
        out = run(buy(1, 1, 5), include=["positions"])
        self.assertEqual(list(out["positions"]), [out["trades"][0]["position"]])

    def test_a_swap_of_quote_tokens_counts_for_the_position_and_not_for_the_wallet(self):
        # Two sol for 100; one sold for 60: 10 of profit.
        rows = [swap(A - 60, "usd", 100, "sol", 2), swap(A - 30, "sol", 1, "usd", 60)]
        found = self.position(*rows, token="sol")
        self.fields(found["metrics"]["1d"], trade_count=2, pnl=10.0, volume=160.0)
        self.fields(found["holding"], realized_pnl=10.0, cost_basis=50.0, balance=1.0)
        self.assertEqual(compute(CONFIG, rows, as_of=A)["wallets"]["w"]["metrics"]["1d"]["trade_count"], 0)


class Metadata(PositionCase):
    def test_an_open_position_has_no_closing_time(self):
        self.fields(self.meta(buy(10, 5, 50), buy(20, 5, 50), sell(30, 4, 50)), first_trade_at=10, last_trade_at=30,
                    opened_at=10, closed_at=None, state="open")

    def test_a_closed_position_was_closed_by_the_sell_that_used_up_its_lots(self):
        # The sell at 40 has nothing left to sell from.
        self.fields(self.meta(buy(10, 5, 50), sell(20, 2, 50), sell(30, 3, 50), sell(40, 1, 50)), first_trade_at=10,
                    last_trade_at=40, opened_at=10, closed_at=30, state="closed")

    def test_a_reopened_position_has_the_times_of_its_last_opening(self):
        rows = [buy(10, 5, 50), sell(20, 5, 60), buy(30, 1, 9), buy(40, 1, 9)]
        self.fields(self.meta(*rows), first_trade_at=10, last_trade_at=40, opened_at=30, closed_at=None, state="open")
        self.fields(self.meta(*rows, sell(50, 2, 9)), first_trade_at=10, opened_at=30, closed_at=50, state="closed")

    def test_never_bought_is_unknown_and_the_first_buy_opens_it(self):
        rows = [sell(10, 5, 50), sell(20, 5, 50)]
        self.fields(self.meta(*rows), first_trade_at=10, last_trade_at=20, opened_at=None, closed_at=None,
                    state="unknown")
        self.fields(self.meta(*rows, buy(30, 1, 5)), first_trade_at=10, opened_at=30, closed_at=None, state="open")

    def test_a_reported_balance_of_nothing_closes_a_position_with_lots_left(self):
        self.fields(self.meta(buy(10, 5, 50), sell(20, 2, 50, post_token_balance_in=0)), closed_at=20, state="closed")

    def test_lots_of_unknown_cost_open_a_position(self):
        self.fields(self.meta(swap(10, "xxx", 1, "aaa", 5)), opened_at=10, state="open")

    def test_of_trades_in_one_second_the_chain_order_decides(self):
        # By slot the buy comes first; the other way round the sell has nothing to sell.
        first, second = {"block_slot": 1, "tx": "b"}, {"block_slot": 2, "tx": "a"}
        self.fields(self.meta(sell(10, 1, 5, **second), buy(10, 1, 5, **first)), opened_at=10, closed_at=10,
                    state="closed")
        self.fields(self.meta(sell(10, 1, 5, **first), buy(10, 1, 5, **second)), opened_at=10, closed_at=None,
                    state="open")

    def test_an_earlier_instant_sees_the_position_of_then(self):
        rows = [buy(10, 5, 50), sell(20, 5, 60), buy(30, 1, 9), sell(40, 1, 9)]
        self.fields(self.meta(*rows, as_of=19), last_trade_at=10, opened_at=10, closed_at=None, state="open")
        self.fields(self.meta(*rows, as_of=20), last_trade_at=20, opened_at=10, closed_at=20, state="closed")
        self.fields(self.meta(*rows, as_of=39), last_trade_at=30, opened_at=30, closed_at=None, state="open")

    def test_the_symbol_is_the_registrys_and_else_the_newest_of_a_swap(self):
        rows = [buy(10, 5, 50, token_symbol_out="OLD"), buy(20, 5, 50, token_symbol_out="NEW", wallet="v")]
        self.assertEqual(self.meta(*rows)["symbol"], "NEW")
        self.assertEqual(self.meta(*rows, tokens=[{"address": "aaa", "symbol": "REG"}])["symbol"], "REG")
        self.assertIsNone(self.meta(buy(10, 5, 50))["symbol"])

    def test_updated_at_is_the_wallets_newest_swap_of_the_token_also_without_a_trade(self):
        # At 20 aaa is a hop; at 30 another wallet, at 40 another token.
        rows = [buy(10, 5, 50), swap(20, "usd", 10, "aaa", 1, tx="t"), swap(20, "aaa", 1, "bbb", 1, tx="t", index=1),
                buy(30, 1, 10, wallet="v"), buy(40, 1, 10, "ccc")]
        self.fields(self.position(*rows), updated_at=20)
        self.fields(self.meta(*rows), last_trade_at=10)


class Holding(PositionCase):
    def test_a_partly_sold_position_with_a_price_from_another_wallet(self):
        # Lots 10 x 10 and 10 x 20 USD. The sell of 15 at 20 costs 10 x 10 + 5 x 20 = 200 and brings 300.
        # Five are left, of a cost of 100: entry 20. Then v pays 25 a token, 40 s before A.
        found = self.position(buy(A - 900, 10, 100), buy(A - 800, 10, 200), sell(A - 700, 15, 300),
                              buy(A - 40, 2, 50, wallet="v"))
        self.fields(found["holding"], balance=5.0, cost_basis=100.0, avg_entry_price=20.0, realized_pnl=100.0,
                    realized_roi=50.0, bought_usd=300.0, sold_usd=300.0, buy_count=2, sell_count=1, price=25.0,
                    value=125.0, unrealized_pnl=25.0, unrealized_roi=25.0, price_age=40)
        # A difference is as uncertain as what it is of: 300 + 200, and 125 + 100.
        self.fields(found["holding_scales"], realized_pnl=500.0, unrealized_pnl=225.0)

    def test_a_closed_position_has_results_and_no_cost(self):
        self.fields(self.holding(buy(A - 90, 10, 100), sell(A - 80, 10, 90)), balance=0.0, cost_basis=None,
                    avg_entry_price=None, realized_pnl=-10.0, realized_roi=-10.0, bought_usd=100.0, sold_usd=90.0,
                    price=9.0, value=0.0, unrealized_pnl=None, unrealized_roi=None, price_age=80)

    def test_results_of_all_openings_add_up_and_cost_is_that_of_the_last(self):
        # 20 on 100, then -30 on 200: -10 on 300. One token of 7 USD is open.
        self.fields(self.holding(buy(1, 1, 100), sell(2, 1, 120), buy(3, 1, 200), sell(4, 1, 170), buy(5, 1, 7)),
                    realized_pnl=-10.0, realized_roi=-1000 / 300, cost_basis=7.0, avg_entry_price=7.0,
                    bought_usd=307.0, sold_usd=290.0, buy_count=3, sell_count=2)

    def test_history_before_every_window_counts(self):
        found = self.position(buy(A - 90 * DAY, 10, 100), sell(A - 80 * DAY, 4, 50))
        self.fields(found["holding"], realized_pnl=10.0, bought_usd=100.0, buy_count=1, price_age=80 * DAY)
        self.fields(found["metrics"]["30d"], trade_count=0, pnl=0.0, volume=0.0, roi=None, winrate=None,
                    avg_pnl=None, largest_win=0.0, risk_score=None, turnover=0.0, max_drawdown=0.0)

    def test_never_bought_has_sums_of_0_and_everything_of_cost_unknown(self):
        self.fields(self.holding(sell(A - 5, 10, 100)), balance=0.0, cost_basis=None, avg_entry_price=None,
                    realized_pnl=0.0, realized_roi=None, bought_usd=0.0, sold_usd=100.0, buy_count=0, sell_count=1,
                    price=10.0, value=0.0, unrealized_pnl=None, unrealized_roi=None, price_age=5)

    def test_a_lot_of_unknown_cost_stays_out_of_cost_entry_and_unrealised_profit(self):
        # 4 tokens for 40, 6 of unknown cost. Price 12 by v: value 10 x 12; lots 4 x 12 - 40.
        rows = [buy(10, 4, 40), swap(20, "xxx", 1, "aaa", 6), buy(30, 1, 12, wallet="v")]
        self.fields(self.holding(*rows), balance=10.0, cost_basis=40.0, avg_entry_price=10.0, bought_usd=40.0,
                    buy_count=2, price=12.0, value=120.0, unrealized_pnl=8.0, unrealized_roi=20.0)

    def test_lots_of_unknown_cost_alone_have_a_value_and_no_cost(self):
        self.fields(self.holding(swap(20, "xxx", 1, "aaa", 6), buy(30, 1, 12, wallet="v")), cost_basis=None,
                    avg_entry_price=None, value=72.0, unrealized_pnl=None, unrealized_roi=None, bought_usd=0.0)

    def test_what_is_sold_of_unknown_cost_or_beyond_the_lots_is_no_result(self):
        # The first 6 have no cost. Of 14 sold 6 are those, 4 cost 40, 4 are beyond: 140 x 4 / 14 - 40 = 0.
        rows = [swap(10, "xxx", 1, "aaa", 6), buy(20, 4, 40), sell(30, 14, 140)]
        self.fields(self.holding(*rows), realized_pnl=0.0, realized_roi=0.0, sold_usd=140.0, cost_basis=None)

    def test_a_sell_of_unknown_value_is_counted_and_brings_nothing(self):
        self.fields(self.holding(buy(10, 4, 40), swap(20, "aaa", 1, "xxx", 1)), sell_count=1, sold_usd=0.0,
                    realized_pnl=0.0, realized_roi=None, cost_basis=30.0)

    def test_dust_on_both_sides_counts_in_the_result_and_as_bought_and_sold(self):
        self.fields(self.holding(buy(10, 1, 0.05), sell(20, 1, 0.09)), realized_pnl=0.09 - 0.05, realized_roi=80.0,
                    bought_usd=0.05, sold_usd=0.09, price=None, value=None, price_age=None)

    def test_the_unrealised_profit_is_that_of_the_lots_and_the_value_that_of_the_balance(self):
        # 3 of the 10 left before the sell of 2, and 5 are here.
        rows = [buy(10, 10, 100), sell(20, 2, 20, post_token_balance_in=5), buy(30, 1, 15, wallet="v")]
        self.fields(self.holding(*rows), balance=5.0, cost_basis=50.0, value=75.0, unrealized_pnl=25.0,
                    unrealized_roi=50.0, away_amount=3.0, away_cost=30.0)

    def test_a_price_that_is_unknown_leaves_the_cost(self):
        # Every swap of aaa is dust: no print.
        self.fields(self.holding(buy(10, 1, 0.05)), cost_basis=0.05, avg_entry_price=0.05, price=None, value=None,
                    unrealized_pnl=None, unrealized_roi=None, price_age=None)

    def test_the_price_is_that_of_the_instant(self):
        rows = [buy(10, 1, 10), buy(20, 1, 30, wallet="v"), buy(30, 1, 50, wallet="v")]
        self.fields(self.holding(*rows, as_of=25), price=30.0, price_age=5, unrealized_pnl=20.0)
        self.fields(self.holding(*rows, as_of=10), price=10.0, price_age=0, unrealized_pnl=0.0)

    def test_holdings_agree_with_the_portfolio(self):
        rows = [buy(10, 10, 100), buy(15, 2, 9, "bbb"), sell(20, 4, 60), swap(30, "bbb", 1, "xxx", 7)]
        out = run(*rows, include=["positions"])
        held = {t["token"]: t for t in out["portfolio"]["w"]["tokens"]}
        for token in ("aaa", "bbb", "xxx"):
            found = out["positions"][position_id("w", token)]["holding"]
            for name in ("balance", "price", "value", "cost_basis", "unrealized_pnl"):
                self.assertEqual(found[name], held[token][name], (token, name))


class Windows(PositionCase):
    def test_there_are_63_metrics_those_of_wallets_without_eight(self):
        self.assertEqual(len(POSITION_METRICS), 63)
        self.assertEqual(set(WALLET_METRICS) - set(POSITION_METRICS), {
            "avg_daily_traded_tokens", "avg_token_pnl", "avg_token_roi", "token_roi_distribution", "position_count",
            "token_hit_ratio", "time_weighted_roi", "wash_share", "quick_share",
        })
        found = self.position(buy(10, 1, 5))
        self.assertEqual(list(found["metrics"]), ["30d", "14d", "7d", "3d", "1d"])
        for metrics in found["metrics"].values():
            self.assertEqual([name for name in metrics if not name.endswith("__raw")], POSITION_METRICS)

    def test_the_trades_of_the_pair_alone_count(self):
        # aaa: 10 on 100 and -5 on 50. The wallet's bbb and v's aaa stay out.
        rows = [buy(A - 900, 10, 100), sell(A - 800, 10, 110), buy(A - 700, 10, 50), sell(A - 600, 10, 45),
                buy(A - 500, 10, 400, "bbb"), sell(A - 400, 10, 100, "bbb"),
                buy(A - 300, 10, 50, wallet="v"), sell(A - 200, 10, 500, wallet="v")]
        self.fields(self.position(*rows)["metrics"]["1d"], trade_count=4, buy_count=2, sell_count=2, pnl=5.0,
                    roi=500 / 150, volume=305.0, winrate=50.0, largest_loss=-5.0, profit_factor=2.0,
                    avg_trade_delta=100, avg_holding_duration=100, max_consecutive_losses=1, avg_daily_pnl=5.0)

    def test_the_capital_at_work_is_the_pairs(self):
        # On the second of three days 100 of aaa are open and sold for 120: 20 %. The 900 in bbb are not counted.
        rows = [buy(A - 2 * DAY - 10, 10, 100), buy(A - 2 * DAY - 9, 10, 900, "bbb"), sell(A - DAY - 10, 10, 120)]
        found = self.position(*rows)["metrics"]["3d"]
        # Open were 100 over 10 s of the first day and all but 10 s of the second.
        self.fields(found, avg_daily_roi=20 / 3, turnover=100 / (100 * DAY / (3 * DAY)))

    def test_a_window_is_open_at_its_start_and_closed_at_its_end(self):
        found = self.position(buy(A - DAY, 1, 5), buy(A - DAY + 1, 1, 6), buy(A, 1, 7))["metrics"]
        self.fields(found["1d"], trade_count=2, volume=13.0)
        self.fields(found["3d"], trade_count=3, volume=18.0)

    def test_windows_end_at_the_instant(self):
        rows = [buy(A - 3 * DAY, 1, 5), buy(A - DAY, 1, 6), buy(A, 1, 7)]
        self.fields(self.position(*rows, as_of=A - DAY)["metrics"]["1d"], trade_count=1, volume=6.0)
        self.fields(self.position(*rows, as_of=A + 1)["metrics"]["1d"], trade_count=1, volume=7.0)

    def test_a_sell_in_the_window_knows_the_lots_from_before_it(self):
        # Bought 20 days ago for 100, sold today for 150.
        found = self.position(buy(A - 20 * DAY, 10, 100), sell(A - 50, 10, 150))["metrics"]["1d"]
        self.fields(found, trade_count=1, pnl=50.0, roi=50.0, winrate=100.0, avg_holding_duration=20 * DAY - 50)


class DefaultLabels(PositionCase):
    def test_flip_is_closed_within_five_minutes(self):
        self.assertEqual(self.labels(buy(1000, 1, 10), sell(1300, 1, 10)), ["flip"])
        self.assertEqual(self.labels(buy(1000, 1, 10), sell(1301, 1, 10)), [])
        self.assertEqual(self.labels(buy(1000, 1, 10), sell(1300, 0.5, 5), as_of=1300), [])

    def test_flip_looks_at_the_last_opening(self):
        slow, fast = [buy(1000, 1, 10), sell(9000, 1, 10)], [buy(10000, 1, 10), sell(10001, 1, 10)]
        self.assertEqual(self.labels(*slow, *fast), ["flip"])
        self.assertEqual(self.labels(*fast, buy(20000, 1, 10), sell(29000, 1, 10)), [])
        self.assertEqual(self.labels(*fast, buy(20000, 1, 10), as_of=20001), [])

    def test_diamond_is_open_for_seven_days_and_more(self):
        self.assertEqual(self.labels(buy(A - 7 * DAY, 1, 10)), ["diamond"])
        self.assertEqual(self.labels(buy(A - 7 * DAY + 1, 1, 10)), [])
        self.assertEqual(self.labels(buy(A - 9 * DAY, 1, 10), sell(A - 1, 1, 10)), [])

    def test_diamond_counts_from_the_last_opening_and_not_from_later_buys(self):
        self.assertEqual(self.labels(buy(A - 9 * DAY, 1, 10), buy(A - 10, 1, 10)), ["diamond"])
        self.assertEqual(self.labels(buy(A - 9 * DAY, 1, 10), sell(A - 8 * DAY, 1, 10), buy(A - 10, 1, 10)), [])

    def test_bagholder_is_open_at_a_fifth_of_its_entry_and_less(self):
        def labels(price):
            return self.labels(buy(A - 900, 10, 100), buy(A - 10, 1, price, wallet="v"))
        self.assertEqual(labels(2), ["bagholder"])
        self.assertEqual(labels(2.0001), [])
        self.assertEqual(labels(0.5), ["bagholder"])

    def test_a_bag_needs_a_cost_a_price_and_an_open_position(self):
        self.assertEqual(self.labels(swap(A - 90, "xxx", 1, "aaa", 6), buy(A - 5, 1, 1, wallet="v")), [])
        self.assertEqual(self.labels(buy(A - 90, 10, 0.09)), [])
        self.assertEqual(self.labels(buy(A - 900, 10, 100), sell(A - 90, 10, 10)), [])

    def test_a_position_can_have_several_and_an_unknown_one_has_none(self):
        self.assertEqual(self.labels(buy(A - 8 * DAY, 10, 100), buy(A, 1, 1, wallet="v")), ["diamond", "bagholder"])
        self.assertEqual(self.labels(sell(A - 8 * DAY, 10, 100)), [])


if __name__ == "__main__":
    unittest.main()
