import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { type ConfigInput, defineMetric, type OpenOptions, Swapfold } from '@swapfold/core';
import { allAnswers } from '../../../../test/support/answers.ts';
import { engines } from '../../../../test/support/engines.ts';
import { smallMarket } from '../../../../test/support/market.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';

const { client, dispose } = await openClient();
after(dispose);

const { swaps, config } = smallMarket({ seed: 21, swaps: 120, wallets: 20, tokens: 8 });
const rule = { label: 'busy', rule: 'sells', filter: { 'metrics.30d.sells_twice': { $gte: 2 } } };
const withRule: ConfigInput<'wallets.sells_twice'> = { ...config, labels: { wallets: [rule] } };
const sells = defineMetric({
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

test('other rules and metrics are refused, refolded whole or not at all, and served by a handle without the metric', async () => {
  const database = `swapfold_settings_${process.pid}`;
  const open = (settings: Omit<OpenOptions, 'storage'>, read_only = false) =>
    Swapfold.open({ storage: clickhouse({ server: client, database, read_only }), ...settings });
  const answersOf = async (settings: Omit<OpenOptions, 'storage'>, isReader = false): Promise<string> => {
    const dex = await open(settings, isReader);
    const answers = await allAnswers(dex);
    await dex.close();
    return answers;
  };
  try {
    const dex = await open({ config });
    await dex.ingest(swaps);
    await dex.refresh();
    const before = await allAnswers(dex);
    await dex.close();
    const other = { config: withRule, metrics: [sells] };
    for (const isReader of [false, true])
      await assert.rejects(open(other, isReader), { code: 'store-mismatch', message: /added "sells" of "busy"/ });
    const stop = new AbortController();
    const onProgress = (): void => stop.abort();
    await assert.rejects(open({ ...other, onMismatch: 'refold', signal: stop.signal, onProgress }), {
      code: 'aborted',
    });
    assert.equal(await answersOf({ config }, true), before);

    const refolded = await answersOf({ ...other, onMismatch: 'refold' });
    const fresh = await Swapfold.open({ storage: engines.memory!(''), ...other });
    await fresh.ingest(swaps);
    await fresh.refresh();
    assert.equal(refolded, await allAnswers(fresh));
    assert.equal(await answersOf({ config: withRule }, true), refolded);
    await fresh.close();
  } finally {
    await client.command({ query: `drop database if exists ${database} sync` });
  }
});
