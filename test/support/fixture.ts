import { type ConfigInput, memory, type OpenOptions, Swapfold, type SwapInput, type TokenInput } from '@swapfold/core';
import { watched } from './scan.ts';

/** As-of time of the fixtures: a midnight, so that buckets of every length begin there. */
export const A = 1_700_006_400;
export const [MINUTE, HOUR, DAY] = [60, 3600, 86_400] as const;

export const fixtureConfig = {
  chain: 'test',
  address_format: 'any',
  quote_tokens: [
    { address: 'USDC', symbol: 'USDC', kind: 'stable' },
    { address: 'USDT', symbol: 'USDT', kind: 'stable' },
    { address: 'SOL', symbol: 'SOL', kind: 'native' },
  ],
  dust_usd: 0.1,
} satisfies ConfigInput;

/** A swap of a fixture: what is left out is wallet `W` and a transaction of its own, named in the order of the rows. */
export type Row = Partial<SwapInput> & Pick<SwapInput, 'block_time'> & { readonly batch?: number };

/**
 * A few swaps on a boundary, and what follows from them, worked by hand.
 *
 * - `title`: a sentence that can be false.
 * - `expected`: path of an answer (`wallets.W.metrics.1d.pnl`, `trades.0.usd_amount`, oldest first) to its value.
 * - `asks`: further questions by name, with their answers whole.
 */
export interface Fixture {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly tokens?: readonly TokenInput[];
  readonly asOf?: number;
  readonly expected?: Readonly<Record<string, unknown>>;
  readonly asks?: readonly (readonly [name: string, request: object, answer: unknown])[];
}

type Leg = readonly [amount: number, token: string];

/** Gives one leg for the other. */
export function exchange(time: number, given: Leg, received: Leg, more: Partial<Row> = {}): Row {
  return {
    block_time: time,
    token_in: given[1],
    token_amount_in: given[0],
    token_out: received[1],
    token_amount_out: received[0],
    ...more,
  };
}

/** Buys `amount` of a token for `usd` USDC. */
export function buy(time: number, token: string, amount: number, usd: number, more: Partial<Row> = {}): Row {
  return exchange(time, [usd, 'USDC'], [amount, token], more);
}

/** Sells `amount` of a token for `usd` USDC. */
export function sell(time: number, token: string, amount: number, usd: number, more: Partial<Row> = {}): Row {
  return exchange(time, [amount, token], [usd, 'USDC'], more);
}

/** The rows as swaps of one transaction. */
export function inTx(tx_hash: string, ...rows: Row[]): Row[] {
  return rows.map((row, swap_index) => ({ ...row, tx_hash: tx_hash.replaceAll(' ', '-'), swap_index }));
}

/** A swap that sets the chain clock and touches nothing else. */
export function clock(time: number): Row {
  return buy(time, 'Clock', 1, 1, { wallet: 'clock' });
}

/** The rows as swaps: those of a later batch after those of an earlier one. */
export function swapsOf(fixture: Fixture): SwapInput[][] {
  const batches: SwapInput[][] = [];
  for (const [i, { batch = 0, ...row }] of fixture.rows.entries()) {
    batches[batch] ??= [];
    batches[batch].push({
      wallet: 'W',
      tx_hash: `tx${String(i).padStart(3, '0')}`,
      swap_index: 0,
      ...row,
    } as SwapInput);
  }
  return batches.filter((batch) => batch !== undefined);
}

/** A store that was fed the fixture and refreshed; it throws on NaN, infinities, negative zeros and numbers as text. */
export async function openFixture(fixture: Fixture, storage: OpenOptions['storage'] = memory()): Promise<Swapfold> {
  // Every candle is folded anew: the cached ones are compared with that in query-cache.test.ts.
  const dex = watched(await Swapfold.open({ storage, config: fixtureConfig, memory: 0 }));
  await dex.tokens.upsert(fixture.tokens ?? []);
  for (const batch of swapsOf(fixture)) {
    const counts = await dex.ingest(batch);
    if (counts.added !== batch.length) throw new Error(`The fixture "${fixture.title}": ${JSON.stringify(counts)}`);
  }
  await dex.refresh({ asOf: fixture.asOf });
  return dex;
}

/** The parts of the answers that `paths` name. */
export async function answersOf(
  dex: Swapfold,
  paths: readonly string[],
  asOf?: number,
): Promise<Record<string, unknown>> {
  const at = { asOf };
  const swaps = [...(await dex.swaps.list({ limit: 100 }, at)).data].reverse();
  const tokens = [...new Set(swaps.flatMap((s) => [s.token_in, s.token_out]))];
  const byToken = <T extends { token: string }>(rows: readonly T[]): Record<string, T> =>
    Object.fromEntries(rows.map((row) => [row.token, row]));
  const ask: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
    swaps: async () => swaps,
    trades: async () => [...(await dex.trades.list({ limit: 100 }, at)).data].reverse(),
    prices: async () => byToken(await dex.prices.latest({ tokens }, at)),
    stats: async () => byToken(await dex.prices.stats({ tokens }, at)),
    candles: (token) => dex.prices.candles({ token, interval: 60 }, at),
    portfolios: (wallet) => dex.portfolios.get({ wallet }, at),
    tokens: (token) => dex.tokens.get({ token }),
    wallets: (wallet) => dex.wallets.get({ wallet }),
  };
  const answers: Record<string, unknown> = {};
  for (const path of paths) {
    const [section, key] = path.split('.') as [string, string];
    if (['swaps', 'trades', 'prices', 'stats'].includes(section)) {
      answers[section] ??= await ask[section]!(key);
    } else {
      answers[section] ??= {};
      const found = answers[section] as Record<string, unknown>;
      found[key] ??= await ask[section]!(key);
    }
  }
  return answers;
}

/** The value at a path; `length` counts a list or the keys of an object. */
export function at(answers: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, key) => {
    if (value === null || typeof value !== 'object') return undefined;
    if (key === 'length' && !Array.isArray(value)) return Object.keys(value).length;
    return (value as Record<string, unknown>)[key];
  }, answers);
}
