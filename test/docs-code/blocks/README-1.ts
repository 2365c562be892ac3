// Generated from README.md by test/generate-docs/blocks.ts.
import { Swapfold } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';

const dex = await Swapfold.open({ storage: sqlite('first.db'), config: { preset: 'solana' } });
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const wallet = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';

await dex.ingest([
  { tx_hash: 'a', swap_index: 0, block_time: 1735689000, wallet, token_in: USDC, token_out: WIF, token_amount_in: 100, token_amount_out: 50 },
  { tx_hash: 'b', swap_index: 0, block_time: 1735689600, wallet, token_in: WIF, token_out: USDC, token_amount_in: 50, token_amount_out: 150 },
]);
await dex.refresh();
const winners = await dex.wallets.search({ filter: { 'metrics.1d.pnl': { $gt: 10 } }, options: { include_metrics: ['1d'] } });
console.log(winners.count, await dex.prices.candles({ token: WIF, interval: 60 }));
await dex.close();
export {};
