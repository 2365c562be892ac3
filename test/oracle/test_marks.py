"""Cases of marks, and of what suspect prints do to answers, worked by hand."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import A, CONFIG, DAY, Case, buy, configured, price, run, sell, swap
from ledger import position_id

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

    def test_the_first_print_of_a_token_is_not_suspect_and_makes_few_others_so(self):
        # 50 cents of another wallet at 1,000 USD come first, though they arrive last. While there are fewer than three
        # votes, no print is suspect. The fourth print, at 1.02, sees 1,000, 0.98 and 1.00: of the four, itself included,
        # three are at most 1.02 x 5, and two would do.
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


class Prints(MarkCase):
    """What is a print, and what a configuration changes."""

    def test_the_factor_is_configuration(self):
        # Three votes at 1 USD; 2.5 USD, then 0.32 USD. Four or five voters: two or more of the others at 1 USD decide.
        rows = [*at(1, 1, 1), buy(A + 8, 10, 25, wallet="x"), buy(A + 9, 10, 3.2, wallet="y")]
        for factor, last in [(None, [False, False]), (2.5, [False, True]), (2.4, [True, True]), (8, [False, False])]:
            with self.subTest(factor=factor):
                self.assertEqual(self.suspects(rows, **self.configured(print_factor=factor))[3:], last)

    def test_a_configuration_that_means_nothing_is_refused(self):
        for wrong in ({"print_factor": 1}, {"print_factor": -5}, {"print_factor": float("inf")}, {"marks": "first"}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                run(**self.configured(**wrong))

    def test_what_prints_no_price_does_not_vote(self):
        # Two votes, a swap of dust and one of unknown value: fewer than three votes. Dust itself is never suspect.
        rows = [*at(1, 1), buy(A + 5, 0.05, 0.05), swap(A + 6, "xxx", 1, "aaa", 1)]
        self.assertEqual(self.suspects([*rows, far_off(A + 9)]), [False] * 5)
        self.assertEqual(self.suspects([*at(1, 1, 1), far_off(A + 9)]), [False] * 3 + [True])
        self.assertEqual(self.suspects([*at(1, 1, 1), buy(A + 9, 0.00001, 0.09)]), [False] * 4)

    def test_each_leg_is_a_print_of_its_own_token(self):
        # 10 tokens of aaa for 10 of bbb at 500 USD: aaa was at 1 USD three times, bbb has no past.
        rows = at(1, 1, 1)
        out = run(*rows, swap(A + 9, "aaa", 10, "bbb", 10, wallet="v", usd_amount_in=500, usd_amount_out=500))
        self.fields(out["swaps"][-1], suspect_in=True, suspect_out=False)
        out = run(*rows, swap(A + 9, "bbb", 10, "aaa", 10, wallet="v", usd_amount_in=500, usd_amount_out=500))
        self.fields(out["swaps"][-1], suspect_in=False, suspect_out=True)

    def test_a_swap_of_a_token_for_itself_has_no_print(self):
        rows = [*at(1, 1, 1), swap(A + 9, "aaa", 10, "aaa", 10, usd_amount_in=500, usd_amount_out=500)]
        self.fields(run(*rows)["swaps"][-1], suspect_in=False, suspect_out=False)

    def test_of_one_second_the_chain_order_decides(self):
        # Slot 2 is after the three of slot 1, slot 0 before them.
        rows = [buy(A, 10, 10, block_slot=1, tx=f"m{k}") for k in range(3)]
        self.assertEqual(self.suspects([*rows, far_off(block_slot=2, tx="a")]), [False] * 3 + [True])
        self.assertEqual(self.suspects([*rows, far_off(block_slot=0, tx="z")]), [False] * 4)

    def test_an_earlier_instant_sees_the_mark_of_then(self):
        rows = [*at(1, 1, 1), far_off(A + 9), *at(2, start=A + 20)]
        self.fields(run(*rows, as_of=A + 19)["tokens"]["aaa"]["market"], price=1.0)
        self.fields(run(*rows, as_of=A + 20)["tokens"]["aaa"]["market"], price=2.0)


class Marks(MarkCase):
    def mark(self, token="aaa", *rows, **more):
        return run(*rows, **more)["tokens"][token]["market"]["price"]

    def round_trip(self, time, usd, wallet="v"):
        """10 tokens for the USD, and back for as much in the same transaction."""
        return [buy(time, 10, usd, tx=f"r{time}", wallet=wallet),
                sell(time, 10, usd, tx=f"r{time}", index=1, wallet=wallet)]

    def test_a_round_trip_of_one_transaction_makes_no_mark(self):
        # 50,000 USD for 10 and back, after one, two, and four votes at 1 USD: without a voice it is suspect at once.
        for n in (1, 2, 4):
            with self.subTest(votes=n):
                rows = [*at(*[1] * n), *self.round_trip(A + 9, 50_000), *at(1.5, start=A + 20)]
                self.assertEqual(self.suspects(rows), [False] * n + [True] * 2 + [False])
                self.assertEqual(self.mark("aaa", *rows, as_of=A + 19), 1.0)
                self.assertEqual(self.mark("aaa", *rows), 1.5)

    def test_a_print_without_a_voice_makes_no_mark_at_a_good_price_either(self):
        # Three votes at 1 USD. A round trip at 1.1 is not suspect, and the mark stays at 1.
        rows = [*at(1, 1, 1), *self.round_trip(A + 9, 11)]
        self.assertEqual(self.suspects(rows), [False] * 5)
        self.fields(run(*rows)["prices"]["aaa"], usd_price=1.1, suspect=False, clean_usd_price=1.0)

    def test_it_is_the_mark_while_the_token_has_no_vote(self):
        rows = self.round_trip(A, 30)
        self.fields(run(*rows)["prices"]["aaa"], usd_price=3.0, suspect=False, clean_usd_price=3.0)
        self.fields(run(*rows, *at(2, start=A + 5))["prices"]["aaa"], clean_usd_price=2.0)
        # Then it is suspect: the token has a vote.
        self.fields(run(*rows, *at(2, start=A + 5), *self.round_trip(A + 9, 30))["prices"]["aaa"], usd_price=3.0,
                    suspect=True, clean_usd_price=2.0)

    def test_a_stable_token_is_one_dollar_or_what_its_reference_price_says(self):
        rows = [buy(A, 10, 100, usd_amount_in=102)]
        self.fields(run(*rows)["prices"]["usd"], usd_price=1.02, suspect=False, clean_usd_price=1.0)
        self.assertEqual(self.mark("usd", *rows), 1.0)
        # 0.15 USD each, up to the age of 90,000 s.
        tether = [swap(A, "tether", 100, "aaa", 10)]
        for as_of, expected in [(A, 0.15), (A + 80_000, 0.15), (A + 80_001, 1.0)]:
            found = run(*tether, prices=[price(A - 10_000, 0.15, "tether")], as_of=as_of)
            self.fields(found["prices"]["tether"], usd_price=0.15, suspect=False, clean_usd_price=expected)
            self.assertEqual(found["tokens"]["tether"]["market"]["price"], expected)
        # Before its first print a stable token has no mark.
        out = run(swap(A, "tether", 0.01, "aaa", 1))
        self.assertIsNone(out["tokens"]["tether"]["market"]["price"])
        # So has any quote token, also if a reference price holds by now: it had none when the token was traded.
        out = run(swap(A, "msol", 1, "aaa", 1), buy(A + 10, 1, 5), config=configured(),
                  prices=[price(A + 5, 64, "msol")])
        self.assertIsNone(out["tokens"]["msol"]["market"]["price"])

    def test_a_quote_token_is_judged_by_its_reference_price(self):
        # SOL at 100 USD by the reference, sold for 19, 20, 500 and 501 USD. Its votes would have said otherwise.
        rows = [swap(A + k, "sol", 1, "usd", usd, wallet=f"w{k}") for k, usd in enumerate([19, 20, 500, 501])]
        more = {"prices": [price(A - 60, 100)]}
        self.assertEqual(self.suspects(rows, "sol", **more), [True, False, False, True])
        self.fields(run(*rows, **more)["prices"]["sol"], usd_price=501.0, suspect=True, clean_usd_price=100.0)

    def test_a_native_token_without_one_is_judged_by_its_votes(self):
        rows = [swap(A + k, "sol", 1, "usd", 100, wallet=f"w{k}") for k in range(4)]
        rows.append(swap(A + 9, "usd", 10, "sol", 0.001, wallet="v"))
        self.assertEqual(self.suspects(rows, "sol"), [False] * 4 + [True])
        self.fields(run(*rows)["prices"]["sol"], usd_price=10_000.0, suspect=True, clean_usd_price=100.0)

    def test_what_the_native_price_values_does_not_vote_on_the_native_token(self):
        # One vote at 100 USD, four purchases at that price, one swap of 600 USD: fewer than three votes.
        rows = [swap(A, "usd", 100, "sol", 1), *[swap(A + k, "sol", 1, "aaa", 100, wallet=f"w{k}") for k in (1, 2, 3, 4)]]
        rows.append(swap(A + 9, "usd", 600, "sol", 1, wallet="v"))
        self.assertEqual(self.suspects(rows, "sol"), [False] * 6)


class InTheNativeToken(MarkCase):
    def test_holdings_take_the_mark(self):
        # SOL is 100 USD. Six times 100 tokens for 1 SOL, then 0.0005 tokens for 0.005 SOL: 1,000 USD, 10 SOL.
        rows = [swap(A + k, "sol", 1, "aaa", 100) for k in range(6)]
        rows.append(swap(A + 9, "sol", 0.005, "aaa", 0.0005, wallet="v"))
        more = {"prices": [price(A - 60, 100)], "include": ["positions"]}
        position = position_id("w", "aaa")
        self.fields(run(*rows, **more)["positions"][position]["holding"], cost_basis_native=6.0, price=1.0,
                    unrealized_pnl=0.0, unrealized_pnl_native=0.0)
        self.assertEqual(self.suspects(rows, **more), [False] * 6 + [True])
        out = run(*rows, **more, **self.configured(marks="last"))
        self.fields(out["positions"][position]["holding"], price=1000.0, unrealized_pnl=599_400.0,
                    unrealized_pnl_native=5994.0)


class Moving(MarkCase):
    """A mark that the native token values moves with the native price."""

    # 100 tokens for 2 SOL at 50 USD: 1 USD each. Then SOL is 60 USD.
    BOUGHT = swap(A, "sol", 2, "aaa", 100)
    TOKENS = [{"address": "aaa", "total_supply": 1000, "circulating_supply": 500}]

    def held(self, *rows, prices=(), as_of=A + 100, **more):
        out = run(*rows, prices=prices, as_of=as_of, include=["positions"], tokens=self.TOKENS, **more)
        return out, out["positions"][position_id("w", "aaa")]["holding"]

    def test_with_a_newer_reference_price(self):
        out, held = self.held(self.BOUGHT, prices=[price(A - 1, 50), price(A + 50, 60)])
        self.fields(held, price=1.2, value=120.0, unrealized_pnl=20.0, unrealized_pnl_native=0.0, price_age=100)
        self.fields(out["tokens"]["aaa"]["market"], price=1.2, fdv=1200.0, market_cap=600.0)
        self.fields(out["portfolio"]["w"]["tokens"][0], price=1.2, value=120.0)
        # The print stays what it was.
        self.fields(out["prices"]["aaa"], usd_price=1.0, clean_usd_price=1.2)
        self.fields(out["prices"]["sol"], usd_price=50.0, clean_usd_price=60.0)
        self.fields(self.held(self.BOUGHT, prices=[price(A - 1, 50), price(A + 50, 60)], as_of=A + 49)[1], price=1.0)

    def test_with_newer_votes(self):
        # One vote at 50 and one at 60: the lower median is 50, and 60 is within a quarter of it.
        votes = [swap(A - 9, "sol", 1, "usd", 50, wallet="v"), swap(A + 9, "sol", 1, "usd", 60, wallet="x")]
        out, held = self.held(votes[0], self.BOUGHT, votes[1])
        self.fields(held, price=1.2, unrealized_pnl_native=0.0)
        self.fields(out["prices"]["aaa"], usd_price=1.0, clean_usd_price=1.2)

    def test_it_stays_where_the_native_price_is_unknown(self):
        _, held = self.held(self.BOUGHT, prices=[price(A - 1, 50)], as_of=A + 90_000)
        # In native tokens it has a value all the same.
        self.fields(held, price=1.0, unrealized_pnl=0.0, unrealized_pnl_native=0.0)

    def test_other_marks_stay(self):
        # Bought for 100 USDC, or at a feed's 1 USD: SOL at 60 moves neither.
        for row in (buy(A, 100, 100), {**self.BOUGHT, "usd_amount_in": 100}):
            out, held = self.held(row, prices=[price(A - 1, 50), price(A + 50, 60)])
            self.fields(held, price=1.0, unrealized_pnl=0.0)
            self.fields(out["tokens"]["aaa"]["market"], price=1.0, fdv=1000.0)

    def test_a_contradicted_feed_leaves_a_mark_that_moves(self):
        # A feed of 1,000 USD against the 100 of the reference.
        _, held = self.held({**self.BOUGHT, "usd_amount_in": 1000}, prices=[price(A - 1, 50), price(A + 50, 60)])
        self.fields(held, price=1.2)

    def test_the_newest_print_moves_too_where_that_is_the_mark(self):
        _, held = self.held(self.BOUGHT, prices=[price(A - 1, 50), price(A + 50, 60)], **self.configured(marks="last"))
        self.fields(held, price=1.2, value=120.0)


class Labels(MarkCase):
    def test_a_suspect_fall_makes_no_bagholder(self):
        # Three votes of w, then one of v at a tenth: in front of the three it is one of four, and 2 make a fall.
        rows = [*at(1, 1, 1, 1, 1, 1), *at(0.1, start=A + 9, wallet="v")]
        for kind, labels in [("clean", []), ("last", ["bagholder"])]:
            out = run(*rows, include=["positions"], **self.configured(marks=kind))
            self.assertEqual(out["positions"][position_id("w", "aaa")]["labels"], labels)


if __name__ == "__main__":
    unittest.main()
