// Generated from docs/reference/http.md by test/generate-docs/blocks.ts.
import { memory, Swapfold } from '@swapfold/core';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const wallet = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const trade = (tx_hash: string, block_time: number, given: [string, number], received: [string, number]) => ({
  tx_hash,
  swap_index: 0,
  block_time,
  wallet,
  token_in: given[0],
  token_amount_in: given[1],
  token_out: received[0],
  token_amount_out: received[1],
});

const dex = await Swapfold.open({ storage: memory() });
await dex.ingest([
  trade('bought', 1_704_412_000, [USDC, 100], [BONK, 1000]),
  trade('half', 1_704_412_600, [BONK, 500], [USDC, 80]),
  trade('rest', 1_704_412_800, [BONK, 500], [USDC, 30]),
]);
await dex.refresh();

const { value, terms } = await dex.wallets.explain({ wallet, metric: 'profit_factor', window: '7d' });
for (const term of terms) console.log(term.name, term.value, term.meaning);
console.log(value);
// win_pnl 30 Profits of the wins.
// loss_pnl -20 Losses, not positive.
// 1.5

const pnl = await dex.wallets.explain({ wallet, metric: 'pnl', window: '7d' });
for (const { tx_hash, direction, part } of pnl.trades) console.log(tx_hash, direction, part);
// rest sell -20
// half sell 30
// bought buy null

const position = await dex.positions.explain({ wallet, token: BONK, metric: 'roi', window: '7d' });
console.log(position.value, position.terms.map((term) => `${term.name} ${term.value}`).join(', '));
// 10 pnl 10, cost 100
await dex.close();
export {};
