import type { Api, Swapfold, SwapInput } from '@swapfold/core';
import { pick } from '../../packages/testing/src/conformance/random.ts';
import { smallMarket } from '../support/market.ts';

export const { swaps, config } = smallMarket({ seed: 29, swaps: 1400, wallets: 20, tokens: 8, days: 60 });

const count = (names: readonly string[]): string[] => {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times].sort((a, b) => b[1] - a[1]).map(([name]) => name);
};
/** The busiest first. */
export const tokens = count(swaps.flatMap(({ token_in, token_out }) => [token_in, token_out]));
export const wallets = count(swaps.map(({ wallet }) => wallet));
/** Swaps that are stored before the first write. */
export const STORED = 300;
const first = swaps[0]!.block_time as number;
const last = swaps.at(-1)!.block_time as number;

/** Questions of every kind, many of which use several regions of the cache at once. */
export const questions: Readonly<Record<string, (dex: Api) => Promise<unknown>>> = {
  'all latest prices': (dex) => dex.prices.latest({ tokens }),
  'all statistics': (dex) => dex.prices.stats({ tokens }),
  'all wallets': (dex) => dex.wallets.search({ limit: 100, sort: { field: 'metrics.30d.volume' } }),
  'wallets by their address': (dex) => dex.wallets.search({ filter: { wallet_address: { $in: wallets.slice(0, 9) } } }),
  'wallets by a metric that many share': (dex) =>
    dex.wallets.search({
      limit: 3,
      sort: { field: 'metrics.1d.trade_count' },
      filter: { 'metadata.idle': { $gte: 0 } },
    }),
  'wallets of a label that comes and goes': (dex) => dex.wallets.search({ filter: { labels: { $in: ['even'] } } }),
  'all tokens': (dex) => dex.tokens.search({ limit: 100 }),
  'tokens by text': (dex) => dex.tokens.search({ query: { text: 's', autocomplete: true }, limit: 4 }),
  'tokens by symbol': (dex) => dex.tokens.search({ sort: { field: 'metadata.symbol', direction: 'asc' }, limit: 100 }),
  'an unknown token': (dex) => dex.tokens.get({ token: '11111111111111111111111111111112' }),
  ...Object.fromEntries(
    tokens.slice(0, 4).flatMap((token, i) => [
      [`price of token ${i}`, (dex: Api) => dex.prices.latest({ tokens: [token] })],
      [`statistics of token ${i}`, (dex: Api) => dex.prices.stats({ tokens: [token] })],
      [`profile of token ${i}`, (dex: Api) => dex.tokens.get({ token, options: { include_market: true } })],
      [`hours of token ${i}`, (dex: Api) => dex.prices.candles({ token, interval: 3600, count: 30 })],
      [
        `days of token ${i}`,
        (dex: Api) => dex.prices.candles({ token, interval: 86_400, from: new Date(first * 1000) }),
      ],
      [
        `filled days of token ${i}`,
        (dex: Api) => dex.prices.candles({ token, interval: 86_400, count: 12, fill: true }),
      ],
      [
        `old hours of token ${i}`,
        (dex: Api) => dex.prices.candles({ token, interval: 3600, to: new Date((first + last) * 500) }),
      ],
      [`swaps of token ${i}`, (dex: Api) => dex.swaps.list({ token, limit: 4 })],
      [`trades of token ${i}`, (dex: Api) => dex.trades.list({ token, limit: 4 })],
    ]),
  ),
  ...Object.fromEntries(
    wallets.slice(0, 4).flatMap((wallet, i) => [
      [`profile of wallet ${i}`, (dex: Api) => dex.wallets.get({ wallet })],
      [`swaps of wallet ${i}`, (dex: Api) => dex.swaps.list({ wallet, limit: 4 })],
      [`trades of wallet ${i}`, (dex: Api) => dex.trades.list({ wallet, limit: 4 })],
      [`trades of wallet ${i} in a token`, (dex: Api) => dex.trades.list({ wallet, token: tokens[0]!, limit: 4 })],
      [`portfolio of wallet ${i}`, (dex: Api) => dex.portfolios.get({ wallet })],
    ]),
  ),
};
export const names = Object.keys(questions);

/** An answer or an error as text, but for when profiles were stored. */
export async function answerOf(dex: Api, name: string): Promise<string> {
  const answer = await questions[name]!(dex).catch((error: unknown) => ({ error: String(error) }));
  return JSON.stringify(answer, (key, value) => (key === 'synced_at' ? undefined : value));
}

/** One write. `isDoomed`: it does not succeed, however long it runs. */
export interface Write {
  readonly name: string;
  readonly isDoomed?: boolean;
  readonly failsAtCommit?: boolean;
  readonly change: (dex: Swapfold) => Promise<unknown>;
  /** What has the same outcome if the write succeeds; `change` unless given. */
  readonly calm?: (dex: Swapfold) => Promise<unknown>;
}

/** Writes without end, as a seed decides: new swaps and late ones, refreshes, names, reorganisations, and writes that fail. */
export function writesOf(random: () => number): () => Write {
  const below = (most: number): number => Math.floor(random() * most);
  const late = swaps.filter((_, i) => i % 7 === 3);
  const inOrder = swaps.filter((_, i) => i % 7 !== 3);
  let at = STORED;
  let number = 0;
  const take = (most: number): SwapInput[] => {
    const taken = inOrder.slice(at, at + 1 + below(most));
    at += taken.length;
    return taken;
  };
  const someLate = (): SwapInput[] =>
    late.slice(0, Math.ceil((late.length * at) / inOrder.length)).filter(() => random() < 0.03);
  const ingest = (name: string, rows: readonly SwapInput[]): Write => ({ name, change: (dex) => dex.ingest(rows) });
  const refresh: Write = { name: 'refresh', change: (dex) => dex.refresh() };

  const kinds: readonly (readonly [weight: number, make: () => Write])[] = [
    [8, () => ingest('new swaps', take(12))],
    [3, () => ingest('late swaps', someLate())],
    [
      3,
      () => ingest('new, late and known swaps', [...take(4), ...someLate(), ...inOrder.slice(Math.max(0, at - 5), at)]),
    ],
    [8, () => refresh],
    [1, () => ({ name: 'refresh of the traded', change: (dex) => dex.refresh({ scope: 'traded' }) })],
    [
      1,
      () => {
        const asOf = inOrder[below(at + 1)]!.block_time;
        return { name: 'refresh as of before', change: (dex) => dex.refresh({ asOf }) };
      },
    ],
    [
      2,
      () => {
        let left = below(3);
        const stop = (): void => {
          if (left-- === 0) throw new Error('stopped');
        };
        return { name: 'refresh that stops', change: (dex) => dex.refresh({ onProgress: stop }), calm: refresh.change };
      },
    ],
    [
      2,
      () => {
        const turns = below(12);
        const change = async (dex: Swapfold): Promise<unknown> => {
          const stop = new AbortController();
          const refreshing = dex.refresh({ signal: stop.signal });
          refreshing.catch(() => undefined);
          for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
          stop.abort();
          return refreshing;
        };
        return { ...refresh, name: 'aborted refresh', change, calm: refresh.change };
      },
    ],
    [2, () => ({ ...refresh, name: 'refresh whose commit fails', failsAtCommit: true })],
    [1, () => ({ ...ingest('swaps whose commit fails', inOrder.slice(at, at + 6)), failsAtCommit: true })],
    [
      2,
      () => {
        const [symbol, supply] = [`S${number++}`, 1000 + number];
        const rows = tokens.slice(below(4)).map((address) => ({ address, symbol, total_supply: supply }));
        return { name: 'names of tokens', change: (dex) => dex.tokens.upsert(rows) };
      },
    ],
    [
      1,
      () => {
        const label = number++ % 2 === 0 ? 'even' : 'odd';
        const rows = wallets.map((address) => ({ address, labels: [label] }));
        return { name: 'labels of wallets', change: (dex) => dex.wallets.upsert(rows) };
      },
    ],
    [
      2,
      () => {
        at = Math.max(STORED, at - below(20));
        const from_block_slot = inOrder[at]!.block_slot!;
        return { name: 'rollback', change: (dex) => dex.rollback({ from_block_slot }) };
      },
    ],
    [1, () => ({ name: 'rebuild', change: (dex) => dex.rebuild() })],
  ];
  const weighted = kinds.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));
  return () => {
    if (at > inOrder.length - 20) at = STORED;
    return pick(random, weighted)();
  };
}
