"""Cases of reference prices and of feeds that contradict a swap, worked by hand from the specification of worth."""
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import A, CONFIG, DAY, Case, buy, configured, price, run, sell, swap
from oracle import answer


class PriceCase(Case):
    def valued(self, *rows, **more):
        """[(value in, value out, rule)] of all swaps."""
        out = run(*rows, **{"config": configured(), **more})
        return [(s["usd_amount_in"], s["usd_amount_out"], s["valued_by"]) for s in out["swaps"]]

    def check(self, rows, expected, **more):
        self.assertEqual(self.valued(*rows, **more), expected)


class Rows(PriceCase):
    def worth(self, *prices, time=1000, **more):
        """What one SOL is worth at the time, and how many price rows are stored and rejected."""
        out = run(swap(time, "sol", 1, "aaa", 1), config=configured(**more), prices=prices)
        return out["swaps"][0]["usd_amount_in"], *out["price_counts"].values()

    def test_the_newest_price_at_or_before_the_time_counts_in_any_order_of_rows(self):
        rows = [price(900, 200), price(1001, 999), price(1000, 210), price(950, 5)]
        self.assertEqual(self.worth(*rows), (210.0, 4, 0))
        self.assertEqual(self.worth(*rows, time=999), (5.0, 4, 0))
        self.assertEqual(self.worth(*rows, time=899), (None, 4, 0))

    def test_a_later_row_of_the_same_time_replaces(self):
        self.assertEqual(self.worth(price(900, 200), price(900, 201)), (201.0, 1, 0))

    def test_null_removes_the_price_of_that_time_alone(self):
        self.assertEqual(self.worth(price(800, 150), price(900, 200), price(900, None)), (150.0, 1, 0))
        self.assertEqual(self.worth(price(900, None), price(900, 200)), (200.0, 1, 0))
        self.assertEqual(self.worth(price(900, 200), price(901, None), price(900, None, "usd")), (200.0, 1, 0))

    def test_a_price_holds_for_its_greatest_age_and_no_longer(self):
        self.assertEqual(self.worth(price(0, 200), time=90000)[0], 200.0)
        self.assertEqual(self.worth(price(0, 200), time=90001)[0], None)
        self.assertEqual(self.worth(price(0, 200), time=60, reference_max_age=60)[0], 200.0)
        self.assertEqual(self.worth(price(0, 200), time=61, reference_max_age=60)[0], None)
        self.assertEqual(self.worth(price(9, 200), time=9, reference_max_age=0)[0], 200.0)
        self.assertEqual(self.worth(price(9, 200), time=10, reference_max_age=0)[0], None)

    def test_an_older_price_does_not_stand_in_for_one_that_is_too_old(self):
        # The newest is asked for its age, not the newest that is young enough.
        self.assertEqual(self.worth(price(0, 200), price(100, 210), time=200, reference_max_age=60)[0], None)

    def test_bad_rows_are_rejected(self):
        bad = [
            price(900, 5, "aaa"), price(900, 5, None), price(None, 5), price(900.5, 5), price("x", 5), price(900, 0),
            price(900, -1), price(900, "inf"), price(900, "nan"), price(900, 1.1e200), price(900, "x"),
            price(900, True), {"token": "sol", "time": 900}, None,
        ]
        self.assertEqual(self.worth(price(900, 200), *bad), (200.0, 1, len(bad)))
        self.assertEqual(run(config=configured(), prices=[price(900, 1e200)])["price_counts"],
                         {"stored": 1, "rejected": 0})

    def test_the_age_is_of_whole_seconds_from_0_and_a_kind_is_known(self):
        for bad in (-1, 1.5, True):
            with self.assertRaises(ValueError):
                run(config=configured(reference_max_age=bad))
        with self.assertRaises(ValueError):
            run(config={"chain": "test", "quote_tokens": [{"address": "usd", "kind": "gold"}]})

    def test_addresses_of_prices_are_compared_as_those_of_swaps(self):
        native = {"address": "0x" + "AB" * 20, "kind": "native"}
        config = {"chain": "test", "address_format": "evm", "quote_tokens": [native]}
        row = swap(1, "0x" + "aB" * 20, 2, "0x" + "cd" * 20, 1, wallet="0x" + "11" * 20)
        out = run(row, config=config, prices=[price(1, 100, "0x" + "Ab" * 20)])
        self.assertEqual(out["swaps"][0]["usd_amount_in"], 200.0)

    def test_files_of_prices_are_read_one_after_the_other(self):
        with tempfile.TemporaryDirectory() as folder:
            def written(name, text):
                path = os.path.join(folder, name)
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
                return path
            swaps = written("swaps.ndjson", json.dumps(swap(1000, "sol", 1, "aaa", 1)))
            first = written("a.csv", "token,time,usd_price\nsol,900,200\nsol,950,210\n")
            second = written("b.ndjson", json.dumps(price(950, None)))
            third = written("c.csv", "token,time,usd_price\nsol,900,\n")
            request = {"config": CONFIG, "swaps": [swaps]}
            found = [
                answer({**request, "prices": prices})["swaps"][0]["usd_amount_in"]
                for prices in (None, [], first, [first], [first, second], [first, second, third], [second, first])
            ]
        # An empty cell is a missing value, and removes as null does.
        self.assertEqual(found, [None, None, 210.0, 210.0, 200.0, None, 210.0])


class Values(PriceCase):
    def test_each_rule_in_turn(self):
        table = [
            ("a given value", {"usd_amount_in": 7, "token_price_in": 9}, ("aaa", 2, "bbb", 4), (7.0, 7.0, "feed")),
            ("price x amount", {"token_price_out": 3}, ("aaa", 2, "bbb", 4), (12.0, 12.0, "price")),
            # 7 x 2 = 14 and 12.
            ("of two given the smaller", {"token_price_in": 7, "usd_amount_out": 12}, ("aaa", 2, "bbb", 4),
             (12.0, 12.0, "feed")),
            ("of two given that of the quote token", {"usd_amount_in": 210, "usd_amount_out": 190}, ("sol", 1, "aaa", 4),
             (210.0, 210.0, "feed")),
            ("a given value before a reference", {"usd_amount_in": 190}, ("sol", 1, "aaa", 4), (190.0, 190.0, "feed")),
            ("a reference", {}, ("sol", 2, "aaa", 4), (400.0, 400.0, "reference")),
            ("a stable before a reference", {}, ("sol", 2, "usd", 390), (390.0, 390.0, "stable")),
            ("a stable", {}, ("aaa", 2, "usd", 390), (390.0, 390.0, "stable")),
            ("a reference token without a price", {}, ("msol", 2, "usd", 390), (390.0, 390.0, "stable")),
            ("unknown: a reference token without a price", {}, ("msol", 2, "aaa", 390), (None, None, None)),
            ("unknown", {}, ("aaa", 2, "bbb", 390), (None, None, None)),
        ]
        for sentence, given, legs, expected in table:
            with self.subTest(sentence):
                self.check([swap(10, *legs, **given)], [expected], prices=[price(0, 200)])

    def test_a_stable_leg_says_what_both_legs_are_worth(self):
        table = [
            ({}, (50.0, 50.0, "stable")),
            # Within 5 %: 0.95 x 50 = 47.5, 1.05 x 50 = 52.5.
            ({"token_price_out": 0.96}, (48.0, 48.0, "price")),
            ({"usd_amount_in": 52}, (52.0, 52.0, "feed")),
            ({"token_price_out": 0.9}, (50.0, 50.0, "stable")),
            ({"usd_amount_in": 60}, (50.0, 50.0, "stable")),
            # Of two given values that of the stable leg is held against it.
            ({"usd_amount_in": 60, "usd_amount_out": 51}, (51.0, 51.0, "feed")),
        ]
        for given, expected in table:
            with self.subTest(given):
                self.check([swap(10, "sol", 1, "usd", 50, **given)], [expected])
        self.check([swap(10, "sol", 1, "usd", 50)], [(44.0, 44.0, "reference")], prices=[price(0, 0.88, "usd")])

    def test_a_value_of_0_says_nothing_of_a_swap_that_moved_something(self):
        self.check([swap(10, "usd", 0, "aaa", 4, usd_amount_in=0, usd_amount_out=7)], [(7.0, 7.0, "feed")])
        self.check([swap(10, "usd", 0, "aaa", 4)], [(None, None, None)])
        self.check([swap(10, "usd", 0, "tether", 4)], [(4.0, 4.0, "stable")])
        self.check([swap(10, "usd", 0, "aaa", 0)], [(0.0, 0.0, "stable")])

    def test_a_reference_token_is_a_quote_token_that_only_a_reference_values(self):
        prices = [price(0, 220, "msol")]
        out = run(swap(10, "msol", 2, "aaa", 4), config=configured(), prices=prices)
        self.fields(out["swaps"][0], usd_amount_in=440.0, usd_amount_out=440.0, token_price_out=110.0,
                    valued_by="reference", swap_type="quote_token")
        # No native price: SOL has neither a reference nor a print.
        self.fields(out["trades"][0], token="aaa", quote="msol", usd_amount=440.0, native_amount=None)
        # Of quote tokens alone the last in the list is the token; a swap against it votes on the native price.
        rows = [swap(10, "sol", 1, "msol", 1), swap(11, "sol", 1, "aaa", 1)]
        self.check(rows, [(220.0, 220.0, "reference"), (220.0, 220.0, "native")], prices=prices)
        self.fields(run(rows[0], config=configured(), prices=prices)["trades"][0], token="msol", quote="sol",
                    native_amount=1.0)

    def test_a_stable_off_its_peg_for_a_day(self):
        # 0.88 from noon on, for a day and an hour: 100 USDC are 88 USD, and 100 again a second after that.
        noon = A + DAY // 2
        rows = [buy(noon - 1, 10, 100), buy(noon, 10, 100), sell(noon + 90000, 10, 110), sell(noon + 90001, 10, 110)]
        out = run(*rows, prices=[price(noon, 0.88, "usd")])
        self.assertEqual([t["usd_amount"] for t in out["trades"]], [100.0, 88.0, 110 * 0.88, 110.0])
        # 96.8 on the first lot of 100, and 110 on the second of 88.
        self.near(out["trades"][2]["realized_pnl_usd"], -3.2)
        self.near(out["trades"][3]["realized_pnl_usd"], 22.0)
        self.fields(out["wallets"]["w"]["metrics"]["3d"], pnl=18.8, volume=394.8, win_count=1, loss_count=1)
        # Two stables: the first one configured.
        self.check([swap(noon, "usd", 100, "tether", 89)], [(88.0, 88.0, "reference")],
                   prices=[price(noon, 0.88, "usd")])

    def test_a_price_that_has_expired_leaves_the_votes_that_have_not(self):
        spend = [swap(t, "sol", 1, "aaa", 1) for t in (99, 100, 1001, 1002, 1100, 1101)]
        rows = [swap(1, "usd", 50, "sol", 1), *spend]
        native, reference = (50.0, 50.0, "native"), (200.0, 200.0, "reference")
        # The reference holds from 100 to 1100, the vote of 1 up to 1001.
        found = self.valued(*rows, prices=[price(100, 200)], config=configured(reference_max_age=1000))
        self.assertEqual(found, [(50.0, 50.0, "stable"), native, *[reference] * 4, (None, None, None)])
        found = self.valued(*rows[:4], prices=[price(100, 200)], config=configured(reference_max_age=900))
        self.assertEqual(found[3], (None, None, None))

    def test_a_swap_against_a_stable_votes_also_while_a_reference_holds(self):
        # 210 USD for one SOL, not the 200 of the reference.
        rows = [swap(500, "usd", 210, "sol", 1), swap(501, "sol", 1, "aaa", 1), swap(1101, "sol", 1, "aaa", 1)]
        self.check(rows, [(210.0, 210.0, "stable"), (200.0, 200.0, "reference"), (210.0, 210.0, "native")],
                   prices=[price(100, 200)], config=configured(reference_max_age=1000))

    def test_a_value_over_1e200_is_unknown(self):
        self.check([swap(1, "sol", 1e101, "aaa", 1)], [(None, None, None)], prices=[price(0, 1e100)])
        # The next rule follows: the other stable leg, the feed, the reference.
        self.check([swap(1, "usd", 1e101, "tether", 5)], [(5.0, 5.0, "stable")], prices=[price(0, 1e100, "usd")])
        self.check([swap(1, "usd", 1e101, "aaa", 5, usd_amount_in=7)], [(7.0, 7.0, "feed")],
                   prices=[price(0, 1e100, "usd")])
        self.check([swap(1, "sol", 1, "usd", 1e101)], [(9.0, 9.0, "reference")],
                   prices=[price(0, 1e100, "usd"), price(0, 9)])
        self.check([swap(1, "sol", 1, "usd", 1e101)], [(None, None, None)], prices=[price(0, 1e100, "usd")])

    def test_swaps_without_a_value_are_counted_up_to_the_instant(self):
        rows = [buy(1, 1, 5), swap(2, "sol", 1, "aaa", 1), swap(3, "aaa", 1, "bbb", 1), swap(4, "aaa", 1, "bbb", 1)]
        self.counted(run(*rows), added=4, unvalued=3)
        self.counted(run(*rows, as_of=3), added=4, unvalued=2)
        self.counted(run(*rows, prices=[price(0, 200)]), added=4, unvalued=2)


class Contradictions(PriceCase):
    def one(self, legs, given, prices=(), before=()):
        """(value, rule, swaps contradicted) of the last swap; both legs have the value."""
        out = run(*before, swap(10, *legs, **given), config=configured(), prices=prices)
        s = out["swaps"][-1]
        self.assertEqual(s["usd_amount_in"], s["usd_amount_out"])
        return s["usd_amount_in"], s["valued_by"], out["counts"]["contradicted"]

    def test_beside_a_stable_leg_a_feed_is_believed_within_5_percent(self):
        for given, expected in [
            (95, (95.0, "feed", 0)), (105, (105.0, "feed", 0)), (94.99, (100.0, "stable", 1)),
            (105.01, (100.0, "stable", 1)), (0, (100.0, "stable", 0)), (190, (100.0, "stable", 1)),
        ]:
            with self.subTest(given=given):
                self.assertEqual(self.one(("usd", 100, "aaa", 4), {"usd_amount_out": given}), expected)
        # 4 at 24 and at 27 USD: 96 and 108.
        self.assertEqual(self.one(("usd", 100, "aaa", 4), {"token_price_out": 24}), (96.0, "price", 0))
        self.assertEqual(self.one(("usd", 100, "aaa", 4), {"token_price_out": 27}), (100.0, "stable", 1))
        # The given value comes first: a wrong price beside it says nothing.
        self.assertEqual(self.one(("usd", 100, "aaa", 4), {"usd_amount_out": 99, "token_price_out": 9e9}),
                         (99.0, "feed", 0))
        self.assertEqual(self.one(("usd", 100, "aaa", 4), {"usd_amount_in": 18e12, "usd_amount_out": 101}),
                         (100.0, "stable", 1))

    def test_beside_a_stable_at_its_reference_price_the_feed_is_held_against_that(self):
        # 100 USDC at 0.88 are 88 USD: from 83.6 to 92.4.
        off_peg = [price(0, 0.88, "usd")]
        for given, expected in [(84, (84.0, "feed", 0)), (92, (92.0, "feed", 0)), (83, (88.0, "reference", 1)),
                                (100, (88.0, "reference", 1))]:
            with self.subTest(given=given):
                self.assertEqual(self.one(("usd", 100, "aaa", 4), {"usd_amount_out": given}, off_peg), expected)

    def test_a_reference_price_contradicts_a_feed_that_is_more_than_a_quarter_off(self):
        # 2 SOL at 60 are 120 USD: from 96 to 150. So for MSOL.
        for token in ("sol", "msol"):
            for given, expected in [(96, (96.0, "feed", 0)), (150, (150.0, "feed", 0)), (95.9, (120.0, "reference", 1)),
                                    (150.1, (120.0, "reference", 1))]:
                with self.subTest(token=token, given=given):
                    found = self.one((token, 2, "aaa", 4), {"usd_amount_out": given}, [price(0, 60, token)])
                    self.assertEqual(found, expected)

    def test_the_native_price_contradicts_a_feed_only_with_five_votes(self):
        def votes(n):
            return [swap(k, "usd", 50, "sol", 1, wallet="w" if k else "v") for k in range(n)]
        # Of w three at most: three of w and one of v are four votes, two of v make five.
        more = [swap(8, "usd", 50, "sol", 1, wallet="v"), swap(9, "usd", 50, "sol", 1, wallet="x")]
        legs, wrong = ("sol", 2, "aaa", 4), {"usd_amount_out": 1000}
        self.assertEqual(self.one(legs, wrong, before=votes(1)), (1000.0, "feed", 0))
        self.assertEqual(self.one(legs, wrong, before=votes(7)), (1000.0, "feed", 0))
        self.assertEqual(self.one(legs, wrong, before=[*votes(4), *more]), (100.0, "native", 1))
        # 2 SOL at 50: from 80 to 125.
        for given, count in [(80, 0), (79.9, 1), (125, 0), (125.1, 1)]:
            with self.subTest(given=given):
                self.assertEqual(self.one(legs, {"usd_amount_in": given}, before=[*votes(4), *more])[2], count)

    def test_an_old_price_of_the_native_token_overrules_no_right_feed(self):
        # Five votes of 50 USD, and 90,001 s later SOL is 200 by the feed.
        votes = [swap(k, "usd", 50, "sol", 1, wallet=f"v{k}") for k in range(5)]
        # At 90,001 the vote of second 0 is too old, and four are not enough.
        for time, expected in [(90_000, (50.0, "native")), (90_001, (200.0, "feed")), (90_005, (200.0, "feed"))]:
            with self.subTest(time=time):
                out = run(*votes, swap(time, "sol", 1, "aaa", 4, usd_amount_in=200), config=configured())
                self.assertEqual((out["swaps"][-1]["usd_amount_in"], out["swaps"][-1]["valued_by"]), expected)

    def test_without_a_leg_of_its_own_value_the_feed_is_believed(self):
        for legs in [("aaa", 1, "bbb", 1), ("sol", 1, "aaa", 1), ("msol", 1, "aaa", 1), ("usd", 0, "aaa", 4)]:
            self.assertEqual(self.one(legs, {"usd_amount_out": 18e12}), (18e12, "feed", 0))

    def test_a_stable_comes_before_the_native_token_and_that_before_a_reference(self):
        prices = [price(0, 100), price(0, 400, "msol")]
        # 150 USDC: 157 agrees and 158 does not, whatever SOL's 100 would say.
        self.assertEqual(self.one(("sol", 1, "usd", 150), {"usd_amount_in": 157}, prices), (157.0, "feed", 0))
        self.assertEqual(self.one(("sol", 1, "usd", 150), {"usd_amount_in": 158}, prices), (150.0, "stable", 1))
        # SOL's 100 counts, not the 400 of MSOL.
        self.assertEqual(self.one(("msol", 1, "sol", 1), {"usd_amount_in": 126}, prices), (100.0, "reference", 1))
        self.assertEqual(self.one(("msol", 1, "sol", 1), {"usd_amount_in": 124}, prices), (124.0, "feed", 0))
        self.assertEqual(self.one(("msol", 1, "sol", 1), {}, prices), (100.0, "reference", 0))
        # SOL without a price: MSOL's 400.
        self.assertEqual(self.one(("sol", 1, "msol", 1), {"usd_amount_in": 126}, prices[1:]), (400.0, "reference", 1))
        # SOL at 100 by one vote, which contradicts nothing; MSOL's 400 does.
        self.assertEqual(self.one(("sol", 1, "msol", 1), {"usd_amount_in": 126}, prices[1:],
                                  [swap(1, "usd", 100, "sol", 1)]), (400.0, "reference", 1))
        # The kinds decide, not their places in the configuration.
        quotes = configured()["quote_tokens"][::-1]
        out = run(swap(10, "sol", 1, "usd", 150, usd_amount_in=301), config=configured(quote_tokens=quotes), prices=prices)
        self.fields(out["swaps"][0], usd_amount_in=150.0, valued_by="stable")

    def test_of_two_stables_the_earlier_in_the_list_counts_on_either_side(self):
        # 42 is within 5 % of 40 TET, and far from 100 USD.
        for legs in [("usd", 100, "tether", 40), ("tether", 40, "usd", 100)]:
            self.assertEqual(self.one(legs, {"usd_amount_in": 42}), (100.0, "stable", 1))

    def test_what_contradicts_moves_no_price_and_no_profit(self):
        rows = [buy(A - 20, 10, 100), sell(A - 10, 10, 120, usd_amount_in=18e12)]
        out = run(*rows, as_of=A)
        self.counted(out, added=2, contradicted=1)
        self.counted(run(*rows, as_of=A - 11), added=2)
        self.fields(out["wallets"]["w"]["metrics"]["1d"], pnl=20.0, volume=220.0)
        self.assertEqual(out["prices"]["aaa"]["usd_price"], 12.0)


if __name__ == "__main__":
    unittest.main()
