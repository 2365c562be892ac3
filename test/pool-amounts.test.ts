import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigInput, Swapfold, type SwapInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';

const config: ConfigInput = {
  chain: 'test',
  address_format: 'any',
  quote_tokens: [
    { address: 'SOL', symbol: 'SOL', kind: 'native' },
    { address: 'USDC', symbol: 'USDC', kind: 'stable' },
  ],
};
const START = 1_736_800_000 - (1_736_800_000 % 3600);

type Side = readonly [amount: number, token: string, pooled?: number];

function swap(at: number, [paid, tokenIn, poolIn]: Side, [got, tokenOut, poolOut]: Side): SwapInput {
  return {
    tx_hash: `tx${at}`,
    swap_index: 0,
    block_time: START + at,
    wallet: 'W',
    token_in: tokenIn,
    token_amount_in: paid,
    token_out: tokenOut,
    token_amount_out: got,
    ...(poolIn !== undefined && { pool_amount_in: poolIn, pool_amount_out: poolOut! }),
  };
}

for (const engine of Object.keys(engines))
  test(`${engine}: prices and volumes go by what the pool got and gave, trades and results by the wallet`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
      const priceOf = async (token: string): Promise<number | undefined> =>
        (await dex.prices.latest({ tokens: [token] }))[0]?.usd_price;
      // Of 108 USDC the router keeps 8, of 100 T the token keeps 4: the pool's price is 1.
      await dex.ingest([swap(0, [108, 'USDC', 100], [96, 'T', 100])]);
      assert.equal(await priceOf('T'), 1);
      // Sold: the wallet gives 96, 90 of them reach the pool, which gives 180 USDC, 179 of which reach the wallet: 2.
      await dex.ingest([swap(60, [96, 'T', 90], [179, 'USDC', 180])]);
      assert.equal(await priceOf('T'), 2);
      const { data: swaps } = await dex.swaps.list({ token: 'T' });
      assert.deepEqual(
        swaps.map((row) => [row.token_price_in, row.token_price_out, row.usd_amount_in, row.pool_amount_in]),
        [
          [2, 1, 179, 90],
          [1, 1, 108, 100],
        ],
      );
      const [candle] = await dex.prices.candles({ token: 'T', interval: 3600 });
      assert.deepEqual([candle!.open, candle!.close, candle!.volume], [1, 2, 280]);
      // 96 T for 108 USD, sold for 179.
      const { data: trades } = await dex.trades.list({ wallet: 'W', token: 'T' });
      assert.deepEqual(
        trades.map((row) => [row.usd_amount, row.realized_pnl_usd, row.token_amount]),
        [
          [179, 71, 96],
          [108, null, 96],
        ],
      );
      // SOL at 200 by the pool, at 210 and a little by the wallet; what it values is valued at 200.
      await dex.ingest([swap(120, [210, 'USDC', 200], [0.98, 'SOL', 1])]);
      assert.equal(await priceOf('SOL'), 200);
      await dex.ingest([swap(180, [1, 'SOL', 0.5], [40, 'X', 50])]);
      // The wallet paid 200 USD; the pool got 100 for 50 X.
      assert.equal(await priceOf('X'), 2);
      const [last] = (await dex.swaps.list({ token: 'X' })).data;
      assert.deepEqual([last!.usd_amount_in, last!.token_price_in, last!.token_price_out], [200, 200, 2]);
      // No quote token: the feed values what was paid, of which the pool got half.
      await dex.ingest([{ ...swap(240, [10, 'X', 5], [30, 'Y', 40]), usd_amount_in: 16 }]);
      assert.equal(await priceOf('Y'), 0.2);
      await dex.refresh();
      const { metrics } = await dex.wallets.get({ wallet: 'W' });
      // 71 of T; of X, 10 that cost 5 each went for 16.
      assert.equal(metrics!['30d']!.pnl, 71 - 34);
      assert.deepEqual((await dex.verify()).differences, []);
      await dex.close();
    }));

for (const engine of Object.keys(engines))
  test(`${engine}: what a holding is worth in native tokens goes by what the pool got and gave`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
      const unrealised = async (): Promise<number | null> => {
        await dex.refresh();
        return (await dex.positions.get({ wallet: 'W', token: 'X' })).holding!.unrealized_pnl_native!;
      };
      // Nothing says what SOL is worth. Of 6.25 X that the pool gave for 1.25 SOL, 5 arrive: 5 x 0.2 - 1.25.
      await dex.ingest([swap(0, [1.25, 'SOL', 1.25], [5, 'X', 6.25])]);
      assert.equal(await unrealised(), -0.25);
      // Two others give 1 X each; 0.8 reach the pool, which gives 0.4 SOL, 0.3 of which arrive. Of 0.5, 0.5 and 0.2 it is 0.5.
      for (const [at, wallet] of [
        [60, 'V'],
        [120, 'U'],
      ] as const)
        await dex.ingest([{ ...swap(at, [1, 'X', 0.8], [0.3, 'SOL', 0.4]), wallet }]);
      assert.equal(await unrealised(), 5 * 0.5 - 1.25);
      await dex.close();
    }));
