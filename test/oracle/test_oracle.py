"""Cases worked by hand from the metrics specification."""
import csv
import json
import math
import os
import sys
import tempfile
import unittest
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import ledger
import metrics
from cases import A, CONFIG, DAY, Case, buy, ests, run, sell, swap
from exact import Est, ExactSum, sharpe, sortino, stability, volatility
from oracle import answer, compute


class Ingest(Case):
    def test_a_repeated_row_is_ignored_and_a_changed_one_is_a_conflict(self):
        row = buy(10, 1, 5, tx="a")
        out = run(row, dict(row), {**row, "token_amount_in": 6}, {**row, "swap_index": 1, "block_time": 11})
        self.counted(out, added=1, duplicate=1, conflict=2)
        self.assertEqual(out["swaps"][0]["token_amount_in"], 5)

    def test_bad_numbers_are_rejected(self):
        bad = [
            {"token_amount_in": None}, {"token_amount_in": -1}, {"token_amount_out": math.inf},
            {"token_amount_in": "x"}, {"token_price_in": -1}, {"usd_amount_out": math.nan},
            {"token_price_out": 1e300, "token_amount_out": 1e300},
        ]
        out = run(*[{**buy(10, 1, 5), **change} for change in bad])
        self.counted(out, rejected=len(bad))

    def test_order_is_time_then_slot_then_place_then_hash_then_index(self):
        out = run(
            buy(10, 1, 5, tx="b", block_slot=2),
            buy(10, 1, 5, tx="z", block_slot=1, tx_index=1),
            buy(10, 1, 5, tx="c", block_slot=1, tx_index=2, index=10),
            buy(10, 1, 5, tx="c", block_slot=1, tx_index=2, index=9),
            buy(10, 1, 5, tx="y"),
            buy(9, 1, 5, tx="x", block_slot=3),
        )
        self.assertEqual([(s["tx_hash"], s["swap_index"]) for s in out["swaps"]],
                         [("x", 0), ("y", 0), ("z", 0), ("c", 9), ("c", 10), ("b", 0)])

    def test_of_one_place_log_index_then_fraction_then_hash_orders(self):
        out = run(
            buy(10, 1, 5, tx="a", block_slot=1, log_index=8),
            buy(10.5, 1, 5, tx="b", block_slot=1, log_index=7),
            buy(10.25, 1, 5, tx="c", block_slot=1, log_index=7),
            buy(10.75, 1, 5, tx="d", block_slot=1),
            buy(10.875, 1, 5, tx="b", block_slot=1, log_index=5, index=1),
            buy(10, 1, 5, tx="a", block_slot=1, log_index=9),
        )
        self.assertEqual([(s["tx_hash"], s["swap_index"]) for s in out["swaps"]],
                         [("d", 0), ("b", 0), ("b", 1), ("c", 0), ("a", 0)])
        self.counted(out, added=5, duplicate=1)

    def test_a_log_index_without_a_slot_orders_nothing(self):
        out = run(buy(10, 1, 5, tx="b", log_index=1), buy(10, 1, 5, tx="a", log_index=2))
        self.assertEqual([s["tx_hash"] for s in out["swaps"]], ["a", "b"])

    def test_a_swap_of_a_token_for_itself_is_listed_and_moves_nothing(self):
        out = run(swap(10, "usd", 5, "usd", 5), buy(10, 1, 2))
        self.assertEqual(len(out["swaps"]), 2)
        self.assertEqual(out["candles"], {"usd": {}, "aaa": {}})
        self.fields(out["stats"]["usd"], usd_volume_1d=2.0)
        self.assertEqual([t["token"] for t in out["portfolio"]["w"]["tokens"]], ["aaa"])

    def test_nothing_later_than_the_as_of_time_is_seen(self):
        out = run(buy(10, 1, 5), buy(20, 1, 50), as_of=19)
        self.assertEqual((out["as_of"], len(out["swaps"]), out["prices"]["aaa"]["usd_price"]), (19, 1, 5.0))

    def test_a_csv_file_is_read_with_empty_cells_as_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "swaps.csv")
            row = {**buy(10, 2, 5), "usd_amount_in": "", "block_slot": "", "token_symbol_out": "AAA"}
            with open(path, "w", newline="", encoding="utf-8") as f:
                writer = csv.DictWriter(f, row)
                writer.writeheader()
                writer.writerow(row)
            out = answer({"config": CONFIG, "swaps": [path]})
        self.fields(out["swaps"][0], usd_amount_out=5.0, token_price_out=2.5, block_slot=None,
                    token_symbol_in="USD", token_symbol_out="AAA", swap_type="quote_token")


class Valuation(Case):
    def values(self, *rows):
        return [(s["usd_amount_in"], s["usd_amount_out"]) for s in run(*rows)["swaps"]]

    def test_each_rule_in_turn(self):
        table = [
            ("1: a given value", {"usd_amount_in": 7, "token_price_in": 9}, ("aaa", 2, "bbb", 4), (7.0, 7.0)),
            ("2: price x amount", {"token_price_out": 3}, ("aaa", 2, "bbb", 4), (12.0, 12.0)),
            ("of two given values the smaller", {"usd_amount_in": 7, "token_price_out": 3}, ("aaa", 2, "bbb", 4), (7.0, 7.0)),
            ("a given 0 is not given", {"usd_amount_in": 0, "token_price_in": 3}, ("aaa", 2, "bbb", 4), (6.0, 6.0)),
            ("of two stable legs the first configured", {}, ("tether", 4, "usd", 2), (2.0, 2.0)),
            ("a stable leg", {}, ("sol", 2, "usd", 50), (50.0, 50.0)),
            ("a stable leg before a given price", {"token_price_out": 0.5}, ("sol", 2, "usd", 50), (50.0, 50.0)),
            ("a stable leg of either side", {}, ("aaa", 2, "usd", 50), (50.0, 50.0)),
            ("unknown", {}, ("aaa", 2, "bbb", 4), (None, None)),
            ("native without a price yet", {}, ("aaa", 2, "sol", 4), (None, None)),
        ]
        for sentence, given, legs, expected in table:
            with self.subTest(sentence):
                self.assertEqual(self.values(swap(10, *legs, **given)), [expected])

    def test_the_native_price_is_that_of_earlier_transactions(self):
        self.assertEqual(self.values(
            swap(1, "aaa", 5, "sol", 1),
            swap(2, "usd", 100, "sol", 2),
            swap(3, "aaa", 5, "sol", 3),
            swap(4, "sol", 1, "bbb", 1, usd_amount_in=99),
            swap(5, "sol", 2, "ccc", 1),
            swap(6, "usd", 0.05, "sol", 1),
            swap(7, "sol", 2, "ccc", 1),
        ), [(None, None), (100.0, 100.0), (150.0, 150.0), (99.0, 99.0), (100.0, 100.0), (0.05, 0.05), (100.0, 100.0)])

    def test_an_amount_of_0_has_no_price_and_prints_none(self):
        out = run(swap(10, "usd", 5, "aaa", 0))
        self.fields(out["swaps"][0], usd_amount_out=5.0, token_price_out=None)
        self.assertNotIn("aaa", out["prices"])


class Trades(Case):
    def test_a_routing_hop_is_netted_away(self):
        out = run(swap(10, "usd", 100, "aaa", 40, tx="t"), swap(10, "aaa", 40, "bbb", 8, tx="t", index=1))
        self.assertEqual(len(out["trades"]), 1)
        self.fields(out["trades"][0], token="bbb", quote="usd", direction="buy", swap_type="quote_token",
                    token_amount=8.0, quote_amount=100.0, usd_amount=100.0, token_price=12.5, quote_price=1.0,
                    trade_index=1, native_amount=None, position_state="open")

    def test_a_leftover_of_half_a_percent_is_a_hop_and_a_larger_one_a_trade(self):
        # 1000 received and 995 given: 5 <= 0.005 x 1995. 980 given: 20 > 0.005 x 1980.
        def tokens(given):
            out = run(swap(10, "usd", 100, "aaa", 1000, tx="t"), swap(10, "aaa", given, "bbb", 8, tx="t", index=1))
            return [t["token"] for t in out["trades"]]
        self.assertEqual(tokens(995), ["bbb"])
        self.assertEqual(tokens(980), ["aaa", "bbb"])

    def test_two_tokens_of_a_transaction_cost_what_their_own_swaps_gave(self):
        out = run(swap(10, "usd", 100, "aaa", 10, tx="t"), swap(10, "usd", 60, "bbb", 5, tx="t", index=1))
        self.fields(out["trades"][0], token="aaa", usd_amount=100.0, quote_amount=100.0, token_price=10.0)
        self.fields(out["trades"][1], token="bbb", usd_amount=60.0, quote_amount=60.0, token_price=12.0)

    def test_a_route_beside_another_order_costs_what_went_into_it(self):
        out = run(swap(10, "usd", 100, "aaa", 10, tx="t"), swap(10, "usd", 60, "hop", 5, tx="t", index=1),
                  swap(10, "hop", 5, "bbb", 2, tx="t", index=2))
        self.assertEqual([(t["token"], t["usd_amount"], t["quote_amount"]) for t in out["trades"]],
                         [("aaa", 100.0, 100.0), ("bbb", 60.0, 60.0)])

    def test_a_shared_hop_is_parted_by_what_each_took_of_it(self):
        # 60 of 100 hop go on for bbb, 30 for ccc, and 10 come back as 12 USD: 60 and 30, less two parts of three and one of 2.
        out = run(swap(10, "usd", 100, "hop", 100, tx="t"), swap(10, "hop", 60, "bbb", 2, tx="t", index=1),
                  swap(10, "hop", 30, "ccc", 3, tx="t", index=2), swap(10, "hop", 10, "usd", 12, tx="t", index=3))
        first, second = out["trades"]
        self.fields(first, token="bbb", usd_amount=60 - 4 / 3, quote="usd")
        self.fields(second, token="ccc", usd_amount=30 - 2 / 3, quote="usd")

    def test_what_was_kept_of_a_token_that_went_on_bears_its_part(self):
        out = run(swap(10, "usd", 100, "aaa", 200, tx="t"), swap(10, "aaa", 150, "bbb", 10, tx="t", index=1))
        self.fields(out["trades"][0], token="aaa", token_amount=50.0, usd_amount=25.0)
        self.fields(out["trades"][1], token="bbb", usd_amount=75.0, quote="usd", quote_amount=75.0)

    def test_token_for_token_takes_the_smaller_given_value_on_both_sides(self):
        out = run(swap(10, "aaa", 2, "bbb", 4, usd_amount_in=7, usd_amount_out=8))
        self.fields(out["trades"][0], token="aaa", direction="sell", usd_amount=7.0, quote="bbb", quote_price=1.75,
                    swap_type="token_token")
        self.fields(out["trades"][1], token="bbb", direction="buy", usd_amount=7.0, quote="aaa", quote_price=3.5)

    def test_the_quote_is_the_larger_of_two_quote_tokens_and_their_values_add_up(self):
        out = run(swap(1, "usd", 50, "sol", 1, wallet="v"),
                  swap(10, "usd", 40, "aaa", 4, tx="t"), swap(10, "sol", 1, "aaa", 6, tx="t", index=1))
        self.fields(out["trades"][1], token="aaa", token_amount=10.0, usd_amount=90.0, quote="sol", quote_amount=1.0,
                    quote_price=50.0, native_amount=1.8, token_price=9.0)

    def test_native_amount_uses_the_native_price_after_the_wallets_last_swap(self):
        out = run(swap(10, "usd", 40, "aaa", 4, tx="t"), swap(10, "usd", 20, "sol", 1, tx="t", index=1))
        # The SOL leg counts as no trade of its own: a token that is not a quote remains. What it cost is not that token's.
        self.assertEqual(len(out["trades"]), 1)
        self.fields(out["trades"][0], usd_amount=40.0, quote_amount=40.0, native_amount=2.0)

    def test_two_wallets_of_one_transaction_trade_apart(self):
        out = run(swap(10, "usd", 40, "aaa", 4, tx="t"), swap(10, "aaa", 4, "usd", 40, tx="t", index=1, wallet="v"))
        self.assertEqual([(t["wallet"], t["direction"]) for t in out["trades"]], [("w", "buy"), ("v", "sell")])

    def test_a_swap_of_quote_tokens_counts_for_the_token_and_not_for_the_wallet(self):
        out = run(swap(10, "usd", 100, "sol", 2), as_of=10)
        self.fields(out["trades"][0], token="sol", quote="usd", swap_type="quote_quote", open_cost=100.0)
        self.assertEqual(out["tokens"]["sol"]["metrics"]["1d"]["trade_count"], 1)
        self.assertEqual(out["tokens"]["sol"]["last_trade_at"], 10)
        self.assertEqual(out["wallets"]["w"]["metrics"]["1d"]["trade_count"], 0)
        self.assertIsNone(out["wallets"]["w"]["last_trade_at"])
        self.assertEqual(out["wallets"]["w"]["updated_at"], 10)

    def test_market_cap_takes_the_circulating_supply_first(self):
        rows = [buy(10, 2, 5), buy(11, 2, 5, "bbb"), buy(12, 2, 5, "ccc")]
        out = run(*rows, tokens=[{"address": "aaa", "circulating_supply": 100, "total_supply": 900, "symbol": "Q"},
                                 {"address": "bbb", "total_supply": 900}])
        self.assertEqual([t["market_cap"] for t in out["trades"]], [250.0, 2250.0, None])
        self.assertEqual([t["token_symbol"] for t in out["trades"]], ["Q", None, None])

    def test_position_ids_are_base58_with_leading_zero_bytes_kept(self):
        self.assertEqual(ledger.base58(b"\0\0\x01\x00"), "115R")
        self.assertEqual(ledger.base58(b"hello world"), "StV1DL6CwTryKyV")


class Fifo(Case):
    def test_lots_are_used_in_order_and_in_part_and_no_further_than_they_reach(self):
        out = run(buy(0, 10, 100), buy(100, 10, 200), sell(200, 15, 300), sell(300, 10, 300), sell(400, 1, 50))
        first, second, third, fourth, fifth = out["trades"]
        self.fields(first, position_state="open", open_cost=100.0, realized=False, realized_pnl_usd=None)
        self.fields(second, position_state="trade", open_cost=300.0)
        # cost 10 x 10 + 5 x 20; age (10 x 200 + 5 x 100) / 15
        self.fields(third, matched=15.0, cost=200.0, proceeds=300.0, realized_pnl_usd=100.0, realized_roi=50.0,
                    holding=2500 / 15, position_state="trade", open_cost=100.0)
        self.fields(fourth, matched=5.0, cost=100.0, proceeds=150.0, realized_pnl_usd=50.0, holding=200.0,
                    position_state="close", open_cost=0.0)
        self.fields(fifth, matched=0.0, realized=False, realized_pnl_usd=None, position_state="trade")

    def test_lots_of_unknown_cost_are_consumed_without_a_result(self):
        out = run(swap(0, "xxx", 1, "aaa", 10), buy(10, 10, 100), sell(20, 15, 300))
        self.fields(out["trades"][-1], matched=5.0, cost=50.0, proceeds=100.0, realized_pnl_usd=50.0, holding=10.0)

    def test_a_sell_of_unknown_value_consumes_lots_and_has_no_result(self):
        out = run(buy(0, 10, 100), swap(10, "aaa", 10, "xxx", 1))
        self.fields(out["trades"][1], usd_amount=None, realized=False, cost=None, position_state="close", open_cost=0.0)

    def test_a_result_within_rounding_is_0(self):
        out = run(buy(0, 3, 100), sell(10, 3, 100 * (1 + 5e-10)))
        self.fields(out["trades"][1], realized=True, realized_pnl_usd=0.0, realized_roi=0.0)

    def test_dust_on_both_sides_is_no_realised_sell(self):
        out = run(buy(0, 1, 0.05), sell(10, 1, 0.09), buy(20, 1, 0.05), sell(30, 1, 0.1))
        self.assertEqual([t["realized"] for t in out["trades"]], [False, False, False, True])

    def test_a_reported_balance_of_nothing_closes_and_discards_the_rest(self):
        out = run(buy(0, 10, 100), sell(10, 4, 80, post_token_balance_in=0), buy(20, 1, 7), sell(30, 1, 9))
        self.assertEqual([t["position_state"] for t in out["trades"]], ["open", "close", "open", "close"])
        self.fields(out["trades"][1], cost=40.0, open_cost=0.0)
        self.fields(out["trades"][3], cost=7.0, realized_pnl_usd=2.0)

    def test_a_rest_of_a_billionth_of_what_was_bought_closes(self):
        def state(left):
            return run(buy(0, 1000, 100), sell(10, 1000 - left, 100))["trades"][1]["position_state"]
        self.assertEqual((state(0.9e-6), state(1.1e-6)), ("close", "trade"))

    def test_an_exact_sum_returns_to_0(self):
        s = ExactSum()
        for x in (0.1, 1e16, 0.2, -1e16, -0.1, -0.2):
            s.add(x)
        self.assertEqual(s.value(), 0.0)


class WalletWindows(Case):
    def rounds(self, gains, cost=100, held=3600):
        """A buy of `cost` and a sell at `cost + gain`, once a day, the oldest first, ending at A."""
        rows = []
        for k, gain in enumerate(gains):
            if gain is not None:
                start = A - (len(gains) - k) * DAY + 1000
                rows += [buy(start, 10, cost), sell(start + held, 10, cost + gain)]
        return rows

    def wallet(self, rows, window="7d"):
        return compute(CONFIG, rows, as_of=A)["wallets"]["w"]["metrics"][window]

    def test_a_window_is_open_at_its_start_and_closed_at_its_end(self):
        out = run(buy(A - DAY, 1, 5), buy(A - DAY + 1, 1, 6), buy(A, 1, 7), as_of=A)
        self.fields(out["wallets"]["w"]["metrics"]["1d"], trade_count=2, volume=13.0, avg_trade_delta=DAY - 1)
        self.fields(out["stats"]["aaa"], usd_volume_1d=13.0, usd_price_change_1d=40.0, usd_volume_change_1d=160.0)

    def test_a_week_of_three_round_trips(self):
        m = self.wallet(self.rounds([10, -20, 30, None, None, None, None]))
        # roi_j and pnl_j are both 10, -20, 30, 0, 0, 0, 0.
        average = 20 / 7
        deviation = math.sqrt((100 + 400 + 900 - 7 * average ** 2) / 6)
        self.fields(
            m, pnl=20.0, win_pnl=40.0, loss_pnl=-20.0, win_count=2, loss_count=1, position_count=1, volume=620.0,
            largest_win=30.0, largest_loss=-20.0, max_consecutive_wins=1, max_consecutive_losses=1,
            avg_roi=20 / 3, avg_token_roi=20 / 3, roi=20 / 3, avg_daily_pnl=average, avg_daily_roi=average,
            avg_daily_traded_tokens=3 / 7, avg_holding_duration=3600, avg_trade_delta=round((2 * DAY + 3600) / 5),
            winrate=200 / 3, volume_weighted_winrate=200 / 3, profit_factor=2.0, win_loss_size_ratio=1.0,
            profit_expectancy=20 / 3, pnl_volume_ratio=20 / 620,
            volume_weighted_roi=(10 * 210 - 20 * 180 + 30 * 230) / 620, token_hit_ratio=1.0,
            roi_volatility=deviation, pnl_volatility=deviation, roi_stability=average / (average + deviation),
            winrate_volatility=100 / math.sqrt(3), winrate_stability=(200 / 3) / (200 / 3 + 100 / math.sqrt(3)),
            sharpe_ratio=average / deviation * math.sqrt(365),
            sortino_ratio=average / math.sqrt(400 / 7) * math.sqrt(365),
            max_drawdown=20.0, time_weighted_roi=(1.1 * 0.8 * 1.3 - 1) * 100, recovery_factor=1.0, risk_of_ruin=None,
            turnover=300 / (300 * 3600 / (7 * DAY)),
            token_roi_distribution={"gt_500": 0, "200_500": 0, "0_200": 1, "neg50_0": 0, "lt_neg50_0": 0},
        )
        # Parts: drawdown 0.2 (0.35), ruin null, 1 - stability (0.2), 1 - 2/3 (0.2).
        self.near(m["risk_score"], 100 * (0.07 + 0.2 * (1 - m["roi_stability"]) + 0.2 / 3) / 0.75)
        self.near(m["consistency_score"],
                  100 * (0.4 * 2 / 3 + 0.3 * m["pnl_stability"] + 0.3 * m["winrate_stability"]))

    def test_two_periods_with_a_result_are_no_series(self):
        m = self.wallet(self.rounds([10, -20, None, None, None, None, None]))
        self.fields(m, roi_volatility=None, pnl_stability=None, winrate_volatility=None, sharpe_ratio=None,
                    sortino_ratio=None, consistency_score=None, max_drawdown=20.0)

    def test_a_deviation_of_0_leaves_no_sharpe_ratio_and_no_loss_no_sortino_ratio(self):
        m = self.wallet(self.rounds([10] * 7))
        self.fields(m, roi_volatility=0.0, roi_stability=1.0, sharpe_ratio=None, sortino_ratio=None,
                    recovery_factor=None, profit_factor=None, win_loss_size_ratio=None, risk_of_ruin=0.0,
                    max_drawdown=0.0)

    def test_an_idle_wallet_has_counts_of_0_and_no_averages(self):
        m = self.wallet([buy(A - 8 * DAY, 1, 5)])
        self.fields(m, trade_count=0, pnl=0.0, volume=0.0, largest_win=0.0, avg_pnl=None, avg_buy_size=None, roi=None,
                    winrate=None, turnover=0.0, max_drawdown=0.0, time_weighted_roi=0.0, risk_score=None,
                    avg_daily_roi=0.0, avg_trade_delta=None)

    def test_the_capital_at_work_is_what_was_open_and_what_was_bought(self):
        # Yesterday 100 stays open; today 300 is bought, and the first lot sold at 140.
        m = self.wallet([buy(A - DAY - 10, 10, 100), buy(A - 20, 10, 300), sell(A - 10, 10, 140)], "3d")
        self.near(m["avg_daily_roi"], 10.0 / 3)

    def test_a_day_counts_once_for_the_short_windows_mean(self):
        rows = [buy(A - 50000, 10, 100), sell(A - 40000, 10, 110), buy(A - 30000, 10, 300), sell(A - 20000, 10, 290)]
        m = self.wallet(rows, "1d")
        # C is 0 at the day's start, and 400 were bought: 0 / 400.
        self.fields(m, avg_daily_roi=0.0, avg_daily_traded_tokens=1.0)
        # Hours hold the sells alone: their base is what was open when the hour began.
        self.near(m["time_weighted_roi"], (1.1 * (1 - 10 / 300) - 1) * 100)

    def test_recovery_is_measured_against_the_deepest_fall_of_the_running_profit(self):
        m = self.wallet(self.rounds([-10, 50, -30, -15, 40, None, None]))
        # 0, -10, 40, 10, -5, 35: the deepest fall is 40 to -5.
        self.near(m["recovery_factor"], 35 / 45)

    def test_ruin_of_equal_wins_and_losses_is_the_gamblers_formula(self):
        # b = 1 gives exp(z) = p / (1 - p) = 1.5; mean cost 100 over a mean loss of 10 gives 10 units.
        m = self.wallet(self.rounds([10, -10, 10, -10, 10, None, None]))
        self.near(m["risk_of_ruin"], 100 * (2 / 3) ** 10)

    def test_ruin_is_certain_without_an_edge_and_nil_without_a_loss(self):
        self.near(self.wallet(self.rounds([10, -10, 10, -20, 5]))["risk_of_ruin"], 100.0)
        self.near(self.wallet(self.rounds([1, 2, 3, 4, 5]))["risk_of_ruin"], 0.0)
        self.assertIsNone(self.wallet(self.rounds([1, 2, 3, 4]))["risk_of_ruin"])

    def test_the_ruin_root_solves_its_equation_even_when_it_is_tiny(self):
        # b = 2: with y = exp(-z), p y^2 - 1 + q / y = 0 divides by (1 - y): p y^2 + p y - q = 0.
        p = Decimal("0.5")
        self.near(float(metrics.ruin_root(p, 2.0)), -math.log((math.sqrt(5) - 1) / 2))
        # b = 1: z = ln(p / q), here about 4e-9.
        p = Decimal("0.500000001")
        self.near(float(metrics.ruin_root(p, 1.0)) / float((p / (1 - p)).ln()), 1.0)
        self.assertIsNone(metrics.ruin_root(Decimal("0.5"), 1.0))

    def test_roi_classes_have_the_edges_of_the_table(self):
        edges = [500.1, 500, 200.1, 200, 0, -0.1, -50, -50.1]
        self.assertEqual(list(metrics.roi_distribution(edges).values()), [1, 2, 2, 2, 1])

    def test_a_ratio_at_an_edge_may_be_in_either_class(self):
        found = metrics.Distribution([metrics.exactly(v) for v in (200.0, 200.5, 0.0)])
        self.assertEqual(list(found.values()), [0, 1, 2, 0, 0])
        self.assertEqual(list(found.doubtful.values()), [0, 1, 1, 0, 0])


class TokenWindows(Case):
    def token(self, rows, window="1d", as_of=A):
        return compute(CONFIG, rows, as_of=as_of)["tokens"]["aaa"]["metrics"][window]

    def test_prices_volumes_and_people(self):
        m = self.token([buy(A - 300, 10, 100), buy(A - 200, 10, 200, wallet="v"), sell(A - 100, 5, 75),
                        sell(A - 50, 5, 75, wallet="v")], "1h")
        self.fields(m, trade_count=4, makers_count=2, buyers_count=2, sellers_count=2, volume=450.0,
                    avg_price=450 / 30, avg_buy_price=15.0, avg_sell_price=15.0, pnl=0.0, win_pnl=25.0, loss_pnl=-25.0,
                    largest_trade_win=25.0, largest_trade_loss=-25.0, avg_wallet_winrate=50.0, avg_wallet_roi=12.5,
                    wallet_hit_ratio=0.5, win_position_count=1, loss_position_count=1, avg_trade_roi=12.5)

    def test_price_returns_start_from_the_price_before_the_window(self):
        hour = 3600
        rows = [buy(A - 2 * DAY, 1, 100)]
        rows += [buy(A - 4 * hour, 1, 110), buy(A - 3 * hour, 1, 99), buy(A - 2 * hour, 1, 99), buy(A, 1, 198)]
        m = self.token(rows)
        # Returns 0.1, -0.1, 1 and 21 times 0.
        average = 1 / 24
        deviation = math.sqrt((0.01 + 0.01 + 1 - 24 * average ** 2) / 23)
        self.fields(m, price_volatility=deviation * 100, sharpe_ratio=average / deviation * math.sqrt(24),
                    sortino_ratio=average / math.sqrt(0.01 / 24) * math.sqrt(24), max_drawdown=10.0)

    def test_periods_before_the_first_print_are_left_out(self):
        rows = [buy(A - 7200, 1, 100), buy(A - 3600, 1, 150), buy(A, 1, 75)]
        m = self.token(rows)
        # Prices 100, 150, 75; returns 0.5, -0.5.
        self.fields(m, price_volatility=math.sqrt(0.5) * 100, max_drawdown=50.0,
                    price_stability=(325 / 3) / (325 / 3 + math.sqrt((100**2 + 150**2 + 75**2 - 325**2 / 3) / 2)))
        self.assertIsNone(self.token(rows[:2])["price_volatility"])

    def test_drawdown_sees_every_print_and_the_price_before(self):
        rows = [buy(A - 100, 1, 100), buy(A - 50, 1, 60), buy(A - 49, 1, 90), buy(A - 48, 1, 45)]
        self.fields(self.token(rows, "1m"), max_drawdown=55.0)
        self.assertIsNone(self.token([buy(A - 5, 1, 0.01)], "1m")["max_drawdown"])


class Market(Case):
    def test_candles_are_bucketed_on_their_interval_and_volume_holds_dust(self):
        rows = [buy(59, 1, 10), buy(60, 1, 30), buy(61, 1, 20), buy(119, 1, 25), buy(120, 1, 0.05), buy(180, 1, 7),
                buy(181, 1, 0.02), swap(182, "aaa", 1, "xxx", 1)]
        out = run(*rows, candle_intervals=[60])
        self.assertEqual(out["candles"]["aaa"]["60"], [
            [0, 10.0, 10.0, 10.0, 10.0, 10.0, 1, 0], [60, 30.0, 30.0, 20.0, 25.0, 75.0, 3, 0],
            [180, 7.0, 7.0, 7.0, 7.0, 7.02, 3, 0],
        ])
        self.assertEqual(out["candles"]["xxx"]["60"], [])

    def test_history_steps_from_its_start_and_stops_at_the_as_of_time(self):
        out = run(buy(100, 1, 10), buy(150, 1, 20), buy(151, 1, 30),
                  history=[{"from": 50, "to": 400, "interval": 50}])
        self.assertEqual(out["history"][0]["aaa"], [
            {"timestamp": 100, "usd_price": 10.0, "usd_volume": 10.0, "suspect_count": 0},
            {"timestamp": 150, "usd_price": 20.0, "usd_volume": 20.0, "suspect_count": 0},
        ])

    def test_stats_are_null_without_an_earlier_price_or_volume(self):
        stats = run(buy(100, 1, 10))["stats"]["aaa"]
        self.fields(stats, usd_price=10.0, usd_price_change_1d=None, usd_volume_1d=10.0, usd_volume_change_1d=None)

    def test_a_reported_balance_sets_it_and_other_legs_add_and_take(self):
        out = run(buy(1, 10, 100), sell(2, 4, 40), buy(3, 1, 10, "bbb", post_token_balance_in=500),
                  sell(4, 99, 990, "ccc"), buy(5, 3, 30, "ccc"))
        held = {t["token"]: t["balance"] for t in out["portfolio"]["w"]["tokens"]}
        # The reported 500, less nothing, plus 990, less 30.
        self.assertEqual(held, {"aaa": 6.0, "bbb": 1.0, "ccc": 3.0, "usd": 1460.0})

    def test_a_rest_of_rounding_is_no_balance(self):
        out = run(buy(1, 0.1, 1), buy(2, 0.2, 2), sell(3, 0.3, 3))
        self.assertEqual([t["token"] for t in out["portfolio"]["w"]["tokens"]], ["usd"])
        out = run(buy(1, 1000, 1), sell(2, 1, 3, post_token_balance_in=1e-7))
        self.assertEqual([t["balance"] for t in out["portfolio"]["w"]["tokens"]], [3.0, 1e-7])

    def test_a_portfolio_values_what_is_held_and_lists_unknown_prices_last(self):
        out = run(buy(1, 10, 100, token_symbol_out="AAA"), sell(2, 5, 75), swap(3, "aaa", 1, "xxx", 7))
        held = out["portfolio"]["w"]
        self.assertEqual([t["token"] for t in held["tokens"]], ["usd", "aaa", "xxx"])
        self.fields(held, value=75 + 4 * 15.0)
        self.fields(held["tokens"][1], symbol="AAA", balance=4.0, price=15.0, value=60.0, cost_basis=40.0,
                    unrealized_pnl=20.0)
        self.fields(held["tokens"][2], price=None, value=None, cost_basis=None, unrealized_pnl=None)

    def test_holders_and_shares_come_from_balances_and_supplies_from_the_registry(self):
        rows = [buy(1, 10, 100, wallet=f"w{k:02d}") for k in range(12)] + [buy(2, 30, 300, wallet="dev")]
        facts = {"address": "aaa", "total_supply": 1000, "creator_address": "dev", "liquidity": 5}
        found = run(*rows, tokens=[facts])["tokens"]["aaa"]["market"]
        self.fields(found, price=10.0, fdv=10000.0, market_cap=10000.0, holders=13, top_holdings=12.0,
                    dev_holdings=3.0, liquidity=5.0, circulating_supply=None)
        self.assertEqual(run(*rows, tokens=[{**facts, "holders": 99}])["tokens"]["aaa"]["market"]["holders"], 99)

    def test_the_registry_alone_makes_a_profile(self):
        out = run(tokens=[{"address": "zzz", "symbol": "Z"}], wallets=[{"address": "v"}], as_of=A)
        self.fields(out["tokens"]["zzz"], symbol="Z", updated_at=None, last_trade_at=None)
        self.assertEqual(out["portfolio"]["v"], {"value": 0.0, "tokens": []})
        json.dumps(out, allow_nan=False)


class SeriesStatistics(Case):
    def test_small_series(self):
        self.near(volatility(ests([1, 2, 3])).value, 1.0)
        self.near(stability(ests([1, 2, 3])).value, 2 / 3)
        self.near(sharpe(ests([1, 2, 3]), 5).value, 10.0)
        self.near(sortino(ests([-3, 1, 5]), 2).value, 2 / math.sqrt(3))
        self.assertEqual(volatility(ests([0.1] * 3 + [0.1 * (1 + 1e-14)])).value, 0.0)
        self.assertIsNone(stability(ests([0, 0, 0])))
        self.near(metrics.wallet_drawdown(ests([50, -20, -50, 300])).value, 60.0)

    def test_published_expectations(self):
        """Series and figures of empyrical's own tests (Apache-2.0, 8 decimals):
        https://github.com/quantopian/empyrical/blob/40f61b4f229df10898d46d08f7b1bdc543c0f99c/empyrical/tests/test_stats.py
        """
        def percents(*values):
            return [Est(v / 100, abs(v / 100)) for v in values]

        mixed = percents(1, 10, -4, 2, 3, 2, 1, -10)
        longer = percents(0, 1, 10, -4, 2, 3, 2, 1, -10)
        positive = percents(1, 2, 1, 1, 1, 1, 1, 1, 1)
        negative = percents(0, -6, -7, -1, -9, -2, -6, -8, -5)
        benchmark = percents(0, 1, 0, 1, 0, 1, 0, 1, 0)
        day, week, month = math.sqrt(252), math.sqrt(52), math.sqrt(12)
        drawdown = lambda series: -metrics.wallet_drawdown([Est(e.value * 100, e.scale * 100) for e in series]).value / 100
        for got, published in [
            (volatility(mixed).value * day, 0.9136465399704637),
            (volatility(longer).value * week, 0.38851569394870583),
            (volatility(longer).value * month, 0.18663690238892558),
            (sharpe(mixed, day).value, 1.7238613961706866),
            (sharpe(positive, day).value, 52.915026221291804),
            (sharpe(negative, day).value, -24.406808633910085),
            (sortino(mixed, day).value, 2.605531251673693),
            (sortino(negative, day).value, -13.5327430750434),
            (sortino(longer, week).value, 1.115890105686644),
            (sortino(longer, month).value, 0.5360562674188976),
            (drawdown(percents(1)), 0),
            (drawdown(benchmark), 0),
            (drawdown(mixed), -0.1),
            (drawdown(positive), 0),
        ]:
            self.assertAlmostEqual(got, published, places=8)
        # Infinite in the source: nothing to divide by.
        self.assertIsNone(sharpe(percents(1, 1, 1, 1, 1, 1, 1, 1, 1), 1))
        self.assertIsNone(sortino(positive, 1))
        self.assertIsNone(sortino(benchmark, 1))


if __name__ == "__main__":
    unittest.main()
