// Generated from docs/guides/extend.md by test/generate-docs/blocks.ts.
declare const wallet: string;
import { defineMetric, memory, Swapfold, type SwapInput } from '@swapfold/core';

const explainedSellRatio = defineMetric({
  name: 'explained_sell_ratio',
  of: ['wallets'],
  unit: 'ratio',
  sentence: 'Part of the sells that are realised: of tokens with a known cost.',
  formula: '|R| / |S|',
  empty: null,
  terms: ['realised', 'sells'],
  value: (bag) => (bag.sells === 0 ? null : bag.realised / bag.sells),
  examples: [
    {
      story: {
        title: 'one of two',
        trades: [
          ['3d', 'buy', 'A', 10, 100],
          ['2d', 'sell', 'A', 10, 120],
          ['1d', 'sell', 'B', 5, 50],
        ],
      },
      window: '7d',
      value: 0.5,
      because: 'B was never bought: 1 / 2',
    },
  ],
  source: 'docs/guides/extend.md',
});

const dex = await Swapfold.open({
  storage: memory(),
  metrics: [explainedSellRatio],
  config: {
    labels: {
      wallets: [
        {
          label: 'transparent',
          rule: 'explains-its-sells',
          filter: { 'metrics.30d.sell_count': { $gte: 1 }, 'metrics.30d.explained_sell_ratio': { $gte: 0.9 } },
        },
      ],
    },
  },
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const swap = (wallet: string, block_time: number, token_in: string, token_out: string): SwapInput => ({
  tx_hash: `${wallet}-${block_time}`,
  swap_index: 0,
  block_time,
  wallet,
  token_in,
  token_amount_in: 100,
  token_out,
  token_amount_out: 100,
});
const trader = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const receiver = '9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E';
await dex.ingest([
  swap(trader, 1_704_412_000, USDC, BONK),
  swap(trader, 1_704_412_600, BONK, USDC),
  swap(receiver, 1_704_412_700, BONK, USDC),
]);
await dex.refresh();

const { data } = await dex.wallets.search({
  filter: { 'metrics.30d.explained_sell_ratio': { $exists: true } },
  sort: { field: 'metrics.30d.explained_sell_ratio' },
});
for (const { wallet_address, labels } of data) console.log(wallet_address, labels);
// 7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU [ 'transparent' ]
// 9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E []
await dex.close();
export {};
