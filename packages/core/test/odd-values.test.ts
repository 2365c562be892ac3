import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, Swapfold, type SwapInput } from '../src/index.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const [wallet, X, Y] = ['w', 'x', 'y'].map((letter) => letter.repeat(44)) as [string, string, string];
const START = 1_735_689_600;

const swap = (n: number, given: readonly [string, number], received: readonly [string, number]): SwapInput => ({
  tx_hash: `hash${n}`,
  swap_index: 0,
  block_time: START + 3600 * n,
  wallet,
  token_in: given[0],
  token_amount_in: given[1],
  token_out: received[0],
  token_amount_out: received[1],
});

async function storeOf(swaps: readonly SwapInput[]): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage: memory() });
  await dex.ingest([...swaps]);
  await dex.refresh();
  return dex;
}

test('a circulating supply of 0 is unknown: market caps go by the total one', async () => {
  const dex = await storeOf([swap(0, [USDC, 100], [X, 100])]);
  await dex.tokens.upsert([{ address: X, total_supply: 1e9, circulating_supply: 0 }]);
  await dex.refresh();
  const { market } = await dex.tokens.get({ token: X });
  const { metrics } = await dex.wallets.get({ wallet });
  assert.deepEqual([market!.market_cap, metrics!['30d']!.avg_buy_mcap], [1e9, 1e9]);
  const { data } = await dex.trades.list({});
  assert.equal(data[0]?.market_cap, 1e9);
  await dex.tokens.upsert([{ address: X, total_supply: 0 }]);
  await dex.refresh();
  const { market: unknown } = await dex.tokens.get({ token: X });
  assert.deepEqual([unknown!.market_cap, unknown!.fdv], [null, null]);
  await dex.close();
});

test('a return that no number holds is no part of a mean', async () => {
  const dex = await storeOf([
    swap(0, [USDC, 1e-310], [X, 1]),
    swap(1, [X, 1], [USDC, 100]),
    swap(2, [USDC, 100], [Y, 1]),
    swap(3, [Y, 1], [USDC, 120]),
  ]);
  const { metrics } = await dex.wallets.get({ wallet });
  const { avg_roi, avg_token_roi, volume_weighted_roi } = metrics!['30d']!;
  assert.deepEqual([avg_roi, avg_token_roi, volume_weighted_roi], [20, 20, 20]);
  await dex.close();
});

test('who loses all has fallen by 100 %, not by more', async () => {
  const dex = await storeOf([swap(0, [USDC, 116.38999999999999], [X, 38.11]), swap(1, [X, 38.11], [USDC, 1e-18])]);
  const { metrics } = await dex.wallets.get({ wallet });
  assert.deepEqual([metrics!['30d']!.max_drawdown, metrics!['30d']!.time_weighted_roi], [100, -100]);
  const { data } = await dex.wallets.search({ filter: { 'metrics.30d.max_drawdown': { $lte: 100 } } });
  assert.equal(data.length, 1);
  await dex.close();
});

test('a portfolio that no number holds has the largest one for its value', async () => {
  const dex = await storeOf([swap(0, [USDC, 1], [X, 1e200]), swap(1, [USDC, 1], [Y, 1e200])]);
  await dex.ingest([
    { ...swap(2, [USDC, 1e200], [X, 1e92]), wallet: 'v'.repeat(44) },
    { ...swap(3, [USDC, 1e200], [Y, 1e92]), wallet: 'v'.repeat(44) },
  ]);
  const { value } = await dex.portfolios.get({ wallet });
  assert.equal(value, Number.MAX_VALUE);
  await dex.close();
});
