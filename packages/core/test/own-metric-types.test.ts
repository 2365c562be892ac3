import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ConfigInput,
  defineMetric,
  type Metric,
  memory,
  Swapfold,
  type TokenProfile,
  type TokenSearch,
  type WalletProfile,
} from '@swapfold/core';

const declared = {
  unit: 'ratio',
  sentence: 'A test.',
  formula: '1',
  empty: null,
  examples: [],
  source: 'a test',
} as const;
const calm = defineMetric({ ...declared, name: 'calm', of: ['wallets'], value: () => 1 });
const busy = defineMetric({ ...declared, name: 'busy', of: ['tokens', 'wallets'], value: () => 2 });
const deep = defineMetric({ ...declared, name: 'deep', group: 'sea', of: ['tokens'], value: () => 3 });
/** Of no literal name: the types of a store cannot know it. */
const nameless: Metric = { ...calm, name: 'nameless' };

/** Whether two types are the same, not only assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <T extends true>(): T => true as T;

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const wallet = 'Wa11et1111111111111111111111111111111111111';
const token = 'Token11111111111111111111111111111111111111';
const swap = {
  tx_hash: 'a',
  swap_index: 0,
  block_time: 1_700_000_000,
  wallet,
  token_in: USDC,
  token_out: token,
  token_amount_in: 10,
  token_amount_out: 5,
} as const;

test('metrics that open is given are known to filter, sort, dynamic labels and profiles, each of its kind of profile', async () => {
  const dex = await Swapfold.open({ storage: memory(), metrics: [calm, busy, deep] });
  await dex.ingest([swap]);
  await dex.refresh();
  const { data } = await dex.wallets.search({
    filter: { 'metrics.30d.calm': { $gte: 1 }, $or: [{ 'metrics.1d.busy': 2 }] },
    sort: [{ field: 'metrics.7d.calm' }, { field: 'metrics.7d.pnl' }],
    dynamic_labels: { calm: { 'metrics.30d.calm': 1 } },
  });
  const value: number | null | undefined = data[0]?.metrics?.['30d']?.calm;
  assert.equal(value, 1);
  const { metrics } = await dex.tokens.get({ token });
  const [near, far]: (number | null | undefined)[] = [metrics?.['1d']?.busy, metrics?.['1d']?.sea.deep];
  assert.deepEqual([near, far], [2, 3]);
  const found = await dex.tokens.search({ filter: { 'metrics.1h.sea.deep': { $gt: 2 }, token_address: token } });
  assert.equal(found.count, 1);
  assert.equal((await dex.at(1_700_000_000).wallets.get({ wallet })).metrics?.['30d']?.calm, 1);

  const refused = { code: 'unknown-field' };
  // @ts-expect-error: a metric of wallets, not of tokens
  await assert.rejects(dex.tokens.search({ filter: { 'metrics.1d.calm': 1 } }), refused);
  // @ts-expect-error: a slip in the name
  await assert.rejects(dex.wallets.search({ filter: { 'metrics.30d.calmer': 1 } }), refused);
  // @ts-expect-error: no such window
  await assert.rejects(dex.wallets.search({ sort: { field: 'metrics.5m.calm' } }), { status: 400 });
  // @ts-expect-error: the name stands in its group
  assert.equal(metrics?.['1d']?.deep, undefined);
  await dex.close();
});

test('the filter of a label rule names fields and windows of its kind of profile, and own metrics of it', async () => {
  const named = { label: 'mine', rule: 'why' } as const;
  const dex = await Swapfold.open({
    storage: memory(),
    metrics: [calm, busy, deep],
    config: {
      labels: {
        tokens: [{ ...named, filter: { 'metrics.5m.busy': { $gte: 1 }, $or: [{ 'metrics.1h.sea.deep': 3 }] } }],
        wallets: [{ ...named, filter: { 'metrics.30d.calm': 1, 'metrics.14d.winrate': { $gt: 50 } } }],
        positions: [{ ...named, filter: { 'metrics.30d.pnl': { $gt: 0 }, wallet_address: wallet } }],
      },
    },
  });
  const loose = JSON.parse(JSON.stringify(dex.config)) as ConfigInput;
  const again = await Swapfold.open({ storage: memory(), metrics: [calm, busy, deep], config: loose });
  assert.deepEqual(again.config.labels, dex.config.labels);
  const same = await Swapfold.open({ storage: memory(), metrics: [calm, busy, deep], config: dex.config });
  await Promise.all([dex.close(), again.close(), same.close()]);

  type Rules = ConfigInput<'wallets.calm'>['labels'];
  const wrong: readonly Rules[] = [
    // @ts-expect-error: a metric of wallets, not of tokens
    { tokens: [{ ...named, filter: { 'metrics.1d.calm': 1 } }] },
    // @ts-expect-error: a built-in metric of wallets, not of tokens
    { tokens: [{ ...named, filter: { 'metrics.1d.winrate': 1 } }] },
    // @ts-expect-error: a metric of wallets, not of positions
    { positions: [{ ...named, filter: { 'metrics.30d.calm': 1 } }] },
    // @ts-expect-error: a field of tokens, not of positions
    { positions: [{ ...named, filter: { 'market.price': 1 } }] },
    // @ts-expect-error: tokens have no window of 30 days
    { tokens: [{ ...named, filter: { 'metrics.30d.volume': 1 } }] },
    // @ts-expect-error: wallets have no window of 5 minutes
    { wallets: [{ ...named, filter: { 'metrics.5m.pnl': 1 } }] },
    // @ts-expect-error: a slip in the name
    { wallets: [{ ...named, filter: { $or: [{ 'metrics.7d.pnll': 1 }] } }] },
    // @ts-expect-error: no operator of numbers
    { wallets: [{ ...named, filter: { 'metrics.7d.pnl': { $contains: '1' } } }] },
  ];
  for (const labels of wrong)
    await assert.rejects(Swapfold.open({ storage: memory(), metrics: [calm], config: { labels } }), {
      code: 'invalid-config',
    });
  const ungiven = [{ ...named, filter: { 'metrics.7d.calm': 1 } }] as const;
  // @ts-expect-error: a metric that this store was not given
  const opened = Swapfold.open({ storage: memory(), config: { labels: { wallets: ungiven } } });
  await assert.rejects(opened, { code: 'invalid-config' });
});

test('a store with metrics of its own is taken where any store is', async () => {
  const dex = await Swapfold.open({ storage: memory(), metrics: [calm, deep] });
  const metricsOf = (given: Swapfold): number => given.metrics.length;
  const other = await Swapfold.open({ storage: memory() });
  assert.equal(metricsOf(dex), metricsOf(other) + 2);
  await assert.rejects(other.copyFrom(dex), { code: 'store-mismatch' });
  await Promise.all([dex.close(), other.close()]);
});

test('without metrics of its own, and with such of no literal name, the types of a store are the plain ones', async () => {
  const plain = await Swapfold.open({ storage: memory() });
  const dynamic: readonly Metric[] = [nameless];
  const unknown = await Swapfold.open({ storage: memory(), metrics: dynamic });
  const mixed = await Swapfold.open({ storage: memory(), metrics: [calm, nameless] });
  isTrue<Same<typeof plain, Swapfold>>();
  isTrue<Same<typeof unknown, Swapfold>>();
  isTrue<Same<typeof mixed, Swapfold<'wallets.calm'>>>();
  isTrue<Same<Awaited<ReturnType<typeof plain.tokens.get>>, TokenProfile>>();
  isTrue<Same<Awaited<ReturnType<typeof plain.wallets.get>>, WalletProfile>>();
  type Search = NonNullable<Parameters<typeof plain.tokens.search>[0]>;
  isTrue<Same<Search['filter'], TokenSearch['filter']>>();
  isTrue<Same<Search['sort'], TokenSearch['sort']>>();
  // @ts-expect-error: a metric that this store was not given
  await assert.rejects(plain.wallets.search({ filter: { 'metrics.30d.calm': 1 } }), { code: 'unknown-field' });
  await Promise.all([plain.close(), unknown.close(), mixed.close()]);
});
