"""The ledger by hand: the twelve histories of the transfers specification, its rules one by one, its laws."""
import random
import unittest
from collections import Counter

from cases import CONFIG, Case, buy, run, sell, swap
from oracle import compute

A = 1_700_000_000
PAIR = ("ann", "aaa")
BALANCES = {"in": ("pre_token_balance_in", "post_token_balance_in"), "out": ("pre_token_balance_out", "post_token_balance_out")}


def told(side, pre, post):
    return dict(zip(BALANCES[side], (pre, post)))


def bought(time, amount, usd, pre=None, post=None, **more):
    return buy(A + time, amount, usd, wallet="ann", **told("out", pre, post), **more)


def sold(time, amount, usd, pre=None, post=None, **more):
    return sell(A + time, amount, usd, wallet="ann", **told("in", pre, post), **more)


def moved(time, amount, to=None, token="aaa", tx=None, index=0, **more):
    """A transfer into ann's wallet, or out of it where the amount is below 0."""
    far = to or "someone"
    sides = {"from": far, "to": "ann"} if amount > 0 else {"from": "ann", "to": far}
    return {"tx_hash": tx or f"m{time:06d}", "transfer_index": index, "block_time": A + time, "token": token,
            "token_amount": abs(amount), **sides, **more}


class LedgerCase(Case):
    def after(self, *rows, token="aaa", **more):
        swaps = [r for r in rows if "swap_index" in r]
        transfers = [r for r in rows if "transfer_index" in r]
        self.out = compute(more.pop("config", CONFIG), swaps, transfers=transfers, include=("positions",), **more)
        found = [p for p in self.out["positions"].values() if p["token_address"] == token]
        self.position = found[0] if found else None
        return self.out

    def pnls(self, token="aaa"):
        return [t["realized_pnl_usd"] for t in self.out["trades"] if t["token"] == token and t["direction"] == "sell"]

    def states(self, token="aaa"):
        return [t["position_state"] for t in self.out["trades"] if t["token"] == token]

    def holds(self, **expected):
        self.fields(self.position["holding"], **expected)

    def is_in(self, state, opened=None, closed=None):
        self.fields(self.position["metadata"], state=state, opened_at=opened and A + opened, closed_at=closed and A + closed)


class TwelveHistories(LedgerCase):
    def test_01_lots_that_were_away_come_back_and_are_sold(self):
        self.after(bought(1, 10, 100, 0, 10), bought(2, 1, 10, 0, 1), sold(3, 11, 220, 11, 0))
        self.assertEqual(self.pnls(), [110])
        self.assertEqual([t["gap_before"] for t in self.out["trades"]], [0, -10, 10])
        self.assertEqual([t["returned_cost"] for t in self.out["trades"]], [0, 0, 100])

    def test_02_an_order_waits_elsewhere(self):
        self.after(bought(1, 20, 200, 0, 20), sold(2, 10, 200, 10, 10), sold(3, 10, 200, 10, 0))
        self.assertEqual(self.pnls(), [100, 100])
        self.assertEqual(self.states(), ["open", "trade", "close"])

    def test_03_a_sell_of_what_left_has_come_back_unseen(self):
        self.after(bought(1, 10, 100, 0, 10), moved(2, -10), sold(3, 10, 200, 0, 0))
        self.assertEqual(self.pnls(), [100])
        self.assertEqual(self.out["ledger"]["contradicted_balances"], 1)
        self.assertIsNone(self.out["trades"][1]["pre_token_balance"])

    def test_04_a_deposit_that_returns_keeps_its_cost(self):
        self.after(bought(1, 100, 1000), moved(2, -100), moved(3, 100), sold(4, 100, 100))
        self.assertEqual(self.pnls(), [-900])
        self.assertEqual(self.states(), ["open", "close"])

    def test_05_in_one_slot_the_trade_whose_pre_is_the_balance_comes_first(self):
        self.after(
            bought(1, 10, 100, 0, 10, tx="b", block_slot=7), bought(1, 10, 100, 10, 20, tx="a", block_slot=7),
            sold(2, 20, 400, 20, 0, block_slot=8),
        )
        self.assertEqual(self.pnls(), [200])
        self.assertEqual([t["gap_before"] for t in self.out["trades"]], [0, 0, 0])

    def test_06_a_transfer_within_the_transaction_is_no_tax(self):
        self.after(bought(1, 100, 100, 0, 70, tx="x"), moved(1, -30, tx="x"), sold(2, 70, 140, 70, 0))
        self.assertEqual(self.pnls(), [70])
        self.holds(away_amount=30.0, away_cost=30.0, balance=0.0)

    def test_07_tokens_that_come_with_a_cost_are_sold_in_their_transaction(self):
        self.after(moved(1, 10, tx="x", cost_usd=150), sold(1, 10, 200, tx="x"))
        self.assertEqual(self.pnls(), [50])
        self.is_in("closed", 1, 1)
        self.assertEqual(self.states(), ["close"])

    def test_08_fees_and_rent_of_the_native_token_are_no_tax(self):
        self.after(
            swap(A + 1, "usd", 1, "sol", 0.0059, wallet="ann", **told("out", 1.0, 1.0037)),
            swap(A + 2, "sol", 0.0059, "usd", 1, wallet="ann", **told("in", 1.0037, 0.9978)), token="sol",
        )
        self.assertEqual(self.pnls("sol"), [0])

    def test_09_more_than_half_is_no_tax(self):
        self.after(bought(1, 100, 100, 100, 60))
        self.holds(cost_basis=60.0, away_amount=40.0, away_cost=40.0, arrived_amount=0.0)

    def test_10_rows_of_all_movements_show_the_tax(self):
        self.after(
            bought(1, 100, 100, tx="x"), moved(1, 95, tx="x", includes_swaps=True),
            sold(2, 95, 95, tx="y"), moved(2, -95, tx="y", includes_swaps=True),
        )
        self.assertEqual(self.pnls(), [-5])

    def test_11_lots_are_sold_before_what_arrived(self):
        self.after(sold(1, 5, 50, 20, 15), bought(2, 5, 40, 15, 20), sold(3, 20, 200, 20, 0))
        self.assertEqual(self.pnls(), [None, 10])
        self.fields(self.position["metrics"]["1d"], unmatched_proceeds=200.0, unmatched_share=80.0)

    def test_12_quote_tokens_are_spent_for_good(self):
        price = {"token": "sol", "time": A, "usd_price": 200}
        self.after(
            swap(A + 1, "usd", 2000, "sol", 10, wallet="ann"), swap(A + 2, "sol", 8, "aaa", 5, wallet="ann"),
            swap(A + 3, "aaa", 5, "sol", 16, wallet="ann"), swap(A + 4, "sol", 18, "usd", 4500, wallet="ann"),
            token="sol", reference_prices=[price],
        )
        self.assertEqual(self.pnls("sol"), [100])
        self.holds(spent_cost=1600.0, balance=0.0)
        self.fields(self.position["metrics"]["1d"], unmatched_proceeds=4000.0)
        self.is_in("closed", 1, 4)


class Rules(LedgerCase):
    def test_the_example_of_the_specification_has_the_cost_of_what_is_here(self):
        self.after(
            bought(1, 10, 100, None, 10), bought(2, 10, 200, 2, 12), sold(3, 6, 180, 12, 6),
        )
        self.assertEqual(self.pnls(), [80])
        self.holds(cost_basis=120.0, unrealized_pnl=60.0, away_amount=8.0, away_cost=80.0)

    def test_half_of_the_spent_native_token_is_here_at_its_cost(self):
        self.after(
            swap(A + 1, "usd", 2000, "sol", 10, wallet="ann"), swap(A + 2, "sol", 8, "aaa", 5, wallet="ann"),
            reference_prices=[{"token": "sol", "time": A, "usd_price": 100}], token="sol",
        )
        self.holds(cost_basis=400.0, unrealized_pnl=-200.0, spent_cost=1600.0)

    def test_all_spent_is_closed(self):
        self.after(
            swap(A + 1, "usd", 2000, "sol", 10, wallet="ann"), swap(A + 2, "sol", 10, "aaa", 5, wallet="ann"),
            token="sol",
        )
        self.is_in("closed", 1, 2)

    def test_a_buy_after_which_less_came_costs_as_much(self):
        self.after(bought(1, 100, 100, 0, 95), sold(2, 95, 95, 95, 0))
        self.assertEqual(self.pnls(), [-5])

    def test_a_sell_after_which_more_is_gone_takes_more_of_the_lots(self):
        self.after(bought(1, 100, 100, 0, 100), sold(2, 90, 180, 100, 0))
        self.assertEqual(self.pnls(), [80])
        self.fields(self.out["trades"][1], matched=90.0, cost=100.0, proceeds=180.0)

    def test_without_a_reported_balance_before_there_is_no_tax(self):
        self.after(bought(1, 100, 100, None, 95))
        self.holds(cost_basis=95.0, away_cost=5.0)

    def test_rows_beside_the_amounts_of_the_pool_are_not_taxed(self):
        self.after(bought(1, 100, 100, 0, 95, pool_amount_in=100, pool_amount_out=110))
        self.holds(cost_basis=95.0, away_cost=5.0)

    def test_a_feed_that_reports_around_each_swap_is_read_so(self):
        # 5 come in, then the feed reports 5 and 15 around the swap, then 3 leave.
        self.after(
            bought(1, 10, 100, 5, 15, tx="x"), moved(1, 5, tx="x"), moved(1, -3, tx="x", index=1),
        )
        self.assertEqual(self.out["trades"][0]["gap_before"], 0)
        self.holds(balance=12.0, cost_basis=100.0, arrived_amount=2.0)

    def test_a_gap_of_a_millionth_is_none(self):
        self.after(bought(1, 10, 100, 0, 10), bought(2, 10, 100, 9.999999, 19.999999))
        self.assertEqual(self.out["trades"][1]["gap_before"], 0)
        self.holds(balance=19.999999)

    def test_what_leaves_closes_and_what_returns_opens_without_an_entry(self):
        self.after(bought(1, 10, 100), moved(5, -10))
        self.is_in("closed", 1, 5)
        self.after(bought(1, 10, 100), moved(5, -10), moved(9, 4), bought(11, 1, 10))
        self.is_in("open", 9)
        self.assertEqual(self.states(), ["open", "trade"])
        self.holds(cost_basis=50.0, away_cost=60.0)

    def test_transfers_of_wallets_without_a_swap_count_nothing_and_earlier_ones_do(self):
        out = self.after(bought(9, 10, 100), moved(1, 7, to="bob"))
        self.holds(balance=17.0, arrived_amount=7.0)
        self.assertNotIn("bob", out["portfolio"])

    def test_one_row_with_the_flag_makes_it_the_transactions(self):
        self.after(
            bought(1, 100, 100, tx="x"), moved(1, 60, tx="x"), moved(1, 40, tx="x", index=1, includes_swaps=True),
        )
        self.holds(balance=100.0, cost_basis=100.0, arrived_amount=0.0)

    def test_rows_of_a_native_token_with_legs_are_left_out_where_the_flag_is(self):
        self.after(
            swap(A + 1, "usd", 200, "sol", 1, wallet="ann", tx="x"),
            moved(1, 5, token="sol", tx="x", includes_swaps=True), token="sol",
        )
        self.holds(balance=1.0)

    def test_nothing_comes_back_as_the_balance_falls(self):
        # A rest of 5e-8 of 100 goes to the 0.001 that are away. 2e-8 of it is there at the next buy, and opens nothing.
        rows = bought(1, 100, 100), moved(2, -0.001), sold(3, 99.99899995, 120)
        self.after(*rows, bought(4, 10, 50, 2e-8, 10.00000002))
        self.assertEqual(self.states(), ["open", "close", "open"])
        self.is_in("open", opened=4)
        self.assertAlmostEqual(self.position["holding"]["away_amount"], 0.00100005, delta=1e-12)
        self.holds(cost_basis=50.0)

    def test_what_is_given_before_it_is_received_had_come_back(self):
        # 4 are given of a balance of 0, then 6 come: a buy of 2 for 10, and 4 of the 10 that are away are here.
        self.after(bought(1, 10, 100), moved(2, -10), sold(3, 4, 80, tx="t"), bought(3, 6, 90, tx="t", index=1))
        self.assertEqual(self.states(), ["open", "open"])
        self.holds(balance=6.0, away_amount=6.0, away_cost=60.0, cost_basis=50.0)

    def test_more_than_64_lots_that_are_away_become_one(self):
        rows = []
        for i in range(70):
            rows += [bought(10 * i, 1, i + 1), moved(10 * i + 5, -1)]
        self.after(*rows)
        self.holds(away_amount=70.0, away_cost=2485.0)
        self.assertEqual(self.out["decided"]["merged_away"], 6)
        # The seven oldest are one lot of 28 / 7.
        self.after(*rows, sold(900, 70, 70))
        self.fields(self.out["trades"][-1], cost=2485.0)


class Order(LedgerCase):
    def test_a_movement_that_closes_a_gap_comes_before_its_trade(self):
        self.after(
            bought(0, 10, 100, 0, 10), sold(5, 4, 80, 6, 2, tx="a"), moved(5, -4, tx="z"),
        )
        self.assertEqual(self.out["trades"][1]["gap_before"], 0)
        self.assertEqual(self.out["decided"]["order_closes_gap"], 1)

    def test_what_has_an_index_keeps_its_order(self):
        self.after(
            bought(1, 10, 100, tx="b", block_slot=1, tx_index=2), sold(1, 10, 150, tx="a", block_slot=1, tx_index=3),
        )
        self.assertEqual(self.pnls(), [50])

    def test_without_balances_in_comes_first_and_out_last(self):
        self.after(
            moved(1, -10, tx="a"), sold(1, 10, 150, tx="b"), moved(1, 10, tx="c", cost_usd=100),
        )
        self.assertEqual(self.pnls(), [50])


class Laws(LedgerCase):
    def random_rows(self, rng, reports):
        rows, held = [], 0.0
        for i in range(30):
            kind, amount, time = rng.choice("bbssio"), float(rng.randint(1, 32)), 100 * i
            pre = held
            if kind == "b":
                held += amount
                rows.append(bought(time, amount, amount * rng.randint(1, 9), *([pre, held] if reports else [])))
            elif kind == "s" and held > 0:
                amount = min(amount, held)
                held -= amount
                rows.append(sold(time, amount, amount * rng.randint(1, 9), *([pre, held] if reports else [])))
            elif kind == "i":
                held += amount
                rows.append(moved(time, amount, **({"cost_usd": 3 * amount} if rng.random() < 0.5 else {})))
            elif kind == "o" and held > 0:
                amount = min(amount, held)
                held -= amount
                rows.append(moved(time, -amount))
        return rows

    def facts(self, *rows):
        self.after(*rows)
        return [(t["tx_hash"], t["realized_pnl_usd"], t["cost"], t["matched"]) for t in self.out["trades"]], self.position["holding"]

    def test_what_was_bought_and_given_is_realised_here_away_or_spent(self):
        for seed in range(40):
            rng = random.Random(seed)
            rows = self.random_rows(rng, seed % 2)
            if not any("swap_index" in r for r in rows):
                continue
            _, held = self.facts(*rows)
            put_in = sum(r["token_amount_in"] for r in rows if r.get("token_in") == "usd")
            given = sum(r.get("cost_usd") or 0 for r in rows)
            taken = sum(t["cost"] or 0 for t in self.out["trades"])
            rest = sum(held[name] or 0 for name in ("cost_basis", "away_cost", "spent_cost"))
            self.near(taken + rest, float(put_in + given))

    def test_rows_may_arrive_in_any_order(self):
        for seed in range(20):
            rng = random.Random(seed)
            rows = self.random_rows(rng, seed % 2)
            before = self.facts(*rows)
            rng.shuffle(rows)
            self.assertEqual(self.facts(*rows), before)

    def test_splitting_a_transfer_changes_nothing(self):
        for seed in range(20):
            rows = self.random_rows(random.Random(seed), seed % 2)
            before = self.facts(*rows)
            split = []
            for r in rows:
                if "transfer_index" not in r:
                    split.append(r)
                    continue
                cost = r.get("cost_usd")
                for index, share in ((0, 0.25), (1, 0.75)):
                    part = {**r, "transfer_index": index, "token_amount": r["token_amount"] * share}
                    split.append({**part, "cost_usd": None if cost is None else cost * share})
            self.assertEqual(self.facts(*split), before)

    def test_transfers_that_only_explain_gaps_change_no_result(self):
        for seed in range(20):
            rows = [{**r, "cost_usd": None} if "transfer_index" in r else r for r in self.random_rows(random.Random(seed), True)]
            with_all, held = self.facts(*rows)
            without, held_without = self.facts(*[r for r in rows if "swap_index" in r])
            self.assertEqual(with_all, without)

    def test_arrivals_without_cost_change_no_result_while_nothing_is_away(self):
        for seed in range(20):
            rows = [r for r in self.random_rows(random.Random(seed), False) if "swap_index" in r]
            before, _ = self.facts(*rows)
            after, _ = self.facts(*rows, *[moved(100 * i + 50, 5, index=9) for i in range(0, 30, 3)])
            self.assertEqual(before, after)


class Reading(LedgerCase):
    def test_rows_are_counted_by_what_became_of_them(self):
        one = moved(1, 5)
        out = self.after(
            bought(0, 1, 1), one, dict(one), {**one, "token_amount": 6}, {**one, "block_time": A + 2, "block_slot": 4},
            moved(3, 0.0000001, index=1, token_amount=0), {**moved(4, 5), "token_amount": -1},
            {**moved(5, 5), "from": None, "to": None}, {**moved(6, 5), "includes_swaps": "perhaps"},
        )
        self.assertEqual(out["transfer_counts"], {"added": 1, "duplicate": 2, "conflict": 1, "rejected": 3, "empty": 1})


if __name__ == "__main__":
    unittest.main()
