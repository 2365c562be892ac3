"""Cases of the native price, worked by hand from the rule: nine votes, three of a wallet, their lower median."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import Case, configured, price, run, swap
from native_price import NativeVote, price_of

NEAR, LATER = 20_000, 10**6


def sold(time, usd, wallet=None, **more):
    """One SOL for so many USD, by a wallet of its own unless one is named."""
    return swap(time, "sol", 1, "usd", usd, wallet=wallet or f"w{time}", **more)


def by_feed(time, usd, **more):
    """One SOL for a token, and a feed alone says what it is worth."""
    return swap(time, "sol", 1, "aaa", 1, wallet=f"f{time}", usd_amount_in=usd, **more)


class NativePrices(Case):
    def after(self, *rows, time=NEAR, **more):
        """What one SOL is worth in a swap at the time."""
        out = run(*rows, swap(time, "sol", 1, "zzz", 1, wallet="asks"), **{"config": configured(), **more})
        return out["swaps"][-1]["usd_amount_in"]

    def test_the_newest_within_a_quarter_of_the_lower_median(self):
        def found(*prices):
            """Prices from the newest."""
            return price_of([NativeVote(0, p, "w", True) for p in prices])
        self.assertEqual(found(100), 100)
        # The lower median of two is the lower one: 125 is exactly a quarter over 100, 126 is more.
        self.assertEqual((found(125, 100), found(126, 100)), (125, 100))
        # Of 80 and 100 it is 80; 100 = 80 x 1.25.
        self.assertEqual((found(80, 100), found(100, 80), found(101, 80)), (80, 100, 80))
        # Of 1, 100, 100, 101 it is 100: 1 is far off, and the newest near it is 101.
        self.assertEqual(found(1, 101, 100, 100), 101)
        self.assertEqual(found(79, 100, 100, 101), 100)
        self.assertEqual(found(80, 100, 100, 101), 80)

    def test_nine_votes_count(self):
        # Nine at 100 after nine at 10; and nine at 100, of which the oldest leaves with each at 10: the fifth turns it.
        self.assertEqual(self.after(*[sold(k, 10) for k in range(9)], *[sold(20 + k, 100) for k in range(9)]), 100.0)
        before = [sold(k, 100) for k in range(9)]
        for n, expected in [(4, 100.0), (5, 10.0)]:
            self.assertEqual(self.after(*before, *[sold(20 + k, 10) for k in range(n)]), expected)

    def test_a_wallet_has_three_of_them(self):
        # Three at 100 of others, fifty at 1 of one wallet: 1, 1, 1, 100, 100, 100 has the lower median 1. With a
        # fourth other it is 100.
        flood = [sold(50 + k, 1, "v") for k in range(50)]
        self.assertEqual(self.after(*[sold(k, 100) for k in range(3)], *flood), 1.0)
        self.assertEqual(self.after(*[sold(k, 100) for k in range(4)], *flood), 100.0)

    def test_one_small_swap_moves_nothing(self):
        # 0.15 USD for 0.15 SOL after twenty at 10,000 USD; and 5 USD for 1e-9 SOL.
        before = [sold(k, 10_000) for k in range(20)]
        self.assertEqual(self.after(*before, swap(30, "usd", 0.15, "sol", 0.15, wallet="v")), 10_000.0)
        self.assertEqual(self.after(*before, swap(30, "usd", 5, "sol", 1e-9, wallet="v")), 10_000.0)

    def test_a_vote_is_too_old_after_the_greatest_age_of_a_reference_price(self):
        rows = [sold(100, 50)]
        self.assertEqual((self.after(*rows, time=90_100), self.after(*rows, time=90_101)), (50.0, None))
        # Too old votes leave before three of a wallet and nine in all are counted.
        config = configured(reference_max_age=60)
        self.assertEqual(self.after(sold(0, 10), sold(1, 10), sold(100, 50), time=120, config=config), 50.0)

    def test_dust_and_what_has_no_voice_does_not_vote(self):
        self.assertEqual(self.after(swap(1, "sol", 1, "usd", 0.09)), None)
        # In and out through one pool in one transaction; through two it has a voice, and the last of them votes.
        trip = [sold(1, 50, "v", tx="t", pool="p"), swap(1, "usd", 70, "sol", 1, tx="t", index=1, wallet="v", pool="p")]
        self.assertEqual(self.after(*trip), None)
        trip[1]["pool"] = "q"
        self.assertEqual(self.after(*trip), 70.0)

    def test_a_transaction_votes_once_and_only_for_later_ones(self):
        # Five sales of one transaction are one vote: of 100 and 10 the lower median is 10, of three it is 100.
        rows = [sold(1, 100), *[sold(2, 10, f"x{k}", tx="t", index=k) for k in range(5)]]
        self.assertEqual(self.after(*rows), 10.0)
        self.assertEqual(self.after(sold(0, 100), *rows), 100.0)
        # In the same transaction SOL still has no price, or the one before.
        spend = swap(5, "sol", 1, "aaa", 1, tx="t", index=1)
        out = run(sold(5, 100, tx="t"), spend)
        self.assertEqual([s["usd_amount_in"] for s in out["swaps"]], [100.0, None])
        out = run(sold(1, 90), sold(5, 100, tx="t"), spend)
        self.assertEqual([s["usd_amount_in"] for s in out["swaps"]], [90.0, 100.0, 90.0])

    def test_the_price_after_a_swap_knows_the_votes_of_its_transaction(self):
        # aaa for 100 USD, and in the same transaction SOL is sold at 50: the trade is 2 SOL.
        out = run(swap(5, "usd", 100, "aaa", 4, tx="t"), sold(5, 50, "v", tx="t", index=1))
        self.fields(next(t for t in out["trades"] if t["token"] == "aaa"), usd_amount=100.0, native_amount=2.0)

    def test_what_the_native_price_itself_values_does_not_vote(self):
        # One vote at 100 at second 0; purchases at that price do not keep it alive.
        rows = [sold(0, 100), *[swap(k, "sol", 1, "aaa", 1, wallet=f"x{k}") for k in range(60_000, 60_006)]]
        self.assertEqual(self.after(*rows, time=90_001), None)
        # So with a reference price: it values swaps, and is no vote when it is too old.
        spend = [swap(k, "sol", 1, "aaa", 1, wallet=f"x{k}") for k in range(60_000, 60_006)]
        self.assertEqual(self.after(*spend, time=90_001, prices=[price(0, 100)]), None)

    def test_a_reference_price_holds_until_five_votes_are_newer(self):
        prices = [price(100, 200)]
        for rows, expected in [
            ([sold(101 + k, 150) for k in range(4)], 200.0),
            ([sold(101 + k, 150) for k in range(5)], 150.0),
            # At equal times the reference.
            ([sold(100, 150), *[sold(101 + k, 150) for k in range(4)]], 200.0),
            # Five of one wallet are three.
            ([sold(101 + k, 150, "v") for k in range(5)], 200.0),
            # Feeds alone replace no reference.
            ([by_feed(101 + k, 210) for k in range(9)], 200.0),
        ]:
            self.assertEqual(self.after(*rows, prices=prices), expected)
        # A newer reference counts again.
        rows = [sold(101 + k, 150) for k in range(5)]
        self.assertEqual(self.after(*rows, prices=[*prices, price(105, 220)]), 220.0)
        self.assertEqual(self.after(*rows, prices=[*prices, price(99, 220)]), 150.0)

    def test_feed_votes_count_only_where_no_others_do(self):
        rows = [by_feed(k, 300) for k in range(5)]
        self.assertEqual(self.after(*rows), 300.0)
        self.assertEqual(self.after(sold(0, 100, tx="a"), *rows), 100.0)
        # The firm vote of second 0 is too old at 90,001, those of the feed from second 1 on are not.
        self.assertEqual(self.after(sold(0, 100, tx="a"), *rows, time=90_001), 300.0)
        # In one transaction the firm print goes first, though the feed's comes later.
        rows = [sold(1, 100, tx="t"), by_feed(1, 300, tx="t", index=1)]
        self.assertEqual(self.after(*rows), 100.0)

    def test_a_feed_that_agrees_with_a_stable_leg_is_firm(self):
        # 104 beside 100 USD.
        self.assertEqual(self.after(*[by_feed(k, 300) for k in range(9)], sold(20, 100, usd_amount_out=104)), 104.0)

    def test_a_vote_by_a_reference_token_is_as_old_as_its_price(self):
        # MSOL at 120 USD since second 10: one SOL for one MSOL at second 500 votes 120 until 90,010.
        rows, prices = [swap(500, "sol", 1, "msol", 1)], [price(10, 120, "msol")]
        self.assertEqual(self.after(*rows, prices=prices, time=90_010), 120.0)
        self.assertEqual(self.after(*rows, prices=prices, time=90_011), None)
        # One vote at 100 is not firm, so MSOL contradicts a feed of 300 in second 500 and votes 120, as of second 10:
        # the vote of second 480 is the newest.
        rows = [sold(480, 100), swap(500, "sol", 1, "msol", 1, usd_amount_in=300)]
        self.assertEqual(self.after(*rows, prices=prices), 100.0)
        self.assertEqual(self.after(rows[1], prices=prices), 120.0)
        # A stable at its own reference price says it at the time of the swap.
        rows, prices = [sold(500, 100)], [price(10, 0.9, "usd")]
        self.assertEqual((self.after(*rows, prices=prices, time=90_500), self.after(*rows, prices=prices, time=90_501)),
                         (90.0, None))

    def test_a_fee_takes_the_newest_price_of_any_age(self):
        # Votes at 50 and 60: 60 is within a quarter of 50. A feed says 300 in second 20, and counts as long as it holds.
        votes = [sold(0, 50), sold(10, 60), by_feed(20, 300)]

        def fee(time, *rows, prices=()):
            out = run(*rows, swap(time, "xxx", 1, "zzz", 1, wallet="pays", fee_native=0.5), prices=prices,
                      config=configured())
            found = [t for t in out["trades"] if t["wallet"] == "pays"]
            return sum(t["fee_usd"] for t in found) if found[0]["fee_usd"] is not None else None, found[0]["fee_stale"]

        self.assertEqual(fee(15, *votes[:2]), (30.0, False))
        # From second 90,011 on both votes are too old, from 90,021 on that of the feed too.
        self.assertEqual(fee(90_020, *votes), (150.0, False))
        self.assertEqual(fee(90_021, *votes), (30.0, True))
        # A newer reference price goes first when all are too old, and at equal times, too.
        for known, expected in [(9, 30.0), (10, 100.0), (11, 100.0)]:
            self.assertEqual(fee(200_000, *votes, prices=[price(known, 200)]), (expected, True))
        self.assertEqual(fee(15), (None, False))

    def test_the_order_of_arrival_plays_no_part(self):
        rows = [sold(k, 100 + k) for k in range(12)]
        self.assertEqual(self.after(*rows[::-1]), self.after(*rows))


if __name__ == "__main__":
    unittest.main()
