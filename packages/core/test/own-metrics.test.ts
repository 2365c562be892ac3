import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory } from '../src/memory/memory.ts';
import { defineMetric, type Metric } from '../src/metrics/metric.ts';
import { Swapfold } from '../src/swapfold.ts';

const DAY = 86_400;
const START = 1_704_412_800;
const config = {
  address_format: 'any',
  quote_tokens: [{ address: 'USD', symbol: 'USD', kind: 'stable' }],
} as const;

const own = (name: string, value: Metric['value'], more: Partial<Metric> = {}): Metric => ({
  ...{ name, value, of: ['wallets'], unit: 'count', empty: null, sentence: 'S.', formula: 'f', source: 's' },
  examples: [],
  ...more,
});

const buy = (tx_hash: string, wallet: string, block_time: number, side: 'in' | 'out' = 'in') => ({
  ...{ tx_hash, swap_index: 0, block_time, wallet },
  ...(side === 'in'
    ? { token_in: 'USD', token_out: 'T', token_amount_in: 100, token_amount_out: 10 }
    : { token_in: 'T', token_out: 'USD', token_amount_in: 10, token_amount_out: 100 }),
});

test('a metric that moves with every second is what it is from nothing after each refresh, and its labels are', async () => {
  const metrics = [
    own('idle_for', ({ asOf, lastTime }) => asOf - lastTime, { unit: 'seconds' }),
    own('capital', ({ averageOpenCost }) => averageOpenCost, { unit: 'USD' }),
  ];
  const quiet = { label: 'quiet', rule: 'R.', filter: { 'metrics.30d.idle_for': { $gt: 15 * DAY + 3600 } } as object };
  const dex = await Swapfold.open({ storage: memory(), metrics, config: { ...config, labels: { wallets: [quiet] } } });
  await dex.ingest([buy('a', 'W', START), buy('b', 'V', START + 15 * DAY)]);
  await dex.refresh();
  await dex.ingest([buy('c', 'V', START + 15 * DAY + DAY / 2)]);
  await dex.refresh();
  const { metrics: found, labels } = await dex.wallets.get({ wallet: 'W' });
  const { idle_for, capital } = (found as Record<string, Record<string, number>>)['30d']!;
  assert.equal(idle_for, 15.5 * DAY);
  assert.ok(Math.abs(capital! - (100 * 15.5) / 30) < 1e-9, String(capital));
  assert.deepEqual(labels, ['quiet']);
  assert.equal((await dex.verify()).different, 0);
  await dex.close();
});

test('a metric that reads only what trades leave, or an open cost of nothing, is folded again by no refresh', async () => {
  const metrics = [
    own('last_trade', ({ lastTime }) => lastTime),
    own('capital', ({ averageOpenCost }) => averageOpenCost, { unit: 'USD' }),
  ];
  const dex = await Swapfold.open({ storage: memory(), metrics, config });
  // Bought and sold before the longest window: nothing of it is open, and nothing passes an edge.
  await dex.ingest([buy('a', 'W', START), buy('b', 'W', START + 10, 'out'), buy('c', 'V', START + 40 * DAY)]);
  await dex.refresh();
  await dex.ingest([buy('d', 'V', START + 40 * DAY + 60)]);
  assert.equal((await dex.refresh()).wallets, 1);
  await dex.close();
});

test('names that would hide a field, or that are none, are refused however the metric was made', async () => {
  const zero = (): number => 0;
  const named = (name: string, group?: string): Metric => own(name, zero, group === undefined ? {} : { group });
  for (const [metric, message] of [
    [named('token_roi_distribution'), /be in a group "token_roi_distribution"/],
    [named('x', 'pnl'), /be in a group "pnl"/],
    [named('pnl'), /declared twice/],
    [named('PNL'), /"PNL" must be snake_case/],
    [named('a.b'), /"a\.b" must be snake_case/],
    [named('a', 'b c'), /"b c" must be snake_case/],
  ] as const)
    await assert.rejects(Swapfold.open({ storage: memory(), metrics: [metric] }), { code: 'invalid-config', message });
  const wrong = { ...named('B'), terms: [], value: zero } as const;
  assert.throws(() => defineMetric(wrong), { code: 'invalid-config' });
  const fine = await Swapfold.open({ storage: memory(), metrics: [named('x', 'mine'), named('y', 'mine')] });
  await fine.close();
});
