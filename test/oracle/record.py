"""The record of a wallet: what all its trades add up to, and what it holds (metrics spec, "Record")."""
from exact import Est, divide, est_sum, exactly, positive_sum, total
from market import product
from metrics import DAY, cost_sum, finish, known_usd, losses_of, pnl_sum, results_of, roi_of, winrate_of, wins_of
from pair import amount_of, as_float, cost_of
from swaps import is_self_swap

LIFETIME = """
since first_trade_at trade_count volume token_count position_count
realized_pnl realized_cost realized_roi realized_pnl_native
win_count loss_count winrate days_active
unmatched_proceeds unmatched_share away_cost away_share
best_token_share thin_share suspect_share
""".split()
HOLDING = """
value quote_value cost_basis unrealized_pnl total_pnl open_count unknown_count
largest_share stale_share sunk_count sunk_loss
token_win_count token_loss_count token_winrate away_pnl floor_pnl
""".split()
# A token is thin below so many other wallets that bought it for so much USD each.
CROWD, BOUGHT = 20, 10
# Above so many trades nobody asks which of them were at suspect prints.
MOST_TRADES = 5000
STALE, OLD = 7 * DAY, 30 * DAY
FIFTH = 5
ROUNDING = 1e-9
NOTHING = Est(0.0, 0.0)


def loss(e):
    """min(0, e), of the same size."""
    return Est(min(0.0, e.value), e.scale)


def by_token(trades):
    """Tokens in the order of their addresses."""
    found = {}
    for t in trades:
        found.setdefault(t["token"], []).append(t)
    return dict(sorted(found.items()))


class TokenRecord:
    """What a wallet made of one token, what it has of it and what it sent away."""

    def __init__(self, trades, pair, balance, mark, as_of):
        self.trades, self.pair, self.mark = trades, pair, mark
        self.realized = pnl_sum(results_of(trades))
        self.bought = positive_sum(known_usd(t for t in trades if t["direction"] == "buy"))
        price = mark and mark.usd_price
        self.age = mark and as_of - mark.block_time
        self.value = product(balance, price)
        lots = pair.known_lots() if pair else []
        away = [lot for lot in pair.away if lot.unit_cost is not None] if pair else []
        self.is_open = pair is not None and pair.state == "open"
        self.cost = positive_sum([as_float(lot.cost) for lot in lots])
        self.worth = product(positive_sum([as_float(lot.amount) for lot in lots]).value, price)
        self.away_cost = Est(as_float(cost_of(away)), as_float(pair.size) if pair else 0.0)
        ever = as_float(max(pair.received, pair.bought, pair.balance)) if pair else 0.0
        gone = as_float(amount_of(away))
        self.away_worth = None if price is None else Est(gone * price, max(gone, ever) * price)
        self.is_unknown = self.is_open and (price is None or any(lot.unit_cost is None for lot in pair.here))

    def unrealized(self):
        """Of the lots that are here. Without a price they add nothing."""
        return NOTHING if self.worth is None else Est(self.worth - self.cost.value, self.worth + self.cost.value)

    def away_pnl(self):
        """Of the lots that are away, a loss or nothing."""
        if self.away_worth is None:
            return NOTHING
        return loss(Est(self.away_worth.value - self.away_cost.value, self.away_worth.scale + self.away_cost.scale))

    def is_sunk(self):
        if not self.is_open or self.mark is None:
            return False
        return self.age > OLD or self.worth is not None and self.worth < self.cost.value / FIFTH

    def result(self):
        """The number, 0 within rounding of what was bought and what the lots cost."""
        value = est_sum([self.realized, self.unrealized(), self.away_pnl()]).value
        size = self.bought.value + self.cost.value + self.away_cost.value
        return 0.0 if abs(value) <= ROUNDING * size else value


class Records:
    """The records of all wallets at one instant. The trades are those of wallets; what is before the horizon is not stored."""

    def __init__(self, swaps, trades, pairs, held, mark_of, roles, as_of, horizon):
        self.held, self.mark_of, self.roles, self.as_of = held, mark_of, roles, as_of
        self.horizon = 0 if horizon is None else horizon
        self.pairs = {}
        for (wallet, token), pair in pairs.items():
            self.pairs.setdefault(wallet, {})[token] = pair
        bought = {}
        for t in trades:
            if t["direction"] == "buy" and t["usd_amount"] is not None:
                bought.setdefault(t["token"], {}).setdefault(t["wallet"], []).append(t["usd_amount"])
        self.buyers = {
            token: {wallet for wallet, values in wallets.items() if total(values) >= BOUGHT}
            for token, wallets in bought.items()
        }
        self.suspect = {
            (s["tx_hash"], s["wallet"], s[f"token_{side}"])
            for s in swaps if not is_self_swap(s) for side in ("in", "out") if s[f"suspect_{side}"]
        }

    def is_thin(self, wallet, token):
        return len(self.buyers.get(token, set()) - {wallet}) < CROWD

    def tokens_of(self, wallet, trades):
        """{token: TokenRecord} of all tokens that the wallet traded or got, and the balances of quote tokens at their marks."""
        traded, pairs = by_token(trades), self.pairs.get(wallet, {})
        found, quotes = {}, []
        for token in sorted({*traded, *pairs}):
            balance, mark = self.held.get(wallet, {}).get(token, 0.0), self.mark_of.get(token)
            if self.roles.is_quote(token):
                quotes.append(product(balance, mark and mark.usd_price))
            else:
                # A token that was never traded has a balance and no lots.
                pair = pairs.get(token) if token in traded else None
                found[token] = TokenRecord(traded.get(token, []), pair, balance, mark, self.as_of)
        return found, positive_sum(v for v in quotes if v is not None)

    def sections(self, wallet, trades):
        """lifetime, holding and their scales; `trades` are all of the wallet's, in chain order."""
        tokens, quote_value = self.tokens_of(wallet, trades)
        lifetime, lifetime_scales = finish(self.lifetime(wallet, trades, tokens), LIFETIME)
        holding, holding_scales = finish(self.holding(trades, tokens, quote_value), HOLDING)
        return {
            "lifetime": lifetime, "lifetime_scales": lifetime_scales,
            "holding": holding, "holding_scales": holding_scales,
        }

    def lifetime(self, wallet, trades, tokens):
        buys = [t for t in trades if t["direction"] == "buy"]
        sells = [t for t in trades if t["direction"] == "sell"]
        realised, summed = [t for t in sells if t["realized"]], results_of(sells)
        native = [t for t in sells if t["realized_pnl_native"] is not None]
        pnl, sold = pnl_sum(summed), positive_sum(known_usd(sells))
        unmatched = Est(total(t["unmatched_proceeds"] for t in sells), sold.value)
        away_cost = est_sum(one.away_cost for one in tokens.values())
        first = trades[0]["block_time"] if trades else None
        return {
            "since": first, "first_trade_at": first,
            "trade_count": len(trades), "token_count": len({t["token"] for t in trades}),
            "position_count": sum(1 for token in {t["token"] for t in summed}
                                  if cost_sum([t for t in summed if t["token"] == token]).value > 0),
            "volume": positive_sum(known_usd(trades)),
            "realized_pnl": pnl,
            "realized_cost": cost_sum(summed),
            "realized_roi": roi_of(pnl, cost_sum(summed)),
            "realized_pnl_native": Est(
                total(t["realized_pnl_native"] for t in native),
                total(t["cost_native"] + t["proceeds_native"] for t in native),
            ),
            "win_count": len(wins_of(realised)), "loss_count": len(losses_of(realised)),
            "winrate": winrate_of(realised),
            "days_active": len({t["block_time"] // DAY for t in trades}),
            "unmatched_proceeds": unmatched,
            "unmatched_share": divide(unmatched, sold, 100.0),
            "away_cost": away_cost,
            "away_share": divide(away_cost, positive_sum(known_usd(buys)), 100.0),
            **self.gain_shares(wallet, tokens),
            "suspect_share": self.suspect_share(trades),
        }

    def gain_shares(self, wallet, tokens):
        """What the best token, and what thin tokens made of the gains."""
        gains = {token: one.realized for token, one in tokens.items() if one.realized.value > 0}
        whole = est_sum(gains.values())
        thin = est_sum(gain for token, gain in gains.items() if self.is_thin(wallet, token))
        best = max(gains.values(), default=None)
        return {
            "best_token_share": best and divide(best, whole, 100.0),
            "thin_share": divide(thin, whole, 100.0),
        }

    def suspect_share(self, trades):
        if len(trades) > MOST_TRADES:
            return None
        stored = [t for t in trades if t["block_time"] >= self.horizon]
        suspect = [t for t in stored if (t["tx_hash"], t["wallet"], t["token"]) in self.suspect]
        return divide(positive_sum(known_usd(suspect)), positive_sum(known_usd(stored)), 100.0)

    def holding(self, trades, tokens, quote_value):
        every = list(tokens.values())
        opened = [one for one in every if one.is_open]
        valued = [one for one in every if one.value is not None]
        sunk = [one for one in opened if one.is_sunk()]
        value = positive_sum([one.value for one in valued])
        realized = pnl_sum(results_of(trades))
        unrealized = est_sum(one.unrealized() for one in every)
        away_pnl = est_sum(one.away_pnl() for one in every)
        results = [one.result() for one in every]
        wins, losses = sum(1 for r in results if r > 0), sum(1 for r in results if r < 0)
        largest = max((one.value for one in valued), default=0.0)
        return {
            "value": value,
            "quote_value": quote_value,
            "cost_basis": est_sum(one.cost for one in every),
            "unrealized_pnl": unrealized,
            "total_pnl": est_sum([realized, unrealized]),
            "open_count": len(opened),
            "unknown_count": sum(1 for one in opened if one.is_unknown),
            "largest_share": divide(Est(largest, largest), value, 100.0),
            "stale_share": divide(positive_sum([one.value for one in valued if one.age > STALE]), value, 100.0),
            "sunk_count": len(sunk),
            "sunk_loss": est_sum(loss(one.unrealized()) for one in sunk),
            "token_win_count": wins, "token_loss_count": losses,
            "token_winrate": divide(exactly(wins), exactly(wins + losses), 100.0),
            "away_pnl": away_pnl,
            "floor_pnl": est_sum([realized, *(loss(one.unrealized()) for one in every), away_pnl]),
        }
