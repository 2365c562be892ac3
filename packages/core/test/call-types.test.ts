import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AnswerOf,
  defineMetric,
  memory,
  type OperationName,
  type Page,
  type RequestOf,
  type SearchAnswer,
  Swapfold,
  type Trade,
  type WalletProfile,
} from '@swapfold/core';

const calm = defineMetric({
  unit: 'ratio',
  sentence: 'A test.',
  formula: '1',
  empty: null,
  examples: [],
  source: 'a test',
  name: 'calm',
  of: ['wallets'],
  value: () => 1,
});
const token = 'Token11111111111111111111111111111111111111';
const swap = {
  tx_hash: 'a',
  swap_index: 0,
  block_time: 1_700_000_000,
  wallet: 'Wa11et1111111111111111111111111111111111111',
  token_in: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  token_out: token,
  token_amount_in: 10,
  token_amount_out: 5,
} as const;

/** Whether two types are the same, not only assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <T extends true>(): T => true as T;

test('the request and the answer of a call follow from the name of its operation', async () => {
  isTrue<Same<AnswerOf<'trades.list'>, Page<Trade>>>();
  isTrue<Same<AnswerOf<'wallets.search'>, SearchAnswer<WalletProfile>>>();
  isTrue<Same<AnswerOf<'get-trades'>, unknown>>();
  isTrue<Same<AnswerOf<string>, unknown>>();
  isTrue<Same<string extends OperationName ? 1 : 2, 2>>();
  const hours: RequestOf<'prices.candles'> = { token, interval: 3600, count: 2 };
  const dex = await Swapfold.open({ storage: memory(), metrics: [calm] });
  await dex.ingest([swap]);
  await dex.refresh();
  const [candle] = await dex.call('prices.candles', hours);
  const open: number | undefined = candle?.open;
  assert.equal(open, 2);
  const { data } = await dex.call('wallets.search', { filter: { 'metrics.30d.calm': 1 } });
  assert.equal(data[0]?.metrics?.['30d']?.calm, 1);
  assert.equal((await dex.call('trades.list')).data[0]?.token, token);
  assert.deepEqual(await dex.call('get-trades', {}), await dex.trades.list());
  const name: string = 'trades.list' satisfies OperationName;
  assert.deepEqual(await dex.call(name, { limit: 1 }), await dex.trades.list({ limit: 1 }));

  // @ts-expect-error: no field of this operation
  await assert.rejects(dex.call('trades.list', { limt: 1 }), { code: 'unknown-field' });
  // @ts-expect-error: a metric of wallets, not of tokens
  await assert.rejects(dex.call('tokens.search', { filter: { 'metrics.1d.calm': 1 } }), { code: 'unknown-field' });
  await dex.close();
});
