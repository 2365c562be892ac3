import type { Api, Page, Swapfold } from '@swapfold/core';
import { formatTime, profileWindows } from '@swapfold/core/host';
import type { Entity, OracleAnswer, OracleWallet } from './oracle.ts';
import { cases } from './whole.ts';

/** Largest difference allowed, relative to the scale of what was summed. */
const TOLERANCE = 1e-9;

/** Compares answers with the oracle's, counts the cells, and collects the first differences as sentences. */
export class Comparison {
  cells = 0;
  readonly differences: string[] = [];

  number(where: string, actual: unknown, expected: unknown, scale = 0): void {
    this.cells++;
    if (actual === expected) return;
    const isClose =
      typeof actual === 'number' &&
      typeof expected === 'number' &&
      Math.abs(actual - expected) <= TOLERANCE * Math.max(Math.abs(actual), Math.abs(expected), scale);
    if (!isClose) this.#differ(where, actual, expected);
  }

  /** A whole number that is the rounding of the expected one: at a half, the last bit of either side decides. */
  rounded(where: string, actual: unknown, expected: unknown, scale: number): void {
    this.cells++;
    if (actual === expected) return;
    const isClose =
      typeof actual === 'number' &&
      typeof expected === 'number' &&
      Number.isInteger(actual) &&
      Math.abs(actual - expected) <= 0.5 + TOLERANCE * scale;
    if (!isClose) this.#differ(where, actual, expected);
  }

  exact(where: string, actual: unknown, expected: unknown): void {
    this.cells++;
    if (actual !== expected) this.#differ(where, actual, expected);
  }

  #differ(where: string, actual: unknown, expected: unknown): void {
    this.differences.push(`${where}: ${JSON.stringify(actual)} where the oracle has ${JSON.stringify(expected)}`);
  }
}

/** All pages of a list. */
async function everyPage<T>(
  list: (request: {
    limit: number;
    cursor?: string;
  }) => Promise<{ count: number; cursor?: string; data: readonly T[] }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.data);
    cursor = page.cursor;
    if (cursor === undefined && page.count !== all.length)
      throw new Error(`The list counts ${page.count} and holds ${all.length}.`);
  } while (cursor !== undefined);
  return all;
}

function compareRows(
  to: Comparison,
  where: string,
  actual: readonly object[],
  expected: readonly Readonly<Record<string, unknown>>[],
): void {
  to.exact(`${where}.length`, actual.length, expected.length);
  for (const [i, row] of actual.entries()) {
    const other = expected[i];
    if (other === undefined) return;
    for (const [name, value] of Object.entries(row)) {
      if (typeof value === 'number')
        to.number(`${where}[${i}].${name}`, value, other[name], Number(other[factScales[name] ?? ''] ?? scaleOf(name)));
      else if (Array.isArray(value)) to.exact(`${where}[${i}].${name}`, value.join(), (other[name] as string[]).join());
      else to.exact(`${where}[${i}].${name}`, value, other[name]);
    }
  }
}

/** A change in percent is a quotient less one: it rounds as the quotient does. */
function scaleOf(name: string): number {
  return name.includes('_change_') ? 100 : 0;
}

/** Facts of a trade that are differences: what they are to be held against, in the answer of the script. */
const factScales: Readonly<Record<string, string>> = { gap_before: 'pair_amount', returned_cost: 'pair_cost' };

/** Every swap and trade, newest first, paged to their end. */
export async function compareLists(dex: Swapfold, oracle: OracleAnswer, to: Comparison): Promise<void> {
  compareRows(to, 'swaps', await everyPage((request) => dex.swaps.list(request)), [...oracle.swaps].reverse());
  compareRows(to, 'trades', await everyPage((request) => dex.trades.list(request)), [...oracle.trades].reverse());
}

/** Every trade since a time. */
export async function compareTrades(dex: Swapfold, oracle: OracleAnswer, since: number, to: Comparison): Promise<void> {
  const trades = await everyPage((request) => dex.trades.list(request));
  const wanted = oracle.trades.filter((trade) => Number(trade.block_time) >= since).reverse();
  compareRows(to, 'trades', trades, wanted);
}

/** Lists of every token and wallet: the same rows, filtered. */
export async function compareListsOf(dex: Swapfold, oracle: OracleAnswer, to: Comparison): Promise<void> {
  const swaps = [...oracle.swaps].reverse();
  const trades = [...oracle.trades].reverse();
  for (const token of Object.keys(oracle.tokens)) {
    const of = swaps.filter((swap) => swap.token_in === token || swap.token_out === token);
    compareRows(to, `swaps of ${token}`, await everyPage((request) => dex.swaps.list({ token, ...request })), of);
    compareRows(
      to,
      `trades of ${token}`,
      await everyPage((request) => dex.trades.list({ token, ...request })),
      trades.filter((trade) => trade.token === token),
    );
  }
  for (const wallet of Object.keys(oracle.wallets)) {
    compareRows(
      to,
      `swaps of ${wallet}`,
      await everyPage((request) => dex.swaps.list({ wallet, ...request })),
      swaps.filter((swap) => swap.wallet === wallet),
    );
    compareRows(
      to,
      `trades of ${wallet}`,
      await everyPage((request) => dex.trades.list({ wallet, ...request })),
      trades.filter((trade) => trade.wallet === wallet),
    );
  }
}

/** What is asked of a pool: its swaps and candles. Of every pool in the long tests, else of some. */
export async function comparePools(dex: Swapfold, oracle: OracleAnswer, to: Comparison): Promise<void> {
  const swaps = [...oracle.swaps].reverse();
  const pools = new Set(swaps.flatMap((swap) => swap.pool ?? []) as string[]);
  for (const pool of everyNth(pools, cases(1, 8))) {
    const of = swaps.filter((swap) => swap.pool === pool);
    compareRows(to, `swaps in ${pool}`, await everyPage((page) => dex.swaps.list({ pool, ...page })), of);
    const { token_in: token, wallet } = of[0] as { token_in: string; wallet: string };
    const withToken = of.filter((swap) => swap.token_in === token || swap.token_out === token);
    const rows = await everyPage((page) => dex.swaps.list({ pool, token, ...page }));
    compareRows(to, `swaps of ${token} in ${pool}`, rows, withToken);
    const ofWallet = await everyPage((page) => dex.swaps.list({ pool, wallet, ...page }));
    compareRows(
      to,
      `swaps of ${wallet} in ${pool}`,
      ofWallet,
      of.filter((swap) => swap.wallet === wallet),
    );
  }
  for (const [pool, expected] of everyNth(Object.entries(oracle.pools), cases(1, 8))) {
    for (const [token, series] of Object.entries(expected.candles)) {
      for (const [length, rows] of Object.entries(series)) {
        const range = { pool, interval: Number(length), count: 5000 };
        const wanted = candleRows(rows).slice(-5000);
        const where = `candles ${length} of ${token} in ${pool}`;
        compareRows(to, where, await dex.prices.candles({ ...range, token }), wanted);
        if (token === expected.token) compareRows(to, `alone: ${where}`, await dex.prices.candles(range), wanted);
        // From the middle on.
        const from = wanted[wanted.length >> 1]?.timestamp ?? 0;
        const to5000 = from + 4999 * range.interval;
        const between = { from: formatTime(from), to: formatTime(to5000) };
        const found = await dex.prices.candles({ pool, token, interval: range.interval, ...between });
        compareRows(
          to,
          where,
          found,
          wanted.filter(({ timestamp: t }) => t >= from && t < to5000),
        );
      }
    }
  }
}

function candleRows(rows: readonly (readonly number[])[]) {
  return rows.map(([timestamp, open, high, low, close, volume, count, suspect_count]) => ({
    timestamp: timestamp!,
    open,
    high,
    low,
    close,
    volume,
    count,
    suspect_count,
  }));
}

/** Latest prices, statistics, candles, histories of every token. */
export async function comparePrices(
  dex: Swapfold,
  oracle: OracleAnswer,
  history: readonly { from: number; to: number; interval: number }[],
  to: Comparison,
): Promise<void> {
  const tokens = Object.keys(oracle.tokens);
  for (let from = 0; from < tokens.length; from += 1000) {
    const asked = tokens.slice(from, from + 1000);
    const known = asked.filter((token) => token in oracle.prices);
    compareRows(
      to,
      'prices',
      await dex.prices.latest({ tokens: asked }),
      known.map((token) => ({ token, ...oracle.prices[token] })),
    );
    compareRows(
      to,
      'stats',
      await dex.prices.stats({ tokens: asked }),
      known.map((token) => ({ token, ...oracle.stats[token] })),
    );
  }
  for (const token of tokens) {
    for (const [interval, expected] of Object.entries(oracle.candles[token] ?? {})) {
      const actual = await dex.prices.candles({ token, interval: Number(interval), count: 5000 });
      compareRows(to, `candles ${interval} of ${token}`, actual, candleRows(expected).slice(-5000));
      const clean = await dex.prices.candles({ token, interval: Number(interval), count: 5000, prints: 'clean' });
      const cleaned = oracle.clean_candles[token]?.[interval] ?? [];
      compareRows(to, `clean candles ${interval} of ${token}`, clean, candleRows(cleaned).slice(-5000));
      await compareFilled(dex, { token, interval: Number(interval), count: 5000, fill: true }, to);
    }
  }
  for (const [i, range] of history.entries()) {
    for (let from = 0; from < tokens.length; from += 10) {
      const asked = tokens.slice(from, from + 10);
      for (const prints of ['all', 'clean'] as const) {
        const answers = await dex.prices.history({
          tokens: asked,
          from: formatTime(range.from),
          to: formatTime(range.to),
          interval: range.interval,
          prints,
        });
        const expected = (prints === 'all' ? oracle.history : oracle.clean_history)[i];
        for (const answer of answers)
          compareRows(to, `${prints} history of ${answer.token}`, answer.prices, expected?.[answer.token] ?? []);
      }
    }
  }
}

/** Leaving suspect prints out of the prices changes neither volumes nor counts of any bucket. */
async function compareFilled(
  dex: Swapfold,
  asked: Parameters<Swapfold['prices']['candles']>[0],
  to: Comparison,
): Promise<void> {
  const sums = async (prints: 'all' | 'clean') =>
    (await dex.prices.candles({ ...asked, prints })).map(({ timestamp, volume, count, suspect_count }) => ({
      timestamp,
      volume,
      count,
      suspect_count,
    }));
  const clean = await sums('clean');
  const first = clean[0]?.timestamp ?? Number.POSITIVE_INFINITY;
  const end = clean[clean.length - 1]?.timestamp ?? 0;
  const all = (await sums('all')).filter(({ timestamp }) => timestamp >= first && timestamp <= end);
  const among = new Set(all.map(({ timestamp }) => timestamp));
  compareRows(
    to,
    `filled candles ${asked.interval} of ${asked.token}`,
    clean.filter(({ timestamp }) => among.has(timestamp)),
    all,
  );
}

export async function comparePortfolios(
  dex: Pick<Api, 'portfolios'>,
  oracle: OracleAnswer,
  to: Comparison,
): Promise<void> {
  for (const [wallet, expected] of Object.entries(oracle.portfolio)) {
    const actual = await dex.portfolios.get({ wallet });
    to.number(`portfolio of ${wallet}`, actual.value, expected.value);
    const scaled = actual.tokens.map(({ unrealized_pnl: _, unmatched_amount: __, ...rest }) => rest);
    compareRows(to, `portfolio of ${wallet}`, scaled, expected.tokens);
    for (const [i, token] of actual.tokens.entries()) {
      const other = expected.tokens[i];
      to.number(
        `unrealized_pnl of ${wallet}`,
        token.unrealized_pnl,
        other?.unrealized_pnl,
        (token.cost_basis ?? 0) + (token.value ?? 0),
      );
      to.number(`unmatched_amount of ${wallet}`, token.unmatched_amount, other?.unmatched_amount, token.balance);
    }
  }
}

export type Sections = {
  updated_at: string | null;
  metadata: Record<string, unknown>;
  lifetime?: Record<string, unknown>;
  holding?: Record<string, unknown>;
  market?: Record<string, unknown>;
  metrics: Record<string, Record<string, unknown>>;
};

/** All sections of a wallet, in a search and alone. */
export const everySection = {
  include_metadata: true,
  include_identity: true,
  include_lifetime: true,
  include_holding: true,
  include_labels: true,
  include_metrics: [...profileWindows.wallets],
};

/** Every metric of every window of every token and wallet, the market section, and the record of wallets: the stored profiles, by pages of a search. */
export async function compareProfiles(dex: Swapfold, oracle: OracleAnswer, to: Comparison): Promise<void> {
  const tokens = await everyProfile((request) => dex.tokens.search(request), 'token_address');
  to.exact('tokens', [...tokens.keys()].sort().join(), Object.keys(oracle.tokens).sort().join());
  for (const [token, actual] of tokens) {
    const expected = oracle.tokens[token];
    if (expected === undefined) continue;
    for (const [name, value] of Object.entries(actual.market ?? {}))
      to.number(`${token} market.${name}`, value, expected.market[name]);
    to.exact(`${token} symbol`, actual.metadata.symbol, expected.symbol);
    compareEntity(to, token, actual, expected, profileWindows.tokens);
  }
  const wallets = await everyProfile(
    (request) => dex.wallets.search({ ...request, options: everySection }),
    'wallet_address',
  );
  to.exact('wallets', [...wallets.keys()].sort().join(), Object.keys(oracle.wallets).sort().join());
  for (const [wallet, actual] of wallets) {
    const expected = oracle.wallets[wallet];
    if (expected !== undefined) compareWallet(to, wallet, actual, expected, profileWindows.wallets);
  }
  for (const [token, found] of everyNth(tokens, 20))
    to.exact(`${token} alone`, JSON.stringify(await dex.tokens.get({ token })), JSON.stringify(found));
  for (const wallet of everyNth(wallets.keys(), 10)) await compareRecord(dex, oracle.as_of, wallet, to);
  for (const [wallet, found] of everyNth(wallets, 50))
    to.exact(
      `${wallet} alone`,
      JSON.stringify(await dex.wallets.get({ wallet, options: everySection })),
      JSON.stringify(found),
    );
}

/** What a record says is what the wallet's history ends with, and the value of its portfolio. */
async function compareRecord(dex: Swapfold, asOf: number, wallet: string, to: Comparison): Promise<void> {
  const { lifetime, holding } = await dex.wallets.get({ wallet, options: everySection });
  if (lifetime == null || holding == null) return;
  const { points } = await dex.wallets.history({ wallet, interval: 86_400, to: formatTime(asOf) });
  const last = points.at(-1);
  const size = (lifetime.volume ?? 0) + (holding.cost_basis ?? 0) + (holding.value ?? 0);
  for (const [name, found, expected] of [
    ['realized_pnl', lifetime.realized_pnl, last?.realized_pnl ?? 0],
    ['unrealized_pnl', holding.unrealized_pnl, last?.unrealized_pnl ?? 0],
    ['total_pnl', holding.total_pnl, last?.equity ?? 0],
    ['value', holding.value! + holding.quote_value!, (await dex.at(asOf).portfolios.get({ wallet })).value],
  ] as const)
    to.number(`${wallet} ${name} elsewhere`, found, expected, size);
}

/** A wallet's metrics and its record. */
export function compareWallet(
  to: Comparison,
  address: string,
  actual: Sections,
  expected: OracleWallet,
  windows: readonly string[],
): void {
  compareEntity(to, address, actual, expected, windows);
  for (const section of ['lifetime', 'holding'] as const) {
    const [served, wanted, scales] = [actual[section] ?? {}, expected[section], expected[`${section}_scales`]];
    to.exact(`${address} ${section}`, Object.keys(served).sort().join(), Object.keys(wanted).sort().join());
    for (const [name, value] of Object.entries(wanted)) {
      const where = `${address} ${section}.${name}`;
      if (name === 'since' || name === 'first_trade_at')
        to.exact(where, served[name], value === null ? null : formatTime(Number(value)));
      else compareMetric(to, where, served[name], value, scales[name]);
    }
  }
}

/** The stored profiles by address. */
async function everyProfile(
  search: (request: object) => Promise<Page<object>>,
  address: string,
): Promise<Map<string, Sections>> {
  const all = await everyPage((request) => search(request));
  return new Map(all.map((profile) => [String((profile as Record<string, unknown>)[address]), profile as Sections]));
}

function everyNth<T>(items: Iterable<T>, n: number): T[] {
  return [...items].filter((_, i) => i % n === 0);
}

export function compareEntity(
  to: Comparison,
  address: string,
  actual: Sections,
  expected: Entity,
  windows: readonly string[],
): void {
  const served = (time: number | null): string | null => (time === null ? null : formatTime(time));
  to.exact(`${address} updated_at`, actual.updated_at, served(expected.updated_at));
  to.exact(`${address} last_trade_at`, actual.metadata.last_trade_at, served(expected.last_trade_at));
  for (const window of windows) {
    const metrics = actual.metrics[window] ?? {};
    const wanted = Object.keys(expected.metrics[window] ?? {}).filter((name) => !name.endsWith('__raw'));
    to.exact(`${address} ${window} metrics`, wanted.filter((name) => !(name in metrics)).join(), '');
    for (const name of wanted) {
      const [value, scale] = [expected.metrics[window]?.[name], expected.scales[window]?.[name]];
      const raw = expected.metrics[window]?.[`${name}__raw`];
      const where = `${address} ${window} ${name}`;
      if (raw === undefined) compareMetric(to, where, metrics[name], value, scale);
      else to.rounded(where, metrics[name], raw, typeof scale === 'number' ? scale : 0);
    }
  }
}

function compareMetric(to: Comparison, where: string, actual: unknown, expected: unknown, scale: unknown): void {
  if (typeof expected === 'object' && expected !== null) {
    for (const [key, value] of Object.entries(expected)) {
      const found = (actual as Record<string, unknown>)[key];
      const doubtful = (scale as Readonly<Record<string, number>> | undefined)?.[key] ?? 0;
      // A ratio at the edge of its class: which side it falls on is rounding.
      const isWithin = typeof found === 'number' && Math.abs(found - Number(value)) <= doubtful;
      to.exact(`${where}.${key}`, isWithin ? value : found, value);
    }
  } else if (isCount(where)) {
    to.exact(where, actual, expected);
  } else {
    to.number(where, actual, expected, typeof scale === 'number' ? scale : 0);
  }
}

function isCount(where: string): boolean {
  return /_count$| max_consecutive_|[ .]days_active$/.test(where) && !where.includes('avg_daily');
}
