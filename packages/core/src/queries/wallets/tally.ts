/** A position of a wallet, as the record of the wallet reads it. `NaN` is unknown. */
export interface HeldPosition {
  readonly isQuote: boolean;
  readonly isOpen: boolean;
  readonly balance: number;
  /** Whole tokens of the balance beyond the lots that are here. */
  readonly arrived: number;
  /** Whole tokens in lots of known cost that are here, and that are away, and what these cost, USD. */
  readonly lots: number;
  readonly cost: number;
  readonly awayLots: number;
  readonly awayCost: number;
  /** USD. */
  readonly realized: number;
  readonly bought: number;
  /** USD per token, and seconds since. */
  readonly price: number;
  readonly priceAge: number;
  /** Whether fewer than 20 other wallets bought the token for 10 USD; asked of a token with a gain alone. */
  readonly isThin: () => boolean | undefined;
}

const DAY = 86_400;
/** Seconds after which a mark is stale, and after which what it values is sunk. */
const STALE = 7 * DAY;
const OLD = 30 * DAY;
/** Part of their cost below which lots are sunk. */
const SUNK = 1 / 5;
/** Part of an amount below which it is rounding, and 0. */
const ROUNDING = 1e-9;

/** What the positions of a wallet add up to (docs/reference/metrics.md, "Record"). `realized`: of all its trades, USD. */
export function tallyOf(positions: Iterable<HeldPosition>, realized: number) {
  let [value, quoteValue, cost, unrealized, losses, sunkLoss, awayPnl] = [0, 0, 0, 0, 0, 0, 0];
  let [open, unknown, sunk, wins, lost, tokens] = [0, 0, 0, 0, 0, 0];
  let [largest, stale, bought, awayCost, gains, best] = [0, 0, 0, 0, 0, 0];
  let thin: number | undefined = 0;
  for (const of of positions) {
    const worth = of.balance > 0 && Number.isFinite(of.balance * of.price) ? of.balance * of.price : 0;
    if (of.isQuote) {
      quoteValue += worth;
      continue;
    }
    tokens++;
    bought += of.bought;
    awayCost += known(of.awayCost);
    value += worth;
    largest = Math.max(largest, worth);
    if (of.priceAge > STALE) stale += worth;
    const held = known(of.lots) * of.price - known(of.cost);
    const isHeld = of.lots > 0;
    const result = isHeld ? known(held) : 0;
    cost += known(of.cost);
    unrealized += result;
    losses += Math.min(0, result);
    if (of.isOpen) {
      open++;
      const here = of.balance - of.arrived;
      if (Number.isNaN(of.price) || here - known(of.lots) > ROUNDING * here) unknown++;
      if (isHeld && (known(of.lots) * of.price < SUNK * of.cost || of.priceAge > OLD)) {
        sunk++;
        sunkLoss += Math.min(0, result);
      }
    }
    const away = Math.min(0, known(known(of.awayLots) * of.price - known(of.awayCost)));
    awayPnl += away;
    const made = of.realized + result + away;
    const isEven = Math.abs(made) <= ROUNDING * (of.bought + known(of.cost) + known(of.awayCost));
    if (made > 0 && !isEven) wins++;
    if (made < 0 && !isEven) lost++;
    if (!(of.realized > 0)) continue;
    gains += of.realized;
    best = Math.max(best, of.realized);
    const isThin = of.isThin();
    thin = isThin === undefined || thin === undefined ? undefined : thin + (isThin ? of.realized : 0);
  }
  return {
    'lifetime.token_count': tokens,
    'lifetime.away_cost': awayCost,
    'lifetime.away_share': share(awayCost, bought),
    'lifetime.best_token_share': share(best, gains),
    'lifetime.thin_share': thin === undefined ? Number.NaN : share(thin, gains),
    'holding.value': value,
    'holding.quote_value': quoteValue,
    'holding.cost_basis': cost,
    'holding.unrealized_pnl': unrealized,
    'holding.total_pnl': realized + unrealized,
    'holding.open_count': open,
    'holding.unknown_count': unknown,
    'holding.largest_share': share(largest, value),
    'holding.stale_share': share(stale, value),
    'holding.sunk_count': sunk,
    'holding.sunk_loss': sunkLoss,
    'holding.token_win_count': wins,
    'holding.token_loss_count': lost,
    'holding.token_winrate': share(wins, wins + lost),
    'holding.away_pnl': awayPnl,
    // Losses alone are added, so that it is never above what is realised.
    'holding.floor_pnl': realized + losses + awayPnl,
  };
}

export type Tally = ReturnType<typeof tallyOf>;

/** What is unknown adds nothing. */
const known = (value: number): number => (Number.isFinite(value) ? value : 0);

const share = (part: number, of: number): number => (of > 0 ? (part / of) * 100 : Number.NaN);
