import type { Api, Swapfold } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { tokens, wallets } from './history.ts';

/** Answers by question. */
export type Answers = ReadonlyMap<string, string>;

/** What is asked of one instant: `dex`, or `dex.at(instant)`. `newest` is the block time of the newest swap. */
export async function answersAt(dex: Api, newest: number): Promise<Answers> {
  const answers = new Map<string, string>();
  const ask = async (name: string, request: object, of: (request: never) => Promise<unknown>): Promise<void> => {
    answers.set(`${name} ${JSON.stringify(request)}`, textOf(await of(request as never)));
  };
  const ranges = [
    { interval: 60, count: 50 },
    { interval: 86_400, count: 400, fill: false },
    { interval: 3600, from: formatTime(newest - 9 * 86_400), to: formatTime(newest + 3600), fill: true },
  ];
  for (const [i, token] of tokens.entries())
    await ask('prices.candles', { token, ...ranges[i % ranges.length] }, dex.prices.candles);
  await ask('prices.latest', { tokens }, dex.prices.latest);
  await ask('prices.stats', { tokens }, dex.prices.stats);
  for (const [seconds, interval] of [
    [7200, 600],
    [110 * 86_400, 10 * 86_400],
  ] as const)
    await ask('prices.history', { tokens, from: formatTime(newest - seconds), interval }, dex.prices.history);
  for (const wallet of wallets) {
    await ask('portfolios.get', { wallet }, dex.portfolios.get);
    await ask('wallets.history', { wallet, interval: 86_400 }, dex.wallets.history);
  }
  for (const token of tokens) await ask('tokens.buyers', { token, limit: 100 }, dex.tokens.buyers);
  for (const token of tokens) await ask('tokens.history', { token, interval: 86_400 }, dex.tokens.history);
  const some = [{}, { wallet: wallets[0]! }, { token: tokens[2]! }, { wallet: wallets[1]!, token: tokens[3]! }];
  for (const [name, list] of [
    ['swaps.list', dex.swaps.list],
    ['trades.list', dex.trades.list],
  ] as const)
    for (const request of some) await ask(name, request, (asked) => everyPage(list as Paged, asked, 7));
  return answers;
}

/** The profiles of all addresses, one by one; what an unknown one is answered with too. */
export async function profilesAt({ tokens: ofTokens, wallets: ofWallets }: Api): Promise<Answers> {
  const answers = new Map<string, string>();
  for (const token of tokens) answers.set(token, textOf(await ofTokens.get({ token }).catch(messageOf)));
  for (const wallet of wallets) answers.set(wallet, textOf(await ofWallets.get({ wallet }).catch(messageOf)));
  return answers;
}

const DAY = 86_400;
const labelled = { options: { include_labels: true } };
const bare = { options: { include_metadata: true } };

const searches = {
  tokens: [
    {},
    { sort: { field: 'metadata.last_trade_at', direction: 'asc' }, ...bare },
    { filter: { 'metadata.idle': { $gte: DAY } }, ...bare },
    { filter: { 'metadata.idle': { $lt: 60 } }, ...bare },
    { filter: { 'metadata.age': { $lt: 8 * DAY } }, sort: { field: 'metadata.age' }, ...bare },
    {
      filter: { $or: [{ 'market.holders': { $gte: 2 } }, { 'market.price': null }] },
      options: { include_market: true },
    },
    { query: { text: 'aaa', autocomplete: true, fuzzy: true }, ...bare },
    { filter: { 'metrics.7d.trade_count': { $gt: 0 } }, sort: { field: 'metrics.7d.volume' }, ...labelled },
    { filter: { labels: { $in: ['new', 'hot', 'quiet'] } }, ...labelled },
  ],
  wallets: [
    {},
    { filter: { 'metadata.idle': { $gte: 8 * DAY } }, ...bare },
    { filter: { 'metadata.idle': { $lt: 3600 } }, sort: { field: 'metadata.last_trade_at' }, ...bare },
    {
      filter: { 'metrics.30d.pnl': { $gt: 0 } },
      sort: [{ field: 'metrics.30d.pnl' }, { field: 'updated_at' }],
      ...bare,
    },
    { query: { text: '0x00', autocomplete: true }, sort: { field: 'metrics.1d.trade_count' }, ...labelled },
    {
      filter: { labels: { $nin: ['kol'] } },
      dynamic_labels: { asleep: { 'metadata.idle': { $gte: DAY } } },
      ...labelled,
    },
  ],
} as const;

/** What searches find, all pages of each, or what they are refused with: before the first refresh there is nothing to search. */
export async function searchesOf(dex: Swapfold): Promise<Answers> {
  const answers = new Map<string, string>();
  for (const kind of ['tokens', 'wallets'] as const)
    for (const request of searches[kind])
      answers.set(
        `${kind}.search ${JSON.stringify(request)}`,
        textOf(await everyPage(dex[kind].search as Paged, request, 3).catch(messageOf)),
      );
  return answers;
}

type Page = { readonly count: number; readonly cursor?: string; readonly data: readonly unknown[] };
type Paged = (request: object) => Promise<Page>;

async function everyPage(list: Paged, request: object, limit: number): Promise<unknown[]> {
  const rows: unknown[] = [];
  const counts = new Set<number>();
  let cursor: string | undefined;
  do {
    const page = await list({ ...request, limit, ...(cursor !== undefined && { cursor }) });
    rows.push(...page.data);
    counts.add(page.count);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return [...counts, ...rows];
}

const messageOf = (error: Error): string => error.message;

/** An answer as text, but for the time at which a profile was stored. */
function textOf(answer: unknown): string {
  return JSON.stringify(answer).replace(/"synced_at":"[^"]*",?/g, '');
}

/** The questions that were answered otherwise, with what differs of each answer. */
export function differencesOf(actual: Answers, expected: Answers): string[] {
  return [...expected].flatMap(([question, answer]) => {
    const found = actual.get(question) ?? 'nothing';
    return found === answer ? [] : [`${question}\n  is   ${around(found, answer)}\n  not  ${around(answer, found)}`];
  });
}

function around(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return text.slice(Math.max(0, at - 60), at + 60);
}
