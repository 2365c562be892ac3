import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import {
  builtInMetrics,
  defineMetric,
  type EntityKind,
  type Metric,
  type MetricExplanation,
  memory,
  metricPath,
  profileWindows,
  Swapfold,
} from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import { type TermName, termNameOf, termTable } from '../packages/core/src/bag/terms.ts';
import { engines, withFolder } from './support/engines.ts';
import { frozenRequest, openFrozenMarket } from './support/frozen.ts';
import { askOracle, hasPython, type OracleAnswer } from './support/oracle.ts';
import { watched } from './support/scan.ts';
import { readUniswapDay, uniswapCases } from './support/uniswap.ts';
import { cases } from './support/whole.ts';

const kinds = ['tokens', 'wallets'] as const;
const nouns = { tokens: 'token', wallets: 'wallet' } as const;
const metricsOf = (kind: EntityKind): readonly Metric[] => builtInMetrics.filter(({ of }) => of.includes(kind));
type Profile = { metrics: Record<string, Record<string, unknown>> };

function explain(
  dex: Swapfold,
  kind: EntityKind,
  address: string,
  request: { metric: string; window: string; limit?: number; cursor?: string },
): Promise<MetricExplanation> {
  return dex.call(`${kind}.explain`, { [nouns[kind]]: address, ...request }) as Promise<MetricExplanation>;
}

async function addressesOf(dex: Swapfold, kind: EntityKind): Promise<string[]> {
  const addresses: string[] = [];
  let cursor: string | undefined;
  do {
    const page = (await dex.call(`${kind}.search`, {
      limit: 100,
      options: {},
      ...(cursor === undefined ? {} : { cursor }),
    })) as {
      cursor?: string;
      data: Record<string, string>[];
    };
    addresses.push(...page.data.map((profile) => profile[`${nouns[kind]}_address`]!));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return addresses;
}

function servedOf(profile: Profile, window: string, { group, name }: Metric): unknown {
  const held = profile.metrics[window]!;
  return (group === undefined ? held : (held[group] as Record<string, unknown>))[name];
}

const factOf = new Map((Object.keys(termTable) as TermName[]).map((fact) => [termNameOf(fact), fact]));

/** The function of a metric over what an answer lists, and nothing else: another fact that it reads is `undefined`. */
function combined(metric: Metric, { terms }: MetricExplanation): number | null {
  const number = (value: number | null): number => value ?? Number.NaN;
  const bag = Object.fromEntries(
    terms.map(({ name, value }) => [
      factOf.get(name)!,
      typeof value === 'object' && value !== null ? Float64Array.from(value, number) : number(value as number | null),
    ]),
  );
  const value = metric.value(bag as unknown as Parameters<Metric['value']>[0]);
  if (value === null || !Number.isFinite(value)) return null;
  return (metric.unit === 'seconds' ? Math.floor(value + 0.5) : value) + 0;
}

async function everyTrade(dex: Swapfold, kind: EntityKind, address: string, metric: string, window: string) {
  const trades = [];
  for (let cursor: string | undefined, limit = 3; ; limit = limit === 3 ? 100 : 3) {
    const page = await explain(dex, kind, address, {
      metric,
      window,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    trades.push(...page.trades);
    cursor = page.cursor;
    if (cursor !== undefined) continue;
    assert.equal(page.count, trades.length);
    return trades;
  }
}

/** Every metric of every `step`th entity, the window going round: the value is the profile's, and the terms give it. */
async function checkValues(dex: Swapfold, kind: EntityKind, step: number): Promise<number> {
  const windows = profileWindows[kind];
  let checked = 0;
  for (const [i, address] of (await addressesOf(dex, kind)).entries()) {
    if (i % step !== 0) continue;
    const profile = (await dex.call(`${kind}.get`, { [nouns[kind]]: address })) as Profile;
    for (const [m, metric] of metricsOf(kind).entries()) {
      for (const window of i === 0 ? windows : [windows[(i + m) % windows.length]!]) {
        const answer = await explain(dex, kind, address, { metric: metricPath(metric), window, limit: 1 });
        const where = `${kind} ${address} ${window} ${metricPath(metric)}`;
        assert.equal(answer.value, servedOf(profile, window, metric), where);
        assert.equal(combined(metric, answer), answer.value, where);
        assert.deepEqual([answer.unit, answer.formula], [metric.unit, metric.formula]);
        checked++;
      }
    }
  }
  return checked;
}

/** The parts of all pages of every sum: they add up to it, and are those of the independent script. */
async function checkParts(
  dex: Swapfold,
  kind: EntityKind,
  { trades: all, wallets }: OracleAnswer,
  step: number,
): Promise<number> {
  const partsOf = new Map(all.map((trade) => [`${trade.tx_hash} ${trade.wallet} ${trade.token}`, trade.parts]));
  let checked = 0;
  for (const [i, address] of (await addressesOf(dex, kind)).entries()) {
    if (i % step !== 0) continue;
    const sums = metricsOf(kind).filter(({ isSum }) => isSum);
    for (const [m, metric] of sums.entries()) {
      const window = profileWindows[kind][(i + m) % profileWindows[kind].length]!;
      const { value, as_of } = await explain(dex, kind, address, { metric: metric.name, window, limit: 1 });
      const trades = await everyTrade(dex, kind, address, metric.name, window);
      const best = kind === 'wallets' ? wallets[address]?.best_token?.[window] : undefined;
      let sum = 0;
      let scale = 0;
      for (const { part, ...trade } of trades) {
        sum += part ?? 0;
        scale += Math.abs(part ?? 0);
        const parts = partsOf.get(`${trade.tx_hash} ${trade.wallet} ${trade.token}`) as unknown as Record<
          string,
          number
        >;
        const where = `${kind} ${address} ${window} ${metric.name} ${trade.tx_hash} as of ${as_of}`;
        if (metric.name === 'entry_count') continue;
        const name = metric.name === 'pnl_without_best' ? 'pnl' : metric.name;
        const expected = (name !== metric.name && trade.token === best ? undefined : parts[name]) ?? null;
        const isClose = part === expected || Math.abs(part! - expected!) <= 1e-9 * (trade.usd_amount ?? 0);
        assert.ok((part === null) === (expected === null) && isClose, `${where}: ${part}, not ${expected}`);
        checked++;
      }
      assert.ok(
        Math.abs(sum - value!) <= 1e-9 * scale,
        `${kind} ${address} ${window} ${metric.name}: ${sum}, not ${value}`,
      );
    }
  }
  return checked;
}

const skip = hasPython ? false : 'python3 is not installed';

test('on the frozen market, every explanation has the value of the profile, and its terms and parts make it', {
  skip,
}, async (t) => {
  const dex = await openFrozenMarket();
  const oracle = askOracle({ ...frozenRequest(), include: ['luck', 'parts'] });
  for (const kind of kinds) {
    const values = await checkValues(dex, kind, cases(1, 4));
    t.diagnostic(`${kind}: ${values} values, ${await checkParts(dex, kind, oracle, cases(1, 2))} parts`);
  }
  await dex.close();
});

const day = uniswapCases[cases(2, 1) - 1]!;
for (const [engine, open] of Object.entries(engines))
  test(`${engine}: on ${day.title}, every explanation has the value of the profile, and its terms make it`, (t) =>
    withFolder(async (folder) => {
      const dex = watched(await Swapfold.open({ storage: open(folder), config: day.config }));
      await dex.ingest(readUniswapDay(day.day));
      await dex.refresh();
      for (const kind of kinds) {
        const [few, fewer] = kind === 'tokens' ? [2, 8] : [150, 800];
        const step = cases(1, engine === 'memory' ? few : fewer);
        t.diagnostic(`${kind}: ${await checkValues(dex, kind, step)} values`);
      }
      await dex.close();
    }));

const A = 1_704_412_800;
const HOUR = 3600;
const config = { address_format: 'any', quote_tokens: [{ address: 'USD', symbol: 'USD', kind: 'stable' }] } as const;
let nonce = 0;
/** 10 tokens bought or sold. */
const trade = (side: 'buy' | 'sell', token: string, block_time: number, usd: number) => ({
  tx_hash: `tx-${nonce++}`,
  swap_index: 0,
  block_time,
  wallet: 'W',
  ...(side === 'buy'
    ? { token_in: 'USD', token_amount_in: usd, token_out: token, token_amount_out: 10 }
    : { token_in: token, token_amount_in: 10, token_out: 'USD', token_amount_out: usd }),
});
const roundTrip = (token: string, time: number, gain: number) => [
  trade('buy', token, time - 60, 100),
  trade('sell', token, time, 100 + gain),
];

/** Results of W, hour by hour from 10 h before A: +10, +20, -5, -30, +1, +2, +3, -40. The prints of T are 10, and 11, 12, 9.5, 7 and so on. */
const results = [10, 20, -5, -30, 1, 2, 3, -40];
const swaps = results.flatMap((gain, i) => roundTrip('T', A - (10 - i) * HOUR, gain));

async function openWith(rows: readonly object[], options: object = {}): Promise<Swapfold> {
  const dex = watched(await Swapfold.open({ storage: memory(), config, ...options }));
  await dex.ingest(rows as never);
  await dex.refresh({ asOf: A });
  return dex;
}

const at = (time: number): string => `${new Date(time * 1000).toISOString().slice(0, 19)}Z`;
const spans: readonly [kind: EntityKind, metric: string, window: string, term: string, from: number, to: number][] = [
  // Three wins in a row against two at first.
  ['wallets', 'max_consecutive_wins', '1d', 'longest_wins', A - 6 * HOUR, A - 4 * HOUR],
  ['wallets', 'max_consecutive_losses', '1d', 'longest_losses', A - 8 * HOUR, A - 7 * HOUR],
  // 10, 30, 25, -5, -4, -2, 1, -39: from 30 to -39.
  ['wallets', 'recovery_factor', '1d', 'largest_fall', A - 9 * HOUR, A - 3 * HOUR],
  // The hours at whose ends the profits of 10 and 20 % and the last loss of 40 % lie.
  ['wallets', 'max_drawdown', '1d', 'returns_fall', A - 9 * HOUR, A - 3 * HOUR],
  // 12 at the second sell, 6 at the last.
  ['tokens', 'max_drawdown', '1d', 'price_fall', A - 9 * HOUR, A - 3 * HOUR],
];
for (const [kind, metric, window, term, from, to] of spans)
  test(`${metric} of ${kind} says from when to when its ${term} lasts`, async () => {
    const dex = await openWith(swaps);
    const { terms } = await explain(dex, kind, kind === 'tokens' ? 'T' : 'W', { metric, window });
    const found = terms.find(({ name }) => name === term)!;
    assert.deepEqual([found.from, found.to], [at(from), at(to)]);
    await dex.close();
  });

test('a run and a fall that there is not begin and end nowhere', async () => {
  const dex = await openWith([trade('buy', 'T', A - HOUR, 100)]);
  for (const metric of ['max_consecutive_wins', 'recovery_factor', 'max_drawdown']) {
    const { terms } = await explain(dex, 'wallets', 'W', { metric, window: '1d' });
    assert.ok(
      terms.every(({ from, to }) => from === null && to === null),
      metric,
    );
  }
  await dex.close();
});

test('trades have no part of a metric that is no sum', async () => {
  const dex = await openWith(swaps);
  const { value, trades } = await dex.wallets.explain({ wallet: 'W', metric: 'winrate', window: '1d' });
  assert.equal(value, 62.5);
  assert.deepEqual([...new Set(trades.map(({ part }) => part))], [null]);
  await dex.close();
});

test('of two best tokens of equal results the first by address has no part in what is without the best', async () => {
  const dex = await openWith([
    ...roundTrip('B', A - 2 * HOUR, 10),
    ...roundTrip('A', A - HOUR, 10),
    trade('buy', 'A', A, 100),
  ]);
  const { value, trades } = await dex.wallets.explain({ wallet: 'W', metric: 'pnl_without_best', window: '1d' });
  assert.equal(value, 10);
  assert.deepEqual(
    trades.map(({ token, direction, part }) => [token, direction, part]),
    [
      ['A', 'buy', null],
      ['A', 'sell', null],
      ['A', 'buy', null],
      ['B', 'sell', 10],
      ['B', 'buy', null],
    ],
  );
  await dex.close();
});

test('a trade exactly at the start of the window is not listed, and swaps after the instant of the profile are not', async () => {
  const dex = await openWith([
    trade('buy', 'T', A - 86_400, 1),
    trade('buy', 'T', A - 86_399, 2),
    trade('buy', 'T', A, 3),
  ]);
  await dex.ingest([trade('buy', 'T', A + 1, 4)]);
  const answer = await dex.wallets.explain({ wallet: 'W', metric: 'volume', window: '1d' });
  assert.deepEqual([answer.as_of, answer.value, answer.count], [at(A), 5, 2]);
  assert.deepEqual(
    answer.trades.map(({ part }) => part),
    [3, 2],
  );
  await dex.close();
});

test('a profile that was left behind is explained as of the last instant that it holds for', async () => {
  const dex = await openWith(swaps);
  await dex.ingest([{ ...trade('buy', 'U', A + 7 * HOUR, 5), wallet: 'V' }]);
  await dex.refresh({ scope: 'traded' });
  const profile = await dex.wallets.get({ wallet: 'W' });
  const { as_of, value } = await dex.wallets.explain({ wallet: 'W', metric: 'pnl', window: '1d' });
  assert.ok(profile.as_of !== undefined && profile.as_of < at(A + 7 * HOUR));
  assert.deepEqual([as_of, value], [profile.as_of, profile.metrics!['1d']!.pnl]);
  await dex.close();
});

test('as of an earlier instant the explanation is that of the profile at that instant', async () => {
  const dex = await openWith(swaps);
  for (const time of [A - 6 * HOUR, A - 6 * HOUR - 1, A - 10 * HOUR]) {
    const past = dex.at(time);
    const { metrics } = await past.wallets.get({ wallet: 'W' });
    const { as_of, value, terms } = await past.wallets.explain({ wallet: 'W', metric: 'avg_pnl', window: '7d' });
    assert.deepEqual([as_of, value], [at(time), metrics!['7d']!.avg_pnl]);
    assert.deepEqual(
      terms.map(({ name }) => name),
      ['pnl', 'realised'],
    );
  }
  await assert.rejects(dex.at(A - 86_400).wallets.explain({ wallet: 'W', metric: 'pnl', window: '7d' }), {
    code: 'not-found',
  });
  await dex.close();
});

const sellsTwice = defineMetric({
  name: 'sells_twice',
  of: ['wallets'],
  unit: 'count',
  sentence: 'Twice the sells.',
  formula: '2 |S|',
  empty: 0,
  value: (bag) => 2 * bag.sells,
  examples: [],
  source: 'this test',
});
const tripled = defineMetric({
  ...sellsTwice,
  name: 'tripled',
  terms: ['sells'],
  isSum: true,
  value: (bag) => 3 * bag.sells,
});

test('own metrics are explained: without terms by their formula, with terms by these, and without their functions by what is stored', () =>
  withFolder(async (folder) => {
    const path = join(resolve(folder), 'own.db');
    const dex = await Swapfold.open({ storage: sqlite(path), config, metrics: [sellsTwice, tripled] });
    await dex.ingest(swaps);
    await dex.refresh({ asOf: A });
    const plain = await dex.wallets.explain({ wallet: 'W', metric: 'sells_twice', window: '1d', limit: 1 });
    assert.deepEqual([plain.value, plain.formula, plain.terms, plain.trades[0]!.part], [16, '2 |S|', [], null]);
    const sum = await dex.wallets.explain({ wallet: 'W', metric: 'tripled', window: '1d', limit: 2 });
    assert.deepEqual([sum.value, sum.terms[0]!.value, sum.trades.map(({ part }) => part)], [24, 8, [3, null]]);
    await dex.close();
    const stored = await Swapfold.open({ storage: sqlite(path), config });
    const answer = await explain(stored, 'wallets', 'W', { metric: 'tripled', window: '1d' });
    assert.deepEqual([answer.value, answer.terms, answer.count, answer.trades[0]!.part], [24, [], 16, null]);
    const asked = { wallet: 'W', metric: 'tripled' as 'pnl', window: '1d' } as const;
    await assert.rejects(stored.at(A).wallets.explain(asked), { code: 'store-mismatch' });
    await stored.close();
  }));

const wrong: readonly [sentence: string, body: object, code: string, message: RegExp][] = [
  [
    'a metric that there is not',
    { wallet: 'W', metric: 'pln', window: '1d' },
    'invalid-request',
    /no metric "pln" of wallets. Did you mean "pnl"/,
  ],
  [
    'a metric of tokens alone',
    { wallet: 'W', metric: 'makers_count', window: '1d' },
    'invalid-request',
    /no metric "makers_count" of wallets/,
  ],
  [
    'a window that there is not',
    { wallet: 'W', metric: 'pnl', window: '1h' },
    'invalid-request',
    /no window "1h".* Windows: 30d, 14d/,
  ],
  ['a wallet that there is not', { wallet: 'X', metric: 'pnl', window: '1d' }, 'not-found', /no profile of wallet "X"/],
  ['both wrong names at once', { wallet: 'W', metric: 'pln', window: '2d' }, 'invalid-request', /"pln".*and 1 more/],
  ['a cursor that is none', { wallet: 'W', metric: 'pnl', window: '1d', cursor: 'x' }, 'invalid-cursor', /cursor/],
];
for (const [sentence, body, code, message] of wrong)
  test(`${sentence} is refused`, async () => {
    const dex = await openWith(swaps);
    await assert.rejects(dex.call('wallets.explain', body), { code, message });
    await dex.close();
  });

test('a cursor of another metric is refused', async () => {
  const dex = await openWith(swaps);
  const { cursor } = await dex.wallets.explain({ wallet: 'W', metric: 'pnl', window: '1d', limit: 1 });
  const other = { wallet: 'W', metric: 'volume', window: '1d', cursor: cursor! } as const;
  await assert.rejects(dex.wallets.explain(other), { code: 'invalid-cursor' });
  await dex.close();
});
