// Generated from docs/reference/http.md by test/generate-docs/blocks.ts.
import { memory, Swapfold } from '@swapfold/core';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const wallet = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const buy = { block_time: 1735689600, wallet, token_in: USDC, token_out: WIF, token_amount_out: 50 };
const dex = await Swapfold.open({ storage: memory(), config: { preset: 'solana' } });
await dex.ingest([
  { ...buy, tx_hash: 'a', swap_index: 0, token_amount_in: 100, pool: 'deep' },
  { ...buy, tx_hash: 'a', swap_index: 1, token_amount_in: 150, pool: 'thin' },
]);
console.log((await dex.swaps.list({ pool: 'thin' })).count); // 1
console.log((await dex.prices.candles({ pool: 'thin', interval: 60 }))[0]?.close); // 3
console.log((await dex.prices.candles({ token: WIF, pool: 'deep', interval: 60 }))[0]?.close); // 2
console.log((await dex.trades.list({ wallet })).data[0]?.pools); // [ 'deep', 'thin' ]
export {};
