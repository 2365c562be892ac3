"""Cases of suspect prints and of marks, worked by hand from the specification of worth."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import A, CONFIG, DAY, Case, buy, price, run, sell, swap
from ledger import position_id
from marks import weighted_median

HOUR = 3600


def at(*prices, start=A, usd=10, **more):
    """Buys of aaa, one a second: each of `usd` USD at the next of the prices."""
    return [buy(start + k, usd / p, usd, **more) for k, p in enumerate(prices)]


def sixty():
    """Sixty buys of 100 tokens by w, one a minute of the hour up to A: at 0.98, 1.00 and 1.02 USD in turn, 6,000 USD."""
    return [buy(A - HOUR + 60 * k, 100, 98 + 2 * (k % 3)) for k in range(60)]


def far_off(time=A, **more):
    """50 cents at a price of 1,000 USD, of another wallet."""
    return buy(time, 0.0005, 0.5, wallet="v", **more)


class MarkCase(Case):
    def suspects(self, rows, token="aaa", **more):
        """Of each swap of the token, in chain order, whether its print is suspect."""
        return [
            s[f"suspect_{side}"] for s in run(*rows, **more)["swaps"] for side in ("in", "out")
            if s[f"token_{side}"] == token
        ]

    def configured(self, **more):
        return {"config": {**CONFIG, **more}}


class FarOff(MarkCase):
    """Sixty buys at about 1 USD, and 50 cents at 1,000 USD."""

    # 6,000 tokens at 1.02 USD that cost 6,000 USD; at 1,000 USD they would be worth 6,000,000.
    def test_a_far_off_print_is_suspect_and_marks_nothing(self):
        out = run(*sixty(), far_off(), as_of=A + 10, include=["positions"],
                  tokens=[{"address": "aaa", "total_supply": 2_000_000, "circulating_supply": 500_000}])
        self.assertEqual([s["suspect_out"] for s in out["swaps"]], [False] * 60 + [True])
        self.assertEqual([s["suspect_in"] for s in out["swaps"]], [False] * 61)
        for answer in (out["prices"]["aaa"], out["stats"]["aaa"]):
            self.fields(answer, usd_price=1000.0, block_time=A, suspect=True, clean_usd_price=1.02)
        self.fields(out["prices"]["usd"], usd_price=1.0, suspect=False, clean_usd_price=1.0)
        self.fields(out["portfolio"]["w"], value=6120.0)
        self.fields(out["portfolio"]["w"]["tokens"][0], price=1.02, value=6120.0, cost_basis=6000.0,
                    unrealized_pnl=120.0)
        self.fields(out["positions"][position_id("w", "aaa")]["holding"], price=1.02, value=6120.0,
                    unrealized_pnl=120.0, unrealized_roi=2.0, price_age=70)
        self.fields(out["tokens"]["aaa"]["market"], price=1.02, fdv=2_040_000.0, market_cap=510_000.0)
        # The trade keeps the price that it was made at.
        self.fields(out["trades"][-1], token_price=1000.0, market_cap=500_000_000.0)

    def test_the_newest_print_marks_where_that_is_configured(self):
        out = run(*sixty(), far_off(), as_of=A + 10, include=["positions"], tokens=[
            {"address": "aaa", "total_supply": 2_000_000, "circulating_supply": 500_000},
        ], **self.configured(marks="last"))
        self.fields(out["prices"]["aaa"], usd_price=1000.0, suspect=True, clean_usd_price=1.02)
        self.fields(out["portfolio"]["w"], value=6_000_000.0)
        self.fields(out["positions"][position_id("w", "aaa")]["holding"], price=1000.0, value=6_000_000.0,
                    unrealized_pnl=5_994_000.0, unrealized_roi=99_900.0, price_age=10)
        self.fields(out["tokens"]["aaa"]["market"], price=1000.0, fdv=2e9, market_cap=5e8)

    def test_the_order_of_arrival_plays_no_part(self):
        self.assertEqual(self.suspects([far_off(), *sixty()]), [False] * 60 + [True])

    def test_the_first_print_of_a_token_is_not_suspect_and_makes_no_other_so(self):
        # 50 cents against four buys of 98 USD and more: the median of five is about 1 USD already. It arrives last.
        rows = [*sixty(), far_off(A - HOUR - 1)]
        self.assertEqual(self.suspects(rows), [False] * 61)
        out = run(*rows)
        self.fields(out["prices"]["aaa"], usd_price=1.02, suspect=False, clean_usd_price=1.02)
        self.fields(out["portfolio"]["w"], value=6120.0)
        # Then it was all that was known.
        self.fields(run(*rows, as_of=A - HOUR - 1)["prices"]["aaa"], usd_price=1000.0, suspect=False,
                    clean_usd_price=1000.0)

    def test_volumes_leave_nothing_out_and_judged_prices_leave_suspect_prints_out(self):
        out = run(*sixty(), far_off(), buy(A + 60, 100, 100))
        self.fields(out["stats"]["aaa"], usd_price=1.0, suspect=False, clean_usd_price=1.0, usd_volume_1d=6100.5)
        # From 1.02 down to 0.98, not from 1,000 to 1.
        self.fields(out["tokens"]["aaa"]["metrics"]["1d"], volume=6100.5, max_drawdown=400 / 102)
        # The 56th buy, 5 minutes before, was at 1.00, the newest at 1.02.
        self.fields(run(*sixty(), far_off(), as_of=A)["stats"]["aaa"], usd_price_change_5m=2.0)

    def test_candles(self):
        out = run(*sixty(), far_off(), buy(A + 60, 100, 100), far_off(A + HOUR), candle_intervals=[HOUR])
        quiet = [A - HOUR, 0.98, 1.02, 0.98, 1.02, 6000.0, 60, 0]
        self.assertEqual(out["candles"]["aaa"]["3600"], [
            quiet, [A, 1000.0, 1000.0, 1.0, 1.0, 100.5, 2, 1], [A + HOUR, 1000.0, 1000.0, 1000.0, 1000.0, 0.5, 1, 1],
        ])
        self.assertEqual(out["clean_candles"]["aaa"]["3600"], [quiet, [A, 1.0, 1.0, 1.0, 1.0, 100.5, 2, 1]])

    def test_candles_of_a_pool_know_the_whole_market(self):
        # The pool has this one print, off from those of the others.
        out = run(*sixty(), far_off(pool="p"), candle_intervals=[60])["pools"]["p"]
        self.assertEqual(out["candles"]["aaa"]["60"], [[A, 1000.0, 1000.0, 1000.0, 1000.0, 0.5, 1, 1]])
        self.assertEqual(out["clean_candles"]["aaa"]["60"], [])
        self.assertEqual(out["clean_candles"]["usd"]["60"], [[A, 1.0, 1.0, 1.0, 1.0, 0.5, 1, 0]])

    def test_histories(self):
        out = run(*sixty(), far_off(), buy(A + 60, 100, 100), far_off(A + 2 * HOUR),
                  history=[{"from": A - 2 * HOUR, "to": A + 2 * HOUR, "interval": HOUR}])
        # (A - 1 h, A] holds all but the first of 98 USD, and the 50 cents.
        times, volumes = [A + k * HOUR for k in (-1, 0, 1, 2)], [98.0, 5902.5, 100.0, 0.5]

        def points(*prices):
            return [
                {"timestamp": time, "usd_price": usd, "usd_volume": volume, "suspect_count": suspects}
                for time, usd, volume, suspects in zip(times, prices, volumes, [0, 1, 0, 1])
            ]

        self.assertEqual(out["history"][0]["aaa"], points(0.98, 1000.0, 1.0, 1000.0))
        self.assertEqual(out["clean_history"][0]["aaa"], points(0.98, 1.02, 1.0, 1.0))


class Suspicion(MarkCase):
    def test_exactly_five_times_is_not_suspect(self):
        ones = at(1, 1, 1, 1, 1)
        for amount, usd, suspect in [(10, 50, False), (10, 50.01, True), (10, 2, False), (10, 1.99, True)]:
            with self.subTest(usd=usd):
                self.assertEqual(self.suspects([*ones, buy(A + 9, amount, usd)]), [False] * 5 + [suspect])

    def test_the_factor_is_configuration(self):
        rows = [*at(1, 1, 1, 1, 1), buy(A + 8, 10, 25), buy(A + 9, 10, 80)]
        for factor, last in [(None, [False, True]), (2.5, [False, True]), (2.4, [True, True]), (8, [False, False])]:
            with self.subTest(factor=factor):
                self.assertEqual(self.suspects(rows, **self.configured(print_factor=factor))[5:], last)

    def test_a_configuration_that_means_nothing_is_refused(self):
        for wrong in ({"print_factor": 1}, {"print_factor": -5}, {"print_factor": float("inf")}, {"marks": "first"}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                run(**self.configured(**wrong))

    def test_fewer_than_five_prints_say_nothing(self):
        self.assertEqual(self.suspects([*at(1, 1, 1, 1), far_off()]), [False] * 5)
        self.assertEqual(self.suspects([*at(1, 1, 1, 1, 1), far_off(A + 9)]), [False] * 5 + [True])

    def test_what_prints_no_price_is_not_among_them(self):
        # Four prints, a swap of dust and one of unknown value; dust is never suspect.
        rows = [*at(1, 1, 1, 1), buy(A + 5, 0.05, 0.05), swap(A + 6, "xxx", 1, "aaa", 1)]
        self.assertEqual(self.suspects([*rows, far_off(A + 9)]), [False] * 7)
        self.assertEqual(self.suspects([*at(1, 1, 1, 1, 1), buy(A + 9, 0.00001, 0.09)]), [False] * 6)

    def test_prints_of_more_than_24_hours_before_say_nothing(self):
        rows = [buy(A, 10, 10, index=k, tx="t") for k in range(5)]
        self.assertEqual(self.suspects([*rows, far_off(A + DAY)])[-1], True)
        self.assertEqual(self.suspects([*rows, far_off(A + DAY + 1)])[-1], False)
        # One of the five is a second too old.
        self.assertEqual(self.suspects([buy(A - 1, 10, 10), *rows[:4], far_off(A + DAY)])[-1], False)

    def test_old_prints_do_not_weigh_in(self):
        # Ten at 100 USD a day ago and five at 1 USD now: 1 USD holds, and 100 USD is suspect.
        rows = [*at(*[100] * 10), *at(*[1] * 5, start=A + 2 * DAY), *at(100, start=A + 2 * DAY + 9)]
        self.assertEqual(self.suspects(rows), [False] * 15 + [True])

    def test_a_jump_of_ten_times_is_a_mark_after_eleven_prints(self):
        # Of 21 prints of one value the median is the eleventh from below: it moves with the eleventh new one.
        for jump in (10, 0.1):
            rows = at(*[1] * 21, *[jump] * 13)
            with self.subTest(jump=jump):
                self.assertEqual(self.suspects(rows), [False] * 21 + [True] * 11 + [False] * 2)
                before, after = (run(*rows, as_of=A + 20 + k)["prices"]["aaa"] for k in (11, 12))
                self.fields(before, usd_price=float(jump), suspect=True, clean_usd_price=1.0)
                self.fields(after, usd_price=float(jump), suspect=False, clean_usd_price=float(jump))

    def test_prints_weigh_by_value_and_leave_after_21(self):
        # A print of a million USD at 100, then small ones at 1. The first four of these have fewer than five before
        # them; the next 17 have the large one among at most 21; the one after that has 21 small ones.
        rows = [buy(A - 1, 10_000, 1_000_000), *at(*[1] * 22)]
        self.assertEqual(self.suspects(rows), [False] * 5 + [True] * 17 + [False])

    def test_the_median_is_the_least_price_with_half_of_the_value(self):
        # Three at 1 and three at 10, of one value: 1 has half. 6 is off from 1, and would not be off from 10.
        self.assertEqual(self.suspects(at(1, 10, 1, 10, 1, 10, 6)), [False] * 5 + [True, True])
        self.assertEqual(weighted_median([(3, 1), (1, 1), (2, 1)]), 2)
        self.assertEqual(weighted_median([(3, 2), (1, 1), (2, 1)]), 2)
        self.assertEqual(weighted_median([(3, 2.01), (1, 1), (2, 1)]), 3)
        self.assertEqual(weighted_median([(1, 1), (1, 1), (9, 1), (9, 2)]), 9)
        # The doubles 0.1 and 0.2 are a little more than 0.3 together, and 0.1 three times as well.
        self.assertEqual(weighted_median([(1, 0.1), (1, 0.2), (9, 0.3)]), 1)
        self.assertEqual(weighted_median([(1, 0.3), (9, 0.1), (9, 0.1), (9, 0.1)]), 9)

    def test_each_leg_is_a_print_of_its_own_token(self):
        # 10 tokens of aaa for 10 of bbb at 500 USD: aaa was at 1 USD five times, bbb has no past.
        out = run(*at(1, 1, 1, 1, 1), swap(A + 9, "aaa", 10, "bbb", 10, usd_amount_in=500, usd_amount_out=500))
        self.fields(out["swaps"][-1], suspect_in=True, suspect_out=False)
        out = run(*at(1, 1, 1, 1, 1), swap(A + 9, "bbb", 10, "aaa", 10, usd_amount_in=500, usd_amount_out=500))
        self.fields(out["swaps"][-1], suspect_in=False, suspect_out=True)

    def test_a_swap_of_a_token_for_itself_has_no_print(self):
        rows = [*at(1, 1, 1, 1, 1), swap(A + 9, "aaa", 10, "aaa", 10, usd_amount_in=500, usd_amount_out=500)]
        self.fields(run(*rows)["swaps"][-1], suspect_in=False, suspect_out=False)

    def test_of_one_second_the_chain_order_decides(self):
        # Slot 2 is after the five of slot 1, slot 0 before them.
        rows = [buy(A, 10, 10, block_slot=1, index=k, tx="m") for k in range(5)]
        self.assertEqual(self.suspects([*rows, far_off(block_slot=2, tx="a")]), [False] * 5 + [True])
        self.assertEqual(self.suspects([*rows, far_off(block_slot=0, tx="z")]), [False] * 6)

    def test_an_earlier_instant_sees_the_mark_of_then(self):
        rows = [*at(1, 1, 1, 1, 1), far_off(A + 9), *at(2, start=A + 20)]
        self.fields(run(*rows, as_of=A + 19)["tokens"]["aaa"]["market"], price=1.0)
        self.fields(run(*rows, as_of=A + 20)["tokens"]["aaa"]["market"], price=2.0)


class InTheNativeToken(MarkCase):
    def test_holdings_take_the_mark(self):
        # SOL is 100 USD. Six times 100 tokens for 1 SOL, then 0.0005 tokens for 0.005 SOL: 1,000 USD, 10 SOL.
        rows = [swap(A + k, "sol", 1, "aaa", 100) for k in range(6)]
        rows.append(swap(A + 9, "sol", 0.005, "aaa", 0.0005, wallet="v"))
        more = {"prices": [price(A - 60, 100)], "include": ["positions"]}
        position = position_id("w", "aaa")
        self.fields(run(*rows, **more)["positions"][position]["holding"], cost_basis_native=6.0, price=1.0,
                    unrealized_pnl=0.0, unrealized_pnl_native=0.0)
        out = run(*rows, **more, **self.configured(marks="last"))
        self.fields(out["positions"][position]["holding"], price=1000.0, unrealized_pnl=599_400.0,
                    unrealized_pnl_native=5994.0)

    def test_the_native_price_is_of_the_newest_print_all_the_same(self):
        # SOL prints 100 USD six times and then 10,000 USD for 10 USD; 1 SOL then buys 5 tokens.
        rows = [swap(A + k, "usd", 100, "sol", 1) for k in range(6)]
        rows += [swap(A + 8, "usd", 10, "sol", 0.001), swap(A + 9, "sol", 1, "bbb", 5)]
        out = run(*rows)
        self.assertEqual(self.suspects(rows, "sol"), [False] * 6 + [True, True])
        self.fields(out["swaps"][-1], usd_amount_in=10_000.0, token_price_out=2000.0, suspect_out=False)
        self.fields(out["prices"]["sol"], usd_price=10_000.0, clean_usd_price=100.0)


class Labels(MarkCase):
    def test_a_suspect_fall_makes_no_bagholder(self):
        rows = [*at(1, 1, 1, 1, 1, 1), *at(0.1, start=A + 9, wallet="v")]
        for kind, labels in [("clean", []), ("last", ["bagholder"])]:
            out = run(*rows, include=["positions"], **self.configured(marks=kind))
            self.assertEqual(out["positions"][position_id("w", "aaa")]["labels"], labels)


if __name__ == "__main__":
    unittest.main()
