"""The record of wallets, worked by hand from its text: what all trades add up to, what is held, what was sent away."""
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import record
from cases import A, DAY, Case, buy, configured, run, sell, swap


def moved(time, amount, token="aaa", cost=None):
    """A transfer into the wallet, or out of it where the amount is below 0."""
    sides = {"from": "far", "to": "w"} if amount > 0 else {"from": "w", "to": "far"}
    return {"tx_hash": f"m{time}{token}{amount}", "transfer_index": 0, "block_time": time, "token": token,
            "token_amount": abs(amount), "cost_usd": cost, **sides}


def mark(time, price, token="aaa"):
    """A stranger sells 1000 tokens that nothing is known of."""
    return sell(time, 1000, 1000 * price, token, wallet="m")


class RecordCase(Case):
    def wallet(self, *rows, as_of=A, wallet="w", **more):
        swaps = [r for r in rows if "swap_index" in r]
        transfers = [r for r in rows if "transfer_index" in r]
        return run(*swaps, as_of=as_of, transfers=transfers, **more)["wallets"][wallet]

    def lifetime(self, *rows, **more):
        return self.wallet(*rows, **more)["lifetime"]

    def holding(self, *rows, **more):
        return self.wallet(*rows, **more)["holding"]


class TheWorkedExample(RecordCase):
    rows = [
        buy(0, 100, 100, "X"), sell(10, 50, 100, "X"), sell(20, 50, 60, "X"),
        buy(30, 100, 100, "Y"), moved(50, -100, "Y"),
        buy(40, 100, 100, "Z"), moved(60, 60, "Z"),
        moved(70, 10, "V"), sell(DAY, 10, 40, "V"),
        mark(DAY + 10, 0.05, "Y"), mark(DAY + 20, 0.15, "Z"),
    ]

    def test_the_trades_add_up(self):
        self.fields(
            self.lifetime(*self.rows, as_of=DAY + 20), since=0, first_trade_at=0, trade_count=6, volume=500.0, token_count=4,
            realized_pnl=60.0, realized_cost=100.0, realized_roi=60.0, realized_pnl_native=0.0,
            win_count=2, loss_count=0, winrate=100.0, days_active=2,
            unmatched_proceeds=40.0, unmatched_share=20.0, away_cost=100.0, away_share=100 / 3,
            best_token_share=100.0, thin_share=100.0, suspect_share=0.0,
        )

    def test_what_is_held_and_what_was_sent_away(self):
        # Of usd nothing is known before; 100 + 60 come, 200 go, 40 come.
        self.fields(
            self.holding(*self.rows, as_of=DAY + 20), value=24.0, quote_value=40.0, cost_basis=100.0, unrealized_pnl=-85.0,
            total_pnl=-25.0, open_count=1, unknown_count=0, largest_share=100.0, stale_share=0.0,
            sunk_count=1, sunk_loss=-85.0, token_win_count=1, token_loss_count=2, token_winrate=100 / 3,
            away_pnl=-95.0, floor_pnl=-120.0,
        )


class Lifetime(RecordCase):
    def test_a_wallet_without_a_trade_has_sums_of_0_and_no_shares(self):
        found = self.wallet(wallets=[{"address": "w"}])
        zeros = dict.fromkeys(("volume", "realized_pnl", "realized_cost", "realized_pnl_native", "unmatched_proceeds", "away_cost"), 0.0)
        none = dict.fromkeys(("since", "first_trade_at", "realized_roi", "winrate", "unmatched_share", "away_share",
                              "best_token_share", "thin_share", "suspect_share"))
        counts = dict.fromkeys(("trade_count", "token_count", "position_count", "win_count", "loss_count",
                               "days_active"), 0)
        self.assertEqual(found["lifetime"], {**zeros, **none, **counts})
        none = dict.fromkeys(("largest_share", "stale_share", "token_winrate"))
        self.assertEqual({name: value for name, value in found["holding"].items() if value != 0}, none)

    def test_trades_older_than_every_window_count(self):
        rows = [buy(1, 10, 100), sell(2, 10, 150), buy(A - 1, 1, 10)]
        self.fields(self.lifetime(*rows), since=1, trade_count=3, realized_pnl=50.0, days_active=2)

    def test_days_are_those_of_the_calendar(self):
        # A second before midnight and at midnight are two days, the whole of the second day is one.
        rows = [buy(DAY - 1, 1, 5), buy(DAY, 1, 5), buy(2 * DAY - 1, 1, 5)]
        self.fields(self.lifetime(*rows), days_active=2)

    def test_a_trade_of_unknown_value_counts_and_adds_nothing_to_the_volume(self):
        rows = [buy(1, 10, 100), swap(2, "aaa", 5, "bbb", 5)]
        self.fields(self.lifetime(*rows), trade_count=3, volume=100.0, realized_pnl=0.0, realized_cost=0.0, realized_roi=None,
                    unmatched_share=None, token_count=2)

    def test_a_small_sell_is_in_the_result_and_its_cost_but_neither_won_nor_lost(self):
        # 1 of 10 tokens that cost 0.5: cost 0.05, proceeds 0.08. The rest is a win: 0.45 for 0.65.
        rows = [buy(1, 10, 0.5), sell(2, 1, 0.08), sell(3, 9, 0.65)]
        self.fields(self.lifetime(*rows), win_count=1, loss_count=0, realized_pnl=0.23, realized_cost=0.5, realized_roi=46.0)

    def test_of_a_sell_beyond_the_lots_the_part_without_a_cost_is_unmatched(self):
        # 40 sold for 600, of which 10 were bought for 100: 150 against 100, and 450 of nobody. Another sell is matched whole.
        rows = [buy(1, 10, 100), sell(2, 40, 600), buy(3, 10, 100, "bbb"), sell(4, 10, 300, "bbb")]
        self.fields(self.lifetime(*rows), realized_pnl=250.0, unmatched_proceeds=450.0, unmatched_share=50.0)

    def test_a_sell_of_lots_of_unknown_cost_is_unmatched(self):
        # bbb is bought with aaa, at no known value.
        rows = [moved(1, 10), swap(2, "aaa", 10, "bbb", 10), sell(3, 10, 30, "bbb")]
        self.fields(self.lifetime(*rows), unmatched_proceeds=30.0, unmatched_share=100.0)

    def test_results_in_the_native_token_need_no_value_in_usd(self):
        rows = [swap(1, "sol", 1, "aaa", 10), swap(2, "aaa", 10, "sol", 3)]
        self.fields(self.lifetime(*rows), realized_pnl_native=2.0, realized_pnl=0.0, volume=0.0, winrate=None)

    def test_trades_between_quote_tokens_are_none_of_the_wallet(self):
        rows = [swap(1, "usd", 100, "sol", 2), swap(2, "sol", 1, "usd", 90), buy(3, 1, 10)]
        self.fields(self.lifetime(*rows), first_trade_at=3, trade_count=1, token_count=1, volume=10.0, realized_pnl=0.0)

    def test_what_left_is_away_until_it_comes_back(self):
        rows = [buy(1, 10, 100), moved(2, -4)]
        self.fields(self.lifetime(*rows), away_cost=40.0, away_share=40.0)
        self.fields(self.lifetime(*rows, moved(3, 1)), away_cost=30.0, away_share=30.0)
        # What left before the last trade is away still.
        self.fields(self.lifetime(*rows, buy(3, 10, 100)), away_cost=40.0, away_share=20.0)

    def test_quote_tokens_that_were_sent_away_cost_nothing(self):
        rows = [swap(1, "usd", 100, "sol", 2), moved(2, -2, "sol"), buy(3, 1, 10)]
        self.fields(self.lifetime(*rows), away_cost=0.0, away_share=0.0)

    def test_the_best_token_is_compared_with_gains_by_token_not_with_wins(self):
        # aaa 40 - 10, bbb 10, ccc -5: 30 of 40.
        rows = [buy(1, 10, 100), sell(2, 5, 90), sell(3, 5, 40), buy(4, 1, 10, "bbb"), sell(5, 1, 20, "bbb"),
                buy(6, 1, 10, "ccc"), sell(7, 1, 5, "ccc")]
        self.fields(self.lifetime(*rows), best_token_share=75.0)

    def test_without_a_gain_no_token_is_the_best(self):
        self.fields(self.lifetime(buy(1, 10, 100), sell(2, 10, 90)), best_token_share=None, thin_share=None)


class Thin(RecordCase):
    """w makes 30 with aaa and 10 with bbb."""
    own = [buy(1, 10, 100), sell(2, 10, 130), buy(3, 10, 100, "bbb"), sell(4, 10, 110, "bbb")]

    def share(self, *rows):
        return self.lifetime(*self.own, *rows)["thin_share"]

    def crowd(self, count, usd=10, token="aaa", first=0):
        return [buy(100 + n, usd / 10, usd, token, wallet=f"v{n}") for n in range(first, first + count)]

    def test_twenty_other_wallets_make_a_token_that_is_not_thin(self):
        self.near(self.share(*self.crowd(20)), 25.0)

    def test_nineteen_others_and_the_wallet_itself_do_not(self):
        self.near(self.share(*self.crowd(19)), 100.0)

    def test_a_wallet_counts_that_bought_for_10_usd_in_all(self):
        last = {"wallet": "v19"}
        self.near(self.share(*self.crowd(19), buy(200, 1, 9.75, **last)), 100.0)
        self.near(self.share(*self.crowd(19), buy(200, 1, 9.75, **last), buy(201, 1, 0.25, **last)), 25.0)

    def test_selling_and_buying_later_than_the_instant_make_no_buyer(self):
        self.near(self.share(*self.crowd(19), sell(200, 10, 100, wallet="v19")), 100.0)
        self.near(self.share(*self.crowd(19), buy(A + 1, 1, 10, wallet="v19")), 100.0)

    def test_others_who_bought_another_token_do_not_count(self):
        self.near(self.share(*self.crowd(20, token="bbb")), 75.0)


class Suspect(RecordCase):
    def others(self):
        return [buy(n, 100, 100, wallet=f"v{n}") for n in range(1, 11)]

    def test_the_volume_at_suspect_prints_is_a_part_of_all(self):
        # Ten buys at 1, then 100 at 1 and 25 tokens for 25,000: a price of 1,000.
        rows = [*self.others(), buy(20, 100, 100), sell(30, 25, 25_000)]
        self.fields(self.lifetime(*rows), volume=25_100.0, suspect_share=25_000 / 25_100 * 100)

    def test_a_suspect_print_of_another_wallet_in_the_transaction_does_not_count(self):
        rows = [*self.others(), buy(20, 100, 100, tx="both"), sell(20, 1, 1000, tx="both", index=1, wallet="v1"),
                buy(30, 300, 300)]
        self.fields(self.lifetime(*rows), suspect_share=0.0)

    def test_a_suspect_print_of_another_swap_of_the_trade_counts(self):
        # 100 bought for 100 and 1 for 1000 are one buy of 101 for 1,100; beside it 300.
        rows = [*self.others(), buy(20, 100, 100, tx="one"), buy(20, 1, 1000, tx="one", index=1), buy(30, 300, 300)]
        self.fields(self.lifetime(*rows), volume=1400.0, suspect_share=1100 / 1400 * 100)

    def test_a_suspect_print_of_another_token_in_the_transaction_does_not(self):
        rows = [*self.others(), buy(20, 100, 100, "bbb", tx="both"), sell(20, 1, 1000, tx="both", index=1, wallet="v1")]
        self.fields(self.lifetime(*rows), suspect_share=0.0)

    def test_a_trade_of_unknown_value_has_no_part(self):
        self.fields(self.lifetime(moved(1, 10), swap(2, "aaa", 10, "bbb", 10)), suspect_share=None)

    def test_trades_before_the_horizon_are_not_asked(self):
        rows = [*self.others(), buy(20, 100, 100), sell(30, 25, 25_000), buy(40, 100, 100)]
        self.fields(self.lifetime(*rows, horizon=31), suspect_share=0.0, trade_count=3, volume=25_200.0)

    def test_over_5000_trades_nobody_asks(self):
        self.assertEqual(record.MOST_TRADES, 5000)
        rows = [buy(n, 1, 1) for n in range(6)]
        with mock.patch("record.MOST_TRADES", 5):
            self.fields(self.lifetime(*rows[1:]), suspect_share=0.0)
            self.fields(self.lifetime(*rows), suspect_share=None, trade_count=6)
            self.fields(self.lifetime(*rows, horizon=3), suspect_share=None, trade_count=6)


class Held(RecordCase):
    def test_what_arrived_has_a_value_and_no_result(self):
        rows = [buy(A - 10, 10, 10), moved(A - 9, 5), moved(A - 8, 100, "bbb"), mark(A - 1, 0.5, "bbb"), mark(A, 2)]
        self.fields(self.holding(*rows), value=80.0, largest_share=62.5, cost_basis=10.0, unrealized_pnl=10.0, total_pnl=10.0,
                    open_count=1, unknown_count=0, floor_pnl=0.0)

    def test_quote_tokens_stay_out_of_all_but_their_own_value(self):
        # Of 2 sol for 100, one is left: a reference price says 40.
        rows = [swap(A - 9, "usd", 100, "sol", 2), moved(A - 8, -1, "sol"), buy(A - 7, 10, 10)]
        found = self.holding(*rows, prices=[{"token": "sol", "time": A - 1, "usd_price": 40}])
        self.fields(found, quote_value=40.0, value=10.0, cost_basis=10.0, unrealized_pnl=0.0, open_count=1, away_pnl=0.0,
                    floor_pnl=0.0, token_loss_count=0)

    def test_lots_without_a_mark_add_nothing_and_are_unknown(self):
        # Dust prints nothing: 10 cost 0.05, and no print says what they are worth.
        rows = [buy(A - 9, 10, 0.05), buy(A - 8, 10, 10, "bbb")]
        self.fields(self.holding(*rows), value=10.0, cost_basis=10.05, unrealized_pnl=0.0, open_count=2, unknown_count=1,
                    sunk_count=0, token_win_count=0, token_loss_count=0, token_winrate=None, floor_pnl=0.0)

    def test_lots_without_a_mark_that_are_away_add_nothing(self):
        self.fields(self.holding(buy(A - 9, 10, 0.05), moved(A - 8, -10)), away_pnl=0.0, floor_pnl=0.0, open_count=0)
        self.fields(self.lifetime(buy(A - 9, 10, 0.05), moved(A - 8, -10)), away_cost=0.05)

    def test_lots_of_unknown_cost_are_unknown_beside_others(self):
        rows = [moved(A - 9, 10, "bbb"), swap(A - 8, "bbb", 10, "aaa", 10), buy(A - 7, 10, 20)]
        self.fields(self.holding(*rows), value=40.0, cost_basis=20.0, unrealized_pnl=0.0, open_count=1, unknown_count=1)

    def test_a_mark_is_stale_after_7_days(self):
        rows = [buy(A - 7 * DAY - 1, 10, 30), buy(A - 7 * DAY, 10, 70, "bbb")]
        self.fields(self.holding(*rows), value=100.0, stale_share=30.0, largest_share=70.0)

    def test_a_gain_on_paper_makes_the_total_and_not_the_floor(self):
        rows = [buy(A - 9, 10, 100), buy(A - 8, 10, 100, "bbb"), mark(A - 1, 30), mark(A, 4, "bbb")]
        self.fields(self.holding(*rows), unrealized_pnl=140.0, total_pnl=140.0, floor_pnl=-60.0, token_win_count=1,
                    token_loss_count=1, token_winrate=50.0)

    def test_losses_are_by_token_not_by_lot(self):
        # Lots of 10 for 100 and 10 for 300, at 25: 150 and -50.
        rows = [buy(A - 9, 10, 100), buy(A - 8, 10, 300), mark(A, 25)]
        self.fields(self.holding(*rows), unrealized_pnl=100.0, floor_pnl=0.0)


class Sunk(RecordCase):
    def sunk(self, *rows, **more):
        found = self.holding(*rows, **more)
        return found["sunk_count"], found["sunk_loss"]

    def test_a_fifth_of_the_cost_is_not_sunk_and_less_is(self):
        self.assertEqual(self.sunk(buy(A - 9, 100, 500), mark(A, 1)), (0, 0.0))
        self.assertEqual(self.sunk(buy(A - 9, 100, 500), mark(A, 0.5)), (1, -450.0))

    def test_what_arrived_lifts_no_position(self):
        self.assertEqual(self.sunk(buy(A - 9, 100, 500), moved(A - 8, 900), mark(A, 0.5)), (1, -450.0))

    def test_a_mark_of_more_than_30_days_sinks_a_position_whatever_it_says(self):
        old = A - 30 * DAY
        self.assertEqual(self.sunk(buy(old - 9, 10, 100), mark(old, 9)), (0, 0.0))
        self.assertEqual(self.sunk(buy(old - 9, 10, 100), mark(old - 1, 9)), (1, -10.0))
        # Lots of unknown cost have no loss; a gain on paper is none.
        unknown = [moved(old - 20, 10, "bbb"), swap(old - 19, "bbb", 10, "aaa", 10), mark(old - 1, 9)]
        self.assertEqual(self.sunk(*unknown), (1, 0.0))
        self.assertEqual(self.sunk(buy(old - 9, 10, 100), mark(old - 1, 12)), (1, 0.0))

    def test_a_closed_position_is_not_sunk(self):
        old = A - 31 * DAY
        self.assertEqual(self.sunk(buy(old, 10, 100), sell(old + 1, 10, 1)), (0, 0.0))
        self.assertEqual(self.sunk(buy(old, 10, 100), moved(old + 1, -10)), (0, 0.0))

    def test_a_position_without_a_mark_is_unknown_and_not_sunk(self):
        self.assertEqual(self.sunk(buy(A - 40 * DAY, 10, 0.05)), (0, 0.0))


class ByToken(RecordCase):
    def outcome(self, *rows, **more):
        found = self.holding(*rows, **more)
        return found["token_win_count"], found["token_loss_count"]

    def test_a_winner_in_pieces_is_one_token_and_a_held_loser_is_lost(self):
        rows = [buy(A - 99, 10, 100), *(sell(A - 50 + n, 1, 11) for n in range(10)), buy(A - 9, 10, 100, "bbb"), mark(A, 9, "bbb")]
        self.assertEqual(self.outcome(*rows), (1, 1))

    def test_open_lots_turn_the_result_of_a_token(self):
        # Half sold with a gain of 10, the other half at 7: 10 - 15.
        self.assertEqual(self.outcome(buy(A - 9, 10, 100), sell(A - 8, 5, 60), mark(A, 7)), (0, 1))
        self.assertEqual(self.outcome(buy(A - 9, 10, 100), sell(A - 8, 5, 60), mark(A, 9)), (1, 0))

    def test_losses_sent_away_count_and_gains_sent_away_do_not(self):
        self.assertEqual(self.outcome(buy(A - 9, 10, 100), moved(A - 8, -10), mark(A, 7)), (0, 1))
        self.assertEqual(self.outcome(buy(A - 9, 10, 100), moved(A - 8, -10), mark(A, 12)), (0, 0))
        # Half sold with a gain of 10, the other half sent away at 7: 10 - 15.
        self.assertEqual(self.outcome(buy(A - 9, 10, 100), sell(A - 8, 5, 60), moved(A - 7, -5), mark(A, 7)), (0, 1))

    def test_a_gain_sent_away_makes_up_for_no_loss_of_another_token(self):
        rows = [buy(A - 9, 10, 100), moved(A - 8, -10), mark(A - 1, 12), buy(A - 7, 10, 100, "bbb"), moved(A - 6, -10, "bbb"),
                mark(A, 7, "bbb")]
        self.fields(self.holding(*rows), away_pnl=-30.0, total_pnl=0.0, floor_pnl=-30.0)

    def test_lots_that_are_away_are_one_sum_by_token(self):
        # 10 for 100 and 10 for 300, both away, at 20: 400 less 400.
        rows = [buy(A - 9, 10, 100), buy(A - 8, 10, 300), moved(A - 7, -20), mark(A, 20)]
        self.fields(self.holding(*rows), away_pnl=0.0, token_loss_count=0)

    def test_a_lot_of_unknown_cost_that_is_away_makes_up_for_no_loss(self):
        # 10 aaa of unknown cost and 10 that cost 100 leave; at 7 they are 70 and 70.
        rows = [moved(A - 99, 10, "bbb"), swap(A - 98, "bbb", 10, "aaa", 10), buy(A - 9, 10, 100), moved(A - 8, -20), mark(A, 7)]
        self.fields(self.holding(*rows), away_pnl=-30.0, floor_pnl=-30.0, token_loss_count=1)

    def test_an_even_result_is_neither_won_nor_lost(self):
        self.assertEqual(self.outcome(buy(A - 9, 10, 100), sell(A - 8, 10, 100)), (0, 0))
        # 4 of 10 with a gain of 6, 6 with a loss of 6.
        self.assertEqual(self.outcome(buy(A - 9, 10, 100), sell(A - 8, 4, 46), sell(A - 7, 6, 54)), (0, 0))
        # A gain of 0.0000000005 of what was bought, and one of 0.000000002.
        self.assertEqual(self.outcome(buy(A - 9, 10, 1000), sell(A - 8, 5, 500.0000011), sell(A - 7, 5, 499.9999994)), (0, 0))
        self.assertEqual(self.outcome(buy(A - 9, 10, 1000), sell(A - 8, 5, 500.000002), sell(A - 7, 5, 500)), (1, 0))

    def test_a_token_that_only_arrived_is_neither_won_nor_lost(self):
        self.assertEqual(self.outcome(buy(A - 9, 10, 100), moved(A - 8, 10, "bbb"), sell(A - 7, 10, 50, "bbb"), mark(A, 11)), (1, 0))

    def test_a_token_that_was_never_traded_has_a_value_and_no_result_whatever_its_transfer_cost(self):
        rows = [buy(A - 9, 10, 100), moved(A - 8, 10, "bbb", cost=50), mark(A, 4, "bbb")]
        self.fields(self.holding(*rows), value=140.0, cost_basis=100.0, unrealized_pnl=0.0, open_count=1, token_loss_count=0)
        # With a trade it has: 40 - 50, and a new lot.
        self.fields(self.holding(*rows, buy(A - 7, 1, 4, "bbb")), value=144.0, cost_basis=154.0, unrealized_pnl=-10.0,
                    open_count=2, token_loss_count=1, floor_pnl=-10.0)


class Marks(RecordCase):
    def test_a_mark_moves_with_the_native_price_and_not_with_a_suspect_print(self):
        config = configured()
        # 10 aaa for 1 sol at 100; sol is 80 at the end.
        rows = [swap(A - 9, "sol", 1, "aaa", 10)]
        prices = [{"token": "sol", "time": A - 10, "usd_price": 100}, {"token": "sol", "time": A - 1, "usd_price": 80}]
        self.fields(self.holding(*rows, config=config, prices=prices), value=80.0, unrealized_pnl=-20.0)

    def test_a_print_that_the_votes_contradict_values_nothing(self):
        rows = [*(buy(A - 99 + n, 100, 100, wallet=f"v{n}") for n in range(10)), buy(A - 9, 100, 100),
                buy(A, 0.01, 10, wallet="v1")]
        self.fields(self.holding(*rows), value=100.0, total_pnl=0.0)
        self.fields(self.holding(*rows, config=configured(marks="last")), value=100_000.0, total_pnl=99_900.0, floor_pnl=0.0)


if __name__ == "__main__":
    unittest.main()
