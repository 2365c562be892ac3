import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineMetric, Swapfold, SwapfoldError } from '@swapfold/core';
import { findOperation, questions } from '@swapfold/core/host';
import * as v from 'valibot';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { transfersBeside } from './support/transfers.ts';
import { cases } from './support/whole.ts';

const SEED = 11;
const { swaps, config, market } = smallMarket({ seed: SEED, swaps: 1500 });
const busiest = (addresses: readonly string[]): string[] => {
  const counts = new Map<string, number>();
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([address]) => address);
};
const allTokens = busiest(swaps.flatMap((swap) => [swap.token_in, swap.token_out])).slice(0, 40);
const allWallets = busiest(swaps.map(({ wallet }) => wallet)).slice(0, 20);
const [token, wallet] = [allTokens[0]!, allWallets[0]!];
const from = new Date(swaps[0]!.block_time * 1000).toISOString();

const own = defineMetric({
  name: 'lucky',
  group: 'moods',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'count',
  sentence: 'How often somebody was lucky.',
  formula: 'wins',
  empty: null,
  value: () => null,
  examples: [],
  source: 'test',
});

const search = { limit: 100, explain: true } as const;

/** Requests of operations, beside the example that each declares: with all that they may ask for. */
const requestsOf = (
  tokens: readonly string[],
  wallets: readonly string[],
): Readonly<Record<string, readonly object[]>> => ({
  'tokens.search': [
    { ...search, dynamic_labels: { dear: { 'market.price': { $in: [4, null] } } } },
    { ...search, query: { text: 'to', autocomplete: true, fuzzy: true } },
    {
      ...search,
      filter: {
        'metadata.created_at': { $nin: ['2024-01-05T00:00:00Z', null] },
        $or: [{ labels: { $in: ['hot', null] } }, { 'metadata.symbol': { $contains: 'a' } }, { 'metadata.age': 5 }],
        $nor: [{ 'metadata.verified': { $in: [true, null] } }, { $not: { 'metadata.name': { $startsWith: 'a' } } }],
      },
    },
    { limit: 2, sort: [{ field: 'market.price' }], options: { include_market: true, include_metrics: ['1d'] } },
    { limit: 1, options: {} },
  ],
  'tokens.get': [...tokens.map((one) => ({ token: one })), { token, options: { include_metadata: true } }],
  'tokens.explain': ['pnl', 'max_drawdown', 'wallet_roi_distribution.gt_500'].map((metric) => ({
    token,
    metric,
    window: '7d',
    limit: 2,
  })),
  'wallets.explain': ['pnl', 'recovery_factor', 'risk_of_ruin'].map((metric) => ({ wallet, metric, window: '30d' })),
  'positions.explain': ['pnl', 'recovery_factor', 'risk_of_ruin'].map((metric) => ({
    wallet,
    token,
    metric,
    window: '30d',
  })),
  'wallets.search': [search, { ...search, filter: { labels: 'whale', 'metrics.7d.moods.lucky': { $exists: false } } }],
  'wallets.get': [
    ...wallets.map((one) => ({ wallet: one })),
    { wallet, options: { include_labels: true } },
    { wallet, options: { include_launch: true, include_metrics: ['30d'] } },
  ],
  'positions.search': [
    search,
    { limit: 20, options: { include_launch: true, include_metadata: true } },
    { limit: 100, options: { include_metrics: ['30d', '1d'], include_holding: true } },
    {
      ...search,
      filter: { token_address: token, labels: { $in: ['bagholder', 'flip'] }, 'metrics.7d.moods.lucky': null },
      sort: { field: 'holding.value' },
      dynamic_labels: { named: { 'metadata.symbol': { $contains: 'a' } } },
      options: {},
    },
  ],
  'positions.get': tokens.map((one) => ({
    wallet,
    token: one,
    options: { include_labels: true, include_metrics: ['7d'] },
  })),
  'swaps.list': [{ limit: 100 }, { wallet, limit: 1 }, { token, limit: 100 }, { wallet, token }],
  'trades.list': [{ limit: 100 }, { wallet, limit: 1 }, { token, limit: 100 }, { wallet, token }],
  'transfers.list': [{ limit: 100 }, { wallet, limit: 1 }, { token, limit: 100 }, { wallet, token }],
  'prices.latest': [{ tokens }],
  'prices.stats': [{ tokens }],
  'prices.candles': [
    { token, interval: 60 },
    { token, interval: 3600, count: 24, fill: true },
  ],
  'prices.history': [{ tokens, from, interval: 86_400 }],
  'wallets.simulate': wallets.flatMap((one) => [
    { wallet: one },
    { wallet: one, slots: 1, delays: [], limit: 5, fee: { usd: 1, percent: 1 }, explain: true },
  ]),
  'wallets.history': wallets.map((one) => ({ wallet: one, from, interval: 86_400 })),
  'tokens.history': [
    { token, interval: 86_400 },
    ...tokens.map((one) => ({ token: one, interval: 86_400, metrics: ['price'] })),
  ],
  'tokens.buyers': tokens.flatMap((one) => [
    { token: one, limit: 100 },
    { token: one, before: from },
  ]),
  'portfolios.get': wallets.map((one) => ({ wallet: one })),
});

/** Requests of so many tokens, and of half as many wallets, of those that trade most. */
const requestsOfFirst = (most: number) => requestsOf(allTokens.slice(0, most), allWallets.slice(0, most / 2));

type Schema = ReturnType<ReturnType<typeof findOperation>['response']>;
/** The schemas of answers that were built for a store. */
const schemas = new WeakMap<Swapfold, Map<string, Schema>>();

function schemaOf(dex: Swapfold, name: string): Schema {
  const own = schemas.get(dex) ?? new Map<string, Schema>();
  schemas.set(dex, own);
  const schema = own.get(name) ?? findOperation(name).response(dex);
  own.set(name, schema);
  return schema;
}

/** What is wrong with an answer by the schema that its operation declares. */
function faults(dex: Swapfold, name: string, answer: unknown): string[] {
  const parsed = v.safeParse(schemaOf(dex, name), answer);
  return (parsed.issues ?? []).map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
}

/** That the answers to all requests of all operations fit, in the process and as JSON. Returns the operations that answered. */
async function checkAll(dex: Swapfold, requests: ReturnType<typeof requestsOf>): Promise<ReadonlySet<string>> {
  const answered = new Set<string>();
  for (const { name, example } of questions) {
    for (const request of [...(requests[name] ?? []), example(dex.config)]) {
      const answer = await dex.call(name, request).catch((error: unknown) => {
        assert.ok(error instanceof SwapfoldError && error.code === 'not-found', String(error));
        return undefined;
      });
      if (answer === undefined) continue;
      answered.add(name);
      const asked = `${name} ${JSON.stringify(request)}`;
      assert.deepEqual(faults(dex, name, answer), [], asked);
      assert.deepEqual(faults(dex, name, JSON.parse(JSON.stringify(answer))), [], `${asked} as JSON`);
    }
  }
  return answered;
}

/** Memory, and the engine that has most types of its own, for which a question costs more; of how many tokens each is asked. */
for (const [engine, most] of [
  ['memory', cases(40, 20)],
  ['duckdb', cases(40, 6)],
] as const) {
  const open = engines[engine]!;
  test(`${engine}: every answer has the keys and types that its operation declares, and no others (seed ${SEED})`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config, metrics: [own] });
      await dex.refresh();
      const requests = requestsOfFirst(most);
      await checkAll(dex, requests);
      await dex.ingest(swaps);
      await dex.transfers.ingest(transfersBeside(swaps, 100, SEED));
      await dex.tokens.upsert(market.tokens());
      await dex.wallets.upsert(market.wallets());
      await dex.refresh();
      assert.equal((await checkAll(dex, requests)).size, questions.length);
      const earlier = dex.at(from);
      assert.deepEqual(faults(dex, 'tokens.get', await earlier.tokens.get({ token })), []);
      assert.deepEqual(faults(dex, 'wallets.get', await earlier.wallets.get({ wallet: swaps[0]!.wallet })), []);
      await dex.close();
    }));
}

test('an answer with a key too many or too few does not fit', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.ingest(swaps);
  await dex.refresh();
  const requests = requestsOfFirst(2);
  for (const { name } of questions) {
    const [request] = requests[name] ?? assert.fail(`${name} needs a request here that it answers with data`);
    const answer = await dex.call(name, request!);
    const [first, ...others] = Object.entries(Array.isArray(answer) ? answer[0]! : answer);
    const changed = [Object.fromEntries([first!, ...others, ['stray', 1]]), Object.fromEntries(others)];
    for (const item of changed)
      assert.notDeepEqual(faults(dex, name, Array.isArray(answer) ? [item] : item), [], `${name} ${first}`);
  }
  await dex.close();
});
