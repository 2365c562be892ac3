import assert from 'node:assert/strict';
import type { Message, Swapfold, TopicCall } from '@swapfold/core';
import { tokens, wallets } from '../reorganisations/history.ts';

export const INTERVAL = 3600;
export const CANDLES_OF = [tokens[3]!, tokens[2]!] as const;
export const walletFilter = { 'metrics.30d.volume': { $gt: 100 } };
export const tokenFilter = { 'metadata.age': { $lt: 8 * 86_400 } };
export const positionFilter = { 'metadata.state': 'open' };

/** What the client subscribes to: everything, parts, and profiles in each way. */
export const calls: readonly TopicCall[] = [
  { topic: 'swaps' },
  { topic: 'swaps', params: { wallets: wallets.slice(0, 2), tokens: [tokens[3]!] } },
  { topic: 'trades' },
  { topic: 'trades', params: { tokens: [tokens[4]!] } },
  { topic: 'prices' },
  ...CANDLES_OF.map((token) => ({ topic: 'candles', params: { token, interval: INTERVAL } })),
  { topic: 'profiles.wallet', params: { wallets } },
  { topic: 'profiles.wallet', params: { filter: walletFilter } },
  { topic: 'profiles.token', params: { filter: tokenFilter } },
  { topic: 'profiles.position', params: { filter: positionFilter, options: { include_metadata: true } } },
];

type Item = Readonly<Record<string, unknown>>;
type State = Map<string, Item>;

/** What tells items of a topic apart. */
const identities: Readonly<Record<string, (item: Item) => string>> = {
  swaps: ({ tx_hash, swap_index }) => `${tx_hash} ${swap_index}`,
  trades: ({ tx_hash, wallet, token }) => `${tx_hash} ${wallet} ${token}`,
  prices: ({ token }) => String(token),
  candles: ({ timestamp }) => String(timestamp),
  'profiles.wallet': ({ wallet_address }) => String(wallet_address),
  'profiles.token': ({ token_address }) => String(token_address),
  'profiles.position': ({ position_address }) => String(position_address),
};

const shortName = (topic: string): string => topic.replace(/^.*?\.dex\./, '');

/** The state of a subscription with one message applied. */
export function apply(state: State, { topic, data, retracted, ended, complete }: Message): void {
  const name = shortName(topic);
  const { from_block_slot: slot, from_block_time: time, trades = [], tokens = [], timestamps = [] } = retracted ?? {};
  if (slot !== undefined && time !== undefined)
    for (const [key, item] of state) {
      const isGone =
        name === 'candles' ? Number(item.timestamp) + INTERVAL > time : Number(item.block_slot ?? Number.NaN) >= slot;
      if (isGone) state.delete(key);
    }
  for (const trade of trades) state.delete(identities.trades!({ ...trade }));
  for (const gone of [...tokens, ...timestamps]) state.delete(String(gone));
  if (complete) state.clear();
  for (const address of ended ?? []) state.delete(address);
  for (const item of data as readonly Item[]) state.set(identities[name]!(item), item);
}

async function allPages(page: (cursor: string | undefined) => Promise<{ data: readonly unknown[]; cursor?: string }>) {
  const all: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, cursor: next } = await page(cursor);
    all.push(...(data as Item[]));
    if (next === undefined) return all;
    cursor = next;
  }
}

/** What the list routes say, in the place of the state of each subscription. */
export async function listed(dex: Swapfold): Promise<State[]> {
  const paged = (name: string, body: object) =>
    allPages((cursor) => dex.call(name, { ...body, limit: 100, ...(cursor === undefined ? {} : { cursor }) }) as never);
  const swaps = await paged('swaps.list', {});
  const trades = await paged('trades.list', {});
  const some = wallets.slice(0, 2);
  const search = (kind: string, body: object) => paged(`${kind}.search`, body).catch(ignoreUnrefreshed);
  const lists = [
    swaps,
    swaps.filter((s) => some.includes(String(s.wallet)) && [s.token_in, s.token_out].includes(tokens[3]!)),
    trades,
    trades.filter(({ token }) => token === tokens[4]),
    (await dex.prices.latest({ tokens })) as readonly Item[],
    ...(await Promise.all(CANDLES_OF.map((token) => dex.prices.candles({ token, interval: INTERVAL, count: 5000 })))),
    await search('wallets', {}),
    await search('wallets', { filter: walletFilter }),
    await search('tokens', { filter: tokenFilter }),
    await search('positions', { filter: positionFilter, options: { include_metadata: true } }),
  ];
  return lists.map((list, i) => {
    const identity = identities[shortName(calls[i]!.topic)]!;
    return new Map((list as readonly Item[]).map((item) => [identity(item), item]));
  });
}

function ignoreUnrefreshed(error: { code?: string }): Item[] {
  if (error.code !== 'not-refreshed') throw error;
  return [];
}

/** A profile that a refresh left alone is not sent again, although lists say since when it has been left (`as_of`). */
function withoutAsOf({ as_of: _, ...item }: Item): Item {
  return item;
}

/** Holds each state to what the lists say. */
export function assertSame(states: readonly State[], lists: readonly State[]): void {
  for (const [i, list] of lists.entries()) {
    const name = `${calls[i]!.topic} ${JSON.stringify(calls[i]!.params ?? {})}`;
    const sorted = (state: State) =>
      [...state].map(([key, item]) => [key, withoutAsOf(item)] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual(sorted(states[i]!), sorted(list), name);
  }
}
