"""Cases of votes, voices, own pools and suspect prints, worked by hand from the rule."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import A, CONFIG, DAY, Case, buy, run, sell, swap
from votes import TokenVotes, Vote, newest, outweighs, third

FACTOR = 5.0


class Market:
    """The votes of one token, fed transaction by transaction; each has one print unless prints are given."""

    def __init__(self):
        self.votes, self.time, self.wallets = TokenVotes(), A, 0

    def print(self, price, usd=10.0, wallet=None, pool="p", voice=True, time=None):
        """A print that is not cast, of a wallet of its own unless one is named."""
        self.wallets += wallet is None
        return Vote(price, usd, wallet or f"w{self.wallets}", pool, self.time if time is None else time,
                    self.votes.print_count, voice, self.votes.is_own(pool))

    def cast(self, *prints):
        self.votes.print_count += len(prints)
        self.votes.cast(prints)
        self.time += 1

    def add(self, *prices, **more):
        for price in prices:
            self.cast(self.print(price, **more))
        return self

    def suspect(self, price, **more):
        return self.votes.contradict(self.print(price, **more), FACTOR)[0]

    def listed(self, time=None):
        """The prices of the list in use, from the newest, and whether it is that of own pools."""
        votes, only_own = self.votes.in_use(self.time if time is None else time)
        return [v.price for v in votes], only_own


class VoteCase(Case):
    def suspects(self, rows, token="aaa", **more):
        """Of each swap of the token, in chain order, whether its print is suspect."""
        return [
            s[f"suspect_{side}"] for s in run(*rows, **more)["swaps"] for side in ("in", "out")
            if s[f"token_{side}"] == token
        ]


class Lists(unittest.TestCase):
    def test_a_wallet_has_three_votes_at_most_its_newest(self):
        market = Market().add(1, 2, 3, 4, wallet="v").add(5)
        self.assertEqual(market.listed(), ([5, 4, 3, 2], False))

    def test_at_most_63_vote(self):
        # Of 64 by 64 wallets the oldest drops out; one that votes again does not push another out.
        market = Market().add(*range(1, 64), pool=None)
        self.assertEqual(market.listed()[0], list(range(63, 0, -1)))
        market.add(64, pool=None)
        self.assertEqual(market.listed()[0], list(range(64, 1, -1)))
        again = Market().add(*range(1, 61), pool=None).add(61, 62, 63, 64, wallet="v", pool=None)
        self.assertEqual(again.listed()[0], [64, 63, 62, *range(60, 0, -1)])

    def test_none_is_over_10000_prints_back(self):
        # A vote, then transactions without a voice. The vote is the first print; of the 10,001st print it is 10,000 back.
        market = Market().add(1)
        market.votes.print_count = 10_000
        self.assertEqual(market.listed()[0], [1])
        market.votes.print_count = 10_001
        self.assertEqual(market.listed()[0], [])

    def test_five_votes_in_own_pools_are_the_list_for_30_days(self):
        market = Market().add(1, 2, 3, 4)
        market.cast(market.print(9, pool="q"))
        # Four votes in own pools: all five count.
        self.assertEqual(market.listed(), ([9, 4, 3, 2, 1], False))
        market.add(5)
        self.assertEqual(market.listed(), ([5, 4, 3, 2, 1], True))
        newest_own = market.time - 1
        self.assertEqual(market.listed(newest_own + 30 * DAY)[1], True)
        self.assertEqual(market.listed(newest_own + 30 * DAY + 1), ([5, 9, 4, 3, 2, 1], False))

    def test_five_votes_of_one_wallet_in_own_pools_are_three(self):
        self.assertEqual(Market().add(1, 2, 3, 4, 5, wallet="v").listed(), ([5, 4, 3], False))

    def test_a_transaction_has_one_vote_its_last_in_an_own_pool_else_its_last_with_a_voice(self):
        market = Market().add(1)
        market.cast(market.print(2), market.print(3), market.print(9, pool="q"), market.print(4, voice=False))
        self.assertEqual(market.listed()[0], [3, 1])
        market.cast(market.print(5, pool="q"), market.print(6, pool="r"), market.print(7, voice=False))
        self.assertEqual(market.listed()[0], [6, 3, 1])
        market.cast(market.print(8, voice=False))
        self.assertEqual(market.listed()[0], [6, 3, 1])


class OwnPools(unittest.TestCase):
    def own(self, market):
        return sorted(market.votes.own, key=str)

    def test_the_pool_of_the_first_vote_is_own_and_before_it_every_pool_is(self):
        market = Market()
        self.assertTrue(market.votes.is_own("p") and market.votes.is_own(None))
        # What has no voice is no vote.
        market.cast(market.print(1, pool="q", voice=False))
        self.assertTrue(market.votes.is_own("p") and market.votes.is_own("q"))
        market.add(1)
        self.assertEqual((market.votes.is_own("p"), market.votes.is_own("q"), market.votes.is_own(None)),
                         (True, False, False))

    def test_prints_without_a_pool_are_in_one_pool(self):
        self.assertEqual(self.own(Market().add(1, 1, pool=None)), [None])

    def test_another_pool_is_own_from_1000_usd_on(self):
        # Own votes of 100 x 2: 10 times as much is 2,000 USD, so 1,000 decide. Nine votes of 100 USD and one of 99.
        market = Market().add(1, 1, usd=100.0).add(*[1] * 9, usd=100.0, pool="q").add(1, usd=99.0, pool="q")
        self.assertEqual(self.own(market), ["p"])
        market.add(1, usd=1.0, pool="q")
        self.assertEqual(self.own(market), ["p", "q"])

    def test_a_vote_counts_at_most_100_usd(self):
        market = Market().add(1, usd=5000.0).add(*[1] * 9, usd=5000.0, pool="q")
        self.assertEqual(self.own(market), ["p"])
        self.assertEqual(self.own(market.add(1, usd=5000.0, pool="q")), ["p", "q"])

    def test_or_from_ten_times_what_own_pools_have(self):
        # 3 USD in p: 30 USD in q.
        market = Market().add(1, usd=3.0).add(1, usd=29.0, pool="q")
        self.assertEqual(self.own(market), ["p"])
        self.assertEqual(self.own(market.add(1, usd=1.0, pool="q")), ["p", "q"])

    def test_votes_of_a_pool_from_before_it_was_own_are_not_among_those_of_own_pools(self):
        # p 3, q 30: q is own, the sum of own votes still 3. A third pool needs 30, and 40 after 1 USD in q.
        market = Market().add(1, usd=3.0).add(1, usd=30.0, pool="q")
        self.assertEqual(self.own(Market().add(1, usd=3.0).add(1, usd=30.0, pool="q").add(1, usd=30.0, pool="r")),
                         ["p", "q", "r"])
        market.add(1, usd=1.0, pool="q").add(1, usd=39.0, pool="r")
        self.assertEqual(self.own(market), ["p", "q"])
        self.assertEqual(self.own(market.add(1, usd=1.0, pool="r")), ["p", "q", "r"])

    def test_own_stays_own(self):
        market = Market().add(1, usd=3.0).add(1, usd=30.0, pool="q").add(*[1] * 20, usd=100.0)
        self.assertEqual(self.own(market), ["p", "q"])

    def test_a_pool_is_own_for_the_next_transaction_only(self):
        market = Market().add(1, usd=3.0)
        market.cast(market.print(2, usd=30.0, pool="q"), market.print(3, usd=30.0, pool="q"))
        self.assertEqual([v.is_own for v in market.votes.votes], [True, False])
        market.add(4, pool="q")
        self.assertEqual([v.is_own for v in market.votes.votes], [True, False, True])


class Few(unittest.TestCase):
    def test_with_fewer_than_three_votes_a_print_is_suspect_outside_the_own_pools(self):
        for n in (1, 2):
            market = Market().add(*[1] * n)
            self.assertEqual((market.suspect(1000), market.suspect(1, pool="q"), market.suspect(1, pool=None)),
                             (False, True, True))

    def test_or_without_a_voice_once_there_is_a_vote(self):
        market = Market()
        self.assertFalse(market.suspect(1000, voice=False))
        market.cast(market.print(1, voice=False))
        self.assertFalse(market.suspect(1000, voice=False))
        self.assertTrue(market.add(1).suspect(1, voice=False))

    def test_three_votes_of_one_wallet_are_three(self):
        # In front it is one of four, at most 5,000; none is under 200 but the three.
        self.assertTrue(Market().add(1, 1, 1, wallet="v").suspect(1000))
        self.assertFalse(Market().add(1, 1, wallet="v").suspect(1000))

    def test_votes_too_far_back_are_votes_all_the_same_for_what_has_no_voice(self):
        market = Market().add(1)
        market.votes.print_count = 20_000
        self.assertEqual((market.suspect(1000), market.suspect(1000, voice=False)), (False, True))


class Falls(unittest.TestCase):
    """Clause 1: a fall needs a third of the newest fifteen votes."""

    def test_five_of_fifteen_make_a_fall_the_print_itself_included(self):
        # Fifteen at 1 USD, then prints at 0.1: the first four are 1 to 4 of 15, the fifth is the fifth.
        market, found = Market().add(*[1] * 15), []
        for _ in range(6):
            found.append(market.suspect(0.1))
            market.add(0.1)
        self.assertEqual(found, [True] * 4 + [False] * 2)

    def test_of_fewer_votes_a_third_rounded_up(self):
        self.assertEqual([third(n) for n in (3, 4, 6, 7, 12, 13, 15)], [1, 2, 2, 3, 4, 5, 5])
        # Three votes and the print: 2 of 4. After one fall of another wallet: 2 of 5.
        market = Market().add(1, 1, 1)
        self.assertTrue(market.suspect(0.1))
        self.assertFalse(market.add(0.1).suspect(0.1))

    def test_one_wallet_alone_makes_a_fall_of_nine_votes_and_not_of_ten(self):
        # Its three votes are 3 of 9 (six others) and k = 3; of 10 (seven others) k = 4.
        for others, suspect in [(6, False), (7, True)]:
            market = Market().add(*[1] * others).add(0.1, 0.1, wallet="v")
            self.assertEqual(market.suspect(0.1, wallet="v"), suspect)
            # Its fourth vote pushes its first out, so more of them change nothing.
            self.assertEqual(market.add(0.1, 0.1, wallet="v").suspect(0.1, wallet="v"), suspect)

    def test_exactly_a_fifth_is_no_fall(self):
        market = Market().add(*[1] * 15)
        self.assertEqual((market.suspect(0.2), market.suspect(0.1999)), (False, True))

    def test_a_print_without_a_voice_or_in_a_foreign_pool_is_not_among_them(self):
        # Ten at 1 USD and four at 0.1: with itself five of fifteen are low; without it four of fourteen.
        market = Market().add(*[1] * 11).add(*[0.1] * 4)
        self.assertEqual([market.suspect(0.1), market.suspect(0.1, voice=False), market.suspect(0.1, pool="q")],
                         [False, True, True])


class Rises(unittest.TestCase):
    """Clauses 2 and 3: fewer than a third of the newest fifteen contradict a rise, and less than half of the value."""

    def test_five_of_fifteen_contradict_a_rise(self):
        # Eleven honest prints of 100 USD each at 10, after fifteen at 1: N is the newest 15. The n-th print has n - 1
        # before it and itself, so 15 - n low ones, fewer than 5 from the 11th on. Clause 3 then has D = 200 (an own
        # pool): the print and the one before it make 200 USD, none of it low: no low vote was met.
        market, found = Market().add(*[1] * 15, usd=100.0), []
        for _ in range(13):
            found.append(market.suspect(10, usd=100.0))
            market.add(10, usd=100.0)
        self.assertEqual(found, [True] * 10 + [False] * 3)

    def test_exactly_five_times_is_no_rise(self):
        market = Market().add(*[1] * 15)
        self.assertEqual((market.suspect(5), market.suspect(5.001)), (False, True))

    def test_small_votes_wait_for_the_value_behind_them(self):
        # The newest 15: eleven at 10 of 1 USD each (the print included) and four at 1 of 100 USD. D = 200 in the own
        # pool: H = 11, then the low ones add 100 and 100, which ends the walk: L = 200 >= 11.
        market = Market().add(*[1] * 15, usd=100.0).add(*[10] * 10, usd=1.0)
        self.assertTrue(market.suspect(10, usd=1.0))
        market = Market().add(*[1] * 15, usd=100.0).add(*[10] * 10, usd=20.0)
        # 11 x 20 = 220 >= 200 before a low one is met.
        self.assertFalse(market.suspect(10, usd=20.0))
        # 10 x 19 + 1 = 191, then 100 low: 291 >= 200, and 100 < 191.
        market = Market().add(*[1] * 15, usd=100.0).add(*[10] * 10, usd=19.0)
        self.assertFalse(market.suspect(10, usd=1.0))

    def test_without_a_named_own_pool_2000_usd_are_weighed(self):
        # 11 x 20 = 220 USD high, then fifteen low ones of 100 USD: 1,500 in all, under 2,000. 1,500 >= 220.
        for pool in (None, "p"):
            market = Market().add(*[1] * 15, usd=100.0, pool=pool).add(*[10] * 10, usd=20.0, pool=pool)
            self.assertEqual(market.suspect(10, usd=20.0, pool=pool), pool is None)

    def test_a_foreign_pool_or_a_missing_voice_has_to_weigh_2000_too(self):
        market = Market().add(*[1] * 15, usd=100.0).add(*[10] * 11, usd=20.0)
        # Eleven of the newest fifteen are at 10, so that clause 2 has nothing to say; the print is not in front.
        self.assertEqual([market.suspect(10), market.suspect(10, voice=False), market.suspect(10, pool="q")],
                         [False, True, True])

    def test_votes_of_all_pools_have_to_weigh_2000_too(self):
        # Three own votes and two of q: list B. Itself and four at 10, two at 1: N = 7 and k = 3, two low ones are
        # fewer. H = 1 + 4 x 30 = 121, L = 200, and D = 2,000 is not reached: 200 >= 121.
        market = Market().add(1, 1, usd=100.0).add(10, 10, usd=30.0).add(10, 10, usd=30.0, pool="q")
        self.assertEqual(market.listed()[1], False)
        self.assertTrue(market.suspect(10, usd=1.0))

    def test_high_votes_older_than_the_kth_low_one_add_nothing(self):
        def votes(*entries):
            return [Vote(p, usd, f"w{k}", "p", A, 0, True, True) for k, (p, usd) in enumerate(entries)]
        # Nine votes: k = 3. From the newest 10, 1, 10, 1, 1, then four at 10: H = 100 + 30, L = 10 x 3 = 30. If D were
        # endless: 30 < 130. With the high ones of 5 USD before: H = 10, L = 30 >= 10, whatever comes after.
        behind = [(10, 100)] * 4
        self.assertFalse(outweighs(votes((10, 100), (1, 10), (10, 30), (1, 10), (1, 10), *behind), 10, FACTOR, 2000.0))
        self.assertTrue(outweighs(votes((10, 5), (1, 10), (10, 5), (1, 10), (1, 10), *behind), 10, FACTOR, 2000.0))

    def test_half_is_enough_to_contradict(self):
        def votes(low):
            return [Vote(p, usd, p, "p", A, 0, True, True) for p, usd in [(10, 50.0), (1, low)]]
        self.assertTrue(outweighs(votes(50.0), 10, FACTOR, 2000.0))
        self.assertFalse(outweighs(votes(49.9), 10, FACTOR, 2000.0))
        # The walk stops at D = 200: 100 + 100, and the low one behind is not met.
        rich = [Vote(10, 500.0, k, "p", A, 0, True, True) for k in range(2)]
        self.assertFalse(outweighs([*rich, *votes(50.0)[1:]], 10, FACTOR, 200.0))

    def test_the_whole_list_is_walked_and_not_only_the_newest_fifteen(self):
        # No pools: D = 2,000. The newest fifteen are all at 10, of 1 USD each; behind them 48 at 1 of 100 USD.
        market = Market().add(*[1] * 48, usd=100.0, pool=None).add(*[10] * 14, usd=1.0, pool=None)
        self.assertTrue(market.suspect(10, usd=1.0, pool=None))
        # H = 14 + 1 = 15; with 62 at 10 of 1 USD before it, all 63 are at 10.
        market.add(*[10] * 48, usd=1.0, pool=None)
        self.assertFalse(market.suspect(10, usd=1.0, pool=None))

    def test_the_print_pushes_its_wallets_fourth_and_the_64th_out(self):
        print_ = Vote(10, 1.0, "v", None, A, 0, True, True)
        votes = [Vote(k, 1.0, "v" if k < 3 else f"w{k}", None, A, 0, True, True) for k in range(63)]
        self.assertEqual([v.price for v in newest([print_, *votes])], [10, 0, 1, *range(3, 63)])
        others = [Vote(k, 1.0, f"w{k}", None, A, 0, True, True) for k in range(63)]
        self.assertEqual([v.price for v in newest([print_, *others])], [10, *range(62)])


class Attacks(VoteCase):
    def test_one_wallets_sixty_buys_at_1_and_a_strangers_50_cents_at_1000(self):
        # Three of the sixty vote: the stranger is one of four, three contradict it, and two would do.
        rows = [buy(A + k, 100, 100) for k in range(60)]
        self.assertEqual(self.suspects([*rows, buy(A + 99, 0.0005, 0.5, wallet="v")]), [False] * 60 + [True])

    def test_four_prints_a_day_are_protected_too(self):
        rows = [buy(A + k * DAY // 4, 100, 100, wallet=f"w{k}") for k in range(8)]
        self.assertEqual(self.suspects([*rows, buy(A + 2 * DAY, 0.0005, 0.5, wallet="v")])[-1], True)
        self.assertEqual(self.suspects([*rows, buy(A + 20 * DAY, 0.0005, 0.5, wallet="v")])[-1], True)

    def test_prints_of_one_transaction_do_not_vote_on_one_another(self):
        # Two votes at 1 USD, then ten swaps at 1,000 in one transaction: fewer than three votes for all of them.
        rows = [buy(A, 10, 10), buy(A + 1, 10, 10)]
        rows += [buy(A + 9, 0.001, 1, tx="t", index=k, wallet="v") for k in range(10)]
        self.assertEqual(self.suspects(rows), [False] * 12)
        # Then there are three votes, one of them at 1,000.
        self.assertEqual(self.suspects([*rows, buy(A + 10, 0.001, 1, wallet="v")])[-1], True)

    def test_a_pool_of_ones_own_raises_no_price(self):
        # Six votes at 1 USD in p; ten buys of 90 USD at 10 USD in q.
        rows = [buy(A + k, 100, 100, wallet=f"w{k}", pool="p") for k in range(6)]
        rows += [buy(A + 100 + k, 9, 90, wallet=f"v{k}", pool="q") for k in range(10)]
        self.assertEqual(self.suspects(rows), [False] * 6 + [True] * 10)


class Voices(VoteCase):
    def voices(self, *rows):
        """By row, whether aaa has a voice: seen in that a print without one is suspect after a vote."""
        first = buy(A - 1, 10, 10, tx="first", pool=rows[0].get("pool"))
        return [not suspect for suspect in self.suspects([first, *rows])[1:]]

    def test_a_transaction_that_moves_a_token_in_and_out_through_a_pool_has_none_in_it(self):
        self.assertEqual(self.voices(buy(A, 10, 10, tx="t", pool="p"), sell(A, 10, 10, tx="t", index=1, pool="p")),
                         [False, False])
        # Of two wallets, too.
        rows = [buy(A, 10, 10, tx="t", pool="p"), sell(A, 10, 10, tx="t", index=1, pool="p", wallet="v")]
        self.assertEqual(self.voices(*rows), [False, False])
        # Two buys, and the same two swaps in two transactions.
        self.assertEqual(self.voices(buy(A, 10, 10, tx="t", pool="p"), buy(A, 10, 10, tx="t", index=1, pool="p")),
                         [True, True])
        self.assertEqual(self.voices(buy(A, 10, 10, tx="t", pool="p"), sell(A + 1, 10, 10, tx="s", pool="p")),
                         [True, True])

    def test_the_other_swap_may_be_of_dust_or_of_unknown_value(self):
        self.assertEqual(self.voices(buy(A, 10, 10, tx="t", pool="p"),
                                     sell(A, 0.01, 0.01, tx="t", index=1, pool="p"))[0], False)
        self.assertEqual(self.voices(buy(A, 10, 10, tx="t", pool="p"),
                                     swap(A, "aaa", 5, "xxx", 1, tx="t", index=1, pool="p"))[0], False)

    def test_a_hop_of_a_route_has_a_voice(self):
        # usd to aaa in p, aaa to usd in q: aaa went in and out, through two pools.
        rows = [buy(A, 10, 10, tx="t", pool="p"), sell(A, 10, 10, tx="t", index=1, pool="q")]
        self.assertEqual(self.voices(*rows)[0], True)

    def test_without_pools_the_other_token_stands_in(self):
        self.assertEqual(self.voices(buy(A, 10, 10, tx="t"), sell(A, 10, 10, tx="t", index=1)), [False, False])
        # Bought for usd, sold for tether: another market.
        rows = [buy(A, 10, 10, tx="t"), swap(A, "aaa", 10, "tether", 10, tx="t", index=1)]
        self.assertEqual(self.voices(*rows), [True, True])
        # One names a pool and one does not.
        rows = [buy(A, 10, 10, tx="t"), sell(A, 10, 10, tx="t", index=1, pool="p")]
        self.assertEqual(self.voices(*rows)[0], True)

    def test_each_leg_has_a_voice_of_its_own(self):
        # usd to aaa and bbb to usd in one pool: usd went in and out, aaa and bbb did not.
        rows = [buy(A, 10, 10, tx="t", pool="p"), sell(A, 10, 10, "bbb", tx="t", index=1, pool="p")]
        self.assertEqual(self.voices(*rows), [True])


class FeedAlone(VoteCase):
    """Token for token, and a feed alone says what that is worth."""

    def traded(self, rows, usd, votes, **more):
        """The trades' values, contradicted swaps and the newest print of aaa after so many votes at 1 USD."""
        rows = [*[buy(A + k, 10, 10, wallet=f"v{k}") for k in range(votes)], *rows,
                swap(A + 99, "bbb", 5, "aaa", 10, usd_amount_in=usd, usd_amount_out=usd, **more)]
        out = run(*rows)
        return [t["usd_amount"] for t in out["trades"] if t["block_time"] == A + 99], out["counts"]["contradicted"], out

    def test_its_trades_are_of_unknown_value_if_it_makes_a_print_suspect(self):
        trades, contradicted, out = self.traded([], 2.357e8, 3)
        self.assertEqual((trades, contradicted), ([None, None], 1))
        # The swap keeps its value, and its prints stay.
        self.fields(out["swaps"][-1], usd_amount_in=2.357e8, valued_by="feed", suspect_out=True, suspect_in=False)
        self.fields(out["prices"]["aaa"], usd_price=2.357e7, suspect=True, clean_usd_price=1.0)
        self.fields(out["wallets"]["w"]["metrics"]["1d"], volume=0.0, unvalued_trade_count=2)
        self.counted(out, added=4, contradicted=1)

    def test_with_fewer_than_three_votes_it_is_believed(self):
        trades, contradicted, _ = self.traded([], 2.357e8, 2)
        self.assertEqual((trades, contradicted), ([2.357e8, 2.357e8], 0))
        # In a foreign pool the print is suspect, and the trade has a value all the same.
        trades, contradicted, out = self.traded([], 2.357e8, 2, pool="q")
        self.assertEqual((trades, contradicted, out["swaps"][-1]["suspect_out"]), ([2.357e8, 2.357e8], 0, True))

    def test_what_agrees_with_the_votes_is_believed(self):
        trades, contradicted, _ = self.traded([], 20, 3)
        self.assertEqual((trades, contradicted), ([20.0, 20.0], 0))

    def test_the_votes_of_the_other_token_contradict_it_too(self):
        # bbb was at 1,000 USD three times; 10 aaa have no past.
        rows = [buy(A + 50 + k, 1, 1000, "bbb", wallet=f"u{k}") for k in range(3)]
        trades, contradicted, out = self.traded(rows, 20, 0)
        self.assertEqual((trades, contradicted), ([None, None], 1))
        self.fields(out["swaps"][-1], suspect_in=True, suspect_out=False)

    def test_its_prints_vote(self):
        # Three at 1 USD, then feed prints at 10 of other wallets: the votes that contradict are three of 4, 5, 6, 7
        # votes (k = 2, 2, 2, 3), of 8, 9 and 10 (k = 3, 3, 4). The seventh is one of ten: three low ones are fewer
        # than four. No pools: L = 3 x 10 USD against H = 7 x 100.
        rows = [buy(A + k, 10, 10, wallet=f"v{k}") for k in range(3)]
        rows += [swap(A + 9 + k, "bbb", 5, "aaa", 10, wallet=f"f{k}", usd_amount_out=100) for k in range(7)]
        out = run(*rows)
        self.assertEqual([s["suspect_out"] for s in out["swaps"]], [False] * 3 + [True] * 6 + [False])
        self.counted(out, added=10, contradicted=6)

    def test_a_leg_of_a_quote_token_is_another_rule(self):
        rows = [*[buy(A + k, 10, 10, wallet=f"v{k}") for k in range(3)],
                swap(A + 99, "sol", 5, "aaa", 10, usd_amount_out=1e6)]
        out = run(*rows)
        self.fields(out["swaps"][-1], suspect_out=True, usd_amount_in=1e6)
        self.fields(out["trades"][-1], usd_amount=1e6)
        self.counted(out, added=4)

    def test_its_value_is_unknown_in_a_trade_of_several_swaps(self):
        # xxx to hop for a feed's 5 USD, hop to aaa for a contradicted 1e8: aaa's own value is unknown.
        rows = [buy(A + k, 10, 10, wallet=f"v{k}") for k in range(3)]
        rows += [swap(A + 9, "xxx", 5, "hop", 1, tx="t", usd_amount_in=5),
                 swap(A + 9, "hop", 1, "aaa", 10, tx="t", index=1, usd_amount_in=1e8)]
        out = run(*rows)
        self.assertEqual([(t["token"], t["usd_amount"]) for t in out["trades"][3:]], [("xxx", 5.0), ("aaa", None)])


if __name__ == "__main__":
    unittest.main()
