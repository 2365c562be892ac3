"""Cases of pools, worked by hand from the specification of positions and pools."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import Case, buy, run, sell, swap
from oracle import compute


class PoolsOfSwaps(Case):
    def test_a_pool_is_listed_and_null_where_it_is_missing_or_empty(self):
        out = run(buy(1, 1, 5, pool="p"), buy(2, 1, 5, pool=""), buy(3, 1, 5))
        self.assertEqual([s["pool"] for s in out["swaps"]], ["p", None, None])

    def test_a_pool_has_1_to_128_printable_characters_and_no_space(self):
        def counts(*pools):
            found = run(*[buy(10, 1, 5, tx=f"t{i}", pool=pool) for i, pool in enumerate(pools)])["counts"]
            return found["added"], found["rejected"]
        self.assertEqual(counts("p", "!~", "x" * 128), (3, 0))
        self.assertEqual(counts("x" * 129, "a b", " ", "tab\t", "caf\u00e9"), (0, 5))

    def test_a_pool_on_an_evm_chain_is_in_lower_case(self):
        token, other, wallet = (f"0x{digit * 40}" for digit in "abc")
        row = swap(10, token, 1, other, 2, wallet=wallet, pool="0xABCdef", usd_amount_in=3)
        out = compute({"chain": "t", "address_format": "evm"}, [row])
        self.assertEqual(out["swaps"][0]["pool"], "0xabcdef")

    def test_another_pool_under_a_known_identity_is_a_conflict(self):
        row = buy(10, 1, 5, tx="a", pool="p")
        out = run(row, dict(row), {**row, "pool": "q"}, {**row, "pool": None})
        self.counted(out, added=1, duplicate=1, conflict=2)
        self.assertEqual(out["swaps"][0]["pool"], "p")


class PoolsOfTrades(Case):
    def pools(self, *rows):
        return {t["token"]: t["pools"] for t in run(*rows)["trades"]}

    def test_a_route_lists_its_pools_from_first_to_last(self):
        # usd -> hop -> more -> aaa: both hops net to 0.
        self.assertEqual(self.pools(
            swap(10, "usd", 10, "hop", 4, tx="t", pool="z"),
            swap(10, "hop", 4, "more", 3, tx="t", index=1, pool="m"),
            swap(10, "more", 3, "aaa", 2, tx="t", index=2, pool="a"),
        ), {"aaa": ["z", "m", "a"]})

    def test_a_split_order_lists_each_pool_once_at_its_first_swap(self):
        self.assertEqual(self.pools(
            buy(10, 1, 5, tx="t", index=1, pool="q"), buy(10, 1, 5, tx="t", index=0, pool="p"),
            buy(10, 1, 5, tx="t", index=2, pool="p"),
        ), {"aaa": ["p", "q"]})

    def test_swaps_without_a_pool_are_left_out(self):
        self.assertEqual(self.pools(buy(10, 1, 5)), {"aaa": []})
        self.assertEqual(self.pools(
            swap(10, "usd", 10, "hop", 4, tx="t"), swap(10, "hop", 4, "aaa", 2, tx="t", index=1, pool="a"),
        ), {"aaa": ["a"]})

    def test_two_orders_of_one_transaction_have_pools_of_their_own(self):
        # Both spend usd, which is no hop: it does not join bbb's route to aaa's.
        self.assertEqual(self.pools(
            buy(10, 1, 5, tx="t", pool="p"),
            swap(10, "usd", 9, "hop", 4, tx="t", index=1, pool="q"),
            swap(10, "hop", 4, "bbb", 2, tx="t", index=2, pool="r"),
        ), {"aaa": ["p"], "bbb": ["q", "r"]})

    def test_both_sides_of_token_for_token_have_the_same_pools(self):
        self.assertEqual(self.pools(
            swap(10, "aaa", 2, "hop", 4, tx="t", pool="p"), swap(10, "hop", 4, "bbb", 1, tx="t", index=1, pool="q"),
        ), {"aaa": ["p", "q"], "bbb": ["p", "q"]})

    def test_another_wallet_in_the_transaction_does_not_count(self):
        out = run(buy(10, 1, 5, tx="t", pool="p"), buy(10, 1, 5, tx="t", index=1, wallet="v", pool="q"))
        self.assertEqual([(t["wallet"], t["pools"]) for t in out["trades"]], [("w", ["p"]), ("v", ["q"])])

    def test_a_swap_of_a_token_for_itself_is_no_part_of_a_route(self):
        self.assertEqual(self.pools(
            buy(10, 1, 5, tx="t", pool="p"), swap(10, "aaa", 1, "aaa", 1, tx="t", index=1, pool="q"),
        ), {"aaa": ["p"]})


class PoolCandles(Case):
    def test_a_pool_has_candles_of_its_own_swaps(self):
        # In the minute of 60: p prints 10 and 12, q prints 99. Volume 10 + 24 USD, 2 swaps.
        # q is not the pool of the first vote: its print is suspect while there are fewer than three votes.
        out = run(buy(60, 1, 10, pool="p"), buy(70, 1, 99, pool="q"), sell(80, 2, 24, pool="p"), buy(90, 1, 50),
                  candle_intervals=[60])
        self.assertEqual(out["pools"]["p"]["candles"]["aaa"]["60"], [[60, 10.0, 12.0, 10.0, 12.0, 34.0, 2, 0]])
        self.assertEqual(out["pools"]["q"]["candles"]["aaa"]["60"], [[60, 99.0, 99.0, 99.0, 99.0, 99.0, 1, 1]])
        # Every price is over all pools unless one is named: 10 + 99 + 24 + 50 USD.
        self.assertEqual(out["candles"]["aaa"]["60"], [[60, 10.0, 99.0, 10.0, 50.0, 183.0, 4, 1]])
        self.assertEqual(out["prices"]["aaa"]["usd_price"], 50.0)

    def test_both_tokens_of_a_pool_have_candles_and_no_other_token(self):
        out = run(buy(60, 2, 10, pool="p"), buy(61, 1, 1, "bbb", pool="q"), candle_intervals=[60])
        self.assertEqual(sorted(out["pools"]["p"]["candles"]), ["aaa", "usd"])
        self.assertEqual(out["pools"]["p"]["candles"]["usd"]["60"], [[60, 1.0, 1.0, 1.0, 1.0, 10.0, 1, 0]])

    def test_values_in_a_pool_are_those_that_the_whole_market_gives(self):
        # p alone never saw a price of sol; q printed 50 a second before: 2 sol are 100 USD, 25 a token.
        out = run(swap(60, "usd", 50, "sol", 1, pool="q"), swap(61, "sol", 2, "aaa", 4, pool="p"),
                  candle_intervals=[60])
        self.assertEqual(out["pools"]["p"]["candles"]["aaa"]["60"], [[60, 25.0, 25.0, 25.0, 25.0, 100.0, 1, 0]])

    def test_the_token_of_a_pool_is_no_quote_token_and_else_the_first_by_address(self):
        def token(*rows):
            return run(*rows)["pools"]["p"]["token"]
        self.assertEqual(token(swap(1, "usd", 5, "zzz", 1, pool="p")), "zzz")
        self.assertEqual(token(swap(1, "zzz", 5, "bbb", 1, pool="p")), "bbb")
        self.assertEqual(token(swap(1, "usd", 5, "tether", 5, pool="p")), "tether")
        # A pool of three: the quote token's address sorts before the two others.
        self.assertEqual(token(swap(1, "sol", 5, "zzz", 1, pool="p"), swap(2, "zzz", 5, "yyy", 1, pool="p")), "yyy")

    def test_a_pool_that_only_swapped_a_token_for_itself_is_unknown(self):
        self.assertEqual(run(swap(1, "usd", 5, "usd", 5, pool="p"))["pools"], {})

    def test_a_pool_is_unknown_before_its_first_swap(self):
        out = run(buy(10, 1, 5, pool="p"), buy(20, 1, 5, "bbb", pool="q"), as_of=19)
        self.assertEqual(list(out["pools"]), ["p"])


if __name__ == "__main__":
    unittest.main()
